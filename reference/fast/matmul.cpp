#include "reference/fast/matmul.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "reference/fast/blocks.h"
#include "reference/fast/buffer.h"
#include "reference/fast/product_kernels.h"
#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

struct Range {
    int first, end;
    int size() const { return end - first; }
};

/// Part `part` of `parts` nearly equal parts of [0, count) that start at multiples of `unit`.
Range part_of(int count, int part, int parts, int unit = 1) {
    if (parts == 1) return {0, count};
    const std::int64_t units = blocks_of(count, unit);
    const auto start = [&](int k) {
        return static_cast<int>(std::min<std::int64_t>(count, units * k / parts * unit));
    };
    return {start(part), start(part + 1)};
}

/// f(0), .. f(parts - 1), on several threads if there are several parts.
template <class F>
void share_out(int parts, const F& f) {
    if (parts == 1) return f(0);
    parallel_for(parts, f);
}

/// Which of A and B lies there transposed.
enum class Transposed { none, A, B };

/// C = factor A B, or C = C + A B with `add` and a factor of 1; A and B as they lie or one of them
/// transposed.
///
/// How the depth is cut into blocks depends on the depth alone, and within a block the kernels sum in the
/// order of k. So no bit depends on how rows and columns are shared out.
class Product {
  public:
    Product(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, Transposed transposed,
            float factor, bool add)
        : C_(C),
          A_(A),
          B_(B),
          depth_(transposed == Transposed::A ? A.rows : A.columns),
          A_transposed_(transposed == Transposed::A),
          B_transposed_(transposed == Transposed::B),
          factor_(factor),
          add_(add) {
        constexpr double kLeastWork = 1 << 22;  // of a thread: waking it takes as long as a tenth of this
        const double work = static_cast<double>(C.rows) * C.columns * depth_;
        workers_ = std::max(1, static_cast<int>(std::min<double>(threads(), work / kLeastWork)));
    }

    void run() const {
        constexpr int kBlockColumns = 3072;  // packed they take a few MiB
        if (C_.rows == 0 || C_.columns == 0) return;
        const int depths = blocks_of(depth_, kernels_.depth);
        if (depths == 0 && !add_)
            for (int i = 0; i < C_.rows; ++i) std::fill_n(C_.data + i * C_.row, C_.columns, 0.0F);
        for (int j = 0; j < C_.columns; j += kBlockColumns)
            for (int k = 0; k < depths; ++k)
                add_terms({j, std::min(C_.columns, j + kBlockColumns)}, part_of(depth_, k, depths));
    }

  private:
    /// Some rows, and columns from the start of a panel on.
    ProductBlock part(ProductBlock block, Range rows, Range columns) const {
        block.C += rows.first * block.C_row + columns.first;
        block.A += rows.first * block.A_row;
        block.B += columns.first / kernels_.panel_columns * block.B_panel;
        block.rows = rows.size();
        block.columns = columns.size();
        return block;
    }

    /// The terms of one range of k, for a range of columns.
    void add_terms(Range columns, Range depth) const {
        const int panel = kernels_.panel_columns;
        ProductBlock block{};
        block.C = C_.data + columns.first;
        block.C_row = C_.row;
        block.rows = C_.rows;
        block.columns = columns.size();
        block.depth = depth.size();
        block.A = A_.data + (A_transposed_ ? depth.first * A_.row : depth.first);
        block.A_row = A_transposed_ ? 1 : A_.row;
        block.B = B_.data + (B_transposed_ ? columns.first * B_.row + depth.first
                                           : depth.first * B_.row + columns.first);
        block.B_row = B_.row;
        block.B_panel = panel;
        block.factor = depth.end == depth_ ? factor_ : 1;
        block.add = add_ || depth.first > 0;

        const Range rows = {0, C_.rows};
        constexpr std::ptrdiff_t kFirstCache = 8192;
        const bool in_first_cache = block.depth * B_.row <= kFirstCache;
        if (C_.rows == 1 && !A_transposed_ && !B_transposed_ && !in_first_cache) {
            const int parts = std::min(workers_, blocks_of(block.columns, panel));
            return share_out(parts, [&](int k) {
                kernels_.multiply_row(part(block, rows, part_of(block.columns, k, parts, panel)));
            });
        }
        // Whole panels are read where they lie if that happens once, or if B is in the first cache anyway.
        const bool direct = !B_transposed_ && (C_.rows <= kernels_.tile_rows || in_first_cache);
        const int lying = direct ? block.columns / panel * panel : 0;
        if (lying == block.columns) return multiply_on_threads(block);
        if (lying > 0) {
            ProductBlock whole_panels = part(block, rows, {0, lying});
            multiply_on_threads(whole_panels);
            block = part(block, rows, {lying, block.columns});
        }
        pack(block);
        multiply_on_threads(block);
    }

