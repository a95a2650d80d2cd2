#include "reference/fast/kept_block.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "contracts/transformer_block_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/gradients.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

using Rows = TensorView<float, 2>;
using ReadRows = TensorView<const float, 2>;
using Vectors = TensorView<const float, 1>;

void copy_numbers(TensorView<float, 3> Y, TensorView<const float, 3> X) {
    std::copy(X.data(), X.data() + X.count(), Y.data());
}

/// Y += X
void add_numbers(TensorView<float, 3> Y, TensorView<const float, 3> X) {
    float* const y = Y.data();
    const float* const x = X.data();
    for (std::ptrdiff_t k = 0; k < Y.count(); ++k) y[k] += x[k];
}

/// Whether each token may attend to itself and to all before it, and to no other.
bool is_causal(TensorView<const std::uint8_t, 3> mask) {
    const int N = mask.size(1);
    const std::vector<std::uint8_t> ones(static_cast<std::size_t>(N), 1), zeros(ones.size());
    for (int k = 0; k < mask.size(0) * N; ++k) {
        const std::uint8_t* const row = mask.data() + std::ptrdiff_t{k} * N;
        const auto allowed = static_cast<std::size_t>(k % N) + 1;
        if (std::memcmp(row, ones.data(), allowed) != 0 ||
            std::memcmp(row + allowed, zeros.data(), zeros.size() - allowed) != 0)
            return false;
    }
    return true;
}

/// S = R + MHA(L, L)
void attend_keeping(BlockMemory& memory, TensorView<float, 3> S, TensorView<const float, 3> R,
                    TensorView<const float, 3> L, const MultiHeadWeights<float>& weights,
                    TensorView<const std::uint8_t, 3> mask, int H) {
    linear(all_rows(memory.Q), all_rows(L), weights.W_Q, weights.b_Q.data());
    linear(all_rows(memory.K), all_rows(L), weights.W_K, weights.b_K.data());
    linear(all_rows(memory.V), all_rows(L), weights.W_V, weights.b_V.data());
    const int B = L.size(0), N = L.size(1), D = L.size(2);
    const std::ptrdiff_t row = D, D_h = head_width(D, H);
    const auto heads = [=](auto* data) {
        return Heads<std::remove_pointer_t<decltype(data)>>{data, N * row, D_h, row};
    };
    const auto read = [](TensorView<float, 3> X) { return static_cast<const float*>(X.data()); };
    Options options;
    if (mask && is_causal(mask))
        options.causal = true;  // then keys that no query sees cost nothing
    else if (mask)
        options.mask = {mask.data(), std::ptrdiff_t{N} * N, 0, N};
    attention(heads(memory.O.data()), heads(read(memory.Q)), heads(read(memory.K)), heads(read(memory.V)),
              {B, H, N, N, D / H, D / H}, options);
    linear_and_residual(S, R, memory.O, weights.W_O, weights.b_O.data());
}

/// S = R + FF(L)
void feed_keeping(BlockMemory& memory, TensorView<float, 3> S, TensorView<const float, 3> R,
                  TensorView<const float, 3> L, const BlockWeights<float>& weights, Activation activation) {
    thread_local Buffer hidden;
    const Rows U = all_rows(memory.U),
               M(hidden.get(static_cast<std::size_t>(U.count())), U.size(0), U.size(1));
    linear(U, all_rows(L), weights.W_1, weights.b_1.data());
    activate(M, U, activation);
    linear_and_residual(S, R, M, weights.W_2, weights.b_2.data());
}

/// dL = the gradient of FF's input
void feed_backward(Rows dL, const BlockGradients<float>& gradients, ReadRows dY, ReadRows L, Rows U,
                   const BlockWeights<float>& weights, Activation activation) {
    thread_local Buffer hidden, upstream;
    const Rows M(hidden.get(static_cast<std::size_t>(U.count())), U.size(0), U.size(1)),
        dU(upstream.get(static_cast<std::size_t>(U.count())), U.size(0), U.size(1));
    multiply_transposed(dU, dY, weights.W_2, 1);
    activation_backward(Matrix<float>(M), Matrix<float>(dU), Matrix<float>(U), activation);
    linear_weights_backward(gradients.dW_2, gradients.db_2.data(), dY, Matrix<float>(M));
    linear_weights_backward(gradients.dW_1, gradients.db_1.data(), Matrix<float>(dU), L);
    multiply_transposed(dL, Matrix<float>(dU), weights.W_1, 1);
}

