// `grader emulate`: a correct program has no findings, a wrong one is reported with file and line, with one
// seed and with several; a program that cannot be emulated is refused with the reason.

#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/testing/built.h"
#include "grader/testing/emulator_tools.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

const std::string kExample = "grader/emulator/example.cu";

/// The example with a mistake: replaces `right`, which occurs once, by `wrong`.
std::string example_with(const std::string& right, const std::string& wrong) {
    std::string text = data::read_file(testing::built().sources / kExample);
    const std::size_t at = text.find(right);
    BOOST_REQUIRE(at != std::string::npos);
    BOOST_REQUIRE(text.find(right, at + 1) == std::string::npos);
    return text.replace(at, right.size(), wrong);
}

/// The example without its last barrier, which is necessary.
std::string example_without_barrier() {
    const std::string barrier = "__syncthreads();";
    std::string text = data::read_file(testing::built().sources / kExample);
    const std::size_t at = text.rfind(barrier);
    BOOST_REQUIRE(at != std::string::npos);
    return text.erase(at, barrier.size());
}

BOOST_AUTO_TEST_SUITE(emulate_command, *boost::unit_test::precondition(emulator::on_x86_64))

BOOST_AUTO_TEST_CASE(the_example_has_no_findings_in_both_modes_and_with_arguments) {
    check_run({"emulate", kExample}, 0,
              {"softmax of 5 rows of 100: ", "nothing found in example.cu (seed 1)"});
    check_run({"emulate", kExample, "--fast", "--", "3", "17"}, 0, {"softmax of 3 rows of 17: "});
    check_run({"emulate", kExample, "--seeds", "3"}, 0, {"nothing found in example.cu with 3 seeds"});
}

BOOST_AUTO_TEST_CASE(a_missing_barrier_is_a_race_with_its_lines) {
    const data::TemporaryDirectory folder;
    const auto file = folder.write("mine.cu", example_without_barrier()).string();
    check_run({"emulate", file}, 1,
              {"race_in_block", "mine.cu:16", "mine.cu:22", "part", "__syncthreads()", "found in mine.cu"});
    const Run many = run_grader({"emulate", file, "--seeds", "4"});
    BOOST_TEST(many.exit_code == 1);
    BOOST_TEST(contains(many.text, "mine.cu:16"), many.text);
    BOOST_TEST((contains(many.text, "every seed") || contains(many.text, " of 4 seeds: ")), many.text);
    BOOST_TEST(!contains(many.text, "@{"), many.text);
}

BOOST_AUTO_TEST_CASE(an_access_past_the_end_is_reported) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder.write("mine.cu", example_with("k < n; k += kThreads) y[k]", "k <= n; k += kThreads) y[k]"));
    check_run({"emulate", file.string(), "--", "1", "100"}, 1, {"out_of_bounds", "mine.cu:49"});
}

BOOST_AUTO_TEST_CASE(a_program_that_fails_or_does_not_end_is_reported) {
    const data::TemporaryDirectory folder;
    const auto wrong = folder.write("wrong.cu", "int main() { return 3; }\n").string();
    check_run({"emulate", wrong}, 1, {"wrong.cu ended with exit code 3"});
    const auto endless =
        folder.write("endless.cu", "int main() { for (volatile int k = 0;; ++k) {} }\n").string();
    check_run({"emulate", endless, "--time-limit", "0.3"}, 1, {"endless.cu did not end within 0.3 s"});
    const auto crash = folder.write("crash.cu", "#include <cstdlib>\nint main() { abort(); }\n").string();
    check_run({"emulate", crash, "--seeds", "2"}, 1, {"crash.cu ended with", "every seed"});
}

BOOST_AUTO_TEST_CASE(headers_of_its_folder_of_the_course_and_of_include_folders_are_found) {
    const data::TemporaryDirectory folder;
    std::filesystem::create_directory(folder / "more");
    folder.write("more/more.h", "constexpr int kMore = 2;\n");
    folder.write("above.cuh", "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n");
    std::filesystem::create_directory(folder / "mine");
    folder.write("mine/kernel.cuh",
                 "#include \"../above.cuh\"\ninline void run(int* x) { k<<<1, 4>>>(x); }\n");
    folder.write("mine/a.cu",
                 "#include \"kernel.cuh\"\n#include \"more.h\"\n#include \"self_attention.h\"\n"
                 "int main() { int* x; cudaMalloc(&x, 16); run(x); cudaDeviceSynchronize(); cudaFree(x); "
                 "return kMore - 2; }\n");
    check_run({"emulate", (folder / "mine/a.cu").string(), "-I", (folder / "more").string()}, 0,
              {"nothing found"});
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_emulated_is_refused) {
    const data::TemporaryDirectory folder;
    const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
        check_run({"emulate", folder.write("a.cu", text).string()}, 2, parts);
    };
    refused("int main() {\n asm(\"\"); }\n", {"a.cu:2: inline PTX", "write it in C++"});
    refused("int main() {\n k<<<1, 2>>; }\n", {"a.cu:2: a launch"});
    refused("int f() { return 1; }\n", {"a.cu has no main"});
    refused("int main() {\n  return y;\n}\n",
            {"a.cu does not compile", "a.cu:2: error: ", "2 |   return y;"});
    refused("int g();\nint main() { return g(); }\n", {"a.cu cannot be linked", "g()"});
}

BOOST_AUTO_TEST_CASE(invalid_arguments_are_refused_and_help_is_shown) {
    check_run({"emulate"}, 2, {"give one .cu file to run"});
    check_run({"emulate", "a.cu", "b.cu"}, 2, {"give one .cu file to run"});
    check_run({"emulate", "no/such.cu"}, 2, {"no/such.cu", "there is no such file"});
    check_run({"emulate", "grader"}, 2, {"this is a directory"});
    check_run({"emulate", kExample, "--seeds", "0"}, 2, {"--seeds"});
    check_run({"emulate", kExample, "--time-limit", "nan"}, 2, {"--time-limit"});
    check_run({"emulate", "--help"}, 0, {"grader emulate my.cu --seeds 20", "Exit code"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
