// A failed call names the student's own line. The expected line is the one with a comment at its end.

#include "grader/grading/crash_lines.h"

#include <algorithm>
#include <map>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"
#include "grader/testing/submission_folder.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(crash_lines, *boost::unit_test::label("long"))

const std::string kFirst = "        float m = X(i, 0);\n";

/// The solution with other statements at the beginning of softmax, and with functions before it.
std::string changed(const std::string& statements, const std::string& functions = {}) {
    std::string text = compile::solution();
    text.replace(text.find(kFirst), kFirst.size(), statements);
    const std::string space = "namespace attn {\n";
    return text.insert(text.find(space) + space.size(), functions);
}

/// The checks of softmax. A call has half a second.
std::vector<report::Check> graded(const std::string& text) {
    const compile::TestFolder folder({{rubric::shipped::kTime, "time_s     = 0.5"}});
    folder.write("self_attention.cpp", text);
    return folder.grade({"softmax"}).assignments.front().parts.front().checks;
}

const report::Check& check_of(const std::vector<report::Check>& checks, std::string_view name) {
    return *std::ranges::find(checks, name, &report::Check::name);
}

/// Each case of softmax has another number of columns, so one submission fails in many ways.
BOOST_AUTO_TEST_CASE(each_kind_of_failure_names_its_line) {
    const std::string text = changed(R"(
        float m = X(i, 0);
        if (D == 7) m = X(i, D);  // ragged
        if (D == 1) m += *static_cast<const float*>(nullptr);  // one_column
        if (D == 17) throw std::runtime_error("seventeen");  // one_row
        if (D == 1027) m = deep(D);
        if (D == 11) {
            std::vector<float> e(D);
            e[D] = m;  // tall
        }
        if (D == 4) {
            float* e = new float[D];
            e[D] = m;  // overflow
            m = e[D];
            delete[] e;
        }
        if (D == 5) std::abort();  // huge_and_tiny
        if (D == 6) const_cast<float&>(X(i, 1)) = 3;  // repeats
)",
                                     R"(
static float deep(int n) { volatile float x[64]; x[n % 64] = 1; return deep(n + 1) + x[n % 64]; }  // long
)");
    const auto checks = graded("#include <cstdlib>\n#include <stdexcept>\n" + text);
    for (const std::string name :
         {"ragged", "one_column", "one_row", "long", "tall", "overflow", "huge_and_tiny", "repeats"})
        BOOST_TEST_CONTEXT(name) {
            const report::Check& check = check_of(checks, name);
            BOOST_REQUIRE(check.lines.has_value());
            BOOST_REQUIRE(!check.lines->lines.empty());
            const SourceLine& line = check.lines->lines.front();
            BOOST_TEST(line.file == "self_attention.cpp");
            BOOST_TEST(line.function == (name == "long" ? "deep" : "softmax"));
            BOOST_TEST(line.text.ends_with("// " + name));
            BOOST_TEST(line.line > 0);
        }
}

/// A call that the grader has to end, or that ends its process itself.
BOOST_AUTO_TEST_CASE(a_call_that_does_not_return_names_its_line) {
    const std::string text = changed(R"(
        float m = X(i, 0);
        if (D == 7) std::exit(0);  // ragged
        if (D == 1) _exit(3);  // one_column
        if (D == 17) std::quick_exit(1);  // one_row
        if (D == 1027) std::_Exit(2);  // long
        if (D == 11) stop();
        if (D == 4)
            for (volatile int k = 0; k < D;) m += k;  // overflow
        if (D == 5)
            while (true) std::puts("again");  // huge_and_tiny
        if (D == 6) m += static_cast<float>(fork());  // repeats
)",
                                     R"(
static void stop() noexcept { throw 1; }  // tall
)");
    const auto checks = graded("#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n" + text);
    for (const auto& [name, outcome] :
         std::map<std::string, Outcome>{{"ragged", Outcome::exited},
                                        {"one_column", Outcome::exited},
                                        {"one_row", Outcome::exited},
                                        {"long", Outcome::exited},
                                        {"tall", Outcome::crashed},
                                        {"overflow", Outcome::timed_out},
                                        {"huge_and_tiny", Outcome::too_much_output},
                                        {"repeats", Outcome::forbidden}})
        BOOST_TEST_CONTEXT(name) {
            const report::Check& check = check_of(checks, name);
            BOOST_TEST((check.outcome == outcome));
            BOOST_REQUIRE(check.lines.has_value());
            BOOST_REQUIRE(!check.lines->lines.empty());
            BOOST_TEST(check.lines->lines.front().text.ends_with("// " + name));
            BOOST_TEST(check.lines->what.empty() == (outcome != Outcome::timed_out));
        }
}

