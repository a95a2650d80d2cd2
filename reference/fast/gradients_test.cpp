// The gradients at the machine's speed, held to the plain loops in double: on every vector unit, at ragged
// sizes, within a few times the error of the plain loops in float. Any number of threads gives the same bits.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/backward_fast.h"
#include "contracts/backward_reference.h"
#include "contracts/recurrent_backward_fast.h"
#include "contracts/recurrent_backward_reference.h"
#include "reference/fast/kept_block.h"
#include "reference/fast/kept_decoder.h"
#include "reference/fast/scoped_unit.h"

namespace attn::fast {
namespace {

BOOST_AUTO_TEST_SUITE(gradients)

/// The arrays of one call. Equal seeds and factors give equal inputs, as float and as double.
template <class T>
class Call {
  public:
    explicit Call(unsigned seed, float factor = 1) : random_(seed), factor_(factor) {}

    template <class... Lengths>
    TensorView<const T, sizeof...(Lengths)> in(float scale, Lengths... lengths) {
        std::vector<T>& values = memory_.emplace_back();
        std::normal_distribution<float> normal(0, scale);
        for (int k = 0; k < (lengths * ...); ++k) values.push_back(static_cast<T>(normal(random_) * factor_));
        return {values.data(), lengths...};
    }
    template <class... Lengths>
    TensorView<T, sizeof...(Lengths)> out(Lengths... lengths) {
        const auto count = (static_cast<std::size_t>(lengths) * ...);
        std::vector<T>& values = memory_.emplace_back(count, std::numeric_limits<T>::quiet_NaN());
        outputs.push_back(&values);
        return {values.data(), lengths...};
    }
    /// Row i allows the first keys up to i + 1, without some; the last row allows none.
    template <class... Lengths>
    auto mask(bool prefixes, Lengths... lengths) {
        constexpr std::size_t kRank = sizeof...(Lengths);
        std::vector<std::uint8_t>& bytes = masks_.emplace_back();
        const int shape[] = {lengths...};
        const int columns = shape[kRank - 1], rows = (lengths * ...) / columns;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                bytes.push_back(
                    i < rows - 1 && j <= i % 7 + columns / 2 && (prefixes || (i + j) % 3 != 0) ? 1 : 0);
        return TensorView<const std::uint8_t, kRank>(bytes.data(), lengths...);
    }

    MultiHeadWeights<T> multi_head_weights(int D) {
        return {matrix(D, D), in(1, D), matrix(D, D), in(1, D),
                matrix(D, D), in(1, D), matrix(D, D), in(1, D)};
    }
    MultiHeadGradients<T> multi_head_gradients(int D) {
        return {out(D, D), out(D), out(D, D), out(D), out(D, D), out(D), out(D, D), out(D)};
    }
    TensorView<const T, 2> matrix(int a, int b) { return in(1 / std::sqrt(static_cast<float>(a)), a, b); }

    std::vector<std::vector<T>*> outputs;

