// The influence of inputs on outputs, of students whose answers depend on them by known amounts.

#include "grader/judge/influence.h"

#include <limits>
#include <map>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(influence)

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Question attention() {
    return normal_question("scaled_dot_product_attention",
                           {{"B", 3}, {"N_q", 5}, {"N_k", 7}, {"D_q", 4}, {"D_v", 6}});
}

/// The shares, by output and input: "Y Q".
std::map<std::string, double> shares(const Question& question, const CallFunction& call) {
    Runs failed;
    std::map<std::string, double> result;
    for (const Influence& each : influences_on(question, call, failed))
        result[each.output + " " + each.input] = each.share;
    BOOST_TEST(name_of(failed.outcome) == "passed");
    return result;
}

/// Answers right, but `change` replaces the numbers of Y. It gets them with those of uniform attention.
CallFunction with_other_Y(
    const std::function<void(std::vector<float>& Y, const std::vector<float>& uniform)>& change) {
    return reference_student([change](const Arrays& inputs, Arrays& outputs) {
        const Question question = attention();
        const Array zeros = ask::map(ask::by_name(inputs, "Q"), [](double) { return 0.0; });
        const Arrays uniform =
            evaluate(*question.function, ask::with(inputs, "Q", zeros), ask::Precision::f32);
        change(ask::by_name(outputs, "Y").as<float>(), ask::by_name(uniform, "Y").as<float>());
    });
}

BOOST_AUTO_TEST_CASE(a_right_answer_has_all_of_the_influence) {
    const auto all = shares(attention(), reference_student());
    BOOST_TEST(all.size() == 5U);  // V has no influence on A
    for (const auto& [name, share] : all) BOOST_TEST(share > 0.999, name);
    BOOST_TEST(all.contains("A Q"));
    BOOST_TEST(!all.contains("A V"));
}

BOOST_AUTO_TEST_CASE(an_amount_is_measured_as_it_is) {
    for (const float amount : {0.0F, 1e-3F, 0.02F, 0.3F}) {
        const auto mixed = shares(attention(), with_other_Y([amount](auto& Y, const auto& uniform) {
                                      for (std::size_t k = 0; k < Y.size(); ++k)
                                          Y[k] = amount * Y[k] + (1 - amount) * uniform[k];
                                  }));
        BOOST_TEST(mixed.at("Y Q") == amount, boost::test_tools::tolerance(1e-2) << amount);
        BOOST_TEST(mixed.at("Y K") == amount, boost::test_tools::tolerance(1e-2) << amount);
        BOOST_TEST(mixed.at("A Q") > 0.999);
    }
}

BOOST_AUTO_TEST_CASE(a_few_large_changes_are_no_substitute) {
    const auto spike = shares(attention(), with_other_Y([](auto& Y, const auto& uniform) {
                                  const float right = Y.back();
                                  Y = uniform;
                                  Y.back() = 1e6F * right;
                              }));
    BOOST_TEST(spike.at("Y Q") < 0.05);
}

BOOST_AUTO_TEST_CASE(changes_of_other_elements_are_elsewhere) {
    const ask::Module& module = *ask::find_module("positional_encoding");
    const Question question{{module.find_function("concatenate_positions"),
                             module.find_recipe("normal"),
                             {{"B", 2}, {"N", 3}, {"D", 4}, {"D_p", 2}},
                             {},
                             {}},
                            &module,
                            7,
                            "test"};
    const auto elsewhere = [&](bool reversed_columns) {
        const CallFunction student = reference_student([=](const Arrays&, Arrays& outputs) {
            if (reversed_columns) std::ranges::reverse(outputs[0].as<float>());
            if (!reversed_columns) outputs[0] = ask::zeros_like(outputs[0]);
        });
        Runs failed;
        const auto all = influences_on(question, student, failed);
        BOOST_TEST(missing_influences(all, "Y").size() > 0U);
        return std::ranges::any_of(all, &Influence::elsewhere);
    };
    BOOST_TEST(elsewhere(true));
    BOOST_TEST(!elsewhere(false));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_have_no_influence) {
    const auto none =
        shares(attention(), with_other_Y([](auto& Y, const auto&) { Y.assign(Y.size(), kNan); }));
    BOOST_TEST(none.at("Y V") == 0.0);
    const auto some = shares(attention(), with_other_Y([](auto& Y, const auto&) { Y[0] = kNan; }));
    BOOST_TEST(some.at("Y V") > 0.9);
}

BOOST_AUTO_TEST_CASE(inputs_without_influence_do_not_decide) {
    // The keys' bias changes nothing but rounding.
    const ask::Module& module = *ask::find_module("multi_head");
    const Question question{{module.find_function("multi_head_attention"),
                             module.find_recipe("normal"),
                             {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D", 6}, {"H", 3}},
                             {},
                             {}},
                            &module,
                            7,
                            "test"};
    const auto all = shares(question, reference_student());
    BOOST_TEST(all.contains("Y b_Q"));
    BOOST_TEST(!all.contains("Y b_K"));
}

BOOST_AUTO_TEST_CASE(an_output_without_inputs_depends_on_its_index) {
    const ask::Module& module = *ask::find_module("masking");
    const Question question{
        {module.find_function("causal_mask"), module.find_recipe("normal"), {{"N_q", 4}, {"N_k", 6}}, {}, {}},
        &module,
        7,
        "test"};
    BOOST_TEST(shares(question, reference_student()).at("M index") == 1.0);
    const auto ones = shares(question, reference_student([](const Arrays&, Arrays& outputs) {
                                 for (Array& output : outputs)
                                     output = ask::map(output, [](double) { return 1.0; });
                             }));
    BOOST_TEST(ones.at("M index") == 0.0);
}

BOOST_AUTO_TEST_CASE(inputs_that_follow_from_others_follow) {
    // Y and L follow from Q, K and V, so a right backward may compute them itself.
    const ask::Module& module = *ask::find_module("fused_attention");
    const Question question{{module.find_function("blocked_attention_backward"),
                             module.find_recipe("normal"),
                             {{"B", 2}, {"N", 3}, {"D_q", 4}, {"D_v", 5}},
                             {},
                             {}},
                            &module,
                            7,
                            "test"};
    const auto all = shares(question, reference_student());
    BOOST_TEST(all.contains("dQ V"));
    BOOST_TEST(!all.contains("dQ Y"));
    BOOST_TEST(!all.contains("dQ L"));
}

BOOST_AUTO_TEST_CASE(more_than_three_quarters_are_needed) {
    std::vector<Influence> all;
    for (const char* input : {"a", "b", "c", "d"}) all.push_back({input, "Y", 1});
    BOOST_TEST(missing_influences(all, "Y").empty());
    all[2].share = 0.04;
    BOOST_TEST(missing_influences(all, "Y") == std::vector<std::string>{"c"},
               boost::test_tools::per_element());
    BOOST_TEST(missing_influences(all, "Z").empty());
    all.push_back({"e", "Y", 0.06});
    BOOST_TEST(missing_influences(all, "Y").empty());  // one of five
    all.push_back({"f", "Y", std::numeric_limits<double>::quiet_NaN()});
    BOOST_TEST(missing_influences(all, "Y").size() == 2U);  // two of six
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
