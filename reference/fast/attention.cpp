#include "reference/fast/attention.h"

#include <algorithm>
#include <cstring>

#include "reference/fast/blocks.h"
#include "reference/fast/buffer.h"
#include "reference/fast/kernels.h"
#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

/// One call's work, cut into heads, and heads into steps of keys and blocks of queries. Blocks are whole
/// register tiles, and what a query gets depends on its tile only, so any number of threads gives the same
/// bits.
class Work {
  public:
    Work(Heads<float> Y, Heads<const float> Q, Heads<const float> K, Heads<const float> V, const Sizes& sizes,
         const Options& options)
        : Y_(Y), Q_(Q), K_(K), V_(V), sizes_(sizes), options_(options) {
        V_columns_ = blocks_of(sizes.D_v, table_.lanes) * table_.lanes;
        // Rows far apart share cache sets, a vector across two cache lines is read twice, and a ragged row
        // would be read beyond its end.
        const bool aligned =
            reinterpret_cast<std::uintptr_t>(V.data) % 64 == 0 && V.batch % 16 == 0 && V.head % 16 == 0;
        // Large blocks fetch the keys less often, small ones can be shared out better.
        if (heads() * blocks_of(sizes.N_q, kBlockRows) < 8 * threads()) block_rows_ = kBlockRows / 2;
        pack_V_ = V.row != V_columns_ || sizes.D_v != V_columns_ || !aligned;
    }

    int heads() const { return sizes_.B * sizes_.H; }
    int steps() const { return blocks_of(sizes_.N_k, kStepKeys); }
    int blocks() const { return blocks_of(sizes_.N_q, block_rows_); }

    std::size_t packed_size() const {
        return static_cast<std::size_t>(steps()) * kStepKeys *
               static_cast<std::size_t>(sizes_.D_q + (pack_V_ ? V_columns_ : 0));
    }

    /// Keys of one step, and its values where those are packed.
    void pack(float* packed, int head, int step) const {
        const int first = step * kStepKeys, count = std::min(kStepKeys, sizes_.N_k - first);
        const std::ptrdiff_t offset = first;
        table_.pack_keys(packed + offset * sizes_.D_q, at(K_, head) + offset * K_.row, K_.row, count,
                         sizes_.D_q);
        if (!pack_V_) return;
        for (int j = first; j < first + count; ++j) {
            float* const row = packed_V(packed) + j * V_columns_;
            std::memcpy(row, at(V_, head) + j * V_.row, static_cast<std::size_t>(sizes_.D_v) * sizeof(float));
            std::fill(row + sizes_.D_v, row + V_columns_, 0.0F);
        }
    }

    void attend(float* packed, int head, int block, int next_head) const {
        // The last block of a causal head has most to do, and is begun first.
        const int first = (blocks() - 1 - block) * block_rows_;
        const int b = head / sizes_.H, h = head % sizes_.H;
        const Mask& mask = options_.mask;
        Ahead Q_ahead;
        if (next_head < heads()) {
            const int next_block = block + 1 < blocks() ? block + 1 : 0;
            const int from = (blocks() - 1 - next_block) * block_rows_;
            Q_ahead = {at(Q_, next_block == 0 ? next_head : head) + from * Q_.row, Q_.row,
                       std::min(block_rows_, sizes_.N_q - from), sizes_.D_q};
        }
        thread_local Buffer scratch;
        table_.attend(
            {at(Y_, head) + first * Y_.row,
             Y_.row,
             at(Q_, head) + first * Q_.row,
             Q_.row,
             packed,
             pack_V_ ? packed_V(packed) : at(V_, head),
             pack_V_ ? V_columns_ : V_.row,
             std::min(block_rows_, sizes_.N_q - first),
             sizes_.N_k,
             sizes_.D_q,
             sizes_.D_v,
             options_.causal,
             first + sizes_.N_k - sizes_.N_q + 1,
             mask.data ? mask.data + b * mask.batch + h * mask.head + first * mask.row : nullptr,
             mask.row,
             {Q_ahead, part(K_, next_head, sizes_.D_q, block), part(V_, next_head, sizes_.D_v, block)},
             scratch.get(table_.attend_scratch(sizes_.D_q, sizes_.D_v))});
    }

  private:
    /// What a block should fetch of the next head: its share of the rows.
    Ahead part(const Heads<const float>& x, int next_head, int columns, int block) const {
        if (next_head >= heads()) return {};
        const int rows = sizes_.N_k / blocks();
        return {at(x, next_head) + block * rows * x.row, x.row, rows, columns};
    }
    template <class T>
    T* at(const Heads<T>& x, int head) const {
        return x.data + head / sizes_.H * x.batch + head % sizes_.H * x.head;
    }
    float* packed_V(float* packed) const {
        return packed + static_cast<std::ptrdiff_t>(steps()) * kStepKeys * sizes_.D_q;
    }

    Heads<float> Y_;
    Heads<const float> Q_, K_, V_;
    Sizes sizes_;
    Options options_;
    const Kernels& table_ = kernels();
    std::ptrdiff_t V_columns_ = 0;
    bool pack_V_ = false;
    int block_rows_ = kBlockRows;
};

}  // namespace

void attention(Heads<float> Y, Heads<const float> Q, Heads<const float> K, Heads<const float> V,
               const Sizes& sizes, const Options& options) {
    const Work work(Y, Q, K, V, sizes, options);
    if (work.heads() % threads() == 0 || work.heads() >= 8 * threads()) {
        // A thread for every head: what it packs is in its own cache when it needs it.
        parallel_for(work.heads(), [&](int head) {
            thread_local Buffer buffer;
            float* const packed = buffer.get(work.packed_size());
            for (int step = 0; step < work.steps(); ++step) work.pack(packed, head, step);
            for (int block = 0; block < work.blocks(); ++block)
                work.attend(packed, head, block, head + threads());
        });
        return;
    }
    thread_local Buffer buffer;
    float* const packed = buffer.get(static_cast<std::size_t>(work.heads()) * work.packed_size());
    const auto packed_of = [&](int head) {
        return packed + static_cast<std::size_t>(head) * work.packed_size();
    };
    parallel_for(work.heads() * work.steps(),
                 [&](int k) { work.pack(packed_of(k / work.steps()), k / work.steps(), k % work.steps()); });
    // Blocks of the same size lie together, so that the small ones come last.
    parallel_for(work.heads() * work.blocks(), [&](int k) {
        work.attend(packed_of(k % work.heads()), k % work.heads(), k / work.heads(), work.heads());
    });
}

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    const Kernels& table = kernels();
    const std::ptrdiff_t D = X.size(1);
    constexpr std::ptrdiff_t kNumbers = 16384;  // of one task
    const int rows = static_cast<int>(std::max<std::ptrdiff_t>(1, kNumbers / std::max<std::ptrdiff_t>(1, D)));
    parallel_for(blocks_of(X.size(0), rows), [&](int block) {
        for (int i = block * rows; i < std::min(X.size(0), (block + 1) * rows); ++i)
            table.softmax_row(Y.data() + i * D, X.data() + i * D, D);
    });
}

}  // namespace attn::fast
