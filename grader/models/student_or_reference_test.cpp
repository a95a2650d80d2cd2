// The student's functions where they are written, the reference's elsewhere.

#include "grader/models/student_or_reference.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(student_or_reference)

const Array kX("X", {1, 2}, std::vector<float>{0, 0});

judge::CallFunction failing(Outcome outcome, const std::string& detail) {
    return [=](const ask::Function&, const Arrays&, const std::vector<std::string>&, worker::Placement) {
        return worker::failure(outcome, detail);
    };
}

BOOST_AUTO_TEST_CASE(the_outputs_are_the_students) {
    StudentOrReference f(
        judge::reference_student([](const Arrays&, Arrays& outputs) { outputs[0].as<float>()[0] = 7; }),
        {"softmax"});
    BOOST_TEST(f("softmax", {kX}).at(0).as<float>() == (std::vector<float>{7, 0.5F}),
               boost::test_tools::per_element());
    BOOST_REQUIRE(f.origins().size() == 1U);
    BOOST_TEST(f.origins()[0].students);
    BOOST_TEST(f.is_students("softmax"));
    BOOST_TEST(!f.is_students("layer_norm"));
}

BOOST_AUTO_TEST_CASE(what_was_not_asked_of_the_student_is_the_references) {
    StudentOrReference f(failing(Outcome::crashed, "not called"), {});
    BOOST_TEST(f("softmax", {kX}).at(0).as<float>() == (std::vector<float>{0.5F, 0.5F}),
               boost::test_tools::per_element());
    BOOST_TEST(!f.is_students("softmax"));
    BOOST_TEST(f.origins().at(0).note == "");
}

BOOST_AUTO_TEST_CASE(a_function_that_fails_is_replaced_with_a_reason) {
    for (const auto& [outcome, note] :
         std::vector<std::pair<Outcome, std::string>>{{Outcome::not_implemented, "not written yet"},
                                                      {Outcome::missing, "not written yet"},
                                                      {Outcome::crashed, "crashed: at line 7"},
                                                      {Outcome::not_compiled, "not compiled: at line 7"}}) {
        StudentOrReference f(failing(outcome, "at line 7"), {"softmax"});
        BOOST_TEST(f("softmax", {kX}).at(0).as<float>().at(0) == 0.5F);
        BOOST_TEST(!f.is_students("softmax"));
        BOOST_TEST(f.origins().at(0).note == note);
    }
}

BOOST_AUTO_TEST_CASE(a_function_that_failed_is_not_called_again) {
    int calls = 0;
    StudentOrReference f(
        [&](const ask::Function&, const Arrays&, const std::vector<std::string>&, worker::Placement) {
            ++calls;
            return worker::failure(Outcome::timed_out, "5 s");
        },
        {"softmax"});
    for (int k = 0; k < 3; ++k) f("softmax", {kX});
    BOOST_TEST(calls == 1);
    BOOST_TEST(f.origins().size() == 1U);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_kept) {
    StudentOrReference f(
        judge::reference_student([](const Arrays&, Arrays& outputs) { outputs[0].as<float>()[1] = NAN; }),
        {"softmax"});
    BOOST_TEST(std::isnan(f("softmax", {kX}).at(0).as<float>().at(1)));
    BOOST_TEST(f.is_students("softmax"));
}

BOOST_AUTO_TEST_CASE(only_wanted_outputs_come_back) {
    const auto cube = [](const char* name) { return Array(name, {1, 1, 1}, std::vector<float>{1}); };
    StudentOrReference f({}, {});
    const Arrays inputs = {cube("Q"), cube("K"), cube("V")};
    BOOST_TEST(f("scaled_dot_product_attention", inputs).size() == 2U);
    const Arrays wanted = f("scaled_dot_product_attention", inputs, {"A"});
    BOOST_REQUIRE(wanted.size() == 1U);
    BOOST_TEST(wanted[0].name == "A");
    BOOST_CHECK_THROW(f("no_such_function", {}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
