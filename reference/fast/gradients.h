#pragma once
/// What the backwards of several layers have in common: the gradients of a linear layer, of layer norm's rows
/// and of attention over strided heads. Sums run in an order that depends on the sizes alone, so that any
/// number of threads gives the same bits.

#include "assignments/13_backward/backward.h"
#include "reference/fast/attention.h"
#include "reference/fast/matmul.h"

namespace attn::fast {

/// sum[d] = sum_i X[i, d], row after row
void sum_rows(float* sum, Matrix<const float> X);

/// Of Y = X W + b: dW = X^T dY, db = sum of dY's rows.
void linear_weights_backward(Matrix<float> dW, float* db, Matrix<const float> dY, Matrix<const float> X);

/// dX += the gradient of layer norm, dgamma and dbeta.
void add_layer_norm_backward(Matrix<float> dX, float* dgamma, float* dbeta, Matrix<const float> dY,
                             Matrix<const float> X, const float* gamma, float eps);

/// M = activation(U), dU = dU activation'(U)
void activation_backward(Matrix<float> M, Matrix<float> dU, Matrix<const float> U, Activation activation);

/// The gradients of attention(): of Y = A V with A = softmax of Q K^T / sqrt(D_q) where the mask allows it.
/// Scores are computed again, for a block of queries at a time. The outputs overlap no input.
void attention_backward(Heads<float> dQ, Heads<float> dK, Heads<float> dV, Heads<const float> dY,
                        Heads<const float> Q, Heads<const float> K, Heads<const float> V, const Sizes& sizes,
                        const Mask& mask);

/// What the backward of multi-head attention needs of its forward, all dense [B, N, D].
struct AttentionMemory {
    const float *Q, *K, *V, *O;
};

/// Gradients of multi-head attention but for dX: those of the weights, and where dQ, dK and dV are then.
struct ProjectionGradients {
    Matrix<float> dQ, dK, dV;
};

/// The gradients of the weights of multi-head attention, and dQ, dK, dV, which are good until the next call.
ProjectionGradients multi_head_weights_backward(const MultiHeadGradients<float>& gradients,
                                                TensorView<const float, 3> dY, TensorView<const float, 3> X_q,
                                                TensorView<const float, 3> X_kv,
                                                const MultiHeadWeights<float>& weights,
                                                TensorView<const std::uint8_t, 3> mask, int H,
                                                const AttentionMemory& memory);

}  // namespace attn::fast
