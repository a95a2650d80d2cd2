#include "reference/models/captioner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::training {
Captioner::Captioner(Layout& layout, CaptionerSizes sizes, bool attention)
    : sizes_(std::move(sizes)), attention_(attention), layers_(sizes_.convolutions.size()) {
    int D = sizes_.D_in;
    cells_ = sizes_.side;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        Layer& layer = layers_[l];
        layer.prefix = "conv." + std::to_string(l) + ".";
        layer.sizes = sizes_.convolutions[l];
        layer.rows = cells_ = (cells_ + layer.sizes.S - 1) / layer.sizes.S;
        add_convolution(layout, layer.prefix + "W", D, layer.sizes.D);
        layout.add_vector(layer.prefix + "b", layer.sizes.D);
        D = layer.sizes.D;
    }
    layout.add("table", {sizes_.words + 1, sizes_.D_y}, {0, 1}, true);
    add_decoder(layout, D, sizes_.D_y, sizes_.D_s, sizes_.D_a);
    layout.add_matrix("W_out", sizes_.D_s, sizes_.words);
    layout.add_vector("b_out", sizes_.words);
}

Read4 Captioner::make_grid(Modules& modules, const Layout& layout, const float* theta, Read4 images) {
    Read4 X = images;
    for (Layer& layer : layers_) {
        layer.X = X;
        const View4 Y = layer.Y.shaped(X.size(0), layer.rows, layer.rows, layer.sizes.D);
        modules.conv2d(Y, X, layout.view<4>(theta, layer.prefix + "W"),
                       layout.view<1>(theta, layer.prefix + "b"), layer.sizes.S);
        relu(Y);
        X = Y;
    }
    return X;
}

void Captioner::decode(Modules& modules, const Layout& layout, const float* theta, Read4 grid,
                       TensorView<const int, 2> captions) {
    const int B = captions.size(0), L = captions.size(1);
    const View3 y = y_.shaped(B, L + 1, sizes_.D_y), S = S_.shaped(B, L, sizes_.D_s),
                A = A_.shaped(B, L, cells_ * cells_), logits = logits_.shaped(B, L, sizes_.words);
    const Read2 table = layout.view<2>(theta, "table");
    read_.clear();
    for (int b = 0; b < B; ++b)
        for (int t = 0; t <= L; ++t) {
            // A target that does not count is read as START, and what follows does not count either.
            read_.push_back(t > 0 && captions(b, t - 1) >= 0 ? captions(b, t - 1) : start());
            std::copy_n(table[read_.back()].data(), sizes_.D_y, y[b][t].data());
        }
    modules.caption_states(S, A, grid, attention_, y, decoder_weights(layout, theta), kept_);
    modules.linear(rows_of(logits), rows_of(S), layout.view<2>(theta, "W_out"),
                   layout.view<1>(theta, "b_out"));
}

double Captioner::loss(Modules& modules, const Layout& layout, const float* theta, Read4 images,
                       TensorView<const int, 2> captions, float smoothing) {
    decode(modules, layout, theta, make_grid(modules, layout, theta, images), captions);
    return modules.cross_entropy(logits_.view(), captions, smoothing);
}

double Captioner::gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                            Read4 images, TensorView<const int, 2> captions, float smoothing) {
    const double loss = this->loss(modules, layout, theta, images, captions, smoothing);
    const int B = captions.size(0), L = captions.size(1);
    for (Layer& layer : layers_) layer.dY.shaped(B, layer.rows, layer.rows, layer.sizes.D);
    Layer& last = layers_.back();
    const View3 dlogits = dlogits_.shaped(B, L, sizes_.words), dS = dS_.shaped(B, L, sizes_.D_s),
                dy = dy_.shaped(B, L + 1, sizes_.D_y);
    modules.cross_entropy_backward(dlogits, 1, logits_.view(), captions, smoothing);
    modules.linear_backward(rows_of(dS), layout.view<2>(gradient, "W_out"), layout.view<1>(gradient, "b_out"),
                            rows_of(dlogits), rows_of(S_.view()), layout.view<2>(theta, "W_out"));
    modules.caption_states_backward(last.dY.view(), dy, decoder_gradients(layout, gradient), dS,
                                    last.Y.view(), attention_, y_.view(), decoder_weights(layout, theta),
                                    kept_);
    const View2 dtable = layout.view<2>(gradient, "table"), of_words = rows_of(dy);
    for (int k = 0; k < of_words.size(0); ++k)
        for (int d = 0; d < sizes_.D_y; ++d) dtable(read_[static_cast<std::size_t>(k)], d) += of_words(k, d);
    for (std::size_t l = layers_.size(); l-- > 0;) {
        Layer& layer = layers_[l];
        relu_backward(layer.dY.view(), layer.Y.view());
        modules.conv2d_backward(l > 0 ? layers_[l - 1].dY.view() : View4(),
                                layout.view<4>(gradient, layer.prefix + "W"),
                                layout.view<1>(gradient, layer.prefix + "b"), layer.dY.view(), layer.X,
                                layout.view<4>(theta, layer.prefix + "W"),
                                layout.view<1>(theta, layer.prefix + "b"), layer.sizes.S);
    }
    return loss;
}

std::vector<std::vector<int>> Captioner::say(Modules& modules, const Layout& layout, const float* theta,
                                             Read4 images, int L) {
    const Read4 grid = make_grid(modules, layout, theta, images);
    const int B = images.size(0);
    std::vector<std::vector<int>> said(static_cast<std::size_t>(B));
    for (int length = 1; length <= L; ++length) {
        std::vector<int> so_far;  // and any word at the end, which is not read
        for (std::vector<int>& one : said) {
            so_far.insert(so_far.end(), one.begin(), one.end());
            so_far.push_back(0);
        }
        decode(modules, layout, theta, grid, {so_far.data(), B, length});
        for (int b = 0; b < B; ++b)
            said[static_cast<std::size_t>(b)].push_back(largest(logits_.view()[b][length - 1]));
    }
    return said;
}

}  // namespace attn::training
