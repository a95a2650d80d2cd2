// The products of matrices, on every vector unit of this machine: right up to rounding, with the same bits
// however rows, columns and threads share the work, and with nothing written beside C.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/fast/matmul.h"
#include "reference/fast/product_kernels.h"
#include "reference/fast/scoped_unit.h"

namespace attn::fast {
namespace {

BOOST_AUTO_TEST_SUITE(products, *boost::unit_test::label("long"))

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kFactor = 0.37F;

enum class Kind {
    multiply,
    add,
    linear,
    residual,
    transposed,
    add_transposed,
    first_transposed,
    add_first_transposed
};
constexpr Kind kKinds[] = {Kind::multiply,         Kind::add,
                           Kind::linear,           Kind::residual,
                           Kind::transposed,       Kind::add_transposed,
                           Kind::first_transposed, Kind::add_first_transposed};

bool adds(Kind kind) {
    return kind == Kind::add || kind == Kind::add_transposed || kind == Kind::add_first_transposed;
}
bool has_bias(Kind kind) {
    return kind == Kind::linear || kind == Kind::residual;
}
bool turns_A(Kind kind) {
    return kind == Kind::first_transposed || kind == Kind::add_first_transposed;
}
bool turns_B(Kind kind) {
    return kind == Kind::transposed || kind == Kind::add_transposed;
}

/// A matrix within a larger array: its rows lie apart, at addresses that are no multiple of a vector's, and
/// `outside` stands in all places that are not its own.
struct Framed {
    static constexpr int kBefore = 3, kBehind = 5;

    Framed(int rows_, int columns_, float outside_)
        : rows(rows_),
          columns(columns_),
          outside(outside_),
          numbers(static_cast<std::size_t>(rows + 2) * static_cast<std::size_t>(row()), outside_) {}
    int row() const { return kBefore + columns + kBehind; }
    float& at(int i, int j) { return numbers[static_cast<std::size_t>((i + 1) * row() + kBefore + j)]; }
    Matrix<float> matrix() { return {numbers.data() + row() + kBefore, rows, columns, row()}; }
    template <class F>
    void fill(F f) {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) at(i, j) = f();
    }
    bool frame_is_whole() {
        Framed inner = *this;
        inner.fill([this] { return outside; });
        const Framed empty(rows, columns, outside);
        return std::memcmp(inner.numbers.data(), empty.numbers.data(), sizeof(float) * numbers.size()) == 0;
    }

    int rows, columns;
    float outside;
    std::vector<float> numbers;
};

/// A product of m x k by k x n with numbers between -1 and 1. C is full of NaN unless it is added to.
struct Example {
    Example(Kind kind_, int m, int n, int k)
        : kind(kind_),
          depth(k),
          A(turns_A(kind) ? k : m, turns_A(kind) ? m : k, kNaN),
          B(turns_B(kind) ? n : k, turns_B(kind) ? k : n, kNaN),
          C(m, n, -77),
          R(m, n, kNaN),
          bias(1, n, kNaN) {
        std::minstd_rand random(7);
        constexpr float kScale = 2.0F / static_cast<float>(std::minstd_rand::max());
        for (Framed* matrix : {&A, &B, &C, &R, &bias})
            matrix->fill([&] { return static_cast<float>(random()) * kScale - 1; });
        if (!adds(kind)) C.fill([] { return kNaN; });
    }
    void run() { run(C.matrix(), A.matrix(), B.matrix(), R.matrix(), &bias.at(0, 0)); }
    void run(Matrix<float> to, Matrix<const float> a, Matrix<const float> b, Matrix<const float> r,
             const float* vector) const {
        switch (kind) {
            case Kind::multiply:
                return multiply(to, a, b);
            case Kind::add:
                return add_product(to, a, b);
            case Kind::linear:
                return linear(to, a, b, vector);
            case Kind::residual:
                return linear_and_residual(to, r, a, b, vector);
            case Kind::transposed:
                return multiply_transposed(to, a, b, kFactor);
            case Kind::add_transposed:
                return add_product_transposed(to, a, b);
            case Kind::first_transposed:
                return multiply_first_transposed(to, a, b);
            case Kind::add_first_transposed:
                return add_product_first_transposed(to, a, b);
        }
    }
    /// A(i, k) and B(k, j) of the product, wherever they lie.
    float& a(int i, int k) { return turns_A(kind) ? A.at(k, i) : A.at(i, k); }
    float& b(int k, int j) { return turns_B(kind) ? B.at(j, k) : B.at(k, j); }
    /// What the sum of the terms is added to.
    double residual(int i, int j) {
        return adds(kind) ? C.at(i, j) : kind == Kind::residual ? R.at(i, j) : 0;
    }
    double shift(int j) { return has_bias(kind) ? bias.at(0, j) : 0; }
    std::string about() const {
        static const char* const kNames[] = {"multiply",
                                             "add_product",
                                             "linear",
                                             "linear_and_residual",
                                             "multiply_transposed",
                                             "add_product_transposed",
                                             "multiply_first_transposed",
                                             "add_product_first_transposed"};
        return std::string(name_of(vector_unit())) + ", " + kNames[static_cast<int>(kind)] + ", " +
               std::to_string(C.rows) + " x " + std::to_string(C.columns) + " x " + std::to_string(depth);
    }

