// The modules as plain loops.

#include <algorithm>
#include <vector>

#include "contracts/backward_reference.h"
#include "contracts/convolution_attention_reference.h"
#include "contracts/image_captioning_reference.h"
#include "contracts/language_model_reference.h"
#include "contracts/masked_language_model_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/recurrent_backward_reference.h"
#include "contracts/rnn_attention_reference.h"
#include "contracts/seq2seq_reference.h"
#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_reference.h"
#include "reference/models/image_gradients.h"
#include "reference/models/masked_gradients.h"
#include "reference/models/modules.h"

namespace attn::training {
namespace {

class PlainModules : public Modules {
  public:
    std::string name() const override { return "plain"; }

    void linear(View2 Y, Read2 X, Read2 W, Read1 b) override {
        for (int i = 0; i < Y.size(0); ++i)
            for (int d = 0; d < Y.size(1); ++d) {
                float sum = 0;
                for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
                Y(i, d) = sum + b(d);
            }
    }
    void linear_backward(View2 dX, View2 dW, TensorView<float, 1> db, Read2 dY, Read2 X, Read2 W) override {
        std::fill_n(dW.data(), dW.count(), 0.0F);
        std::fill_n(db.data(), db.count(), 0.0F);
        for (int i = 0; i < dY.size(0); ++i)
            for (int d = 0; d < dY.size(1); ++d) {
                db(d) += dY(i, d);
                for (int k = 0; k < X.size(1); ++k) dW(k, d) += X(i, k) * dY(i, d);
            }
        if (dX) multiply_transposed(dX, dY, W);
    }

    void score_words(View2 logits, Read2 Y, Read2 table) override { multiply_transposed(logits, Y, table); }
    void score_words_backward(View2 dY, View2 dtable, Read2 dlogits, Read2 Y, Read2 table) override {
        std::fill_n(dY.data(), dY.count(), 0.0F);
        for (int i = 0; i < Y.size(0); ++i)
            for (int v = 0; v < table.size(0); ++v)
                for (int d = 0; d < Y.size(1); ++d) {
                    dY(i, d) += dlogits(i, v) * table(v, d);
                    dtable(v, d) += dlogits(i, v) * Y(i, d);
                }
    }

