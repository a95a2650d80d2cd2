#include "reference/fast/convolution.h"

#include <algorithm>
#include <cmath>

#include "reference/fast/buffer.h"
#include "reference/fast/gradients.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

constexpr int kKernelSide = 3;

/// Calls f(column, pixel, count) for each row of the kernel at each place: `count` numbers from `pixel` of an image on lie
/// under the numbers from `column` on of its columns. What lies outside is left out.
template <class F>
void for_each_run(TensorView<const float, 4> X, int rows, int columns, int S, F f) {
    const int R = X.size(1), C = X.size(2), D = X.size(3);
    std::ptrdiff_t place = 0;
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < columns; ++k, ++place) {
            const int first = std::max(0, S * k - 1), end = std::min(C, S * k + 2);
            for (int p = 0; p < kKernelSide; ++p) {
                const int row = S * r + p - 1;
                if (row < 0 || row >= R) continue;
                f(place * kKernelSide * kKernelSide * D +
                      (p * kKernelSide + first - (S * k - 1)) * std::ptrdiff_t{D},
                  (std::ptrdiff_t{row} * C + first) * D, (end - first) * D);
            }
        }
}

thread_local Buffer column_numbers;

/// One row for each place of the output, good until the next call      [B R' C', 9 D_in]
Matrix<float> columns_of(TensorView<const float, 4> X, int rows, int columns, int S) {
    const int places = rows * columns, count = kKernelSide * kKernelSide * X.size(3);
    const Matrix<float> result(column_numbers.get(numbers(X.size(0) * places, count)), X.size(0) * places,
                               count);
    parallel_for(X.size(0), [=](int b) {
        float* const to = result.data + static_cast<std::ptrdiff_t>(numbers(b * places, count));
        const float* const image = X[b].data();
        // The places whose kernel reaches outside.
        for (int place = 0; place < places; ++place) {
            const int row = S * (place / columns), column = S * (place % columns);
            if (row == 0 || row + 1 >= X.size(1) || column == 0 || column + 1 >= X.size(2))
                std::fill_n(to + static_cast<std::ptrdiff_t>(numbers(place, count)), count, 0.0F);
        }
        for_each_run(X, rows, columns, S, [=](std::ptrdiff_t column, std::ptrdiff_t pixel, int run) {
            std::copy_n(image + pixel, run, to + column);
        });
    });
    return result;
}

Matrix<const float> kernel_of(TensorView<const float, 4> W) {
    return {W.data(), kKernelSide * kKernelSide * W.size(2), W.size(3)};
}

template <class T>
Matrix<T> places_of(TensorView<T, 4> Y) {
    return {Y.data(), Y.size(0) * Y.size(1) * Y.size(2), Y.size(3)};
}

/// Each feature's mean over all vectors, or of its squared distance from `mu`.
void feature_means(float* mean, Matrix<const float> X, const float* mu) {
    std::fill_n(mean, X.columns, 0.0F);
    for (int i = 0; i < X.rows; ++i) {
        const float* const x = X.data + i * X.row;
        if (mu == nullptr)
            for (int d = 0; d < X.columns; ++d) mean[d] += x[d];
        else
            for (int d = 0; d < X.columns; ++d) mean[d] += (x[d] - mu[d]) * (x[d] - mu[d]);
    }
    for (int d = 0; d < X.columns; ++d) mean[d] /= static_cast<float>(X.rows);
}

}  // namespace

void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S) {
    linear(places_of(Y), columns_of(X, Y.size(1), Y.size(2), S), kernel_of(W), bias.data());
}

