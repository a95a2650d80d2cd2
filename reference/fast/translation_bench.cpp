// The yardstick's positions and its transformer with encoder and decoder beside the plain loops, one thread.

#include <vector>

#include "contracts/encoder_decoder_fast.h"
#include "contracts/encoder_decoder_reference.h"
#include "contracts/positional_encoding_fast.h"
#include "contracts/positional_encoding_reference.h"
#include "reference/fast/bench_layers.h"

namespace attn {
namespace {

using fast::add_both, fast::Numbers, fast::numbers;

struct Positions {
    static constexpr int B = 4, N = 256, D = 64, C = 16;
    Numbers Q{numbers(B, N, D)}, K{numbers(B, N, D)}, V{numbers(B, N, D)}, Y{numbers(B, N, D)},
        R{numbers(2 * C + 1, D)};
    static double products() { return 4.0 * B * N * N * D; }

    /// Calls a version of relative_attention.
    template <class Version>
    void run_relative(Version relative_attention) {
        relative_attention(Y.view(B, N, D), {}, Q.read(B, N, D), K.read(B, N, D), V.read(B, N, D),
                           R.read(2 * C + 1, D), R.read(2 * C + 1, D), C);
    }
    /// Calls a version of rotary_attention.
    template <class Version>
    void run_rotary(Version rotary_attention) {
        rotary_attention(Y.view(B, N, D), {}, Q.read(B, N, D), K.read(B, N, D), V.read(B, N, D));
    }
};

/// A transformer whose stacks have the same weights in all blocks of all kinds.
struct Translation {
    static constexpr int B = 1, N = 48, D = 256, F = 1024, H = 4, L = 2, V = 256;
    Numbers X{numbers(B, N, D)}, S{numbers(B, N, D)}, Y{numbers(B, N, D)}, W{numbers(L, D, D), 0.05F},
        W_1{numbers(L, D, F), 0.05F}, W_2{numbers(L, F, D), 0.03F}, b{numbers(L, F), 0.1F},
        table{numbers(V, D)}, logits{numbers(B, N, V)};
    std::vector<int> source = std::vector<int>(numbers(B, N), 7), words = source;

    EncoderWeights<float> encoder() const {
        const auto M = W.read(L, D, D);
        return fast::stack_of({M, M, M, M}, b.read(L, D), W_1.read(L, D, F), b.read(L, F), W_2.read(L, F, D));
    }
    DecoderStackWeights<float> decoder() const {
        const EncoderWeights<float> e = encoder();
        const auto M = e.W_Q;
        const auto v = e.gamma_1;
        return {v, v, M, v, M, v, M, v, M,     v,     v,     v, M,    v,
                M, v, M, v, M, v, v, v, e.W_1, e.b_1, e.W_2, v, v[0], v[0]};
    }
    static constexpr double kBlock = 2.0 * N * D * (4.0 * D + 2.0 * F) + 4.0 * N * N * D,
                            kCross = 8.0 * N * D * D + 4.0 * N * N * D;
    /// Of translate_greedy, whose places attend to half of the others.
    static double products() { return L * (2 * kBlock + kCross - 2.0 * N * N * D) + 2.0 * N * D * V; }

    /// Calls a version of translate_greedy.
    template <class Version>
    void run(Version translate_greedy) {
        translate_greedy(TensorView<int, 2>(words.data(), B, N), logits.view(B, N, V),
                         TensorView<const int, 2>(source.data(), B, N), table.read(V, D), encoder(),
                         decoder(), {}, H, Norm::pre, Activation::gelu_tanh, 1e-5F, -1);
    }
};

/// One block of the decoder.
struct DecoderBlock : Translation {
    static double products() { return kBlock + kCross - 2.0 * N * N * D; }

    /// Calls a version of decoder_block.
    template <class Version>
    void run_block(Version decoder_block) {
        decoder_block(Y.view(B, N, D), X.read(B, N, D), S.read(B, N, D), decoder().layer(0), {}, H, Norm::pre,
                      Activation::gelu_tanh, 1e-5F);
    }
};

[[maybe_unused]] const bool kRegisteredTranslation = [] {
    add_both(
        "relative B4 N256 D64 C16", [] { return Positions(); },
        [](Positions& x, bool plain) {
            plain ? x.run_relative(cpu::relative_attention<float>) : x.run_relative(fast::relative_attention);
        });
    add_both(
        "rotary B4 N256 D64", [] { return Positions(); },
        [](Positions& x, bool plain) {
            plain ? x.run_rotary(cpu::rotary_attention<float>) : x.run_rotary(fast::rotary_attention);
        });
    add_both(
        "decoder block N48 D256", [] { return DecoderBlock(); },
        [](DecoderBlock& x, bool plain) {
            plain ? x.run_block(cpu::decoder_block<float>) : x.run_block(fast::decoder_block);
        });
    add_both(
        "translate 48, D256 L2", [] { return Translation(); },
        [](Translation& x, bool plain) {
            plain ? x.run(cpu::translate_greedy<float>) : x.run(fast::translate_greedy);
        });
    return true;
}();

}  // namespace
}  // namespace attn
