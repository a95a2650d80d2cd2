#include "reference/fast/bench_openblas.h"

#include <cstdint>

#include <cblas.h>
#include <fmt/format.h>

#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

void run(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, CBLAS_TRANSPOSE B_as, float factor) {
    const auto stride = [](std::ptrdiff_t row) { return static_cast<int>(row); };
    const int parts = threads();
    parallel_for(parts, [&](int part) {
        const auto start = [&](int k) { return static_cast<int>(std::int64_t{C.rows} * k / parts); };
        const int first = start(part), rows = start(part + 1) - first;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, B_as, rows, C.columns, A.columns, factor,
                    A.data + first * A.row, stride(A.row), B.data, stride(B.row), 0, C.data + first * C.row,
                    stride(C.row));
    });
}

}  // namespace

void openblas_multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B) {
    run(C, A, B, CblasNoTrans, 1);
}

void openblas_multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B,
                                  float factor) {
    run(C, A, B, CblasTrans, factor);
}

std::string openblas_core() {
    return openblas_get_corename();
}

std::string openblas_in_words() {
    return fmt::format("{}, core {}", openblas_get_config(), openblas_core());
}

}  // namespace attn::fast
