#include "grader/ask/module.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <boost/test/unit_test.hpp>

#include "grader/ask/inputs.h"

namespace attn::ask {
namespace {

BOOST_AUTO_TEST_SUITE(module)

const Module& module() {
    return *find_module("self_attention");
}
const Function& attention() {
    return *module().find_function("scaled_dot_product_attention");
}

std::string refusal_of(const Arrays& inputs) {
    try {
        sizes_of(attention(), inputs);
    } catch (const UserError& error) {
        return error.what();
    }
    return "none";
}

Array f32(const std::string& name, const Shape& shape) {
    return Array::zeros<float>(name, shape);
}

BOOST_AUTO_TEST_CASE(random_numbers_are_the_same_everywhere) {
    Random random(2026, "softmax.ragged");
    std::vector<float> drawn;
    for (int k = 0; k < 4; ++k) drawn.push_back(random.normal());
    // From an independent mt19937_64, whose 10000th output agrees with the C++ standard.
    const std::vector<float> expected{-0x1.d1faecp-2F, 0x1.a8e0ap-4F, -0x1.10e642p+0F, 0x1.96b27ap-1F};
    BOOST_TEST(drawn == expected, boost::test_tools::per_element());
    BOOST_TEST(Random(2026, "softmax.ragged").normal() == expected[0]);
    BOOST_TEST(Random(2027, "softmax.ragged").normal() != expected[0]);
    BOOST_TEST(Random(2026, "softmax.raggee").normal() != expected[0]);
}

BOOST_AUTO_TEST_CASE(normal_has_mean_zero_and_deviation_one) {
    Random random(1, "moments");
    double sum = 0, squares = 0;
    constexpr int kCount = 100000;
    for (int k = 0; k < kCount; ++k) {
        const auto x = static_cast<double>(random.normal());
        sum += x;
        squares += x * x;
    }
    BOOST_TEST(std::abs(sum / kCount) <= 0.02);
    BOOST_TEST(std::abs(squares / kCount - 1) <= 0.03);
}

BOOST_AUTO_TEST_CASE(a_permutation_moves_every_index) {
    Random random(1, "permutation");
    for (const int count : {2, 3, 17}) {
        std::vector<int> order = random.permutation(count);
        for (int k = 0; k < count; ++k) BOOST_TEST(order[static_cast<std::size_t>(k)] != k);
        std::sort(order.begin(), order.end());
        for (int k = 0; k < count; ++k) BOOST_TEST(order[static_cast<std::size_t>(k)] == k);
    }
}

BOOST_AUTO_TEST_CASE(sizes_follow_from_the_inputs) {
    const Sizes sizes =
        sizes_of(attention(), {f32("Q", {2, 5, 11}), f32("K", {2, 7, 11}), f32("V", {2, 7, 3})});
    const Sizes expected{{"B", 2}, {"N_q", 5}, {"N_k", 7}, {"D_q", 11}, {"D_v", 3}};
    BOOST_TEST((sizes == expected));
    BOOST_TEST(to_string(sizes, attention().letters()) == "B=2 N_q=5 N_k=7 D_q=11 D_v=3");
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_lengths_that_do_not_divide) {
    Function function = attention();
    function.divides = {{"N_q", "D_q"}, {"2", "D_v"}};
    BOOST_TEST(function.refusal({{"N_q", 3}, {"D_q", 7}, {"D_v", 2}}) == "N_q = 3 does not divide D_q = 7");
    BOOST_TEST(function.refusal({{"N_q", 3}, {"D_q", 6}, {"D_v", 5}}) == "2 does not divide D_v = 5");
    BOOST_TEST(function.refusal({{"N_q", 3}, {"D_q", 6}, {"D_v", 4}}).empty());
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_number_that_is_out_of_range) {
    Function function = attention();
    function.ranges = {{"tokens", 0, "V"}, {"lengths", 1, "N_s+1"}};
    const Sizes sizes = {{"V", 9}, {"N_s", 3}};
    const auto refusal = [&](std::vector<int> tokens, std::vector<int> lengths) {
        return function.refusal(
            sizes, {{"tokens", {2, 3}, std::move(tokens)}, {"lengths", {2}, std::move(lengths)}});
    };
    BOOST_TEST(refusal({0, 8, 1, 2, 3, 4}, {1, 3}).empty());
    BOOST_TEST(refusal({0, 8, 1, 2, 3, 9}, {1, 3}) == "tokens(1, 2) is 9, outside 0 .. 8");
    BOOST_TEST(refusal({0, -1, 1, 2, 3, 4}, {1, 3}) == "tokens(0, 1) is -1, outside 0 .. 8");
    BOOST_TEST(refusal({0, 8, 1, 2, 3, 4}, {3, 0}) == "lengths(1) is 0, outside 1 .. 3");
    BOOST_TEST(function.refusal(sizes, {}).empty());  // an input that may be missing
    function.ranges = {{"targets", -1, "V"}, {"k", 1, "V+1"}, {"t", 0, ""}};
    const auto with_options = [&](int target, double k, double t) {
        return function.refusal(sizes,
                                {{"targets", {1}, std::vector<int>{target}}, option("k", k), option("t", t)});
    };
    BOOST_TEST(with_options(-1, 9, 0.5).empty());
    BOOST_TEST(with_options(-2, 9, 0.5) == "targets(0) is -2, outside -1 .. 8");
    BOOST_TEST(with_options(8, 10, 0.5) == "k is 10, outside 1 .. 9");
    BOOST_TEST(with_options(8, 1, 0) == "t is 0, not positive");
}

BOOST_AUTO_TEST_CASE(inputs_that_do_not_fit_are_refused_with_the_signature) {
    const Array Q = f32("Q", {2, 5, 11}), K = f32("K", {2, 7, 11}), V = f32("V", {2, 7, 3});
    BOOST_TEST(refusal_of({Q, K, V}) == "none");
    BOOST_TEST(refusal_of({Q, K}).find("no input V") != std::string::npos);
    BOOST_TEST(refusal_of({Q, K, f32("V", {7, 3})}).find("V has shape [7, 3], 3 axes were expected") !=
               std::string::npos);
    BOOST_TEST(refusal_of({Q, f32("K", {2, 7, 12}), V}).find("D_q is 11 in Q and 12 in K [2, 7, 12]") !=
               std::string::npos);
    BOOST_TEST(refusal_of({Q, f32("K", {2, 0, 11}), V}).find("N_k must be at least 1") != std::string::npos);
    BOOST_TEST(refusal_of({Q, K}).find("Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v]") !=
               std::string::npos);
}

void scaled(TensorView<double, 1> Y, TensorView<const double, 1> X, int factor, double offset) {
    for (int i = 0; i < Y.size(0); ++i) Y(i) = factor * X(i) + offset;
}

BOOST_AUTO_TEST_CASE(options_come_after_the_tensors_and_have_defaults) {
    Function function = make_function("scaled", {{"Y", {"N"}}}, {{"X", {"N"}}}, scaled, scaled);
    function.options = {{"factor", 3}, {"offset", 0.5}};
    const Array X("X", {2}, std::vector<float>{1, 2});
    const auto result = [&](const Arrays& inputs) {
        return evaluate(function, inputs, Precision::f64)[0].as<double>();
    };
    BOOST_TEST(result({X}) == (std::vector<double>{3.5, 6.5}), boost::test_tools::per_element());
    BOOST_TEST(result({X, option("factor", 10)}) == (std::vector<double>{10.5, 20.5}),
               boost::test_tools::per_element());
    BOOST_TEST(result({X, option("offset", -1)}) == (std::vector<double>{2, 5}),
               boost::test_tools::per_element());
    BOOST_TEST(function.signature() == "scaled: Y [N] from X [N], factor (default 3), offset (default 0.5)");
}

BOOST_AUTO_TEST_CASE(every_recipe_makes_finite_inputs_that_differ_at_every_index) {
    const std::map<std::string, Sizes> sizes = {
        {"softmax", {{"N", 6}, {"D", 9}}},
        {"scaled_dot_product_attention", {{"B", 2}, {"N_q", 4}, {"N_k", 6}, {"D_q", 8}, {"D_v", 3}}},
        {"self_attention", {{"B", 2}, {"N", 6}, {"D_x", 8}, {"D_q", 5}, {"D_v", 3}}}};
    int combinations = 0;
    for (const Recipe& recipe : module().recipes) {
        for (const Function& function : module().functions) {
            if (!recipe.fixed.empty() && function.name != "self_attention") continue;
            Sizes wanted = sizes.at(function.name);
            for (const auto& [letter, length] : recipe.fixed) wanted[letter] = length;
            Random random(3, "recipes");
            const Arrays inputs = recipe.make(function, wanted, random);
            BOOST_TEST((sizes_of(function, inputs) == wanted), recipe.name);
            for (const Array& array : inputs) {
                const auto& values = array.as<float>();
                BOOST_TEST(
                    std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }),
                    recipe.name);
                const std::set<float> different(values.begin(), values.end());
                const bool repeats = recipe.name == "duplicate_keys" || recipe.name == "digit";
                BOOST_TEST(different.size() >= (repeats ? 5U : values.size() - 1),
                           recipe.name + " " + array.name);
            }
            for (const Array& output : evaluate(function, inputs, Precision::f32)) {
                const auto& values = output.as<float>();
                BOOST_TEST(
                    std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }),
                    recipe.name);
            }
            ++combinations;
        }
    }
    BOOST_TEST(combinations == 4 * 3 + 2);
}

