#include <cmath>
#include <numbers>

#include "contracts/backward_reference.h"
#include "contracts/masking_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// The rows of all batches, one after the other: [B, N, D] as [B N, D].
template <class T>
TensorView<T, 2> flat(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// One head as a batch of length 1: [N, D] as [1, N, D].
template <class T>
TensorView<T, 3> alone(TensorView<T, 2> X) {
    return {X.data(), 1, X.size(0), X.size(1)};
}

/// Y = X W      X [N, D], W [D, F], Y [N, F]
template <class T>
void times(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int f = 0; f < Y.size(1); ++f) {
            T sum = 0;
            for (int d = 0; d < X.size(1); ++d) sum += X(i, d) * W(d, f);
            Y(i, f) = sum;
        }
    }
}

/// dX = dY W^T: the gradient that comes back through Y = X W      dX [N, D], dY [N, F], W [D, F]
template <class T>
void input_gradient(TensorView<T, 2> dX, TensorView<const T, 2> dY, TensorView<const T, 2> W) {
    for (int i = 0; i < dX.size(0); ++i) {
        for (int d = 0; d < dX.size(1); ++d) {
            T sum = 0;
            for (int f = 0; f < dY.size(1); ++f) sum += dY(i, f) * W(d, f);
            dX(i, d) = sum;
        }
    }
}

/// dW = X^T dY: the weights of Y = X W met every row of X      dW [D, F], X [N, D], dY [N, F]
template <class T>
void weight_gradient(TensorView<T, 2> dW, TensorView<const T, 2> X, TensorView<const T, 2> dY) {
    for (int d = 0; d < dW.size(0); ++d) {
        for (int f = 0; f < dW.size(1); ++f) {
            T sum = 0;
            for (int i = 0; i < X.size(0); ++i) sum += X(i, d) * dY(i, f);
            dW(d, f) = sum;
        }
    }
}

/// db = sum_i dY[i]: the bias was added to every row      db [D], dY [N, D]
template <class T>
void bias_gradient(TensorView<T, 1> db, TensorView<const T, 2> dY) {
    for (int d = 0; d < db.size(0); ++d) {
        T sum = 0;
        for (int i = 0; i < dY.size(0); ++i) sum += dY(i, d);
        db(d) = sum;
    }
}

/// X = 0
template <class T>
void clear(TensorView<T, 2> X) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) X(i, d) = 0;
}

/// X += Y
template <class T>
void accumulate(TensorView<T, 2> X, TensorView<const T, 2> Y) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) X(i, d) += Y(i, d);
}

/// dE[i, j] = A[i, j] (dA[i, j] - sum_k dA[i, k] A[i, k]), A = softmax(E) by rows      [N, D] all
template <class T>
void weights_to_scores(TensorView<T, 2> dE, TensorView<const T, 2> dA, TensorView<const T, 2> A) {
    for (int i = 0; i < A.size(0); ++i) {
        T sum = 0;
        for (int k = 0; k < A.size(1); ++k) sum += dA(i, k) * A(i, k);
        for (int j = 0; j < A.size(1); ++j) dE(i, j) = A(i, j) * (dA(i, j) - sum);
    }
}

