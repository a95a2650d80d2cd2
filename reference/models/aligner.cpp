#include "reference/models/aligner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::training {
namespace {

/// Y = X + Y
template <int Rank>
void add(TensorView<float, Rank> Y, TensorView<const float, Rank> X) {
    for (int k = 0; k < Y.count(); ++k) Y.data()[k] += X.data()[k];
}

template <int Rank>
TensorView<float, Rank> like(Tensor<Rank>& to, TensorView<const float, Rank> X) {
    if constexpr (Rank == 3)
        return to.shaped(X.size(0), X.size(1), X.size(2));
    else
        return to.shaped(X.size(0), X.size(1));
}

/// The weights with which the stream `asks` asks the stream `asked`, by value or as gradients.
template <class Weights, class T>
Weights attention_of(const Layout& layout, T* numbers, const std::string& prefix, char asks, char asked) {
    const auto matrix = [&](const char* name, char of) {
        return layout.view<2>(numbers, prefix + name + of);
    };
    const auto vector = [&](const char* name, char of) {
        return layout.view<1>(numbers, prefix + name + of);
    };
    return {matrix("W_Q_", asks),  vector("b_Q_", asks),  matrix("W_K_", asked), vector("b_K_", asked),
            matrix("W_V_", asked), vector("b_V_", asked), matrix("W_O_", asks),  vector("b_O_", asks)};
}

template <class Weights, class T>
Weights feed_forward_of(const Layout& layout, T* numbers, const std::string& prefix, char stream) {
    return {
        layout.view<2>(numbers, prefix + "W_1_" + stream), layout.view<1>(numbers, prefix + "b_1_" + stream),
        layout.view<2>(numbers, prefix + "W_2_" + stream), layout.view<1>(numbers, prefix + "b_2_" + stream)};
}

void add_stream(Layout& layout, const std::string& prefix, char stream, const AlignerSizes& sizes) {
    const float last = 1 / std::sqrt(2 * static_cast<float>(sizes.L));
    const auto name = [&](const char* weight) { return prefix + weight + stream; };
    for (const char* weight : {"Q_", "K_", "V_", "O_"}) {
        layout.add_matrix(prefix + "W_" + weight + stream, sizes.D, sizes.D, weight[0] == 'O' ? last : 1);
        layout.add_vector(prefix + "b_" + weight + stream, sizes.D);
    }
    layout.add_vector(name("gamma_1_"), sizes.D, kOnes);
    layout.add_vector(name("beta_1_"), sizes.D);
    layout.add_matrix(name("W_1_"), sizes.D, sizes.F);
    layout.add_vector(name("b_1_"), sizes.F);
    layout.add_matrix(name("W_2_"), sizes.F, sizes.D, last);
    layout.add_vector(name("b_2_"), sizes.D);
    layout.add_vector(name("gamma_2_"), sizes.D, kOnes);
    layout.add_vector(name("beta_2_"), sizes.D);
}

}  // namespace

Aligner::Aligner(Layout& layout, AlignerSizes sizes) : sizes_(sizes) {
    regions_.letter = 'r';
    words_.letter = 'w';
    layout.add_matrix("regions.W_f", sizes.D_f, sizes.D);
    layout.add_vector("regions.b_f", sizes.D);
    layout.add_matrix("regions.W_p", 5, sizes.D);
    layout.add_vector("regions.b_p", sizes.D);
    layout.add("table", {sizes.words, sizes.D}, {0, 1}, true);
    layout.add("P", {sizes.N_w, sizes.D}, {0, 1}, false);
    for (Stream* stream : {&regions_, &words_}) {
        stream->blocks.resize(static_cast<std::size_t>(sizes.L));
        for (int l = 0; l < sizes.L; ++l) add_stream(layout, block_prefix(l), stream->letter, sizes);
        layout.add_matrix(std::string("score.W_") + stream->letter, sizes.D, sizes.D_p);
        layout.add_vector(std::string("score.b_") + stream->letter, sizes.D_p);
    }
    layout.add_matrix("score.v", sizes.D_p, 1);
    layout.add_vector("score.c", 1);
}

/// No region attends to what follows the end of a sentence.
void Aligner::make_masks(const ScoredPairs& pairs) {
    const int B = pairs.count(), N_r = pairs.features.size(1), N_w = sizes_.N_w;
    words_seen_.clear();
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_r; ++i)
            words_seen_.insert(words_seen_.end(), pairs.is_word.begin() + std::ptrdiff_t{b} * N_w,
                               pairs.is_word.begin() + std::ptrdiff_t{b + 1} * N_w);
    of_words_ = Masks(words_seen_.data(), B, N_r, N_w);
}

Masks Aligner::mask_for(const Stream& asking) const {
    return &asking == &regions_ ? of_words_ : Masks();
}

