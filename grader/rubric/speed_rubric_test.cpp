// The tables of speed and growth. Invalid values are refused; the message says the line, what was found and
// what was expected. For the reading of single values see toml_reader_test.cpp.

#include "grader/rubric/speed_rubric.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(speed_rubric)

using proof::Edit;
using proof::edited;

// From the shipped rubric of assignment 2.
const std::string kPoints = "points    = 12", kSizes = "{ B = 1, N_q = 256, N_k = 256, D_q = 64, D_v = 64 }",
                  kInputs = "inputs    = \"normal\"", kYardstick = "yardstick = 0.5",
                  kBudget = "budget_s  = 4", kSteps = "[{ plain = 1, share = 0.2 }]",
                  kSecondHint = "{ below = 4, ", kGrowthPoints = "points  = 3",
                  kStay = "{ B = 1, D_q = 8, D_v = 8 }", kLetters = "[\"N_q\", \"N_k\"]",
                  kLengths = "[64, 128, 256, 512, 1024]", kExponent = "time_above_plain = 0.5";

/// The part scaled_dot_product_attention of assignment 2's rubric, after these edits.
PartRubric part_with(const std::vector<Edit>& edits) {
    const data::TemporaryDirectory folder;
    return read_rubric(make_assignment(folder, "02_self_attention", edited(shipped_text(), edits)))
        .parts.at(1);
}

