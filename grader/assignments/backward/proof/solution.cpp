// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "backward.h"
#include "masking.h"
#include "vit_patching.h"

namespace attn {

using Numbers = std::vector<float>;
using Matrix = TensorView<float, 2>;
using In = TensorView<const float, 2>;
using Row = TensorView<float, 1>;

template <class View>
static void zero(View x) {
    std::fill(x.data(), x.data() + x.count(), 0.0f);
}

/// C += A B
static void add_AB(Matrix C, In A, In B) {
    for (int i = 0; i < C.size(0); i++)
        for (int k = 0; k < A.size(1); k++)
            for (int j = 0; j < C.size(1); j++) C(i, j) += A(i, k) * B(k, j);
}

/// C += A B^T: how a gradient comes back through a matrix
static void add_ABt(Matrix C, In A, In B) {
    for (int i = 0; i < C.size(0); i++)
        for (int j = 0; j < C.size(1); j++)
            for (int k = 0; k < A.size(1); k++) C(i, j) += A(i, k) * B(j, k);
}

/// C += A^T B: the gradient of a matrix
static void add_AtB(Matrix C, In A, In B) {
    for (int k = 0; k < A.size(0); k++)
        for (int i = 0; i < C.size(0); i++)
            for (int j = 0; j < C.size(1); j++) C(i, j) += A(k, i) * B(k, j);
}

/// b += the sum of the rows of A: the gradient of a bias
static void add_rows(Row b, In A) {
    for (int i = 0; i < A.size(0); i++)
        for (int d = 0; d < A.size(1); d++) b(d) += A(i, d);
}

/// C = A W + b
static void affine(Matrix C, In A, In W, TensorView<const float, 1> b) {
    for (int i = 0; i < C.size(0); i++)
        for (int d = 0; d < C.size(1); d++) C(i, d) = b(d);
    add_AB(C, A, W);
}

template <class T>
static TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

void softmax_backward(Matrix dX, In dY, In X) {
    const int N = X.size(0), D = X.size(1);
    Numbers y(D);
    for (int i = 0; i < N; i++) {
        float top = X(i, 0), total = 0, dot = 0;
        for (int j = 1; j < D; j++) top = std::max(top, X(i, j));
        for (int j = 0; j < D; j++) total += y[j] = std::exp(X(i, j) - top);
        for (int j = 0; j < D; j++) {
            y[j] /= total;
            dot += dY(i, j) * y[j];
        }
        for (int j = 0; j < D; j++) dX(i, j) = y[j] * (dY(i, j) - dot);
    }
}

void scaled_dot_product_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK,
                                           TensorView<float, 3> dV, TensorView<const float, 3> dY,
                                           TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                           TensorView<const float, 3> V) {
    const int B = Q.size(0), N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    const float root = std::sqrt(float(D_q));
    Numbers a(N_k), da(N_k);
    zero(dQ), zero(dK), zero(dV);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N_q; i++) {
            // the weights of query i once more
            float top = -INFINITY, total = 0, mean = 0;
            for (int j = 0; j < N_k; j++) {
                a[j] = 0;
                for (int d = 0; d < D_q; d++) a[j] += Q(b, i, d) * K(b, j, d);
                a[j] /= root;
                top = std::max(top, a[j]);
            }
            for (int j = 0; j < N_k; j++) total += a[j] = std::exp(a[j] - top);
            for (int j = 0; j < N_k; j++) {
                a[j] /= total;
                da[j] = 0;
                for (int d = 0; d < D_v; d++) da[j] += dY(b, i, d) * V(b, j, d);
                mean += a[j] * da[j];
            }
            for (int j = 0; j < N_k; j++) {
                const float de = a[j] * (da[j] - mean);
                for (int d = 0; d < D_q; d++) {
                    dQ(b, i, d) += de * K(b, j, d) / root;
                    dK(b, j, d) += de * Q(b, i, d) / root;
                }
                for (int d = 0; d < D_v; d++) dV(b, j, d) += a[j] * dY(b, i, d);
            }
        }
}