/// The loop calls a helper, in which almost all of the time passes.
BOOST_AUTO_TEST_CASE(an_endless_loop_is_where_nothing_returns) {
    const auto checks = graded(changed(R"(
        float m = X(i, 0);
        if (D == 7)
            for (int k = 0; k < D;) {
                m += sum_of(X, i, k);  // helper
            }
)",
                                       R"(
static float sum_of(TensorView<const float, 2> X, int i, int n) {
    float sum = 0;
    for (int k = 0; k < 100000; k++) sum += X(i, (k + n) % X.size(1));
    return sum;
}
)"));
    const report::Check& check = check_of(checks, "ragged");
    BOOST_TEST((check.outcome == Outcome::timed_out));
    BOOST_REQUIRE(check.lines.has_value());
    BOOST_REQUIRE(check.lines->lines.size() == 1U);
    BOOST_TEST(check.lines->lines.front().text == "m += sum_of(X, i, k);  // helper");
    BOOST_TEST(check.lines->lines.front().function == "softmax");
}

BOOST_AUTO_TEST_CASE(the_caller_of_a_helper_is_named_too) {
    const auto checks = graded(changed("        float m = at(X, i, D);\n",
                                       "static float at(TensorView<const float, 2> X, int i, int j) {\n"
                                       "    return X(i, j);\n}\n"));
    const auto& lines = checks.front().lines.value().lines;
    BOOST_REQUIRE(lines.size() == 2U);
    BOOST_TEST(lines[0].text == "return X(i, j);");
    BOOST_TEST(lines[1].text == "float m = at(X, i, D);");
}

BOOST_AUTO_TEST_CASE(an_access_that_is_silent_is_told_beside_wrong_numbers) {
    const auto checks = graded(changed(R"(
        int row[4] = {};
        const int* r = row;
        for (int k = 0; k < D; k++) r++;
        float m = X(i, 0) + 1e-3f * static_cast<float>(r[D % 2] % 2);  // any number can stand there
)") + "");
    // Its numbers are right: softmax does not depend on m.
    BOOST_TEST(std::ranges::none_of(checks, [](const auto& check) { return check.lines.has_value(); }));
    std::string wrong = changed(R"(
        float row[4] = {}, m = X(i, 0);
        const float* r = row;
        for (int k = 0; k < D; k++) r += k < 5;
        const float extra = D == 7 ? 0.001f * (r[0] != 1234) : 0;  // beyond
)");
    const std::string quotient = "Y(i, j) = Y(i, j) / sum;";
    wrong.replace(wrong.find(quotient), quotient.size(), "Y(i, j) = Y(i, j) / sum + extra;");
    const auto told = graded(wrong);
    const report::Check& check = check_of(told, "ragged");
    BOOST_TEST((check.outcome == Outcome::wrong));
    BOOST_REQUIRE(check.lines.has_value());
    BOOST_TEST(check.lines->what.starts_with("It read past the end of row, which has 16 bytes (line "));
    BOOST_TEST(check.lines->lines.front().text.ends_with("// beyond"));
}

/// The names of files in debug information are a student's text, too.
BOOST_AUTO_TEST_CASE(a_line_of_a_file_that_cannot_exist_is_no_line) {
    const auto checks =
        graded("#include <cstdlib>\n" + changed("        float m = X(i, 0);\n#line 1 \"" +
                                                std::string(300, 'n') + "\"\n        std::abort();\n"));
    BOOST_TEST((checks.front().outcome == Outcome::crashed));
    BOOST_TEST(!checks.front().lines.has_value());
}

/// Calls that fail at once and, when they are repeated, tell no line or always another one, by the number of
/// columns. Each repetition takes some tenths of a second.
const char* const kUseless = R"(
        float m = X(i, 0);
#ifdef __SANITIZE_ADDRESS__
        if (D == 1) for (volatile int k = 0; k == 0;) m += 1;
        if (D == 2) usleep(300000);
        if (D == 3) usleep(300000), syscall(SYS_exit_group, 1);
        if (D >= 5) usleep(300000), fail(D);
#endif
)";

