// `grader run` with the reference, the yardstick and a student's file. Error messages show the function's
// parameters.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(run_command, *boost::unit_test::label("long"))

const std::vector<float> kX = {1, 2, 3, -1, 0, 0.5F};

std::string in_X(const TestFolder& test_folder) {
    return test_folder.in("X", {2, 3}, kX);
}

/// A submission whose softmax has this body.
std::string softmax_of(const std::string& body) {
    return "#include <stdexcept>\n#include \"self_attention.h\"\n"
           "void attn::softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) { (void)Y, (void)X; " +
           body + " }\n";
}

void check_close(const Array& a, const Array& b) {
    BOOST_TEST(a.shape == b.shape, boost::test_tools::per_element());
    const auto &left = a.as<float>(), &right = b.as<float>();
    BOOST_REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k)
        BOOST_TEST((std::abs(left[k] - right[k]) <= 1e-6F), left[k] << " and " << right[k]);
}

BOOST_DATA_TEST_CASE(reference_and_yardstick_print_and_write_the_same_numbers,
                     boost::unit_test::data::make({"reference", "plain", "fast"}), implementation) {
    const TestFolder test_folder;
    check_run({"run", "softmax", "--impl", implementation, "--in", in_X(test_folder), "--out",
               "Y=" + test_folder.file("y.npy")},
              0, {"Y ", "0.090", "0.244", "0.665"});
    const Array Y = data::read_npy(test_folder.file("y.npy"));
    std::vector<float> expected;
    for (std::size_t row = 0; row < 6; row += 3) {
        double sum = 0;
        for (std::size_t k = row; k < row + 3; ++k) sum += std::exp(static_cast<double>(kX[k]));
        for (std::size_t k = row; k < row + 3; ++k)
            expected.push_back(static_cast<float>(std::exp(static_cast<double>(kX[k])) / sum));
    }
    check_close(Y, Array("Y", {2, 3}, expected));
}

// In float, the mean of a constant row is off by an ulp, and a norm divides that by a tiny spread.
BOOST_AUTO_TEST_CASE(the_reference_answers_in_double_and_the_plain_loops_in_float) {
    const TestFolder test_folder;
    const auto largest = [&](const std::string& implementation) {
        check_run({"run", "layer_norm", "--impl", implementation, "--in",
                   test_folder.in("X", {1, 7}, std::vector<float>(7, 1000.1F)), "--in",
                   test_folder.in("gamma", {7}, std::vector<float>(7, 1)), "--in",
                   test_folder.in("beta", {7}, std::vector<float>(7, 0)), "--set", "eps=1e-12", "--out",
                   "Y=" + test_folder.file("y.npy")},
                  0, {"Y "});
        float most = 0;
        const Array Y = data::read_npy(test_folder.file("y.npy"));
        BOOST_TEST((type_of(Y) == ElementType::f32));
        for (const float y : Y.as<float>()) most = std::max(most, std::abs(y));
        return most;
    };
    BOOST_TEST(largest("reference") == 0.0F);
    BOOST_TEST(largest("plain") > 0.5F);
}

BOOST_AUTO_TEST_CASE(an_optional_output_is_computed_only_on_request) {
    const TestFolder test_folder;
    const Words words = {"run",  "scaled_dot_product_attention",
                         "--in", test_folder.in<float>("Q", {1, 1, 2}, {1, 0}),
                         "--in", test_folder.in<float>("K", {1, 2, 2}, {0, 0, 0, 0}),
                         "--in", test_folder.in<float>("V", {1, 2, 1}, {2, 4})};
    const Run without = run_grader(words);
    BOOST_TEST(without.exit_code == 0);
    BOOST_TEST(without.text.starts_with("Y "));
    BOOST_TEST(!contains(without.text, "A "));
    Words more = words;
    more.insert(more.end(), {"--out", "A=" + test_folder.file("a.npy")});
    BOOST_TEST(squeezed(run_grader(more).text) == "Y 3\nA 0.5 0.5\n");
    check_close(data::read_npy(test_folder.file("a.npy")),
                Array("A", {1, 1, 2}, std::vector<float>{0.5F, 0.5F}));
}