void masked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                               TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                               TensorView<const float, 3> K, TensorView<const float, 3> V,
                               TensorView<const std::uint8_t, 3> mask) {
    const int B = Q.size(0), N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1);
    Numbers weights(N_q * N_k), gradients(N_q * N_k);
    Matrix A(weights.data(), N_q, N_k), dE(gradients.data(), N_q, N_k);
    zero(dQ), zero(dK), zero(dV);
    for (int b = 0; b < B; b++) {
        zero(A), zero(dE);
        add_ABt(A, Q[b], K[b]);
        for (float& e : weights) e /= std::sqrt(float(D_q));
        masked_softmax(A, A, mask[b]);
        add_ABt(dE, dY[b], V[b]);  // dA
        for (int i = 0; i < N_q; i++) {
            float mean = 0;
            for (int j = 0; j < N_k; j++) mean += A(i, j) * dE(i, j);
            for (int j = 0; j < N_k; j++) dE(i, j) = A(i, j) * (dE(i, j) - mean) / std::sqrt(float(D_q));
        }
        add_AB(dQ[b], dE, K[b]);
        add_AtB(dK[b], dE, Q[b]);
        add_AtB(dV[b], A, dY[b]);
    }
}

void self_attention_backward(TensorView<float, 3> dX, Matrix dW_Q, Matrix dW_K, Matrix dW_V,
                             TensorView<const float, 3> dY, TensorView<const float, 3> X, In W_Q, In W_K,
                             In W_V) {
    const int B = X.size(0), N = X.size(1), D_q = W_Q.size(1), D_v = W_V.size(1);
    Numbers q(B * N * D_q), k(q), v(B * N * D_v), dq(q), dk(q), dv(v);
    TensorView<float, 3> Q(q.data(), B, N, D_q), K(k.data(), B, N, D_q), V(v.data(), B, N, D_v),
        dQ(dq.data(), B, N, D_q), dK(dk.data(), B, N, D_q), dV(dv.data(), B, N, D_v);
    add_AB(rows(Q), rows(X), W_Q);
    add_AB(rows(K), rows(X), W_K);
    add_AB(rows(V), rows(X), W_V);
    scaled_dot_product_attention_backward(dQ, dK, dV, dY, Q, K, V);
    zero(dX), zero(dW_Q), zero(dW_K), zero(dW_V);
    add_ABt(rows(dX), rows(dQ), W_Q);
    add_ABt(rows(dX), rows(dK), W_K);
    add_ABt(rows(dX), rows(dV), W_V);
    add_AtB(dW_Q, rows(X), rows(dQ));
    add_AtB(dW_K, rows(X), rows(dK));
    add_AtB(dW_V, rows(X), rows(dV));
}

