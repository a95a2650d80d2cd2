#include "reference/fast/matmul.h"

#include <algorithm>
#include <cstdint>

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

/// C = factor (R + bias + A B); A and B as they lie or one of them transposed.
///
/// How the depth is cut into blocks depends on the depth alone, and within a block the kernels sum in the
/// order of k. So no bit depends on how rows and columns are shared out.
class Product {
  public:
    Product(Matrix<float> C, Matrix<const float> R, const float* bias, Matrix<const float> A,
            Matrix<const float> B, Transposed transposed, float factor)
        : C_(C),
          R_(R),
          bias_(bias),
          A_(A),
          B_(B),
          depth_(transposed == Transposed::A ? A.rows : A.columns),
          A_transposed_(transposed == Transposed::A),
          B_transposed_(transposed == Transposed::B),
          factor_(factor) {
        constexpr double kLeastWork = 1 << 22;  // of a thread: waking it takes as long as a tenth of this
        const double work = static_cast<double>(C.rows) * C.columns * depth_;
        workers_ = std::max(1, static_cast<int>(std::min<double>(threads(), work / kLeastWork)));
    }

    void run() const {
        if (C_.rows == 0 || C_.columns == 0) return;
        if (depth_ == 0) return add_terms({0, C_.rows}, {0, 0});
        const int depths = blocks_of(depth_, kernels_.depth),
                  blocks = blocks_of(C_.rows, kernels_.block_rows);
        for (int i = 0; i < blocks; ++i)
            for (int k = 0; k < depths; ++k)
                add_terms(part_of(C_.rows, i, blocks, kernels_.tile_rows), part_of(depth_, k, depths));
    }

  private:
    /// The terms of one range of k, for a range of rows. Each thread packs the columns of B that it multiplies.
    void add_terms(Range rows, Range depth) const {
        const int panel = kernels_.panel_columns;
        ProductBlock block = block_of(rows, depth);
        constexpr std::ptrdiff_t kFirstCache = 8192;
        const bool in_first_cache = block.depth * B_.row <= kFirstCache;
        const int panels = blocks_of(block.columns, panel);
        if (C_.rows == 1 && !A_transposed_ && !B_transposed_ && !in_first_cache) {
            const int parts = std::min(workers_, panels);
            return share_out(parts, [&](int k) {
                kernels_.multiply_row(part(block, {0, 1}, part_of(block.columns, k, parts, panel)));
            });
        }
        pack_A(block);
        // Whole panels are read where they lie if that happens once, or if B is in the first cache anyway.
        const bool direct = !B_transposed_ && (C_.rows <= kernels_.tile_rows || in_first_cache);
        const int blocks = blocks_of(panels, kernels_.block_panels);
        const int by_columns = std::min(panels, blocks_of(blocks, workers_) * workers_);
        const int by_rows = std::min(block.end_tile, blocks_of(workers_, by_columns));
        share_out(by_columns * by_rows, [&](int k) {
            multiply_part(part(block, part_of(block.end_tile, k % by_rows, by_rows),
                               part_of(block.columns, k / by_rows, by_columns, panel)),
                          direct);
        });
    }

    ProductBlock block_of(Range rows, Range depth) const {
        ProductBlock block{};
        block.C = C_.data + rows.first * C_.row;
        block.C_row = C_.row;
        const Matrix<const float> R = depth.first > 0 ? C_ : R_;
        if (R.data != nullptr) block.R = R.data + rows.first * R.row;
        block.R_row = R.row;
        if (depth.first == 0) block.bias = bias_;
        block.rows = rows.size();
        block.columns = C_.columns;
        block.depth = depth.size();
        block.end_tile = blocks_of(rows.size(), kernels_.tile_rows);
        block.A =
            A_.data + (A_transposed_ ? depth.first * A_.row + rows.first : rows.first * A_.row + depth.first);
        block.A_row = A_transposed_ ? 1 : A_.row;
        block.B = B_.data + (B_transposed_ ? std::ptrdiff_t{depth.first} : depth.first * B_.row);
        block.B_row = B_.row;
        block.B_panel = kernels_.panel_columns;
        block.factor = depth.end == depth_ ? factor_ : 1;
        return block;
    }

