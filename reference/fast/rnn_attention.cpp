#include <algorithm>

#include "contracts/masking_fast.h"
#include "contracts/rnn_attention_fast.h"
#include "reference/fast/additive.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/kept_decoder.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

/// c[b] = sum_j a[b, j] h[b, j]
void contexts(TensorView<float, 2> c, TensorView<const float, 2> a, TensorView<const float, 3> h) {
    const int B = h.size(0), T = h.size(1), D_h = h.size(2);
    parallel_for(B, [=](std::ptrdiff_t b) {
        multiply({c.data() + b * D_h, 1, D_h}, {a.data() + b * T, 1, T}, {h.data() + b * T * D_h, T, D_h});
    });
}

/// s = tanh(y_prev W_x + c W_x below + s_prev W_s + b)
void step(TensorView<float, 2> s, Matrix<const float> y_prev, Matrix<const float> c,
          Matrix<const float> s_prev, TensorView<const float, 2> W_x, TensorView<const float, 2> W_s,
          TensorView<const float, 1> b) {
    const int D_y = y_prev.columns, D_h = c.columns, D_s = s.size(1);
    linear(s, y_prev, {W_x.data(), D_y, D_s}, b.data());
    add_product(s, c, {W_x.data() + std::ptrdiff_t{D_y} * D_s, D_h, D_s});
    add_product(s, s_prev, W_s);
    layer_kernels().tanh(s.data(), s.data(), s.count());
}

/// s_0 = tanh(x W_0 + b_0), with x as FirstState says.
void first_states(TensorView<float, 2> s_0, Matrix<float> x, TensorView<const float, 3> h,
                  TensorView<const std::uint8_t, 2> mask, const DecoderWeights<float>& weights,
                  FirstState first) {
    const int T = h.size(1), D_h = h.size(2);
    for (int b = 0; b < x.rows; ++b) {
        float* const x_b = x.data + b * x.row;
        std::fill_n(x_b, D_h, 0.0F);
        const int last = last_word(mask[b]);
        if (first == FirstState::mean)
            for (int j = 0; j < T; ++j)
                for (int d = 0; d < D_h; ++d) x_b[d] += h(b, j, d) / static_cast<float>(T);
        else if (last >= 0)
            std::copy_n(h[b][last].data(), D_h, x_b);
    }
    linear(s_0, x, weights.W_0, weights.b_0.data());
    layer_kernels().tanh(s_0.data(), s_0.data(), s_0.count());
}

}  // namespace

Matrix<const float> additive_keys(TensorView<const float, 3> h, Matrix<const float> W_k) {
    const int words = h.size(0) * h.size(1), D_a = W_k.columns;
    thread_local Buffer key_numbers;
    const Matrix<float> keys(key_numbers.get(numbers(words, D_a)), words, D_a);
    multiply(keys, h, W_k);
    return keys;
}

void additive_scores_of_keys(TensorView<float, 2> e, Matrix<const float> s, Matrix<const float> keys,
                             Matrix<const float> W_q, TensorView<const float, 1> v, Matrix<float> queries) {
    const int B = e.size(0), T = e.size(1), D_a = v.size(0);
    multiply(queries, s, W_q);
    const auto score = layer_kernels().score;
    for_row_blocks(B * T, D_a, [&](int first, int end) {
        for (int k = first; k < end; ++k)
            e.data()[k] = score(v.data(), queries.data + k / T * queries.row, keys.data + k * keys.row, D_a);
    });
}

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    thread_local Buffer buffer;
    const int B = h.size(0), D_a = v.size(0);
    additive_scores_of_keys(e, s_prev, additive_keys(h, W_k), W_q, v, {buffer.get(numbers(B, D_a)), B, D_a});
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    fast::masked_softmax(a, e, mask);
    contexts(c, a, h);
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    step(s, y_prev, c, s_prev, W_x, W_s, b);
}

void DecoderMemory::resize(int B, int L, int T, int D_h, int D_s, int D_a) {
    Workspace arrays(buffer_,
                     numbers(B, L, T + D_h + D_s + D_a) + numbers(B, D_s + D_h) + numbers(B, T, D_a));
    S = arrays.take(B, L + 1, D_s).data();
    A = arrays.take(B, L, T).data();
    C = arrays.take(B, L, D_h).data();
    queries = arrays.take(B, L, D_a).data();
    keys = arrays.take(B, T, D_a).data();
    read_first = arrays.take(B, D_h).data();
}

int last_word(TensorView<const std::uint8_t, 1> mask) {
    int last = mask.size(0) - 1;
    while (last >= 0 && mask(last) == 0) --last;
    return last;
}

void decode_keeping(DecoderMemory& memory, TensorView<float, 3> S, TensorView<float, 3> A,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                    TensorView<const float, 3> y, const DecoderWeights<float>& weights, FirstState first) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), T = h.size(1), D_h = h.size(2), D_y = y.size(2),
              D_a = weights.v.size(0);
    memory.resize(B, L, T, D_h, D_s, D_a);
    const Matrix<float> keys(memory.keys, B * T, D_a);
    multiply(keys, h, weights.W_k);
    memory.first = first;
    first_states({memory.S, B, D_s}, {memory.read_first, B, D_h}, h, mask, weights, first);
    const auto copy_rows = [B](float* to, std::ptrdiff_t row, TensorView<const float, 2> from) {
        for (int b = 0; b < B; ++b) std::copy_n(from[b].data(), from.size(1), to + b * row);
    };
    for (std::ptrdiff_t t = 0; t < L; ++t) {
        const TensorView<float, 2> s_prev(memory.S + t * B * D_s, B, D_s),
            s(s_prev.data() + s_prev.count(), B, D_s), a(memory.A + t * B * T, B, T),
            c(memory.C + t * B * D_h, B, D_h);
        additive_scores_of_keys(a, s_prev, keys, weights.W_q, weights.v,
                                {memory.queries + t * B * D_a, B, D_a});
        fast::masked_softmax(a, a, mask);
        contexts(c, a, h);
        step(s, {y.data() + t * D_y, B, D_y, std::ptrdiff_t{L + 1} * D_y}, c, s_prev, weights.W_x,
             weights.W_s, weights.b);
        copy_rows(S.data() + t * D_s, std::ptrdiff_t{L} * D_s, s);
        if (A) copy_rows(A.data() + t * T, std::ptrdiff_t{L} * T, a);
    }
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights) {
    thread_local DecoderMemory memory;
    decode_keeping(memory, S, A, h, mask, y, weights);
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const int B = grid.size(0), cells = grid.size(1) * grid.size(2);
    const TensorView<const float, 3> h(grid.data(), B, cells, grid.size(3));
    const TensorView<float, 2> weights(a.data(), B, cells);
    fast::additive_scores(weights, s_prev, h, W_q, W_k, v);
    fast::softmax(weights, weights);
    contexts(c, weights, h);
}

}  // namespace attn::fast
