// The properties hold for the reference, and each of them fails for some wrong student.

#include "grader/judge/property.h"

#include <cmath>
#include <memory>
#include <set>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/built.h"

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(property)

rubric::Rubric rubric() {
    return rubric::read_rubric(testing::built().assignments / "02_self_attention");
}

Question question_of(const rubric::PartRubric& part) {
    return normal_question(part.function->name, part.property_call.sizes);
}

/// Adds to each element of an output a small number that depends on its place.
CallFunction depends_on_place(const std::string& output) {
    return reference_student([output](const Arrays&, Arrays& outputs) {
        for (Array& array : outputs)
            if (array.name == output)
                for (std::size_t k = 0; k < array.count(); ++k)
                    array.as<float>()[k] += 1e-3F * static_cast<float>(k);
    });
}

/// Adds a small multiple of the sum of squares of all inputs to every output.
CallFunction depends_on_everything() {
    return reference_student([](const Arrays& inputs, Arrays& outputs) {
        float sum = 0;
        for (const Array& input : inputs)
            for (const float x : input.as<float>()) sum += x * x;
        for (Array& output : outputs)
            for (float& y : output.as<float>()) y += 0.01F * sum;
    });
}

/// Gives later keys more weight: scales the second axis of an input by its index.
CallFunction depends_on_order(const std::string& input) {
    return [input](const ask::Function& function, const Arrays& inputs,
                   const std::vector<std::string>& wanted, worker::Placement placement) {
        Arrays changed = inputs;
        for (Array& array : changed) {
            if (array.name != input) continue;
            const auto rows = static_cast<std::size_t>(array.shape[1]),
                       length = static_cast<std::size_t>(array.shape[2]);
            for (std::size_t k = 0; k < array.count(); ++k)
                array.as<float>()[k] *= 1 + 0.1F * static_cast<float>(k / length % rows);
        }
        return reference_student()(function, changed, wanted, placement);
    };
}

std::set<std::string> failed(const rubric::PartRubric& part, const CallFunction& call) {
    std::set<std::string> names;
    for (const report::Check& check : judge_properties(question_of(part), part.properties, call))
        if (check.outcome != Outcome::passed) names.insert(check.name);
    return names;
}

BOOST_AUTO_TEST_CASE(all_properties_hold_for_the_reference) {
    int checked = 0;
    for (const rubric::PartRubric& part : rubric().parts) {
        for (const report::Check& check :
             judge_properties(question_of(part), part.properties, reference_student())) {
            BOOST_TEST(name_of(check.outcome) == "passed",
                       part.function->name + ": " + check.name + ": " + check.message);
            ++checked;
        }
    }
    BOOST_TEST(checked == 18);
}

BOOST_AUTO_TEST_CASE(each_property_fails_for_some_wrong_student) {
    for (const rubric::PartRubric& part : rubric().parts) {
        std::set<std::string> failing;
        for (const CallFunction& call :
             {depends_on_place("Y"), depends_on_place("A"), depends_on_order("V"), depends_on_everything()})
            failing.merge(failed(part, call));
        for (const ask::Property* property : part.properties)
            BOOST_TEST(failing.count(property->name) == 1U,
                       part.function->name + ": no wrong student fails " + property->name);
    }
}

BOOST_AUTO_TEST_CASE(some_properties_fail_for_known_mistakes) {
    const ask::Module& module = *ask::find_module("self_attention");
    const rubric::PartRubric part = rubric().parts.at(1);
    const auto fails = [&](const std::string& mistake) {
        for (std::size_t k = 0; k < module.mistakes.size(); ++k)
            if (module.mistakes[k].name == mistake)
                return failed(part, mistaken_student(module, {static_cast<int>(k)}));
        throw std::invalid_argument(mistake);
    };
    BOOST_TEST(fails("softmax_over_columns").count("rows_sum_to_one") == 1U);
    BOOST_TEST(fails("softmax_over_columns").count("same_vector_on_every_key") == 1U);
    BOOST_TEST(fails("scale_after_softmax").count("zero_Q_gives_the_mean") == 1U);
    BOOST_TEST(fails("next_batch_keys").count("batches_do_not_mix") == 1U);
    BOOST_TEST(fails("no_exp").count("same_vector_on_every_key") == 1U);
    BOOST_TEST(fails("no_scale").empty());  // it has every symmetry; only the numbers are wrong
}

