#include "reference/models/image_gradients.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contracts/recurrent_backward_reference.h"
#include "contracts/rnn_attention_reference.h"
#include "reference/owned.h"

namespace attn::cpu {
namespace {

/// One image, as a sentence that assignment 1's decoder reads. Its first state is tanh(m W_0 + b_0) with the mean m of the
/// cells; the decoder gets m W_0 + b_0 as its bias, and zeros for W_0.
template <class T>
class ImageAsSentence {
  public:
    ImageAsSentence(TensorView<const T, 4> grid, int b, bool looks, const DecoderWeights<T>& weights)
        : cells(grid[b].data(), 1, grid.size(1) * grid.size(2), grid.size(3)),
          mean_(1, cells.size(2)),
          bias_(weights.b_0.size(0)),
          no_W_0_(weights.W_0.size(0), weights.W_0.size(1)),
          mask_(static_cast<std::size_t>(cells.size(1)), looks ? 1 : 0) {
        for (int d = 0; d < cells.size(2); ++d) {
            T sum = 0;
            for (int j = 0; j < cells.size(1); ++j) sum += cells(0, j, d);
            m()(0, d) = sum / static_cast<T>(cells.size(1));
        }
        for (int k = 0; k < weights.b_0.size(0); ++k) {
            bias_.view(k) = weights.b_0(k);
            for (int d = 0; d < cells.size(2); ++d) bias_.view(k) += m()(0, d) * weights.W_0(d, k);
        }
    }

    TensorView<T, 2> m() const { return mean_.view; }
    TensorView<const std::uint8_t, 2> mask() const { return {mask_.data(), 1, cells.size(1)}; }
    DecoderWeights<T> with_its_first_state(const DecoderWeights<T>& w) const {
        return {w.W_q, w.W_k, w.v, w.W_x, w.W_s, w.b, no_W_0_.view, bias_.view};
    }

    const TensorView<const T, 3> cells;

