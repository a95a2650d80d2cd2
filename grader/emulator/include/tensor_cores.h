#pragma once
/// What mma.h needs of the run time.

#include <cstddef>

#include "builtins.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

/// The parts of a lane in a product D = A B + C.
struct TileProduct {
    int m, n, k;
    const double *a, *b, *c;
    double* d;
};
/// Computes the part of D of this lane from the parts of A and B of all lanes. All 32 lanes have to call it.
void multiply_tiles(const TileProduct& product, Place place);

/// All 32 lanes have to call this before they load or store a tile. Its address and the distance of its rows, in bytes, have
/// to be multiples of 16 (the address of 32 in global memory).
void meet_at_tile(const void* tile, std::size_t distance, Place place);

}  // namespace attn::emulator

#pragma GCC visibility pop
