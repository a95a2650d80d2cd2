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
template <class... P>
static DualLoops dual(void (*f)(P...)) {
    return [f](const Argument* arguments, int count) { call(f, arguments, count); };
}

std::map<std::string, DualLoops> dual_loops() {
    return {
        {"softmax", dual(cpu::softmax<Dual>)},
        {"scaled_dot_product_attention", dual(cpu::scaled_dot_product_attention<Dual>)},
        {"masked_attention", dual(cpu::masked_attention<Dual>)},
        {"self_attention", dual(cpu::self_attention<Dual>)},
        {"multi_head_attention", dual(cpu::multi_head_attention<Dual>)},
        {"layer_norm", dual(cpu::layer_norm<Dual>)},
        {"feed_forward", dual(cpu::feed_forward<Dual>)},
        {"transformer_block", dual(cpu::transformer_block<Dual>)},
        {"embed_patches", dual(cpu::embed_patches<Dual>)},
        {"additive_scores", dual(cpu::additive_scores<Dual>)},
        {"attention_context", dual(cpu::attention_context<Dual>)},
        {"decoder_step", dual(cpu::decoder_step<Dual>)},
        {"decode", dual(cpu::decode<Dual>)},
        {"cross_entropy", dual(cpu::cross_entropy<Dual>)},
    };
}

}  // namespace attn::testing