void multi_head_attention_backward(TensorView<float, 3> dX_q, TensorView<float, 3> dX_kv,
                                   const MultiHeadGradients<float>& g, TensorView<const float, 3> dY,
                                   TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                   const MultiHeadWeights<float>& w, TensorView<const std::uint8_t, 3> mask,
                                   int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    if (D % H != 0) throw std::invalid_argument("H does not divide D");
    const int width = D / H;
    zero(dX_q), zero(dX_kv);
    zero(g.dW_Q), zero(g.db_Q), zero(g.dW_K), zero(g.db_K);
    zero(g.dW_V), zero(g.db_V), zero(g.dW_O), zero(g.db_O);
    for (int b = 0; b < B; b++) {
        Numbers memory((4 * N_q + 4 * N_k) * D);
        const auto part = [&](int first, int N) { return Matrix(memory.data() + first * D, N, D); };
        Matrix Q = part(0, N_q), O = part(N_q, N_q), dQ = part(2 * N_q, N_q), dO = part(3 * N_q, N_q);
        Matrix K = part(4 * N_q, N_k), V = part(4 * N_q + N_k, N_k), dK = part(4 * N_q + 2 * N_k, N_k),
               dV = part(4 * N_q + 3 * N_k, N_k);
        affine(Q, X_q[b], w.W_Q, w.b_Q);
        affine(K, X_kv[b], w.W_K, w.b_K);
        affine(V, X_kv[b], w.W_V, w.b_V);
        add_ABt(dO, dY[b], w.W_O);
        std::vector<std::uint8_t> allowed(N_q * N_k, 1);
        if (mask) std::copy(mask[b].data(), mask[b].data() + N_q * N_k, allowed.data());
        TensorView<const std::uint8_t, 3> M(allowed.data(), 1, N_q, N_k);
        for (int h = 0; h < H; h++) {
            Numbers of_head((4 * N_q + 4 * N_k) * width);
            const auto head = [&](int first, int N) {
                return TensorView<float, 3>(of_head.data() + first * width, 1, N, width);
            };
            const auto take = [&](TensorView<float, 3> to, Matrix from) {
                for (int i = 0; i < from.size(0); i++)
                    for (int d = 0; d < width; d++) to(0, i, d) = from(i, h * width + d);
            };
            const auto put = [&](Matrix to, TensorView<float, 3> from) {
                for (int i = 0; i < to.size(0); i++)
                    for (int d = 0; d < width; d++) to(i, h * width + d) = from(0, i, d);
            };
            auto Q_h = head(0, N_q), O_h = head(N_q, N_q), dQ_h = head(2 * N_q, N_q),
                 dO_h = head(3 * N_q, N_q);
            auto K_h = head(4 * N_q, N_k), V_h = head(4 * N_q + N_k, N_k),
                 dK_h = head(4 * N_q + 2 * N_k, N_k), dV_h = head(4 * N_q + 3 * N_k, N_k);
            take(Q_h, Q), take(K_h, K), take(V_h, V), take(dO_h, dO);
            masked_attention(O_h, {}, Q_h, K_h, V_h, M);
            masked_attention_backward(dQ_h, dK_h, dV_h, dO_h, Q_h, K_h, V_h, M);
            put(O, O_h), put(dQ, dQ_h), put(dK, dK_h), put(dV, dV_h);
        }
        add_ABt(dX_q[b], dQ, w.W_Q);
        add_ABt(dX_kv[b], dK, w.W_K);
        add_ABt(dX_kv[b], dV, w.W_V);
        add_AtB(g.dW_Q, X_q[b], dQ);
        add_AtB(g.dW_K, X_kv[b], dK);
        add_AtB(g.dW_V, X_kv[b], dV);
        add_AtB(g.dW_O, O, dY[b]);
        add_rows(g.db_Q, dQ);
        add_rows(g.db_K, dK);
        add_rows(g.db_V, dV);
        add_rows(g.db_O, dY[b]);
    }
}

void layer_norm_backward(Matrix dX, Row dgamma, Row dbeta, In dY, In X, TensorView<const float, 1> gamma,
                         TensorView<const float, 1> beta, float eps) {
    const int N = X.size(0), D = X.size(1);
    zero(dgamma), zero(dbeta);
    Numbers x_hat(D);
    for (int i = 0; i < N; i++) {
        float mu = 0, var = 0, mean_g = 0, mean_gx = 0;
        for (int d = 0; d < D; d++) mu += X(i, d);
        mu /= D;
        for (int d = 0; d < D; d++) var += (X(i, d) - mu) * (X(i, d) - mu) / D;
        const float sigma = std::sqrt(var + eps);
        for (int d = 0; d < D; d++) {
            x_hat[d] = (X(i, d) - mu) / sigma;
            mean_g += dY(i, d) * gamma(d) / D;
            mean_gx += dY(i, d) * gamma(d) * x_hat[d] / D;
            dgamma(d) += dY(i, d) * x_hat[d];
            dbeta(d) += dY(i, d);
        }
        for (int d = 0; d < D; d++) dX(i, d) = (dY(i, d) * gamma(d) - mean_g - x_hat[d] * mean_gx) / sigma;
    }
}