BOOST_AUTO_TEST_CASE(overflow_overflows_without_the_maximum) {
    Random random(3, "overflow");
    const Function& softmax = *module().find_function("softmax");
    const Arrays inputs = module().find_recipe("overflow")->make(softmax, {{"N", 6}, {"D", 9}}, random);
    const auto& X = inputs[0].as<float>();
    BOOST_TEST(std::any_of(X.begin(), X.end(), [](float x) { return std::isinf(std::exp(x)); }));
    // One row has only scores near -1000, so all of its exps are zero.
    BOOST_TEST(std::all_of(X.begin() + 18, X.begin() + 27, [](float x) { return std::exp(x) == 0; }));
}

BOOST_AUTO_TEST_CASE(helper_functions_of_recipes_and_properties_work) {
    const Array a("a", {2, 2}, std::vector<double>{1, 2, 3, 4});
    BOOST_TEST(permuted(a, 0, {1, 0}).as<double>() == (std::vector<double>{3, 4, 1, 2}),
               boost::test_tools::per_element());
    BOOST_TEST(permuted(a, 1, {1, 0}).as<double>() == (std::vector<double>{2, 1, 4, 3}),
               boost::test_tools::per_element());
    BOOST_TEST(
        folded(a, 0, [](double t, double x) { return t + x; }).as<double>() == (std::vector<double>{3, 7}),
        boost::test_tools::per_element());
    BOOST_TEST(combined(2, a, 1, a).as<double>() == (std::vector<double>{3, 6, 9, 12}),
               boost::test_tools::per_element());
    const Array x("x", {1, 2}, std::vector<float>{1, 2}),
        w("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    BOOST_TEST(product(x, w).as<float>() == (std::vector<float>{9, 12, 15}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::ask