void Aligner::forward_block(Modules& modules, const Layout& layout, const float* theta, int l) {
    const std::string prefix = block_prefix(l);
    const auto at = static_cast<std::size_t>(l);
    for (Stream* stream : {&regions_, &words_}) {
        const Stream& other = stream == &regions_ ? words_ : regions_;
        const char letter = stream->letter;
        BlockState& kept = stream->blocks[at];
        const Read3 X = kept.X.view();
        const View3 attended = like<3>(kept.attended, X), Z = like<3>(kept.Z, X), fed = like<3>(kept.fed, X),
                    Y = like<3>(kept.Y, X);
        modules.multi_head_attention(
            attended, X, other.blocks[at].X.view(),
            attention_of<MultiHeadWeights<float>>(layout, theta, prefix, letter, other.letter),
            mask_for(*stream), sizes_.H);
        add<3>(attended, X);
        const auto norm = [&](View3 to, Read3 from, const char* number) {
            modules.layer_norm(rows_of(to), rows_of(from),
                               layout.view<1>(theta, prefix + "gamma_" + number + letter),
                               layout.view<1>(theta, prefix + "beta_" + number + letter), kEps);
        };
        norm(Z, attended, "1_");
        modules.feed_forward(rows_of(fed), rows_of(Z),
                             feed_forward_of<FeedForwardWeights>(layout, theta, prefix, letter),
                             Activation::gelu_erf);
        add<3>(fed, Z);
        norm(Y, fed, "2_");
    }
}

/// From dY to dX of both streams. What a stream gets as the one that is asked comes to its dX, too.
void Aligner::backward_block(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                             int l) {
    const std::string prefix = block_prefix(l);
    const auto at = static_cast<std::size_t>(l);
    for (Stream* stream : {&regions_, &words_}) {
        Stream& other = stream == &regions_ ? words_ : regions_;
        const char letter = stream->letter;
        const BlockState& kept = stream->blocks[at];
        const Read3 X = kept.X.view(), asked = other.blocks[at].X.view();
        const View3 dfed = like<3>(stream->dfed, X), dZ = like<3>(stream->dZ, X),
                    dattended = like<3>(stream->dattended, X), dasks = like<3>(stream->dasks, X),
                    dasked = like<3>(other.dasked, asked);
        const auto norm_backward = [&](View3 to, Read3 dY, Read3 from, const char* number) {
            modules.layer_norm_backward(
                rows_of(to), layout.view<1>(gradient, prefix + "gamma_" + number + letter),
                layout.view<1>(gradient, prefix + "beta_" + number + letter), rows_of(dY), rows_of(from),
                layout.view<1>(theta, prefix + "gamma_" + number + letter),
                layout.view<1>(theta, prefix + "beta_" + number + letter), kEps);
        };
        norm_backward(dfed, stream->dY.view(), kept.fed.view(), "2_");
        modules.feed_forward_backward(
            rows_of(dZ), feed_forward_of<FeedForwardGradients>(layout, gradient, prefix, letter),
            rows_of(dfed), rows_of(kept.Z.view()),
            feed_forward_of<FeedForwardWeights>(layout, theta, prefix, letter), Activation::gelu_erf);
        add<3>(dZ, dfed);
        norm_backward(dattended, dZ, kept.attended.view(), "1_");
        modules.multi_head_attention_backward(
            dasks, dasked,
            attention_of<MultiHeadGradients<float>>(layout, gradient, prefix, letter, other.letter),
            dattended, X, asked,
            attention_of<MultiHeadWeights<float>>(layout, theta, prefix, letter, other.letter),
            mask_for(*stream), sizes_.H);
    }
    for (Stream* stream : {&regions_, &words_}) {
        const View3 dX = like<3>(stream->dX, stream->dattended.view());
        std::copy_n(stream->dattended.view().data(), dX.count(), dX.data());
        add<3>(dX, stream->dasks.view());
        add<3>(dX, stream->dasked.view());
    }
}

Read1 Aligner::scores(Modules& modules, const Layout& layout, const float* theta, const ScoredPairs& pairs) {
    const int B = pairs.count(), N_r = pairs.features.size(1), N_w = sizes_.N_w, D = sizes_.D;
    make_masks(pairs);
    const View3 X_r = regions_.blocks[0].X.shaped(B, N_r, D), placed = placed_.shaped(B, N_r, D),
                X_w = words_.blocks[0].X.shaped(B, N_w, D);
    modules.linear(rows_of(X_r), rows_of(pairs.features), layout.view<2>(theta, "regions.W_f"),
                   layout.view<1>(theta, "regions.b_f"));
    modules.linear(rows_of(placed), rows_of(pairs.five), layout.view<2>(theta, "regions.W_p"),
                   layout.view<1>(theta, "regions.b_p"));
    add<3>(X_r, placed);
    const Read2 table = layout.view<2>(theta, "table"), P = layout.view<2>(theta, "P");
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_w; ++i)
            for (int d = 0; d < D; ++d) X_w(b, i, d) = table(pairs.tokens(b, i), d) + P(i, d);
    for (int l = 0; l < sizes_.L; ++l) {
        forward_block(modules, layout, theta, l);
        if (l + 1 == sizes_.L) break;
        for (Stream* stream : {&regions_, &words_}) {
            const Read3 Y = stream->blocks[static_cast<std::size_t>(l)].Y.view();
            const View3 next = like<3>(stream->blocks[static_cast<std::size_t>(l) + 1].X, Y);
            std::copy_n(Y.data(), Y.count(), next.data());
        }
    }
    for (Stream* stream : {&regions_, &words_}) {
        const Read3 Y = stream->blocks.back().Y.view();
        const View2 first = stream->first.shaped(B, D), pooled = stream->pooled.shaped(B, sizes_.D_p);
        for (int b = 0; b < B; ++b) std::copy_n(Y[b][0].data(), D, first[b].data());
        modules.linear(pooled, first, layout.view<2>(theta, std::string("score.W_") + stream->letter),
                       layout.view<1>(theta, std::string("score.b_") + stream->letter));
        for (int k = 0; k < pooled.count(); ++k) pooled.data()[k] = std::max(0.0F, pooled.data()[k]);
    }
    const View2 product = product_.shaped(B, sizes_.D_p), score = score_.shaped(B, 1);
    for (int k = 0; k < product.count(); ++k)
        product.data()[k] = regions_.pooled.view().data()[k] * words_.pooled.view().data()[k];
    modules.linear(score, product, layout.view<2>(theta, "score.v"), layout.view<1>(theta, "score.c"));
    return {score.data(), B};
}

