// A rubric is read strictly: no key may be unknown or missing, and every value must have its type and range.
// Every error message says file, line, what was found and what was expected.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(toml_reader)

using namespace shipped;

const std::string kFirstLine = "# Assignment 2: parts", kNote = "# of the handout\n";

const std::vector<Broken>& all_broken() {
    static const std::vector<Broken> kAll = {
        // Syntax errors: the TOML library words the message.
        {"a key without a value", {{kNumber, "number  ="}}, "number  =", "", ""},
        {"an open quote", {{kTitle, "title = \"Self-attention"}}, "title =", "", ""},
        {"an open bracket", {{"[judge]", "[judge"}}, "[judge", "", ""},
        {"a key twice", {{kTime, kTime + "\ntime_s = 6"}}, "time_s = 6", "time_s", ""},

        {"unknown in the rubric", {{kTitle, kTitle + "\nhue = 1"}}, "hue", "'hue'", "number, part, sources"},
        {"unknown table", {{"[judge]", "[jury]\n[judge]"}}, "[jury]", "'jury'", "judge, limits"},
        {"unknown limit", {{"stack_mib  =", "stack_kib ="}}, "stack_kib", "'stack_kib'", "stack_mib"},
        {"unknown in judge", {{"[judge]", "[judge]\nbias = 1"}}, "bias", "'bias'", "allowed_yardsticks"},
        {"unknown in a part", {{kStep, "points = 3\n" + kStep}}, "points = 3", "'points'", "numeric"},
        {"unknown in a case", {{kTall, kTall + ", size = 3"}}, "size = 3", "'size'", "sizes"},

        {"no number", {{kNumber, ""}}, kFirstLine, "no 'number'", "a whole number from 1 to 999"},
        {"no title", {{kTitle, ""}}, kFirstLine, "no 'title'", "a text in quotes"},
        {"no sources", {{"sources = " + kSources, ""}}, kFirstLine, "no 'sources'", "a list of texts"},
        {"no function", {{kPart, "[[part]]\n#1"}}, "[[part]]\n#1", "no 'function'", "a text in quotes"},
        {"no numeric", {{kNumeric, "#"}}, kPart, "no 'numeric'", "a number from 0 to 10000"},
        {"no cases", {{kCases, "\nignored = ["}}, kPart, "at least one 'cases'", "each a table"},
        {"no name", {{"name = \"tall\",", ""}}, kTall, "no 'name'", "a text in quotes"},
        {"no inputs",
         {{"inputs = \"normal\",         sizes = " + kTall, "sizes = " + kTall}},
         kTall,
         "no 'inputs'",
         "a text"},
        {"no sizes", {{",         sizes = " + kTall, ""}}, "\"tall\"", "no 'sizes'", "{ N = 5, D = 7 }"},
        {"no check_sizes", {{kCheckSizes, ""}}, kPart, "no 'check_sizes'", "{ N = 5, D = 7 }"},

        {"number: text", {{kNumber, "number = \"2\""}}, "number =", "'number' is '2'", "a whole number"},
        {"number: fraction", {{kNumber, "number = 2.5"}}, "number =", "'number' is 2.5", "a whole number"},
        {"number: 2.0", {{kNumber, "number = 2.0"}}, "number =", "'number' is 2", "a whole number"},
        {"step: boolean", {{kStep, "step = true "}}, "step = true", "'step' is true", "from 1 to 99"},
        {"title: number", {{kTitle, "title = 2"}}, "title = 2", "'title' is 2;", "a text in quotes"},
        {"title: date", {{kTitle, "title = 2026-01-01"}}, "title =", "is 2026-01-01", "a text in quotes"},
        {"sources: text", {{kSources, "\"a.cpp\""}}, "\"a.cpp\"", "'sources' is 'a.cpp'", "a list of texts"},
        {"sources: nothing", {{kSources, "[]"}}, "sources =", "'sources' is an array", "a list of texts"},
        {"sources: number", {{kSources, "[1]"}}, "[1]", "'sources' holds 1", "a list of texts"},
        {"judge: number",
         {{kNumber, kNumber + "\njudge = 20"}, {"[judge]\nallowed_yardsticks = 20", ""}},
         "judge = 20",
         "'judge' is 20",
         "a table [judge]"},
        {"numeric: text",
         {{kNumeric, "numeric = \"12\" "}},
         "numeric =",
         "'numeric' is '12'",
         "a number from 0"},
        {"cases: number", {{kCases, kNote + "cases = 5\nx = ["}}, "cases = 5", "'cases'", "each a table"},
        {"cases: numbers",
         {{kCases, kNote + "cases = [5]\nx = ["}},
         "cases = [5]",
         "'cases'",
         "each a table"},
        {"cases: none",
         {{kCases, kNote + "cases = []\nx = ["}},
         "cases = []",
         "at least one",
         "each a table"},
        {"sizes: number", {{kTall, "65"}}, "\"tall\"", "'sizes' is 65", "lengths by letter"},
        {"length: fraction",
         {{kTall, "{ N = 65, D = 1.5 }"}},
         "\"tall\"",
         "D is 1.5",
         "a whole number from 1"},
        {"length: boolean",
         {{kTall, "{ N = 65, D = true }"}},
         "\"tall\"",
         "D is true",
         "a whole number from 1"},
        {"check: text", {{kCheck, "check = \"rows\""}}, "\"rows\"", "'check' is 'rows'", "a list of texts"},
        {"outputs: text", {{kOutputs, ", outputs = \"Y\""}}, "\"without_A\"", "is 'Y'", "a list of texts"},

        {"number 0", {{kNumber, "number = 0"}}, "number =", "'number' is 0", "from 1 to 999"},
        {"time 0", {{kTime, "time_s = 0"}}, "time_s =", "'time_s' is 0", "from 0.01 to 3600"},
        {"time nan", {{kTime, "time_s = nan"}}, "time_s =", "'time_s' is nan", "from 0.01 to 3600"},
        {"memory 63", {{"memory_mib = 2048", "memory_mib = 63"}}, "= 63", "is 63", "from 64 to 1048576"},
        {"stack past int",
         {{"stack_mib  = 8", "stack_mib = 4294967297"}},
         "stack_mib",
         "4294967297",
         "to 16384"},
        {"output 0", {{"output_kib = 1024", "output_kib = 0"}}, "output_kib", "is 0", "from 1 to 1048576"},
        {"step 100", {{kStep, "step = 100 "}}, "step = 100", "'step' is 100", "from 1 to 99"},
        {"numeric -12", {{kNumeric, "numeric = -12 "}}, "= -12", "'numeric' is -12", "from 0 to 10000"},
        {"numeric inf", {{kNumeric, "numeric = inf "}}, "= inf", "'numeric' is inf", "from 0 to 10000"},
        {"properties -1", {{"properties = 8 ", "properties = -1 "}}, "= -1", "is -1", "from 0 to 10000"},
        {"allowed 0.5",
         {{"yardsticks = 20", "yardsticks = 0.5"}},
         "allowed_yardsticks = 0.5",
         "is 0.5",
         "from 1 to 1e+06"},
        {"length 0", {{kTall, "{ N = 0, D = 11 }"}}, "\"tall\"", "N is 0", "from 1 to 1048576"},
        {"length 1048577",
         {{kTall, "{ N = 1, D = 1048577 }"}},
         "\"tall\"",
         "D is 1048577",
         "from 1 to 1048576"},
    };
    return kAll;
}

BOOST_DATA_TEST_CASE(an_invalid_value_is_refused_with_its_line, boost::unit_test::data::make(all_broken()),
                     broken) {
    check_refused(broken);
}

BOOST_AUTO_TEST_CASE(absent_keys_have_their_defaults) {
    const data::TemporaryDirectory folder;
    const Rubric rubric = read_rubric(make_assignment(
        folder, "02_self_attention",
        proof::edited(shipped_text(), {{kTime, ""}, {"allowed_yardsticks = 20", ""}, {kStep, "#"}})));
    BOOST_TEST(rubric.limits.time_s == worker::WorkerLimits().time_s);
    BOOST_TEST(rubric.budget_s == Rubric().budget_s);
    BOOST_TEST(rubric.allowed_yardsticks == Rubric().allowed_yardsticks);
    BOOST_TEST(rubric.parts.at(0).step == 1);
}

BOOST_AUTO_TEST_CASE(values_are_read_as_written) {
    const data::TemporaryDirectory folder;
    const Rubric rubric = read_rubric(
        make_assignment(folder, "02_self_attention",
                        proof::edited(shipped_text(), {{kTime, "time_s = 0.25\nassignment_s = 77"},
                                                       {"= 2048", "= 512"},
                                                       {"mib  = 8", "mib = 3"},
                                                       {"kib = 1024", "kib = 7"},
                                                       {"sticks = 20", "sticks = 33"},
                                                       {kNumeric, "numeric = 1.5 "},
                                                       {kStep, "step = 4 "}})));
    BOOST_TEST(rubric.limits.time_s == 0.25);
    BOOST_TEST(rubric.budget_s == 77);
    BOOST_TEST(rubric.limits.process.memory_mib == 512);
    BOOST_TEST(rubric.limits.process.stack_mib == 3);
    BOOST_TEST(rubric.limits.output_kib == 7);
    BOOST_TEST(rubric.allowed_yardsticks == 33);
    BOOST_TEST(rubric.parts.at(0).numeric_points == 1.5);
    BOOST_TEST(rubric.parts.at(0).step == 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
