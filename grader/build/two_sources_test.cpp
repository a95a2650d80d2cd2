// A submission of two files: either may fail, and costs only what it defines.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/testing/submission_folder.h"

namespace attn::submission {
namespace {

using proof::edited;

/// softmax alone.
std::string softmax_only() {
    const std::string text = solution();
    return text.substr(0, text.find("void scaled_dot_product_attention")) + "}\n";
}

/// The other two functions, which need no softmax of another file.
std::string without_softmax() {
    return edited(solution(),
                  {{"void softmax(", "static void by_rows("}, {"softmax(W, E);", "by_rows(W, E);"}});
}

/// softmax in extra.cpp, the rest in self_attention.cpp; the rubric names them as `sources` does.
std::vector<proof::Edit> rubric_of(const std::string& sources) {
    return {{shipped::kSources, sources},
            {"step       = 1 ", "source = \"extra.cpp\"\nstep = 1 "},
            {"step       = 2\n", "source = \"self_attention.cpp\"\nstep = 2\n"},
            {"step       = 3\n", "source = \"self_attention.cpp\"\nstep = 3\n"}};
}

const std::vector<std::string> kOrders = {"[\"self_attention.cpp\", \"extra.cpp\"]",
                                          "[\"extra.cpp\", \"self_attention.cpp\"]"};

/// Points of the parts, and what became of their checks: "20 passed".
std::vector<std::string> results(const report::Report& report) {
    std::vector<std::string> all;
    for (const report::Part& part : report.assignments.at(0).parts)
        all.push_back(std::to_string(static_cast<int>(part.points)) + " " + proof::outcomes_of(part));
    return all;
}

BOOST_AUTO_TEST_SUITE(two_sources)

BOOST_DATA_TEST_CASE(either_of_two_files_fails_alone, boost::unit_test::data::make(kOrders), order) {
    const TestFolder desk(rubric_of(order));
    desk.write("self_attention.cpp", without_softmax());
    desk.write("extra.cpp", softmax_only());
    BOOST_TEST(results(desk.grade()) == (std::vector<std::string>{"20 passed", "35 passed", "30 passed"}),
               boost::test_tools::per_element());

    const std::string extra = desk.write("extra.cpp", kBroken);
    report::Report report = desk.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"0 not_compiled", "35 passed", "30 passed"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "extra.cpp"));

    desk.write("extra.cpp", softmax_only());
    desk.write("self_attention.cpp", kBroken);
    report = desk.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"20 passed", "0 not_compiled", "0 not_compiled"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "self_attention.cpp"));
}

BOOST_DATA_TEST_CASE(only_the_file_that_fails_has_errors, boost::unit_test::data::make(kOrders), order) {
    const TestFolder desk(rubric_of(order));
    desk.write("self_attention.cpp", without_softmax());
    desk.write("extra.cpp", kBroken);
    const Build built = desk.build();
    BOOST_TEST(built.source("self_attention.cpp").compiled);
    BOOST_TEST(built.source("self_attention.cpp").messages == "");
    BOOST_TEST(!built.source("extra.cpp").compiled);
    BOOST_TEST(contains(built.source("extra.cpp").messages, "extra.cpp:3:18: error:"));
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(a_call_into_the_file_that_failed_is_carried_forward) {
    const TestFolder desk(rubric_of(kOrders[0]));
    const std::string text = solution(), rest = text.substr(text.find("void scaled_dot_product_attention"));
    desk.write(
        "self_attention.cpp",
        "#include <cmath>\n#include <vector>\n#include \"self_attention.h\"\nnamespace attn {\n" + rest);
    desk.write("extra.cpp", kBroken);
    const report::Report report = desk.grade();
    const report::Part& calling = proof::part(report, "scaled_dot_product_attention");
    BOOST_TEST(proof::outcomes_of(calling) == "passed");
    BOOST_TEST(calling.stand_ins == std::vector<std::string>{"softmax"}, boost::test_tools::per_element());
    BOOST_TEST(proof::outcomes_of(proof::part(report, "softmax")) == "not_compiled");
}

BOOST_AUTO_TEST_CASE(files_that_define_the_same_cannot_be_linked) {
    const TestFolder desk(rubric_of(kOrders[0]));
    desk.write("self_attention.cpp", solution());
    desk.write("extra.cpp", softmax_only());
    const Build built = desk.build();
    BOOST_TEST(built.library.empty());
    for (const report::SourceFile& source : built.sources) {
        BOOST_TEST(!source.compiled);
        BOOST_TEST(contains(source.messages, "cannot be linked"));
        BOOST_TEST(contains(source.messages, "multiple definition of `attn::softmax("));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
