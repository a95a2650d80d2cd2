#include "grader/assignments/training/trained_model.h"

#include <algorithm>
#include <cmath>

#include "assignments/14_training/flat_model.h"
#include "contracts/masking_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "grader/ask/inputs.h"

namespace attn::ask::training {
namespace {

constexpr double kNormEps = 1e-5;

int length(const char* name, const Arrays& inputs) {
    return static_cast<int>(option_of(inputs, name));
}

}  // namespace

TrainedModel::TrainedModel(const Arrays& inputs, const Array& theta, int sentence)
    : theta_(theta.cast<double>()),
      N_(by_name(inputs, "targets").shape.at(1)),
      D_(length("D", inputs)),
      V_(length("V", inputs)),
      F_(length("F", inputs)),
      H_(length("H", inputs)),
      L_(length("L", inputs)),
      X_(Array::zeros<double>("X", {1, N_, D_})) {
    const auto targets = by_name(inputs, "targets").view<int, 2>();
    const auto X = X_.view<double, 3>();
    for (int i = 0; i < N_; ++i) {
        // START, then the words that it had to predict.
        const int token = i == 0 ? 0 : std::max(0, targets(sentence, i - 1));
        for (int d = 0; d < D_; ++d) X(0, i, d) = weight(token * D_ + d) + weight((V_ + i) * D_ + d);
    }
}

Array TrainedModel::attention(int l, int words) const {
    const BlockWeights<double> block = block_at<double>(theta(), begin(l), D_, F_);
    Array mask = Array::zeros<std::uint8_t>("mask", {1, N_, N_});
    cpu::causal_mask(mask.view<std::uint8_t, 3>()[0]);
    const Array X = input(l, mask.view<std::uint8_t, 3>());
    Array normed = Array::zeros<double>("X", {words, D_});
    cpu::layer_norm<double>(normed.view<double, 2>(), {X.as<double>().data(), words, D_}, block.gamma_1,
                            block.beta_1, kNormEps);
    const Array Q = heads_of(normed, block.attention.W_Q, block.attention.b_Q),
                K = heads_of(normed, block.attention.W_K, block.attention.b_K);
    Array masks = Array::zeros<std::uint8_t>("mask", {H_, words, words});
    for (int h = 0; h < H_; ++h) cpu::causal_mask(masks.view<std::uint8_t, 3>()[h]);
    Array A = Array::zeros<double>("A", {H_, words, words}), Y = Q;
    // Each head is a batch. The weights do not depend on the values, so the keys serve as values.
    cpu::masked_attention<double>(Y.view<double, 3>(), A.view<double, 3>(), Q.view<double, 3>(),
                                  K.view<double, 3>(), K.view<double, 3>(), masks.view<std::uint8_t, 3>());
    return A;
}

double TrainedModel::probability(int place, int next, bool alone) const {
    Array mask = Array::zeros<std::uint8_t>("mask", {1, N_, N_});
    const auto allowed = mask.view<std::uint8_t, 3>();
    cpu::causal_mask(allowed[0]);
    for (int j = 0; alone && j < place; ++j) allowed(0, place, j) = 0;
    const Array X = input(L_, allowed);
    Array normed = Array::zeros<double>("Y", {N_, D_});
    cpu::layer_norm<double>(normed.view<double, 2>(), X.view<double, 3>()[0],
                            TensorView<const double, 1>(theta().data() + begin(L_), D_),
                            TensorView<const double, 1>(theta().data() + begin(L_) + D_, D_), kNormEps);
    Array P = Array::zeros<double>("P", {1, V_});
    const auto row = P.view<double, 2>();
    for (int v = 0; v < V_; ++v)
        for (int d = 0; d < D_; ++d) row(0, v) += normed.view<double, 2>()(place, d) * weight(v * D_ + d);
    cpu::softmax<double>(row, row);
    return row(0, next);
}

TrainedModel TrainedModel::with_equal_attention() const {
    TrainedModel equal = *this;
    for (int l = 0; l < L_; ++l) {
        // W_Q and b_Q come after gamma_1 and beta_1.
        const auto first = equal.theta_.as<double>().begin() + begin(l) + 2 * D_;
        std::fill(first, first + D_ * D_ + D_, 0.0);
    }
    return equal;
}

int TrainedModel::begin(int l) const {
    return begin_of_block(V_, N_, D_, F_, l);
}

Array TrainedModel::input(int l, TensorView<const std::uint8_t, 3> mask) const {
    Array X = X_, Y = X_;
    for (int k = 0; k < l; ++k) {
        cpu::transformer_block<double>(Y.view<double, 3>(), X.view<double, 3>(),
                                       block_at<double>(theta(), begin(k), D_, F_), mask, H_, Norm::pre,
                                       Activation::gelu_erf, kNormEps);
        std::swap(X, Y);
    }
    return X;
}

Array TrainedModel::heads_of(const Array& X, TensorView<const double, 2> W,
                             TensorView<const double, 1> b) const {
    const int N = X.shape[0];
    Array Y = Array::zeros<double>("Y", {1, N, D_}), heads = Array::zeros<double>("Y", {H_, N, D_ / H_});
    for (int i = 0; i < N; ++i)
        for (int d = 0; d < D_; ++d) {
            double& y = Y.view<double, 3>()(0, i, d);
            y = b(d);
            for (int k = 0; k < D_; ++k) y += X.view<double, 2>()(i, k) * W(k, d);
        }
    cpu::split_heads<double>({heads.as<double>().data(), 1, H_, N, D_ / H_}, Y.view<double, 3>());
    return heads;
}

Array with_three_digits(const Array& weights) {
    return map(weights, [](double a) { return std::round(1000 * a) / 1000; });
}

}  // namespace attn::ask::training
