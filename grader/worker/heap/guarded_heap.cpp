#include "grader/worker/heap/guarded_heap.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include "grader/worker/protocol.h"

// The C library's own functions, which it exports for programs that replace malloc.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void __libc_free(void* start);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* start, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace attn::worker {
namespace {

/// A buffer of at most a page gets a slot: a page between two unreadable ones. Others get a mapping of their
/// own.
constexpr std::size_t kSlots = 512, kMappings = 1024;
constexpr std::size_t kMostMappedInACall = 4096;               // mapping costs microseconds
constexpr std::size_t kLargest = std::size_t{256} << 20;       // of a guarded buffer
constexpr std::size_t kMostFilled = std::size_t{1} << 20;      // larger buffers are not filled with poison
constexpr std::ptrdiff_t kChecked = 64;                        // bytes on each side of a buffer
constexpr std::size_t kAlignment = alignof(std::max_align_t);  // malloc's promise
constexpr std::uint64_t kSlotsAt = 0x3000'0000'0000, kMappingsAt = 0x3100'0000'0000,
                        kMappingsEnd = 0x3200'0000'0000;  // far from what the loader and arrays use

struct Block {
    std::byte* pages = nullptr;
    std::size_t page_bytes = 0;
    std::byte* start = nullptr;  // null: not in use
    std::size_t size = 0;

