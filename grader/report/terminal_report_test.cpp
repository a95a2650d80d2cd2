// The report in a terminal: it shows what a student needs, and a student's program cannot manipulate it.

#include "grader/report/terminal_report.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/report/text.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(terminal_report)

std::string written(const Report& report, const TerminalStyle& style) {
    std::ostringstream out;
    write_terminal(out, report, style);
    return out.str();
}

std::string written(const Report& report, bool colour = false, bool verbose = false) {
    return written(report, {colour, verbose});
}

/// A submission of three assignments: one like golden(), one correct, one not begun.
Report three_assignments() {
    Report report = golden();
    report.assignments.push_back(
        make_report({make_part("merge_heads", 2, {make_check("ragged", Outcome::passed)})})
            .assignments.at(0));
    report.assignments.push_back(
        make_report({make_part("causal_mask", 1, {make_check("square", Outcome::not_implemented)})})
            .assignments.at(0));
    report.assignments[1].number = 3;
    report.assignments[2].number = 4;
    return report;
}

BOOST_AUTO_TEST_CASE(the_report_shows_the_main_results) {
    const std::string text = written(golden());
    for (const char* line : {"6.5 / 27.5",
                             "not implemented yet",
                             "case tall: wrong",
                             "Every row of Y is off.",
                             "Worst at Y(1, 3): yours 0.4127, expected 0.3891",
                             "410000 times the rounding error",
                             "20 are allowed",
                             "A small case that still fails:   N=1 D=2",
                             "Y yours",
                             "nan",
                             "expected",
                             "Your output is exactly what comes out when exp is left out.",
                             "Think: What is exp for?  (handout, step 1)",
                             "      overflow         not finite  Row 0 of Y is no finite number.",
                             "      rows_sum_to_one  threw       see below",
                             "      passed: one_row",
                             "      tall             wrong       see below\n        1 more like this: long\n",
                             "extra.cpp does not compile:",
                             "extra.cpp:41:18: error: ?[31mred",
                             "does not compile, 1 stopped early, 1 timed out, 1 wrong,",
                             "\n      -7.5   softmax: exp is left out\n",
                             "\nNext: fix softmax.\n   make grade A=2 SUBMISSION=work of?[2J ?\n"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(text, line), "missing: " << line);
    BOOST_TEST(!contains(text, "inf"));
}

BOOST_AUTO_TEST_CASE(speed_is_a_small_chart_beside_plain_loops_and_yardstick) {
    const std::string text = written(golden());
    for (const char* line :
         {"   attention                         4 / 7.5   1 numeric, speed slow, growth slow\n",
          "      speed   slow  6.25 times the plain loops, 0.400 times the yardstick: 60 % of the points\n",
          "      growth  slow  time N^2.96, plain loops N^2.02, 0.5 more allowed; memory N^1.98, 2.2 "
          "allowed\n",
          "      passed: ragged\n",
          "   attention, speed: slow   1.5 / 2.5\n     (normal numbers, B=1 N=256 D=64, 1 thread)\n"
          "       yours       =======================               1.6 ms    10.5 GFLOP/s\n"
          "       plain loops ======                               10.0 ms     1.7 GFLOP/s\n"
          "       yardstick   ================================     0.64 ms    26.2 GFLOP/s\n"
          "     6.25 times the plain loops (95 % interval 6.10 to 6.60), 0.400 times the yardstick (0.380 to "
          "0.430): 60 %\n     of the points. This machine was too noisy for a more precise result; the "
          "uncertainty "
          "counts in your\n     favour.\n     Your code, the plain loops and the yardstick all use the "
          "vector unit "
          "AVX2. Yours was compiled with `g++\n     -O3 -c x.cpp`. It may use: C++20; one thread.\n     Try: "
          "Which array is walked by columns? ?[31mred?[0m",
          "     More on this:  make explain ID=2.attention.speed\n", "   attention, growth: slow   0 / 2.5\n",
          "     Time grows as N^2.96 for N = N_q = N_k = 64 .. 512, the plain loops' as N^2.02. The "
          "difference is 0.94\n     (95 % interval 0.90 to 0.98); 0.5 is allowed.\n"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(text, line), "missing: " << line);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_fast_enough_shows_one_line_for_its_speed) {
    Check speed = make_speed();
    speed.outcome = Outcome::passed;
    Part part = make_part("attention", 2, {make_check("ragged", Outcome::passed), speed});
    const std::string text = written(make_report({part}));
    BOOST_TEST(contains(text, "ok  2 checks\n"));
    BOOST_TEST(contains(text, "      speed  ok  6.25 times the plain loops"));
    BOOST_TEST(!contains(text, "===="));
    BOOST_TEST(contains(written(make_report({part}), false, true), "===="));
}

BOOST_AUTO_TEST_CASE(speed_that_was_not_measured_says_why) {
    Check speed = make_speed();
    speed.speed.reset();
    speed.outcome = Outcome::skipped;
    speed.message = "Not measured: first the numbers have to be right.";
    Part part = make_part("attention", 2, {make_wrong("tall"), speed});
    BOOST_TEST(contains(written(make_report({part})),
                        "      speed  not counted yet  Not measured: first the numbers"));
    // If the points for speed do not count, the part is complete.
    part.checks = {make_check("ragged", Outcome::passed), speed};
    part.checks.back().max_points = 0;
    BOOST_TEST(contains(written(make_report({part})), "ok  1 check\n"));

    speed.outcome = Outcome::too_many_threads;
    speed.message = "3 threads ran, 1 is allowed.";
    part.checks.back() = speed;
    const std::string text = written(make_report({part}));
    BOOST_TEST(contains(text, "1 numeric, speed too many threads\n"));
    BOOST_TEST(contains(text, "attention, speed: too many threads   "));
    BOOST_TEST(contains(text, "\n     3 threads ran, 1 is allowed.\n"));

    // A part with untouched outputs is not begun, whatever the outcome of the speed check.
    speed.outcome = Outcome::skipped;
    part.checks = {make_check("ragged", Outcome::not_implemented, "Nothing was written."), speed};
    BOOST_TEST(contains(written(make_report({part})), "not implemented yet\n"));
}

BOOST_AUTO_TEST_CASE(verbose_shows_every_failure) {
    const std::string text = written(golden(), false, true);
    BOOST_TEST(!contains(written(golden()), "case long"));
    BOOST_TEST(contains(text, "case long: wrong\n     (normal numbers, N=5 D=7)\n"));
    BOOST_TEST(contains(text, "It printed:\n       | ?[31mred?[0m </script> ]]>"));
    BOOST_TEST(contains(text, "\n       | line two\n"));
    BOOST_TEST(clean(text) == text);
}

BOOST_AUTO_TEST_CASE(names_the_stand_ins_and_the_functions_that_are_charged) {
    Report report = golden();
    Part& part = report.assignments.at(0).parts.at(0);
    part.stand_ins = {"f", "g"};
    const std::string begin = "tested with the course's f, g, because yours",
                      else_where =
                          begin +
                          ", or what they call, are wrong, too slow or not begun; that costs no points here";
    BOOST_TEST(contains(one_line(written(report)), else_where));
    part.charged_at = {"f", "assignment 1"};  // which may have all its points
    BOOST_TEST(contains(one_line(written(report)), else_where));
    part.charged_at = part.stand_ins;
    BOOST_TEST(contains(one_line(written(report)),
                        begin + " are wrong, too slow or not begun; you lose points only there"));
    // Speed is measured without stand-ins, so its points wait.
    Check speed;
    speed.kind = CheckKind::speed, speed.outcome = Outcome::skipped, speed.max_points = 3;
    part.checks.push_back(speed);
    BOOST_TEST(contains(one_line(written(report)),
                        "not begun; you lose points there, and here only those that wait for it"));
    part.charged_at.clear();
    BOOST_TEST(contains(one_line(written(report)), "that costs no points here but those that wait for it"));
    part.checks.pop_back();
    part.stand_ins.clear();
    part.race_charged_at = "layer_norm";
    BOOST_TEST(
        contains(written(report), "kernels graded with a __syncthreads() added where those of layer_norm"));
    part.race_charged_at.clear();
    part.mistake_charged_at = "lstm_cell";
    BOOST_TEST(contains(one_line(written(report)),
                        "right but for a mistake that lstm_cell has, too; you lose points only there"));
    part.checks.push_back(speed);
    BOOST_TEST(
        contains(one_line(written(report)),
                 "that lstm_cell has, too; you lose points there, and here only those that wait for it"));
    part.checks.pop_back();
    part.mistake_charged_at.clear();
    part.costs_elsewhere = "gru_cell has the same mistake, which costs points there, too";
    BOOST_TEST(contains(one_line(written(report)), part.costs_elsewhere));
}

BOOST_AUTO_TEST_CASE(long_sentences_are_wrapped_between_words) {
    Report report = golden();
    Check& check = report.assignments.at(0).parts.at(0).checks.at(1);
    check.message = "a";
    for (int k = 0; k < 60; ++k) check.message += " word";
    const std::string text = written(report);
    BOOST_TEST(contains(text, "\n     a word"));
    BOOST_TEST(contains(text, "word\n     word"));
    check.difference->yours = -kNan;
    BOOST_TEST(contains(written(report), "yours nan"));
}

BOOST_AUTO_TEST_CASE(only_the_grader_writes_escape_codes_and_only_with_colour) {
    const std::string plain = written(golden());
    BOOST_TEST(clean(plain) == plain);
    std::string coloured = written(golden(), true);
    BOOST_TEST(contains(coloured, "\x1b[1m"));
    BOOST_TEST(contains(coloured, "\x1b[31m"));
    for (const char* code : {"\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"})
        for (auto at = coloured.find(code); at != std::string::npos; at = coloured.find(code))
            coloured.erase(at, std::string(code).size());
    BOOST_TEST(coloured == plain);
}

BOOST_AUTO_TEST_CASE(notes_stand_at_the_top) {
    BOOST_TEST(contains(written(golden()),
                        "seed 2026\n   note: left out: \"notes\", a symbolic link\n   note: ?[31mred"));
    BOOST_TEST(contains(written(golden(), {.isolation = true}), "\nisolation: own process\n   note: "));
    BOOST_TEST(contains(written(golden(), false, true), "\nisolation: own process\n   note: "));
    BOOST_TEST(!contains(written(golden()), "isolation"));
}

BOOST_AUTO_TEST_CASE(text_of_a_student_is_never_a_command_and_never_looks_like_a_score) {
    Report report = golden();
    report.isolation = std::string(103, 'i') + " ::error::wrapped to a new line";
    Check& check = report.assignments.at(0).parts.at(0).checks.at(4);
    check.message = std::string(103, 'm') + " ::error::wrapped to a new line";
    const std::string text = written(report, false, true);
    std::istringstream stream(text);
    int scores = 0;
    for (std::string line; std::getline(stream, line);) {
        const auto first = std::find_if(line.begin(), line.end(), [](char c) { return c > ' '; });
        BOOST_TEST(!std::string(first, line.end()).starts_with("::"), line);
        BOOST_TEST(!contains(line, "##"), line);
        if (line.starts_with("   softmax     ")) ++scores;
        if (contains(line, "20 / 20   ok")) BOOST_TEST(contains(line, "| "), line);
    }
    BOOST_TEST(scores == 1);
    BOOST_TEST(contains(text, "\n     | ::error::wrapped"));
}

BOOST_AUTO_TEST_CASE(long_lines_are_cut) {
    Report report = golden();
    report.assignments.at(0).sources.at(1).messages = std::string(1 << 20, 'x');
    Check& check = report.assignments.at(0).parts.at(0).checks.at(4);
    check.message = check.printed = std::string(1 << 20, 'x');
    BOOST_TEST(written(report, false, true).size() < 20'000U);
}

BOOST_AUTO_TEST_CASE(a_stub_is_not_called_wrong) {
    const Check untouched = make_check("ragged", Outcome::not_implemented, "Nothing was written.");
    const Report report = make_report(
        {make_part("softmax", 1, {untouched, untouched}), make_part("self_attention", 3, {untouched})});
    for (const bool verbose : {false, true}) {
        const std::string text = written(report, false, verbose);
        BOOST_TEST(contains(text, "0 / 5   not implemented yet\n"));
        BOOST_TEST(contains(text, "0 / 2.5   not implemented yet\n"));
        BOOST_TEST(!contains(text, "wrong"));
        BOOST_TEST(!contains(text, "failed"));
        BOOST_TEST(!contains(text, "Worst"));
    }
}

BOOST_AUTO_TEST_CASE(a_passed_part_shows_ok_and_no_failure) {
    const std::string text =
        written(make_report({make_part("softmax", 1, {make_check("ragged", Outcome::passed)})}));
    BOOST_TEST(contains(text, "2.5 / 2.5   ok  1 check\n"));
    BOOST_TEST(!contains(text, ", case"));
    BOOST_TEST(!contains(text, "ragged"));
}

BOOST_AUTO_TEST_CASE(a_long_name_of_a_function_stands_apart_from_its_points) {
    const std::string text = written(make_report(
        {make_part("scaled_dot_product_attention_backward", 1, {make_check("ragged", Outcome::passed)}),
         make_part("softmax", 2, {make_check("ragged", Outcome::passed)})}));
    BOOST_TEST(contains(text, "scaled_dot_product_attention_backward  2.5 / 2.5   ok  1 check\n"), text);
    BOOST_TEST(contains(text, "softmax                                2.5 / 2.5   ok  1 check\n"), text);
}

BOOST_AUTO_TEST_CASE(several_assignments_have_short_failures_and_one_line_for_what_is_perfect_or_not_begun) {
    const std::string text = written(three_assignments());
    for (const char* line :
         {"      property rows_sum_to_one: threw. ",
          "\n   softmax                          2.5 / 15   1 of 5 numeric, 0 of 1 properties\n"
          "      case tall: wrong. Every row of Y is off.\n"
          "      Your output is exactly what comes out when exp is left out.\n"
          "      More on this:  make explain ID=2.softmax.tall\n",
          "\n   self_attention                      0 / 5   not implemented yet\n",
          "\n   attention                         4 / 7.5   1 numeric, speed slow, growth slow\n"
          "      speed: 6.25 times the plain loops",
          "\n\n3  Self-attention                  2.5 / 2.5   ok\n"
          "4  Self-attention                    0 / 2.5   not begun\n\n",
          "\n   extra.cpp does not compile:\n     | extra.cpp:41:18: error",
          "\n   Total                            9 / 32.5   does not compile, 1 stopped early, 1 timed out, "
          "1 "})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(text, line), "missing: " << line);
    BOOST_TEST(!contains(text, "Self-attention: not begun"));  // the table says it
    BOOST_TEST(!contains(text, "A small case"));
    BOOST_TEST(!contains(text, "merge_heads"));
    BOOST_TEST(
        contains(written(three_assignments(), false, true), "A small case that still fails:   N=1 D=2"));
}

BOOST_AUTO_TEST_CASE(of_untouched_stubs_only_where_to_begin_is_said) {
    Report stubs = make_report({make_part("softmax", 1, {make_check("ragged", Outcome::not_implemented)})});
    stubs.assignments.push_back(stubs.assignments.front());
    stubs.next = "write softmax (x, step 1). Then: make grade A=2";
    const std::string text = written(stubs);
    BOOST_TEST(contains(text,
                        "   2 assignments, 0 / 5 points: nothing is begun.\nNext: write softmax (x, step "
                        "1).\n   make grade A=2\n"),
               text);
    BOOST_TEST(!contains(text, "-2.5"));
    // A folder without the files is another thing: the table says "not handed in".
    for (Assignment& assignment : stubs.assignments)
        for (SourceFile& source : assignment.sources) source.exists = false;
    BOOST_TEST(contains(written(stubs), "not handed in"), written(stubs));
}

BOOST_AUTO_TEST_CASE(a_failed_kernel_hides_neither_its_function_nor_what_it_printed) {
    Check wrong = make_wrong("tall");
    wrong.smallest.reset();
    wrong.printed = "i = 3";
    Check race = make_wrong("cuda_tall");
    race.kind = CheckKind::cuda;
    race.outcome = Outcome::kernel_error;
    race.message = "Race at softmax.cu:53.";
    for (const bool untouched : {false, true}) {
        if (untouched) wrong = make_check("tall", Outcome::not_implemented, "Nothing was written.");
        const std::string text = written(make_report({make_part("softmax", 1, {wrong, race})}));
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(contains(text, "softmax, kernels, case tall: kernel error\n"));
            BOOST_TEST(contains(text, "the kernels of softmax: exp is left out (softmax.cu:53)\n"));
            BOOST_TEST(contains(text, "softmax, case tall: wrong\n") == !untouched);
            BOOST_TEST(contains(text, "| i = 3\n") == !untouched);
            BOOST_TEST(contains(text, "not implemented yet, 0 of 1 as kernels\n") == untouched);
        }
    }
}

BOOST_AUTO_TEST_CASE(warnings_take_one_line_after_the_failures) {
    Report report = golden();
    report.assignments.at(0).sources.at(0).messages =
        "x.cpp:1:2: warning: unused a\n  1 | int a;\nx.cpp:3:2: warning: unused b\n";
    const std::string text = written(report), all = written(report, false, true);
    BOOST_TEST(contains(text, "2 warnings of the compiler; all: ARGS=--verbose\n     | x.cpp:1:2: warning"));
    BOOST_TEST(!contains(text, "unused b"));
    BOOST_TEST(text.find("2 warnings") > text.find("A small case"));
    BOOST_TEST(contains(all, "unused b"));
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_compile_is_one_finding) {
    Part part = make_part("softmax", 1,
                          {make_check("a", Outcome::not_compiled), make_check("b", Outcome::not_compiled)});
    Report report = make_report({part, part});
    report.assignments.front().sources = {{"soft.cpp", true, false, "soft.cpp:16:9: error: expected ';'\n"}};
    const std::string text = written(report);
    BOOST_TEST(
        contains(text, "\n   soft.cpp does not compile:\n     | soft.cpp:16:9: error: expected ';'\n"));
    BOOST_TEST(
        contains(text, "\n       -10   soft.cpp: does not compile: expected ';' (soft.cpp:16)\nNext: "));
    BOOST_TEST(!contains(text, "\n   softmax"));
}

BOOST_AUTO_TEST_CASE(every_line_fits_into_the_terminal_and_no_word_is_broken) {
    Report report = three_assignments();
    report.assignments.at(0).parts.at(0).checks.at(2).smallest->inputs = {
        {"W", {1, 12}, std::vector<double>(12, -0.12345)}};
    for (Check& check : report.assignments.at(0).parts.at(0).checks)
        if (check.smallest) check.smallest->sizes = "N=1";
    for (const bool verbose : {false, true}) {
        for (const std::size_t width : {60U, 80U, 100U}) {
            std::istringstream stream(written(report, {.verbose = verbose, .width = width}));
            for (std::string line; std::getline(stream, line);)
                BOOST_TEST((columns_of(line) <= width || contains(line, "=====") || contains(line, " ms ") ||
                            contains(line, "make ") || contains(line, "# #")),
                           width << ": " << line);
        }
    }
    const std::string text = written(report, {.width = 60});
    for (const char* word : {"yardstick", "compile", "implemented", "exactly"})
        BOOST_TEST(contains(text, word), word);
}

BOOST_AUTO_TEST_CASE(quiet_shows_only_points_and_the_next_step) {
    BOOST_TEST(
        written(three_assignments(), {.quiet = true}) ==
        "2  Self-attention                 6.5 / 27.5\n"
        "3  Self-attention                  2.5 / 2.5\n"
        "4  Self-attention                    0 / 2.5\n\n"
        "   Total                            9 / 32.5   does not compile, 1 stopped early, 1 timed out, 1 "
        "wrong, 2 to\n"
        "                                               write, 1 slow\n"
        "Next: fix softmax.\n   make grade A=2 SUBMISSION=work of?[2J ?\n");
}

BOOST_AUTO_TEST_CASE(sentences_are_wrapped_at_the_width_of_the_terminal) {
    Report report = golden();
    report.assignments.at(0).parts.at(0).checks.at(1).message = "a";
    for (int k = 0; k < 60; ++k) report.assignments.at(0).parts.at(0).checks.at(1).message += " word";
    std::istringstream stream(written(report, {.width = 60}));
    std::size_t longest = 0, words = 0;
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("     word") && !line.starts_with("     a word")) continue;
        longest = std::max(longest, line.size());
        ++words;
    }
    BOOST_TEST(words == 6U);
    BOOST_TEST(longest <= 60U);
    BOOST_TEST(longest > 50U);
}