/// The activation of u and its derivative.
static float activate(float u, Activation kind, float& slope) {
    if (kind == Activation::relu) {
        slope = u > 0 ? 1 : 0;
        return u > 0 ? u : 0;
    }
    if (kind == Activation::gelu_erf) {
        const float phi = 0.5f * (1 + std::erf(u / std::sqrt(2.0f)));
        slope = phi + u * std::exp(-u * u / 2) / std::sqrt(2 * 3.14159265f);
        return u * phi;
    }
    const float c = std::sqrt(2 / 3.14159265f), t = std::tanh(c * (u + 0.044715f * u * u * u));
    slope = 0.5f * (1 + t) + 0.5f * u * (1 - t * t) * c * (1 + 3 * 0.044715f * u * u);
    return 0.5f * u * (1 + t);
}

void feed_forward_backward(Matrix dX, Matrix dW_1, Row db_1, Matrix dW_2, Row db_2, In dY, In X, In W_1,
                           TensorView<const float, 1> b_1, In W_2, TensorView<const float, 1> b_2,
                           Activation activation) {
    const int N = X.size(0), F = W_1.size(1);
    Numbers m(N * F), du(N * F);
    Matrix M(m.data(), N, F), dU(du.data(), N, F);
    affine(M, X, W_1, b_1);
    add_ABt(dU, dY, W_2);
    for (int i = 0; i < N; i++)
        for (int f = 0; f < F; f++) {
            float slope;
            M(i, f) = activate(M(i, f), activation, slope);
            dU(i, f) *= slope;
        }
    zero(dX), zero(dW_1), zero(db_1), zero(dW_2), zero(db_2);
    add_ABt(dX, dU, W_1);
    add_AtB(dW_1, X, dU);
    add_rows(db_1, dU);
    add_AtB(dW_2, M, dY);
    add_rows(db_2, dY);
}

void transformer_block_backward(TensorView<float, 3> dX, const BlockGradients<float>& g,
                                TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                const BlockWeights<float>& w, TensorView<const std::uint8_t, 3> mask, int H,
                                Norm norm, Activation activation, float eps) {
    const int B = X.size(0), N = X.size(1), D = X.size(2), count = B * N * D;
    if (D % H != 0) throw std::invalid_argument("H does not divide D");
    Numbers memory(7 * count);
    const auto part = [&](int k) { return TensorView<float, 3>(memory.data() + k * count, B, N, D); };
    auto L1 = part(0), Z = part(1), L2 = part(2), dL = part(3), dZ = part(4), dq = part(5), dkv = part(6);
    const auto add = [&](TensorView<float, 3> to, TensorView<const float, 3> x) {
        for (int k = 0; k < count; k++) to.data()[k] += x.data()[k];
    };
    const auto copy = [&](TensorView<float, 3> to, TensorView<const float, 3> x) {
        std::copy(x.data(), x.data() + count, to.data());
    };
    const auto attend_back = [&](TensorView<float, 3> to, TensorView<const float, 3> from,
                                 TensorView<const float, 3> at) {
        multi_head_attention_backward(dq, dkv, g.attention, from, at, at, w.attention, mask, H);
        copy(to, dq), add(to, dkv);
    };
    const auto feed_back = [&](TensorView<float, 3> to, TensorView<const float, 3> from,
                               TensorView<const float, 3> at) {
        feed_forward_backward(rows(to), g.dW_1, g.db_1, g.dW_2, g.db_2, rows(from), rows(at), w.W_1, w.b_1,
                              w.W_2, w.b_2, activation);
    };
    if (norm == Norm::pre) {
        // L1 = LN_1(X), Z = X + MHA(L1), L2 = LN_2(Z), Y = Z + FF(L2)
        layer_norm(rows(L1), rows(X), w.gamma_1, w.beta_1, eps);
        multi_head_attention(Z, L1, L1, w.attention, mask, H);
        add(Z, X);
        layer_norm(rows(L2), rows(Z), w.gamma_2, w.beta_2, eps);
        feed_back(dL, dY, L2);
        layer_norm_backward(rows(dZ), g.dgamma_2, g.dbeta_2, rows(dL), rows(Z), w.gamma_2, w.beta_2, eps);
        add(dZ, dY);  // the residual around the feed-forward
        attend_back(dL, dZ, L1);
        layer_norm_backward(rows(dX), g.dgamma_1, g.dbeta_1, rows(dL), rows(X), w.gamma_1, w.beta_1, eps);
        add(dX, dZ);  // the residual around the attention
    } else {
        // Z = X + MHA(X), L1 = LN_1(Z), L2 = L1 + FF(L1), Y = LN_2(L2)
        multi_head_attention(Z, X, X, w.attention, mask, H);
        add(Z, X);
        layer_norm(rows(L1), rows(Z), w.gamma_1, w.beta_1, eps);
        feed_forward(rows(L2), rows(L1), w.W_1, w.b_1, w.W_2, w.b_2, activation);
        add(L2, L1);
        layer_norm_backward(rows(dL), g.dgamma_2, g.dbeta_2, rows(dY), rows(L2), w.gamma_2, w.beta_2, eps);
        feed_back(dZ, dL, L1);
        add(dZ, dL);
        layer_norm_backward(rows(dL), g.dgamma_1, g.dbeta_1, rows(dZ), rows(Z), w.gamma_1, w.beta_1, eps);
        attend_back(dX, dL, X);
        add(dX, dL);
    }
}