const std::vector<Broken>& all_broken() {
    static const std::vector<Broken> kAll = {
        {"no points", {{kPoints, ""}}, "[part.speed]", "[speed] has no 'points'", "a number from 0"},
        {"negative points", {{kPoints, "points    = -1"}}, "points    = -1", "'points' is -1", "from 0"},
        {"points in words", {{kPoints, "points    = \"12\""}}, "points    = \"12\"", "is '12'", "a number"},
        {"unknown inputs",
         {{kInputs, "inputs    = \"odd\""}},
         "inputs    = \"odd\"",
         "no inputs called 'odd'",
         "known are normal"},
        {"no sizes", {{"sizes     = " + kSizes, ""}}, "[part.speed]", "has no 'sizes'", "lengths by letter"},
        {"a letter too few",
         {{kSizes, "{ B = 1, N_q = 256, N_k = 256, D_q = 64 }"}},
         "{ B = 1, N_q = 256, N_k = 256, D_q = 64 }",
         "'sizes' gives no D_v",
         "needs B, N_q, N_k, D_q, D_v"},
        {"a letter too many",
         {{kSizes, "{ B = 1, N_q = 2, N_k = 2, D_q = 2, D_v = 2, H = 2 }"}},
         "H = 2",
         "'sizes' gives H",
         "it has B, N_q"},
        {"arrays too large",
         {{kSizes, "{ B = 1, N_q = 8192, N_k = 8192, D_q = 2, D_v = 2 }"}},
         "{ B = 1, N_q = 8192",
         "makes A of",
         "are allowed"},
        {"unknown output",
         {{"outputs   = [\"Y\"]", "outputs   = [\"Z\"]"}},
         "outputs   = [\"Z\"]",
         "no output 'Z'",
         "it has Y, A"},
        {"an unknown option",
         {{kPoints, kPoints + "\noptions   = { eps = 1 }"}},
         "options   = { eps = 1 }",
         "has no option 'eps'",
         "scaled_dot_product_attention: Y"},
        {"sizes that the function must refuse",
         {{"{ B = 1, N_q = 128, N_k = 128, D = 128, H = 4 }", "{ B = 1, N_q = 8, N_k = 8, D = 8, H = 3 }"}},
         "{ B = 1, N_q = 8",
         "does not divide",
         "expected sizes that it accepts",
         "03_multi_head"},
        {"steps that are not a list",
         {{kSteps, "1"}},
         "steps     = 1",
         "at least one 'steps'",
         "each a table"},
        {"no steps at all", {{kSteps, "[]"}}, "steps     = []", "at least one 'steps'", "each a table"},
        {"a step without a share",
         {{kSteps, "[{ plain = 1 }]"}},
         "steps     = [{ plain = 1 }]",
         "has no 'share'",
         "a number from 0 to 1"},
        {"a share above 1",
         {{kSteps, "[{ plain = 1, share = 20 }]"}},
         "share = 20",
         "'share' is 20",
         "from 0 to 1"},
        {"a step of no speed",
         {{kSteps, "[{ plain = 0, share = 0.1 }]"}},
         "[{ plain = 0,",
         "'plain' is 0",
         "a number from 0.001"},
        {"a step with a third number",
         {{kSteps, "[{ plain = 1, share = 0.2, grade = 1 }]"}},
         "grade = 1",
         "unknown key 'grade'",
         "known are plain, share"},
        {"steps that slow down",
         {{kSteps, "[{ plain = 8, share = 0.2 }, { plain = 1, share = 0.6 }]"}},
         "plain = 1, share = 0.6",
         "'plain' is 1 after 8",
         "more from step to step"},
        {"shares that do not grow",
         {{kSteps, "[{ plain = 1, share = 0.2 }, { plain = 8, share = 0.2 }]"}},
         "plain = 8, share = 0.2",
         "'share' is 0.2 after 0.2",
         "more from step to step"},
        {"a yardstick of 0", {{kYardstick, "yardstick = 0"}}, "yardstick = 0", "is 0", "from 0.01 to 10"},
        {"no threads", {{"threads   = 1", "threads   = 0"}}, "threads   = 0", "is 0", "from 1 to 64"},
        {"half a thread",
         {{"threads   = 1", "threads   = 0.5"}},
         "threads   = 0.5",
         "is 0.5",
         "a whole number from 1 to 64"},
        {"no time to measure", {{kBudget, "budget_s  = 0"}}, "budget_s  = 0", "is 0", "from 0.5 to 600"},
        {"an hour of measuring", {{kBudget, "budget_s  = 3600"}}, "3600", "is 3600", "from 0.5 to 600"},
        {"a hint that says nothing",
         {{kSecondHint, "{ below = 5 }, { below = 6, "}},
         "{ below = 5 }",
         "has no 'try'",
         "a text in quotes"},
        {"a hint that is never shown",
         {{kSecondHint, "{ below = 0.5, "}},
         "{ below = 0.5",
         "'below' is 0.5 after 1.2",
         "more from hint to hint"},
        {"a hint about a function that is not known",
         {{kSecondHint, "{ below = 5, library = \"sin\", "}},
         "library = \"sin\"",
         "'library' is \"sin\"",
         "exp, tanh, erf"},
        {"a hint that counts by a length that is not there",
         {{kSecondHint, "{ below = 5, library = \"exp\", each = [\"L\"], "}},
         "each = [\"L\"]",
         "'each' names L",
         "'sizes' does not give"},
        {"an unknown key",
         {{kYardstick, "yardstik = 0.5"}},
         "yardstik",
         "unknown key 'yardstik'",
         "yardstick"},
        {"speed that is not a table",
         {{"[[part]]\nfunction   = \"softmax\"", "[[part]]\nspeed = 12\nfunction   = \"softmax\""}},
         "speed = 12",
         "'speed' is 12",
         "a table [speed]"},

        {"growth without points", {{kGrowthPoints, ""}}, "[part.growth]", "no 'points'", "a number from 0"},
        {"no letters",
         {{"letters = " + kLetters, ""}},
         "[part.growth]",
         "has no 'letters'",
         "a list of texts"},
        {"an unknown letter",
         {{kLetters, "[\"N_q\", \"M\"]"}},
         "letters = [\"N_q\", \"M\"]",
         "has no length M",
         "it has B, N_q"},
        {"a letter twice",
         {{kLetters, "[\"N_q\", \"N_q\"]"}},
         "letters = [\"N_q\", \"N_q\"]",
         "'N_q'",
         "twice"},
        {"a letter that grows and stays",
         {{kStay, "{ B = 1, N_k = 5, D_q = 8, D_v = 8 }"}},
         "{ B = 1, N_k = 5",
         "'sizes' gives N_k",
         "expected the others"},
        {"a letter that neither grows nor stays",
         {{kLetters, "[\"N_q\"]"}},
         "sizes   = " + kStay,
         "'sizes' gives no N_k",
         "needs B, N_q, N_k"},
        {"two lengths", {{kLengths, "[64, 512]"}}, "[64, 512]", "'lengths' holds 2", "at least 3"},
        {"lengths that shrink",
         {{kLengths, "[64, 256, 128, 512]"}},
         "[64, 256, 128",
         "'lengths' holds 128",
         "growing whole numbers"},
        {"lengths that stand still", {{kLengths, "[64, 64, 512]"}}, "[64, 64", "holds 64", "growing"},
        {"a length that is a text",
         {{kLengths, "[64, \"128\", 512]"}},
         "[64, \"128\"",
         "'lengths' holds '128'",
         "whole numbers"},
        {"half a length", {{kLengths, "[64, 100.5, 512]"}}, "[64, 100.5", "holds 100.5", "whole numbers"},
        {"a length of 0", {{kLengths, "[0, 100, 512]"}}, "[0, 100", "holds 0", "from 1 to"},
        {"lengths that are not a list",
         {{kLengths, "64"}},
         "lengths = 64",
         "'lengths' is 64",
         "a list of growing"},
        {"lengths too close",
         {{kLengths, "[64, 128, 1023]"}},
         "[64, 128, 1023]",
         "from 64 to 1023",
         "at least 16 times the first"},
        {"lengths too close for memory",
         {{kLengths, "[64, 128, 255]"}, {kExponent, "memory = 1.2"}},
         "[64, 128, 255]",
         "from 64 to 255",
         "at least 4 times the first"},
        {"lengths too large",
         {{kLengths, "[64, 128, 8192]"}},
         "[64, 128, 8192]",
         "'lengths' makes A of",
         "are allowed"},
        {"data of one length",
         {{"inputs  = \"normal\"", "inputs  = \"digit\""}},
         "inputs  = \"digit\"",
         "'digit' is for functions with a length",
         "which scaled_dot_product_attention is not"},
        {"nothing allowed",
         {{kExponent, ""}},
         "[part.growth]",
         "neither 'time_above_plain' nor 'memory'",
         "time_above_plain = 0.5"},
        {"an exponent for time",
         {{kExponent, "time    = 2.2"}},
         "time    = 2.2",
         "has 'time'",
         "expected 'time_above_plain'"},
        {"an exponent for time under the new name",
         {{kExponent, "time_above_plain = 2.2"}},
         "time_above_plain = 2.2",
         "'time_above_plain' is 2.2",
         "from 0.25 to 0.75"},
        {"an exponent of 0", {{kExponent, "memory  = 0"}}, "memory  = 0", "'memory' is 0", "from 0.1 to 10"},
        {"memory in words",
         {{kExponent, "memory  = \"little\""}},
         "memory  = \"little\"",
         "'memory' is 'little'",
         "a number"},
        {"an unknown key of growth",
         {{kExponent, kExponent + "\nspace   = 1"}},
         "space   = 1",
         "unknown key 'space'",
         "memory"},
        {"a length that the function must refuse",
         {{"{ C = 3, H = 32, W = 32, P = 8 }\nletters", "{ C = 3, H = 32, W = 31, P = 8 }\nletters"}},
         "lengths = [2, 4",
         "does not divide",
         "expected sizes that it accepts",
         "06_vit_patching"},
        {"a case called speed",
         {{"{ name = \"one_key\",       inputs", "{ name = \"speed\", inputs"}},
         "cases = [\n    { name = \"ragged\",        inputs = \"normal\",         sizes = { B = 2, N_q",
         "'speed' is also the name of another check",
         "rename the case"},
    };
    return kAll;
}