BOOST_AUTO_TEST_CASE(every_other_failure_is_one_line_and_those_that_are_alike_share_it) {
    const std::string message = "It threw std::runtime_error: " + std::string(300, 'w');
    const Report report = make_report({make_part(
        "softmax", 1,
        {make_check("ragged", Outcome::threw, message), make_check("tall", Outcome::threw, message),
         make_check("long", Outcome::threw, message + "!")})});
    const std::string text = written(report);
    BOOST_TEST(contains(text, "\n      ragged  threw  see below\n        1 more like this: tall\n"));
    BOOST_TEST(contains(text, "\n      long    threw  It threw std::runtime_error: ..\n"));
}

BOOST_AUTO_TEST_CASE(of_failures_that_are_alike_the_one_that_is_told_has_the_line) {
    std::vector<Check> checks;
    for (const char* const name : {"ragged", "tall", "long"})
        checks.push_back(make_check(name, Outcome::wrong, "Y is wrong in every element."));
    checks[1].smallest.emplace();  // so it says more than the others
    const std::string text = written(make_report({make_part("softmax", 1, checks)}));
    BOOST_TEST(contains(text, "\n      tall  wrong  see below\n        2 more like this: ragged, long\n"));
    BOOST_TEST(contains(text, "\n   softmax, case tall: wrong\n"));
}

