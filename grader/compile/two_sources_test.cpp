// A submission of two files: a file that does not compile costs only the functions that it defines.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(two_sources, *boost::unit_test::label("long"))

using proof::edited;

/// softmax alone.
std::string softmax_only() {
    const std::string text = solution();
    return text.substr(0, text.find("void scaled_dot_product_attention")) + "}\n";
}

/// The other two functions, with a softmax of their own.
std::string without_softmax() {
    return edited(solution(),
                  {{"void softmax(", "static void by_rows("}, {"softmax(W, E);", "by_rows(W, E);"}});
}

/// Edits of the rubric: softmax is in extra.cpp, the rest in self_attention.cpp. `sources`: the list of
/// files.
std::vector<proof::Edit> rubric_of(const std::string& sources) {
    return {{rubric::shipped::kSources, sources},
            {"step       = 1 ", "source = \"extra.cpp\"\nstep = 1 "},
            {"step       = 2\n", "source = \"self_attention.cpp\"\nstep = 2\n"},
            {"step       = 3\n", "source = \"self_attention.cpp\"\nstep = 3\n"}};
}

const std::vector<std::string> kOrders = {"[\"self_attention.cpp\", \"extra.cpp\"]",
                                          "[\"extra.cpp\", \"self_attention.cpp\"]"};

/// The points of each part and the outcomes of its checks: "20 passed".
std::vector<std::string> results(const report::Report& report) {
    std::vector<std::string> all;
    for (const report::Part& part : report.assignments.at(0).parts)
        all.push_back(std::to_string(static_cast<int>(part.points)) + " " + proof::outcomes_of(part));
    return all;
}

BOOST_DATA_TEST_CASE(a_file_that_fails_costs_only_its_own_functions, boost::unit_test::data::make(kOrders),
                     order) {
    const TestFolder fixture(rubric_of(order));
    fixture.write("self_attention.cpp", without_softmax());
    fixture.write("extra.cpp", softmax_only());
    BOOST_TEST(results(fixture.grade()) == (std::vector<std::string>{"20 passed", "35 passed", "30 passed"}),
               boost::test_tools::per_element());

    const std::string extra = fixture.write("extra.cpp", kBroken);
    report::Report report = fixture.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"0 not_compiled", "35 passed", "30 passed"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "extra.cpp"));

    fixture.write("extra.cpp", softmax_only());
    fixture.write("self_attention.cpp", kBroken);
    report = fixture.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"20 passed", "0 not_compiled", "0 not_compiled"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "self_attention.cpp"));
}

BOOST_DATA_TEST_CASE(only_the_file_that_fails_has_errors, boost::unit_test::data::make(kOrders), order) {
    const TestFolder fixture(rubric_of(order));
    fixture.write("self_attention.cpp", without_softmax());
    fixture.write("extra.cpp", kBroken);
    const Build built = fixture.build();
    BOOST_TEST(built.source("self_attention.cpp").compiled);
    BOOST_TEST(built.source("self_attention.cpp").messages == "");
    BOOST_TEST(!built.source("extra.cpp").compiled);
    BOOST_TEST(contains(built.source("extra.cpp").messages, "extra.cpp:3:18: error:"));
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(a_call_of_a_function_in_the_failed_file_uses_a_stand_in) {
    const TestFolder fixture(rubric_of(kOrders[0]));
    const std::string text = solution(), rest = text.substr(text.find("void scaled_dot_product_attention"));
    fixture.write(
        "self_attention.cpp",
        "#include <cmath>\n#include <vector>\n#include \"self_attention.h\"\nnamespace attn {\n" + rest);
    fixture.write("extra.cpp", kBroken);
    const report::Report report = fixture.grade();
    const report::Part& calling = proof::part(report, "scaled_dot_product_attention");
    BOOST_TEST(proof::outcomes_of(calling) == "passed");
    BOOST_TEST(calling.stand_ins == std::vector<std::string>{"softmax"}, boost::test_tools::per_element());
    BOOST_TEST(proof::outcomes_of(proof::part(report, "softmax")) == "not_compiled");
}

BOOST_AUTO_TEST_CASE(two_files_that_define_the_same_function_cannot_be_linked) {
    const TestFolder fixture(rubric_of(kOrders[0]));
    fixture.write("self_attention.cpp", solution());
    fixture.write("extra.cpp", softmax_only());
    const Build built = fixture.build();
    BOOST_TEST(built.library.empty());
    for (const report::SourceFile& source : built.sources) {
        BOOST_TEST(!source.compiled);
        BOOST_TEST(contains(source.messages, "cannot be linked"));
        BOOST_TEST(contains(source.messages, "multiple definition of `attn::softmax("));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