    std::byte* end() const { return start + size; }
    std::byte* pages_end() const { return pages + page_bytes; }
};

// Plain static data: this code runs before constructors, and in signal handlers.
Block slots[kSlots], mappings[kMappings];
bool slots_mapped = false;
std::uint64_t next_mapping = kMappingsAt;
std::size_t mapped_in_this_call = 0;
std::atomic<bool> guarding = false;
GuardedSide guarded_side = GuardedSide::end;
char damage[200];
std::atomic_flag locked = ATOMIC_FLAG_INIT;

struct Lock {
    Lock() {
        while (locked.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Lock() { locked.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

/// The byte of the poison at this address. Buffers begin at multiples of its size.
std::byte poison_at(const std::byte* address) {
    return static_cast<std::byte>(kHeapPoison >> (8 * (reinterpret_cast<std::uintptr_t>(address) % 4)));
}

void poison(std::byte* first, std::byte* last) {
    while (first < last && reinterpret_cast<std::uintptr_t>(first) % 4 != 0)
        *first = poison_at(first), ++first;
    std::fill_n(reinterpret_cast<std::uint32_t*>(first), (last - first) / 4, kHeapPoison);
    for (first += (last - first) / 4 * 4; first < last; ++first) *first = poison_at(first);
}

/// "It wrote past the end of a buffer of 11 floats, which it had allocated (new, malloc, std::vector, ..): element 11."
void describe(const Block& block, const char* verb, std::uint64_t address, char* text, std::size_t size) {
    const auto start = reinterpret_cast<std::uint64_t>(block.start);
    if (address < start) {
        std::snprintf(text, size, "It %s before the start of a buffer of %zu bytes that it had allocated.",
                      verb, block.size);
        return;
    }
    const bool floats = block.size % sizeof(float) == 0;
    const std::size_t unit = floats ? sizeof(float) : 1;
    std::snprintf(
        text, size,
        "It %s past the end of a buffer of %zu %s, which it had allocated (new, malloc, std::vector, ..): "
        "%s %zu.",
        verb, block.size / unit, floats ? "floats" : "bytes", floats ? "element" : "byte",
        (address - start) / unit);
}

/// The bytes of its pages that are checked before and after a buffer.
std::byte* first_checked(const Block& block) {
    return block.start - std::min<std::ptrdiff_t>(kChecked, block.start - block.pages);
}
std::byte* last_checked(const Block& block) {
    return block.end() + std::min<std::ptrdiff_t>(kChecked, block.pages_end() - block.end());
}

/// Records the first write beside a buffer.
void check(const Block& block) {
    if (damage[0] != '\0') return;
    const auto wrong = [](const std::byte* p) { return *p != poison_at(p); };
    for (std::byte* p = block.end(); p < last_checked(block); ++p)
        if (wrong(p))
            return describe(block, "wrote", reinterpret_cast<std::uint64_t>(p), damage, sizeof damage);
    for (std::byte* p = block.start; p-- > first_checked(block);)
        if (wrong(p))
            return describe(block, "wrote", reinterpret_cast<std::uint64_t>(p), damage, sizeof damage);
}

/// Puts a buffer into its pages, at the guarded side.
void* place(Block& block, std::size_t size, std::size_t alignment) {
    const auto end = reinterpret_cast<std::uintptr_t>(block.pages_end());
    block.size = size;
    block.start = guarded_side == GuardedSide::start
                      ? block.pages
                      : reinterpret_cast<std::byte*>((end - size) / alignment * alignment);
    poison(first_checked(block), block.start);
    poison(block.end(), last_checked(block));
    if (size <= kMostFilled) poison(block.start, block.end());
    return block.start;
}

void* in_a_slot(std::size_t size, std::size_t alignment) {
    constexpr std::size_t kReserved = (2 * kSlots + 1) * kPage;
    auto* const region = reinterpret_cast<std::byte*>(kSlotsAt);
    if (!slots_mapped) {
        if (mmap(region, kReserved, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != region)
            return nullptr;
        slots_mapped = true;
    }
    for (std::size_t k = 0; k < kSlots; ++k) {
        Block& slot = slots[k];
        if (slot.start != nullptr) continue;
        if (slot.pages == nullptr) {
            std::byte* const page = region + (2 * k + 1) * kPage;
            if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) return nullptr;
            slot.pages = page;
            slot.page_bytes = kPage;
        }
        return place(slot, size, alignment);
    }
    return nullptr;
}

void* in_a_mapping(std::size_t size, std::size_t alignment) {
    if (mapped_in_this_call == kMostMappedInACall) return nullptr;
    Block* const block =
        std::find_if(mappings, mappings + kMappings, [](const Block& b) { return b.start == nullptr; });
    const std::size_t bytes = (std::max<std::size_t>(size, 1) + kAlignment + kPage - 1) / kPage * kPage;
    if (block == mappings + kMappings || next_mapping + bytes + 2 * kPage > kMappingsEnd) return nullptr;
    auto* const before = reinterpret_cast<std::byte*>(next_mapping);
    if (mmap(before, bytes + 2 * kPage, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != before)
        return nullptr;
    if (mprotect(before + kPage, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(before, bytes + 2 * kPage);
        return nullptr;
    }
    next_mapping += bytes + 2 * kPage;
    ++mapped_in_this_call;
    block->pages = before + kPage;
    block->page_bytes = bytes;
    return place(*block, size, alignment);
}

/// A guarded buffer. Null if it cannot be guarded.
void* guarded(std::size_t size, std::size_t alignment) {
    if (!guarding.load(std::memory_order_relaxed) || size > kLargest || alignment > kPage) return nullptr;
    const int error = errno;
    const Lock lock;
    alignment = std::max(alignment, kAlignment);
    void* start = size <= kPage ? in_a_slot(size, alignment) : nullptr;
    if (start == nullptr) start = in_a_mapping(size, alignment);
    errno = error;
    return start;
}

/// The guarded block that begins here. Null for buffers of the C library.
Block* block_of(const void* start) {
    const auto address = reinterpret_cast<std::uint64_t>(start);
    if (address < kSlotsAt || address >= kMappingsEnd) return nullptr;
    if (address < kMappingsAt) {
        const std::size_t page = (address - kSlotsAt) / kPage;
        // A buffer of 0 bytes begins at the unreadable page after its slot.
        for (const std::size_t k : {page / 2, page / 2 - 1})
            if (k < kSlots && slots[k].start == start) return &slots[k];
        return nullptr;
    }
    Block* const found =
        std::find_if(mappings, mappings + kMappings, [start](const Block& b) { return b.start == start; });
    return found == mappings + kMappings ? nullptr : found;
}

/// The size of the guarded buffer that begins here. Null for buffers of the C library.
const std::size_t* guarded_size(const void* start) {
    const Lock lock;
    const Block* const block = block_of(start);
    return block == nullptr ? nullptr : &block->size;
}

void release(Block& block) {
    check(block);
    if (block.page_bytes == kPage && reinterpret_cast<std::uint64_t>(block.pages) < kMappingsAt)
        poison(block.start, block.end());  // what is read after it was freed is NaN
    else
        munmap(block.pages - kPage, block.page_bytes + 2 * kPage);
    block.start = nullptr;
}

bool is_beside(const Block& block, std::uint64_t address) {
    const auto first = reinterpret_cast<std::uint64_t>(block.pages),
               last = reinterpret_cast<std::uint64_t>(block.pages_end());
    return block.start != nullptr &&
           ((address + kPage >= first && address < first) || (address >= last && address < last + kPage));
}

}  // namespace

HeapGuard::HeapGuard(GuardedSide side) {
    guarded_side = side;
    mapped_in_this_call = 0;
    damage[0] = '\0';
    guarding = true;
}

HeapGuard::~HeapGuard() {
    guarding = false;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): only a guard that lives has something to say
void HeapGuard::require_undamaged() const {
    guarding = false;
    for (const auto* blocks : {&slots[0], &mappings[0]})
        for (std::size_t k = 0; k < (blocks == slots ? kSlots : kMappings); ++k)
            if (blocks[k].start != nullptr) check(blocks[k]);
    if (damage[0] != '\0') throw HeapError(damage);
}

void describe_heap_fault(std::uint64_t address, const char* verb, char* text, std::size_t size) {
    // Between two slots lies one page. It belongs to the slot whose guarded side it is.
    const Block* found = nullptr;
    for (const auto* blocks : {&slots[0], &mappings[0]})
        for (std::size_t k = 0; k < (blocks == slots ? kSlots : kMappings); ++k) {
            const Block& block = blocks[k];
            if (!is_beside(block, address)) continue;
            const bool behind = address >= reinterpret_cast<std::uint64_t>(block.pages_end());
            if (found == nullptr || behind == (guarded_side == GuardedSide::end)) found = &block;
        }
    if (found != nullptr) describe(*found, verb, address, text, size);
}

void describe_heap_access(std::uint64_t address, std::size_t bytes, const char* verb, char* text,
                          std::size_t size) {
    if (address < kSlotsAt || address >= kMappingsEnd) return;
    const auto holds = [address](const Block& block) {
        return block.pages != nullptr && address >= reinterpret_cast<std::uint64_t>(block.pages) &&
               address < reinterpret_cast<std::uint64_t>(block.pages_end());
    };
    static const Block* last = nullptr;  // a loop stays in a buffer
    if (last == nullptr || !holds(*last)) {
        const auto* const slot =
            &slots[std::min<std::uint64_t>((address - kSlotsAt) / kPage / 2, kSlots - 1)];
        const auto* const mapping = address < kMappingsAt
                                        ? mappings + kMappings
                                        : std::find_if(mappings, mappings + kMappings, holds);
        last = holds(*slot) ? slot : mapping == mappings + kMappings ? nullptr : mapping;
    }
    if (last == nullptr) return;
    const auto start = reinterpret_cast<std::uint64_t>(last->start);
    if (last->start == nullptr)
        std::snprintf(text, size, "It %s memory that it had freed.", verb);
    else if (address < start || address + bytes > start + last->size)
        describe(*last, verb, address, text, size);
}

}  // namespace attn::worker

// The functions that replace those of the C library in the worker's process.
extern "C" {

void* malloc(std::size_t size) {
    void* const start = attn::worker::guarded(size, 1);
    return start != nullptr ? start : __libc_malloc(size);
}

void free(void* ptr) {
    if (ptr == nullptr) return;
    if (reinterpret_cast<std::uint64_t>(ptr) >= attn::worker::kSlotsAt &&
        reinterpret_cast<std::uint64_t>(ptr) < attn::worker::kMappingsEnd) {
        const int error = errno;
        const attn::worker::Lock lock;
        if (attn::worker::Block* const block = attn::worker::block_of(ptr)) {
            attn::worker::release(*block);
            errno = error;
            return;
        }
    }
    __libc_free(ptr);  // ends the process if it is no buffer
}

void* calloc(std::size_t nmemb, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(nmemb, size, &bytes)) return __libc_calloc(nmemb, size);  // fails
    void* const start = attn::worker::guarded(bytes, 1);
    return start != nullptr ? std::memset(start, 0, bytes) : __libc_calloc(nmemb, size);
}

void* realloc(void* ptr, std::size_t size) {
    if (ptr == nullptr) return malloc(size);
    const std::size_t* const old_size = attn::worker::guarded_size(ptr);
    if (old_size == nullptr) return __libc_realloc(ptr, size);
    void* const moved = malloc(size);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, ptr, std::min(size, *old_size));
    free(ptr);
    return moved;
}

void* memalign(std::size_t alignment, std::size_t size) {
    void* const start = attn::worker::guarded(size, alignment);
    return start != nullptr ? start : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void** memptr, std::size_t alignment, std::size_t size) {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    const int error = errno;
    void* const made = memalign(alignment, size);
    errno = error;
    if (made == nullptr) return ENOMEM;
    *memptr = made;
    return 0;
}

}  // extern "C"
