#include "reference/models/decoder_stack.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attn::training {
namespace {

constexpr Activation kActivation = Activation::gelu_erf;

std::string prefix_of(int l) {
    return "decoder." + std::to_string(l) + ".";
}

void add_norm(Layout& layout, const std::string& prefix, const std::string& ending, int D) {
    layout.add_vector(prefix + "gamma" + ending, D, kOnes);
    layout.add_vector(prefix + "beta" + ending, D);
}

/// `last`: the gain of the output's matrix.
void add_attention(Layout& layout, const std::string& prefix, const std::string& ending, int D, float last) {
    for (const std::string letter : {"Q", "K", "V", "O"}) {
        layout.add_matrix(prefix + "W_" + letter + ending, D, D, letter == "O" ? last : 1);
        layout.add_vector(prefix + "b_" + letter + ending, D);
    }
}

/// MultiHeadWeights and MultiHeadGradients have the same members in the same order.
template <class Attention, class T>
Attention attention_of(const Layout& layout, T* numbers, const std::string& prefix,
                       const std::string& ending) {
    const auto W = [&](const char* letter) {
        return layout.view<2>(numbers, prefix + "W_" + letter + ending);
    };
    const auto b = [&](const char* letter) {
        return layout.view<1>(numbers, prefix + "b_" + letter + ending);
    };
    return {W("Q"), b("Q"), W("K"), b("K"), W("V"), b("V"), W("O"), b("O")};
}

/// FeedForwardWeights and FeedForwardGradients, too.
template <class FeedForward, class T>
FeedForward feed_forward_of(const Layout& layout, T* numbers, const std::string& prefix) {
    return {layout.view<2>(numbers, prefix + "W_1"), layout.view<1>(numbers, prefix + "b_1"),
            layout.view<2>(numbers, prefix + "W_2"), layout.view<1>(numbers, prefix + "b_2")};
}

/// Y = X + Y
void add(View3 Y, Read3 X) {
    for (std::ptrdiff_t k = 0; k < Y.count(); ++k) Y.data()[k] += X.data()[k];
}

/// Layer norms of a block, or the last one.
struct NormCall {
    Modules& modules;
    const Layout& layout;
    const float* theta;
    std::string prefix;

    Read3 forward(Tensor<3>& to, Read3 X, const std::string& ending) const {
        const View3 Y = to.shaped(X.size(0), X.size(1), X.size(2));
        modules.layer_norm(rows_of(Y), rows_of(X), layout.view<1>(theta, prefix + "gamma" + ending),
                           layout.view<1>(theta, prefix + "beta" + ending), kEps);
        return Y;
    }
    void backward(View3 dX, float* gradient, Read3 dY, Read3 X, const std::string& ending) const {
        const std::string gamma = prefix + "gamma" + ending, beta = prefix + "beta" + ending;
        modules.layer_norm_backward(rows_of(dX), layout.view<1>(gradient, gamma),
                                    layout.view<1>(gradient, beta), rows_of(dY), rows_of(X),
                                    layout.view<1>(theta, gamma), layout.view<1>(theta, beta), kEps);
    }
};

}  // namespace

DecoderBlockWeights<float> decoder_block_weights(const Layout& layout, const float* theta, int l) {
    const std::string prefix = prefix_of(l);
    const auto own = attention_of<MultiHeadWeights<float>>(layout, theta, prefix, "");
    const auto cross = attention_of<MultiHeadWeights<float>>(layout, theta, prefix, "_c");
    const auto fed = feed_forward_of<FeedForwardWeights>(layout, theta, prefix);
    const auto vector = [&](const char* name) { return layout.view<1>(theta, prefix + name); };
    return {vector("gamma_1"),
            vector("beta_1"),
            own,
            vector("gamma_2"),
            vector("beta_2"),
            cross.W_Q,
            cross.b_Q,
            cross.W_K,
            cross.b_K,
            cross.W_V,
            cross.b_V,
            cross.W_O,
            cross.b_O,
            vector("gamma_3"),
            vector("beta_3"),
            fed.W_1,
            fed.b_1,
            fed.W_2,
            fed.b_2};
}

DecoderStack::DecoderStack(Layout& layout, StackSizes sizes)
    : sizes_(sizes), blocks_(static_cast<std::size_t>(sizes.L)) {
    const int D = sizes.D, F = sizes.F;
    const float last = 1 / std::sqrt(3 * static_cast<float>(sizes.L));  // three residuals in each block
    for (int l = 0; l < sizes.L; ++l) {
        const std::string prefix = prefix_of(l);
        add_norm(layout, prefix, "_1", D);
        add_attention(layout, prefix, "", D, last);
        add_norm(layout, prefix, "_2", D);
        add_attention(layout, prefix, "_c", D, last);
        add_norm(layout, prefix, "_3", D);
        layout.add_matrix(prefix + "W_1", D, F);
        layout.add_vector(prefix + "b_1", F);
        layout.add_matrix(prefix + "W_2", F, D, last);
        layout.add_vector(prefix + "b_2", D);
    }
    add_norm(layout, "", "_d", D);
}

