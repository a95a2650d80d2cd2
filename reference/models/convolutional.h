#pragma once
/// A small convolutional network with gradients: convolutions of 3 x 3 with batch norm and relu, and a linear layer from all
/// features of the last one. Its weights: "conv.0.W" [3, 3, D_in, D_out], "conv.0.gamma" and "conv.0.beta" .., "W_head" and
/// "b_head". Batch norm has a shift of its own, so the convolutions have no bias.

#include <string>
#include <vector>

#include "reference/models/stack.h"

namespace attn::training {

struct ConvolutionSizes {
    int D, S;  ///< features, stride
};

/// A kernel [3, 3, D_in, D_out] whose output has the variance of its input after relu, which halves the squares (He et al.
/// 2015).
void add_convolution(Layout& layout, const std::string& name, int D_in, int D_out);

/// Y = max(0, Y), and the gradient of the numbers before it: dY where Y > 0, else 0.
void relu(View4 Y);
void relu_backward(View4 dY, Read4 Y);

class ConvolutionalNetwork {
  public:
    /// Images have `side` x `side` pixels and one channel.
    ConvolutionalNetwork(Layout& layout, int side, int classes, const std::vector<ConvolutionSizes>& sizes);

    /// The batch norms use the batch's own means and variances.
    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     Read4 images, TensorView<const int, 1> labels, float smoothing);

    /// Measures the means and variances that logits() uses, over images that the network learns from (Ioffe & Szegedy
    /// 2015, algorithm 2).
    void measure(Modules& modules, const Layout& layout, const float* theta, Read4 images);
    /// logits [B, K] of images [B, 1, side, side]; good until the next call.
    Read2 logits(Modules& modules, const Layout& layout, const float* theta, Read4 images);

  private:
    struct Layer {
        std::string prefix;
        int rows, D, S;
        Read4 X;
        Tensor<4> convolved, normed, dnormed, dconvolved;
        Numbers mean, variance, zeros, unused;

        View3 vectors(Tensor<4>& cells) const {
            const View4 all = cells.view();
            return {all.data(), all.size(0), rows * rows, D};
        }
    };
    Read2 forward(Modules& modules, const Layout& layout, const float* theta, Read4 images, bool training);

    std::vector<Layer> layers_;
    int K_;
    Tensor<2> logits_, dlogits_;
};

}  // namespace attn::training
