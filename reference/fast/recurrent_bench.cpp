// The yardstick's recurrent functions beside the plain loops, one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "contracts/seq2seq_fast.h"
#include "contracts/seq2seq_reference.h"
#include "reference/fast/bench_layers.h"

namespace attn {
namespace {

using fast::add_both, fast::Numbers, fast::numbers;

/// One step of a cell with `gates` blocks of columns.
struct Cell {
    explicit Cell(int gates) : G(gates) {}
    static constexpr int B = 32, D = 256;
    int G;
    Numbers x{numbers(B, D)}, h_prev{numbers(B, D)}, c_prev{numbers(B, D)}, W_x{numbers(D, G*D), 0.05F},
        W_h{numbers(D, G*D), 0.05F}, b{numbers(G, D)}, h{numbers(B, D)}, c{numbers(B, D)};
    double products() const { return 4.0 * B * D * G * D; }

    /// Calls a version of lstm_cell.
    template <class Version>
    void run_lstm(Version lstm_cell) {
        lstm_cell(h.view(B, D), c.view(B, D), x.read(B, D), h_prev.read(B, D), c_prev.read(B, D),
                  W_x.read(D, G * D), W_h.read(D, G * D), b.read(G * D));
    }
    /// Calls a version of gru_cell.
    template <class Version>
    void run_gru(Version gru_cell) {
        gru_cell(h.view(B, D), x.read(B, D), h_prev.read(B, D), W_x.read(D, G * D), W_h.read(D, G * D),
                 b.read(G * D));
    }
};

struct Sentences {
    static constexpr int B = 8, T = 32, D = 128, M = 2;
    Numbers X{numbers(B, T, D)}, H{numbers(B, T, D)}, last{numbers(B, M, D)}, W_x{numbers(M, D, D), 0.1F},
        W_h{numbers(M, D, D), 0.1F}, b{numbers(M, D)};
    std::vector<int> lengths = std::vector<int>(B, T);
    static double products() { return 4.0 * M * B * T * D * D; }

    /// Calls a version of encode.
    template <class Version>
    void run(Version encode) {
        const RecurrentLayers<float> weights{W_x.read(M, D, D), W_h.read(M, D, D), b.read(M, D)};
        encode(H.view(B, T, D), last.view(B, M, D), X.read(B, T, D),
               TensorView<const int, 1>(lengths.data(), B), weights, Order::bidirectional);
    }
};

/// Luong's decoder with the score `general`.
struct Translations {
    static constexpr int B = 8, T = 32, L = 32, D = 128;
    Numbers S{numbers(B, L, D)}, U{numbers(B, L, D)}, R{numbers(B, L, D)}, A{numbers(B, L, T)},
        h{numbers(B, T, D)}, s_0{numbers(B, D)}, y{numbers(B, L + 1, D)}, W{numbers(D, D), 0.1F},
        W_2{numbers(2 * D, D), 0.1F}, b{numbers(D, 1)};
    std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(numbers(B, T), 1);
    static double products() { return 2.0 * B * L * (9.0 * D * D + 2.0 * T * D); }

    /// Calls a version of luong_decode.
    template <class Version>
    void run(Version luong_decode) {
        const auto square = W.read(D, D), tall = W_2.read(2 * D, D);
        const LuongDecoder<float> weights{tall, square, b.read(D), {square, tall, b.read(D)},
                                          tall, tall,   square,    b.read(D)};
        luong_decode(S.view(B, L, D), U.view(B, L, D), R.view(B, L, D), A.view(B, L, T), h.read(B, T, D),
                     TensorView<const std::uint8_t, 2>(mask.data(), B, T), s_0.read(B, D), s_0.read(B, D),
                     y.read(B, L + 1, D), weights, Score::general);
    }
};

[[maybe_unused]] const bool kRegisteredRecurrent = [] {
    add_both(
        "LSTM cell B32 D256", [] { return Cell(4); },
        [](Cell& x, bool plain) { plain ? x.run_lstm(cpu::lstm_cell<float>) : x.run_lstm(fast::lstm_cell); });
    add_both(
        "GRU cell B32 D256", [] { return Cell(3); },
        [](Cell& x, bool plain) { plain ? x.run_gru(cpu::gru_cell<float>) : x.run_gru(fast::gru_cell); });
    add_both(
        "encode B8 T32 D128 M2", [] { return Sentences(); },
        [](Sentences& x, bool plain) { plain ? x.run(cpu::encode<float>) : x.run(fast::encode); });
    add_both(
        "Luong B8 T32 L32 D128", [] { return Translations(); },
        [](Translations& x, bool plain) {
            plain ? x.run(cpu::luong_decode<float>) : x.run(fast::luong_decode);
        });
    return true;
}();

}  // namespace
}  // namespace attn