    Kind kind;
    int depth;
    Framed A, B, C, R, bias;
};

/// How many of the product's numbers are further from a sum in double than k + 3 roundings of its terms.
int wrong_numbers(Example before) {
    Example after = before;
    after.run();
    int wrong = 0;
    for (int i = 0; i < before.C.rows; ++i)
        for (int j = 0; j < before.C.columns; ++j) {
            const double residual = before.residual(i, j), shift = before.shift(j);
            double sum = residual + shift, size = std::fabs(residual) + std::fabs(shift);
            for (int k = 0; k < before.depth; ++k) {
                const double term = double{before.a(i, k)} * before.b(k, j);
                sum += term;
                size += std::fabs(term);
            }
            const double factor = before.kind == Kind::transposed ? kFactor : 1;
            const double allowed = (before.depth + 3) * 0x1p-24 * factor * size;
            if (!(std::fabs(after.C.at(i, j) - factor * sum) <= allowed)) ++wrong;
        }
    return wrong + (after.C.frame_is_whole() ? 0 : 1);
}

bool same_bits(const Framed& x, const Framed& y) {
    return x.numbers.size() == y.numbers.size() &&
           std::memcmp(x.numbers.data(), y.numbers.data(), sizeof(float) * x.numbers.size()) == 0;
}

/// f() under each vector unit.
template <class F>
void with_each_unit(F f) {
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        f(product_kernels());
    }
}

BOOST_AUTO_TEST_CASE(every_size_around_a_tile_is_right_and_writes_nothing_else) {
    with_each_unit([](const ProductKernels& unit) {
        const int panel = unit.panel_columns;
        for (int m = 1; m <= 2 * unit.tile_rows + 1; ++m)
            for (const int n : {1, panel - 1, panel, panel + 1, 4 * panel + panel / 2 + 1})
                for (const int k : {1, 17, 32})
                    for (const Kind kind : kKinds) {
                        const Example example(kind, m, n, k);
                        BOOST_TEST(wrong_numbers(example) == 0, example.about());
                    }
    });
}

BOOST_AUTO_TEST_CASE(several_blocks_are_right) {
    with_each_unit([](const ProductKernels& unit) {
        const int sizes[][3] = {{3, 37, unit.depth - 1},
                                {5, 37, unit.depth + 1},
                                {unit.tile_rows + 1, 5 * unit.panel_columns + 3, 3 * unit.depth + 5},
                                {unit.block_rows + 1, 5 * unit.panel_columns + 3, 31},
                                {2 * unit.block_rows + unit.tile_rows + 3, 7, 9},
                                {unit.tile_rows + 2, (unit.block_panels + 2) * unit.panel_columns + 1, 3},
                                {1, 4172, 5},
                                {1, 130, unit.depth + 3}};
        for (const auto& [m, n, k] : sizes)
            for (const Kind kind : kKinds) {
                const Example example(kind, m, n, k);
                BOOST_TEST(wrong_numbers(example) == 0, example.about());
            }
    });
}