  private:
    std::minstd_rand random_;
    float factor_;
    std::deque<std::vector<T>> memory_;
    std::deque<std::vector<std::uint8_t>> masks_;
};

/// The largest error of every output of the plain loops in float. One evaluation can be right by luck, so it is
/// the largest of three, whose inputs differ by an ulp or two.
template <class Make, class PlainFloat, class PlainDouble>
std::vector<double> plain_errors(unsigned seed, Make make, PlainFloat plain, PlainDouble exact) {
    std::vector<double> errors;
    for (const float factor : {1.0F, 1 + 0x1p-23F, 1 - 0x1p-23F}) {
        Call<float> loops(seed, factor);
        Call<double> truth(seed, factor);
        make(loops, plain);
        make(truth, exact);
        errors.resize(truth.outputs.size());
        for (std::size_t k = 0; k < errors.size(); ++k)
            for (std::size_t i = 0; i < truth.outputs[k]->size(); ++i)
                errors[k] = std::max(errors[k], std::fabs((*loops.outputs[k])[i] - (*truth.outputs[k])[i]));
    }
    return errors;
}

/// What went wrong in the worst output: its error over the allowed one, 1 if everything is as it should be.
double excess(const Call<float>& fast, const std::vector<double>& plain_errors, const Call<double>& truth) {
    double worst = 0;
    for (std::size_t k = 0; k < truth.outputs.size(); ++k) {
        double size = 0, error = 0;
        for (std::size_t i = 0; i < truth.outputs[k]->size(); ++i) {
            const double right = (*truth.outputs[k])[i], off = std::fabs((*fast.outputs[k])[i] - right);
            size = std::max(size, std::fabs(right));
            error = off <= error ? error : off;  // NaN is never smaller
        }
        constexpr double kTimes = 4, kRoundings = 4;
        const double allowed = kTimes * plain_errors[k] + kRoundings * 0x1p-24 * size;
        const double ratio = error == 0 ? 0 : error / allowed;
        worst = ratio <= worst ? worst : ratio;
    }
    return worst;
}

bool same_bits(const Call<float>& x, const Call<float>& y) {
    for (std::size_t k = 0; k < x.outputs.size(); ++k)
        if (std::memcmp(x.outputs[k]->data(), y.outputs[k]->data(), sizeof(float) * x.outputs[k]->size()) !=
            0)
            return false;
    return true;
}

/// make(call, f) makes the inputs in the call and calls f, a version of the function.
template <class Make, class Fast, class PlainFloat, class PlainDouble>
void compare(const std::string& what, Make make, Fast fast, PlainFloat plain, PlainDouble exact) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Call<double> truth(seed);
        make(truth, exact);
        const std::vector<double> errors = plain_errors(seed, make, plain, exact);
        for (const VectorUnit unit : vector_units()) {
            Call<float> one(seed), several(seed);
            {
                const ScopedUnit scope(unit);
                make(one, fast);
                // A second call finds the memory of the first.
                Call<float> again(seed);
                make(again, fast);
                BOOST_TEST(same_bits(one, again), what << ", " << name_of(unit) << ", again");
            }
            const double ratio = excess(one, errors, truth);
            BOOST_TEST(ratio <= 1, what << ", " << name_of(unit) << ", seed " << seed << ": " << ratio);
            const ScopedUnit scope(unit, 3);
            make(several, fast);
            BOOST_TEST(same_bits(one, several), what << ", " << name_of(unit) << ", three threads");
        }
    }
}

#define ATTN_COMPARE(name, ...) compare(#name, __VA_ARGS__, fast::name, cpu::name<float>, cpu::name<double>)

BOOST_AUTO_TEST_CASE(rows) {
    for (const auto& shape : {std::pair{1, 1}, std::pair{1, 3}, std::pair{5, 7}, std::pair{67, 33}}) {
        const int N = shape.first, D = shape.second;
        ATTN_COMPARE(softmax_backward, ([N, D]<class T>(Call<T>& x, auto f) {
                         const auto dX = x.out(N, D);
                         f(dX, x.in(1, N, D), x.in(2, N, D));
                     }));
        // With D = 1 the gradient is 0. A compiler that joins products and sums leaves rounding errors there.
        if (D == 1) continue;
        ATTN_COMPARE(layer_norm_backward, ([N, D]<class T>(Call<T>& x, auto f) {
                         const auto dX = x.out(N, D);
                         const auto dgamma = x.out(D), dbeta = x.out(D);
                         f(dX, dgamma, dbeta, x.in(1, N, D), x.in(3, N, D), x.in(1, D), x.in(1, D),
                           T(0.001F));
                     }));
    }
}

BOOST_AUTO_TEST_CASE(attention) {
    ATTN_COMPARE(scaled_dot_product_attention_backward, []<class T>(Call<T>& x, auto f) {
        const int B = 2, N_q = 19, N_k = 23, D_q = 5, D_v = 9;
        const auto dQ = x.out(B, N_q, D_q), dK = x.out(B, N_k, D_q), dV = x.out(B, N_k, D_v);
        f(dQ, dK, dV, x.in(1, B, N_q, D_v), x.in(1, B, N_q, D_q), x.in(2, B, N_k, D_q), x.in(1, B, N_k, D_v));
    });
    for (const bool prefixes : {true, false})
        for (const int N_q : {1, 11, 150})  // one that may attend to nothing; more than a block of queries
            ATTN_COMPARE(masked_attention_backward, ([=]<class T>(Call<T>& x, auto f) {
                             const int B = 2, N_k = 17, D_q = 4, D_v = 6;
                             const auto dQ = x.out(B, N_q, D_q), dK = x.out(B, N_k, D_q),
                                        dV = x.out(B, N_k, D_v);
                             f(dQ, dK, dV, x.in(1, B, N_q, D_v), x.in(1, B, N_q, D_q), x.in(2, B, N_k, D_q),
                               x.in(1, B, N_k, D_v), x.mask(prefixes, B, N_q, N_k));
                         }));
    ATTN_COMPARE(self_attention_backward, []<class T>(Call<T>& x, auto f) {
        const int B = 2, N = 13, D_x = 6, D_q = 5, D_v = 7;
        const auto dX = x.out(B, N, D_x);
        const auto dW_Q = x.out(D_x, D_q), dW_K = x.out(D_x, D_q), dW_V = x.out(D_x, D_v);
        f(dX, dW_Q, dW_K, dW_V, x.in(1, B, N, D_v), x.in(1, B, N, D_x), x.matrix(D_x, D_q),
          x.matrix(D_x, D_q), x.matrix(D_x, D_v));
    });
    ATTN_COMPARE(multi_head_attention_backward, []<class T>(Call<T>& x, auto f) {
        const int B = 2, N_q = 7, N_k = 11, D = 12, H = 3;
        const auto dX_q = x.out(B, N_q, D), dX_kv = x.out(B, N_k, D);
        const auto gradients = x.multi_head_gradients(D);
        const auto weights = x.multi_head_weights(D);
        f(dX_q, dX_kv, gradients, x.in(1, B, N_q, D), x.in(1, B, N_q, D), x.in(1, B, N_k, D), weights,
          x.mask(false, B, N_q, N_k), H);
    });
}

