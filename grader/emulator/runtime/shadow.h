#pragma once
/// Shadow memory of a checked build. For each four bytes it records which threads wrote and read them last,
/// so that a new access can be checked: every two conflicting accesses need an order that every run has.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace attn::emulator {

struct Allocation;

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

/// The latest clock that a stamp can hold. Later accesses count as ordered.
constexpr std::uint32_t kLatest = (1u << 17) - 1;

/// One access to some bytes of a cell: which thread, and when. It takes 12 bytes, because each cell holds
/// three.
struct Stamp {
    std::uint32_t interval;    // device.interval at that time; 0: no access
    std::uint32_t clock : 17;  // Thread::clock at that time, at most kLatest
    std::uint32_t thread : 10;
    std::uint32_t bytes : 4;  // which of the four
    std::uint32_t atomic : 1;
    std::uint32_t pc;  // the low half; the module is known
};

/// True if the same thread accessed the same bytes in the same way, and nothing has ordered it since.
inline bool alike(const Stamp& a, const Stamp& b) {
    return std::memcmp(&a, &b, offsetof(Stamp, pc)) == 0;
}

struct Cell {
    Stamp writer;
    Stamp readers[2];
    std::uint32_t written : 4;  // the bytes that hold a value
    std::uint32_t block : 28;   // shared memory: low bits of block_first of the block that used the cell
};

/// Cells for `size` bytes, all zero and not yet backed by memory. Null if there is no address space.
Cell* new_cells(std::size_t size);
void delete_cells(Cell* cells, std::size_t size);

/// mark_written: bytes [offset, offset + size) hold a value from now on. copy_written: they do where the
/// source does.
void mark_written(Cell* cells, std::size_t offset, std::size_t size);
void copy_written(Cell* to, std::size_t to_offset, const Cell* from, std::size_t from_offset,
                  std::size_t size);

/// The first run of elements in [offset, offset + size) of which no byte holds a value, counted from `offset`,
/// and how many such elements there are in all. A last element may be incomplete.
struct Unwritten {
    std::size_t first = 0, last = 0, count = 0;
};
Unwritten unwritten_elements(const Cell* cells, std::size_t offset, std::size_t size, std::size_t element);

/// Checks an access by a kernel or by the host before it happens. `aligned`: the code relies on natural
/// alignment. `excused`: the access cannot race with another excused access or an atomic.
void check_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc, bool aligned,
                  bool excused = false);

/// Acquires and releases at an atomic: orders blocks (and threads) that passed a fence before it.
void order_by_atomic(std::uintptr_t address);

/// The running thread calls atomicCAS, atomicMax or atomicMin at `address`: it may have read an old value there.
void excuse_own_reads(std::uintptr_t address, std::size_t size);

/// An access of a copy or fill that runs now: `name`, see OperationId.
void check_operation_access(const std::string& name, std::uintptr_t address, std::size_t size, bool writes);

/// `name` ("cudaFree in a.cu:9") frees an allocation: reports each earlier operation that uses it if nothing
/// makes the release wait for it. `by_host`: the release happens at once; otherwise it is the running operation.
void check_release(const std::string& name, const Allocation& allocation, bool by_host);

/// A write to shared memory that happens later: until then the bytes hold NaN and no value that may be read.
void begin_late_write(std::uintptr_t address, std::size_t size);
void end_late_write(std::uintptr_t address, std::size_t size, std::uintptr_t pc);

/// Compares the bytes of a racing write after it has happened. A write of the same value is no race.
void settle_write();

/// Forgets addresses between launches, because the host may change their contents.
void forget_accesses();

/// Forgets the orderings of the last launch.
void begin_ordering();

}  // namespace attn::emulator
