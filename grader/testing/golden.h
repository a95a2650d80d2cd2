#pragma once
/// For tests of the report writers: one report for all formats.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

using std::string_literals::operator""s;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                        kInf = std::numeric_limits<double>::infinity();

/// Output that tries to break out of a report's format, and how reports have to show it.
inline const std::string kHostile =
    "\x1b[31mred\x1b[0m </script> ]]> </failure></testcase> & \"q\" \xff\xc0\x80\0\u009bend \u20ac\n"
    "::error::x\n   softmax                                 20 / 20   ok\n"
    "\u00a0 ::notice::y ##[warning]z\u2028\u202e\n"
    "line two"s;
inline const std::string kCleaned =
                             "?[31mred?[0m </script> ]]> </failure></testcase> & \"q\" ?????end \u20ac\n"
                             "::error::x\n   softmax                                 20 / 20   ok\n"
                             "\u00a0 ::notice::y ##[warning]z??\n"
                             "line two",
                         kInOneLine =
                             "?[31mred?[0m </script> ]]> </failure></testcase> & \"q\" ?????end \u20ac "
                             "::error::x softmax 20 / 20 ok ::notice::y ##[warning]z?? line two";

inline Check make_check(const std::string& name, Outcome outcome, const std::string& message = "") {
    Check check;
    check.id = "2.softmax." + name;
    check.name = name;
    check.kind = CheckKind::numeric;
    check.about = "normal numbers, N=5 D=7";
    check.outcome = outcome;
    check.max_points = 2.5;
    check.points = outcome == Outcome::passed ? 2.5 : 0;
    check.message = message;
    return check;
}

inline Check make_wrong(const std::string& name) {
    Check check = make_check(name, Outcome::wrong, "Every row of Y is off.");
    check.difference = {"Every row of Y is off.", "Y", {1, 3}, 0.4127, 0.3891, 410000, 20};
    check.pattern = "Right with D = 1, wrong from D = 2.";
    check.smallest = {"N=1 D=2",
                      {{"X", {1, 2}, {0.25, -3}}},
                      {{"Y", {1, 2}, {0.75, kNan}}},
                      {{"Y", {1, 2}, {0.5, 0.5}}},
                      {{"m", {1}, {0.125}}}};
    check.diagnosis = {
        {"no_exp"}, "Your output is exactly what comes out when exp is left out.", {"What is exp for?"}};
    return check;
}

/// A wrong check with pictures: attention weights of a sentence, and a photograph of two patches.
inline Check make_pictured(const std::string& name) {
    Check check = make_wrong(name);
    Picture& picture = check.pictures.emplace_back();
    picture.array = "A";
    picture.letters = {"B", "N_q", "N_k"};
    picture.shape = {2, 2, 3};
    picture.slice = {1};
    picture.yours = {"A", {2, 3}, {0.5, 0.25, 0.25, kNan, 0.125, 0.75}};
    picture.expected = {"A", {2, 3}, {0.5, 0.25, 0.25, 0.125, 0.125, 0.75}};
    picture.row_words = {"we", "eat"};
    picture.column_words = {"we", kHostile, "<b>bread</b>"};
    picture.map = {{2}, 2, 3, 1, 1, {0, 0, 0.5, 0, 0, 0.25, 0, 0, 0, kInf, 0, 0}};
    picture.sentences = {"The first word looks at both."};
    check.inputs = {{"X", {1, 2}, {0.25, -3}}, {"W", {1000, 1000}, {}}};
    check.photograph = {{"X", {1, 2, 3}, {255, 0, 0, 0, 128, 255}}, 1, "patches", {0.5, 3e5}, {}};
    return check;
}

