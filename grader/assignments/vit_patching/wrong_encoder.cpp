// Assignment 6: the whole vision transformer as a Variant says.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "contracts/transformer_block_reference.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/vit_patching/variant.h"
#include "grader/assignments/vit_patching/weights.h"

namespace attn::ask::vit_patching {
namespace {

constexpr double kUsualEps = 1e-5;

Activation activation_of(const Variant& variant, const Function& function, const Arrays& inputs) {
    if (variant.hidden == Hidden::relu) return Activation::relu;
    if (variant.hidden == Hidden::gelu) return Activation::gelu_erf;
    return static_cast<Activation>(static_cast<int>(function.option_value(inputs, "activation")));
}

/// Replaces Z by the output of the blocks, with or without the final layer norm.
template <class T>
void encode(const Variant& variant, Array& Z, const EncoderWeights<T>& weights, int heads,
            Activation activation, T eps) {
    const int B = Z.shape[0], N = Z.shape[1];
    Array mask = Array::zeros<std::uint8_t>("mask", {B, N, N});
    if (variant.blocks == Blocks::causal)
        for (std::size_t at = 0; at < mask.count(); ++at) {
            const auto n = static_cast<std::size_t>(N);
            mask.as<std::uint8_t>()[at] = at % n <= at / n % n ? 1 : 0;
        }
    const TensorView<const std::uint8_t, 3> mask_or_none =
        variant.blocks == Blocks::causal ? mask.view<std::uint8_t, 3>() : TensorView<std::uint8_t, 3>{};
    const Norm norm = variant.blocks == Blocks::post ? Norm::post : Norm::pre;
    for (int l = 0; l < weights.layers(); ++l) {
        const Array before = Z;
        cpu::transformer_block<T>(Z.view<T, 3>(), before.view<T, 3>(),
                                  weights.layer(variant.blocks == Blocks::first_only ? 0 : l), mask_or_none,
                                  heads, norm, activation, eps);
    }
    if (variant.blocks == Blocks::post || variant.blocks == Blocks::pre_without_norm) return;
    const Array before = Z;
    for (int b = 0; b < B; ++b)
        cpu::layer_norm<T>(Z.view<T, 3>()[b], before.view<T, 3>()[b], weights.gamma, weights.beta, eps);
}

/// The input of the head, [B, D].
template <class T>
Array head_input(Reads reads, const Array& Z) {
    const auto z = Z.view<T, 3>();
    const int N = z.size(1);
    const int first = reads == Reads::last ? N - 1 : reads == Reads::mean_of_patches ? 1 : 0;
    const int end = reads == Reads::cls ? 1 : N;
    Array result = Array::zeros<T>("z", {z.size(0), z.size(2)});
    const auto mean = result.view<T, 2>();
    for (int b = 0; b < z.size(0); ++b) {
        for (int d = 0; d < z.size(2); ++d) {
            for (int i = first; i < end; ++i) mean(b, d) += z(b, i, d);
            mean(b, d) /= static_cast<T>(end - first);
        }
    }
    return result;
}

template <class T>
void softmax(TensorView<T, 2> Y) {
    for (int b = 0; b < Y.size(0); ++b) {
        T maximum = Y(b, 0), sum = 0;
        for (int k = 0; k < Y.size(1); ++k) maximum = std::max(maximum, Y(b, k));
        for (int k = 0; k < Y.size(1); ++k) sum += Y(b, k) = std::exp(Y(b, k) - maximum);
        for (int k = 0; k < Y.size(1); ++k) Y(b, k) /= sum;
    }
}

}  // namespace

template <class T>
bool vit_encode(const Variant& variant, Array& logits, const Function& function, const Arrays& inputs,
                const Sizes& sizes) {
    const int B = sizes.at("B"), D = sizes.at("D"), K = sizes.at("K");
    const int N = (sizes.at("H") / sizes.at("P")) * (sizes.at("W") / sizes.at("P"));
    Array Z = Array::zeros<T>("Z", {B, N + 1, D});
    if (!embed_patches<T>(variant, Z, inputs, sizes)) return false;
    const VitWeights<T> weights = vit_weights<T>(inputs);
    encode<T>(variant, Z, weights.encoder, variant.one_head ? 1 : sizes.at("heads"),
              activation_of(variant, function, inputs),
              static_cast<T>(variant.eps_fixed ? kUsualEps : function.option_value(inputs, "eps")));
    const Array read = head_input<T>(variant.reads, Z);
    const TensorView<const T, 2> W_head_T(weights.W_head.data(), K, D);  // the same memory as [K, D]
    const auto z = read.view<T, 2>();
    const auto Y = logits.view<T, 2>();
    for (int b = 0; b < B; ++b) {
        for (int k = 0; k < K; ++k) {
            T sum = 0;
            for (int d = 0; d < D; ++d)
                sum += z(b, d) * (variant.W_head_transposed ? W_head_T(k, d) : weights.W_head(d, k));
            Y(b, k) = variant.b_head ? sum + weights.b_head(k) : sum;
        }
    }
    if (variant.softmax) softmax(Y);
    return true;
}

#define ATTN_INSTANTIATE(T) \
    template bool vit_encode<T>(const Variant&, Array&, const Function&, const Arrays&, const Sizes&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::ask::vit_patching