double Aligner::loss(Modules& modules, const Layout& layout, const float* theta, const ScoredPairs& pairs,
                     const std::vector<int>& together) {
    const Read1 score = scores(modules, layout, theta, pairs);
    // The logits of no and yes: softmax of (0, score) is (1 - sigmoid, sigmoid).
    const View3 logits = logits_.shaped(pairs.count(), 1, 2);
    for (int b = 0; b < pairs.count(); ++b) {
        logits(b, 0, 0) = 0;
        logits(b, 0, 1) = score(b);
    }
    return modules.cross_entropy(logits, {together.data(), pairs.count(), 1}, 0);
}

double Aligner::gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                          const ScoredPairs& pairs, const std::vector<int>& together) {
    const double loss = this->loss(modules, layout, theta, pairs, together);
    const int B = pairs.count(), D = sizes_.D;
    const View3 dlogits = dlogits_.shaped(B, 1, 2);
    const View2 dscore = dscore_.shaped(B, 1), dproduct = dproduct_.shaped(B, sizes_.D_p);
    modules.cross_entropy_backward(dlogits, 1, logits_.view(), {together.data(), B, 1}, 0);
    for (int b = 0; b < B; ++b) dscore(b, 0) = dlogits(b, 0, 1);
    modules.linear_backward(dproduct, layout.view<2>(gradient, "score.v"),
                            layout.view<1>(gradient, "score.c"), dscore, product_.view(),
                            layout.view<2>(theta, "score.v"));
    for (Stream* stream : {&regions_, &words_}) {
        const Read2 mine = stream->pooled.view(),
                    others = (stream == &regions_ ? words_ : regions_).pooled.view();
        const View2 dpooled = stream->dpooled.shaped(B, sizes_.D_p), dfirst = stream->dfirst.shaped(B, D);
        for (int k = 0; k < dpooled.count(); ++k)
            dpooled.data()[k] = mine.data()[k] > 0 ? dproduct.data()[k] * others.data()[k] : 0;
        const std::string W = std::string("score.W_") + stream->letter,
                          b = std::string("score.b_") + stream->letter;
        modules.linear_backward(dfirst, layout.view<2>(gradient, W), layout.view<1>(gradient, b), dpooled,
                                stream->first.view(), layout.view<2>(theta, W));
        const View3 dY = like<3>(stream->dY, stream->blocks.back().Y.view());
        std::fill_n(dY.data(), dY.count(), 0.0F);
        for (int n = 0; n < B; ++n) std::copy_n(dfirst[n].data(), D, dY[n][0].data());
    }
    for (int l = sizes_.L; l-- > 0;) {
        backward_block(modules, layout, gradient, theta, l);
        for (Stream* stream : {&regions_, &words_}) {
            const Read3 dX = stream->dX.view();
            std::copy_n(dX.data(), dX.count(), like<3>(stream->dY, dX).data());
        }
    }
    const View2 nothing, dtable = layout.view<2>(gradient, "table"), dP = layout.view<2>(gradient, "P");
    const View3 dX_r = regions_.dX.view(), dX_w = words_.dX.view();
    modules.linear_backward(nothing, layout.view<2>(gradient, "regions.W_f"),
                            layout.view<1>(gradient, "regions.b_f"), rows_of(dX_r), rows_of(pairs.features),
                            layout.view<2>(theta, "regions.W_f"));
    modules.linear_backward(nothing, layout.view<2>(gradient, "regions.W_p"),
                            layout.view<1>(gradient, "regions.b_p"), rows_of(dX_r), rows_of(pairs.five),
                            layout.view<2>(theta, "regions.W_p"));
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < sizes_.N_w; ++i)
            for (int d = 0; d < D; ++d) {
                dtable(pairs.tokens(b, i), d) += dX_w(b, i, d);
                dP(i, d) += dX_w(b, i, d);
            }
    return loss;
}

}  // namespace attn::training