/// dQ, dK and dV of Y = A V, A = softmax(Q K^T / sqrt(D_q)). A weight of 0 gives a score's gradient of 0.
template <class T>
void attention_gradients(TensorView<T, 3> dQ, TensorView<T, 3> dK, TensorView<T, 3> dV,
                         TensorView<const T, 3> dY, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                         TensorView<const T, 3> V, TensorView<const T, 3> A) {
    const int N_q = Q.size(1), N_k = K.size(1), D_q = Q.size(2), D_v = V.size(2);
    const T scale = 1 / std::sqrt(static_cast<T>(D_q));
    Owned<T, 2> weights(N_q, N_k), scores(N_q, N_k);
    const TensorView<T, 2> dA = weights.view, dE = scores.view;
    for (int b = 0; b < Q.size(0); ++b) {
        // dA = dY V^T
        for (int i = 0; i < N_q; ++i) {
            for (int j = 0; j < N_k; ++j) {
                T sum = 0;
                for (int d = 0; d < D_v; ++d) sum += dY(b, i, d) * V(b, j, d);
                dA(i, j) = sum;
            }
        }
        // dE = A (dA - sum_k dA A)
        weights_to_scores<T>(dE, dA, A[b]);
        // dQ = dE K / sqrt(D_q)
        for (int i = 0; i < N_q; ++i) {
            for (int d = 0; d < D_q; ++d) {
                T sum = 0;
                for (int j = 0; j < N_k; ++j) sum += dE(i, j) * K(b, j, d);
                dQ(b, i, d) = sum * scale;
            }
        }
        // dK = dE^T Q / sqrt(D_q)
        for (int j = 0; j < N_k; ++j) {
            for (int d = 0; d < D_q; ++d) {
                T sum = 0;
                for (int i = 0; i < N_q; ++i) sum += dE(i, j) * Q(b, i, d);
                dK(b, j, d) = sum * scale;
            }
        }
        // dV = A^T dY
        for (int j = 0; j < N_k; ++j) {
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int i = 0; i < N_q; ++i) sum += A(b, i, j) * dY(b, i, d);
                dV(b, j, d) = sum;
            }
        }
    }
}

