#include "grader/report/disclosed.h"

#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/terminal_report.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(disclosed)

constexpr ViewOptions kNow{}, kAfterDeadline{true, false, false}, kPublished{false, true, false},
    kPlatform{false, false, true};

/// golden(), with this disclosure for all checks, or only for those of one function.
Report golden_as(Disclosure disclosure, const std::string& function = "", bool total_always = true) {
    Report report = golden();
    for (Assignment& assignment : report.assignments) {
        assignment.total_always = total_always;
        for (Part& part : assignment.parts) {
            part.stand_ins = part.charged_at = {"earlier"};
            part.race_charged_at = "earlier";
            part.added_barriers = {{7, false, "a.cu"}};
            for (Check& check : part.checks)
                if (function.empty() || function == part.function) check.disclosure = disclosure;
        }
    }
    return report;
}

const Part& part_of(const Report& report, std::string_view function) {
    for (const Part& part : report.assignments.at(0).parts)
        if (part.function == function) return part;
    throw std::invalid_argument("no part " + std::string(function));
}

const Check& check_of(const Report& report, std::string_view function, std::string_view name) {
    for (const Check& check : part_of(report, function).checks)
        if (check.name == name) return check;
    throw std::invalid_argument("no check " + std::string(name));
}

std::string on_terminal(const Report& report, bool verbose = true) {
    std::ostringstream out;
    write_terminal(out, report, {false, verbose});
    return out.str();
}

BOOST_AUTO_TEST_CASE(a_fully_disclosed_report_is_unchanged) {
    for (const ViewOptions& view : {kNow, kAfterDeadline, kPublished, kPlatform})
        for (const bool total_always : {true, false}) {
            const Report whole = golden_as(Disclosure::full, "", total_always);
            BOOST_TEST(to_json(report::disclosed(whole, view)) == to_json(whole));
        }
}

BOOST_AUTO_TEST_CASE(a_category_keeps_outcome_points_and_the_named_mistake) {
    const Report whole = golden_as(Disclosure::category), report = report::disclosed(whole, kNow);
    BOOST_REQUIRE(report.assignments.size() == 1U);
    BOOST_TEST(report.next == whole.next);
    BOOST_TEST(report.assignments[0].points == whole.assignments[0].points);
    for (std::size_t p = 0; p < whole.assignments[0].parts.size(); ++p) {
        const Part &before = whole.assignments[0].parts[p], &after = report.assignments[0].parts[p];
        BOOST_TEST(after.stand_ins == before.stand_ins);
        BOOST_REQUIRE(after.checks.size() == before.checks.size());
        for (std::size_t c = 0; c < before.checks.size(); ++c) {
            const Check &was = before.checks[c], &is = after.checks[c];
            BOOST_TEST_CONTEXT(was.id) {
                BOOST_TEST(is.id == was.id);
                BOOST_TEST(is.name == was.name);
                BOOST_TEST((is.kind == was.kind));
                BOOST_TEST((is.outcome == was.outcome));
                BOOST_TEST(is.points == was.points);
                BOOST_TEST(is.max_points == was.max_points);
                BOOST_TEST((is.disclosure == Disclosure::category));
                BOOST_TEST(is.diagnosis.has_value() == was.diagnosis.has_value());
                if (is.diagnosis) {
                    BOOST_TEST(is.diagnosis->mistakes == was.diagnosis->mistakes);
                    BOOST_TEST(is.diagnosis->sentence == was.diagnosis->sentence);
                    BOOST_TEST(is.diagnosis->hints == was.diagnosis->hints);
                }
            }
        }
    }
}

/// There are tens of thousands of unlisted edits and thousands of pairs. A submission could tell a number by the
/// choice of one.
BOOST_AUTO_TEST_CASE(a_category_names_nothing_but_one_listed_mistake) {
    const auto named = [](Disclosure disclosure, std::vector<std::string> mistakes) {
        Report all = golden_as(disclosure);
        all.assignments.at(0).parts.at(0).checks.at(0).diagnosis = Diagnosis{
            std::move(mistakes), "Your output is exactly what comes out after one change in K.", {"Which?"}};
        return report::disclosed(all, kNow).assignments.at(0).parts.at(0).checks.at(0).diagnosis.has_value();
    };
    for (const std::vector<std::string>& mistakes :
         {std::vector<std::string>{}, {"scaled+shifted"}, {"scaled", "shifted"}}) {
        BOOST_TEST(!named(Disclosure::category, mistakes));
        BOOST_TEST(named(Disclosure::full, mistakes));  // so the grader had found it
    }
    BOOST_TEST(named(Disclosure::category, {"scaled"}));
}