BOOST_AUTO_TEST_CASE(properties_of_an_output_that_ignores_inputs_fail) {
    const CallFunction zeros = reference_student([](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs) std::fill(output.as<float>().begin(), output.as<float>().end(), 0.0F);
    });
    for (const rubric::PartRubric& part : rubric().parts) {
        for (const report::Check& check : judge_properties(question_of(part), part.properties, zeros)) {
            BOOST_TEST(name_of(check.outcome) == "wrong");
            BOOST_TEST(!check.message.empty());
        }
    }
    // Uniform attention has most properties of attention, but never looks at Q and K.
    const CallFunction uniform = [](const ask::Function& function, const Arrays& inputs,
                                    const std::vector<std::string>& wanted, worker::Placement placement) {
        const Array nothing = ask::map(ask::by_name(inputs, "Q"), [](double) { return 0.0; });
        return reference_student()(function, ask::with(inputs, "Q", nothing), wanted, placement);
    };
    const auto checks =
        judge_properties(question_of(rubric().parts.at(1)), rubric().parts.at(1).properties, uniform);
    for (const report::Check& check : checks) BOOST_TEST(name_of(check.outcome) == "wrong");
    BOOST_TEST(checks.at(3).message ==
               "Not counted: it holds, but shows nothing, because Y depends too little on Q or K.");
}

/// Uniform attention and a uniform softmax, scaled by 1 + share * t, where t depends on every input.
CallFunction uniform_but_for(float share) {
    return [share](const ask::Function& function, const Arrays& inputs,
                   const std::vector<std::string>& wanted, worker::Placement placement) {
        Arrays blind = inputs;
        for (const char* name : {"X", "Q", "W_Q"})
            if (ask::has(inputs, name) && (function.inputs.size() == 1 || name != std::string("X")))
                blind =
                    ask::with(blind, name, ask::map(ask::by_name(blind, name), [](double) { return 0.0; }));
        float t = 0;
        for (const Array& input : inputs)
            for (const float x : input.as<float>()) t += x * x;
        t -= std::floor(t);
        return reference_student([&](const Arrays&, Arrays& outputs) {
            for (Array& output : outputs)
                for (float& y : output.as<float>()) y *= 1 + share * t;
        })(function, blind, wanted, placement);
    };
}

BOOST_AUTO_TEST_CASE(a_little_influence_earns_nothing) {
    int held = 0;
    for (const float share : {1.3e-7F, 1e-6F, 1e-4F, 1e-2F})
        for (const rubric::PartRubric& part : rubric().parts)
            for (const report::Check& check :
                 judge_properties(question_of(part), part.properties, uniform_but_for(share))) {
                BOOST_TEST(name_of(check.outcome) == "wrong", part.function->name << ": " << check.name);
                if (check.message.starts_with("Not counted: it holds")) ++held;
            }
    BOOST_TEST(held >= 18);  // with the smallest influence, all relations hold
}

/// The properties of scaled dot-product attention that this student earns.
std::set<std::string> earned(const CallFunction& call) {
    std::set<std::string> names;
    const rubric::PartRubric part = rubric().parts.at(1);
    for (const report::Check& check : judge_properties(question_of(part), part.properties, call))
        if (check.outcome == Outcome::passed) names.insert(check.name);
    return names;
}

BOOST_AUTO_TEST_CASE(a_right_output_earns_nothing_for_another_one) {
    const auto faked = [](const std::string& output) {
        return reference_student([output](const Arrays& inputs, Arrays& outputs) {
            const Array nothing = ask::map(ask::by_name(inputs, "Q"), [](double) { return 0.0; });
            const Arrays uniform =
                evaluate(*ask::module_of("softmax")->find_function("scaled_dot_product_attention"),
                         ask::with(inputs, "Q", nothing), ask::Precision::f32);
            ask::by_name(outputs, output) = ask::by_name(uniform, output);
        });
    };
    BOOST_TEST(earned(faked("Y")) == std::set<std::string>{"rows_sum_to_one"},
               boost::test_tools::per_element());
    BOOST_TEST(earned(faked("A")).size() == 7U);
    BOOST_TEST(!earned(faked("A")).contains("rows_sum_to_one"));
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_shows_nothing) {
    // Uniform attention that throws if exactly one input differs from those of its first call.
    const auto seen = std::make_shared<Arrays>();
    const CallFunction notices = [seen](const ask::Function& function, const Arrays& inputs,
                                        const std::vector<std::string>& wanted, worker::Placement placement) {
        if (seen->empty()) *seen = inputs;
        int others = 0;
        for (std::size_t k = 0; k < inputs.size(); ++k) others += inputs[k].values != (*seen)[k].values;
        if (others == 1) return worker::failure(Outcome::threw, "It threw.");
        return uniform_but_for(0)(function, inputs, wanted, placement);
    };
    const rubric::PartRubric part = rubric().parts.at(1);
    for (const report::Check& check : judge_properties(question_of(part), part.properties, notices))
        BOOST_TEST(name_of(check.outcome) == "threw", check.name);
}

BOOST_AUTO_TEST_CASE(no_property_holds_for_nan) {
    const CallFunction nan = reference_student([](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs) output.as<float>().back() = std::numeric_limits<float>::quiet_NaN();
    });
    for (const rubric::PartRubric& part : rubric().parts)
        for (const report::Check& check : judge_properties(question_of(part), part.properties, nan))
            BOOST_TEST(name_of(check.outcome) == "not_finite");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
