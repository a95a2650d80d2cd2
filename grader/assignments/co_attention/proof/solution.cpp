#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "co_attention.h"

namespace attn {
namespace {

// One row times W, and b.
std::vector<float> linear(const float* x, TensorView<const float, 2> W, TensorView<const float, 1> b) {
    std::vector<float> y(W.size(1));
    for (int o = 0; o < W.size(1); o++) {
        y[o] = b(o);
        for (int d = 0; d < W.size(0); d++) y[o] += x[d] * W(d, o);
    }
    return y;
}

// The rest of a block for one stream: residual, norm, feed-forward, residual, norm. C is overwritten.
void finish(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<float, 2> C,
            TensorView<const float, 1> gamma_1, TensorView<const float, 1> beta_1,
            TensorView<const float, 2> W_1, TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
            TensorView<const float, 1> b_2, TensorView<const float, 1> gamma_2,
            TensorView<const float, 1> beta_2, float eps) {
    std::vector<float> z(X.count());
    const TensorView<float, 2> Z(z.data(), X.size(0), X.size(1));
    for (int i = 0; i < X.size(0); i++)
        for (int d = 0; d < X.size(1); d++) C(i, d) += X(i, d);
    layer_norm(Z, C, gamma_1, beta_1, eps);
    feed_forward(C, Z, W_1, b_1, W_2, b_2, Activation::gelu_erf);
    for (int i = 0; i < X.size(0); i++)
        for (int d = 0; d < X.size(1); d++) C(i, d) += Z(i, d);
    layer_norm(Y, C, gamma_2, beta_2, eps);
}

template <class T>
TensorView<T, 2> flat(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

// relu of the row x times W, and b.
std::vector<float> pooled(const float* x, TensorView<const float, 2> W, TensorView<const float, 1> b) {
    std::vector<float> p = linear(x, W, b);
    for (float& value : p)
        if (value < 0) value = 0;
    return p;
}

}  // namespace

void embed_regions(TensorView<float, 3> X, TensorView<float, 3> five, TensorView<const float, 3> features,
                   TensorView<const float, 3> boxes, TensorView<const float, 1> width,
                   TensorView<const float, 1> height, const RegionWeights<float>& weights) {
    for (int b = 0; b < X.size(0); b++)
        for (int i = 0; i < X.size(1); i++) {
            const float w = width(b), h = height(b);
            const float x1 = boxes(b, i, 0), y1 = boxes(b, i, 1), x2 = boxes(b, i, 2), y2 = boxes(b, i, 3);
            const float share[5] = {x1 / w, y1 / h, x2 / w, y2 / h, (x2 - x1) * (y2 - y1) / (w * h)};
            for (int k = 0; k < 5 && five; k++) five(b, i, k) = share[k];
            const std::vector<float> seen = linear(&features(b, i, 0), weights.W_f, weights.b_f);
            const std::vector<float> place = linear(share, weights.W_p, weights.b_p);
            for (int d = 0; d < X.size(2); d++) X(b, i, d) = seen[d] + place[d];
        }
}

void co_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X_q,
                  TensorView<const float, 3> X_kv, const CoAttentionWeights<float>& weights,
                  TensorView<const std::uint8_t, 2> mask, int H) {
    const int N_q = X_q.size(1), N_k = X_kv.size(1), D = weights.W_Q.size(1);
    if (H < 1 || D % H != 0) throw std::invalid_argument("heads");
    const int D_h = D / H;
    for (int b = 0; b < X_q.size(0); b++) {
        std::vector<std::vector<float>> K, V;
        for (int j = 0; j < N_k; j++) {
            K.push_back(linear(&X_kv(b, j, 0), weights.W_K, weights.b_K));
            V.push_back(linear(&X_kv(b, j, 0), weights.W_V, weights.b_V));
        }
        for (int i = 0; i < N_q; i++) {
            const std::vector<float> q = linear(&X_q(b, i, 0), weights.W_Q, weights.b_Q);
            std::vector<float> o(D);
            for (int h = 0; h < H; h++) {
                std::vector<float> a(N_k);
                float top = -INFINITY, sum = 0;
                for (int j = 0; j < N_k; j++) {
                    float dot = 0;
                    for (int d = h * D_h; d < (h + 1) * D_h; d++) dot += q[d] * K[j][d];
                    a[j] = dot / std::sqrt(float(D_h));
                    if (mask && mask(b, j) == 0) a[j] = -INFINITY;
                    if (a[j] > top) top = a[j];
                }
                for (int j = 0; j < N_k; j++) {
                    a[j] = a[j] == -INFINITY ? 0 : std::exp(a[j] - top);
                    sum += a[j];
                }
                for (int j = 0; j < N_k; j++) {
                    if (sum > 0) a[j] /= sum;
                    if (A) A(b, h, i, j) = a[j];
                    for (int d = h * D_h; d < (h + 1) * D_h; d++) o[d] += a[j] * V[j][d];
                }
            }
            const std::vector<float> y = linear(o.data(), weights.W_O, weights.b_O);
            for (int d = 0; d < Y.size(2); d++) Y(b, i, d) = y[d];
        }
    }
}

void co_attention_block(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w, TensorView<const float, 3> X_r,
                        TensorView<const float, 3> X_w, const CoBlockWeights<float>& w,
                        TensorView<const std::uint8_t, 2> mask_r, TensorView<const std::uint8_t, 2> mask_w,
                        int H, float eps) {
    std::vector<float> r(Y_r.count()), s(Y_w.count());
    const TensorView<float, 3> C_r(r.data(), Y_r.size(0), Y_r.size(1), Y_r.size(2));
    const TensorView<float, 3> C_w(s.data(), Y_w.size(0), Y_w.size(1), Y_w.size(2));
    const CoAttentionWeights<float> asks_words = {w.W_Q_r, w.b_Q_r, w.W_K_w, w.b_K_w,
                                                  w.W_V_w, w.b_V_w, w.W_O_r, w.b_O_r};
    const CoAttentionWeights<float> asks_regions = {w.W_Q_w, w.b_Q_w, w.W_K_r, w.b_K_r,
                                                    w.W_V_r, w.b_V_r, w.W_O_w, w.b_O_w};
    co_attention(C_r, {}, X_r, X_w, asks_words, mask_w, H);
    co_attention(C_w, {}, X_w, X_r, asks_regions, mask_r, H);
    finish(flat(Y_r), flat(X_r), flat(C_r), w.gamma_1_r, w.beta_1_r, w.W_1_r, w.b_1_r, w.W_2_r, w.b_2_r,
           w.gamma_2_r, w.beta_2_r, eps);
    finish(flat(Y_w), flat(X_w), flat(C_w), w.gamma_1_w, w.beta_1_w, w.W_1_w, w.b_1_w, w.W_2_w, w.b_2_w,
           w.gamma_2_w, w.beta_2_w, eps);
}

void vision_language_encode(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w,
                            TensorView<const float, 3> features, TensorView<const float, 3> boxes,
                            TensorView<const float, 1> width, TensorView<const float, 1> height,
                            TensorView<const int, 2> tokens, const RegionWeights<float>& regions,
                            TensorView<const float, 2> table, TensorView<const float, 2> P,
                            const CoStackWeights<float>& weights, TensorView<const std::uint8_t, 2> mask_r,
                            TensorView<const std::uint8_t, 2> mask_w, int H, float eps) {
    std::vector<float> r(Y_r.count()), s(Y_w.count());
    const TensorView<float, 3> X_r(r.data(), Y_r.size(0), Y_r.size(1), Y_r.size(2));
    const TensorView<float, 3> X_w(s.data(), Y_w.size(0), Y_w.size(1), Y_w.size(2));
    embed_regions(X_r, {}, features, boxes, width, height, regions);
    embed_tokens(X_w, tokens, table);
    for (int b = 0; b < X_w.size(0); b++)
        for (int i = 0; i < X_w.size(1); i++)
            for (int d = 0; d < X_w.size(2); d++) X_w(b, i, d) += P(i, d);
    for (int l = 0; l < weights.layers(); l++) {
        co_attention_block(Y_r, Y_w, X_r, X_w, weights.layer(l), mask_r, mask_w, H, eps);
        r.assign(Y_r.data(), Y_r.data() + Y_r.count());
        s.assign(Y_w.data(), Y_w.data() + Y_w.count());
    }
}

void alignment_score(TensorView<float, 1> score, TensorView<const float, 3> X_r,
                     TensorView<const float, 3> X_w, TensorView<const float, 2> W_r,
                     TensorView<const float, 1> b_r, TensorView<const float, 2> W_w,
                     TensorView<const float, 1> b_w, TensorView<const float, 1> v,
                     TensorView<const float, 1> c) {
    for (int b = 0; b < score.size(0); b++) {
        const std::vector<float> p = pooled(&X_r(b, 0, 0), W_r, b_r);
        const std::vector<float> s = pooled(&X_w(b, 0, 0), W_w, b_w);
        score(b) = c(0);
        for (int d = 0; d < v.size(0); d++) score(b) += p[d] * s[d] * v(d);
    }
}

}  // namespace attn
