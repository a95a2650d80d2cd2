// Masked softmax and masked attention as a Variant says.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "grader/ask/inputs.h"
#include "grader/assignments/masking/variant.h"

namespace attn::ask::masking {
namespace {

using MaskView = TensorView<const std::uint8_t, 2>;

/// Whether query i may attend to key j, from the mask of one batch as the variant reads it.
struct Allowed {
    const Variant& variant;
    MaskView mask;
    bool everything;

    bool operator()(int i, int j) const {
        const int row = variant.first_row_for_all ? 0 : i;
        return everything || (variant.transposed ? mask(j, row) : mask(row, j)) != (variant.inverted ? 1 : 0);
    }
};

/// True if the scores stay as they are because the mask is applied later or never.
bool masks_no_score(Masked masked) {
    return masked == Masked::as_if_not || masked == Masked::zero_after || masked == Masked::values_only;
}

/// The number that replaces a masked score.
template <class T>
T replacement(Masked masked) {
    switch (masked) {
        case Masked::times_score:
            return 0;
        case Masked::minus_100:
            return -100;
        case Masked::minus_10000:
            return -10000;
        default:
            return -std::numeric_limits<T>::infinity();
    }
}

/// A from E [N_q, N_k], in place.
template <class T>
void normalise(const Variant& variant, TensorView<T, 2> E, const Allowed& allowed) {
    const int N_k = E.size(1);
    for (int i = 0; i < E.size(0); ++i) {
        bool empty = true;
        for (int j = 0; j < N_k; ++j) empty = empty && !allowed(i, j);
        if (empty && !masks_no_score(variant.masked)) {
            const T share = variant.empty_row == EmptyRow::zero  ? T{0}
                            : variant.empty_row == EmptyRow::nan ? std::numeric_limits<T>::quiet_NaN()
                                                                 : 1 / static_cast<T>(N_k);
            for (int j = 0; j < N_k; ++j) E(i, j) = share;
            continue;
        }
        const bool of_all = variant.subtract == Subtract::of_all || variant.subtract == Subtract::of_all_or_0;
        T m = -std::numeric_limits<T>::infinity(), sum = 0;
        for (int j = 0; j < N_k; ++j) {
            if (of_all) m = std::max(m, E(i, j));
            if (!allowed(i, j) && !masks_no_score(variant.masked)) E(i, j) = replacement<T>(variant.masked);
            m = std::max(m, E(i, j));
        }
        if (variant.subtract == Subtract::nothing) m = 0;
        for (int j = 0; j < N_k; ++j) sum += E(i, j) = std::exp(E(i, j) - m);
        if (sum == 0 && variant.subtract == Subtract::of_all_or_0) sum = 1;
        for (int j = 0; j < N_k; ++j) E(i, j) /= sum;
        for (int j = 0; j < N_k && variant.masked == Masked::zero_after; ++j)
            if (!allowed(i, j)) E(i, j) = 0;
    }
}

/// The attention of one batch.
template <class T>
void attend_once(const Variant& variant, TensorView<T, 2> Y, TensorView<T, 2> A, TensorView<const T, 2> Q,
                 TensorView<const T, 2> K, TensorView<const T, 2> V, const Allowed& allowed) {
    const int N_q = Q.size(0), N_k = K.size(0), D_q = Q.size(1);
    for (int i = 0; i < N_q; ++i) {
        for (int j = 0; j < N_k; ++j) {
            T dot = 0;
            for (int d = 0; d < D_q; ++d) dot += Q(i, d) * K(j, d);
            A(i, j) = variant.scaled ? dot / std::sqrt(static_cast<T>(D_q)) : dot;
        }
    }
    normalise<T>(variant, A, allowed);
    for (int i = 0; i < N_q; ++i) {
        for (int d = 0; d < V.size(1); ++d) {
            T sum = 0;
            for (int j = 0; j < N_k; ++j)
                if (variant.masked != Masked::values_only || allowed(i, j)) sum += A(i, j) * V(j, d);
            Y(i, d) = sum;
        }
    }
}

}  // namespace

template <class T>
bool attend(const Variant& variant, const std::string& function, Arrays& outputs, const Arrays& inputs) {
    const Array& mask = by_name(inputs, "mask");
    const std::size_t rank = mask.shape.size();
    if (variant.transposed && mask.shape[rank - 2] != mask.shape[rank - 1]) return false;
    if (function == "masked_softmax") {
        Variant here = variant;
        if (variant.masked == Masked::values_only) here.masked = Masked::left_out;  // this function has no V
        outputs[0].as<T>() = by_name(inputs, "X").as<T>();
        normalise<T>(here, outputs[0].view<T, 2>(), {here, mask.view<std::uint8_t, 2>(), false});
        return true;
    }
    const auto Y = outputs[0].view<T, 3>(), A = outputs[1].view<T, 3>();
    const auto Q = by_name(inputs, "Q").view<T, 3>(), K = by_name(inputs, "K").view<T, 3>(),
               V = by_name(inputs, "V").view<T, 3>();
    for (int b = 0; b < Q.size(0); ++b) {
        const int source = variant.batches == Batches::first_for_all ? 0 : b;
        attend_once<T>(
            variant, Y[b], A[b], Q[b], K[b], V[b],
            {variant, mask.view<std::uint8_t, 3>()[source], variant.batches == Batches::only_first && b > 0});
    }
    return true;
}

template bool attend<float>(const Variant&, const std::string&, Arrays&, const Arrays&);
template bool attend<double>(const Variant&, const std::string&, Arrays&, const Arrays&);

}  // namespace attn::ask::masking