BOOST_AUTO_TEST_CASE(what_does_not_count_is_not_called_wrong) {
    const std::string text = written(
        make_report({make_part("softmax", 1,
                               {make_check("ragged", Outcome::wrong, "Y is wrong in every element."),
                                make_check("odd", Outcome::wrong, std::string(kRefusesEverything))})}));
    BOOST_TEST(contains(text,
                        "\n      odd     not counted  It refuses these inputs, as it must, but no case with "
                        "other inputs is right.\n"),
               text);
}

BOOST_AUTO_TEST_CASE(a_long_finding_loses_its_brackets_first) {
    const std::string what = "one change in y = " + std::string(170, 'x') + ", f(a (b))",
                      brackets = " (f: What it does (and why))";
    for (const std::string& more : {std::string(), brackets}) {
        Check check = make_check("ragged", Outcome::wrong, what + more);
        const std::string text = written(make_report({make_part("softmax", 1, {check})}), {});
        BOOST_TEST(contains(text, ", f(a (b))\n"), text);
    }
}

BOOST_AUTO_TEST_CASE(a_secret_seed_is_not_shown) {
    Report report = golden();
    BOOST_TEST(contains(written(report), "seed 2026"));
    report.seed.reset();
    BOOST_TEST(contains(written(report), "   secret seed\n"));
    BOOST_TEST(!contains(written(report), "2026"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