BOOST_AUTO_TEST_CASE(numbers_on_the_command_line_are_an_array_of_the_parameters_type) {
    const Run both = run_grader({"run", "scaled_dot_product_attention", "--in", "Q=[[[1, 0]]]", "--in",
                                 "K=[[[0,0],[0,0]]]", "--in", "V=[[[2],[4.5]]]", "--out", "A"});
    BOOST_TEST(both.exit_code == 0);
    BOOST_TEST(squeezed(both.text) == "Y 3.25\nA 0.5 0.5\n");
    check_run({"run", "masked_softmax", "--in", "X=[[1, 5, 1]]", "--in", "mask=[[1, 0, 1]]"}, 0, {"0.5"});
    check_run({"run", "padding_mask", "--in", "lengths=[1, 2]", "--set", "N_q=1", "--set", "N_k=2"}, 0,
              {"M"});
    for (const char* wrong : {"X=[[1, 2], [3]]", "X=[1, [2]]", "X=[[1, 2], 3]", "X=[]", "X=[[]]",
                              "X=[[1, a]]", "X=[[1, 2]", "X=[[\"1\"]]", "X=[[1e999]]"})
        check_run({"run", "softmax", "--in", wrong}, 2, {wrong, "numbers in brackets"});
    check_run({"run", "softmax", "--in", "X=[1, 2]"}, 2, {"X has shape [2], 2 axes were expected"});
    check_run({"run", "masked_softmax", "--in", "X=[[1, 5]]", "--in", "mask=[[1, 0.5]]"}, 2,
              {"0.5 is no number of type uint8"});
    check_run({"run", "masked_softmax", "--in", "X=[[1, 5]]", "--in", "mask=[[1, 256]]"}, 2,
              {"256 is no number of type uint8"});
    check_run({"run", "padding_mask", "--in", "lengths=[1e10]", "--set", "N_q=1", "--set", "N_k=2"}, 2,
              {"1e+10 is no number of type int32"});
}

BOOST_AUTO_TEST_CASE(of_a_large_output_only_the_shape_is_printed) {
    const TestFolder test_folder;
    const Run run =
        run_grader({"run", "softmax", "--in", test_folder.in("X", {20, 20}, std::vector<float>(400))});
    BOOST_TEST(run.exit_code == 0);
    BOOST_TEST(run.text == "Y [20, 20]\n");
}

BOOST_AUTO_TEST_CASE(a_correct_student_gives_the_references_numbers) {
    const TestFolder test_folder;
    const std::string folder = test_folder.submission(proof::solution("self_attention"));
    std::vector<float> Q, K, V;
    for (int k = 0; k < 2 * 3 * 4; ++k) Q.push_back(static_cast<float>(std::sin(k)));
    for (int k = 0; k < 2 * 5 * 4; ++k) K.push_back(static_cast<float>(std::cos(3 * k)));
    for (int k = 0; k < 2 * 5 * 6; ++k) V.push_back(static_cast<float>(std::sin(7 * k)));
    Words words = {"run",          "scaled_dot_product_attention",
                   "--in",         test_folder.in("Q", {2, 3, 4}, Q),
                   "--in",         test_folder.in("K", {2, 5, 4}, K),
                   "--in",         test_folder.in("V", {2, 5, 6}, V),
                   "--submission", folder};
    for (const std::string implementation : {"reference", "student"}) {
        Words all = words;
        all.insert(all.end(),
                   {"--impl", implementation, "--out", "Y=" + test_folder.file(implementation + "_Y.npy"),
                    "--out", "A=" + test_folder.file(implementation + "_A.npy")});
        check_run(all, 0, {"Y ", "A "});
    }
    for (const std::string output : {"_Y.npy", "_A.npy"})
        check_close(data::read_npy(test_folder.file("student" + output)),
                    data::read_npy(test_folder.file("reference" + output)));
    BOOST_TEST(data::read_npy(test_folder.file("student_Y.npy")).count() == 2U * 3 * 6);
}

BOOST_AUTO_TEST_CASE(a_stub_prints_no_numbers) {
    const TestFolder test_folder;
    const Words words = {"run", "softmax", "--impl", "student", "--in", in_X(test_folder)};
    check_run(words, 1, {"softmax: not implemented. Nothing was written."});
    BOOST_TEST(!contains(run_grader(words).text, "nan"));
}

