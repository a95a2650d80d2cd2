// `grader run` of functions with lengths, options and calls of earlier functions.

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/proof/harness.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(run_other_assignments, *boost::unit_test::label("long"))

using proof::edited;
using proof::solution;

/// Writes these files as a submission and returns its folder.
std::string submission(const TestFolder& test_folder,
                       const std::vector<std::pair<std::string, std::string>>& files) {
    std::filesystem::create_directories(test_folder.folder / "mine");
    for (const auto& [name, text] : files) test_folder.folder.write("mine/" + name, text);
    return test_folder.file("mine");
}

BOOST_AUTO_TEST_CASE(lengths_are_whole_numbers) {
    const TestFolder test_folder;
    const std::string lengths = test_folder.in("lengths", {2}, std::vector<std::int32_t>{1, 3});
    const Words words = {"run", "padding_mask", "--set", "N_q=1", "--set", "N_k=3", "--in", lengths};
    check_run(words, 0,
              {"M           1           0           0\n", "\n            1           1           1\n"});
    const std::string floats = test_folder.in("lengths", {2}, std::vector<float>{1, 3});
    check_run({"run", "padding_mask", "--set", "N_q=1", "--set", "N_k=3", "--in", floats}, 2,
              {"lengths must be of type int32", "astype(np.int32)"});
}

BOOST_AUTO_TEST_CASE(refusing_invalid_inputs_is_no_fault) {
    const TestFolder test_folder;
    const std::string X = test_folder.in("X", {1, 1, 4}, std::vector<float>{1, 2, 3, 4});
    const std::string folder = submission(test_folder, {{"multi_head.cpp", solution("multi_head")}});
    const std::string refusal =
        "split_heads: refuses these inputs, as required: H = 3 does not divide D = 4.";
    check_run({"run", "split_heads", "--in", X, "--set", "H=3"}, 1, {refusal});
    check_run({"run", "split_heads", "--in", X, "--set", "H=3", "--impl", "student", "--submission", folder},
              1, {refusal});
    check_run({"run", "split_heads", "--in", X, "--set", "H=2", "--impl", "student", "--submission", folder},
              0, {"Y"});
}

BOOST_AUTO_TEST_CASE(earlier_files_of_the_submission_are_used) {
    const TestFolder test_folder;
    const std::string X = test_folder.in("X", {1, 1, 4}, std::vector<float>{1, 2, 3, 4});
    // A split_heads that multiplies by softmax([7]), which is 1.
    const std::string calls =
        edited(solution("multi_head"),
               {{"#include \"multi_head.h\"", "#include \"multi_head.h\"\n#include \"self_attention.h\""},
                {"Y(b, h, i, d) = X(b, i, h * width + d);", "Y(b, h, i, d) = one * X(b, i, h * width + d);"},
                {"    const int width = D / H;\n    for (int b = 0; b < B; b++)\n        for (int h = 0; h < "
                 "H; h++)\n",
                 "    const int width = D / H;\n    float one = 0, seven = 7;\n"
                 "    softmax(TensorView<float, 2>(&one, 1, 1), TensorView<const float, 2>(&seven, 1, 1));\n"
                 "    for (int b = 0; b < B; b++)\n        for (int h = 0; h < H; h++)\n"}});
    const std::string folder = submission(
        test_folder, {{"multi_head.cpp", calls}, {"self_attention.cpp", solution("self_attention")}});
    const Words words = {"run",    "split_heads", "--in",         X,     "--set", "H=2",
                         "--impl", "student",     "--submission", folder};
    check_run(words, 0, {"Y           1           2\n", "\n            3           4\n"});
    std::filesystem::remove(test_folder.folder / "mine/self_attention.cpp");
    check_run(words, 1, {"split_heads: missing.", "attn::softmax"});
    BOOST_TEST(!contains(run_grader(words).text, "symbol lookup error"));
}

BOOST_AUTO_TEST_CASE(a_note_names_functions_that_are_called_and_not_written) {
    const TestFolder test_folder;
    const std::string right = solution("masking");
    const std::size_t body = right.find("masked_softmax("), brace = right.find("{\n", body);
    const std::string stub = right.substr(0, brace + 2) + "    (void)Y, (void)X, (void)mask;\n    return;\n" +
                             right.substr(brace + 2);
    const Words words = {"run",          "masked_attention",
                         "--in",         "Q=[[[1]]]",
                         "--in",         "K=[[[1]]]",
                         "--in",         "V=[[[3]]]",
                         "--in",         "mask=[[[1]]]",
                         "--impl",       "student",
                         "--submission", test_folder.file("mine")};
    submission(test_folder, {{"masking.cpp", stub}});
    check_run(
        words, 0,
        {"note: you have not written masked_softmax yet. If your masked_attention calls it, its numbers "
         "are wrong or missing here. (`make grade` takes the grader's own in its place.)"});
    // One that hands out what the function that is called leaves untouched has written nothing, either.
    const std::string nothing = edited(
        stub, {{"        masked_softmax(W, E, mask[b]);", "        return masked_softmax(W, E, mask[b]);"}});
    submission(test_folder, {{"masking.cpp", nothing}});
    check_run(words, 1,
              {"masked_attention: not implemented", "note: you have not written masked_softmax yet."});
    submission(test_folder, {{"masking.cpp", right}});
    BOOST_TEST(!contains(run_grader(words).text, "note:"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