void embed_patches_backward(TensorView<float, 4> dX, Matrix dE, Row db, Row dcls, Matrix dE_pos,
                            TensorView<const float, 3> dZ, TensorView<const float, 4> X, In E,
                            TensorView<const float, 1> b, TensorView<const float, 1> cls, In E_pos, int P) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3), D = E.size(1);
    if (H % P != 0 || W % P != 0) throw std::invalid_argument("P does not divide the image");
    const int across = W / P;
    zero(dX), zero(dE), zero(db), zero(dcls), zero(dE_pos);
    for (int image = 0; image < B; image++) {
        for (int i = 0; i < dZ.size(1); i++)
            for (int d = 0; d < D; d++) {
                dE_pos(i, d) += dZ(image, i, d);
                (i == 0 ? dcls : db)(d) += dZ(image, i, d);
            }
        for (int c = 0; c < C; c++)
            for (int y = 0; y < H; y++)
                for (int x = 0; x < W; x++) {
                    const int i = y / P * across + x / P, f = (y % P * P + x % P) * C + c;
                    for (int d = 0; d < D; d++) {
                        dX(image, c, y, x) += dZ(image, i + 1, d) * E(f, d);
                        dE(f, d) += X(image, c, y, x) * dZ(image, i + 1, d);
                    }
                }
    }
}

void cross_entropy_backward(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                            TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                            float smoothing) {
    const int B = logits.size(0), N = logits.size(1), V = logits.size(2);
    int count = 0;
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++) {
            if (targets(b, i) < -1 || targets(b, i) >= V) throw std::invalid_argument("no such target");
            if (targets(b, i) != -1) count++;
        }
    zero(dlogits);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++) {
            const int target = targets(b, i);
            if (target == -1) continue;
            float top = logits(b, i, 0), total = 0;
            for (int v = 1; v < V; v++) top = std::max(top, logits(b, i, v));
            for (int v = 0; v < V; v++) total += std::exp(logits(b, i, v) - top);
            for (int v = 0; v < V; v++) {
                const float p = std::exp(logits(b, i, v) - top) / total;
                const float q = (v == target ? 1 - smoothing : 0) + smoothing / V;
                dlogits(b, i, v) = dloss(0) * (p - q) / count;
            }
        }
}

}  // namespace attn
