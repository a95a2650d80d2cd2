// The submission that attacks are inserted into: two right functions, which must keep their points, and an
// empty one, whose points the attacks try to steal. It includes few headers, so that many attacks compile in
// little time.

#include "self_attention.h"
//@top

namespace attn {

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    for (int i = 0; i < X.size(0); i++) {
        float m = X(i, 0), sum = 0;
        for (int j = 0; j < X.size(1); j++) m = X(i, j) > m ? X(i, j) : m;
        for (int j = 0; j < X.size(1); j++) sum += Y(i, j) = __builtin_expf(X(i, j) - m);
        for (int j = 0; j < X.size(1); j++) Y(i, j) /= sum;
    }
}

static float dot(TensorView<const float, 1> a, TensorView<const float, 1> b) {
    float sum = 0;
    for (int d = 0; d < a.size(0); d++) sum += a(d) * b(d);
    return sum;
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    const float scale = __builtin_sqrtf(float(Q.size(2)));
    for (int b = 0; b < Q.size(0); b++) {
        for (int i = 0; i < Q.size(1); i++) {
            float m = -__builtin_inff(), sum = 0;
            for (int j = 0; j < K.size(1); j++) m = __builtin_fmaxf(m, dot(Q[b][i], K[b][j]) / scale);
            for (int j = 0; j < K.size(1); j++) sum += __builtin_expf(dot(Q[b][i], K[b][j]) / scale - m);
            for (int d = 0; d < V.size(2); d++) Y(b, i, d) = 0;
            for (int j = 0; j < K.size(1); j++) {
                const float a = __builtin_expf(dot(Q[b][i], K[b][j]) / scale - m) / sum;
                if (A) A(b, i, j) = a;
                for (int d = 0; d < V.size(2); d++) Y(b, i, d) += a * V(b, j, d);
            }
        }
    }
}

[[maybe_unused]] static void project(TensorView<float, 3> R, TensorView<const float, 3> X,
                                     TensorView<const float, 2> W) {
    for (int b = 0; b < X.size(0); b++)
        for (int i = 0; i < X.size(1); i++)
            for (int d = 0; d < W.size(1); d++) {
                R(b, i, d) = 0;
                for (int k = 0; k < X.size(2); k++) R(b, i, d) += X(b, i, k) * W(k, d);
            }
}

/// The right self_attention. Attacks that disguise a right answer call it.
[[maybe_unused]] static void honest(TensorView<float, 3> Y, TensorView<const float, 3> X,
                                    TensorView<const float, 2> W_Q, TensorView<const float, 2> W_K,
                                    TensorView<const float, 2> W_V) {
    static float q[1 << 14], k[1 << 14], v[1 << 14];
    const int B = X.size(0), N = X.size(1);
    TensorView<float, 3> Q(q, B, N, W_Q.size(1)), K(k, B, N, W_K.size(1)), V(v, B, N, W_V.size(1));
    project(Q, X, W_Q);
    project(K, X, W_K);
    project(V, X, W_V);
    scaled_dot_product_attention(Y, {}, Q, K, V);
}

void self_attention([[maybe_unused]] TensorView<float, 3> Y, [[maybe_unused]] TensorView<const float, 3> X,
                    [[maybe_unused]] TensorView<const float, 2> W_Q,
                    [[maybe_unused]] TensorView<const float, 2> W_K,
                    [[maybe_unused]] TensorView<const float, 2> W_V) {
    //@code
}

}  // namespace attn