BOOST_DATA_TEST_CASE(an_invalid_value_is_refused_with_its_line, boost::unit_test::data::make(all_broken()),
                     broken) {
    check_refused(broken);
}

BOOST_AUTO_TEST_CASE(values_are_read_as_written) {
    const PartRubric part = part_with({{kPoints, "points    = 7.5"},
                                       {kSteps, "[{ plain = 0.5, share = 0 }, { plain = 3, share = 1 }]"},
                                       {kYardstick, "yardstick = 0.8"},
                                       {"threads   = 1", "threads   = 2"},
                                       {kBudget, "budget_s  = 0.5"},
                                       {kExponent, "memory  = 1.2\nbudget_s = 3"}});
    const SpeedRubric& speed = part.speed.value();
    BOOST_TEST(speed.points == 7.5);
    BOOST_TEST(speed.recipe->name == "normal");
    BOOST_TEST(speed.sizes.at("N_k") == 256);
    BOOST_TEST((speed.wanted == std::vector<std::string>{"Y"}));
    BOOST_REQUIRE(speed.scale.steps.size() == 2U);
    BOOST_TEST(speed.scale.steps.at(0).times_plain == 0.5);
    BOOST_TEST(speed.scale.steps.at(1).share == 1);
    BOOST_TEST(speed.scale.yardstick == 0.8);
    BOOST_TEST(speed.threads == 2);
    BOOST_TEST(speed.budget_s == 0.5);
    BOOST_TEST(speed.hints.size() == 4U);
    BOOST_TEST(speed.hints.at(1).library.empty());
    BOOST_TEST(speed.hints.at(2).library == "exp");
    BOOST_TEST((speed.hints.at(2).each == std::vector<std::string>{"B", "N_q", "N_k"}));
    BOOST_TEST(speed.hints.at(1).below == 4);
    BOOST_TEST(speed.hints.at(1).text.starts_with("A dot product is one long chain"));
    const GrowthRubric& growth = part.growth.value();
    BOOST_TEST(growth.points == 3);
    BOOST_TEST((growth.letters == std::vector<std::string>{"N_q", "N_k"}));
    BOOST_TEST((growth.lengths == std::vector<int>{64, 128, 256, 512, 1024}));
    BOOST_TEST(growth.time_above_plain == 0);
    BOOST_TEST(growth.memory == 1.2);
    BOOST_TEST(growth.budget_s == 3);
    BOOST_TEST((growth.sizes_at(growth.sizes, 128) ==
                ask::Sizes{{"B", 1}, {"N_q", 128}, {"N_k", 128}, {"D_q", 8}, {"D_v", 8}}));
    BOOST_TEST(part.points_of(report::CheckKind::speed) == 7.5);
    BOOST_TEST(part.points_of(report::CheckKind::growth) == 3);
}

