#include "reference/models/masked_language.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "contracts/masking_reference.h"
#include "reference/refusals.h"

namespace attn::training {
namespace {

template <class T>
TokenHead<T> token_head_of(const Layout& layout, T* numbers) {
    const auto vector = [&](const char* name) { return layout.view<1>(numbers, name); };
    return {
        layout.view<2>(numbers, "token.W"), vector("token.b"),   vector("token.gamma"), vector("token.beta"),
        layout.view<2>(numbers, "table"),   vector("token.bias")};
}

template <class T>
SentenceHead<T> sentence_head_of(const Layout& layout, T* numbers) {
    return {layout.view<2>(numbers, "sentence.W"), layout.view<1>(numbers, "sentence.b"),
            layout.view<2>(numbers, "sentence.W_c"), layout.view<1>(numbers, "sentence.b_c")};
}

}  // namespace

const std::vector<std::string>& special_tokens() {
    static const std::vector<std::string> names = {"<pad>", "<s>", "</s>", "<sep>", "<mask>"};
    return names;
}

MaskedLanguageModel::MaskedLanguageModel(Layout& layout, int V, int N, int classes, StackSizes sizes)
    : V_(V), N_(N), K_(classes), stack_([&] {
          const float deviation = 1 / std::sqrt(static_cast<float>(sizes.D));
          layout.add("table", {V, sizes.D}, {0, deviation}, true);
          layout.add("P", {N, sizes.D}, {0, deviation}, false);
          return Stack(layout, sizes);
      }()) {
    layout.add_matrix("token.W", sizes.D, sizes.D);
    layout.add_vector("token.b", sizes.D);
    layout.add_vector("token.gamma", sizes.D, kOnes);
    layout.add_vector("token.beta", sizes.D);
    layout.add_vector("token.bias", V);
    layout.add_matrix("sentence.W", sizes.D, sizes.D);
    layout.add_vector("sentence.b", sizes.D);
    layout.add_matrix("sentence.W_c", sizes.D, classes);
    layout.add_vector("sentence.b_c", classes);
}

Masks MaskedLanguageModel::mask() const {
    if (mask_.empty()) return {};
    const Read3 X = X_.view();
    return {mask_.data(), X.size(0), X.size(1), X.size(1)};
}

/// No token looks at <pad>.
Read3 MaskedLanguageModel::encode(Modules& modules, const Layout& layout, const float* theta,
                                  TensorView<const int, 2> tokens) {
    const int B = tokens.size(0), N = tokens.size(1), D = stack_.sizes().D;
    const Read2 table = layout.view<2>(theta, "table"), P = layout.view<2>(theta, "P");
    require_inside(N, 1, N_ + 1);
    const View3 X = X_.shaped(B, N, D);
    std::vector<int> lengths;
    for (int b = 0; b < B; ++b) {
        int length = N;
        for (int i = 0; i < N; ++i) {
            require_inside(tokens(b, i), 0, V_);
            if (tokens(b, i) == kPad) length = std::min(length, i);
            for (int d = 0; d < D; ++d) X(b, i, d) = table(tokens(b, i), d) + P(i, d);
        }
        lengths.push_back(length);
    }
    mask_.clear();
    if (*std::min_element(lengths.begin(), lengths.end()) < N) {
        mask_.resize(static_cast<std::size_t>(B) * static_cast<std::size_t>(N) * static_cast<std::size_t>(N));
        cpu::padding_mask({mask_.data(), B, N, N}, {lengths.data(), B});
    }
    return Y_ = stack_.forward(modules, layout, theta, X, mask());
}

void MaskedLanguageModel::encode_backward(Modules& modules, const Layout& layout, float* gradient,
                                          const float* theta, TensorView<const int, 2> tokens) {
    const View3 dX = stack_.backward(modules, layout, gradient, theta, dY_.view(), mask());
    const View2 dtable = layout.view<2>(gradient, "table"), dP = layout.view<2>(gradient, "P");
    for (int b = 0; b < dX.size(0); ++b)
        for (int i = 0; i < dX.size(1); ++i)
            for (int d = 0; d < dX.size(2); ++d) {
                dtable(tokens(b, i), d) += dX(b, i, d);
                dP(i, d) += dX(b, i, d);
            }
}

/// The head computes only what counts, which is about one place in seven.
MaskedLanguageModel::Guesses MaskedLanguageModel::guesses(Modules& modules, const Layout& layout,
                                                          const float* theta, TensorView<const int, 2> tokens,
                                                          TensorView<const int, 2> targets) {
    const Read3 Y = encode(modules, layout, theta, tokens);
    const int N = Y.size(1), D = Y.size(2);
    places_.clear();
    words_.clear();
    for (int b = 0; b < Y.size(0); ++b)
        for (int i = 0; i < N; ++i)
            if (targets(b, i) >= 0) {
                places_.push_back(b * N + i);
                words_.push_back(targets(b, i));
            }
    const int M = static_cast<int>(places_.size());
    const View3 chosen = chosen_.shaped(1, M, D), logits = logits_.shaped(1, M, V_);
    for (int k = 0; k < M; ++k)
        std::copy_n(Y.data() + std::ptrdiff_t{places_[static_cast<std::size_t>(k)]} * D, D,
                    chosen[0][k].data());
    if (M > 0) modules.token_head(logits, chosen, token_head_of(layout, theta), kEps);
    return {logits, {words_.data(), 1, M}};
}

double MaskedLanguageModel::word_gradients(Modules& modules, const Layout& layout, float* gradient,
                                           const float* theta, TensorView<const int, 2> tokens,
                                           TensorView<const int, 2> targets) {
    const auto [logits, words] = guesses(modules, layout, theta, tokens, targets);
    const int M = logits.size(1), D = stack_.sizes().D;
    if (M == 0) return 0;
    const double loss = modules.cross_entropy(logits, words, 0);
    const View3 dlogits = dlogits_.shaped(1, M, V_), dchosen = dchosen_.shaped(1, M, D);
    modules.cross_entropy_backward(dlogits, 1, logits, words, 0);
    modules.token_head_backward(dchosen, token_head_of(layout, gradient), dlogits, chosen_.view(),
                                token_head_of(layout, theta), kEps);
    const View3 dY = dY_.shaped(tokens.size(0), tokens.size(1), D);
    std::fill_n(dY.data(), dY.count(), 0.0F);
    for (int k = 0; k < M; ++k)
        std::copy_n(dchosen[0][k].data(), D,
                    dY.data() + std::ptrdiff_t{places_[static_cast<std::size_t>(k)]} * D);
    encode_backward(modules, layout, gradient, theta, tokens);
    return loss;
}

Read2 MaskedLanguageModel::classes(Modules& modules, const Layout& layout, const float* theta,
                                   TensorView<const int, 2> tokens) {
    const Read3 Y = encode(modules, layout, theta, tokens);
    const View2 logits = classes_.shaped(Y.size(0), K_);
    modules.sentence_head(logits, Y, sentence_head_of(layout, theta));
    return logits;
}

double MaskedLanguageModel::class_gradients(Modules& modules, const Layout& layout, float* gradient,
                                            const float* theta, TensorView<const int, 2> tokens,
                                            TensorView<const int, 1> labels) {
    const int B = tokens.size(0);
    const Read2 logits = classes(modules, layout, theta, tokens);
    const View2 dlogits = dclasses_.shaped(B, K_);
    const Read3 of_batch(logits.data(), 1, B, K_);
    const TensorView<const int, 2> targets(labels.data(), 1, B);
    const double loss = modules.cross_entropy(of_batch, targets, 0);
    modules.cross_entropy_backward({dlogits.data(), 1, B, K_}, 1, of_batch, targets, 0);
    modules.sentence_head_backward(dY_.shaped(B, tokens.size(1), stack_.sizes().D),
                                   sentence_head_of(layout, gradient), dlogits, Y_,
                                   sentence_head_of(layout, theta));
    encode_backward(modules, layout, gradient, theta, tokens);
    return loss;
}

}  // namespace attn::training
