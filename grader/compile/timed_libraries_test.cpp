// The libraries that a student's speed is compared with, run in the worker: under all sandbox layers (as
// root: as the user `nobody`) they load, start no thread and pass all checks of all assignments.

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/compile/stand_ins.h"
#include "grader/grading/grade.h"
#include "grader/grading/judge_part.h"
#include "grader/judge/student.h"
#include "reference/fast/attention.h"
#include "reference/fast/scoped_unit.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(timed_libraries, *boost::unit_test::label("long"))

const Installation& installation() {
    static const Installation kHere;
    return kHere;
}

void require_all_right(const std::filesystem::path& library,
                       const std::function<bool(const std::string&)>& has_module) {
    std::size_t parts = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation().assignments)) {
        if (!has_module(rubric.module->name)) continue;
        worker::Worker worker(
            {.program = installation().worker, .library = library, .exports = installation().exports},
            rubric.limits);
        judge::Student student(worker);
        for (const rubric::PartRubric& part : rubric.parts) {
            ++parts;
            for (const report::Check& check :
                 judge_part(rubric, part, kPublicSeed, std::ref(student)).checks())
                BOOST_TEST((check.outcome == Outcome::passed),
                           check.id << " is " << name_of(check.outcome) << ": " << check.message);
        }
    }
    BOOST_TEST(parts > 0U);
}

BOOST_AUTO_TEST_CASE(the_yardstick_gets_full_marks) {
    require_all_right(installation().yardstick,
                      [](const std::string& module) { return installation().has_yardstick(module); });
}

BOOST_AUTO_TEST_CASE(the_plain_loops_get_full_marks_when_compiled_as_timed_code_is) {
    require_all_right(installation().plain, [](const std::string&) { return true; });
    BOOST_TEST(installation().timed_flags.find("-O") != std::string::npos);
}

/// Whether two arrays have the same bits.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// Each vector unit adds up a row in an order of its own, so the bits of a softmax show which one computed it.
BOOST_AUTO_TEST_CASE(the_yardstick_uses_the_vector_unit_of_timed_code) {
    constexpr int kLength = 1001;
    Array X = Array::zeros<float>("X", {1, kLength});
    std::minstd_rand random(1);
    for (float& x : X.as<float>()) x = std::uniform_real_distribution<float>(-3, 3)(random);
    worker::Worker worker({.program = installation().worker,
                           .library = installation().yardstick,
                           .exports = installation().exports},
                          {});
    const auto called = worker.call({"softmax", {{"Y", {1, kLength}}}, {{&X}}, {}});
    BOOST_REQUIRE(name_of(called.outcome) == "passed");
    const std::vector<float>& got = called.outputs.at(0).as<float>();
    const std::vector<fast::VectorUnit> here = fast::vector_units();
    const fast::VectorUnit unit = fast::unit_of(installation().timed_level);
    BOOST_REQUIRE((std::find(here.begin(), here.end(), unit) != here.end()));
    for (const fast::VectorUnit each : here) {
        const fast::ScopedUnit scope(each);
        Array Y = Array::zeros<float>("Y", {1, kLength});
        fast::softmax(Y.view<float, 2>(), std::as_const(X).view<float, 2>());
        BOOST_TEST((same_bits(Y.as<float>(), got) == (each == unit)), fast::name_of(each));
    }
}

// The control for both tests: the same worker reports a function that is missing.
BOOST_AUTO_TEST_CASE(a_library_of_another_function_does_not_have_this_one) {
    worker::Worker worker({.program = installation().worker,
                           .library = stand_in_for("causal_mask", installation()),
                           .exports = installation().exports},
                          {});
    const Array X = Array::zeros<float>("X", {1, 2});
    BOOST_TEST(name_of(worker.call({"softmax", {{"Y", {1, 2}}}, {{&X}}, {}}).outcome) == "missing");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
