#pragma once
/// Device memory: a reserved region in which every allocation ends at a guard page.

#include <cstddef>
#include <cstdint>
#include <string>

#include "builtins.h"
#include "shadow.h"

namespace attn::emulator {

/// Whether the host may use an allocation, too. Mapped memory is page-locked memory of the host.
enum class HostAccess : std::uint8_t { none, managed, mapped };

struct Allocation {
    std::uintptr_t start = 0;
    std::size_t size = 0;
    Cell* cells = nullptr;  // the shadow memory, in a program with a checked module
    Place place;            // of the cudaMalloc
    bool freed = false;
    Place freed_at;
    std::uintptr_t kernel_pc = 0;  // of the malloc or new in a kernel; 0: it came from cudaMalloc
    std::uintptr_t freed_pc = 0;   // of the free or delete
    HostAccess host = HostAccess::none;
    bool stream_ordered = false;  // it came from cudaMallocAsync
    std::uintptr_t pages = 0;     // its pages in the region
    std::size_t pages_size = 0;
    std::size_t element = 0;  // the size of what the latest kernel's pointer to it points to; 0: not known
};

constexpr std::size_t kPageSize = 4096;

/// The device's memory: 256 MiB, or what `grader emulate --memory` gives a program.
std::size_t memory_size();

/// The start of the region; 0 until it is reserved when the library is loaded.
extern std::uintptr_t heap_start __attribute__((visibility("hidden")));
extern std::size_t heap_size __attribute__((visibility("hidden")));

inline bool in_heap(std::uintptr_t address) {
    return address - heap_start < heap_size;
}

/// Null if the device's memory is used up. Fresh memory holds NaN.
Allocation* heap_allocate(std::size_t size, const Place& place);

/// The latest allocation that failed for lack of memory: "cudaMalloc in a.cu:7 asked for 400000000 bytes".
/// Empty if there is none.
const std::string& failed_allocation();

/// Freed memory can no longer be accessed, and its addresses are not reused soon.
void heap_free(Allocation& allocation, const Place& place, std::uintptr_t pc = 0);

/// The allocation, alive or freed, that each page belongs to. An access must find its allocation quickly.
extern Allocation** page_owners __attribute__((visibility("hidden")));

/// The allocation, alive or freed, that holds `address`, or null.
inline Allocation* allocation_of(std::uintptr_t address) {
    if (!in_heap(address)) return nullptr;
    Allocation* const owner = page_owners[(address - heap_start) / kPageSize];
    return owner != nullptr && address - owner->start < owner->size ? owner : nullptr;
}

/// The allocation that is nearest to `address`, and the last one that begins at or before it; null if there is
/// none.
Allocation* allocation_near(std::uintptr_t address);
Allocation* allocation_before(std::uintptr_t address);

/// Bytes in use: all, and those that kernels allocated.
std::size_t heap_used();
/// A finding for each place whose memory was not freed.
void report_leaks();
std::size_t device_heap_used();

/// The places for messages where memory was allocated and freed: "a.cu:7".
std::string allocated_place(const Allocation& allocation);
std::string freed_place(const Allocation& allocation);

void clear_heap();

/// Gives allocations cells from now on. Called when a checked module is registered.
void keep_cells();

}  // namespace attn::emulator
