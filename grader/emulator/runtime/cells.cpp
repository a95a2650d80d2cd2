#include <algorithm>

#include <sys/mman.h>

#include "shadow.h"

namespace attn::emulator {
namespace {

std::size_t bytes_for(std::size_t size) {
    return (size / 4 + 2) * sizeof(Cell);
}

/// The bytes of the cell at `offset` that lie in [offset, end), as a mask, and where the next cell begins.
struct Piece {
    std::size_t cell;
    std::uint32_t bytes;
    std::size_t next;
};

Piece piece_at(std::size_t offset, std::size_t end) {
    const std::size_t low = offset & 3, high = std::min<std::size_t>(4, end - (offset - low));
    return {offset / 4, static_cast<std::uint32_t>(((1u << high) - 1) & ~((1u << low) - 1)),
            offset - low + 4};
}

}  // namespace

Cell* new_cells(std::size_t size) {
    void* memory = ::mmap(nullptr, bytes_for(size), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Cell*>(memory);
}

void delete_cells(Cell* cells, std::size_t size) {
    if (cells != nullptr) ::munmap(cells, bytes_for(size));
}

void mark_written(Cell* cells, std::size_t offset, std::size_t size) {
    if (cells == nullptr) return;
    for (std::size_t at = offset; at < offset + size;) {
        const Piece piece = piece_at(at, offset + size);
        cells[piece.cell].written |= piece.bytes & 0xf;
        at = piece.next;
    }
}

void copy_written(Cell* to, std::size_t to_offset, const Cell* from, std::size_t from_offset,
                  std::size_t size) {
    if (to == nullptr || from == nullptr) return;
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t source = from_offset + k, target = to_offset + k;
        const std::uint32_t bit = 1u << (target & 3);
        if ((from[source / 4].written >> (source & 3) & 1) != 0)
            to[target / 4].written |= bit & 0xf;
        else
            to[target / 4].written &= ~bit & 0xf;
    }
}

}  // namespace attn::emulator
