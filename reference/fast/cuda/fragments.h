#pragma once
/// Which element of a matrix each lane of a warp holds for mma.sync.m16n8k8 with tf32 (PTX ISA, "Matrix
/// fragments for mma.m16n8k8"): D [16, 8] += A [16, 8] B [8, 8].
///   A: four registers, B: two, C and D: four. g = lane / 4 and t = lane % 4.
/// And where the rows of a tile lie in shared memory, so that the reads of a fragment have no bank conflicts.
/// The functions are plain C++, so that a test can check them without a GPU.

#if defined(__CUDACC__) && !defined(ATTN_EMULATOR)
#define ATTN_FRAGMENT __host__ __device__ constexpr
#else
#define ATTN_FRAGMENT constexpr
#endif

namespace attn::cuda::fast {

struct RowColumn {
    int row, column;
};

ATTN_FRAGMENT RowColumn place_in_A(int lane, int reg) {
    return {lane / 4 + (reg % 2) * 8, lane % 4 + (reg / 2) * 4};
}
ATTN_FRAGMENT RowColumn place_in_B(int lane, int reg) {
    return {lane % 4 + reg * 4, lane / 4};
}
ATTN_FRAGMENT RowColumn place_in_C(int lane, int reg) {
    return {lane / 4 + (reg / 2) * 8, lane % 4 * 2 + reg % 2};
}

/// The weights of 8 keys are a fragment C of the scores, and have to be a fragment A of the product with V. A
/// sum over keys may take them in any order: let column k of A stand for this key. Then register r of C is
/// register register_of_A(r) of A in the same lane, and nothing has to move.
ATTN_FRAGMENT int key_of_column(int k) {
    return k < 4 ? 2 * k : 2 * (k - 4) + 1;
}
ATTN_FRAGMENT int register_of_A(int reg_of_C) {
    return reg_of_C / 2 + (reg_of_C % 2) * 2;
}

/// The offset of an element in a tile of rows of D floats. Rows are cut into chunks of 4 floats (16 bytes, what
/// one asynchronous copy moves), and the chunks of a row are permuted, so that all 32 lanes read from different
/// banks: of Q and K a fragment takes 8 rows at 4 neighbouring columns, of V 4 even or odd rows at 8 columns.
ATTN_FRAGMENT int offset_in_tile(int row, int column, int D) {
    return row * D + ((column / 4) ^ (row & 7)) * 4 + column % 4;
}

}  // namespace attn::cuda::fast
