#pragma once
/// The captioner of assignment 8 with gradients: convolutions with relu make a grid of an image, and a decoder with or without
/// attention says its words.
///
/// Weights: "conv.0.W", "conv.0.b" .., "table" of the words, "decoder.W_q" .. as in DecoderWeights, "W_out" and "b_out". Without
/// attention (show_and_tell) only the first rows of "decoder.W_x" are used.

#include <vector>

#include "reference/models/convolutional.h"
#include "reference/models/stack.h"

namespace attn::training {

struct CaptionerSizes {
    int side, D_in;                              ///< images have side x side pixels of D_in numbers
    std::vector<ConvolutionSizes> convolutions;  ///< from the image to the grid
    int words;                                   ///< that captions have; the table has one more, START
    int D_y, D_s, D_a;                           ///< of words, states, scores
};

class Captioner {
  public:
    Captioner(Layout& layout, CaptionerSizes sizes, bool attention);

    /// The mean loss over the words. Targets below 0 do not count.
    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     Read4 images, TensorView<const int, 2> captions, float smoothing);
    /// The loss of gradients().
    double loss(Modules& modules, const Layout& layout, const float* theta, Read4 images,
                TensorView<const int, 2> captions, float smoothing);

    /// The most probable words, L of them for each image, each read by the next step      [B, L]
    std::vector<std::vector<int>> say(Modules& modules, const Layout& layout, const float* theta,
                                      Read4 images, int L);
    /// Where each word of the last say() looked: A [B, L, R C]. Zeros without attention.
    Read3 maps() const { return A_.view(); }
    /// The side of the grid.
    int cells() const { return cells_; }

  private:
    struct Layer {
        std::string prefix;
        ConvolutionSizes sizes;
        int rows;
        Read4 X;
        Tensor<4> Y, dY;
    };
    Read4 make_grid(Modules& modules, const Layout& layout, const float* theta, Read4 images);
    /// What is read: `captions` after START. Leaves logits and maps.
    void decode(Modules& modules, const Layout& layout, const float* theta, Read4 grid,
                TensorView<const int, 2> captions);
    int start() const { return sizes_.words; }

    CaptionerSizes sizes_;
    bool attention_;
    int cells_;
    std::vector<Layer> layers_;
    std::vector<int> read_;
    Tensor<3> y_, S_, A_, logits_, dlogits_, dS_, dy_;
    Kept kept_;
};

}  // namespace attn::training