  private:
    Owned<T, 2> mean_;
    Owned<T, 1> bias_;
    Owned<T, 2> no_W_0_;
    std::vector<std::uint8_t> mask_;
};

/// Batch b of an array, as an array of one batch.
template <class T>
TensorView<T, 3> batch(TensorView<T, 3> X, int b) {
    return {X[b].data(), 1, X.size(1), X.size(2)};
}

}  // namespace

template <class T>
void conv2d_backward(TensorView<T, 4> dX, TensorView<T, 4> dW, TensorView<T, 1> dbias,
                     TensorView<const T, 4> dY, TensorView<const T, 4> X, TensorView<const T, 4> W,
                     TensorView<const T, 1> /*bias*/, int S) {
    const int R = X.size(1), C = X.size(2), D_in = X.size(3), D_out = dY.size(3);
    if (dX) std::fill_n(dX.data(), dX.count(), T(0));
    std::fill_n(dW.data(), dW.count(), T(0));
    std::fill_n(dbias.data(), dbias.count(), T(0));
    for (int b = 0; b < dY.size(0); ++b) {
        for (int r = 0; r < dY.size(1); ++r) {
            for (int k = 0; k < dY.size(2); ++k) {
                for (int o = 0; o < D_out; ++o) dbias(o) += dY(b, r, k, o);
                for (int p = 0; p < 3; ++p) {
                    for (int q = 0; q < 3; ++q) {
                        const int row = S * r + p - 1, column = S * k + q - 1;
                        if (row < 0 || row >= R || column < 0 || column >= C) continue;
                        for (int d = 0; d < D_in; ++d) {
                            T sum = 0;
                            for (int o = 0; o < D_out; ++o) {
                                dW(p, q, d, o) += X(b, row, column, d) * dY(b, r, k, o);
                                sum += dY(b, r, k, o) * W(p, q, d, o);
                            }
                            if (dX) dX(b, row, column, d) += sum;
                        }
                    }
                }
            }
        }
    }
}

template <class T>
void batch_norm_backward(TensorView<T, 3> dX, TensorView<T, 1> dgamma, TensorView<T, 1> dbeta,
                         TensorView<const T, 3> dY, TensorView<const T, 3> X, TensorView<const T, 1> gamma,
                         TensorView<const T, 1> /*beta*/, T eps) {
    const int B = X.size(0), N = X.size(1);
    const T M = static_cast<T>(B * N);
    for (int d = 0; d < X.size(2); ++d) {
        T mu = 0, var = 0;
        for (int b = 0; b < B; ++b)
            for (int n = 0; n < N; ++n) mu += X(b, n, d) / M;
        for (int b = 0; b < B; ++b)
            for (int n = 0; n < N; ++n) var += (X(b, n, d) - mu) * (X(b, n, d) - mu) / M;
        const T deviation = std::sqrt(var + eps);
        // dgamma = sum dY x_hat, dbeta = sum dY
        dgamma(d) = dbeta(d) = 0;
        for (int b = 0; b < B; ++b) {
            for (int n = 0; n < N; ++n) {
                dgamma(d) += dY(b, n, d) * (X(b, n, d) - mu) / deviation;
                dbeta(d) += dY(b, n, d);
            }
        }
        // dX = gamma (dY - dbeta / M - x_hat dgamma / M) / deviation
        for (int b = 0; b < B; ++b) {
            for (int n = 0; n < N; ++n) {
                const T x_hat = (X(b, n, d) - mu) / deviation;
                dX(b, n, d) = gamma(d) * (dY(b, n, d) - dbeta(d) / M - x_hat * dgamma(d) / M) / deviation;
            }
        }
    }
}

template <class T>
void caption_states(TensorView<T, 3> S, TensorView<T, 3> A, TensorView<const T, 4> grid, bool looks,
                    TensorView<const T, 3> y, const DecoderWeights<T>& weights) {
    for (int b = 0; b < grid.size(0); ++b) {
        const ImageAsSentence<T> image(grid, b, looks, weights);
        decode<T>(batch<T>(S, b), A ? batch<T>(A, b) : A, image.cells, image.mask(), batch<const T>(y, b),
                  image.with_its_first_state(weights));
    }
}

template <class T>
void caption_states_backward(TensorView<T, 4> dgrid, TensorView<T, 3> dy,
                             const DecoderGradients<T>& gradients, TensorView<const T, 3> dS,
                             TensorView<const T, 4> grid, bool looks, TensorView<const T, 3> y,
                             const DecoderWeights<T>& weights) {
    const int D_h = grid.size(3), D_s = dS.size(2), D_a = weights.v.size(0), D_x = weights.W_x.size(0);
    Owned<T, 2> W_q(D_s, D_a), W_k(D_h, D_a), W_x(D_x, D_s), W_s(D_s, D_s), W_0(D_h, D_s);
    Owned<T, 1> v(D_a), bias(D_s), b_0(D_s);
    const DecoderGradients<T> of_image = {W_q.view, W_k.view,  v.view,   W_x.view,
                                          W_s.view, bias.view, W_0.view, b_0.view};
    const TensorView<const T, 1> dz = b_0.view;
    // The sums over the images; W_0 and b_0 come with the first state.
    const auto for_each_sum = [&](auto f) {
        f(gradients.dW_q, of_image.dW_q);
        f(gradients.dW_k, of_image.dW_k);
        f(gradients.dv, of_image.dv);
        f(gradients.dW_x, of_image.dW_x);
        f(gradients.dW_s, of_image.dW_s);
        f(gradients.db, of_image.db);
        f(gradients.db_0, of_image.db_0);
    };
    for_each_sum([](auto sum, auto) { std::fill_n(sum.data(), sum.count(), T(0)); });
    std::fill_n(gradients.dW_0.data(), gradients.dW_0.count(), T(0));
    for (int b = 0; b < grid.size(0); ++b) {
        const ImageAsSentence<T> image(grid, b, looks, weights);
        const TensorView<T, 3> dcells(dgrid[b].data(), 1, image.cells.size(1), D_h);
        decode_backward<T>(dcells, batch<T>(dy, b), of_image, batch<const T>(dS, b), image.cells,
                           image.mask(), batch<const T>(y, b), image.with_its_first_state(weights));
        for_each_sum([](auto sum, auto part) {
            for (std::ptrdiff_t k = 0; k < sum.count(); ++k) sum.data()[k] += part.data()[k];
        });
        // The gradient of the decoder's bias is dz. dW_0 += m^T dz, dm = dz W_0^T
        for (int d = 0; d < D_h; ++d) {
            T dm = 0;
            for (int k = 0; k < D_s; ++k) {
                gradients.dW_0(d, k) += image.m()(0, d) * dz(k);
                dm += dz(k) * weights.W_0(d, k);
            }
            for (int j = 0; j < dcells.size(1); ++j) dcells(0, j, d) += dm / static_cast<T>(dcells.size(1));
        }
    }
}

template void conv2d_backward(TensorView<float, 4>, TensorView<float, 4>, TensorView<float, 1>,
                              TensorView<const float, 4>, TensorView<const float, 4>,
                              TensorView<const float, 4>, TensorView<const float, 1>, int);
template void conv2d_backward(TensorView<double, 4>, TensorView<double, 4>, TensorView<double, 1>,
                              TensorView<const double, 4>, TensorView<const double, 4>,
                              TensorView<const double, 4>, TensorView<const double, 1>, int);
template void batch_norm_backward(TensorView<float, 3>, TensorView<float, 1>, TensorView<float, 1>,
                                  TensorView<const float, 3>, TensorView<const float, 3>,
                                  TensorView<const float, 1>, TensorView<const float, 1>, float);
template void batch_norm_backward(TensorView<double, 3>, TensorView<double, 1>, TensorView<double, 1>,
                                  TensorView<const double, 3>, TensorView<const double, 3>,
                                  TensorView<const double, 1>, TensorView<const double, 1>, double);
template void caption_states(TensorView<float, 3>, TensorView<float, 3>, TensorView<const float, 4>, bool,
                             TensorView<const float, 3>, const DecoderWeights<float>&);
template void caption_states(TensorView<double, 3>, TensorView<double, 3>, TensorView<const double, 4>, bool,
                             TensorView<const double, 3>, const DecoderWeights<double>&);
template void caption_states_backward(TensorView<float, 4>, TensorView<float, 3>,
                                      const DecoderGradients<float>&, TensorView<const float, 3>,
                                      TensorView<const float, 4>, bool, TensorView<const float, 3>,
                                      const DecoderWeights<float>&);
template void caption_states_backward(TensorView<double, 4>, TensorView<double, 3>,
                                      const DecoderGradients<double>&, TensorView<const double, 3>,
                                      TensorView<const double, 4>, bool, TensorView<const double, 3>,
                                      const DecoderWeights<double>&);

}  // namespace attn::cpu
