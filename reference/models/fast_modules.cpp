// The modules at the machine's speed.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "contracts/backward_fast.h"
#include "contracts/language_model_reference.h"
#include "contracts/multi_head_fast.h"
#include "contracts/rnn_attention_fast.h"
#include "contracts/transformer_block_fast.h"
#include "contracts/vit_patching_fast.h"
#include "reference/fast/convolution.h"
#include "reference/fast/gradients.h"
#include "reference/fast/kept_block.h"
#include "reference/fast/kept_decoder.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/matmul.h"
#include "reference/models/modules.h"

namespace attn::training {
namespace {

using fast::Matrix;

/// Something of attn::fast that a forward keeps.
template <class T>
struct KeptFor : Memory {
    T value;
};

template <class T>
T& memory_in(Kept& kept) {
    if (dynamic_cast<KeptFor<T>*>(kept.get()) == nullptr) kept = std::make_unique<KeptFor<T>>();
    return static_cast<KeptFor<T>&>(*kept).value;
}

/// All vectors of step t, one of each sentence.
template <class T>
Matrix<T> step_of(TensorView<T, 3> X, int t) {
    const std::ptrdiff_t D = X.size(2);
    return {X.data() + t * D, X.size(0), X.size(2), X.size(1) * D};
}

/// A row is 0 from its sentence's end on.
void clear_pads(View3 X, TensorView<const int, 1> lengths) {
    for (int b = 0; b < X.size(0); ++b)
        for (int t = lengths(b); t < X.size(1); ++t) std::fill_n(X[b][t].data(), X.size(2), 0.0F);
}

/// The cells of a grid as the words of a sentence.
template <class T>
TensorView<T, 3> cells_of(TensorView<T, 4> grid) {
    return {grid.data(), grid.size(0), grid.size(1) * grid.size(2), grid.size(3)};
}
std::size_t cell_count(Read4 grid) {
    return static_cast<std::size_t>(grid.count() / grid.size(3));
}
MaskView as_mask(const std::vector<std::uint8_t>& mask, Read4 grid) {
    return {mask.data(), grid.size(0), grid.size(1) * grid.size(2)};
}

/// A matrix that lives as long as this, of numbers that are 0.
class Scratch {
  public:
    Scratch(int rows, int columns)
        : numbers_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)),
          view(numbers_.data(), rows, columns) {}

  private:
    std::vector<float> numbers_;

  public:
    const View2 view;
};

/// The first vector of each sequence.
Matrix<const float> first_of(Read3 X) {
    return {X.data(), X.size(0), X.size(2), std::ptrdiff_t{X.size(1)} * X.size(2)};
}

class FastModules : public Modules {
  public:
    std::string name() const override { return "fast"; }

    void linear(View2 Y, Read2 X, Read2 W, Read1 b) override { fast::linear(Y, X, W, b.data()); }
    void linear_backward(View2 dX, View2 dW, TensorView<float, 1> db, Read2 dY, Read2 X, Read2 W) override {
        fast::linear_weights_backward(dW, db.data(), dY, X);
        if (dX) fast::multiply_transposed(dX, dY, W, 1);
    }

    void score_words(View2 logits, Read2 Y, Read2 table) override {
        fast::multiply_transposed(logits, Y, table, 1);
    }
    void score_words_backward(View2 dY, View2 dtable, Read2 dlogits, Read2 Y, Read2 table) override {
        fast::multiply(dY, dlogits, table);
        fast::add_product_first_transposed(dtable, dlogits, Y);
    }

