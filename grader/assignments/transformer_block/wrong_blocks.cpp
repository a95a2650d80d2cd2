// Blocks and stacks of them, the way somebody does them. Attention itself is right: its own assignment asks
// about it.

#include <cstddef>
#include <utility>
#include <vector>

#include "grader/assignments/transformer_block/variant.h"
#include "reference/multi_head.h"

namespace attn::ask::transformer_block {
namespace {

/// An array [B, N, D] of one's own, at first a copy of another.
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

/// Norms each batch on its own.
template <class T>
Tokens<T> normed(const Variant& way, const Tokens<T>& X, const Gains<T>& gains, double eps) {
    Tokens<T> Y = X;
    for (int b = 0; b < Y.view().size(0); ++b)
        layer_norm<T>(way, Y.view()[b], X.read()[b], gains.gamma, gains.beta, eps);
    return Y;
}

template <class T>
BlockWeights<T> as_used(const Variant& way, BlockWeights<T> weights) {
    if (way.first_norm_twice) {
        weights.gamma_2 = weights.gamma_1;
        weights.beta_2 = weights.beta_1;
    }
    if (way.norms_swapped) {
        std::swap(weights.gamma_1, weights.gamma_2);
        std::swap(weights.beta_1, weights.beta_2);
    }
    return weights;
}

}  // namespace

template <class T>
bool block(const Variant& way, TensorView<T, 3> Y, TensorView<const T, 3> X, const BlockWeights<T>& weights,
           TensorView<const std::uint8_t, 3> mask, const Options& options) {
    const BlockWeights<T> w = as_used(way, weights);
    const bool pre = (options.norm == Norm::pre) != way.pre_and_post_swapped;
    const Tokens<T> input(X);
    Tokens<T> stream = input;
    for (const bool first : {true, false}) {
        const bool attention = first != way.feed_forward_first;
        const bool no_norm = attention ? way.no_first_norm : way.no_second_norm;
        const auto norm = [&](const Tokens<T>& from) {
            const Gains<T> gains = attention ? Gains<T>{w.gamma_1, w.beta_1} : Gains<T>{w.gamma_2, w.beta_2};
            return no_norm ? from : normed(way, from, gains, options.eps);
        };
        const Tokens<T>& source = !first && way.feed_forward_reads_X ? input : stream;
        const Tokens<T> asked = pre ? norm(source) : source;

        Tokens<T> found = asked;
        if (attention) {
            cpu::multi_head_attention<T>(found.view(), asked.read(),
                                         way.keys_not_normalised ? source.read() : asked.read(), w.attention,
                                         way.mask_ignored ? TensorView<const std::uint8_t, 3>() : mask,
                                         way.one_head ? 1 : options.H);
        } else if (!feed_forward<T>(way, found.rows(), asked.read_rows(), w.W_1, w.b_1, w.W_2, w.b_2,
                                    options.activation)) {
            return false;
        }
        if (!pre && way.norm_before_add) found = norm(found);

        const bool no_residual = attention ? way.no_residual_at_attention : way.no_residual_at_feed_forward;
        Tokens<T> sum = pre && way.residual_from_norm        ? asked
                        : !first && way.second_residual_is_X ? input
                                                             : stream;
        sum.scale_and_add(no_residual ? T{0} : T{1}, found);
        stream = !pre && !way.norm_before_add ? norm(sum) : sum;
    }
    stream.copy_to(Y);
    return true;
}

template <class T>
bool encoder(const Variant& way, TensorView<T, 3> Y, TensorView<const T, 3> X,
             const EncoderWeights<T>& weights, TensorView<const std::uint8_t, 3> mask,
             const Options& options) {
    const int L = weights.layers() - (way.one_block_too_few ? 1 : 0);
    const bool pre = options.norm == Norm::pre;
    const Gains<T> gains{weights.gamma, weights.beta};
    Tokens<T> stream(X);
    for (int l = 0; l < L; ++l) {
        Tokens<T> next = stream;
        if (!block<T>(way, next.view(), way.every_block_reads_X ? X : stream.read(),
                      weights.layer(way.first_block_again ? 0 : l), mask, options))
            return false;
        stream = next;
        if (pre && way.final_norm == Final::every_block && l + 1 < L)
            stream = normed(way, stream, gains, options.eps);
    }
    if (way.final_norm == Final::always || (pre && way.final_norm != Final::never))
        stream = normed(way, stream, gains, options.eps);
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
