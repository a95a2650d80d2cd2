#include "reference/models/translator.h"

#include <algorithm>
#include <cmath>

namespace attn::training {
namespace {

template <class Layers, class T>
Layers layers_of(const Layout& layout, T* numbers) {
    return {layout.view<3>(numbers, "encoder.W_x"), layout.view<3>(numbers, "encoder.W_h"),
            layout.view<2>(numbers, "encoder.b")};
}

RecurrentLayers<float> encoder(const Layout& layout, const float* theta) {
    return layers_of<RecurrentLayers<float>>(layout, theta);
}

void look_up(View3 X, int b, int i, Read2 table, int token) {
    std::copy_n(table[token].data(), table.size(1), X[b][i].data());
}

/// dtable[token] += dX[b, i]
void add_to_row(View2 dtable, int token, Read3 dX, int b, int i) {
    for (int d = 0; d < dtable.size(1); ++d) dtable(token, d) += dX(b, i, d);
}

}  // namespace

Translator::Translator(Layout& layout, TranslatorSizes sizes, bool attention)
    : sizes_(sizes), attention_(attention) {
    const auto& [source, target, D, D_y, D_s, D_a] = sizes;
    const float deviation = 1 / std::sqrt(static_cast<float>(D));
    layout.add("source_table", {source, D}, {0, 1}, true);
    layout.add("encoder.W_x", {1, D, D}, {0, deviation}, true);
    layout.add("encoder.W_h", {1, D, D}, {0, deviation}, true);
    layout.add("encoder.b", {1, D}, kZeros, false);
    layout.add("target_table", {target + 1, D_y}, {0, 1}, true);
    add_decoder(layout, D, D_y, D_s, D_a);
    layout.add_matrix("W_out", D_s, target);
    layout.add_vector("b_out", target);
}

void Translator::encode(Modules& modules, const Layout& layout, const float* theta,
                        const std::vector<std::vector<int>>& source) {
    const int B = static_cast<int>(source.size()), D = sizes_.D;
    lengths_.clear();
    for (const std::vector<int>& sentence : source) lengths_.push_back(static_cast<int>(sentence.size()));
    const int T = *std::max_element(lengths_.begin(), lengths_.end());
    const View3 X = X_.shaped(B, T, D), H = H_.shaped(B, T, D), last = last_.shaped(B, 1, D);
    std::fill_n(X.data(), X.count(), 0.0F);
    const Read2 table = layout.view<2>(theta, "source_table");
    const int words = attention_ ? T : 1;
    mask_.assign(static_cast<std::size_t>(B) * static_cast<std::size_t>(words), attention_ ? 0 : 1);
    const TensorView<std::uint8_t, 2> mask(mask_.data(), B, words);
    for (int b = 0; b < B; ++b)
        for (std::size_t i = 0; i < source[static_cast<std::size_t>(b)].size(); ++i) {
            const int place = static_cast<int>(i);
            look_up(X, b, place, table, source[static_cast<std::size_t>(b)][i]);
            if (attention_) mask(b, place) = 1;
        }
    modules.encode(H, last, X, {lengths_.data(), B}, encoder(layout, theta));
}

void Translator::decode(Modules& modules, const Layout& layout, const float* theta, int L) {
    const int B = y_.view().size(0), words = offered().size(1);
    const View3 S = S_.shaped(B, L, sizes_.D_s), A = A_.shaped(B, L, words),
                logits = logits_.shaped(B, L, sizes_.target);
    modules.decode(S, A, offered(), mask(), y_.view(), decoder_weights(layout, theta), kept_);
    modules.linear(rows_of(logits), rows_of(S), layout.view<2>(theta, "W_out"),
                   layout.view<1>(theta, "b_out"));
}

double Translator::gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                             const Pairs& batch) {
    encode(modules, layout, theta, batch.source);
    const int B = static_cast<int>(batch.source.size()), T = H_.view().size(1), D = sizes_.D,
              L = static_cast<int>(batch.target[0].size());
    const View3 y = y_.shaped(B, L + 1, sizes_.D_y);
    const Read2 table = layout.view<2>(theta, "target_table");
    // Step t reads the character before the one that it should say.
    std::vector<int> inputs, said;
    for (int b = 0; b < B; ++b) {
        const std::vector<int>& target = batch.target[static_cast<std::size_t>(b)];
        said.insert(said.end(), target.begin(), target.end());
        inputs.push_back(start());
        inputs.insert(inputs.end(), target.begin(), target.end());
    }
    const TensorView<const int, 2> read(inputs.data(), B, L + 1);
    for (int b = 0; b < B; ++b)
        for (int t = 0; t <= L; ++t) look_up(y, b, t, table, read(b, t));
    decode(modules, layout, theta, L);

    const TensorView<const int, 2> targets(said.data(), B, L);
    const double loss = modules.cross_entropy(logits_.view(), targets, 0);
    const View3 dlogits = dlogits_.shaped(B, L, sizes_.target), dS = dS_.shaped(B, L, sizes_.D_s),
                doffered = doffered_.shaped(B, offered().size(1), D), dH = dH_.shaped(B, T, D),
                dX = dX_.shaped(B, T, D), dy = dy_.shaped(B, L + 1, sizes_.D_y);
    modules.cross_entropy_backward(dlogits, 1, logits_.view(), targets, 0);
    modules.linear_backward(rows_of(dS), layout.view<2>(gradient, "W_out"), layout.view<1>(gradient, "b_out"),
                            rows_of(dlogits), rows_of(S_.view()), layout.view<2>(theta, "W_out"));
    modules.decode_backward(doffered, dy, decoder_gradients(layout, gradient), dS, offered(), mask(), y,
                            decoder_weights(layout, theta), kept_);
    std::fill_n(dH.data(), dH.count(), 0.0F);
    if (attention_)
        std::copy_n(doffered.data(), doffered.count(), dH.data());
    else
        for (int b = 0; b < B; ++b)
            std::copy_n(doffered[b][0].data(), D, dH[b][lengths_[static_cast<std::size_t>(b)] - 1].data());
    modules.encode_backward(dX, layers_of<RecurrentGradients<float>>(layout, gradient), dH, X_.view(),
                            {lengths_.data(), B}, encoder(layout, theta), H_.view());
    const View2 dsource = layout.view<2>(gradient, "source_table"),
                dtarget = layout.view<2>(gradient, "target_table");
    for (int b = 0; b < B; ++b) {
        const std::vector<int>& source = batch.source[static_cast<std::size_t>(b)];
        for (std::size_t i = 0; i < source.size(); ++i)
            add_to_row(dsource, source[i], dX, b, static_cast<int>(i));
        for (int t = 0; t <= L; ++t) add_to_row(dtarget, read(b, t), dy, b, t);
    }
    return loss;
}

