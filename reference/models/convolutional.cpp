#include "reference/models/convolutional.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attn::training {
namespace {

/// The features of all cells of an image as one row.
View2 flat(View4 X) {
    return {X.data(), X.size(0), X.size(1) * X.size(2) * X.size(3)};
}

TensorView<float, 1> row(Numbers& numbers) {
    return {numbers.data(), static_cast<int>(numbers.size())};
}

}  // namespace

void add_convolution(Layout& layout, const std::string& name, int D_in, int D_out) {
    layout.add(name, {3, 3, D_in, D_out}, {0, std::sqrt(2 / (9 * static_cast<float>(D_in)))}, true);
}

void relu(View4 Y) {
    float* const y = Y.data();
    const std::ptrdiff_t count = Y.count();
    for (std::ptrdiff_t k = 0; k < count; ++k) y[k] = y[k] > 0 ? y[k] : 0;
}

void relu_backward(View4 dY, Read4 Y) {
    const float* const y = Y.data();
    float* const d = dY.data();
    const std::ptrdiff_t count = Y.count();
    for (std::ptrdiff_t k = 0; k < count; ++k) d[k] = y[k] > 0 ? d[k] : 0;
}

ConvolutionalNetwork::ConvolutionalNetwork(Layout& layout, int side, int classes,
                                           const std::vector<ConvolutionSizes>& sizes)
    : layers_(sizes.size()), K_(classes) {
    int rows = side, D = 1;
    for (std::size_t l = 0; l < sizes.size(); ++l) {
        Layer& layer = layers_[l];
        layer.prefix = "conv." + std::to_string(l) + ".";
        layer.S = sizes[l].S;
        layer.rows = rows = (rows + layer.S - 1) / layer.S;
        layer.D = sizes[l].D;
        for (Numbers* const numbers : {&layer.mean, &layer.variance, &layer.zeros, &layer.unused})
            numbers->resize(static_cast<std::size_t>(layer.D));
        add_convolution(layout, layer.prefix + "W", D, layer.D);
        layout.add_vector(layer.prefix + "gamma", layer.D, kOnes);
        layout.add_vector(layer.prefix + "beta", layer.D);
        D = layer.D;
    }
    layout.add_matrix("W_head", rows * rows * D, classes);
    layout.add_vector("b_head", classes);
}

Read2 ConvolutionalNetwork::forward(Modules& modules, const Layout& layout, const float* theta, Read4 images,
                                    bool training) {
    const int B = images.size(0);
    const int side = images.size(2);
    Read4 X(images.data(), B, side, side, 1);
    for (Layer& layer : layers_) {
        layer.X = X;
        const View4 Y = layer.normed.shaped(B, layer.rows, layer.rows, layer.D);
        modules.conv2d(layer.convolved.shaped(B, layer.rows, layer.rows, layer.D), X,
                       layout.view<4>(theta, layer.prefix + "W"), row(layer.zeros), layer.S);
        // What is measured in a training replaces the means and variances of the layer.
        Numbers mean = layer.mean, variance = layer.variance;
        modules.batch_norm(layer.vectors(layer.normed), row(mean), row(variance),
                           layer.vectors(layer.convolved), layout.view<1>(theta, layer.prefix + "gamma"),
                           layout.view<1>(theta, layer.prefix + "beta"), row(layer.mean), row(layer.variance),
                           training, 1, kEps);
        layer.mean = mean;
        layer.variance = variance;
        relu(Y);
        X = {Y.data(), B, layer.rows, layer.rows, layer.D};
    }
    const View2 logits = logits_.shaped(B, K_);
    modules.linear(logits, flat(layers_.back().normed.view()), layout.view<2>(theta, "W_head"),
                   layout.view<1>(theta, "b_head"));
    return logits;
}

void ConvolutionalNetwork::measure(Modules& modules, const Layout& layout, const float* theta, Read4 images) {
    forward(modules, layout, theta, images, true);
}

Read2 ConvolutionalNetwork::logits(Modules& modules, const Layout& layout, const float* theta, Read4 images) {
    return forward(modules, layout, theta, images, false);
}

double ConvolutionalNetwork::gradients(Modules& modules, const Layout& layout, float* gradient,
                                       const float* theta, Read4 images, TensorView<const int, 1> labels,
                                       float smoothing) {
    const int B = images.size(0);
    const Read2 logits = forward(modules, layout, theta, images, true);
    const Read3 of_batch(logits.data(), 1, B, K_);
    const TensorView<const int, 2> targets(labels.data(), 1, B);
    const View2 dlogits = dlogits_.shaped(B, K_);
    const double loss = modules.cross_entropy(of_batch, targets, smoothing);
    modules.cross_entropy_backward({dlogits.data(), 1, B, K_}, 1, of_batch, targets, smoothing);
    for (Layer& layer : layers_) {
        layer.dnormed.shaped(B, layer.rows, layer.rows, layer.D);
        layer.dconvolved.shaped(B, layer.rows, layer.rows, layer.D);
    }
    const View2 last = flat(layers_.back().normed.view());
    modules.linear_backward(flat(layers_.back().dnormed.view()), layout.view<2>(gradient, "W_head"),
                            layout.view<1>(gradient, "b_head"), dlogits, last,
                            layout.view<2>(theta, "W_head"));
    for (std::size_t l = layers_.size(); l-- > 0;) {
        Layer& layer = layers_[l];
        relu_backward(layer.dnormed.view(), layer.normed.view());
        modules.batch_norm_backward(
            layer.vectors(layer.dconvolved), layout.view<1>(gradient, layer.prefix + "gamma"),
            layout.view<1>(gradient, layer.prefix + "beta"), layer.vectors(layer.dnormed),
            layer.vectors(layer.convolved), layout.view<1>(theta, layer.prefix + "gamma"),
            layout.view<1>(theta, layer.prefix + "beta"), kEps);
        modules.conv2d_backward(l > 0 ? layers_[l - 1].dnormed.view() : View4(),
                                layout.view<4>(gradient, layer.prefix + "W"), row(layer.unused),
                                layer.dconvolved.view(), layer.X, layout.view<4>(theta, layer.prefix + "W"),
                                row(layer.zeros), layer.S);
    }
    return loss;
}

}  // namespace attn::training
