#pragma once
/// The libraries and programs that hold kernels: their shared arrays, their memory, their debug names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::emulator {

struct Cell;

/// A `__shared__` array: a piece of its module's thread-local storage.
struct SharedArray {
    std::string name;
    std::size_t offset;
    std::size_t size;
    bool dynamic;
};

struct Module {
    std::string file;
    std::uintptr_t bias = 0;            // address minus bias is the address in the file
    std::uintptr_t begin = 0, end = 0;  // its image in memory
    std::uintptr_t data = 0;            // its variables
    std::size_t data_size = 0;
    Cell* data_cells = nullptr;  // for each 4 bytes of them, in a checked module
    std::uintptr_t shared = 0;   // its thread-local storage
    std::size_t shared_size = 0;
    std::vector<SharedArray> arrays;    // by offset
    std::vector<std::uint16_t> owners;  // for each 4 bytes of it: 1 + index of the array; 0: none
    Cell* cells = nullptr;              // for each 4 bytes of it, in a checked module
    bool checked = false;
};

/// An entry of `owners` for storage that is neither an array nor a gap, but the compiler's own.
constexpr std::uint16_t kNotShared = 0xffff;

/// The module whose image holds `address`, or null.
const Module* module_of(std::uintptr_t address);

/// The array at `offset`, or the last one before it; null if there is none.
const SharedArray* array_near(const Module& module, std::size_t offset);

/// Fills all shared memory with NaN, as at the start of a block; of the dynamic array, `dynamic` bytes.
void poison_shared(const Module& module, std::size_t dynamic);

}  // namespace attn::emulator