std::vector<std::vector<int>> Translator::translate(Modules& modules, const Layout& layout,
                                                    const float* theta,
                                                    const std::vector<std::vector<int>>& source, int length) {
    encode(modules, layout, theta, source);
    const int B = static_cast<int>(source.size());
    const Read2 table = layout.view<2>(theta, "target_table");
    std::vector<std::vector<int>> said(source.size());
    for (int L = 1; L <= length; ++L) {
        const View3 y = y_.shaped(B, L + 1, sizes_.D_y);
        for (int b = 0; b < B; ++b)
            for (int t = 0; t <= L; ++t)
                look_up(y, b, t, table,
                        t > 0 && t < L ? said[static_cast<std::size_t>(b)][static_cast<std::size_t>(t - 1)]
                                       : start());
        decode(modules, layout, theta, L);
        for (int b = 0; b < B; ++b)
            said[static_cast<std::size_t>(b)].push_back(largest(logits_.view()[b][L - 1]));
    }
    return said;
}

int whole_sentences(const std::vector<std::vector<int>>& said, const std::vector<std::vector<int>>& target) {
    int whole = 0;
    for (std::size_t k = 0; k < said.size(); ++k) whole += said[k] == target[k] ? 1 : 0;
    return whole;
}

}  // namespace attn::training
