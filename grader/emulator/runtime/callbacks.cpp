/// What checked code calls, with the names that the compiler prescribes, in place of the functions of libtsan, libubsan and
/// the C library. Every access of checked code calls one.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "access_findings.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "ordering.h"
#include "scheduler.h"
#include "shadow.h"

using namespace attn::emulator;

namespace {

std::uintptr_t number(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Whether an address is that of a __device__ variable of the running kernel's module.
bool is_variable(std::uintptr_t address) {
    const Module* const module = device.launch.module;
    return module != nullptr && address - module->data < module->data_size;
}

/// Blocks may communicate through volatile memory without atomics, so in global memory a volatile access
/// counts as an atomic. A thread that reads one repeatedly waits for another thread, which must get its turn.
void volatile_access(void* pointer, std::size_t size, Access access, std::uintptr_t pc) {
    const std::uintptr_t address = number(pointer);
    const bool global = in_heap(address) || is_variable(address);
    if (device.thread != nullptr) {
        if (device.has_pending_checks) run_pending_checks(pc, address);
        if (access == Access::kRead) yield_occasionally();
        if (global) order_by_atomic(address);
    }
    check_access(address, size, access, pc, true, global);
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

/// Checks the bytes of a copy, a fill or a large object.
void check_range(const void* pointer, std::size_t size, Access access, std::uintptr_t pc) {
    if (size > 0) check_access(number(pointer), size, access, pc, false);
}

// The records that the compiler passes to a check.
struct Source {
    const char* file;
    std::uint32_t line, column;
};
struct Type {
    std::uint16_t kind, info;
    char name[1];
};
struct OutOfBounds {
    Source source;
    const Type* array;
    const Type* index;
};
struct TypeMismatch {
    Source source;
    const Type* type;
    unsigned char alignment;
    unsigned char kind;
};

void out_of_bounds(const OutOfBounds& data, std::uintptr_t index, std::uintptr_t pc) {
    const std::string text = place_of(pc) + ": " + running_thread_name() + " uses index " +
                             std::to_string(static_cast<std::int64_t>(index)) + " of an array of type " +
                             data.array->name + ".";
    if (device.thread == nullptr)
        note("out_of_bounds", std::to_string(pc), text);
    else
        report_array_index(text, pc);
}

void type_mismatch(const TypeMismatch& data, std::uintptr_t address, std::uintptr_t pc) {
    // A local array of half that is read as half2 has a good address on a GPU. Here any address will do.
    if (device.thread == nullptr || address == 0 || address - device.thread->stack < kStackSize) return;
    constexpr unsigned char kStore = 1;
    report_misaligned(address, std::size_t{1} << data.alignment,
                      data.kind == kStore ? Access::kWrite : Access::kRead, pc);
}

template <class T>
void check(const volatile T* pointer, Access access, std::uintptr_t pc) {
    check_access(reinterpret_cast<std::uintptr_t>(pointer), sizeof(T), access, pc, true);
}

template <class T>
void check_update(const volatile T* pointer, std::uintptr_t pc) {
    check(pointer, Access::kRead, pc);
    check(pointer, Access::kWrite, pc);
}

template <class T>
T exchange(volatile T* address, T value) {
    const T old = *address;
    *address = value;
    return old;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired) {
    const T old = *address;
    if (old == *expected) {
        *address = desired;
        return true;
    }
    *expected = old;
    return false;
}

}  // namespace

// The compiler prescribes the names; a macro defines the functions for five sizes.
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

// Twelve functions for each of four sizes, with the names that the compiler prescribes.
#define ATTN_EMULATOR_UPDATE(bits, T, name, value)            \
    T __tsan_atomic##bits##_##name(volatile T* p, T v, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                 \
        return exchange<T>(p, T(value));                      \
    }
#define ATTN_EMULATOR_COMPARE(bits, T, name)                                      \
    int __tsan_atomic##bits##_##name(volatile T* p, T* expected, T v, int, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                                     \
        return compare_exchange<T>(p, expected, v);                               \
    }
#define ATTN_EMULATOR_ATOMICS(bits, T)                                                       \
    T __tsan_atomic##bits##_load(const volatile T* p, int) {                                 \
        check<T>(p, Access::kRead, ATTN_EMULATOR_PC);                                        \
        return *p;                                                                           \
    }                                                                                        \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                              \
        check<T>(p, Access::kWrite, ATTN_EMULATOR_PC);                                       \
        *p = v;                                                                              \
    }                                                                                        \
    ATTN_EMULATOR_UPDATE(bits, T, exchange, v)                                               \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_add, *p + v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_sub, *p - v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_and, *p& v)                                          \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_or, *p | v)                                          \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_xor, *p ^ v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_nand, ~(*p & v))                                     \
    ATTN_EMULATOR_COMPARE(bits, T, compare_exchange_strong)                                  \
    ATTN_EMULATOR_COMPARE(bits, T, compare_exchange_weak)                                    \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                                                \
        compare_exchange<T>(p, &expected, v);                                                \
        return expected;                                                                     \
    }

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
// The pointer to an object's virtual functions is written by its constructor and read by each call of one.
void __tsan_vptr_update(void** p, void*) {
    access<sizeof *p, Access::kWrite>(p, ATTN_EMULATOR_PC, true);
}
void __tsan_vptr_read(void** p) {
    access<sizeof *p, Access::kRead>(p, ATTN_EMULATOR_PC, true);
}

ATTN_EMULATOR_ACCESS(1)
ATTN_EMULATOR_ACCESS(2)
ATTN_EMULATOR_ACCESS(4)
ATTN_EMULATOR_ACCESS(8)
ATTN_EMULATOR_ACCESS(16)

void __tsan_read_range(void* p, std::size_t size) {
    check_range(p, size, Access::kRead, ATTN_EMULATOR_PC);
}
void __tsan_write_range(void* p, std::size_t size) {
    check_range(p, size, Access::kWrite, ATTN_EMULATOR_PC);
}

// memcpy, memmove and memset of checked code.
void* attn_emulator_memcpy(void* to, const void* from, std::size_t size) {
    check_range(from, size, Access::kRead, ATTN_EMULATOR_PC);
    check_range(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memmove(to, from, size);
}

void* attn_emulator_memmove(void* to, const void* from, std::size_t size) {
    check_range(from, size, Access::kRead, ATTN_EMULATOR_PC);
    check_range(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memmove(to, from, size);
}

void* attn_emulator_memset(void* to, int value, std::size_t size) {
    check_range(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memset(to, value, size);
}

// For -fsanitize=bounds,alignment.
void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t index) {
    out_of_bounds(*data, index, ATTN_EMULATOR_PC);
}
void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t index) {
    out_of_bounds(*data, index, ATTN_EMULATOR_PC);
}
void __ubsan_handle_type_mismatch_v1(TypeMismatch* data, std::uintptr_t address) {
    type_mismatch(*data, address, ATTN_EMULATOR_PC);
}
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatch* data, std::uintptr_t address) {
    type_mismatch(*data, address, ATTN_EMULATOR_PC);
}

// For std::atomic and the guards of static variables. Only one thread runs at a time, so no real atomics are needed. A GPU
// has no such functions, and nvcc refuses them in kernels: there they count as ordinary accesses, which race.
ATTN_EMULATOR_ATOMICS(8, std::uint8_t)
ATTN_EMULATOR_ATOMICS(16, std::uint16_t)
ATTN_EMULATOR_ATOMICS(32, std::uint32_t)
ATTN_EMULATOR_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
#pragma GCC visibility pop
