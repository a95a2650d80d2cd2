#pragma once
/// Device memory: a reserved region in which every allocation ends at a guard page.

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "shadow.h"

namespace attn::emulator {

using Place = std::source_location;

struct Allocation {
    std::uintptr_t start = 0;
    std::size_t size = 0;
    Cell* cells = nullptr;  // in a program with a checked module
    Place place;            // of the cudaMalloc
    bool freed = false;
    Place freed_at;
    std::uintptr_t pages = 0;  // what it takes of the region
    std::size_t pages_size = 0;
};

constexpr std::size_t kHeapSize = 512u << 20;
constexpr std::size_t kMemoryLimit = 256u << 20;
constexpr std::size_t kPageSize = 4096;

/// Where the region lies; 0 until it is reserved, at load.
extern std::uintptr_t heap_start __attribute__((visibility("hidden")));

inline bool in_heap(std::uintptr_t address) {
    return address - heap_start < kHeapSize;
}

/// Null where the device's memory is used up. Fresh memory holds NaN.
Allocation* heap_allocate(std::size_t size, const Place& place);

/// What is freed can no longer be touched; its place is not used again soon.
void heap_free(Allocation& allocation, const Place& place);

/// Which allocation a page belongs to, alive or freed: an access must find its own quickly.
extern Allocation* page_owners[kHeapSize / kPageSize] __attribute__((visibility("hidden")));

/// The allocation, alive or freed, that holds `address`, or null.
inline Allocation* allocation_of(std::uintptr_t address) {
    if (!in_heap(address)) return nullptr;
    Allocation* const owner = page_owners[(address - heap_start) / kPageSize];
    return owner != nullptr && address - owner->start < owner->size ? owner : nullptr;
}

/// The one that ends nearest before `address`, or begins nearest behind it; null without any.
Allocation* allocation_near(std::uintptr_t address);

std::size_t heap_used();
void clear_heap();

/// Called once a module with checks is there: allocations have cells from now on.
void keep_cells();

}  // namespace attn::emulator