BOOST_AUTO_TEST_CASE(a_partly_written_output_is_reported) {
    const TestFolder test_folder;
    const std::string folder = test_folder.submission(softmax_of("Y(0, 0) = 1;"));
    check_run({"run", "softmax", "--impl", "student", "--submission", folder, "--in", in_X(test_folder)}, 1,
              {"softmax: partly written. Y was never written in 5 of 6 elements."});
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_student_is_reported_with_its_outcome) {
    const TestFolder test_folder;
    const auto check = [&](const std::string& source, const std::vector<std::string>& parts) {
        check_run({"run", "softmax", "--impl", "student", "--submission", test_folder.submission(source),
                   "--in", in_X(test_folder)},
                  1, parts);
    };
    check(softmax_of("throw std::runtime_error(\"no\\x1b[1m idea\");"),
          {"softmax: threw. It threw std::runtime_error: no?[1m idea."});
    check(softmax_of("Y(2, 0) = 1;"), {"softmax: out of bounds. In Y: element (2, 0) of [2, 3]"});
    check("#include \"self_attention.h\"\n", {"softmax: missing."});
    check("int x = undefined;\n",
          {"self_attention.cpp does not compile", ":1:9: error: 'undefined' was not declared"});
}

BOOST_AUTO_TEST_CASE(output_of_a_student_is_shown_and_cannot_control_the_terminal) {
    const TestFolder test_folder;
    const std::string folder = test_folder.submission(
        "#include <cstdio>\n" +
        softmax_of("std::puts(\"at\\x1b[31m row 0\"); for (int k = 0; k < 6; ++k) Y.data()[k] = 1;"));
    check_run({"run", "softmax", "--impl", "student", "--submission", folder, "--in", in_X(test_folder)}, 0,
              {"at?[31m row 0\nY "});
}