/// activation(x)
template <class T>
T activation_of(T x, Activation activation) {
    switch (activation) {
        case Activation::relu:
            return x < 0 ? T(0) : x;
        case Activation::gelu_erf:
            return x * (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
        case Activation::gelu_tanh:
            return x *
                   (1 + std::tanh(std::sqrt(2 * std::numbers::inv_pi_v<T>) * (x + T(0.044715) * x * x * x))) /
                   2;
    }
    refuse(activation);
}

/// The derivative of the activation at x.
template <class T>
T slope_of(T x, Activation activation) {
    switch (activation) {
        case Activation::relu:  // relu'(x) = 1 if x > 0, else 0
            return x > 0 ? T(1) : T(0);
        case Activation::gelu_erf: {  // gelu_erf'(x) = Phi(x) + x phi(x), phi = exp(-x^2 / 2) / sqrt(2 pi)
            const T Phi = (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
            const T phi = std::exp(-x * x / 2) * std::sqrt(std::numbers::inv_pi_v<T> / 2);
            return Phi + x * phi;
        }
        case Activation::gelu_tanh: {  // gelu_tanh'(x) = (1 + t) / 2 + x (1 - t^2) u' / 2, t = tanh(u)
            const T c = std::sqrt(2 * std::numbers::inv_pi_v<T>);
            const T t = std::tanh(c * (x + T(0.044715) * x * x * x));
            return (1 + t) / 2 + x * (1 - t * t) * c * (1 + 3 * T(0.044715) * x * x) / 2;
        }
    }
    refuse(activation);
}

/// Y = X W + b      X [N, D], W [D, F], b [F], Y [N, F]
template <class T>
void affine(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
            TensorView<const T, 1> b) {
    times<T>(Y, X, W);
    for (int i = 0; i < Y.size(0); ++i)
        for (int f = 0; f < Y.size(1); ++f) Y(i, f) += b(f);
}

}  // namespace

template <class T>
void softmax_backward(TensorView<T, 2> dX, TensorView<const T, 2> dY, TensorView<const T, 2> X) {
    Owned<T, 2> Y(X.size(0), X.size(1));
    softmax<T>(Y.view, X);
    weights_to_scores<T>(dX, dY, Y.view);
}

template <class T>
void scaled_dot_product_attention_backward(TensorView<T, 3> dQ, TensorView<T, 3> dK, TensorView<T, 3> dV,
                                           TensorView<const T, 3> dY, TensorView<const T, 3> Q,
                                           TensorView<const T, 3> K, TensorView<const T, 3> V) {
    // A = softmax(Q K^T / sqrt(D_q)), once more
    Owned<T, 3> A(Q.size(0), Q.size(1), K.size(1)), Y(Q.size(0), Q.size(1), V.size(2));
    scaled_dot_product_attention<T>(Y.view, A.view, Q, K, V);
    attention_gradients<T>(dQ, dK, dV, dY, Q, K, V, A.view);
}

template <class T>
void masked_attention_backward(TensorView<T, 3> dQ, TensorView<T, 3> dK, TensorView<T, 3> dV,
                               TensorView<const T, 3> dY, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                               TensorView<const T, 3> V, TensorView<const std::uint8_t, 3> mask) {
    Owned<T, 3> A(Q.size(0), Q.size(1), K.size(1)), Y(Q.size(0), Q.size(1), V.size(2));
    masked_attention<T>(Y.view, A.view, Q, K, V, mask);
    attention_gradients<T>(dQ, dK, dV, dY, Q, K, V, A.view);
}

template <class T>
void self_attention_backward(TensorView<T, 3> dX, TensorView<T, 2> dW_Q, TensorView<T, 2> dW_K,
                             TensorView<T, 2> dW_V, TensorView<const T, 3> dY, TensorView<const T, 3> X,
                             TensorView<const T, 2> W_Q, TensorView<const T, 2> W_K,
                             TensorView<const T, 2> W_V) {
    const int B = X.size(0), N = X.size(1), D_q = W_Q.size(1), D_v = W_V.size(1);
    // Q = X W_Q, K = X W_K, V = X W_V
    Owned<T, 3> Q(B, N, D_q), K(B, N, D_q), V(B, N, D_v);
    times<T>(flat<T>(Q.view), flat<const T>(X), W_Q);
    times<T>(flat<T>(K.view), flat<const T>(X), W_K);
    times<T>(flat<T>(V.view), flat<const T>(X), W_V);
    Owned<T, 3> dQ(B, N, D_q), dK(B, N, D_q), dV(B, N, D_v);
    scaled_dot_product_attention_backward<T>(dQ.view, dK.view, dV.view, dY, Q.view, K.view, V.view);
    // dX = dQ W_Q^T + dK W_K^T + dV W_V^T
    Owned<T, 3> from_K(B, N, X.size(2)), from_V(B, N, X.size(2));
    input_gradient<T>(flat<T>(dX), flat<const T>(dQ.view), W_Q);
    input_gradient<T>(flat<T>(from_K.view), flat<const T>(dK.view), W_K);
    input_gradient<T>(flat<T>(from_V.view), flat<const T>(dV.view), W_V);
    accumulate<T>(flat<T>(dX), flat<const T>(from_K.view));
    accumulate<T>(flat<T>(dX), flat<const T>(from_V.view));
    // dW = sum_b X[b]^T dQ[b], and so on
    weight_gradient<T>(dW_Q, flat<const T>(X), flat<const T>(dQ.view));
    weight_gradient<T>(dW_K, flat<const T>(X), flat<const T>(dK.view));
    weight_gradient<T>(dW_V, flat<const T>(X), flat<const T>(dV.view));
}

template <class T>
void multi_head_attention_backward(TensorView<T, 3> dX_q, TensorView<T, 3> dX_kv,
                                   const MultiHeadGradients<T>& gradients, TensorView<const T, 3> dY,
                                   TensorView<const T, 3> X_q, TensorView<const T, 3> X_kv,
                                   const MultiHeadWeights<T>& weights, TensorView<const std::uint8_t, 3> mask,
                                   int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    const int D_h = head_width(D, H);

    // Forward once more: Q, K, V, and every head's O_h
    Owned<T, 3> Q(B, N_q, D), K(B, N_k, D), V(B, N_k, D), O(B, N_q, D);
    affine<T>(flat<T>(Q.view), flat<const T>(X_q), weights.W_Q, weights.b_Q);
    affine<T>(flat<T>(K.view), flat<const T>(X_kv), weights.W_K, weights.b_K);
    affine<T>(flat<T>(V.view), flat<const T>(X_kv), weights.W_V, weights.b_V);
    Owned<T, 4> Q_heads(B, H, N_q, D_h), K_heads(B, H, N_k, D_h), V_heads(B, H, N_k, D_h);
    split_heads<T>(Q_heads.view, Q.view);
    split_heads<T>(K_heads.view, K.view);
    split_heads<T>(V_heads.view, V.view);

    // dO = dY W_O^T, with the heads side by side
    Owned<T, 3> dO(B, N_q, D);
    input_gradient<T>(flat<T>(dO.view), flat<const T>(dY), weights.W_O);
    Owned<T, 4> dO_heads(B, H, N_q, D_h);
    split_heads<T>(dO_heads.view, dO.view);

    // Every head is one attention of its own.
    Owned<T, 4> O_heads(B, H, N_q, D_h);
    Owned<T, 4> dQ_heads(B, H, N_q, D_h), dK_heads(B, H, N_k, D_h), dV_heads(B, H, N_k, D_h);
    for (int b = 0; b < B; ++b) {
        for (int h = 0; h < H; ++h) {
            const TensorView<T, 3> O_h = alone(O_heads.view[b][h]), dQ_h = alone(dQ_heads.view[b][h]),
                                   dK_h = alone(dK_heads.view[b][h]), dV_h = alone(dV_heads.view[b][h]);
            const TensorView<const T, 3> Q_h = alone(Q_heads.view[b][h]), K_h = alone(K_heads.view[b][h]),
                                         V_h = alone(V_heads.view[b][h]), dO_h = alone(dO_heads.view[b][h]);
            if (mask) {
                masked_attention<T>(O_h, {}, Q_h, K_h, V_h, alone(mask[b]));
                masked_attention_backward<T>(dQ_h, dK_h, dV_h, dO_h, Q_h, K_h, V_h, alone(mask[b]));
            } else {
                scaled_dot_product_attention<T>(O_h, {}, Q_h, K_h, V_h);
                scaled_dot_product_attention_backward<T>(dQ_h, dK_h, dV_h, dO_h, Q_h, K_h, V_h);
            }
        }
    }
    Owned<T, 3> dQ(B, N_q, D), dK(B, N_k, D), dV(B, N_k, D);
    merge_heads<T>(O.view, O_heads.view);
    merge_heads<T>(dQ.view, dQ_heads.view);
    merge_heads<T>(dK.view, dK_heads.view);
    merge_heads<T>(dV.view, dV_heads.view);

    // dX_q = dQ W_Q^T, dX_kv = dK W_K^T + dV W_V^T
    Owned<T, 3> from_V(B, N_k, D);
    input_gradient<T>(flat<T>(dX_q), flat<const T>(dQ.view), weights.W_Q);
    input_gradient<T>(flat<T>(dX_kv), flat<const T>(dK.view), weights.W_K);
    input_gradient<T>(flat<T>(from_V.view), flat<const T>(dV.view), weights.W_V);
    accumulate<T>(flat<T>(dX_kv), flat<const T>(from_V.view));

    // dW_Q = X_q^T dQ, dW_K = X_kv^T dK, dW_V = X_kv^T dV, dW_O = O^T dY. Each weight met all rows of all batches.
    weight_gradient<T>(gradients.dW_Q, flat<const T>(X_q), flat<const T>(dQ.view));
    weight_gradient<T>(gradients.dW_K, flat<const T>(X_kv), flat<const T>(dK.view));
    weight_gradient<T>(gradients.dW_V, flat<const T>(X_kv), flat<const T>(dV.view));
    weight_gradient<T>(gradients.dW_O, flat<const T>(O.view), flat<const T>(dY));
    // db_Q = sum of the rows of dQ, db_K = that of dK, db_V = that of dV, db_O = that of dY
    bias_gradient<T>(gradients.db_Q, flat<const T>(dQ.view));
    bias_gradient<T>(gradients.db_K, flat<const T>(dK.view));
    bias_gradient<T>(gradients.db_V, flat<const T>(dV.view));
    bias_gradient<T>(gradients.db_O, flat<const T>(dY));
}

template <class T>
void layer_norm_backward(TensorView<T, 2> dX, TensorView<T, 1> dgamma, TensorView<T, 1> dbeta,
                         TensorView<const T, 2> dY, TensorView<const T, 2> X, TensorView<const T, 1> gamma,
                         [[maybe_unused]] TensorView<const T, 1> beta, T eps) {
    const int N = X.size(0), D = X.size(1);
    Owned<T, 2> normalised(N, D);
    const TensorView<T, 2> x_hat = normalised.view;
    for (int i = 0; i < N; ++i) {
        // mu = 1/D sum_d x_d, var = 1/D sum_d (x_d - mu)^2, sigma = sqrt(var + eps)
        T mu = 0;
        for (int d = 0; d < D; ++d) mu += X(i, d);
        mu /= static_cast<T>(D);
        T var = 0;
        for (int d = 0; d < D; ++d) var += (X(i, d) - mu) * (X(i, d) - mu);
        var /= static_cast<T>(D);
        const T sigma = std::sqrt(var + eps);
        for (int d = 0; d < D; ++d) x_hat(i, d) = (X(i, d) - mu) / sigma;
        // mean_g = 1/D sum_d g_d, mean_gx = 1/D sum_d g_d x_hat_d, g = dY gamma
        T mean_g = 0, mean_gx = 0;
        for (int d = 0; d < D; ++d) {
            mean_g += dY(i, d) * gamma(d);
            mean_gx += dY(i, d) * gamma(d) * x_hat(i, d);
        }
        mean_g /= static_cast<T>(D);
        mean_gx /= static_cast<T>(D);
        // dx_d = (g_d - mean_g - x_hat_d mean_gx) / sigma
        for (int d = 0; d < D; ++d) dX(i, d) = (dY(i, d) * gamma(d) - mean_g - x_hat(i, d) * mean_gx) / sigma;
    }
    // dgamma = sum_i dY x_hat, dbeta = sum_i dY
    for (int d = 0; d < D; ++d) {
        T sum_x = 0, sum = 0;
        for (int i = 0; i < N; ++i) {
            sum_x += dY(i, d) * x_hat(i, d);
            sum += dY(i, d);
        }
        dgamma(d) = sum_x;
        dbeta(d) = sum;
    }
}

template <class T>
void feed_forward_backward(TensorView<T, 2> dX, TensorView<T, 2> dW_1, TensorView<T, 1> db_1,
                           TensorView<T, 2> dW_2, TensorView<T, 1> db_2, TensorView<const T, 2> dY,
                           TensorView<const T, 2> X, TensorView<const T, 2> W_1, TensorView<const T, 1> b_1,
                           TensorView<const T, 2> W_2, [[maybe_unused]] TensorView<const T, 1> b_2,
                           Activation activation) {
    const int N = X.size(0), F = W_1.size(1);
    // U = X W_1 + b_1, M = activation(U)
    Owned<T, 2> sums(N, F), hidden(N, F), dsums(N, F);
    const TensorView<T, 2> U = sums.view, M = hidden.view, dU = dsums.view;
    affine<T>(U, X, W_1, b_1);
    for (int i = 0; i < N; ++i)
        for (int f = 0; f < F; ++f) M(i, f) = activation_of<T>(U(i, f), activation);
    // dU = (dY W_2^T) activation'(U)
    input_gradient<T>(dU, dY, W_2);
    for (int i = 0; i < N; ++i)
        for (int f = 0; f < F; ++f) dU(i, f) *= slope_of<T>(U(i, f), activation);
    // dX = dU W_1^T
    input_gradient<T>(dX, dU, W_1);
    // dW_1 = X^T dU, dW_2 = M^T dY
    weight_gradient<T>(dW_1, X, dU);
    weight_gradient<T>(dW_2, M, dY);
    // db_1 = sum_i dU, db_2 = sum_i dY
    bias_gradient<T>(db_1, dU);
    bias_gradient<T>(db_2, dY);
}

template <class T>
void transformer_block_backward(TensorView<T, 3> dX, const BlockGradients<T>& gradients,
                                TensorView<const T, 3> dY, TensorView<const T, 3> X,
                                const BlockWeights<T>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                                Norm norm, Activation activation, T eps) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    Owned<T, 3> after_attention(B, N, D), normed(B, N, D), last(B, N, D);
    Owned<T, 3> dafter_attention(B, N, D), dnormed(B, N, D), dlast(B, N, D), keys(B, N, D);
    const TensorView<T, 3> dkeys = keys.view;
    const auto norm_1 = [&](TensorView<T, 3> to, TensorView<const T, 3> from) {
        layer_norm<T>(flat<T>(to), flat<const T>(from), weights.gamma_1, weights.beta_1, eps);
    };
    const auto norm_1_backward = [&](TensorView<T, 3> dfrom, TensorView<const T, 3> dto,
                                     TensorView<const T, 3> from) {
        layer_norm_backward<T>(flat<T>(dfrom), gradients.dgamma_1, gradients.dbeta_1, flat<const T>(dto),
                               flat<const T>(from), weights.gamma_1, weights.beta_1, eps);
    };
    const auto norm_2 = [&](TensorView<T, 3> to, TensorView<const T, 3> from) {
        layer_norm<T>(flat<T>(to), flat<const T>(from), weights.gamma_2, weights.beta_2, eps);
    };
    const auto norm_2_backward = [&](TensorView<T, 3> dfrom, TensorView<const T, 3> dto,
                                     TensorView<const T, 3> from) {
        layer_norm_backward<T>(flat<T>(dfrom), gradients.dgamma_2, gradients.dbeta_2, flat<const T>(dto),
                               flat<const T>(from), weights.gamma_2, weights.beta_2, eps);
    };
    const auto feed_backward = [&](TensorView<T, 3> dfrom, TensorView<const T, 3> dto,
                                   TensorView<const T, 3> from) {
        feed_forward_backward<T>(flat<T>(dfrom), gradients.dW_1, gradients.db_1, gradients.dW_2,
                                 gradients.db_2, flat<const T>(dto), flat<const T>(from), weights.W_1,
                                 weights.b_1, weights.W_2, weights.b_2, activation);
    };
    // dfrom: MHA(from, from) has two paths from it
    const auto attend_backward = [&](TensorView<T, 3> dfrom, TensorView<const T, 3> dto,
                                     TensorView<const T, 3> from) {
        multi_head_attention_backward<T>(dfrom, dkeys, gradients.attention, dto, from, from,
                                         weights.attention, mask, H);
        accumulate<T>(flat<T>(dfrom), flat<const T>(dkeys));
    };
    if (norm == Norm::post) {
        // Forward: R = X + MHA(X), Z = LN_1(R), S = Z + FF(Z), Y = LN_2(S)
        const TensorView<T, 3> R = after_attention.view, Z = normed.view, S = last.view;
        const TensorView<T, 3> dR = dafter_attention.view, dZ = dnormed.view, dS = dlast.view;
        multi_head_attention<T>(R, X, X, weights.attention, mask, H);
        accumulate<T>(flat<T>(R), flat<const T>(X));
        norm_1(Z, R);
        feed_forward<T>(flat<T>(S), flat<const T>(Z), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                        activation);
        accumulate<T>(flat<T>(S), flat<const T>(Z));
        // dS through LN_2, dZ = dS + the way through FF
        norm_2_backward(dS, dY, S);
        feed_backward(dZ, dS, Z);
        accumulate<T>(flat<T>(dZ), flat<const T>(dS));
        // dR through LN_1, dX = dR + the way through MHA
        norm_1_backward(dR, dZ, R);
        attend_backward(dX, dR, X);
        accumulate<T>(flat<T>(dX), flat<const T>(dR));
    } else {
        // Forward: U_1 = LN_1(X), Z = X + MHA(U_1), U_2 = LN_2(Z), Y = Z + FF(U_2)
        const TensorView<T, 3> U_1 = normed.view, Z = after_attention.view, U_2 = last.view;
        const TensorView<T, 3> dU_1 = dnormed.view, dZ = dafter_attention.view, dU_2 = dlast.view;
        norm_1(U_1, X);
        multi_head_attention<T>(Z, U_1, U_1, weights.attention, mask, H);
        accumulate<T>(flat<T>(Z), flat<const T>(X));
        norm_2(U_2, Z);
        // dZ = dY + the way through FF and LN_2
        feed_backward(dU_2, dY, U_2);
        norm_2_backward(dZ, dU_2, Z);
        accumulate<T>(flat<T>(dZ), flat<const T>(dY));
        // dX = dZ + the way through MHA and LN_1
        attend_backward(dU_1, dZ, U_1);
        norm_1_backward(dX, dU_1, X);
        accumulate<T>(flat<T>(dX), flat<const T>(dZ));
    }
}

