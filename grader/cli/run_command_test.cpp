// `grader run`: one's own arrays in, numbers out, from the reference and from a student's file; a refusal
// says what the function takes.

#include <cmath>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

const std::vector<float> kX = {1, 2, 3, -1, 0, 0.5F};

std::string in_X(const TestFolder& desk) {
    return desk.in("X", {2, 3}, kX);
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

BOOST_AUTO_TEST_SUITE(run_command)

BOOST_DATA_TEST_CASE(reference_and_yardstick_print_and_write_the_same_numbers,
                     boost::unit_test::data::make({"reference", "fast"}), implementation) {
    const TestFolder desk;
    check_run(
        {"run", "softmax", "--impl", implementation, "--in", in_X(desk), "--out", "Y=" + desk.file("y.npy")},
        0, {"Y ", "0.090", "0.244", "0.665"});
    const Array Y = data::read_npy(desk.file("y.npy"));
    std::vector<float> expected;
    for (std::size_t row = 0; row < 6; row += 3) {
        double sum = 0;
        for (std::size_t k = row; k < row + 3; ++k) sum += std::exp(static_cast<double>(kX[k]));
        for (std::size_t k = row; k < row + 3; ++k)
            expected.push_back(static_cast<float>(std::exp(static_cast<double>(kX[k])) / sum));
    }
    check_close(Y, Array("Y", {2, 3}, expected));
}

BOOST_AUTO_TEST_CASE(an_output_on_request_comes_only_on_request) {
    const TestFolder desk;
    const Words words = {"run",  "scaled_dot_product_attention",
                         "--in", desk.in<float>("Q", {1, 1, 2}, {1, 0}),
                         "--in", desk.in<float>("K", {1, 2, 2}, {0, 0, 0, 0}),
                         "--in", desk.in<float>("V", {1, 2, 1}, {2, 4})};
    const Run without = run_grader(words);
    BOOST_TEST(without.exit_code == 0);
    BOOST_TEST(without.text.starts_with("Y "));
    BOOST_TEST(!contains(without.text, "A "));
    Words more = words;
    more.insert(more.end(), {"--out", "A=" + desk.file("a.npy")});
    BOOST_TEST(squeezed(run_grader(more).text) == "Y 3\nA 0.5 0.5\n");
    check_close(data::read_npy(desk.file("a.npy")), Array("A", {1, 1, 2}, std::vector<float>{0.5F, 0.5F}));
}

BOOST_AUTO_TEST_CASE(a_large_output_is_named_and_not_printed) {
    const TestFolder desk;
    const Run run = run_grader({"run", "softmax", "--in", desk.in("X", {20, 20}, std::vector<float>(400))});
    BOOST_TEST(run.exit_code == 0);
    BOOST_TEST(run.text == "Y [20, 20]\n");
}

BOOST_AUTO_TEST_CASE(a_right_student_gives_the_references_numbers) {
    const TestFolder desk;
    const std::string folder = desk.submission(proof::solution("self_attention"));
    std::vector<float> Q, K, V;
    for (int k = 0; k < 2 * 3 * 4; ++k) Q.push_back(static_cast<float>(std::sin(k)));
    for (int k = 0; k < 2 * 5 * 4; ++k) K.push_back(static_cast<float>(std::cos(3 * k)));
    for (int k = 0; k < 2 * 5 * 6; ++k) V.push_back(static_cast<float>(std::sin(7 * k)));
    Words words = {"run",          "scaled_dot_product_attention",
                   "--in",         desk.in("Q", {2, 3, 4}, Q),
                   "--in",         desk.in("K", {2, 5, 4}, K),
                   "--in",         desk.in("V", {2, 5, 6}, V),
                   "--submission", folder};
    for (const std::string who : {"reference", "student"}) {
        Words all = words;
        all.insert(all.end(), {"--impl", who, "--out", "Y=" + desk.file(who + "_Y.npy"), "--out",
                               "A=" + desk.file(who + "_A.npy")});
        check_run(all, 0, {"Y ", "A "});
    }
    for (const std::string output : {"_Y.npy", "_A.npy"})
        check_close(data::read_npy(desk.file("student" + output)),
                    data::read_npy(desk.file("reference" + output)));
    BOOST_TEST(data::read_npy(desk.file("student_Y.npy")).count() == 2U * 3 * 6);
}

BOOST_AUTO_TEST_CASE(a_stub_has_no_numbers_to_show) {
    const TestFolder desk;
    const Words words = {"run", "softmax", "--impl", "student", "--in", in_X(desk)};
    check_run(words, 1, {"softmax: not implemented. Nothing was written."});
    BOOST_TEST(!contains(run_grader(words).text, "nan"));
}

BOOST_AUTO_TEST_CASE(a_half_written_output_is_told) {
    const TestFolder desk;
    const std::string folder = desk.submission(softmax_of("Y(0, 0) = 1;"));
    check_run({"run", "softmax", "--impl", "student", "--submission", folder, "--in", in_X(desk)}, 1,
              {"softmax: partly written. Y was never written in 5 of 6 elements."});
}

BOOST_AUTO_TEST_CASE(a_student_who_fails_is_told_by_the_outcomes_name) {
    const TestFolder desk;
    const auto check = [&](const std::string& source, const std::vector<std::string>& parts) {
        check_run({"run", "softmax", "--impl", "student", "--submission", desk.submission(source), "--in",
                   in_X(desk)},
                  1, parts);
    };
    check(softmax_of("throw std::runtime_error(\"no\\x1b[1m idea\");"),
          {"softmax: threw. An exception left it: no?[1m idea"});
    check(softmax_of("Y(2, 0) = 1;"), {"softmax: out of bounds. In Y: element (2, 0) of [2, 3]"});
    check("#include \"self_attention.h\"\n", {"softmax: missing."});
    check("int x = nobody;\n",
          {"self_attention.cpp does not compile", ":1:9: error: 'nobody' was not declared"});
}

BOOST_AUTO_TEST_CASE(what_a_student_prints_is_shown_and_does_not_steer_the_terminal) {
    const TestFolder desk;
    const std::string folder = desk.submission(
        "#include <cstdio>\n" +
        softmax_of("std::puts(\"at\\x1b[31m row 0\"); for (int k = 0; k < 6; ++k) Y.data()[k] = 1;"));
    check_run({"run", "softmax", "--impl", "student", "--submission", folder, "--in", in_X(desk)}, 0,
              {"at?[31m row 0\nY "});
}

BOOST_AUTO_TEST_CASE(inputs_that_do_not_fit_are_refused_with_what_is_taken) {
    const TestFolder desk;
    const std::string X = in_X(desk);
    check_run({"run", "softmax"}, 2, {"input X is missing", "--in X=FILE.npy", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--in", "Z=" + desk.file("X.npy")}, 2, {"no input Z", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--in", X}, 2, {"X was given before"});
    check_run({"run", "softmax", "--in", desk.file("X.npy")}, 2, {"--in", desk.file("X.npy"), "NAME=VALUE"});
    check_run({"run", "softmax", "--in", "X=" + desk.file("none.npy")}, 2,
              {desk.file("none.npy") + ": ", "no such file"});
    check_run({"run", "softmax", "--in", desk.in<float>("X", {3}, {1, 2, 3})}, 2,
              {"X has shape [3]", "2 axes were expected", kSoftmax});
    check_run({"run", "softmax", "--in", desk.in<float>("X", {0, 3}, {})}, 2,
              {"[0, 3]", "N must be at least 1", kSoftmax});
    check_run({"run", "softmax", "--in", desk.in<double>("X", {1, 2}, {1, 2})}, 2,
              {desk.file("X.npy") + ": ", "X has to hold float32", "astype(np.float32)"});
    desk.folder.write("X.npy", "row,column\n1,2\n");
    check_run({"run", "softmax", "--in", X}, 2, {desk.file("X.npy") + ": ", "no npy file", "np.save"});
    check_run({"run", "scaled_dot_product_attention", "--in", desk.in<float>("Q", {1, 1, 2}, {1, 0}), "--in",
               desk.in<float>("K", {1, 1, 3}, {0, 0, 0}), "--in", desk.in<float>("V", {1, 1, 1}, {2})},
              2, {"D_q is 2 in Q and 3 in K [1, 1, 3]", kAttention});
}

BOOST_AUTO_TEST_CASE(options_go_by_name_or_as_a_number) {
    const TestFolder desk;
    // x = -1 and +1 through two matrices of 1: nothing but the activation is left.
    Words words = {"run", "feed_forward"};
    for (const std::string& input : {desk.in<float>("X", {2, 1}, {-1, 1}), desk.in<float>("W_1", {1, 1}, {1}),
                                     desk.in<float>("b_1", {1}, {0}), desk.in<float>("W_2", {1, 1}, {1}),
                                     desk.in<float>("b_2", {1}, {0})})
        words.insert(words.end(), {"--in", input});
    check_run(words, 0, {"Y ", "0\n", "1\n"});
    words.insert(words.end(), {"--set", "activation=gelu_erf"});
    check_run(words, 0, {"Y ", "-0.158", "0.841"});
    words.back() = "activation=gelu";
    check_run(words, 2, {"--set activation=gelu", "one of relu, gelu_erf, gelu_tanh"});

    words = {"run", "layer_norm"};
    for (const std::string& input :
         {desk.in<float>("X", {1, 2}, {1, 3}), desk.in<float>("gamma", {2}, {1, 1}),
          desk.in<float>("beta", {2}, {0, 0})})
        words.insert(words.end(), {"--in", input});
    words.insert(words.end(), {"--set", "eps=3"});
    check_run(words, 0, {"Y ", "-0.5", "0.5"});
    words.back() = "eps=small";
    check_run(words, 2, {"--set eps=small", "expected a number"});
}

BOOST_AUTO_TEST_CASE(other_words_that_do_not_fit_are_refused_with_what_is_known) {
    const TestFolder desk;
    const std::string X = in_X(desk);
    check_run({"run", "hardmax", "--in", X}, 2, {"no function 'hardmax'", kSoftmax, kAttention});
    check_run({"run", "softmax", "softmax", "--in", X}, 2, {"give one function", "usage: grader run"});
    check_run({"run", "softmax", "--in", X, "--out", "Z=z.npy"}, 2, {"no output Z", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--set", "heads=3"}, 2, {"no option heads", kSoftmax});
    check_run({"run", "softmax", "--in", X, "--impl", "teacher"}, 2,
              {"--impl teacher", "reference, fast or student"});
    check_run({"run", "softmax", "--in", X, "--impl", "student", "--submission", desk.file("none")}, 2,
              {desk.file("none") + ": ", "no such folder"});
    const std::string nowhere = desk.file("none/y.npy");
    check_run({"run", "softmax", "--in", X, "--out", "Y=" + nowhere}, 2,
              {nowhere + ": ", "cannot be written"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