    /// Packs B, in memory of the calling thread.
    void pack(ProductBlock& block) const {
        thread_local Buffer buffer;
        const int panel = kernels_.panel_columns, panels = blocks_of(block.columns, panel);
        const std::ptrdiff_t size = std::ptrdiff_t{panel} * block.depth;
        float* const to = buffer.get(static_cast<std::size_t>(panels * size));
        const int parts = std::min(workers_, panels);
        share_out(parts, [&](int k) {
            const Range columns = part_of(block.columns, k, parts, panel);
            (B_transposed_ ? kernels_.pack_transposed : kernels_.pack_columns)(
                to + columns.first / panel * size,
                block.B + columns.first * (B_transposed_ ? block.B_row : std::ptrdiff_t{1}), block.B_row,
                block.depth, columns.size());
        });
        block.B = to;
        block.B_row = panel;
        block.B_panel = size;
    }

    /// Shares a block out, by rows as far as they go and then by columns.
    void multiply_on_threads(ProductBlock& block) const {
        if (workers_ == 1 && block.rows <= kernels_.block_rows) return multiply_part(block);
        const int panel = kernels_.panel_columns, panels = blocks_of(block.columns, panel);
        const int most_rows = blocks_of(block.rows, kernels_.tile_rows);
        const int in_cache = blocks_of(block.rows, kernels_.block_rows);
        const int by_rows = std::min(most_rows, blocks_of(in_cache, workers_) * workers_);
        const int by_columns = std::min(panels, blocks_of(workers_, by_rows));
        share_out(by_rows * by_columns, [&](int k) {
            ProductBlock mine = part(block, part_of(block.rows, k % by_rows, by_rows, kernels_.tile_rows),
                                     part_of(block.columns, k / by_rows, by_columns, panel));
            multiply_part(mine);
        });
    }

    void multiply_part(ProductBlock& block) const {
        constexpr int kFewPanels = 4;  // packing A takes as long as half a panel's product
        if (A_transposed_ || block.columns > kFewPanels * kernels_.panel_columns) {
            thread_local Buffer buffer;
            float* const to = buffer.get(kernels_.packed_rows(block.rows, block.depth));
            (A_transposed_ ? kernels_.pack_rows_transposed : kernels_.pack_rows)(to, block.A, A_.row,
                                                                                 block.rows, block.depth);
            block.A = to;
            block.A_packed = true;
        }
        kernels_.multiply_block(block);
    }

    const ProductKernels& kernels_ = product_kernels();
    Matrix<float> C_;
    Matrix<const float> A_, B_;
    int depth_;
    bool A_transposed_, B_transposed_;
    float factor_;
    bool add_;
    int workers_;
};

}  // namespace

void multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, A, B, Transposed::none, 1, false).run();
}

void add_product(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, A, B, Transposed::none, 1, true).run();
}

void multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, float factor) {
    Product(C, A, B, Transposed::B, factor, false).run();
}

void add_product_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, A, B, Transposed::B, 1, true).run();
}

void multiply_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, A, B, Transposed::A, 1, false).run();
}

void add_product_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, A, B, Transposed::A, 1, true).run();
}

void for_row_blocks(int rows, int columns, const std::function<void(int first, int end)>& f) {
    constexpr int kNumbers = 1 << 14;
    const int height = std::max(1, kNumbers / std::max(1, columns));
    parallel_for((rows + height - 1) / height,
                 [&](int block) { f(block * height, std::min(rows, (block + 1) * height)); });
}

void fill_rows(Matrix<float> Y, const float* bias) {
    for_row_blocks(Y.rows, Y.columns, [&](int first, int end) {
        for (int i = first; i < end; ++i)
            std::memcpy(Y.data + i * Y.row, bias, sizeof(float) * static_cast<std::size_t>(Y.columns));
    });
}

void fill_rows(Matrix<float> Y, Matrix<const float> R, const float* bias) {
    for_row_blocks(Y.rows, Y.columns, [&](int first, int end) {
        for (int i = first; i < end; ++i) {
            float* const y = Y.data + i * Y.row;
            const float* const r = R.data + i * R.row;
            for (int d = 0; d < Y.columns; ++d) y[d] = r[d] + bias[d];
        }
    });
}

}  // namespace attn::fast
