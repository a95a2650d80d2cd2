// Transformer blocks and encoders as a Variant says. The attention is right, because another assignment tests
// it.

#include <cstddef>
#include <utility>
#include <vector>

#include "contracts/multi_head_reference.h"
#include "grader/assignments/transformer_block/variant.h"

namespace attn::ask::transformer_block {
namespace {

/// An array [B, N, D] that starts as a copy of a view.
template <class T>
class Tokens {
  public:
    explicit Tokens(TensorView<const T, 3> X)
        : numbers_(X.data(), X.data() + X.count()), shape_{X.size(0), X.size(1), X.size(2)} {}
    TensorView<T, 3> view() { return {numbers_.data(), shape_[0], shape_[1], shape_[2]}; }
    TensorView<const T, 3> read() const { return {numbers_.data(), shape_[0], shape_[1], shape_[2]}; }
    /// All tokens as rows.
    TensorView<T, 2> rows() { return {numbers_.data(), shape_[0] * shape_[1], shape_[2]}; }
    TensorView<const T, 2> read_rows() const { return {numbers_.data(), shape_[0] * shape_[1], shape_[2]}; }
    /// this = factor * this + other
    void scale_and_add(T factor, const Tokens& other) {
        for (std::size_t k = 0; k < numbers_.size(); ++k)
            numbers_[k] = factor * numbers_[k] + other.numbers_[k];
    }
    void copy_to(TensorView<T, 3> Y) const {
        for (std::size_t k = 0; k < numbers_.size(); ++k) Y.data()[k] = numbers_[k];
    }

  private:
    std::vector<T> numbers_;
    int shape_[3];
};

template <class T>
struct Gains {
    TensorView<const T, 1> gamma, beta;
};

/// Layer norm of each batch.
template <class T>
Tokens<T> normed(const Variant& variant, const Tokens<T>& X, const Gains<T>& gains, double eps) {
    Tokens<T> Y = X;
    for (int b = 0; b < Y.view().size(0); ++b)
        layer_norm<T>(variant, Y.view()[b], X.read()[b], gains.gamma, gains.beta, eps);
    return Y;
}

template <class T>
BlockWeights<T> as_used(const Variant& variant, BlockWeights<T> weights) {
    if (variant.first_norm_twice) {
        weights.gamma_2 = weights.gamma_1;
        weights.beta_2 = weights.beta_1;
    }
    if (variant.norms_swapped) {
        std::swap(weights.gamma_1, weights.gamma_2);
        std::swap(weights.beta_1, weights.beta_2);
    }
    return weights;
}

}  // namespace

template <class T>
bool block(const Variant& variant, TensorView<T, 3> Y, TensorView<const T, 3> X,
           const BlockWeights<T>& weights, TensorView<const std::uint8_t, 3> mask, const Options& options) {
    const BlockWeights<T> w = as_used(variant, weights);
    const bool pre = (options.norm == Norm::pre) != variant.pre_and_post_swapped;
    const Tokens<T> input(X);
    Tokens<T> stream = input;
    for (const bool first : {true, false}) {
        const bool attention = first != variant.feed_forward_first;
        const bool no_norm = attention ? variant.no_first_norm : variant.no_second_norm;
        const auto norm = [&](const Tokens<T>& from) {
            const Gains<T> gains = attention ? Gains<T>{w.gamma_1, w.beta_1} : Gains<T>{w.gamma_2, w.beta_2};
            return no_norm ? from : normed(variant, from, gains, options.eps);
        };
        const Tokens<T>& source = !first && variant.feed_forward_reads_X ? input : stream;
        const Tokens<T> sublayer_input = pre ? norm(source) : source;

        Tokens<T> sublayer_output = sublayer_input;
        if (attention) {
            cpu::multi_head_attention<T>(sublayer_output.view(), sublayer_input.read(),
                                         variant.keys_not_normalised ? source.read() : sublayer_input.read(),
                                         w.attention,
                                         variant.mask_ignored ? TensorView<const std::uint8_t, 3>() : mask,
                                         variant.one_head ? 1 : options.H);
        } else if (!feed_forward<T>(variant, sublayer_output.rows(), sublayer_input.read_rows(), w.W_1, w.b_1,
                                    w.W_2, w.b_2, options.activation)) {
            return false;
        }
        if (!pre && variant.norm_before_add) sublayer_output = norm(sublayer_output);

        const bool no_residual =
            attention ? variant.no_residual_at_attention : variant.no_residual_at_feed_forward;
        Tokens<T> sum = pre && variant.residual_from_norm        ? sublayer_input
                        : !first && variant.second_residual_is_X ? input
                                                                 : stream;
        sum.scale_and_add(no_residual ? T{0} : T{1}, sublayer_output);
        stream = !pre && !variant.norm_before_add ? norm(sum) : sum;
    }
    stream.copy_to(Y);
    return true;
}

template <class T>
bool encoder(const Variant& variant, TensorView<T, 3> Y, TensorView<const T, 3> X,
             const EncoderWeights<T>& weights, TensorView<const std::uint8_t, 3> mask,
             const Options& options) {
    const int L = weights.layers() - (variant.one_block_too_few ? 1 : 0);
    const bool pre = options.norm == Norm::pre;
    const Gains<T> gains{weights.gamma, weights.beta};
    Tokens<T> stream(X);
    for (int l = variant.first_block_left_out ? 1 : 0; l < L; ++l) {
        Tokens<T> next = stream;
        if (!block<T>(variant, next.view(), variant.every_block_reads_X ? X : stream.read(),
                      weights.layer(variant.first_block_again ? 0 : l), mask, options))
            return false;
        stream = next;
        if (pre && variant.final_norm == Final::every_block && l + 1 < L)
            stream = normed(variant, stream, gains, options.eps);
    }
    if (variant.final_norm == Final::always || (pre && variant.final_norm != Final::never))
        stream = normed(variant, stream, gains, options.eps);
    stream.copy_to(Y);
    return true;
}

#define ATTN_INSTANTIATE(T)                                                                                  \
    template bool block<T>(const Variant&, TensorView<T, 3>, TensorView<const T, 3>, const BlockWeights<T>&, \
                           TensorView<const std::uint8_t, 3>, const Options&);                               \
    template bool encoder<T>(const Variant&, TensorView<T, 3>, TensorView<const T, 3>,                       \
                             const EncoderWeights<T>&, TensorView<const std::uint8_t, 3>, const Options&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::ask::transformer_block
