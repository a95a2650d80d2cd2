#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "contracts/co_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out], Y [N, D_out]
template <class T>
void project(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
             TensorView<const T, 1> bias) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int d = 0; d < Y.size(1); ++d) {
            T sum = 0;
            for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
            Y(i, d) = sum + bias(d);
        }
    }
}

/// The five numbers of a box: its edges as shares of the image, and its area
template <class T>
void shares_of_box(TensorView<T, 1> five, TensorView<const T, 1> box, T width, T height) {
    five(0) = box(0) / width;
    five(1) = box(1) / height;
    five(2) = box(2) / width;
    five(3) = box(3) / height;
    five(4) = (box(2) - box(0)) * (box(3) - box(1)) / (width * height);
}

/// O_h = softmax(Q_h K_h^T / sqrt(D/H)) V_h for every head, over the keys that the mask of pair b allows
///   Q, O [N_q, D], K, V [N_k, D], A [H, N_q, N_k]
template <class T>
void attend_to_stream(TensorView<T, 2> O, TensorView<T, 3> A, TensorView<const T, 2> Q,
                      TensorView<const T, 2> K, TensorView<const T, 2> V,
                      TensorView<const std::uint8_t, 2> mask, int b) {
    const int H = A.size(0), N_k = K.size(0), D_h = Q.size(1) / H;
    for (int h = 0; h < H; ++h) {
        for (int i = 0; i < Q.size(0); ++i) {
            // E = Q_h K_h^T / sqrt(D/H), and the largest score that is allowed
            T largest = -std::numeric_limits<T>::infinity();
            for (int j = 0; j < N_k; ++j) {
                T dot = 0;
                for (int d = 0; d < D_h; ++d) dot += Q(i, h * D_h + d) * K(j, h * D_h + d);
                A(h, i, j) = dot / std::sqrt(static_cast<T>(D_h));
                if (!mask || mask(b, j) == 1) largest = std::max(largest, A(h, i, j));
            }
            // A = softmax(E) by rows, 0 where the mask is 0
            T sum = 0;
            for (int j = 0; j < N_k; ++j) {
                A(h, i, j) = !mask || mask(b, j) == 1 ? std::exp(A(h, i, j) - largest) : T(0);
                sum += A(h, i, j);
            }
            for (int j = 0; j < N_k; ++j) A(h, i, j) = sum > 0 ? A(h, i, j) / sum : T(0);
            // O_h = A V_h
            for (int d = 0; d < D_h; ++d) {
                T total = 0;
                for (int j = 0; j < N_k; ++j) total += A(h, i, j) * V(j, h * D_h + d);
                O(i, h * D_h + d) = total;
            }
        }
    }
}

/// With which the regions ask the words: a key is made of a word
template <class T>
CoAttentionWeights<T> regions_to_words(const CoBlockWeights<T>& weights) {
    return {weights.W_Q_r, weights.b_Q_r, weights.W_K_w, weights.b_K_w,
            weights.W_V_w, weights.b_V_w, weights.W_O_r, weights.b_O_r};
}

/// With which the words ask the regions
template <class T>
CoAttentionWeights<T> words_to_regions(const CoBlockWeights<T>& weights) {
    return {weights.W_Q_w, weights.b_Q_w, weights.W_K_r, weights.b_K_r,
            weights.W_V_r, weights.b_V_r, weights.W_O_w, weights.b_O_w};
}

/// Z = LN(X + C)      [N, D]
template <class T>
void add_and_norm(TensorView<T, 2> Z, TensorView<const T, 2> X, TensorView<const T, 2> C,
                  TensorView<const T, 1> gamma, TensorView<const T, 1> beta, T eps) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) Z(i, d) = X(i, d) + C(i, d);
    layer_norm<T>(Z, Z, gamma, beta, eps);
}

/// All vectors of all pairs as the rows of one matrix
template <class T>
TensorView<T, 2> vectors_of(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// p = relu(x W + b)
template <class T>
void pool(TensorView<T, 1> p, TensorView<const T, 1> x, TensorView<const T, 2> W, TensorView<const T, 1> b) {
    for (int d = 0; d < p.size(0); ++d) {
        T sum = b(d);
        for (int k = 0; k < x.size(0); ++k) sum += x(k) * W(k, d);
        p(d) = sum < 0 ? T(0) : sum;
    }
}

}  // namespace

