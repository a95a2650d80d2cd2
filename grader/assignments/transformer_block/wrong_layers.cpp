// Layer norm and feed-forward as a Variant says.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "grader/assignments/transformer_block/variant.h"

namespace attn::ask::transformer_block {
namespace {

template <class T>
T divisor(const Variant& variant, T var, double eps) {
    const T plus = static_cast<T>(variant.eps == Eps::given ? eps : variant.eps == Eps::none ? 0.0 : 1e-5);
    switch (variant.divisor) {
        case Divisor::root_of_sigma_plus_eps:
            return std::sqrt(std::sqrt(var) + plus);
        case Divisor::sigma_plus_eps:
            return std::sqrt(var) + plus;
        case Divisor::var_plus_eps:
            return var + plus;
        default:
            return std::sqrt(var + plus);
    }
}

Activation chosen(const Variant& variant, Activation given) {
    const bool relu = given == Activation::relu;
    switch (variant.chosen) {
        case Chosen::always_relu:
            return Activation::relu;
        case Chosen::relu_and_gelu_swapped:
            return relu ? Activation::gelu_erf : Activation::relu;
        case Chosen::erf_for_tanh:
            return relu ? given : Activation::gelu_erf;
        case Chosen::tanh_for_erf:
            return relu ? given : Activation::gelu_tanh;
        default:
            return given;
    }
}

template <class T>
T activated(const Variant& variant, T x, Activation activation) {
    if (activation == Activation::relu) return x < 0 ? T{0} : x;
    if (activation == Activation::gelu_erf) {
        const T inner = variant.gelu == Gelu::no_root_of_2 ? x : x / std::numbers::sqrt2_v<T>;
        return x * (1 + std::erf(inner)) / 2;
    }
    const T z = std::sqrt(2 * std::numbers::inv_pi_v<T>) * (x + static_cast<T>(0.044715) * x * x * x);
    const T e = std::exp(2 * z);
    return x * (1 + (variant.gelu == Gelu::tanh_by_quotient ? (e - 1) / (e + 1) : std::tanh(z))) / 2;
}

}  // namespace

template <class T>
void layer_norm(const Variant& variant, TensorView<T, 2> Y, TensorView<const T, 2> X,
                TensorView<const T, 1> gamma, TensorView<const T, 1> beta, double eps) {
    const int N = X.size(0), D = X.size(1);
    const auto group = [&variant](int i, int d) {
        return static_cast<std::size_t>(variant.over == Over::features ? i
                                        : variant.over == Over::tokens ? d
                                                                       : 0);
    };
    const auto groups = static_cast<std::size_t>(N > D ? N : D);
    const T count = static_cast<T>(variant.over == Over::features ? D
                                   : variant.over == Over::tokens ? N
                                                                  : N * D);
    std::vector<T> mu(groups, 0), var(groups, 0);
    const auto each = [N, D](const auto& f) {
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d) f(i, d);
    };
    each([&](int i, int d) { mu[group(i, d)] += X(i, d); });
    for (T& m : mu) m /= variant.mean_is_the_sum ? T{1} : count;
    const bool of_squares = variant.variance == Variance::mean_of_squares;
    each([&](int i, int d) {
        const T x = X(i, d) - (of_squares ? T{0} : mu[group(i, d)]);
        var[group(i, d)] += x * x;
    });
    for (std::size_t g = 0; g < groups; ++g) {
        if (variant.variance != Variance::sum)
            var[g] /= variant.variance == Variance::one_D_minus_1 ? count - 1 : count;
        if (of_squares) var[g] -= mu[g] * mu[g];
    }
    each([&](int i, int d) {
        const T centre = variant.not_centred ? T{0} : mu[group(i, d)];
        const T z = (X(i, d) - centre) / divisor(variant, var[group(i, d)], eps);
        const T shift = variant.affine == Affine::beta_dropped ? T{0} : beta(d);
        const T gain = variant.affine == Affine::gamma_dropped ? T{1} : gamma(d);
        Y(i, d) = variant.affine == Affine::shift_first ? gain * (z + shift) : gain * z + shift;
    });
}

template <class T>
bool feed_forward(const Variant& variant, TensorView<T, 2> Y, TensorView<const T, 2> X,
                  TensorView<const T, 2> W_1, TensorView<const T, 1> b_1, TensorView<const T, 2> W_2,
                  TensorView<const T, 1> b_2, Activation activation) {
    const int D = X.size(1), F = W_1.size(1);
    const bool turned = variant.matrices_transposed;
    if (turned && D != F) return false;
    const Activation a = chosen(variant, activation);
    const bool between = variant.acts == Acts::between || variant.acts == Acts::twice;
    const bool behind = variant.acts == Acts::behind_W_2 || variant.acts == Acts::twice;
    std::vector<T> numbers(static_cast<std::size_t>(F));
    const TensorView<T, 1> hidden(numbers.data(), F);
    for (int i = 0; i < X.size(0); ++i) {
        for (int f = 0; f < F; ++f) {
            T sum = variant.b_1_dropped ? T{0} : b_1(f);
            for (int d = 0; d < D; ++d) sum += X(i, d) * (turned ? W_1(f, d) : W_1(d, f));
            hidden(f) = between ? activated(variant, sum, a) : sum;
        }
        for (int d = 0; d < D; ++d) {
            T sum = variant.b_2_dropped ? T{0} : b_2(d);
            for (int f = 0; f < F; ++f) sum += hidden(f) * (turned ? W_2(d, f) : W_2(f, d));
            Y(i, d) = behind ? activated(variant, sum, a) : sum;
        }
    }
    return true;
}

#define ATTN_INSTANTIATE(T)                                                                               \
    template void layer_norm<T>(const Variant&, TensorView<T, 2>, TensorView<const T, 2>,                 \
                                TensorView<const T, 1>, TensorView<const T, 1>, double);                  \
    template bool feed_forward<T>(const Variant&, TensorView<T, 2>, TensorView<const T, 2>,               \
                                  TensorView<const T, 2>, TensorView<const T, 1>, TensorView<const T, 2>, \
                                  TensorView<const T, 1>, Activation);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::ask::transformer_block