inline Check make_speed() {
    Check check = make_check("speed", Outcome::slow, "6.3 times the plain loops.");
    check.id = "2.attention.speed";
    check.kind = CheckKind::speed;
    check.about = "normal numbers, B=1 N=256 D=64, 1 thread";
    Speed& speed = check.speed.emplace();
    speed.sizes = "B=1 N=256 D=64";
    speed.yours_ms = 1.6;
    speed.plain_ms = 10;
    speed.yardstick_ms = 0.64;
    speed.gflop = 0.0168;
    speed.times_plain = {6.25, 6.1, 6.6};
    speed.times_yardstick = {0.4, 0.38, 0.43};
    speed.scale = {{1, 0.2}, {7.8125, 1}};
    speed.share = 0.6;
    speed.settled = false;
    speed.workers = 7;
    speed.hint = "Which array is walked by columns? " + kHostile;
    speed.build = {"g++ -O3 -c x.cpp", "AVX2", "C++20; one thread."};
    check.points = 1.5;
    return check;
}

inline Check make_growth() {
    Check check = make_check("growth", Outcome::slow, "Time grows too fast.");
    check.id = "2.attention.growth";
    check.kind = CheckKind::growth;
    check.about = "normal numbers, N_q = N_k = 64, 128, 512, time at most N^0.5 more than the plain loops";
    const PlainGrowth plain{{0.2, 0.8, 12.8}, {2.02, 1.99, 2.05}, {0.94, 0.9, 0.98}, {10, 9.5, 10.4}, 12};
    check.growth = {{"time", "N_q = N_k", {64, 128, 512}, {0.25, 2, kNan}, {2.96, 2.9, 3.04}, 0.5, plain},
                    {"memory", "N_q = N_k", {64, 128, 512}, {0.016, 0.0625, 1}, {1.98, 1.9, 2.02}, 2.2}};
    check.growth[1].plain_memory = {{0.25, 0.25, 0.5}, {0.5, 0.4, 0.6}, 2};
    return check;
}

inline Part make_part(const std::string& function, int step, std::vector<Check> checks) {
    Part part{function, step, 0, 0, std::move(checks)};
    for (Check& check : part.checks) {
        check.id = "2." + function + "." + check.name;
        part.points += check.points;
        part.max_points += check.max_points;
    }
    return part;
}

inline Report make_report(std::vector<Part> parts) {
    Report report;
    report.submission = "work of\x1b[2J \xff";
    report.seed = 2026;
    report.isolation = "own process";
    report.grader = "Attention Lab 1.0.0, unknown commit, built with g++ 12.2.0";
    report.notes = {"left out: \"notes\", a symbolic link", kHostile};
    report.next = "fix softmax. Then: make grade A=2 SUBMISSION=" + report.submission;
    report.duration_s = 1.25;
    Assignment assignment{
        2, "self_attention", "Self-attention", "assignments/02_self_attention/README.md", 0, 0, true, {}, {}};
    assignment.sources = {{"self_attention.cpp", true, true, ""}};
    for (const Part& part : parts) {
        assignment.points += part.points;
        assignment.max_points += part.max_points;
    }
    assignment.parts = std::move(parts);
    report.assignments = {assignment};
    return report;
}

/// A report with everything that a report can contain.
inline Report golden() {
    Check not_finite = make_check("overflow", Outcome::not_finite, "Row 0 of Y is no finite number.");
    not_finite.difference = {"Row 0 of Y is no finite number.", "Y", {0, 2}, kNan, 0.5, kInf, 20};
    Check threw = make_check("rows_sum_to_one", Outcome::threw, kHostile);
    threw.kind = CheckKind::property;
    threw.about = "every row of Y sums to 1";
    threw.printed = kHostile;
    Report report = make_report(
        {make_part(
             "softmax", 1,
             {make_check("one_row", Outcome::passed), make_pictured("tall"), make_wrong("long"), not_finite,
              threw,
              make_check("repeats", Outcome::skipped, "Not run: it did not come back 2 times before.")}),
         make_part("self_attention", 3,
                   {make_check("ragged", Outcome::not_implemented, "Nothing was written."),
                    make_check("square", Outcome::not_implemented, "Nothing was written.")}),
         make_part("attention", 2, {make_check("ragged", Outcome::passed), make_speed(), make_growth()})});
    report.assignments.at(0).sources.push_back(
        {"extra.cpp", true, false, "extra.cpp:41:18: error: " + kHostile + "\n"});
    return report;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace attn::report