template <class T>
void embed_regions(TensorView<T, 3> X, TensorView<T, 3> five, TensorView<const T, 3> features,
                   TensorView<const T, 3> boxes, TensorView<const T, 1> width, TensorView<const T, 1> height,
                   const RegionWeights<T>& weights) {
    const int N_r = boxes.size(1), D_r = X.size(2);
    Owned<T, 2> numbers(N_r, 5), from_features(N_r, D_r), from_shares(N_r, D_r);
    const TensorView<T, 2> looks = from_features.view, placed = from_shares.view;
    for (int b = 0; b < X.size(0); ++b) {
        const TensorView<T, 2> shares = five ? five[b] : numbers.view;
        for (int i = 0; i < N_r; ++i) shares_of_box<T>(shares[i], boxes[b][i], width(b), height(b));
        // X = features W_f + b_f + five W_p + b_p
        project<T>(looks, features[b], weights.W_f, weights.b_f);
        project<T>(placed, shares, weights.W_p, weights.b_p);
        for (int i = 0; i < N_r; ++i)
            for (int d = 0; d < D_r; ++d) X(b, i, d) = looks(i, d) + placed(i, d);
    }
}

template <class T>
void co_attention(TensorView<T, 3> Y, TensorView<T, 4> A, TensorView<const T, 3> X_q,
                  TensorView<const T, 3> X_kv, const CoAttentionWeights<T>& weights,
                  TensorView<const std::uint8_t, 2> mask, int H) {
    const int N_q = X_q.size(1), N_k = X_kv.size(1), D = weights.W_Q.size(1);
    require_whole_heads(D, H);
    Owned<T, 2> Q(N_q, D), K(N_k, D), V(N_k, D), O(N_q, D);
    Owned<T, 3> scores(H, N_q, N_k);
    for (int b = 0; b < X_q.size(0); ++b) {
        // Q = X_q W_Q + b_Q, K = X_kv W_K + b_K, V = X_kv W_V + b_V
        project<T>(Q.view, X_q[b], weights.W_Q, weights.b_Q);
        project<T>(K.view, X_kv[b], weights.W_K, weights.b_K);
        project<T>(V.view, X_kv[b], weights.W_V, weights.b_V);
        const TensorView<T, 3> A_b = A ? A[b] : scores.view;
        attend_to_stream<T>(O.view, A_b, Q.view, K.view, V.view, mask, b);
        // Y = [O_0, .., O_{H-1}] W_O + b_O
        project<T>(Y[b], O.view, weights.W_O, weights.b_O);
    }
}

template <class T>
void co_attention_block(TensorView<T, 3> Y_r, TensorView<T, 3> Y_w, TensorView<const T, 3> X_r,
                        TensorView<const T, 3> X_w, const CoBlockWeights<T>& weights,
                        TensorView<const std::uint8_t, 2> mask_r, TensorView<const std::uint8_t, 2> mask_w,
                        int H, T eps) {
    const int B = X_r.size(0), N_r = X_r.size(1), N_w = X_w.size(1), D_r = X_r.size(2), D_w = X_w.size(2);
    Owned<T, 3> regions_heard(B, N_r, D_r), words_seen(B, N_w, D_w), regions(B, N_r, D_r), words(B, N_w, D_w);
    const TensorView<T, 3> C_r = regions_heard.view, C_w = words_seen.view, Z_r = regions.view,
                           Z_w = words.view;
    // C_r = co_attention of X_r to X_w, C_w = co_attention of X_w to X_r
    co_attention<T>(C_r, {}, X_r, X_w, regions_to_words<T>(weights), mask_w, H);
    co_attention<T>(C_w, {}, X_w, X_r, words_to_regions<T>(weights), mask_r, H);
    // Z_r = LN_1_r(X_r + C_r)
    add_and_norm<T>(vectors_of<T>(Z_r), vectors_of<const T>(X_r), vectors_of<T>(C_r), weights.gamma_1_r,
                    weights.beta_1_r, eps);
    // Z_w = LN_1_w(X_w + C_w)
    add_and_norm<T>(vectors_of<T>(Z_w), vectors_of<const T>(X_w), vectors_of<T>(C_w), weights.gamma_1_w,
                    weights.beta_1_w, eps);
    // Y_r = LN_2_r(Z_r + FF_r(Z_r)), Y_w = LN_2_w(Z_w + FF_w(Z_w))
    feed_forward<T>(vectors_of<T>(C_r), vectors_of<T>(Z_r), weights.W_1_r, weights.b_1_r, weights.W_2_r,
                    weights.b_2_r, Activation::gelu_erf);
    feed_forward<T>(vectors_of<T>(C_w), vectors_of<T>(Z_w), weights.W_1_w, weights.b_1_w, weights.W_2_w,
                    weights.b_2_w, Activation::gelu_erf);
    add_and_norm<T>(vectors_of<T>(Y_r), vectors_of<T>(Z_r), vectors_of<T>(C_r), weights.gamma_2_r,
                    weights.beta_2_r, eps);
    add_and_norm<T>(vectors_of<T>(Y_w), vectors_of<T>(Z_w), vectors_of<T>(C_w), weights.gamma_2_w,
                    weights.beta_2_w, eps);
}