/// Makes the inputs of a block and calls f(dX, gradients, dY, X, weights, mask, H, norm, activation, eps).
auto block(Norm norm, Activation activation, bool masked) {
    return [=]<class T>(Call<T>& x, auto f) {
        const int B = 3, N = 13, D = 12, F = 21, H = 2;
        const auto dX = x.out(B, N, D);
        const auto dgamma_1 = x.out(D), dbeta_1 = x.out(D), dgamma_2 = x.out(D), dbeta_2 = x.out(D);
        const BlockGradients<T> gradients = {dgamma_1, dbeta_1,     x.multi_head_gradients(D),
                                             dgamma_2, dbeta_2,     x.out(D, F),
                                             x.out(F), x.out(F, D), x.out(D)};
        const auto gamma_1 = x.in(1, D), beta_1 = x.in(1, D), gamma_2 = x.in(1, D), beta_2 = x.in(1, D);
        const BlockWeights<T> weights = {gamma_1,    beta_1,         x.multi_head_weights(D),
                                         gamma_2,    beta_2,         x.matrix(D, F),
                                         x.in(1, F), x.matrix(F, D), x.in(1, D)};
        const auto dY = x.in(1, B, N, D), X = x.in(1, B, N, D);
        const auto mask = masked ? x.mask(true, B, N, N) : TensorView<const std::uint8_t, 3>();
        f(dX, gradients, dY, X, weights, mask, H, norm, activation, T(1e-5F));
    };
}

BOOST_AUTO_TEST_CASE(blocks) {
    for (const Norm norm : {Norm::pre, Norm::post})
        for (const Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh})
            ATTN_COMPARE(transformer_block_backward, block(norm, activation, norm == Norm::pre));
    ATTN_COMPARE(feed_forward_backward, []<class T>(Call<T>& x, auto f) {
        const int N = 37, D = 5, F = 70;
        const auto dX = x.out(N, D), dW_1 = x.out(D, F);
        const auto db_1 = x.out(F);
        const auto dW_2 = x.out(F, D);
        const auto db_2 = x.out(D);
        f(dX, dW_1, db_1, dW_2, db_2, x.in(1, N, D), x.in(2, N, D), x.matrix(D, F), x.in(1, F),
          x.matrix(F, D), x.in(1, D), Activation::gelu_erf);
    });
}

BOOST_AUTO_TEST_CASE(a_memory_that_another_size_has_used_is_as_good_as_new) {
    BlockMemory memory;
    const auto kept = [&memory](auto dX, const auto& gradients, auto dY, auto X, const auto& weights,
                                auto mask, int H, Norm norm, Activation activation, float eps) {
        std::vector<float> numbers(static_cast<std::size_t>(X.count()));
        const TensorView<float, 3> Y(numbers.data(), X.size(0), X.size(1), X.size(2));
        transformer_block_keeping(memory, Y, X, weights, mask, H, norm, activation, eps);
        transformer_block_backward_of_kept(dX, gradients, dY, X, weights, mask, H, norm, activation, eps,
                                           memory);
    };
    memory.resize(7, 20, 12, 50);
    compare("kept block", block(Norm::pre, Activation::gelu_erf, true), kept,
            cpu::transformer_block_backward<float>, cpu::transformer_block_backward<double>);
}

