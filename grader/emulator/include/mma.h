#pragma once
/// The emulator's mma.h: products of small matrices by the lanes of a warp (nvcuda::wmma), in plain loops. Each lane holds an equal
/// part of a tile, in the order of its rows; on a GPU that order is unspecified.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tensor_cores.h"

namespace nvcuda::wmma {

using attn::emulator::Place;

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

template <class T>
struct storage_element_type {
    using type = T;
};
template <>
struct storage_element_type<precision::tf32> {
    using type = float;
};

/// The value as the tensor cores read it, with 10 bits of fraction.
inline float __float_to_tf32(float value) {
    const unsigned bits = __float_as_uint(value);
    return isfinite(value) ? __uint_as_float((bits + 0x1000u) & ~0x1fffu) : value;
}

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
    static constexpr int kShape = M * 10000 + N * 100 + K;
    static_assert(kShape == 161616 || kShape == 320816 || kShape == 83216 || kShape == 161608 ||
                      kShape == 80804,
                  "tiles of this shape do not exist");

  public:
    static constexpr int kRows = std::is_same_v<Use, matrix_b> ? K : M;
    static constexpr int kColumns = std::is_same_v<Use, matrix_a> ? K : N;
    static constexpr bool kByColumns = std::is_same_v<Layout, col_major>;
    static constexpr int num_elements = kRows * kColumns / 32, num_storage_elements = num_elements;
    using element_type = T;
    using storage_element_type = typename wmma::storage_element_type<T>::type;

    storage_element_type x[num_elements];

    /// The position of this lane's element k, in a tile whose rows or columns are `distance` elements apart.
    static std::size_t position(int k, unsigned distance, bool by_columns) {
        const unsigned at = attn::emulator::lane() * num_elements + static_cast<unsigned>(k);
        const unsigned row = at / kColumns, column = at % kColumns;
        return by_columns ? static_cast<std::size_t>(column) * distance + row
                          : static_cast<std::size_t>(row) * distance + column;
    }
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& tile, const Value& value) {
    for (auto& x : tile.x) x = value;
}

namespace detail {
template <class Tile, class T>
[[gnu::always_inline]] inline void load(Tile& tile, const T* from, unsigned distance, bool by_columns,
                                        Place place) {
    attn::emulator::meet_at_tile(from, distance * sizeof(T), place);
    for (int k = 0; k < Tile::num_elements; ++k) tile.x[k] = from[Tile::position(k, distance, by_columns)];
}
template <class Tile>
void widen(double* values, const Tile& tile) {
    for (int k = 0; k < Tile::num_elements; ++k) {
        if constexpr (std::is_same_v<typename Tile::element_type, precision::tf32>)
            values[k] = __float_to_tf32(tile.x[k]);
        else if constexpr (std::is_integral_v<typename Tile::element_type> ||
                           std::is_same_v<typename Tile::element_type, double>)
            values[k] = static_cast<double>(tile.x[k]);
        else
            values[k] = static_cast<double>(static_cast<float>(tile.x[k]));
    }
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout>
[[gnu::always_inline]] inline void load_matrix_sync(
    fragment<Use, M, N, K, T, Layout>& tile,
    const typename fragment<Use, M, N, K, T, Layout>::storage_element_type* from, unsigned distance,
    Place place = Place::current()) {
    detail::load(tile, from, distance, tile.kByColumns, place);
}
template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& tile, const T* from,
                                                    unsigned distance, layout_t layout,
                                                    Place place = Place::current()) {
    detail::load(tile, from, distance, layout == mem_col_major, place);
}

template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& tile,
                                                     unsigned distance, layout_t layout,
                                                     Place place = Place::current()) {
    attn::emulator::meet_at_tile(to, distance * sizeof(T), place);
    for (int k = 0; k < tile.num_elements; ++k)
        to[tile.position(k, distance, layout == mem_col_major)] = tile.x[k];
}

/// D = A B + C, each number rounded once. (A GPU rounds the sums on the way, in an order that is not documented.)
template <int M, int N, int K, class In, class A, class B, class Out, class Sum>
[[gnu::always_inline]] inline void mma_sync(fragment<accumulator, M, N, K, Out>& d,
                                            const fragment<matrix_a, M, N, K, In, A>& a,
                                            const fragment<matrix_b, M, N, K, In, B>& b,
                                            const fragment<accumulator, M, N, K, Sum>& c, bool = false,
                                            Place place = Place::current()) {
    double values_a[a.num_elements], values_b[b.num_elements], values_c[c.num_elements], sums[d.num_elements];
    detail::widen(values_a, a);
    detail::widen(values_b, b);
    detail::widen(values_c, c);
    attn::emulator::multiply_tiles({M, N, K, values_a, values_b, values_c, sums}, place);
    for (int k = 0; k < d.num_elements; ++k) d.x[k] = static_cast<Out>(sums[k]);
}

}  // namespace nvcuda::wmma