    void layer_norm(View2 Y, Read2 X, Read1 gamma, Read1 beta, float eps) override {
        fast::layer_norm(Y, X, gamma, beta, eps);
    }
    void layer_norm_backward(View2 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read2 dY,
                             Read2 X, Read1 gamma, Read1 beta, float eps) override {
        fast::layer_norm_backward(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    void transformer_block(View3 Y, Read3 X, const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                           Activation activation, float eps, Kept& kept) override {
        fast::transformer_block_keeping(memory_in<fast::BlockMemory>(kept), Y, X, weights, mask, H, norm,
                                        activation, eps);
    }
    void transformer_block_backward(View3 dX, const BlockGradients<float>& gradients, Read3 dY, Read3 X,
                                    const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                                    Activation activation, float eps, Kept& kept) override {
        fast::transformer_block_backward_of_kept(dX, gradients, dY, X, weights, mask, H, norm, activation,
                                                 eps, memory_in<fast::BlockMemory>(kept));
    }

    void multi_head_attention(View3 Y, Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                              Masks mask, int H) override {
        fast::multi_head_attention(Y, X_q, X_kv, weights, mask, H);
    }
    void multi_head_attention_backward(View3 dX_q, View3 dX_kv, const MultiHeadGradients<float>& gradients,
                                       Read3 dY, Read3 X_q, Read3 X_kv,
                                       const MultiHeadWeights<float>& weights, Masks mask, int H) override {
        fast::multi_head_attention_backward(dX_q, dX_kv, gradients, dY, X_q, X_kv, weights, mask, H);
    }

    void feed_forward(View2 Y, Read2 X, const FeedForwardWeights& w, Activation activation) override {
        fast::feed_forward(Y, X, w.W_1, w.b_1, w.W_2, w.b_2, activation);
    }
    void feed_forward_backward(View2 dX, const FeedForwardGradients& g, Read2 dY, Read2 X,
                               const FeedForwardWeights& w, Activation activation) override {
        fast::feed_forward_backward(dX, g.dW_1, g.db_1, g.dW_2, g.db_2, dY, X, w.W_1, w.b_1, w.W_2, w.b_2,
                                    activation);
    }

    void embed_patches(View3 Z, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        fast::embed_patches(Z, X, E, b, cls, E_pos, P);
    }
    void embed_patches_backward(View2 dE, TensorView<float, 1> db, TensorView<float, 1> dcls, View2 dE_pos,
                                Read3 dZ, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        fast::embed_patches_backward({}, dE, db, dcls, dE_pos, dZ, X, E, b, cls, E_pos, P);
    }

    void conv2d(View4 Y, Read4 X, Read4 W, Read1 bias, int S) override { fast::conv2d(Y, X, W, bias, S); }
    void conv2d_backward(View4 dX, View4 dW, TensorView<float, 1> dbias, Read4 dY, Read4 X, Read4 W,
                         Read1 bias, int S) override {
        fast::conv2d_backward(dX, dW, dbias, dY, X, W, bias, S);
    }

    void batch_norm(View3 Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new, Read3 X,
                    Read1 gamma, Read1 beta, Read1 mean, Read1 variance, bool training, float momentum,
                    float eps) override {
        fast::batch_norm(Y, mean_new, variance_new, X, gamma, beta, mean, variance, training, momentum, eps);
    }
    void batch_norm_backward(View3 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read3 dY,
                             Read3 X, Read1 gamma, Read1 beta, float eps) override {
        fast::batch_norm_backward(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    void encode(View3 H, View3 last, Read3 X, TensorView<const int, 1> lengths,
                const RecurrentLayers<float>& weights) override {
        // The words' part of all steps is one product.
        fast::linear(H, X, weights.W_x[0], weights.b[0].data());
        for (int t = 0; t < H.size(1); ++t) {
            const Matrix<float> h = step_of(H, t);
            if (t > 0) fast::add_product(h, step_of(H, t - 1), weights.W_h[0]);
            for (int b = 0; b < h.rows; ++b) {
                float* const row = h.data + b * h.row;
                fast::layer_kernels().tanh(row, row, h.columns);
            }
        }
        clear_pads(H, lengths);
        for (int b = 0; b < H.size(0); ++b)
            std::copy_n(H[b][lengths(b) - 1].data(), H.size(2), last[b][0].data());
    }
    void encode_backward(View3 dX, const RecurrentGradients<float>& gradients, Read3 dH, Read3 X,
                         TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights,
                         Read3 H) override {
        const int B = H.size(0), T = H.size(1), D = H.size(2);
        std::vector<float> numbers(3 * static_cast<std::size_t>(H.count()));
        const View3 dz(numbers.data(), B, T, D), before(dz.data() + dz.count(), B, T, D),
            ds(before.data() + before.count(), B, T, D);
        std::copy_n(dH.data(), dH.count(), ds.data());
        for (int t = T - 1; t >= 0; --t) {
            for (int b = 0; b < B; ++b) {
                if (t >= lengths(b)) continue;
                for (int d = 0; d < D; ++d) dz(b, t, d) = ds(b, t, d) * (1 - H(b, t, d) * H(b, t, d));
                if (t > 0) std::copy_n(H[b][t - 1].data(), D, before[b][t].data());
            }
            if (t > 0) fast::add_product_transposed(step_of(ds, t - 1), step_of(dz, t), weights.W_h[0]);
        }
        fast::linear_weights_backward(gradients.dW_x[0], gradients.db[0].data(), Matrix<float>(dz), X);
        fast::multiply_first_transposed(gradients.dW_h[0], Matrix<float>(before), Matrix<float>(dz));
        fast::multiply_transposed(dX, Matrix<float>(dz), weights.W_x[0], 1);
    }

    void decode(View3 S, View3 A, Read3 h, MaskView mask, Read3 y, const DecoderWeights<float>& weights,
                Kept& kept) override {
        fast::decode_keeping(memory_in<fast::DecoderMemory>(kept), S, A, h, mask, y, weights);
    }
    void decode_backward(View3 dh, View3 dy, const DecoderGradients<float>& gradients, Read3 dS, Read3 h,
                         MaskView mask, Read3 y, const DecoderWeights<float>& weights, Kept& kept) override {
        fast::decode_backward_of_kept(dh, dy, gradients, dS, h, mask, y, weights,
                                      memory_in<fast::DecoderMemory>(kept));
    }

    void caption_states(View3 S, View3 A, Read4 grid, bool looks, Read3 y,
                        const DecoderWeights<float>& weights, Kept& kept) override {
        const std::vector<std::uint8_t> mask(cell_count(grid), looks ? 1 : 0);
        fast::decode_keeping(memory_in<fast::DecoderMemory>(kept), S, A, cells_of(grid), as_mask(mask, grid),
                             y, weights, fast::FirstState::mean);
    }
    void caption_states_backward(View4 dgrid, View3 dy, const DecoderGradients<float>& gradients, Read3 dS,
                                 Read4 grid, bool looks, Read3 y, const DecoderWeights<float>& weights,
                                 Kept& kept) override {
        const std::vector<std::uint8_t> mask(cell_count(grid), looks ? 1 : 0);
        fast::decode_backward_of_kept(cells_of(dgrid), dy, gradients, dS, cells_of(grid), as_mask(mask, grid),
                                      y, weights, memory_in<fast::DecoderMemory>(kept));
    }

    void token_head(View3 logits, Read3 X, const TokenHead<const float>& w, float eps) override {
        const int N = X.size(0) * X.size(1), D = X.size(2);
        const Scratch layer(N, D), normed(N, D);
        fast::linear(layer.view, X, w.W, w.b.data());
        activate(layer.view);
        fast::layer_norm(normed.view, layer.view, w.gamma, w.beta, eps);
        fast::multiply_transposed(logits, normed.view, w.table, 1);
        for (int i = 0; i < N; ++i) {
            float* const row = logits.data() + std::ptrdiff_t{i} * logits.size(2);
            for (int v = 0; v < logits.size(2); ++v) row[v] += w.bias(v);
        }
    }
    void token_head_backward(View3 dX, const TokenHead<float>& g, Read3 dlogits, Read3 X,
                             const TokenHead<const float>& w, float eps) override {
        const int N = X.size(0) * X.size(1), D = X.size(2);
        const Scratch before(N, D), layer(N, D), normed(N, D), dnormed(N, D), dlayer(N, D);
        fast::linear(before.view, X, w.W, w.b.data());
        std::copy_n(before.view.data(), before.view.count(), layer.view.data());
        activate(layer.view);
        fast::layer_norm(normed.view, layer.view, w.gamma, w.beta, eps);
        fast::add_product_first_transposed(g.table, dlogits, normed.view);
        fast::sum_rows(g.bias.data(), dlogits);
        fast::multiply(dnormed.view, dlogits, w.table);
        fast::layer_norm_backward(dlayer.view, g.gamma, g.beta, dnormed.view, layer.view, w.gamma, w.beta,
                                  eps);
        fast::activation_backward(layer.view, dlayer.view, before.view, Activation::gelu_erf);
        fast::linear_weights_backward(g.W, g.b.data(), dlayer.view, X);
        fast::multiply_transposed(dX, dlayer.view, w.W, 1);
    }

    void sentence_head(View2 logits, Read3 X, const SentenceHead<const float>& w) override {
        const Scratch s(X.size(0), X.size(2));
        fast::linear(s.view, first_of(X), w.W, w.b.data());
        fast::layer_kernels().tanh(s.view.data(), s.view.data(), s.view.count());
        fast::linear(logits, s.view, w.W_c, w.b_c.data());
    }
    void sentence_head_backward(View3 dX, const SentenceHead<float>& g, Read2 dlogits, Read3 X,
                                const SentenceHead<const float>& w) override {
        const Scratch s(X.size(0), X.size(2)), dz(X.size(0), X.size(2));
        fast::linear(s.view, first_of(X), w.W, w.b.data());
        fast::layer_kernels().tanh(s.view.data(), s.view.data(), s.view.count());
        fast::linear_weights_backward(g.W_c, g.b_c.data(), dlogits, s.view);
        fast::multiply_transposed(dz.view, dlogits, w.W_c, 1);
        for (std::ptrdiff_t k = 0; k < dz.view.count(); ++k)
            dz.view.data()[k] *= 1 - s.view.data()[k] * s.view.data()[k];
        fast::linear_weights_backward(g.W, g.b.data(), dz.view, first_of(X));
        std::fill_n(dX.data(), dX.count(), 0.0F);
        fast::multiply_transposed(step_of(dX, 0), dz.view, w.W, 1);
    }

    float cross_entropy(Read3 logits, TensorView<const int, 2> targets, float smoothing) override {
        float loss = 0;
        cpu::cross_entropy<float>({&loss, 1}, {}, logits, targets, smoothing);
        return loss;
    }
    void cross_entropy_backward(View3 dlogits, float dloss, Read3 logits, TensorView<const int, 2> targets,
                                float smoothing) override {
        fast::cross_entropy_backward(dlogits, {&dloss, 1}, logits, targets, smoothing);
    }

  private:
    /// gelu_erf, on all threads
    static void activate(View2 X) {
        fast::for_row_blocks(X.size(0), X.size(1), [&](int first, int end) {
            float* const row = X[first].data();
            fast::layer_kernels().gelu_erf(row, row, std::ptrdiff_t{end - first} * X.size(1));
        });
    }
};

}  // namespace

std::unique_ptr<Modules> fast_modules() {
    return std::make_unique<FastModules>();
}

}  // namespace attn::training
