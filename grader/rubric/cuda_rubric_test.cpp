// The tables about kernels. Invalid values are refused; the message says the line, what was found and what
// was expected.

#include "grader/rubric/cuda_rubric.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(cuda_rubric)

using proof::Edit;
using proof::edited;

// From the shipped rubric of assignment 2.
const std::string kSource = "\"self_attention.cu\"", kCounted = "\"when_begun\"", kTime = "time_s  = 20",
                  kPoints = "points = 6\n", kSizes = "{ N = 1051, D = 5 }",
                  kTimed = "timed  = { inputs = \"normal\", sizes = { N = 8192, D = 1024 } }",
                  kTable =
                      "[cuda]                    # the same functions as kernels; without this table and "
                      "[part.cuda] they are not asked for\nsource  = \"self_attention.cu\"\ncounted = "
                      "\"when_begun\"    # part of the total as soon as one of them writes anything; or "
                      "\"always\", \"never\"\ntime_s  = 20              # of one call, on the emulator of "
                      "a GPU\n";

Rubric rubric_with(const std::vector<Edit>& edits) {
    const data::TemporaryDirectory folder;
    return read_rubric(make_assignment(folder, "02_self_attention", edited(shipped_text(), edits)));
}

const std::vector<Broken>& all_broken() {
    static const std::vector<Broken> kAll = {
        {"a source that is not a .cu file",
         {{kSource, "\"a.cpp\""}},
         "source  = \"a.cpp\"",
         "'a.cpp'",
         ".cu file"},
        {"a source in a folder", {{kSource, "\"a/b.cu\""}}, "source  = \"a/b.cu\"", "'a/b.cu'", "plain name"},
        {"an unknown word for counted",
         {{kCounted, "\"twice\""}},
         "counted = \"twice\"",
         "'twice'",
         "when_begun"},
        {"no time at all", {{kTime, "time_s  = 0"}}, "time_s  = 0", "'time_s' is 0", "from 1"},
        {"negative points", {{kPoints, "points = -6\n"}}, "points = -6", "'points' is -6", "from 0"},
        {"a letter too few", {{kSizes, "{ N = 1051 }"}}, "{ N = 1051 }", "gives no D", "needs N, D"},
        {"a case with the name of another",
         {{"cases  = [{ name = \"many_blocks\", inputs = \"normal\", sizes = " + kSizes,
           "cases  = [{ name = \"ragged\", inputs = \"normal\", sizes = " + kSizes}},
         "cases  = [{ name = \"ragged\", inputs = \"normal\", sizes = " + kSizes,
         "two cases of softmax are called 'ragged'",
         ""},
        {"a timed call with a letter too few",
         {{kTimed, "timed  = { inputs = \"normal\", sizes = { N = 8192 } }"}},
         "{ N = 8192 }",
         "gives no D",
         "needs N, D"},
        {"a timed call with unknown inputs",
         {{kTimed, "timed  = { inputs = \"large\", sizes = { N = 8192, D = 1024 } }"}},
         "inputs = \"large\"",
         "'large'",
         "known are"},
        {"a timed call with a key too many",
         {{kTimed, "timed  = { inputs = \"normal\", sizes = { N = 8192, D = 1024 }, points = 2 }"}},
         "points = 2",
         "'points'",
         ""},
        {"kernels without a file", {{kTable, ""}}, "[part.cuda]   # of", "no table [cuda]", "write one"},
    };
    return kAll;
}

BOOST_AUTO_TEST_CASE(the_shipped_rubric_has_kernels) {
    const Rubric rubric = rubric_with({});
    BOOST_TEST(rubric.cuda.value().source == "self_attention.cu");
    BOOST_TEST((rubric.cuda->counted == CudaRubric::Counted::when_begun));
    BOOST_TEST(rubric.cuda->time_s == 20);
    BOOST_TEST(rubric.parts.front().cuda_points == 6);
    BOOST_TEST(rubric.parts.front().points_of(report::CheckKind::cuda) == 6);
}

BOOST_AUTO_TEST_CASE(kernels_have_the_cases_of_the_part_and_their_own) {
    const PartRubric part = rubric_with({}).parts.front();
    BOOST_TEST(part.cuda_cases.size() == part.cases.size() + 1);
    BOOST_TEST(part.cuda_cases.front().name == part.cases.front().name);
    BOOST_TEST(part.cuda_cases.back().name == "many_blocks");
    BOOST_TEST(part.cuda_cases.back().sizes.at("N") == 1051);
}

BOOST_AUTO_TEST_CASE(the_timed_call_is_read_and_may_be_left_out) {
    const PartRubric part = rubric_with({}).parts.front();
    BOOST_REQUIRE(part.cuda_timed.has_value());
    BOOST_TEST(part.cuda_timed->recipe->name == "normal");
    BOOST_TEST(part.cuda_timed->sizes.at("N") == 8192);
    BOOST_TEST(part.cuda_timed->sizes.at("D") == 1024);
    BOOST_TEST(!rubric_with({{kTimed, ""}}).parts.front().cuda_timed.has_value());
}

BOOST_AUTO_TEST_CASE(kernels_are_part_of_the_rubrics_points_only_if_they_always_count) {
    const double without = rubric_with({}).points();
    BOOST_TEST(rubric_with({{kCounted, "\"always\""}}).points() == without + 25);
    BOOST_TEST(rubric_with({{kCounted, "\"never\""}}).points() == without);
}

BOOST_AUTO_TEST_CASE(the_disclosure_of_a_case_holds_for_its_kernels) {
    const Rubric rubric =
        rubric_with({{"sizes = { N = 5,  D = 7 }", "sizes = { N = 5, D = 7 }, disclosure = \"never\""}});
    const PartRubric& part = rubric.parts.front();
    BOOST_TEST((part.disclosure_of("cuda_ragged", false) == report::Disclosure::never));
    BOOST_TEST((part.disclosure_of("cuda_tall", false) == report::Disclosure::full));
}

BOOST_DATA_TEST_CASE(an_invalid_value_is_refused, boost::unit_test::data::make(all_broken()), broken) {
    check_refused(broken);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