Read3 DecoderStack::forward(Modules& modules, const Layout& layout, const float* theta, Read3 X, Read3 S,
                            DecoderMasks masks) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    std::copy_n(X.data(), X.count(), input_.shaped(B, N, D).data());
    for (std::size_t l = 0; l < blocks_.size(); ++l) {
        Block& block = blocks_[l];
        const std::string prefix = prefix_of(static_cast<int>(l));
        const NormCall norm{modules, layout, theta, prefix};
        // Z_1 = X + SA(LN_1(X))
        const Read3 N_1 = norm.forward(block.N_1, input(l), "_1");
        const View3 Z_1 = block.Z_1.shaped(B, N, D), Z_2 = block.Z_2.shaped(B, N, D);
        modules.multi_head_attention(Z_1, N_1, N_1,
                                     attention_of<MultiHeadWeights<float>>(layout, theta, prefix, ""),
                                     masks.target, sizes_.H);
        add(Z_1, input(l));
        // Z_2 = Z_1 + CA(LN_2(Z_1), S)
        const Read3 N_2 = norm.forward(block.N_2, Z_1, "_2");
        modules.multi_head_attention(Z_2, N_2, S,
                                     attention_of<MultiHeadWeights<float>>(layout, theta, prefix, "_c"),
                                     masks.source, sizes_.H);
        add(Z_2, Z_1);
        // Y = Z_2 + FF(LN_3(Z_2))
        const Read3 N_3 = norm.forward(block.N_3, Z_2, "_3");
        const View3 Y = block.Y.shaped(B, N, D);
        modules.feed_forward(rows_of(Y), rows_of(N_3),
                             feed_forward_of<FeedForwardWeights>(layout, theta, prefix), kActivation);
        add(Y, Z_2);
    }
    return NormCall{modules, layout, theta, ""}.forward(output_, blocks_.back().Y.view(), "_d");
}

DecoderStack::InputGradients DecoderStack::backward(Modules& modules, const Layout& layout, float* gradient,
                                                    const float* theta, Read3 dY, Read3 S,
                                                    DecoderMasks masks) {
    const int B = dY.size(0), N = dY.size(1), D = dY.size(2), N_s = S.size(1);
    const View3 d = dX_.shaped(B, N, D), dS = dS_.shaped(B, N_s, D), dN = d_N_.shaped(B, N, D),
                own = d_own_.shaped(B, N, D), source = d_source_.shaped(B, N_s, D),
                part = upstream_.shaped(B, N, D);
    std::fill_n(dS.data(), dS.count(), 0.0F);
    NormCall{modules, layout, theta, ""}.backward(d, gradient, dY, blocks_.back().Y.view(), "_d");
    for (std::size_t l = blocks_.size(); l-- > 0;) {
        const Block& block = blocks_[l];
        const std::string prefix = prefix_of(static_cast<int>(l));
        const NormCall norm{modules, layout, theta, prefix};
        // d is the gradient of Y, then of Z_2, of Z_1 and of X: each residual adds a path.
        modules.feed_forward_backward(
            rows_of(dN), feed_forward_of<FeedForwardGradients>(layout, gradient, prefix),
            rows_of<const float>(d), rows_of<const float>(block.N_3.view()),
            feed_forward_of<FeedForwardWeights>(layout, theta, prefix), kActivation);
        norm.backward(part, gradient, dN, block.Z_2.view(), "_3");
        add(d, part);
        modules.multi_head_attention_backward(
            dN, source, attention_of<MultiHeadGradients<float>>(layout, gradient, prefix, "_c"), d,
            block.N_2.view(), S, attention_of<MultiHeadWeights<float>>(layout, theta, prefix, "_c"),
            masks.source, sizes_.H);
        add(dS, source);
        norm.backward(part, gradient, dN, block.Z_1.view(), "_2");
        add(d, part);
        modules.multi_head_attention_backward(
            dN, own, attention_of<MultiHeadGradients<float>>(layout, gradient, prefix, ""), d,
            block.N_1.view(), block.N_1.view(),
            attention_of<MultiHeadWeights<float>>(layout, theta, prefix, ""), masks.target, sizes_.H);
        add(dN, own);
        norm.backward(part, gradient, dN, input(l), "_1");
        add(d, part);
    }
    return {d, dS};
}

}  // namespace attn::training