/// dL = the gradient of the attention's input
void attend_backward(Rows dL, const BlockGradients<float>& gradients, TensorView<const float, 3> dY,
                     TensorView<const float, 3> L, const BlockWeights<float>& weights,
                     TensorView<const std::uint8_t, 3> mask, int H, const BlockMemory& memory) {
    const ProjectionGradients d =
        multi_head_weights_backward(gradients.attention, dY, L, L, weights.attention, mask, H,
                                    {memory.Q.data(), memory.K.data(), memory.V.data(), memory.O.data()});
    multiply_transposed(dL, d.dQ, weights.attention.W_Q, 1);
    add_product_transposed(dL, d.dK, weights.attention.W_K);
    add_product_transposed(dL, d.dV, weights.attention.W_V);
}

}  // namespace

void BlockMemory::resize(int B, int N, int D, int F) {
    const std::ptrdiff_t tokens = std::ptrdiff_t{B} * N;
    float* next = buffer_.get(static_cast<std::size_t>(tokens * (8 * std::ptrdiff_t{D} + F)));
    for (TensorView<float, 3>* view : {&L_1, &L_2, &S_1, &S_2, &Q, &K, &V, &O}) {
        *view = {next, B, N, D};
        next += tokens * D;
    }
    U = {next, B, N, F};
}

void transformer_block_keeping(BlockMemory& memory, TensorView<float, 3> Y, TensorView<const float, 3> X,
                               const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                               int H, Norm norm, Activation activation, float eps) {
    head_width(X.size(2), H);
    memory.resize(X.size(0), X.size(1), X.size(2), weights.W_1.size(1));
    const auto norm_1 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        fast::layer_norm(all_rows(to), all_rows(from), weights.gamma_1, weights.beta_1, eps);
    };
    const auto norm_2 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        fast::layer_norm(all_rows(to), all_rows(from), weights.gamma_2, weights.beta_2, eps);
    };
    if (norm == Norm::post) {
        copy_numbers(memory.L_1, X);
        attend_keeping(memory, memory.S_1, X, X, weights.attention, mask, H);
        norm_1(memory.L_2, memory.S_1);
        feed_keeping(memory, memory.S_2, memory.L_2, memory.L_2, weights, activation);
        norm_2(Y, memory.S_2);
    } else {
        copy_numbers(memory.S_1, X);
        norm_1(memory.L_1, X);
        attend_keeping(memory, memory.S_2, X, memory.L_1, weights.attention, mask, H);
        norm_2(memory.L_2, memory.S_2);
        feed_keeping(memory, Y, memory.S_2, memory.L_2, weights, activation);
    }
}

void transformer_block_backward_of_kept(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                        TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                        const BlockWeights<float>& weights,
                                        TensorView<const std::uint8_t, 3> mask, int H, Norm norm,
                                        Activation activation, float eps, const BlockMemory& memory) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    thread_local Buffer sum, input;
    const auto count = static_cast<std::size_t>(X.count());
    const TensorView<float, 3> dS(sum.get(count), B, N, D), dL(input.get(count), B, N, D);
    const auto norm_1 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        add_layer_norm_backward(to, gradients.dgamma_1.data(), gradients.dbeta_1.data(), from, memory.S_1,
                                weights.gamma_1.data(), eps);
    };
    const auto norm_2 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        add_layer_norm_backward(to, gradients.dgamma_2.data(), gradients.dbeta_2.data(), from, memory.S_2,
                                weights.gamma_2.data(), eps);
    };
    const auto feed = [&](TensorView<const float, 3> d) {
        feed_backward(all_rows(dL), gradients, all_rows(d), all_rows<const float>(memory.L_2),
                      all_rows(memory.U), weights, activation);
    };
    const auto attend = [&](TensorView<const float, 3> d) {
        attend_backward(all_rows(dL), gradients, d, memory.L_1, weights, mask, H, memory);
    };
    if (norm == Norm::post) {
        // Y = LN_2(S_2),  S_2 = L_2 + FF(L_2)
        std::fill_n(dS.data(), count, 0.0F);
        norm_2(dS, dY);
        feed(dS);
        add_numbers(dL, dS);
        // L_2 = LN_1(S_1),  S_1 = X + MHA(X, X)
        std::fill_n(dS.data(), count, 0.0F);
        norm_1(dS, dL);
        attend(dS);
        copy_numbers(dX, dS);
        add_numbers(dX, dL);
    } else {
        // Y = S_2 + FF(LN_2(S_2))
        feed(dY);
        copy_numbers(dS, dY);
        norm_2(dS, dL);
        // S_2 = X + MHA(LN_1(X), LN_1(X))
        attend(dS);
        copy_numbers(dX, dS);
        norm_1(dX, dL);
    }
}

}  // namespace attn::fast