    void layer_norm(View2 Y, Read2 X, Read1 gamma, Read1 beta, float eps) override {
        cpu::layer_norm<float>(Y, X, gamma, beta, eps);
    }
    void layer_norm_backward(View2 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read2 dY,
                             Read2 X, Read1 gamma, Read1 beta, float eps) override {
        cpu::layer_norm_backward<float>(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    void transformer_block(View3 Y, Read3 X, const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                           Activation activation, float eps, Kept& /*kept*/) override {
        cpu::transformer_block<float>(Y, X, weights, mask, H, norm, activation, eps);
    }
    void transformer_block_backward(View3 dX, const BlockGradients<float>& gradients, Read3 dY, Read3 X,
                                    const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                                    Activation activation, float eps, Kept& /*kept*/) override {
        cpu::transformer_block_backward<float>(dX, gradients, dY, X, weights, mask, H, norm, activation, eps);
    }

    void multi_head_attention(View3 Y, Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                              Masks mask, int H) override {
        cpu::multi_head_attention<float>(Y, X_q, X_kv, weights, mask, H);
    }
    void multi_head_attention_backward(View3 dX_q, View3 dX_kv, const MultiHeadGradients<float>& gradients,
                                       Read3 dY, Read3 X_q, Read3 X_kv,
                                       const MultiHeadWeights<float>& weights, Masks mask, int H) override {
        cpu::multi_head_attention_backward<float>(dX_q, dX_kv, gradients, dY, X_q, X_kv, weights, mask, H);
    }

    void feed_forward(View2 Y, Read2 X, const FeedForwardWeights& w, Activation activation) override {
        cpu::feed_forward<float>(Y, X, w.W_1, w.b_1, w.W_2, w.b_2, activation);
    }
    void feed_forward_backward(View2 dX, const FeedForwardGradients& g, Read2 dY, Read2 X,
                               const FeedForwardWeights& w, Activation activation) override {
        cpu::feed_forward_backward<float>(dX, g.dW_1, g.db_1, g.dW_2, g.db_2, dY, X, w.W_1, w.b_1, w.W_2,
                                          w.b_2, activation);
    }

    void embed_patches(View3 Z, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        cpu::embed_patches<float>(Z, X, E, b, cls, E_pos, P);
    }
    void embed_patches_backward(View2 dE, TensorView<float, 1> db, TensorView<float, 1> dcls, View2 dE_pos,
                                Read3 dZ, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        std::vector<float> pixels(static_cast<std::size_t>(X.count()));
        const TensorView<float, 4> dX(pixels.data(), X.size(0), X.size(1), X.size(2), X.size(3));
        cpu::embed_patches_backward<float>(dX, dE, db, dcls, dE_pos, dZ, X, E, b, cls, E_pos, P);
    }

    void conv2d(View4 Y, Read4 X, Read4 W, Read1 bias, int S) override {
        cpu::conv2d<float>(Y, X, W, bias, S);
    }
    void conv2d_backward(View4 dX, View4 dW, TensorView<float, 1> dbias, Read4 dY, Read4 X, Read4 W,
                         Read1 bias, int S) override {
        cpu::conv2d_backward<float>(dX, dW, dbias, dY, X, W, bias, S);
    }

    void batch_norm(View3 Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new, Read3 X,
                    Read1 gamma, Read1 beta, Read1 mean, Read1 variance, bool training, float momentum,
                    float eps) override {
        cpu::batch_norm<float>(Y, mean_new, variance_new, X, gamma, beta, mean, variance, training, momentum,
                               eps);
    }
    void batch_norm_backward(View3 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read3 dY,
                             Read3 X, Read1 gamma, Read1 beta, float eps) override {
        cpu::batch_norm_backward<float>(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    void encode(View3 H, View3 last, Read3 X, TensorView<const int, 1> lengths,
                const RecurrentLayers<float>& weights) override {
        cpu::encode<float>(H, last, X, lengths, weights, Order::forward);
    }
    /// From the last word to the first: dz_t = (dH_t + dz_{t+1} W_h^T) (1 - h_t^2).
    void encode_backward(View3 dX, const RecurrentGradients<float>& gradients, Read3 dH, Read3 X,
                         TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights,
                         Read3 H) override {
        const int D = H.size(2);
        const Read2 W_x = weights.W_x[0], W_h = weights.W_h[0];
        const View2 dW_x = gradients.dW_x[0], dW_h = gradients.dW_h[0];
        const TensorView<float, 1> db = gradients.db[0];
        std::fill_n(dX.data(), dX.count(), 0.0F);
        std::fill_n(dW_x.data(), dW_x.count(), 0.0F);
        std::fill_n(dW_h.data(), dW_h.count(), 0.0F);
        std::fill_n(db.data(), db.count(), 0.0F);
        for (int b = 0; b < H.size(0); ++b) {
            std::vector<float> dh(static_cast<std::size_t>(D)), dz(dh);
            for (int t = lengths(b) - 1; t >= 0; --t) {
                for (std::size_t d = 0; d < dz.size(); ++d) {
                    const int i = static_cast<int>(d);
                    dz[d] = (dH(b, t, i) + dh[d]) * (1 - H(b, t, i) * H(b, t, i));
                    db(i) += dz[d];
                }
                std::fill(dh.begin(), dh.end(), 0.0F);
                for (int k = 0; k < D; ++k)
                    for (std::size_t d = 0; d < dz.size(); ++d) {
                        const int i = static_cast<int>(d);
                        dW_x(k, i) += X(b, t, k) * dz[d];
                        dX(b, t, k) += W_x(k, i) * dz[d];
                        if (t > 0) dW_h(k, i) += H(b, t - 1, k) * dz[d];
                        dh[static_cast<std::size_t>(k)] += W_h(k, i) * dz[d];
                    }
            }
        }
    }

    void decode(View3 S, View3 A, Read3 h, MaskView mask, Read3 y, const DecoderWeights<float>& weights,
                Kept& /*kept*/) override {
        cpu::decode<float>(S, A, h, mask, y, weights);
    }
    void decode_backward(View3 dh, View3 dy, const DecoderGradients<float>& gradients, Read3 dS, Read3 h,
                         MaskView mask, Read3 y, const DecoderWeights<float>& weights,
                         Kept& /*kept*/) override {
        cpu::decode_backward<float>(dh, dy, gradients, dS, h, mask, y, weights);
    }

    void caption_states(View3 S, View3 A, Read4 grid, bool looks, Read3 y,
                        const DecoderWeights<float>& weights, Kept& /*kept*/) override {
        cpu::caption_states<float>(S, A, grid, looks, y, weights);
    }
    void caption_states_backward(View4 dgrid, View3 dy, const DecoderGradients<float>& gradients, Read3 dS,
                                 Read4 grid, bool looks, Read3 y, const DecoderWeights<float>& weights,
                                 Kept& /*kept*/) override {
        cpu::caption_states_backward<float>(dgrid, dy, gradients, dS, grid, looks, y, weights);
    }

    void token_head(View3 logits, Read3 X, const TokenHead<const float>& w, float eps) override {
        cpu::token_head<float>(logits, X, w.W, w.b, w.gamma, w.beta, w.table, w.bias, eps);
    }
    void token_head_backward(View3 dX, const TokenHead<float>& g, Read3 dlogits, Read3 X,
                             const TokenHead<const float>& w, float eps) override {
        std::vector<float> numbers(static_cast<std::size_t>(w.table.count()));
        const View2 dtable(numbers.data(), w.table.size(0), w.table.size(1));
        cpu::token_head_backward<float>(dX, g.W, g.b, g.gamma, g.beta, dtable, g.bias, dlogits, X, w.W, w.b,
                                        w.gamma, w.beta, w.table, eps);
        for (std::size_t k = 0; k < numbers.size(); ++k) g.table.data()[k] += numbers[k];
    }

    void sentence_head(View2 logits, Read3 X, const SentenceHead<const float>& w) override {
        cpu::sentence_head<float>(logits, X, {}, w.W, w.b, w.W_c, w.b_c, SentenceToken::first);
    }
    void sentence_head_backward(View3 dX, const SentenceHead<float>& g, Read2 dlogits, Read3 X,
                                const SentenceHead<const float>& w) override {
        cpu::sentence_head_backward<float>(dX, g.W, g.b, g.W_c, g.b_c, dlogits, X, {}, w.W, w.b, w.W_c,
                                           SentenceToken::first);
    }

    float cross_entropy(Read3 logits, TensorView<const int, 2> targets, float smoothing) override {
        float loss = 0;
        cpu::cross_entropy<float>({&loss, 1}, {}, logits, targets, smoothing);
        return loss;
    }
    void cross_entropy_backward(View3 dlogits, float dloss, Read3 logits, TensorView<const int, 2> targets,
                                float smoothing) override {
        cpu::cross_entropy_backward<float>(dlogits, {&dloss, 1}, logits, targets, smoothing);
    }

  private:
    /// Y = X W^T
    static void multiply_transposed(View2 Y, Read2 X, Read2 W) {
        for (int i = 0; i < Y.size(0); ++i)
            for (int d = 0; d < Y.size(1); ++d) {
                float sum = 0;
                for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(d, k);
                Y(i, d) = sum;
            }
    }
};

}  // namespace

std::unique_ptr<Modules> plain_modules() {
    return std::make_unique<PlainModules>();
}

}  // namespace attn::training