template <class T>
void embed_patches_backward(TensorView<T, 4> dX, TensorView<T, 2> dE, TensorView<T, 1> db,
                            TensorView<T, 1> dcls, TensorView<T, 2> dE_pos, TensorView<const T, 3> dZ,
                            TensorView<const T, 4> X, TensorView<const T, 2> E,
                            [[maybe_unused]] TensorView<const T, 1> b,
                            [[maybe_unused]] TensorView<const T, 1> cls,
                            [[maybe_unused]] TensorView<const T, 2> E_pos, int P) {
    const int B = X.size(0), D = E.size(1), features = E.size(0), N = dZ.size(1) - 1;
    require_whole_patches(X.size(2), X.size(3), P);
    Owned<T, 3> cut(B, N, features), dcut(B, N, features);
    const TensorView<T, 3> patches = cut.view, dpatches = dcut.view;
    patchify<T>(patches, X, P);
    // dE = sum_b sum_i patches[b, i]^T dZ[b, i + 1]
    for (int f = 0; f < features; ++f) {
        for (int d = 0; d < D; ++d) {
            T sum = 0;
            for (int image = 0; image < B; ++image)
                for (int i = 0; i < N; ++i) sum += patches(image, i, f) * dZ(image, i + 1, d);
            dE(f, d) = sum;
        }
    }
    for (int d = 0; d < D; ++d) {
        // db = sum_b sum_i dZ[b, i + 1], dcls = sum_b dZ[b, 0]
        T sum_b = 0, sum_cls = 0;
        for (int image = 0; image < B; ++image) {
            for (int i = 0; i < N; ++i) sum_b += dZ(image, i + 1, d);
            sum_cls += dZ(image, 0, d);
        }
        db(d) = sum_b;
        dcls(d) = sum_cls;
        // dE_pos = sum_b dZ[b]
        for (int i = 0; i <= N; ++i) {
            T sum_pos = 0;
            for (int image = 0; image < B; ++image) sum_pos += dZ(image, i, d);
            dE_pos(i, d) = sum_pos;
        }
    }
    // dX = unpatchify of dZ[b, i + 1] E^T
    for (int image = 0; image < B; ++image) {
        for (int i = 0; i < N; ++i) {
            for (int f = 0; f < features; ++f) {
                T sum = 0;
                for (int d = 0; d < D; ++d) sum += dZ(image, i + 1, d) * E(f, d);
                dpatches(image, i, f) = sum;
            }
        }
    }
    unpatchify<T>(dX, dpatches, P);
}

template <class T>
void cross_entropy_backward(TensorView<T, 3> dlogits, TensorView<const T, 1> dloss,
                            TensorView<const T, 3> logits, TensorView<const int, 2> targets, T smoothing) {
    const int B = logits.size(0), N = logits.size(1), V = logits.size(2);
    int counted = 0;
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            require_inside(targets(b, i), -1, V);
            counted += targets(b, i) != -1 ? 1 : 0;
        }
    }
    Owned<T, 2> probabilities(N, V);
    const TensorView<T, 2> p = probabilities.view;
    for (int b = 0; b < B; ++b) {
        softmax<T>(p, logits[b]);
        for (int i = 0; i < N; ++i) {
            for (int v = 0; v < V; ++v) {
                // q = (1 - smoothing) [v = target] + smoothing / V
                const T q = (v == targets(b, i) ? 1 - smoothing : T(0)) + smoothing / static_cast<T>(V);
                // dlogits = dloss (p - q) / n
                dlogits(b, i, v) =
                    targets(b, i) == -1 ? T(0) : dloss(0) * (p(i, v) - q) / static_cast<T>(counted);
            }
        }
    }
}

}  // namespace attn::cpu

#include "contracts/backward_instances.h"
