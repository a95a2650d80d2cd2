// Every attack is stopped, costs other functions no points and leaves nothing behind. With its defence taken
// away it succeeds.

#include "grader/proof/hostile.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "grader/grading/grade.h"
#include "grader/judge/student.h"
#include "grader/proof/attack_environment.h"
#include "grader/proof/harness.h"
#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/terminal_report.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/hostile_text.h"
#include "grader/testing/sample.h"

namespace attn::proof {

std::ostream& operator<<(std::ostream& out, const Attack& attack) {
    return out << attack.number << ' ' << attack.name;
}

namespace {

using worker::Layer;
using worker::Layers;

constexpr double kTime_s = 0.5;

/// One environment for all tests, so that an attack and its control share one compilation.
std::unique_ptr<AttackEnvironment> environment;
struct WithAttackEnvironment {
    static void setup() { environment = std::make_unique<AttackEnvironment>(Installation(), kTime_s); }
    static void teardown() { environment.reset(); }
};

const std::vector<Attack>& attacks() {
    static const auto kAll = read_attacks(Installation().proof / "hostile");
    return kAll;
}

std::vector<Attack> with_control() {
    std::vector<Attack> some;
    std::copy_if(attacks().begin(), attacks().end(), std::back_inserter(some),
                 [](const Attack& attack) { return attack.control.has_value(); });
    return some;
}

bool is_available(Layer layer) {
    if (layer == Layer::identity && geteuid() != 0) return false;  // there are no privileges to drop
    const auto& all = worker::layers_here();
    return std::any_of(all.begin(), all.end(),
                       [layer](const auto& each) { return each.layer == layer && each.active; });
}

Layers layers_without(const std::vector<Layer>& some) {
    Layers layers;
    for (const Layer layer : some) layers = layers.without(layer);
    return layers;
}

std::string description(const Trial& trial) {
    std::ostringstream text;
    const report::Assignment& graded = trial.report.assignments.at(0);
    for (const report::Part& part : graded.parts)
        text << part.function << ' ' << part.points << ": " << outcomes_of(part) << "; ";
    for (const std::string& evidence : trial.evidence) text << '\n' << evidence;
    for (const report::Check& check : part(trial.report, "self_attention").checks)
        if (check.outcome != Outcome::passed && check.outcome != Outcome::skipped) {
            text << '\n' << check.id << ' ' << name_of(check.outcome) << ": " << check.message;
            break;
        }
    text << '\n' << graded.sources.at(0).messages;
    return text.str();
}

/// Whether the trial shows a sign, an outcome ("outcome:wrong") or words of a message ("says:It changed").
bool has_sign(const Trial& trial, const std::string& sign) {
    const auto& checks = part(trial.report, "self_attention").checks;
    const std::string rest = sign.substr(sign.find(':') + 1);
    return std::any_of(checks.begin(), checks.end(), [&](const report::Check& check) {
        if (sign.starts_with("outcome:")) return name_of(check.outcome) == rest;
        if (sign.starts_with("says:")) return check.message.find(rest) != std::string::npos;
        return trial.signs.contains(sign);
    });
}

/// The text in a report, in any of its formats, that could harm its reader; empty if there is none.
std::string harmful_text_in(const report::Report& report) {
    std::ostringstream terminal;
    report::write_terminal(terminal, report, {.colour = false, .verbose = true});
    const std::string json = report::to_json(report), junit = report::to_junit(report);
    for (const std::string& text : {terminal.str(), json, junit}) {
        constexpr std::size_t kLongest = 1 << 20;
        if (text.size() > kLongest) return "too long: " + std::to_string(text.size());
        // Escapes of one byte and of two, a change of text direction, workflow commands, invalid UTF-8.
        for (const char* bad :  // NOLINTNEXTLINE(misc-misleading-bidirectional): the report must not have it
             {"\x1b", "\r", "\x07", "\xc2\x9b", "\xe2\x80\xae", "\n::", "\n##", "\xff", "\xc0", "\xed\xa0"})
            if (text.find(bad) != std::string::npos)
                return "it holds " +
                       nlohmann::json(bad).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    }
    for (const char* bad : {"<script", "]]><", "]]> <"})
        if (junit.find(bad) != std::string::npos) return std::string("the XML holds ") + bad;
    return nlohmann::json::accept(json) ? "" : "no JSON";
}

BOOST_AUTO_TEST_SUITE(hostile,
                      *boost::unit_test::fixture<WithAttackEnvironment>() * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(every_number_has_an_attack) {
    for (int number = 1; number <= kLastAttackNumber; ++number)
        BOOST_TEST(std::any_of(attacks().begin(), attacks().end(),
                               [number](const Attack& attack) { return attack.number == number; }),
                   number);
}

BOOST_DATA_TEST_CASE(is_stopped, boost::unit_test::data::make(drawn(attacks(), at_most(5))), attack) {
    const Trial trial = environment->grade_attack(attack, {}, attack.seed.value_or(kPublicSeed));
    BOOST_TEST_CONTEXT(description(trial)) {
        BOOST_TEST(trial.signs == std::set<std::string>(attack.remains.begin(), attack.remains.end()),
                   boost::test_tools::per_element());
        BOOST_TEST(harmful_text_in(trial.report) == "");
        const report::Part& hit = part(trial.report, "self_attention");
        BOOST_TEST(std::abs(hit.points - attack.points) < 1e-9, hit.points);
        BOOST_TEST(has_sign(trial, "outcome:" + std::string(name_of(attack.outcome))));
        const auto& checks = hit.checks;
        for (const std::string& words : attack.says)
            BOOST_TEST(
                (std::any_of(checks.begin(), checks.end(),
                             [&](const auto& check) {
                                 return check.outcome == attack.outcome &&
                                        check.message.find(words) != std::string::npos;
                             }) ||
                 trial.report.assignments.at(0).sources.at(0).messages.find(words) != std::string::npos),
                words);
        for (const char* neighbour : {"softmax", "scaled_dot_product_attention"}) {
            if (attack.neighbours == Outcome::passed)
                BOOST_TEST(outcomes_of(part(trial.report, neighbour)) == "passed");
            else
                BOOST_TEST(first_with(part(trial.report, neighbour), attack.neighbours).points == 0);
        }
        // The time limits of all calls of a function, once alone and once followed by the reference's, and a
        // margin: the watched build and the rest of the work take a few times as long as compiling did.
        const double rest_s = testing::kSlowedBySanitizers * std::max(4.0, 8 * trial.compile_s);
        BOOST_TEST(trial.seconds < 2 * judge::Student::kMostTimeLimits * kTime_s + rest_s);
    }
    BOOST_TEST(environment->grade("right", solution("self_attention")).assignments.at(0).points == 85);
}

BOOST_DATA_TEST_CASE(wins_without_the_defence,
                     boost::unit_test::data::make(drawn(with_control(), at_most(3))), attack) {
    const Control& control = *attack.control;
    const Trial trial = environment->grade_attack(attack, layers_without(control.without),
                                                  control.seed.value_or(attack.seed.value_or(kPublicSeed)));
    BOOST_TEST_CONTEXT(description(trial)) {
        for (const std::string& sign : control.shows) BOOST_TEST(has_sign(trial, sign), sign);
    }
}

BOOST_DATA_TEST_CASE(loses_to_each_defence_alone,
                     boost::unit_test::data::make(drawn(with_control(), at_most(3))), attack) {
    const Control& control = *attack.control;
    for (const Layer layer : control.alone) {
        if (!is_available(layer)) continue;
        std::vector<Layer> others = control.without;
        std::erase(others, layer);
        const Trial trial =
            environment->grade_attack(attack, layers_without(others), attack.seed.value_or(kPublicSeed));
        BOOST_TEST_CONTEXT(name_of(layer) << '\n' << description(trial)) {
            for (const std::string& sign : control.shows) BOOST_TEST(!has_sign(trial, sign), sign);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_attack_that_proves_nothing_is_refused_with_its_line) {
    const std::string right = "[[attack]]\nnumber = 1\nname = \"a\"\ntries = \"b\"\noutcome = \"wrong\"\n";
    const auto refused = [](const std::string& text, std::initializer_list<std::string> words) {
        const data::TemporaryDirectory folder;
        folder.write("base.cpp", "//@top\n//@code\n");
        folder.write("some.toml", text);
        BOOST_CHECK_EXCEPTION(read_attacks(folder.path()), UserError, data::message_contains(words));
    };
    refused(right, {"some.toml", "'shows'"});  // neither a control nor a reason why there is none
    refused(right + "control = { shows = [\"file\"] }\n", {"some.toml:6", "takes something away"});
    refused(right + "control = { without = [\"walls\"], shows = [\"file\"] }\n", {"some.toml:6", "walls"});
    refused(right + "control = { without = [\"files\"], alone = [\"group\"], shows = [\"file\"] }\n",
            {"some.toml:6", "group is not among the layers"});
    refused(right + "no_control = \"c\"\npoint = 1\n", {"some.toml:7", "unknown key 'point'"});
    refused("[[attack]]\nnumber = 44\n", {"some.toml:2", "from 1 to 43"});
    BOOST_CHECK_THROW(fill_placeholders("a @PLACE@", {{"OTHER", "x"}}), std::invalid_argument);
    BOOST_TEST(fill_placeholders("@A@ and a@b.c", {{"A", "x"}}) == "x and a@b.c");
}

BOOST_AUTO_TEST_CASE(the_document_has_the_table) {
    const bool there = source("ATTACKS.md").ends_with("\n\n" + table_of(attacks()));
    BOOST_TEST(there, "the table of grader/proof/ATTACKS.md is out of date; `selfcheck --attacks` prints it");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