BOOST_AUTO_TEST_CASE(a_category_does_not_tell_the_lines_of_a_race) {
    const auto barriers = [](Disclosure disclosure) {
        return report::disclosed(golden_as(disclosure), kNow).assignments.at(0).parts.at(0).added_barriers;
    };
    BOOST_TEST(barriers(Disclosure::full).size() == 1U);
    BOOST_TEST(barriers(Disclosure::category).empty());
}

BOOST_AUTO_TEST_CASE(a_category_says_why_a_growth_is_slow) {
    Report all = golden_as(Disclosure::category);
    for (Part& part : all.assignments.at(0).parts)
        for (Check& check : part.checks) {
            std::erase_if(check.growth, [](const Growth& growth) { return !growth.plain; });
            for (Growth& growth : check.growth)
                growth.plain->above = {0, 0, 0}, growth.plain->times_plain = {13, 13, 13};
        }
    BOOST_TEST(check_of(report::disclosed(all, kNow), "attention", "growth").message ==
               "Correct, but at the last length it takes too long beside the plain loops.");
    for (Part& part : all.assignments.at(0).parts)
        for (Check& check : part.checks)
            for (Growth& growth : check.growth) {
                growth.plain->times_plain = {1, 1, 1};
                growth.plain_memory = {{}, {64, 64, 64}, 2};
            }
    BOOST_TEST(check_of(report::disclosed(all, kNow), "attention", "growth").message ==
               "Correct, but at the last length it takes too much memory beside the plain loops.");
}

BOOST_AUTO_TEST_CASE(a_category_reveals_nothing_about_the_inputs) {
    const Report report = report::disclosed(golden_as(Disclosure::category), kNow);
    for (const Part& part : report.assignments.at(0).parts)
        for (const Check& check : part.checks) BOOST_TEST_CONTEXT(check.id) {
                BOOST_TEST(!check.difference.has_value());
                BOOST_TEST(!check.smallest.has_value());
                BOOST_TEST(!check.speed.has_value());
                BOOST_TEST(!check.photograph.has_value());
                BOOST_TEST(check.growth.empty());
                BOOST_TEST(check.pictures.empty());
                BOOST_TEST(check.printed.empty());
                BOOST_TEST(check.about == (check.kind == CheckKind::property ? "every row of Y sums to 1"
                                                                             : "secret inputs"));
            }
    BOOST_TEST(check_of(report, "softmax", "one_row").message.empty());
    BOOST_TEST(check_of(report, "softmax", "tall").message == "Wrong numbers.");
    BOOST_TEST(check_of(report, "softmax", "rows_sum_to_one").message == "It threw an exception.");
    BOOST_TEST(check_of(report, "softmax", "repeats").message ==
               "Not run: an earlier call did not return in time.");
    BOOST_TEST(check_of(report, "attention", "growth").message ==
               "Correct, but its cost grows faster than is allowed.");
    // Hints are texts of the rubric and therefore public.
    BOOST_TEST(check_of(report, "attention", "speed")
                   .message.starts_with("Correct, but too slow for full points. Try: Which array"));
    for (const std::string& text : {to_json(report), on_terminal(report)}) {
        for (const char* number :
             {"0.4127", "0.3891", "410000", "N=5", "N=1 D=2", "Right with", "0.125", "Row 0", "6.25", "2.96"})
            BOOST_TEST(!contains(text, number), number);
        BOOST_TEST(contains(text, "What is exp for?"));
    }
    BOOST_TEST(!contains(on_terminal(report), "make explain"));
    BOOST_TEST(contains(on_terminal(golden()), "make explain"));
}