template <class T>
void vision_language_encode(TensorView<T, 3> Y_r, TensorView<T, 3> Y_w, TensorView<const T, 3> features,
                            TensorView<const T, 3> boxes, TensorView<const T, 1> width,
                            TensorView<const T, 1> height, TensorView<const int, 2> tokens,
                            const RegionWeights<T>& regions, TensorView<const T, 2> table,
                            TensorView<const T, 2> P, const CoStackWeights<T>& weights,
                            TensorView<const std::uint8_t, 2> mask_r,
                            TensorView<const std::uint8_t, 2> mask_w, int H, T eps) {
    const int B = Y_w.size(0), N_w = Y_w.size(1), D_w = Y_w.size(2);
    Owned<T, 3> stream_r(B, Y_r.size(1), Y_r.size(2)), stream_w(B, N_w, D_w);
    const TensorView<T, 3> X_r = stream_r.view, X_w = stream_w.view;
    // X_r = regions, X_w = words with their positions
    embed_regions<T>(X_r, {}, features, boxes, width, height, regions);
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N_w; ++i) {
            require_inside(tokens(b, i), 0, table.size(0));
            for (int d = 0; d < D_w; ++d) X_w(b, i, d) = table(tokens(b, i), d) + P(i, d);
        }
    }
    // X_r, X_w = block l of X_r, X_w
    for (int l = 0; l < weights.layers(); ++l) {
        co_attention_block<T>(Y_r, Y_w, X_r, X_w, weights.layer(l), mask_r, mask_w, H, eps);
        std::copy(Y_r.data(), Y_r.data() + Y_r.count(), X_r.data());
        std::copy(Y_w.data(), Y_w.data() + Y_w.count(), X_w.data());
    }
}

template <class T>
void alignment_score(TensorView<T, 1> score, TensorView<const T, 3> X_r, TensorView<const T, 3> X_w,
                     TensorView<const T, 2> W_r, TensorView<const T, 1> b_r, TensorView<const T, 2> W_w,
                     TensorView<const T, 1> b_w, TensorView<const T, 1> v, TensorView<const T, 1> c) {
    const int D = v.size(0);
    Owned<T, 1> pooled_r(D), pooled_w(D);
    const TensorView<T, 1> p_r = pooled_r.view, p_w = pooled_w.view;
    for (int b = 0; b < score.size(0); ++b) {
        // p_r = relu(X_r[0] W_r + b_r), p_w = relu(X_w[0] W_w + b_w)
        pool<T>(p_r, X_r[b][0], W_r, b_r);
        pool<T>(p_w, X_w[b][0], W_w, b_w);
        // score = sum_d p_r p_w v + c
        T sum = c(0);
        for (int d = 0; d < D; ++d) sum += p_r(d) * p_w(d) * v(d);
        score(b) = sum;
    }
}

}  // namespace attn::cpu

#include "contracts/co_attention_instances.h"
