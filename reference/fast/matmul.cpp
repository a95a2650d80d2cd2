#include "reference/fast/matmul.h"

#include <algorithm>
#include <cstring>

#include <cblas.h>

#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

/// C = factor A B + keep C, B as it lies or transposed.
struct Product {
    Matrix<float> C;
    Matrix<const float> A, B;
    bool transposed;
    float factor, keep;

    void rows(int first, int end) const {
        const auto stride = [](std::ptrdiff_t row) {
            return static_cast<int>(std::max<std::ptrdiff_t>(row, 1));
        };
        cblas_sgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, end - first,
                    C.columns, A.columns, factor, A.data + first * A.row, stride(A.row), B.data,
                    stride(B.row), keep, C.data + first * C.row, stride(C.row));
    }

    /// One row: B is read once, where the product of matrices would copy it first.
    void row() const {
        if (keep == 0) std::fill_n(C.data, C.columns, 0.0F);
        const int stride = static_cast<int>(std::max<std::ptrdiff_t>(B.row, 1));
        cblas_sgemv(CblasRowMajor, transposed ? CblasNoTrans : CblasTrans, B.rows, B.columns, factor, B.data,
                    stride, A.data, 1, 1, C.data, 1);
    }

    void run() const {
        if (C.rows == 1) return row();
        // A part below this size might take another way through OpenBLAS, whose sums have another order.
        constexpr double kLeastOfPart = 1 << 22;
        constexpr int kLeastRows = 64;
        const double work = static_cast<double>(C.rows) * C.columns * A.columns;
        const int most = std::min(C.rows / kLeastRows, static_cast<int>(std::min(work / kLeastOfPart, 1e6)));
        const int parts = std::max(1, std::min(threads(), most));
        parallel_for(parts, [&](int part) {
            const auto start = [&](int k) { return static_cast<int>(std::int64_t{C.rows} * k / parts); };
            if (start(part) < start(part + 1)) rows(start(part), start(part + 1));
        });
    }
};

}  // namespace

void multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product{C, A, B, false, 1, 0}.run();
}

void add_product(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    Product{C, A, B, false, 1, 1}.run();
}

void multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, float factor) {
    Product{C, A, B, true, factor, 0}.run();
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