    /// Some tiles of rows, and some columns, of a block whose B is not packed.
    ProductBlock part(ProductBlock block, Range tiles, Range columns) const {
        block.first_tile = tiles.first;
        block.end_tile = tiles.end;
        block.C += columns.first;
        if (block.R != nullptr) block.R += columns.first;
        if (block.bias != nullptr) block.bias += columns.first;
        block.B += columns.first * (B_transposed_ ? block.B_row : 1);
        block.columns = columns.size();
        return block;
    }

    /// Packs A, in memory of the calling thread, unless few columns read it: packing takes as long as half a
    /// panel's product.
    void pack_A(ProductBlock& block) const {
        constexpr int kFewPanels = 4;
        if (!A_transposed_ && block.columns <= kFewPanels * kernels_.panel_columns) return;
        thread_local Buffer buffer;
        float* const to = buffer.get(kernels_.packed_rows(block.rows, block.depth));
        const int parts = std::min(workers_, block.end_tile);
        share_out(parts, [&](int k) {
            const Range tiles = part_of(block.end_tile, k, parts);
            (A_transposed_ ? kernels_.pack_rows_transposed : kernels_.pack_rows)(
                to, block.A, A_.row, block.rows, block.depth, tiles.first, tiles.end);
        });
        block.A = to;
        block.A_packed = true;
    }

    void multiply_part(ProductBlock block, bool direct) const {
        const int panel = kernels_.panel_columns;
        const Range tiles = {block.first_tile, block.end_tile};
        const int lying = direct ? block.columns / panel * panel : 0;
        if (lying > 0) {
            kernels_.multiply_block(part(block, tiles, {0, lying}));
            if (lying == block.columns) return;
            block = part(block, tiles, {lying, block.columns});
        }
        thread_local Buffer buffer;
        const std::ptrdiff_t size = std::ptrdiff_t{panel} * block.depth;
        float* const to = buffer.get(static_cast<std::size_t>(blocks_of(block.columns, panel) * size));
        (B_transposed_ ? kernels_.pack_transposed : kernels_.pack_columns)(to, block.B, block.B_row,
                                                                           block.depth, block.columns);
        block.B = to;
        block.B_row = panel;
        block.B_panel = size;
        kernels_.multiply_block(block);
    }

    const ProductKernels& kernels_ = product_kernels();
    Matrix<float> C_;
    Matrix<const float> R_;
    const float* bias_;
    Matrix<const float> A_, B_;
    int depth_;
    bool A_transposed_, B_transposed_;
    float factor_;
    int workers_;
};

const Matrix<const float> kZeros(nullptr, 0, 0);

}  // namespace

void multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, kZeros, nullptr, A, B, Transposed::none, 1).run();
}

void add_product(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, C, nullptr, A, B, Transposed::none, 1).run();
}

void linear(Matrix<float> Y, Matrix<const float> X, Matrix<const float> W, const float* b) {
    Product(Y, kZeros, b, X, W, Transposed::none, 1).run();
}

void linear_and_residual(Matrix<float> Y, Matrix<const float> R, Matrix<const float> X, Matrix<const float> W,
                         const float* b) {
    Product(Y, R, b, X, W, Transposed::none, 1).run();
}

void multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, float factor) {
    Product(C, kZeros, nullptr, A, B, Transposed::B, factor).run();
}

void add_product_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, C, nullptr, A, B, Transposed::B, 1).run();
}

void multiply_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, kZeros, nullptr, A, B, Transposed::A, 1).run();
}

void add_product_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product(C, C, nullptr, A, B, Transposed::A, 1).run();
}

void for_row_blocks(int rows, int columns, const std::function<void(int first, int end)>& f) {
    constexpr int kNumbers = 1 << 14;
    const int height = std::max(1, kNumbers / std::max(1, columns));
    parallel_for((rows + height - 1) / height,
                 [&](int block) { f(block * height, std::min(rows, (block + 1) * height)); });
}

}  // namespace attn::fast