BOOST_AUTO_TEST_CASE(wrong_inputs_are_refused_and_the_parameters_are_shown) {
    const TestFolder test_folder;
    const std::string X = in_X(test_folder);
    check_run({"run", "softmax"}, 2, {"input X is missing", "--in X=FILE.npy", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--in", "Z=" + test_folder.file("X.npy")}, 2,
              {"no input Z", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--in", X}, 2, {"X is given twice"});
    check_run({"run", "softmax", "--in", test_folder.file("X.npy")}, 2,
              {"--in", test_folder.file("X.npy"), "NAME=VALUE"});
    check_run({"run", "softmax", "--in", "X=" + test_folder.file("none.npy")}, 2,
              {test_folder.file("none.npy") + ": ", "no such file"});
    check_run({"run", "softmax", "--in", test_folder.in<float>("X", {3}, {1, 2, 3})}, 2,
              {"X has shape [3]", "2 axes were expected", kSoftmax});
    check_run({"run", "softmax", "--in", test_folder.in<float>("X", {0, 3}, {})}, 2,
              {"[0, 3]", "N must be at least 1", kSoftmax});
    check_run({"run", "softmax", "--in", test_folder.in<double>("X", {1, 2}, {1, 2})}, 2,
              {test_folder.file("X.npy") + ": ", "X must be of type float32", "astype(np.float32)"});
    test_folder.folder.write("X.npy", "row,column\n1,2\n");
    check_run({"run", "softmax", "--in", X}, 2, {test_folder.file("X.npy") + ": ", "no npy file", "np.save"});
    check_run({"run", "scaled_dot_product_attention", "--in", test_folder.in<float>("Q", {1, 1, 2}, {1, 0}),
               "--in", test_folder.in<float>("K", {1, 1, 3}, {0, 0, 0}), "--in",
               test_folder.in<float>("V", {1, 1, 1}, {2})},
              2, {"D_q is 2 in Q and 3 in K [1, 1, 3]", kAttention});
}

BOOST_AUTO_TEST_CASE(options_are_enumerators_or_numbers) {
    const TestFolder test_folder;
    // With X = -1 and +1 and matrices of 1, the outputs are those of the activation.
    Words words = {"run", "feed_forward"};
    for (const std::string& input :
         {test_folder.in<float>("X", {2, 1}, {-1, 1}), test_folder.in<float>("W_1", {1, 1}, {1}),
          test_folder.in<float>("b_1", {1}, {0}), test_folder.in<float>("W_2", {1, 1}, {1}),
          test_folder.in<float>("b_2", {1}, {0})})
        words.insert(words.end(), {"--in", input});
    check_run(words, 0, {"Y ", "0\n", "1\n"});
    words.insert(words.end(), {"--set", "activation=gelu_erf"});
    check_run(words, 0, {"Y ", "-0.158", "0.841"});
    words.back() = "activation=gelu";
    check_run(words, 2, {"--set activation=gelu", "one of relu, gelu_erf, gelu_tanh"});

    words = {"run", "layer_norm"};
    for (const std::string& input :
         {test_folder.in<float>("X", {1, 2}, {1, 3}), test_folder.in<float>("gamma", {2}, {1, 1}),
          test_folder.in<float>("beta", {2}, {0, 0})})
        words.insert(words.end(), {"--in", input});
    words.insert(words.end(), {"--set", "eps=3"});
    check_run(words, 0, {"Y ", "-0.5", "0.5"});
    words.back() = "eps=small";
    check_run(words, 2, {"--set eps=small", "expected a number"});
}

BOOST_AUTO_TEST_CASE(values_outside_the_contracts_ranges_are_refused) {
    const TestFolder test_folder;
    const auto padding = [&](const std::vector<std::int32_t>& lengths, const std::string& N_k) {
        return Words{"run",   "padding_mask", "--in",  test_folder.in("lengths", {2}, lengths),
                     "--set", "N_q=2",        "--set", "N_k=" + N_k};
    };
    check_run(padding({0, 3}, "3"), 0, {"M "});
    check_run(padding({0, 4}, "3"), 2, {"padding_mask: lengths(1) is 4; it must be 0 to N_k = 3"});
    check_run(padding({-1, 3}, "3"), 2, {"lengths(0) is -1", "0 to N_k = 3"});
    check_run(padding({0, 3}, "0"), 2, {"N_k must be a whole number, 1 to 16777216"});
    // The arrays of a call may have 1 GiB, whether they are read or written.
    Words large = padding({0, 3}, "16777216");
    large[5] = "N_q=100";
    check_run(large, 2, {"M [2, 100, 16777216] would take 3355443200 bytes", "1 GiB"});
    for (const std::string eps : {"0", "-1"})
        check_run({"run", "layer_norm", "--in", test_folder.in<float>("X", {1, 1}, {1}), "--in",
                   test_folder.in<float>("gamma", {1}, {1}), "--in", test_folder.in<float>("beta", {1}, {1}),
                   "--set", "eps=" + eps},
                  2, {"--set eps=" + eps + ": eps must be greater than 0 (its default is 1e-05)"});
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_noted) {
    const TestFolder test_folder;
    const std::string X = test_folder.in<float>("X", {2, 2}, {1, 2, NAN, INFINITY});
    check_run({"run", "softmax", "--in", X}, 0,
              {"note: 2 of 4 elements of X are NaN or infinite; the first is X(1, 0)\n", "nan"});
    BOOST_TEST(!contains(run_grader({"run", "softmax", "--in", in_X(test_folder)}).text, "note"));
}

BOOST_AUTO_TEST_CASE(the_list_shows_the_defaults_of_options) {
    check_run({"list", "--details"}, 0,
              {"eps (default 1e-05)", "norm (pre, post; default pre)",
               "activation (relu, gelu_erf, gelu_tanh; default relu)"});
}

BOOST_AUTO_TEST_CASE(other_wrong_arguments_are_refused_and_the_valid_ones_are_shown) {
    const TestFolder test_folder;
    const std::string X = in_X(test_folder);
    check_run({"run", "hardmax", "--in", X}, 2, {"no function 'hardmax'", "grader list --details"});
    check_run({"run", "softmax", "softmax", "--in", X}, 2, {"give one function", "usage: grader run"});
    check_run({"run", "softmax", "--in", X, "--out", "Z=z.npy"}, 2, {"no output Z", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--set", "heads=3"}, 2, {"no option heads", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--impl", "teacher"}, 2,
              {"--impl teacher", "reference, plain, fast or student"});
    check_run({"run", "softmax", "--in", X, "--impl", "student", "--submission", test_folder.file("none")}, 2,
              {test_folder.file("none") + ": ", "no such folder"});
    const std::string nowhere = test_folder.file("none/y.npy");
    check_run({"run", "softmax", "--in", X, "--out", "Y=" + nowhere}, 2,
              {nowhere + ": ", "cannot be written"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
