// The shipped rubrics can be read. A rubric with an unknown name is refused; the message says the line, what
// was found and which names are known. For the reading of single values see toml_reader_test.cpp.

#include <algorithm>
#include <set>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(rubric)

using namespace shipped;
using data::message_contains;
using data::TemporaryDirectory;
using proof::edited;

const std::string kDigit = "{ B = 1, N = 8,  D_x = 8,  D_q = 5,  D_v = 4 }";

// From assignment 5, which has options, an optional input, and sizes that must be refused.
const std::string kBlock = "05_transformer_block", kOtherName = "\"other_eps\"",
                  kEven = "sizes = { B = 1, N = 3, D = 4, F = 6,  H = 1 }",
                  kOther = "options = { norm = \"post\", eps = 0.25 }",
                  kUneven = "F = 5,  H = 2 }, refused = true }";

const std::vector<Broken>& all_broken() {
    static const std::vector<Broken> kAll = {
        {"unknown function",
         {{kPart, "[[part]]\nfunction = \"hardmax\""}},
         "function = \"hardmax\"",
         "no function 'hardmax'",
         "known are softmax, scaled_dot_product_attention, self_attention"},
        {"unknown inputs",
         {{"\"normal\",         sizes = " + kTall, "\"odd\", sizes = " + kTall}},
         "\"odd\"",
         "no inputs called 'odd'",
         "known are normal, overflow"},
        {"unknown property",
         {{"\"columns_permute\"", "\"is_nice\""}},
         "\"is_nice\"",
         "softmax has no property 'is_nice'",
         "known are rows_sum_to_one"},
        {"property of another function",
         {{"\"columns_permute\"", "\"linear_in_V\""}},
         "check = [\"rows_sum_to_one\", \"shift",
         "softmax has no property 'linear_in_V'",
         "columns_permute"},
        {"property twice",
         {{"\"columns_permute\"", "\"rows_sum_to_one\""}},
         "check = [\"rows_sum_to_one\", \"shift",
         "'rows_sum_to_one'",
         "twice"},
        {"a letter too few", {{kTall, "{ N = 65 }"}}, "\"tall\"", "'sizes' gives no D", "softmax needs N, D"},
        {"a letter too many",
         {{kTall, "{ N = 1, D = 1, H = 2 }"}},
         "\"tall\"",
         "'sizes' gives H",
         "it has N, D"},
        {"check_sizes lacks a letter",
         {{kCheckSizes, "check_sizes = { D = 13 }"}},
         "{ D = 13 }",
         "'check_sizes' gives no N",
         "softmax needs N, D"},
        {"check_sizes has a foreign letter",
         {{kCheckSizes, "check_sizes = { N = 5, D = 13, B = 1 }"}},
         "D = 13, B",
         "'check_sizes' gives B",
         "it has N, D"},
        {"a length that the data does not have",
         {{kDigit, "{ B = 1, N = 9, D_x = 8, D_q = 5, D_v = 4 }"}},
         "{ name = \"digit\"",
         "N is 9",
         "the inputs 'digit' have N = 8"},
        {"data for functions of other letters",
         {{"\"normal\",         sizes = " + kTall, "\"digit\", sizes = { N = 8, D = 8 }"}},
         "\"digit\", sizes",
         "'digit' is for functions with a length",
         "softmax is not"},
        {"unknown output",
         {{kOutputs, ", outputs = [\"Z\"]"}},
         "\"without_A\"",
         "no output 'Z'",
         "it has Y, A"},
        {"a picture of nothing",
         {{kOutputs, ", pictures = [\"Y\", \"A A^T\", \"E\"]"}},
         "\"without_A\"",
         "'E' is no picture of scaled_dot_product_attention",
         "there are Y, Y Y^T, A, A A^T"},
        {"nothing to look at",
         {{kOutputs, ", outputs = [\"Y\"], look = \"Look.\""}},
         "\"without_A\"",
         "look",
         "without pictures"},
        {"output left out",
         {{kOutputs, ", outputs = [\"A\"]"}},
         "\"without_A\"",
         "Y of scaled_dot",
         "left out"},
        {"two cases of one name",
         {{"\"one_column\"", "\"tall\""}},
         "cases = [\n    { name = \"ragged\",        inputs = \"normal\",         sizes = { N",
         "two cases of softmax",
         "'tall'"},
        {"points for no properties",
         {{kCheck, ""}, {kCheckSizes, ""}},
         "properties = 8 ",
         "8 points for properties",
         "'check' names none"},
        {"source in a folder",
         {{kSources, "[\"../a.cpp\"]"}},
         "\"../a.cpp\"",
         "'../a.cpp'",
         "the plain name"},
        {"source that is no .cpp", {{kSources, "[\"a.py\"]"}}, "\"a.py\"", "'a.py'", "of a .cpp file"},
        {"source twice", {{kSources, "[\"a.cpp\", \"a.cpp\"]"}}, "sources =", "'a.cpp'", "twice"},
        {"a property of a case's name",
         {{"name = \"repeats\",       inputs = \"duplicate_keys\", sizes = { N = 4",
           "name = \"rows_do_not_mix\", inputs = \"duplicate_keys\", sizes = { N = 4"}},
         "cases = [\n    { name = \"ragged\",        inputs = \"normal\",         sizes = { N",
         "'rows_do_not_mix' is also the name of another check",
         "rename the case"},
        {"builds on itself",
         {{"builds_on  = [\"softmax\"]", "builds_on  = [\"scaled_dot_product_attention\"]"}},
         "builds_on  = [\"scaled_dot_product_attention\"]",
         "'scaled_dot_product_attention' is not another function",
         "of any assignment"},
        {"builds on an unknown function",
         {{"builds_on  = [\"softmax\"]", "builds_on  = [\"hardmax\"]"}},
         "builds_on  = [\"hardmax\"]",
         "'hardmax' is not another function",
         "of any assignment"},
        {"may call an unknown assignment",
         {{"sources = [\"self_attention.cpp\"]",
           "sources = [\"self_attention.cpp\"]\nmay_call = [\"maskng\"]"}},
         "may_call = [\"maskng\"]",
         "'maskng' is not another assignment",
         "masking"},
        {"an unknown option",
         {{kOther, "options = { norms = \"post\" }"}},
         kOtherName,
         "'norms'",
         "norm",
         kBlock},
        {"an unknown choice",
         {{kOther, "options = { norm = \"middle\" }"}},
         kOtherName,
         "'norm' is one of",
         "pre, post",
         kBlock},
        {"a text for a number",
         {{kOther, "options = { eps = \"small\" }"}},
         kOtherName,
         "'eps'",
         "must be a number",
         kBlock},
        {"an input that cannot be left out",
         {{kOther, "absent = [\"X\"]"}},
         kOtherName,
         "no input 'X'",
         "may be left out",
         kBlock},
        {"sizes that the function must refuse",
         {{kUneven, "F = 5,  H = 2 } }"}},
         "\"uneven_heads\", inputs = \"normal\",       sizes",
         "does not divide",
         "say refused = true",
         kBlock},
        {"sizes that the function accepts",
         {{kEven, kEven + ", refused = true"}},
         kOtherName,
         "does not have to refuse",
         "transformer_block",
         kBlock},
        {"source that is not listed",
         {{kStep, "source = \"b.cpp\"\n" + kStep}},
         "\"b.cpp\"",
         "'b.cpp' is not among",
         "self_attention.cpp"},
    };
    return kAll;
}