BOOST_AUTO_TEST_CASE(absent_keys_have_their_defaults) {
    const PartRubric part = part_with({{"steps     = " + kSteps, "#"},
                                       {kYardstick, "#"},
                                       {"threads   = 1", "#"},
                                       {kBudget, "#"},
                                       {"outputs   = [\"Y\"]", "#"}});
    const SpeedRubric usual;
    BOOST_TEST(part.speed->scale.steps.size() == usual.scale.steps.size());
    BOOST_TEST(part.speed->scale.yardstick == usual.scale.yardstick);
    BOOST_TEST(part.speed->threads == 1);
    BOOST_TEST(part.speed->budget_s == usual.budget_s);
    BOOST_TEST(part.speed->wanted.empty());
    BOOST_TEST(part.growth->time_above_plain == 0.5);
    BOOST_TEST(part.growth->budget_s == GrowthRubric().budget_s);
    BOOST_TEST(part.growth->memory == 0);
}

BOOST_AUTO_TEST_CASE(a_part_without_the_tables_has_neither) {
    const Rubric rubric = read_rubric(kAssignments / "02_self_attention");
    BOOST_TEST(!rubric.parts.at(0).speed.has_value());
    BOOST_TEST(!rubric.parts.at(0).growth.has_value());
    BOOST_TEST(rubric.parts.at(0).points_of(report::CheckKind::speed) == 0);
}

BOOST_AUTO_TEST_CASE(every_shipped_rubric_pays_at_most_15_points_for_speed_and_12_if_it_compares_speeds) {
    for (const Rubric& rubric : read_rubrics(kAssignments)) {
        double compared = 0, growth = 0;
        for (const PartRubric& part : rubric.parts) {
            compared += part.points_of(report::CheckKind::speed);
            growth += part.points_of(report::CheckKind::growth);
        }
        BOOST_TEST_CONTEXT(rubric.title) {
            BOOST_TEST(compared + growth <= 15);
            BOOST_TEST((compared == 0 || compared + growth >= 12));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
