/// The functions that -fsanitize=thread calls, in place of libtsan's. Every access of checked code calls one.

#include <cstddef>
#include <cstdint>

#include "device_state.h"
#include "fibre.h"
#include "heap.h"
#include "ordering.h"
#include "scheduler.h"
#include "shadow.h"

using namespace attn::emulator;

namespace {

std::uintptr_t number(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Blocks may communicate through volatile memory without atomics, so in global memory a volatile access
/// counts as an atomic. A thread that reads one repeatedly waits for another thread, which must get its turn.
void volatile_access(void* pointer, std::size_t size, Access access, std::uintptr_t pc) {
    const std::uintptr_t address = number(pointer);
    if (device.thread != nullptr) {
        if (device.has_pending_checks) run_pending_checks(pc, address);
        if (access == Access::kRead) yield_occasionally();
        if (in_heap(address)) order_by_atomic(address);
    }
    check_access(address, size, access, pc, true, in_heap(address));
}

/// True if a launch, or a barrier of this block, has ordered the accesses of that interval.
[[gnu::always_inline]] inline bool earlier(std::uint32_t interval) {
    return interval < device.launch.ordered_before ||
           (interval >= device.block_first && interval < device.interval);
}

/// Handles a read of a value that was written before the last barrier: there is nothing to report, so only
/// record the read. Returns false if check_access must decide.
[[gnu::always_inline]] inline bool record_ordered_read(Cell& cell, const Stamp& now) {
    if (alike(cell.readers[0], now) || alike(cell.readers[1], now)) return true;
    if (cell.written != 0xf || !earlier(cell.writer.interval)) return false;
    const Stamp& first = cell.readers[0];
    const bool own = first.interval == now.interval && first.thread == now.thread;
    cell.readers[own || earlier(first.interval) ? 0 : 1] = now;
    return true;
}

/// True if this thread wrote the same bytes before and no other thread has accessed them since.
[[gnu::always_inline]] inline bool is_repeated_write(const Cell& cell, const Stamp& now) {
    const Stamp &first = cell.readers[0], &second = cell.readers[1];
    const bool own = first.interval == now.interval && first.thread == now.thread;
    return alike(cell.writer, now) && second.interval < device.launch.ordered_before &&
           (own || first.interval < device.launch.ordered_before);
}

/// The fast path, which most accesses of a loop take: true if the access is certainly right. check_access
/// decides all other cases.
template <std::size_t kSize, Access kAccess>
[[gnu::always_inline]] inline bool passes_fast_check(std::uintptr_t address, const Thread& me,
                                                     std::uintptr_t pc) {
    if (kSize < 4 || (address & (kSize - 1)) != 0 || me.interval != device.interval || me.clock >= kLatest)
        return false;
    Cell* cells = nullptr;
    if (address - device.shared_start < device.shared_size) {
        cells = device.shared_cells + (address - device.shared_start) / 4;
        for (std::size_t k = 0; k < kSize / 4; ++k)
            if (cells[k].block != (device.block_first & 0xfffffff)) return false;
    } else {
        const Allocation* const at = allocation_of(address);
        if (at == nullptr || at->cells == nullptr || address - at->start + kSize > at->size) return false;
        cells = at->cells + (address - at->start) / 4;
    }
    const Stamp now{
        device.interval, me.clock & kLatest, me.id & 0x3ffu, 0xf, 0, static_cast<std::uint32_t>(pc)};
    for (std::size_t k = 0; k < kSize / 4; ++k)
        if (kAccess == Access::kRead ? !record_ordered_read(cells[k], now)
                                     : !is_repeated_write(cells[k], now))
            return false;
    return true;
}

template <std::size_t kSize, Access kAccess>
[[gnu::always_inline]] inline void access(const void* pointer, std::uintptr_t pc, bool aligned) {
    const std::uintptr_t address = number(pointer);
    const Thread* const me = device.thread;
    if (me == nullptr) {
        if (!in_heap(address) && !device.host_watched) return;
    } else if (!device.has_pending_checks) {
        if (address - me->stack < kStackSize || passes_fast_check<kSize, kAccess>(address, *me, pc)) return;
    }
    check_access(address, kSize, kAccess, pc, aligned);
}

}  // namespace

// The compiler prescribes the names; a macro defines the functions for five sizes.
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define ATTN_EMULATOR_ACCESS(n)                                  \
    void __tsan_read##n(void* p) {                               \
        access<n, Access::kRead>(p, ATTN_EMULATOR_PC, true);     \
    }                                                            \
    void __tsan_write##n(void* p) {                              \
        access<n, Access::kWrite>(p, ATTN_EMULATOR_PC, true);    \
    }                                                            \
    void __tsan_unaligned_read##n(void* p) {                     \
        access<n, Access::kRead>(p, ATTN_EMULATOR_PC, false);    \
    }                                                            \
    void __tsan_unaligned_write##n(void* p) {                    \
        access<n, Access::kWrite>(p, ATTN_EMULATOR_PC, false);   \
    }                                                            \
    void __tsan_volatile_read##n(void* p) {                      \
        volatile_access(p, n, Access::kRead, ATTN_EMULATOR_PC);  \
    }                                                            \
    void __tsan_volatile_write##n(void* p) {                     \
        volatile_access(p, n, Access::kWrite, ATTN_EMULATOR_PC); \
    }                                                            \
    void __tsan_unaligned_volatile_read##n(void* p) {            \
        volatile_access(p, n, Access::kRead, ATTN_EMULATOR_PC);  \
    }                                                            \
    void __tsan_unaligned_volatile_write##n(void* p) {           \
        volatile_access(p, n, Access::kWrite, ATTN_EMULATOR_PC); \
    }

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

ATTN_EMULATOR_ACCESS(1)
ATTN_EMULATOR_ACCESS(2)
ATTN_EMULATOR_ACCESS(4)
ATTN_EMULATOR_ACCESS(8)
ATTN_EMULATOR_ACCESS(16)

void __tsan_read_range(void* p, std::size_t size) {
    if (size > 0) check_access(number(p), size, Access::kRead, ATTN_EMULATOR_PC, false);
}
void __tsan_write_range(void* p, std::size_t size) {
    if (size > 0) check_access(number(p), size, Access::kWrite, ATTN_EMULATOR_PC, false);
}

}  // extern "C"
#pragma GCC visibility pop
