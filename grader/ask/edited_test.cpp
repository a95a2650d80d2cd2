// Calls with listed mistakes and with other edits.

#include "grader/ask/edited.h"

#include <algorithm>
#include <cmath>

#include <boost/test/unit_test.hpp>

#include "grader/edits/edit.h"
#include "grader/edits/systematic.h"

namespace attn::ask {
BOOST_AUTO_TEST_SUITE(edited)
namespace {

/// All lengths are equal, so that every index fits everywhere. H is the height of an image, or the number of
/// heads, of which there are fewer than features.
Sizes square_sizes(const Function& function) {
    constexpr int kLength = 4, kHeads = 2;
    Sizes sizes;
    for (const std::string& letter : function.letters()) sizes[letter] = kLength;
    if (sizes.contains("H") && !sizes.contains("W")) sizes["H"] = kHeads;
    return sizes;
}

bool alike(const Arrays& one, const Arrays& other) {
    constexpr double kClose = 1e-9;
    for (std::size_t k = 0; k < one.size(); ++k)
        for (std::size_t n = 0; n < one[k].count(); ++n) {
            const double a = number_at(one[k], n), b = number_at(other[k], n);
            if (std::isnan(a) != std::isnan(b)) return false;
            if (!std::isnan(a) && a != b && std::abs(a - b) > kClose * (1 + std::abs(b))) return false;
        }
    return true;
}

/// Inputs of equal lengths by the module's first recipe. Nothing if the recipe is for another function.
std::optional<Arrays> square_inputs(const Module& module, const Function& function,
                                    const std::string& stream) {
    Random random(7, stream);
    try {
        return make_inputs(function, module.recipes.front(), square_sizes(function), {}, random);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(mistakes_that_edit_the_same_text_give_no_answer_together) {
    const Module& module = *find_module("self_attention");
    const Function& function = *module.find_function("scaled_dot_product_attention");
    const auto inputs = square_inputs(module, function, "pairs");
    BOOST_TEST_REQUIRE(inputs.has_value());
    const ListedCall call(module.name, function, *inputs, Precision::f64);
    const auto listed = edits::listed_edits(module.name);
    int together = 0, apart = 0;
    for (int one = 0; one < static_cast<int>(listed.size()); ++one)
        for (int other = one + 1; other < static_cast<int>(listed.size()); ++other) {
            auto both = listed[static_cast<std::size_t>(one)];
            const auto& more = listed[static_cast<std::size_t>(other)];
            both.insert(both.end(), more.begin(), more.end());
            const auto outputs = call.outputs(std::vector{one, other});
            if (edits::conflict(both)) {
                BOOST_TEST(!outputs.has_value(), one << " and " << other);
                ++apart;
            } else {
                together += outputs ? 1 : 0;
            }
        }
    BOOST_TEST(apart > 0);
    BOOST_TEST(together > 100);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_loops_that_a_function_does_not_reach_changes_nothing) {
    int left_out = 0;
    for (const Module& module : modules())
        for (const Function& function : module.functions) {
            const std::vector<int> within = mistakes_within(module, function);
            BOOST_TEST(!within.empty(), function.name);
            const std::optional<Arrays> inputs = square_inputs(module, function, "within");
            if (!inputs) continue;
            const ListedCall call(module.name, function, *inputs, Precision::f64);
            const auto right = call.outputs({});
            if (!right) continue;
            for (int mistake = 0; mistake < static_cast<int>(module.mistakes.size()); ++mistake) {
                if (std::ranges::binary_search(within, mistake)) continue;
                const auto outputs = call.outputs(std::vector{mistake});
                BOOST_TEST(
                    (outputs && alike(*outputs, *right)),
                    module.mistakes[static_cast<std::size_t>(mistake)].name << " in " << function.name);
                ++left_out;
            }
        }
    BOOST_TEST(left_out > 1000);
}

BOOST_AUTO_TEST_CASE(an_edit_that_writes_to_an_input_changes_no_later_call) {
    const Function& function = *find_module("self_attention")->find_function("scaled_dot_product_attention");
    Random random(7, "inputs");
    const Arrays inputs = make_inputs(function, find_module("self_attention")->recipes.front(),
                                      square_sizes(function), {}, random);
    edits::Program& program = edits::packed_program();
    EditedCall call(function, inputs, Precision::f64);
    const Arrays before = *call.outputs({});
    int different = 0;
    for (const auto& edit : edits::systematic_edits(program, program.find_public(function.name))) {
        try {
            const edits::EditedFunctions edited(program, as_edits(program, edit));
            const Arrays* const outputs = call.outputs(edited.replacements());
            different += outputs != nullptr && !alike(before, *outputs) ? 1 : 0;
        } catch (const edits::SourceError&) {
            continue;
        }
        BOOST_TEST_REQUIRE(alike(before, *call.outputs({})), "after the edit: " << edit.said);
    }
    BOOST_TEST(different > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::ask
