#include "reference/models/masked_gradients.h"

#include <algorithm>
#include <cmath>

#include "contracts/backward_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/owned.h"

namespace attn::cpu {
namespace {

template <class T, int Rank>
void clear(TensorView<T, Rank> view) {
    std::fill_n(view.data(), view.count(), T(0));
}

template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

}  // namespace

template <class T>
void token_head_backward(TensorView<T, 3> dX, TensorView<T, 2> dW, TensorView<T, 1> db,
                         TensorView<T, 1> dgamma, TensorView<T, 1> dbeta, TensorView<T, 2> dtable,
                         TensorView<T, 1> dbias, TensorView<const T, 3> dlogits, TensorView<const T, 3> X,
                         TensorView<const T, 2> W, TensorView<const T, 1> b, TensorView<const T, 1> gamma,
                         TensorView<const T, 1> beta, TensorView<const T, 2> table, T eps) {
    const TensorView<const T, 2> x = rows(X), dscores = rows(dlogits);
    const int N = x.size(0), D = x.size(1), V = table.size(0);
    // gelu_erf(X W + b) is a feed-forward network whose second layer is the identity.
    Owned<T, 2> identity(D, D), unused(D, D), layer(N, D), normed(N, D), dnormed(N, D), dlayer(N, D);
    Owned<T, 1> zeros(D), unused_bias(D);
    for (int d = 0; d < D; ++d) identity.view(d, d) = 1;
    feed_forward<T>(layer.view, x, W, b, identity.view, zeros.view, Activation::gelu_erf);
    layer_norm<T>(normed.view, layer.view, gamma, beta, eps);
    // logits = h table^T + bias
    clear(dtable);
    clear(dbias);
    for (int i = 0; i < N; ++i)
        for (int v = 0; v < V; ++v) {
            dbias(v) += dscores(i, v);
            for (int d = 0; d < D; ++d) {
                dtable(v, d) += dscores(i, v) * normed.view(i, d);
                dnormed.view(i, d) += dscores(i, v) * table(v, d);
            }
        }
    layer_norm_backward<T>(dlayer.view, dgamma, dbeta, dnormed.view, layer.view, gamma, beta, eps);
    feed_forward_backward<T>(rows(dX), dW, db, unused.view, unused_bias.view, dlayer.view, x, W, b,
                             identity.view, zeros.view, Activation::gelu_erf);
}

template <class T>
void sentence_head_backward(TensorView<T, 3> dX, TensorView<T, 2> dW, TensorView<T, 1> db,
                            TensorView<T, 2> dW_c, TensorView<T, 1> db_c, TensorView<const T, 2> dlogits,
                            TensorView<const T, 3> X, TensorView<const int, 1> lengths,
                            TensorView<const T, 2> W, TensorView<const T, 1> b, TensorView<const T, 2> W_c,
                            SentenceToken token) {
    const int N = X.size(1), D = X.size(2), K = dlogits.size(1);
    clear(dX);
    clear(dW);
    clear(db);
    clear(dW_c);
    clear(db_c);
    Owned<T, 1> dz(D);
    for (int n = 0; n < X.size(0); ++n) {
        const int place = token == SentenceToken::first ? 0 : (lengths ? lengths(n) : N) - 1;
        const TensorView<const T, 1> x = X[n][place];
        for (int c = 0; c < K; ++c) db_c(c) += dlogits(n, c);
        for (int d = 0; d < D; ++d) {
            // s = tanh(x W + b)
            T s = b(d), ds = 0;
            for (int k = 0; k < D; ++k) s += x(k) * W(k, d);
            s = std::tanh(s);
            for (int c = 0; c < K; ++c) {
                dW_c(d, c) += s * dlogits(n, c);
                ds += dlogits(n, c) * W_c(d, c);
            }
            dz.view(d) = ds * (1 - s * s);
        }
        for (int d = 0; d < D; ++d) {
            db(d) += dz.view(d);
            for (int k = 0; k < D; ++k) {
                dW(k, d) += x(k) * dz.view(d);
                dX(n, place, k) += dz.view(d) * W(k, d);
            }
        }
    }
}

template void token_head_backward(TensorView<float, 3>, TensorView<float, 2>, TensorView<float, 1>,
                                  TensorView<float, 1>, TensorView<float, 1>, TensorView<float, 2>,
                                  TensorView<float, 1>, TensorView<const float, 3>,
                                  TensorView<const float, 3>, TensorView<const float, 2>,
                                  TensorView<const float, 1>, TensorView<const float, 1>,
                                  TensorView<const float, 1>, TensorView<const float, 2>, float);
template void token_head_backward(TensorView<double, 3>, TensorView<double, 2>, TensorView<double, 1>,
                                  TensorView<double, 1>, TensorView<double, 1>, TensorView<double, 2>,
                                  TensorView<double, 1>, TensorView<const double, 3>,
                                  TensorView<const double, 3>, TensorView<const double, 2>,
                                  TensorView<const double, 1>, TensorView<const double, 1>,
                                  TensorView<const double, 1>, TensorView<const double, 2>, double);
template void sentence_head_backward(TensorView<float, 3>, TensorView<float, 2>, TensorView<float, 1>,
                                     TensorView<float, 2>, TensorView<float, 1>, TensorView<const float, 2>,
                                     TensorView<const float, 3>, TensorView<const int, 1>,
                                     TensorView<const float, 2>, TensorView<const float, 1>,
                                     TensorView<const float, 2>, SentenceToken);
template void sentence_head_backward(TensorView<double, 3>, TensorView<double, 2>, TensorView<double, 1>,
                                     TensorView<double, 2>, TensorView<double, 1>,
                                     TensorView<const double, 2>, TensorView<const double, 3>,
                                     TensorView<const int, 1>, TensorView<const double, 2>,
                                     TensorView<const double, 1>, TensorView<const double, 2>, SentenceToken);

}  // namespace attn::cpu