void conv2d_backward(TensorView<float, 4> dX, TensorView<float, 4> dW, TensorView<float, 1> dbias,
                     TensorView<const float, 4> dY, TensorView<const float, 4> X,
                     TensorView<const float, 4> W, TensorView<const float, 1> /*bias*/, int S) {
    const int rows = dY.size(1), columns = dY.size(2), places = rows * columns;
    const Matrix<const float> kernel = kernel_of(W);
    const Matrix<float> under = columns_of(X, rows, columns, S);
    linear_weights_backward({dW.data(), kernel.rows, kernel.columns}, dbias.data(), places_of(dY), under);
    if (!dX) return;
    multiply_transposed(under, places_of(dY), kernel, 1);
    parallel_for(X.size(0), [=](int b) {
        const float* const from =
            under.data + static_cast<std::ptrdiff_t>(numbers(b * places, under.columns));
        float* const image = dX[b].data();
        std::fill_n(image, dX[b].count(), 0.0F);
        for_each_run(X, rows, columns, S, [=](std::ptrdiff_t column, std::ptrdiff_t pixel, int run) {
            for (int d = 0; d < run; ++d) image[pixel + d] += from[column + d];
        });
    });
}

void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps) {
    const Matrix<const float> x(X);
    const int D = x.columns;
    thread_local Buffer buffer;
    float *const mu = buffer.get(numbers(4, D)), *const var = mu + D, *const factor = var + D,
                 *const shift = factor + D;
    if (training) {
        feature_means(mu, x, nullptr);
        feature_means(var, x, mu);
        const auto count = static_cast<float>(x.rows), freedom = std::max(1.0F, count - 1);
        for (int d = 0; d < D; ++d) {
            mean_new(d) = (1 - momentum) * mean(d) + momentum * mu[d];
            variance_new(d) = (1 - momentum) * variance(d) + momentum * var[d] * count / freedom;
        }
    } else {
        std::copy_n(mean.data(), D, mu);
        std::copy_n(variance.data(), D, var);
        std::copy_n(mean.data(), D, mean_new.data());
        std::copy_n(variance.data(), D, variance_new.data());
    }
    for (int d = 0; d < D; ++d) factor[d] = gamma(d) / std::sqrt(var[d] + eps);
    std::copy_n(beta.data(), D, shift);
    for (int i = 0; i < x.rows; ++i) {
        const float* const from = x.data + i * x.row;
        float* const to = Y.data() + i * x.row;
        for (int d = 0; d < D; ++d) to[d] = factor[d] * (from[d] - mu[d]) + shift[d];
    }
}

void batch_norm_backward(TensorView<float, 3> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 3> dY, TensorView<const float, 3> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> /*beta*/, float eps) {
    const Matrix<const float> x(X), dy(dY);
    const int D = x.columns;
    thread_local Buffer buffer;
    float *const mu = buffer.get(numbers(5, D)), *const scale = mu + D, *const factor = scale + D,
                 *const shift = factor + D, *const slope = shift + D;
    feature_means(mu, x, nullptr);
    feature_means(scale, x, mu);
    for (int d = 0; d < D; ++d) scale[d] = 1 / std::sqrt(scale[d] + eps);
    float *const of_gamma = factor, *const of_beta = shift;
    std::fill_n(of_gamma, 2 * static_cast<std::ptrdiff_t>(D), 0.0F);
    for (int i = 0; i < x.rows; ++i) {
        const float *const from = x.data + i * x.row, *const d_out = dy.data + i * dy.row;
        for (int d = 0; d < D; ++d) {
            of_gamma[d] += d_out[d] * (from[d] - mu[d]) * scale[d];
            of_beta[d] += d_out[d];
        }
    }
    std::copy_n(of_gamma, D, dgamma.data());
    std::copy_n(of_beta, D, dbeta.data());
    // dX = slope dY + factor (X - mu) + shift
    const auto count = static_cast<float>(x.rows);
    for (int d = 0; d < D; ++d) {
        slope[d] = gamma(d) * scale[d];
        factor[d] = -slope[d] * scale[d] * dgamma(d) / count;
        shift[d] = -slope[d] * dbeta(d) / count;
    }
    for (int i = 0; i < x.rows; ++i) {
        const float *const from = x.data + i * x.row, *const d_out = dy.data + i * dy.row;
        float* const to = dX.data() + i * x.row;
        for (int d = 0; d < D; ++d) to[d] = slope[d] * d_out[d] + factor[d] * (from[d] - mu[d]) + shift[d];
    }
}

}  // namespace attn::fast
