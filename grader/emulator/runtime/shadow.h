#pragma once
/// Shadow memory of a checked build: who wrote and who read each four bytes last, and whether the two were in
/// an order that every run would have.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace attn::emulator {

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

/// The latest clock that a stamp can hold: what comes later counts as being ordered.
constexpr std::uint32_t kLatest = (1u << 17) - 1;

/// Who touched some bytes of a cell, and when. 12 bytes, as there are three in each cell.
struct Stamp {
    std::uint32_t interval;    // device.interval then; 0: nobody
    std::uint32_t clock : 17;  // Thread::clock then, no more than kLatest
    std::uint32_t thread : 10;
    std::uint32_t bytes : 4;  // which of the four
    std::uint32_t atomic : 1;
    std::uint32_t pc;  // the low half, the module is known
};

/// True where the same thread touched the same bytes in the same way, and nothing has ordered it since.
inline bool alike(const Stamp& a, const Stamp& b) {
    return std::memcmp(&a, &b, offsetof(Stamp, pc)) == 0;
}

struct Cell {
    Stamp writer;
    Stamp readers[2];
    std::uint32_t written : 4;  // bytes that hold something
    std::uint32_t block : 28;   // shared memory: the low bits of the block_first to which all this belongs
};

/// Cells for `size` bytes, all zero, and none of it touched; null where there is no room.
Cell* new_cells(std::size_t size);
void delete_cells(Cell* cells, std::size_t size);

/// Bytes [offset, offset + size) hold something from now on, or what other cells say.
void mark_written(Cell* cells, std::size_t offset, std::size_t size);
void copy_written(Cell* to, std::size_t to_offset, const Cell* from, std::size_t from_offset,
                  std::size_t size);

/// An access by a kernel or by the host, before it happens. `aligned`: the code relies on natural alignment;
/// `excused`: it races with no other that is excused or atomic.
void check_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc, bool aligned,
                  bool excused = false);

/// Releases and acquires at an atomic: orders blocks (and threads) that met a fence first.
void order_by_atomic(std::uintptr_t address);

/// A racing write whose bytes are compared once it has happened: the same value harms nobody.
void settle_write();

/// Forgets addresses that the host may change: between launches.
void forget_accesses();

/// Forgets what belongs to one launch.
void begin_ordering();

}  // namespace attn::emulator
