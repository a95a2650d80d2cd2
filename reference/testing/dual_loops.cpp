#include "reference/testing/dual_loops.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/refusals.h"
#include "reference/testing/dual.h"

// The texts below are compiled once more, in a namespace of their own.
#define cpu cpu_of_dual_numbers

// In them std::exp must also find the function for dual numbers, and one must not add functions to ::std. Inside
// of their namespace the name std is this namespace.
namespace attn::cpu::std {
using namespace ::std;
using ::attn::testing::erf;
using ::attn::testing::exp;
using ::attn::testing::log;
using ::attn::testing::sqrt;
using ::attn::testing::tanh;
using ::std::erf;
using ::std::exp;
using ::std::log;
using ::std::sqrt;
using ::std::tanh;
}  // namespace attn::cpu::std

#define ATTN_OTHER_NUMBERS  // no instances for float and double
#include "reference/language_model.cpp"
#include "reference/masking.cpp"
#include "reference/multi_head.cpp"
#include "reference/rnn_attention.cpp"
#include "reference/self_attention.cpp"
#include "reference/transformer_block.cpp"
#include "reference/vit_patching.cpp"

namespace attn::testing {
namespace {

std::size_t count_of(const Argument& argument) {
    return element_count(Shape(argument.shape, argument.shape + argument.rank));
}

/// Calls the dual loops with arrays of doubles. Number `element` of argument `moved` has the slope 1, and the outputs
/// get the slopes that follow from it.
ask::Implementation slopes(const ask::Implementation& dual, int outputs, int moved, std::size_t element) {
    return [&dual, outputs, moved, element](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        std::vector<std::vector<Dual>> numbers(given.size());
        for (std::size_t k = 0; k < given.size(); ++k) {
            Argument& argument = given[k];
            if (argument.type != ElementType::f64 || argument.data == nullptr) continue;
            const auto* const values = static_cast<const double*>(argument.data);
            numbers[k].assign(values, values + count_of(argument));
            if (static_cast<int>(k) == moved) numbers[k].at(element).slope = 1;
            argument.data = numbers[k].data();
        }
        dual(given.data(), count);
        for (std::size_t k = 0; k < static_cast<std::size_t>(outputs); ++k)
            for (std::size_t n = 0; n < numbers[k].size(); ++n)
                static_cast<double*>(arguments[k].data)[n] = numbers[k][n].slope;
    };
}

}  // namespace

std::map<std::string, Array> exact_gradients(const ask::Function& function, const ask::Implementation& dual,
                                             const Arrays& inputs,
                                             const std::map<std::string, Array>& upstream) {
    const int outputs = static_cast<int>(function.outputs.size());
    std::map<std::string, Array> gradients;
    for (std::size_t k = 0; k < function.inputs.size(); ++k) {
        const std::string& name = function.inputs[k].name;
        const auto input = std::ranges::find(inputs, name, &Array::name);
        if (function.inputs[k].type != ElementType::f32 || input == inputs.end()) continue;
        std::vector<double> gradient(input->count());
        for (std::size_t n = 0; n < gradient.size(); ++n) {
            const Arrays slope = evaluate(function, inputs, ask::Precision::f64,
                                          slopes(dual, outputs, outputs + static_cast<int>(k), n));
            for (const Array& each : slope) {
                const auto weights = upstream.find(each.name);
                if (weights == upstream.end()) continue;
                const Array exact = weights->second.cast<double>();
                for (std::size_t m = 0; m < each.count(); ++m)
                    gradient[n] += exact.as<double>()[m] * each.as<double>()[m];
            }
        }
        gradients.emplace(name, Array(name, input->shape, gradient));
    }
    return gradients;
}

std::map<std::string, ask::Implementation> dual_loops() {
    return {
        {"softmax", ask::implementation(cpu::softmax<Dual>)},
        {"scaled_dot_product_attention", ask::implementation(cpu::scaled_dot_product_attention<Dual>)},
        {"masked_attention", ask::implementation(cpu::masked_attention<Dual>)},
        {"self_attention", ask::implementation(cpu::self_attention<Dual>)},
        {"multi_head_attention", ask::implementation(cpu::multi_head_attention<Dual>)},
        {"layer_norm", ask::implementation(cpu::layer_norm<Dual>)},
        {"feed_forward", ask::implementation(cpu::feed_forward<Dual>)},
        {"transformer_block", ask::implementation(cpu::transformer_block<Dual>)},
        {"embed_patches", ask::implementation(cpu::embed_patches<Dual>)},
        {"additive_scores", ask::implementation(cpu::additive_scores<Dual>)},
        {"attention_context", ask::implementation(cpu::attention_context<Dual>)},
        {"decoder_step", ask::implementation(cpu::decoder_step<Dual>)},
        {"decode", ask::implementation(cpu::decode<Dual>)},
        {"cross_entropy", ask::implementation(cpu::cross_entropy<Dual>)},
    };
}

}  // namespace attn::testing