BOOST_AUTO_TEST_CASE(the_shipped_rubric_asks_for_every_function_and_gives_100_points) {
    const Rubric rubric = read_rubric(kAssignments / "02_self_attention");
    BOOST_TEST(rubric.number == 2);
    BOOST_TEST(rubric.title == "Self-attention");
    BOOST_TEST(rubric.points() == 100.0);
    std::vector<std::string> asked, known;
    for (const PartRubric& part : rubric.parts) asked.push_back(part.function->name);
    for (const ask::Function& function : ask::find_module("self_attention")->functions)
        known.push_back(function.name);
    BOOST_TEST(asked == known, boost::test_tools::per_element());
    BOOST_TEST(known.size() == 3U);
}

BOOST_AUTO_TEST_CASE(every_shipped_rubric_gives_100_points_and_uses_all_inputs) {
    const auto rubrics = read_rubrics(kAssignments, SecretCases::added);
    BOOST_TEST(!rubrics.empty());
    for (const Rubric& rubric : rubrics) {
        BOOST_TEST_CONTEXT(rubric.folder) {
            BOOST_TEST(rubric.points() == 100.0);
            std::set<std::string> used, known;
            for (const PartRubric& part : rubric.parts) {
                for (const CaseRubric& each : part.cases) used.insert(each.recipe->name);
                if (part.speed) used.insert(part.speed->recipe->name);
            }
            for (const ask::Recipe& recipe : rubric.module->recipes) known.insert(recipe.name);
            BOOST_TEST(used == known, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_part_is_read_as_written) {
    const Rubric rubric = read_rubric(kAssignments / "02_self_attention");
    const PartRubric& part = rubric.parts.at(1);
    BOOST_TEST(part.source == "self_attention.cpp");
    BOOST_TEST(part.step == 2);
    BOOST_TEST(part.numeric_points == 22);
    BOOST_TEST(part.property_points == 13);
    BOOST_TEST(part.cases.size() == 10U);
    BOOST_TEST(part.cases.at(0).wanted.empty());
    BOOST_TEST((part.cases.at(6).wanted == std::vector<std::string>{"Y"}));
    BOOST_TEST(
        (part.cases.at(0).sizes == ask::Sizes{{"B", 2}, {"N_q", 5}, {"N_k", 7}, {"D_q", 11}, {"D_v", 3}}));
    BOOST_TEST(
        (part.property_call.sizes == ask::Sizes{{"B", 3}, {"N_q", 5}, {"N_k", 7}, {"D_q", 4}, {"D_v", 6}}));
    BOOST_TEST(part.properties.at(7)->name == "linear_in_V");
}

BOOST_DATA_TEST_CASE(an_unknown_name_is_refused_with_its_line, boost::unit_test::data::make(all_broken()),
                     broken) {
    check_refused(broken);
}

BOOST_AUTO_TEST_CASE(a_refused_case_is_there_because_the_function_must_refuse_it) {
    const Rubric rubric = read_rubric(Installation().assignments / "03_multi_head");
    const std::vector<CaseRubric>& cases = rubric.parts.at(0).cases;
    const auto indivisible = std::ranges::find(cases, "indivisible", &CaseRubric::name);
    BOOST_REQUIRE((indivisible != cases.end()));
    BOOST_TEST(indivisible->why.find("does not divide") != std::string::npos, indivisible->why);
    BOOST_TEST(cases.front().why == "");
}

BOOST_AUTO_TEST_CASE(a_folder_of_an_unknown_module_is_refused) {
    const TemporaryDirectory folder;
    const auto path = make_assignment(folder, "02_telepathy", shipped_text());
    BOOST_CHECK_EXCEPTION(
        read_rubric(path), UserError,
        message_contains({path.string() + ": ", "'telepathy'", "known are", "self_attention"}));
}

BOOST_AUTO_TEST_CASE(a_folder_without_a_rubric_is_refused) {
    const TemporaryDirectory folder;
    std::filesystem::create_directory(folder / "02_self_attention");
    const auto refused =
        message_contains({(folder / "02_self_attention" / "rubric.toml").string() + ": ", "no such file"});
    BOOST_CHECK_EXCEPTION(read_rubric(folder / "02_self_attention"), UserError, refused);
    BOOST_CHECK_EXCEPTION(read_rubrics(folder.path()), UserError, refused);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_of_assignments_is_refused) {
    const TemporaryDirectory folder;
    BOOST_CHECK_EXCEPTION(read_rubrics(folder / "none"), UserError,
                          message_contains({(folder / "none").string() + ": ", "no such folder"}));
}

BOOST_AUTO_TEST_CASE(assignments_are_sorted_by_number_and_numbers_are_unique) {
    const TemporaryDirectory folder;
    const auto ninth =
        make_assignment(folder, "a_self_attention", edited(shipped_text(), {{kNumber, "number = 9"}}));
    const auto second = make_assignment(folder, "b_self_attention", shipped_text());
    const auto rubrics = read_rubrics(folder.path());
    BOOST_REQUIRE(rubrics.size() == 2U);
    BOOST_TEST(rubrics.at(0).number == 2);
    BOOST_TEST(rubrics.at(1).number == 9);

    make_assignment(folder, "c_self_attention", shipped_text());
    BOOST_CHECK_EXCEPTION(
        read_rubrics(folder.path()), UserError,
        message_contains({second.string(), (folder / "c_self_attention").string(), "number 2"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