BOOST_AUTO_TEST_CASE(rows_and_columns_have_the_same_bits_in_any_part) {
    with_each_unit([](const ProductKernels& unit) {
        const int m = 7 * unit.tile_rows + 3, n = 6 * unit.panel_columns + 5;
        for (const int k : {7, unit.depth + 9})
            for (const Kind kind : kKinds) {
                const Example example(kind, m, n, k);
                Example whole = example;
                whole.run();
                for (const int height : {1, unit.tile_rows - 1, unit.tile_rows, unit.tile_rows + 1, 41})
                    for (const int width : {n, unit.panel_columns + 3}) {
                        Example parts = example;
                        const Matrix<float> C = parts.C.matrix(), A = parts.A.matrix(), B = parts.B.matrix();
                        for (int i = 0; i < m; i += height)
                            for (int j = 0; j < n; j += width) {
                                const int rows = std::min(height, m - i), columns = std::min(width, n - j);
                                const Matrix<float> a =
                                    turns_A(kind) ? Matrix<float>(A.data + i, k, rows, A.row)
                                                  : Matrix<float>(A.data + i * A.row, rows, k, A.row);
                                const Matrix<float> b =
                                    turns_B(kind) ? Matrix<float>(B.data + j * B.row, columns, k, B.row)
                                                  : Matrix<float>(B.data + j, k, columns, B.row);
                                const Matrix<float> R = parts.R.matrix();
                                parts.run({C.data + i * C.row + j, rows, columns, C.row}, a, b,
                                          {R.data + i * R.row + j, rows, columns, R.row},
                                          &parts.bias.at(0, j));
                            }
                        BOOST_TEST(same_bits(parts.C, whole.C),
                                   example.about() << " in parts of " << height << " x " << width);
                    }
            }
    });
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit) {
    for (const Kind kind : kKinds)
        for (const auto& [m, n, k] :
             {std::array{333, 131, 417}, std::array{1031, 37, 500}, std::array{5, 4003, 801},
              std::array{1, 4003, 3301}, std::array{2100, 70, 9}}) {
            const Example example(kind, m, n, k);
            for (const VectorUnit unit : vector_units()) {
                Example one = example;
                {
                    const ScopedUnit scope(unit);
                    one.run();
                }
                for (const int count : {2, 7}) {
                    const ScopedUnit scope(unit, count);
                    Example several = example;
                    several.run();
                    BOOST_TEST(same_bits(several.C, one.C), example.about() << ", threads " << count);
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(a_number_that_is_none_stays_in_its_row_and_column) {
    with_each_unit([](const ProductKernels& unit) {
        const int m = unit.tile_rows + 2, n = 5 * unit.panel_columns + 3, k = 19;
        for (const Kind kind : kKinds) {
            Example example(kind, m, n, k);
            example.a(m - 1, 4) = kNaN;
            example.b(6, n - 1) = std::numeric_limits<float>::infinity();
            example.run();
            int misplaced = 0;
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j)
                    if (std::isfinite(example.C.at(i, j)) != (i < m - 1 && j < n - 1)) ++misplaced;
            BOOST_TEST(misplaced == 0, example.about());
        }
    });
}

BOOST_AUTO_TEST_CASE(a_sum_of_no_terms_is_0_and_an_empty_matrix_is_left_alone) {
    with_each_unit([](const ProductKernels&) {
        for (const int m : {1, 5}) {
            Example zero(Kind::multiply, m, 7, 0), more(Kind::add, m, 7, 0),
                turned(Kind::transposed, m, 7, 0), shifted(Kind::linear, m, 7, 0);
            const Example before = more;
            for (Example* example : {&zero, &more, &turned, &shifted}) example->run();
            BOOST_TEST(same_bits(more.C, before.C));
            for (int j = 0; j < 7; ++j) BOOST_TEST(shifted.C.at(m - 1, j) == shifted.bias.at(0, j));
            for (Example* example : {&zero, &turned}) {
                BOOST_TEST(example->C.frame_is_whole());
                for (int i = 0; i < m; ++i)
                    for (int j = 0; j < 7; ++j) BOOST_TEST(example->C.at(i, j) == 0.0F);
            }
        }
        for (const Kind kind : kKinds)
            for (const auto& [m, n] : {std::pair{0, 7}, std::pair{5, 0}, std::pair{1, 0}, std::pair{0, 0}}) {
                Example empty(kind, m, n, 3);
                empty.run();
                BOOST_TEST(empty.C.frame_is_whole());
            }
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::fast
