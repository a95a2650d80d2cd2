// Assignment 14: a drawing of which word looks at which in the model that a training ends with.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "assignments/14_training/flat_model.h"
#include "contracts/masking_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "grader/ask/inputs.h"
#include "grader/ask/three_sentences.h"
#include "grader/assignments/training/helpers.h"

namespace attn::ask::training {
namespace {

constexpr double kNormEps = 1e-5;
// "I think therefore I am": after the second I, what stands before it decides.
constexpr int kSentence = 0, kPlace = 4;

/// The trained model while it reads one sentence, in double.
class Reading {
  public:
    Reading(const Arrays& inputs, const Array& theta)
        : theta_(theta.cast<double>()),
          targets_(by_name(inputs, "targets")),
          N_(targets_.shape.at(1)),
          D_(length("D", inputs)),
          V_(length("V", inputs)),
          F_(length("F", inputs)),
          H_(length("H", inputs)),
          L_(length("L", inputs)),
          X_(Array::zeros<double>("X", {1, N_, D_})) {
        const auto X = X_.view<double, 3>();
        for (int i = 0; i < N_; ++i)
            for (int d = 0; d < D_; ++d) X(0, i, d) = weight(token(i) * D_ + d) + weight((V_ + i) * D_ + d);
    }

    /// The weights of attention of the first block: [H, words, words].
    Array attention(int words) const {
        const BlockWeights<double> block = block_at<double>(theta(), begin(0), D_, F_);
        Array normed = Array::zeros<double>("X", {words, D_});
        cpu::layer_norm<double>(normed.view<double, 2>(), {X_.as<double>().data(), words, D_}, block.gamma_1,
                                block.beta_1, kNormEps);
        const Array Q = heads_of(normed, block.attention.W_Q, block.attention.b_Q),
                    K = heads_of(normed, block.attention.W_K, block.attention.b_K);
        Array mask = Array::zeros<std::uint8_t>("mask", {H_, words, words});
        for (int h = 0; h < H_; ++h) cpu::causal_mask(mask.view<std::uint8_t, 3>()[h]);
        Array A = Array::zeros<double>("A", {H_, words, words}), Y = Q;
        // Each head is a batch. The weights do not depend on the values, so the keys serve as values.
        cpu::masked_attention<double>(Y.view<double, 3>(), A.view<double, 3>(), Q.view<double, 3>(),
                                      K.view<double, 3>(), K.view<double, 3>(), mask.view<std::uint8_t, 3>());
        return A;
    }

    /// The probability that the model writes the word `next` after `place`. If `alone`, the word at this place
    /// sees only itself.
    double probability(int place, int next, bool alone) const {
        Array mask = Array::zeros<std::uint8_t>("mask", {1, N_, N_});
        const auto allowed = mask.view<std::uint8_t, 3>();
        cpu::causal_mask(allowed[0]);
        for (int j = 0; alone && j < place; ++j) allowed(0, place, j) = 0;
        Array X = X_, Y = X_;
        for (int l = 0; l < L_; ++l) {
            cpu::transformer_block<double>(Y.view<double, 3>(), X.view<double, 3>(),
                                           block_at<double>(theta(), begin(l), D_, F_), allowed, H_,
                                           Norm::pre, Activation::gelu_erf, kNormEps);
            std::swap(X, Y);
        }
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

  private:
    static int length(const char* name, const Arrays& inputs) {
        return static_cast<int>(option_of(inputs, name));
    }
    TensorView<const double, 1> theta() const { return theta_.view<double, 1>(); }
    double weight(int w) const { return theta()(w); }
    int begin(int l) const { return begin_of_block(V_, N_, D_, F_, l); }
    /// What the model reads at place i: START, then the words that it had to predict.
    int token(int i) const { return i == 0 ? 0 : std::max(0, targets_.view<int, 2>()(kSentence, i - 1)); }

    /// X W + b, split into heads: [H, N, D/H].
    Array heads_of(const Array& X, TensorView<const double, 2> W, TensorView<const double, 1> b) const {
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

    Array theta_;
    const Array& targets_;
    int N_, D_, V_, F_, H_, L_;
    Array X_;
};

/// "head 0 looks most at “think” (0.44), ..", of the word at kPlace.
std::string most_seen(const Array& A, const std::vector<std::string>& words) {
    std::string heads;
    for (int h = 0; h < A.shape[0]; ++h) {
        const auto row = A.view<double, 3>()[h][kPlace];
        const auto most = std::max_element(row.data(), row.data() + kPlace + 1) - row.data();
        const std::string word = most == kPlace ? "itself"
                                 : most == 1    ? "the first \u201cI\u201d"
                                             : "\u201c" + words.at(static_cast<std::size_t>(most)) + "\u201d";
        heads += fmt::format("{}head {} looks most at {} ({:.2f})", h == 0 ? "" : ", ", h, word,
                             row(static_cast<int>(most)));
    }
    return heads;
}

const char* meaning(double usual, double alone) {
    if (usual < 0.5) return "the model has not learned what follows";
    if (alone < 0.5) return "the model needs the words before it";
    return "the model knows the word's place in the sentence, and that is enough";
}

std::optional<Drawing> drawing(const Arrays& inputs, const Arrays& outputs) {
    if (!has(outputs, "theta_new")) return std::nullopt;
    const ThreeSentences& world = three_sentences();
    const std::vector<int>& sentence = world.sentences.at(kSentence);
    std::vector<std::string> words = {"START"};
    for (std::size_t i = 0; i + 1 < sentence.size(); ++i)
        words.push_back(world.words[static_cast<std::size_t>(sentence[i])]);
    const Reading reading(inputs, by_name(outputs, "theta_new"));
    const Array A = reading.attention(static_cast<int>(words.size()));
    const int next = sentence.at(kPlace);
    const double usual = reading.probability(kPlace, next, false),
                 alone = reading.probability(kPlace, next, true);
    const auto& weights = A.as<double>();
    const bool finite =
        std::all_of(weights.begin(), weights.end(), [](double a) { return std::isfinite(a); });
    if (!finite || !std::isfinite(usual) || !std::isfinite(alone)) return std::nullopt;
    const std::string& word = world.words[static_cast<std::size_t>(next)];
    Drawing drawn;
    // A picture needs no more digits.
    drawn.matrices = map(A, [](double a) { return std::round(1000 * a) / 1000; });
    drawn.letters = {"H", "N", "N"};
    drawn.words = words;
    drawn.sentences = {
        "Which word looked at which: the weights of attention of the first block, one picture for each head. "
        "Each row is a word that the model has just read, each column a word that it looks at. The "
        "reference's plain loops computed them from the weights that your training ended with.",
        fmt::format(
            "Look at the second \u201cI\u201d, the last row but one. Only \u201c{}\u201d is right after "
            "it, but after the first one any of three words. Here {}.",
            word, most_seen(A, words)),
        fmt::format(
            "The model writes \u201c{}\u201d there with the probability {:.3f}. If this \u201cI\u201d "
            "saw only itself, it would be {:.3f}: {}.",
            word, usual, alone, meaning(usual, alone))};
    return drawn;
}

}  // namespace

std::vector<DrawingRecipe> drawings() {
    return {{"A", drawing}};
}

}  // namespace attn::ask::training