BOOST_AUTO_TEST_CASE(patches_and_losses) {
    ATTN_COMPARE(embed_patches_backward, []<class T>(Call<T>& x, auto f) {
        const int B = 3, C = 2, H = 6, W = 9, P = 3, D = 7, N = 6;
        const auto dX = x.out(B, C, H, W);
        const auto dE = x.out(P * P * C, D);
        const auto db = x.out(D), dcls = x.out(D);
        const auto dE_pos = x.out(N + 1, D);
        f(dX, dE, db, dcls, dE_pos, x.in(1, B, N + 1, D), x.in(1, B, C, H, W), x.in(1, P * P * C, D),
          x.in(1, D), x.in(1, D), x.in(1, N + 1, D), P);
    });
    for (const float smoothing : {0.0F, 0.2F})
        ATTN_COMPARE(cross_entropy_backward, ([smoothing]<class T>(Call<T>& x, auto f) {
                         const int B = 2, N = 5, V = 35;
                         std::vector<int> targets;
                         for (int i = 0; i < B * N; ++i) targets.push_back(i == 3 ? -1 : i * 7 % V);
                         const auto dlogits = x.out(B, N, V);
                         f(dlogits, x.in(1, 1), x.in(3, B, N, V),
                           TensorView<const int, 2>(targets.data(), B, N), static_cast<T>(smoothing));
                     }));
}

BOOST_AUTO_TEST_CASE(recurrent) {
    const int B = 3, T_words = 11, D_h = 7, D_s = 5, D_a = 19, D_y = 4, L = 6;
    ATTN_COMPARE(additive_scores_backward, ([=]<class T>(Call<T>& x, auto f) {
                     const auto ds_prev = x.out(B, D_s);
                     const auto dh = x.out(B, T_words, D_h);
                     const auto dW_q = x.out(D_s, D_a), dW_k = x.out(D_h, D_a);
                     const auto dv = x.out(D_a);
                     f(ds_prev, dh, dW_q, dW_k, dv, x.in(1, B, T_words), x.in(1, B, D_s),
                       x.in(1, B, T_words, D_h), x.matrix(D_s, D_a), x.matrix(D_h, D_a), x.in(1, D_a));
                 }));
    ATTN_COMPARE(attention_context_backward, ([=]<class T>(Call<T>& x, auto f) {
                     const auto de = x.out(B, T_words);
                     const auto dh = x.out(B, T_words, D_h);
                     f(de, dh, x.in(1, B, T_words), x.in(1, B, D_h), x.in(2, B, T_words),
                       x.in(1, B, T_words, D_h), x.mask(false, B, T_words));
                 }));
    ATTN_COMPARE(decoder_step_backward, ([=]<class T>(Call<T>& x, auto f) {
                     const auto dy_prev = x.out(B, D_y), dc = x.out(B, D_h), ds_prev = x.out(B, D_s),
                                dW_x = x.out(D_y + D_h, D_s), dW_s = x.out(D_s, D_s);
                     const auto db = x.out(D_s);
                     f(dy_prev, dc, ds_prev, dW_x, dW_s, db, x.in(1, B, D_s), x.in(1, B, D_y),
                       x.in(1, B, D_h), x.in(1, B, D_s), x.matrix(D_y + D_h, D_s), x.matrix(D_s, D_s),
                       x.in(1, D_s));
                 }));
    for (const int steps : {1, L})
        ATTN_COMPARE(decode_backward, ([=]<class T>(Call<T>& x, auto f) {
                         const auto dh = x.out(B, T_words, D_h), dy = x.out(B, steps + 1, D_y);
                         const DecoderGradients<T> gradients = {
                             x.out(D_s, D_a), x.out(D_h, D_a), x.out(D_a),      x.out(D_y + D_h, D_s),
                             x.out(D_s, D_s), x.out(D_s),      x.out(D_h, D_s), x.out(D_s)};
                         const DecoderWeights<T> weights = {x.matrix(D_s, D_a), x.matrix(D_h, D_a),
                                                            x.in(1, D_a),       x.matrix(D_y + D_h, D_s),
                                                            x.matrix(D_s, D_s), x.in(1, D_s),
                                                            x.matrix(D_h, D_s), x.in(1, D_s)};
                         f(dh, dy, gradients, x.in(1, B, steps, D_s), x.in(1, B, T_words, D_h),
                           x.mask(true, B, T_words), x.in(1, B, steps + 1, D_y), weights);
                     }));
}

#undef ATTN_COMPARE

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::fast
