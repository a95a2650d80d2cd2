// The interpreted plain loops give the same bits as the compiled ones.

#include "grader/edits/machine.h"

#include <algorithm>
#include <cstring>

#include <boost/test/unit_test.hpp>

#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"
#include "grader/edits/packed.h"

namespace attn {
BOOST_AUTO_TEST_SUITE(machine)
namespace {

/// Different lengths where possible; divisors divide.
ask::Sizes small_sizes(const ask::Function& function, int first) {
    ask::Sizes sizes;
    int length = first;
    for (const std::string& letter : function.letters()) sizes[letter] = 1 + length++ % 4;
    for (const auto& [divisor, multiple] : function.divides)
        sizes[multiple] = 2 * ask::length_of(divisor, sizes);
    return sizes;
}

bool same_bits(const Array& a, const Array& b) {
    return a.shape == b.shape && a.values.index() == b.values.index() &&
           std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(interpreted_loops_give_the_bits_of_the_compiled_ones) {
    using ask::Precision;
    int compared = 0;
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions)
            for (const ask::Recipe& recipe : module.recipes)
                for (int first = 0; first < 4; ++first) {
                    if (recipe.name != "normal") continue;
                    ask::Random random(1, function.name + std::to_string(first));
                    ask::Setting setting;
                    for (const ask::OptionSpec& option : function.options)
                        if (!option.choices.empty())
                            setting.options[option.name] = first % static_cast<int>(option.choices.size());
                    for (const ask::TensorSpec& input : function.inputs)
                        if (input.optional && first % 2 == 1) setting.absent.push_back(input.name);
                    const Arrays inputs =
                        make_inputs(function, recipe, small_sizes(function, first), setting, random);
                    if (!function.refusal(small_sizes(function, first), inputs).empty()) continue;
                    for (const Precision precision : {Precision::f32, Precision::f64}) {
                        ask::EditedCall call(function, inputs, precision);
                        BOOST_TEST_REQUIRE(call.possible(), function.name);
                        const Arrays* const got = call.outputs({});
                        BOOST_TEST_REQUIRE(got, function.name << " did not run");
                        const Arrays expected = evaluate(function, inputs, precision);
                        for (std::size_t k = 0; k < expected.size(); ++k)
                            BOOST_TEST(same_bits((*got)[k], expected[k]),
                                       function.name << " " << expected[k].name);
                        ++compared;
                    }
                }
    BOOST_TEST(compared >= 23 * 4 * 2);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn
