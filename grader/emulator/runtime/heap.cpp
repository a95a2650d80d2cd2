#include "heap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include <sys/mman.h>

#include "device_api.h"
#include "device_state.h"
#include "findings.h"
#include "memory_api.h"
#include "names.h"
#include "scheduler.h"
#include "streams_api.h"

namespace attn::emulator {

std::uintptr_t heap_start = 0;
std::size_t heap_size = 0;
Allocation** page_owners = nullptr;

namespace {

constexpr std::size_t kAlignment = 256;           // what cudaMalloc promises
constexpr std::size_t kPoisonAtMost = 32u << 20;  // the unused part of a large buffer must take no memory

struct Heap {
    std::map<std::uintptr_t, Allocation>
        allocations;             // by start; freed ones stay until their addresses are reused
    std::uintptr_t top = 0;      // where the search for the next allocation begins
    std::uintptr_t highest = 0;  // no page above it was ever used
    std::size_t used = 0;
    std::string failed;  // see failed_allocation()
    bool cells = false;
};

void set_page_owner(std::uintptr_t pages, std::size_t size, Allocation* owner) {
    for (std::size_t page = (pages - heap_start) / kPageSize; size > 0; ++page, size -= kPageSize)
        page_owners[page] = owner;
}

Heap& heap() {
    static auto* const instance = new Heap;
    return *instance;
}

/// No finding, because a program may ask how much memory it gets. It may also end without a word.
void tell_about_memory() {
    static bool told = false;
    if (hosted() || std::exchange(told, true)) return;
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: %s. With --memory MIB the device has more.\n",
                 resolved(heap().failed).c_str());
}

/// The region has room for freed memory, too, whose addresses are not reused soon.
void reserve() {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const std::size_t size = 2 * memory_size();
    void* region = ::mmap(nullptr, size, PROT_NONE, kFlags, -1, 0);
    void* owners =
        ::mmap(nullptr, size / kPageSize * sizeof *page_owners, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (region == MAP_FAILED || owners == MAP_FAILED) return;
    heap_start = reinterpret_cast<std::uintptr_t>(region);
    heap_size = size;
    page_owners = static_cast<Allocation**>(owners);
    heap().top = heap().highest = heap_start;
}

/// Must happen before a sandbox takes effect and before the first address is compared with the region.
[[maybe_unused]] const bool reserved = (reserve(), true);

/// Forgets freed allocations in [begin, end). Returns false if one is alive, and sets `end_of_alive` to its
/// end.
bool drop_freed_allocations(std::uintptr_t begin, std::uintptr_t end, std::uintptr_t& end_of_alive) {
    auto& all = heap().allocations;
    auto at = all.upper_bound(begin);
    if (at != all.begin()) --at;
    while (at != all.end() && at->second.pages < end) {
        if (at->second.pages + at->second.pages_size <= begin) {
            ++at;
        } else if (at->second.freed) {
            set_page_owner(at->second.pages, at->second.pages_size, nullptr);
            at = all.erase(at);
        } else {
            end_of_alive = at->second.pages + at->second.pages_size;
            return false;
        }
    }
    return true;
}

/// Finds addresses for `size` bytes of pages. The search continues after the last allocation, so that freed
/// addresses are reused as late as possible.
std::uintptr_t find_place(std::size_t size) {
    Heap& here = heap();
    bool wrapped = false;
    std::uintptr_t at = here.top;
    for (;;) {
        if (at + size > heap_start + heap_size) {
            if (wrapped) return 0;
            wrapped = true;
            at = heap_start;
            continue;
        }
        std::uintptr_t end_of_alive = 0;
        if (drop_freed_allocations(at, at + size, end_of_alive)) return at;
        at = end_of_alive;
        if (wrapped && at >= here.top + size) return 0;
    }
}

std::size_t heap_limit = std::size_t{8} << 20;  // as on a GPU

std::string says(const char* what, std::uintptr_t pc) {
    return place_of(pc) + ": " + running_thread_name() + " " + what;
}

void* kernel_allocate(std::size_t size, std::uintptr_t pc) {
    if (size > heap_limit || device_heap_used() > heap_limit - size) return nullptr;
    Allocation* const allocation = heap_allocate(size == 0 ? 1 : size, {});
    if (allocation == nullptr) return nullptr;
    allocation->kernel_pc = pc;
    return reinterpret_cast<void*>(allocation->start);
}

void kernel_free(void* pointer, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    Allocation* const at = allocation_of(address);
    const auto bad = [&](const std::string& why) {
        note("bad_free", std::to_string(pc), says("frees a pointer that ", pc) + why);
    };
    if (at == nullptr || at->kernel_pc == 0)
        bad("did not come from malloc or new in a kernel.");
    else if (at->freed)
        bad("was freed before, in " + freed_place(*at) + ".");
    else if (at->start != address)
        bad("points " + std::to_string(address - at->start) + " bytes behind the one that malloc returned.");
    else
        heap_free(*at, {}, pc);
}

}  // namespace

std::size_t memory_size() {
    constexpr std::size_t kDefault_mib = 256;
    static const std::size_t size = [] {
        const char* const given = std::getenv("ATTN_EMULATOR_MEMORY_MIB");
        return (given != nullptr ? std::strtoull(given, nullptr, 10) : kDefault_mib) << 20;
    }();
    return size;
}

void keep_cells() {
    heap().cells = true;
}

std::size_t heap_used() {
    return heap().used;
}

const std::string& failed_allocation() {
    return heap().failed;
}

Allocation* heap_allocate(std::size_t size, const Place& place) {
    Heap& here = heap();
    const std::size_t limit = memory_size();
    if (heap_start == 0 || size > limit || here.used + size > limit) {
        here.failed = "the allocation in " + place_name(place) + " failed: it asked for " +
                      std::to_string(size) + " bytes, and of the device's " + std::to_string(limit >> 20) +
                      " MiB " + std::to_string((limit - here.used) >> 20) + " MiB were free";
        tell_about_memory();
        return nullptr;
    }
    const std::size_t usable = (size + kPageSize - 1) / kPageSize * kPageSize;
    const std::size_t pages_size = usable + kPageSize;
    const std::uintptr_t pages = find_place(pages_size);
    if (pages == 0) return nullptr;
    void* memory = reinterpret_cast<void*>(pages);
    if (::mprotect(memory, usable, PROT_READ | PROT_WRITE) != 0) return nullptr;
    Cell* cells = nullptr;
    if (here.cells && (cells = new_cells(size)) == nullptr) {
        ::mprotect(memory, usable, PROT_NONE);
        return nullptr;
    }
    std::memset(memory, 0xff, std::min(usable, kPoisonAtMost));
    const std::uintptr_t start = pages + (usable - size) / kAlignment * kAlignment;
    here.top = pages + pages_size;
    here.highest = std::max(here.highest, here.top);
    here.used += size;
    Allocation& allocation = here.allocations[start];
    allocation = {start, size, cells, place, false, {}, 0, 0, HostAccess::none, false, pages, pages_size, 0};
    set_page_owner(pages, pages_size, &allocation);
    return &allocation;
}

std::size_t device_heap_used() {
    std::size_t used = 0;
    for (const auto& [start, allocation] : heap().allocations)
        if (!allocation.freed && allocation.kernel_pc != 0) used += allocation.size;
    return used;
}

void report_leaks() {
    for (const auto& [start, allocation] : heap().allocations)
        if (!allocation.freed)
            note("leak", allocated_place(allocation),
                 "The " + std::to_string(allocation.size) + " bytes from " + allocated_place(allocation) +
                     " were never freed.");
}

std::string allocated_place(const Allocation& allocation) {
    return allocation.kernel_pc != 0 ? place_of(allocation.kernel_pc) : place_name(allocation.place);
}

std::string freed_place(const Allocation& allocation) {
    return allocation.freed_pc != 0 ? place_of(allocation.freed_pc) : place_name(allocation.freed_at);
}

void heap_free(Allocation& allocation, const Place& place, std::uintptr_t pc) {
    void* memory = reinterpret_cast<void*>(allocation.pages);
    ::madvise(memory, allocation.pages_size, MADV_DONTNEED);
    ::mprotect(memory, allocation.pages_size, PROT_NONE);
    delete_cells(allocation.cells, allocation.size);
    allocation.cells = nullptr;
    allocation.freed = true;
    allocation.freed_at = place;
    allocation.freed_pc = pc;
    heap().used -= allocation.size;
}

Allocation* allocation_near(std::uintptr_t address) {
    auto& all = heap().allocations;
    if (all.empty()) return nullptr;
    auto after = all.upper_bound(address);
    if (after == all.begin()) return &after->second;
    const auto before = std::prev(after);
    if (after != all.end() && after->first - address < address - before->second.start - before->second.size &&
        address >= before->second.start + before->second.size)
        return &after->second;
    return &before->second;
}

Allocation* allocation_before(std::uintptr_t address) {
    auto& all = heap().allocations;
    const auto after = all.upper_bound(address);
    return after == all.begin() ? nullptr : &std::prev(after)->second;
}

void clear_heap() {
    for (auto& [start, allocation] : heap().allocations)
        if (!allocation.freed) heap_free(allocation, {});
    std::memset(page_owners, 0, (heap().highest - heap_start) / kPageSize * sizeof page_owners[0]);
    heap().allocations.clear();
    heap().top = heap().highest = heap_start;
    heap().used = 0;
    heap().failed.clear();
}

void* allocate_here(std::size_t size, std::uintptr_t pc) {
    return device.thread == nullptr ? std::malloc(size) : kernel_allocate(size, pc);
}

void free_here(void* pointer, std::uintptr_t pc) {
    if (pointer == nullptr) return;
    if (device.thread != nullptr) {
        kernel_free(pointer, pc);
    } else if (in_heap(reinterpret_cast<std::uintptr_t>(pointer))) {
        note("bad_free", std::to_string(pc),
             place_of(pc) + ": the host frees memory of the device with free or delete. Use cudaFree.");
    } else {
        std::free(pointer);
    }
}

}  // namespace attn::emulator

using namespace attn::emulator;

#pragma GCC visibility push(default)
extern "C" {

void* attn_emulator_malloc(std::size_t size) {
    return allocate_here(size, ATTN_EMULATOR_PC);
}
void attn_emulator_free(void* pointer) {
    free_here(pointer, ATTN_EMULATOR_PC);
}

}  // extern "C"
#pragma GCC visibility pop

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (limit == cudaLimitMallocHeapSize) heap_limit = value;
    return sticky_error();
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    constexpr std::size_t kStack = kStackSize, kPrintBuffer = 1 << 20;
    *value = limit == cudaLimitMallocHeapSize ? heap_limit
             : limit == cudaLimitStackSize    ? kStack
                                              : kPrintBuffer;
    return sticky_error();
}