BOOST_AUTO_TEST_CASE(no_general_message_has_a_number_or_text_of_the_student) {
    for (std::size_t k = 0; k < kOutcomeNames.size(); ++k) {
        for (const CheckKind kind :
             {CheckKind::numeric, CheckKind::property, CheckKind::speed, CheckKind::growth}) {
            Check check = make_wrong("secret");
            check.kind = kind;
            check.outcome = static_cast<Outcome>(k);
            check.message = "0x57 " + kHostile;
            check.disclosure = Disclosure::category;
            for (const bool with_difference : {true, false}) {
                if (!with_difference) check.difference.reset();
                const Report report = report::disclosed(make_report({make_part("f", 1, {check})}), kNow);
                const std::string& message = check_of(report, "f", "secret").message;
                BOOST_TEST_CONTEXT(kOutcomeNames[k] << ", " << name_of(kind) << ": " << message) {
                    if (check.outcome == Outcome::skipped && !is_correctness_check(check)) {
                        BOOST_TEST(message == check.message);  // the reason why it was not measured
                        continue;
                    }
                    BOOST_TEST(message.empty() == (check.outcome == Outcome::passed));
                    BOOST_TEST(message.find_first_of("0123456789") == std::string::npos);
                    BOOST_TEST(!contains(message, "line two"));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_check_is_kept_back_until_it_is_due) {
    for (const auto& [disclosure, until] :
         {std::pair{Disclosure::after_deadline, "Kept back until the deadline."},
          std::pair{Disclosure::after_publication, "Kept back until marks are published."}}) {
        const Report whole = golden_as(disclosure, "softmax");
        const Report report = report::disclosed(whole, kNow);
        for (const Check& check : part_of(report, "softmax").checks) BOOST_TEST_CONTEXT(check.id) {
                BOOST_TEST((check.outcome == Outcome::skipped));
                BOOST_TEST(check.points == 0);
                BOOST_TEST(check.max_points == 0);
                BOOST_TEST(check.message == until);
                BOOST_TEST((check.disclosure == disclosure));
                BOOST_TEST(!check.diagnosis.has_value());
                BOOST_TEST(!check.difference.has_value());
                BOOST_TEST(check.printed.empty());
                BOOST_TEST(is_kept_back(check));
            }
        BOOST_TEST(!is_kept_back(check_of(whole, "softmax", "repeats")));
        BOOST_TEST(part_of(report, "softmax").points == part_of(whole, "softmax").points);
        BOOST_TEST(report.assignments[0].points == whole.assignments[0].points);
        for (const Part& part : report.assignments[0].parts)
            BOOST_TEST(
                (part.stand_ins.empty() && part.race_charged_at.empty() && part.added_barriers.empty()));
        // Shown checks are unchanged.
        BOOST_TEST(check_of(report, "attention", "speed").speed.has_value());
        const std::string text = on_terminal(report);
        BOOST_TEST(contains(text, "2.5 / 15   " + std::string(until) + "\n"));
        BOOST_TEST(!contains(text, "0.4127"));
        BOOST_TEST(!contains(text, "What is exp for?"));
    }
}

BOOST_AUTO_TEST_CASE(a_total_that_is_not_always_shown_counts_only_the_shown_checks) {
    const Report whole = golden_as(Disclosure::after_deadline, "attention", false),
                 report = report::disclosed(whole, kNow);
    BOOST_TEST(part_of(report, "attention").points == 0);
    BOOST_TEST(part_of(report, "attention").max_points == 0);
    BOOST_TEST(part_of(report, "softmax").points == 2.5);
    BOOST_TEST(part_of(report, "softmax").max_points == 15);
    BOOST_TEST(report.assignments[0].points == 2.5);
    BOOST_TEST(report.assignments[0].max_points == 20);
}

BOOST_AUTO_TEST_CASE(checks_are_shown_once_they_are_due) {
    const Report deadline = golden_as(Disclosure::after_deadline),
                 publication = golden_as(Disclosure::after_publication);
    const std::string all = to_json(golden_as(Disclosure::full));
    BOOST_TEST(to_json(report::disclosed(deadline, kAfterDeadline)) == all);
    BOOST_TEST(to_json(report::disclosed(deadline, kPublished)) == all);
    BOOST_TEST(to_json(report::disclosed(publication, kPublished)) == all);
    const Report before = report::disclosed(publication, kAfterDeadline);
    BOOST_TEST(!part_of(before, "softmax").checks.empty());
    for (const Check& check : part_of(before, "softmax").checks) BOOST_TEST(is_kept_back(check));
    const Report never = golden_as(Disclosure::never), category = golden_as(Disclosure::category);
    BOOST_TEST(part_of(report::disclosed(never, kPublished), "softmax").checks.empty());
    BOOST_TEST(!check_of(report::disclosed(category, kPublished), "softmax", "tall").difference.has_value());
}

BOOST_AUTO_TEST_CASE(a_check_that_is_never_shown_is_removed_and_counts_only_in_a_total) {
    const Report with_total = report::disclosed(golden_as(Disclosure::never, "attention"), kNow);
    BOOST_TEST(part_of(with_total, "attention").checks.empty());
    BOOST_TEST(part_of(with_total, "attention").points == 4);
    BOOST_TEST(with_total.assignments[0].points == 6.5);
    const Report without = report::disclosed(golden_as(Disclosure::never, "attention", false), kNow);
    BOOST_TEST(without.assignments[0].points == 2.5);
    BOOST_TEST(!contains(to_json(without), "2.attention."));
    BOOST_TEST(contains(on_terminal(without), "0 / 0   Kept back.\n"));
    BOOST_TEST(!not_started(part_of(without, "attention")));
}

BOOST_AUTO_TEST_CASE(the_next_step_follows_from_the_shown_checks) {
    const auto next = [](Disclosure of_wrong) {
        Check wrong = make_wrong("tall");
        wrong.disclosure = of_wrong;
        Report report = make_report({make_part("softmax", 1, {make_check("long", Outcome::passed), wrong}),
                                     make_part("attention", 2, {make_check("x", Outcome::passed)})});
        return report::disclosed(report, kNow).next;
    };
    BOOST_TEST(next(Disclosure::category).starts_with("fix softmax"));
    for (const auto later : {Disclosure::after_deadline, Disclosure::after_publication, Disclosure::never})
        BOOST_TEST(next(later) == "nothing left to do among the checks that are shown here.");
}

BOOST_AUTO_TEST_CASE(the_state_of_a_part_follows_from_the_shown_checks) {
    std::vector<Check> checks = {make_check("a", Outcome::not_implemented, "Nothing was written."),
                                 make_check("b", Outcome::wrong)};
    checks[1].disclosure = Disclosure::after_deadline;
    const Report stub = report::disclosed(make_report({make_part("softmax", 1, checks)}), kNow);
    BOOST_TEST(not_started(part_of(stub, "softmax")));
    BOOST_TEST(stub.next.starts_with("write softmax"));
    checks[0].outcome = Outcome::passed;
    const Report right = report::disclosed(make_report({make_part("softmax", 1, checks)}), kNow);
    BOOST_TEST(all_passed(right));
    BOOST_TEST(all_correct(part_of(right, "softmax")));
    BOOST_TEST(contains(on_terminal(right), "ok  1 numeric, 1 kept back"));
}

BOOST_AUTO_TEST_CASE(a_platform_that_hides_gets_later_checks_but_no_other_hint_of_them) {
    for (const auto later : {Disclosure::after_deadline, Disclosure::after_publication, Disclosure::never}) {
        const Report whole = golden_as(later, "softmax", false), report = report::disclosed(whole, kPlatform);
        const Check& check = check_of(report, "softmax", "tall");
        BOOST_TEST((check.outcome == Outcome::wrong));
        BOOST_TEST((check.disclosure == later));
        BOOST_TEST(check.difference.has_value());
        BOOST_TEST(check.smallest.has_value());
        BOOST_TEST(report.assignments[0].points == whole.assignments[0].points);
        BOOST_TEST(report.next == report::disclosed(whole, kNow).next);
        for (const Part& part : report.assignments[0].parts)
            BOOST_TEST(
                (part.stand_ins.empty() && part.race_charged_at.empty() && part.added_barriers.empty()));
    }
    const Report category = report::disclosed(golden_as(Disclosure::category), kPlatform);
    BOOST_TEST(!check_of(category, "softmax", "tall").difference.has_value());
}

BOOST_AUTO_TEST_CASE(the_duration_is_rounded_if_any_check_is_not_shown_in_full) {
    Report report = golden();
    report.duration_s = 21.3;
    BOOST_TEST(attn::report::disclosed(report, kNow).duration_s == 21.3);
    report.assignments[0].parts[0].checks[1].disclosure = Disclosure::category;
    BOOST_TEST(attn::report::disclosed(report, kNow).duration_s == 30);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_kept_back_completely_is_neither_ok_nor_not_begun) {
    using attn::report::disclosed;
    const std::string text = to_markdown(disclosed(golden_as(Disclosure::after_deadline, "", false), kNow));
    BOOST_TEST(contains(text, "Kept back until the deadline."));
    BOOST_TEST(!contains(text, "ok: "));
    const Report never = golden_as(Disclosure::never);
    BOOST_TEST(!contains(to_markdown(disclosed(never, kNow)), "not begun"));
    BOOST_TEST(!contains(to_gradescope(disclosed(never, kPlatform)), "not begun"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