BOOST_AUTO_TEST_CASE(calls_that_tell_nothing_are_not_repeated_for_long) {
    const compile::TestFolder folder({{rubric::shipped::kTime, "time_s     = 0.5"}});
    std::string text = "#include <stdlib.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n";
    std::string failing = "static void fail(int D) {\n";
    for (int D = 5; D < 20; ++D) failing += "    if (D == " + std::to_string(D) + ") abort();\n";
    folder.write("self_attention.cpp", text + changed(kUseless, failing + "}\n"));
    rubric::Rubric rubric = rubric::read_rubric(folder.assignments / "02_self_attention");
    constexpr double kShare = 0.2;  // of the assignment's time, which repetitions may take
    rubric.budget_s = 300 / kShare;
    compile::Builds watched = compile::Builds(folder.submission, {rubric}, Installation()).watched();
    BOOST_REQUIRE(!watched.of(rubric).library.empty());
    const auto is_repeated = [&](CrashLines& lines, int columns) {
        const rubric::PartRubric& part = rubric.parts.front();
        const auto crashed = [](const auto&...) { return worker::failure(Outcome::crashed, "It crashed."); };
        const auto call = lines.with_lines(crashed, part, {});
        const auto start = worker::Clock::now();
        call(*part.function,
             {Array("X", Shape{1, columns}, std::vector<float>(static_cast<std::size_t>(columns), 1.F))}, {},
             worker::Placement::ends_at_guard);
        constexpr double kRepeated_s = 0.3;
        return std::chrono::duration<double>(worker::Clock::now() - start).count() >= kRepeated_s;
    };
    for (int columns = 1; columns <= 3; ++columns) {
        TimeBudget budget(rubric.budget_s);
        CrashLines lines(watched, rubric, budget);
        BOOST_TEST_CONTEXT(columns << " columns") {
            BOOST_TEST(is_repeated(lines, columns));
            BOOST_TEST(is_repeated(lines, columns));
            BOOST_TEST(!is_repeated(lines, columns));
            BOOST_TEST(!is_repeated(lines, columns));
        }
    }
    rubric.budget_s = 3 / kShare;
    TimeBudget budget(rubric.budget_s);
    CrashLines lines(watched, rubric, budget);
    int repeated = 0;
    for (int columns = 5; columns < 20; ++columns) repeated += is_repeated(lines, columns) ? 1 : 0;
    BOOST_TEST(repeated >= 2);
    BOOST_TEST(repeated <= 10);  // 3 s of 0.3 s each
}

BOOST_AUTO_TEST_CASE(a_right_submission_is_not_built_again) {
    const compile::TestFolder folder;
    folder.write("self_attention.cpp", compile::solution());
    const data::TemporaryDirectory cache;
    GradeOptions options;
    options.submission = folder.submission;
    options.assignment = 2;
    options.speed = false;
    options.extra.cache = cache / "builds";
    attn::grade(options);
    const auto entries = std::filesystem::directory_iterator(options.extra.cache);
    BOOST_TEST(std::distance(begin(entries), end(entries)) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
