// The libraries that a student's speed is compared with, run in the worker: under all sandbox layers (as
// root: as the user `nobody`) they load, start no thread and pass all checks of all assignments.

#include <functional>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/grading/grade.h"
#include "grader/grading/judge_part.h"
#include "grader/judge/student.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(timed_libraries)

const Installation& installation() {
    static const Installation kHere;
    return kHere;
}

using LibraryOf = std::filesystem::path (Installation::*)(const std::string&) const;

worker::Worker worker_for(const submission::Rubric& rubric, LibraryOf library) {
    const std::string& module = rubric.module->name;
    return {{.program = installation().worker,
             .library = (installation().*library)(module),
             .exports = installation().exports_of(module)},
            rubric.limits};
}

void require_all_right(LibraryOf library) {
    std::size_t parts = 0;
    for (const submission::Rubric& rubric : submission::read_rubrics(installation().assignments)) {
        if (!std::filesystem::exists((installation().*library)(rubric.module->name)))
            continue;  // not offered
        worker::Worker worker = worker_for(rubric, library);
        judge::Student student(worker);
        for (const submission::PartRubric& part : rubric.parts) {
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
    require_all_right(&Installation::yardstick_of);
}

BOOST_AUTO_TEST_CASE(the_plain_loops_get_full_marks_when_compiled_as_timed_code_is) {
    require_all_right(&Installation::plain_of);
    BOOST_TEST(installation().timed_flags.find("-O") != std::string::npos);
}

// The control for both tests: the same worker reports a function that is missing.
BOOST_AUTO_TEST_CASE(a_library_of_another_module_has_none_of_the_functions) {
    worker::Worker worker({.program = installation().worker,
                           .library = installation().yardstick_of("masking"),
                           .exports = installation().exports_of("self_attention")},
                          {});
    const Array X = Array::zeros<float>("X", {1, 2});
    BOOST_TEST(name_of(worker.call({"softmax", {{"Y", {1, 2}}}, {{&X}}, {}}).outcome) == "missing");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
