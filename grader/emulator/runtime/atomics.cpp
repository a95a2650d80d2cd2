#include "atomics.h"

#include <algorithm>
#include <cstring>

#include "device_state.h"
#include "scheduler.h"
#include "shadow.h"

namespace attn::emulator {
namespace {

/// The new value that CUDA's atomic functions compute from the old one and the operand.
template <class T>
T updated(Atomic what, T old, T operand, T compare) {
    switch (what) {
        case Atomic::kAdd:
            if constexpr (std::is_integral_v<T>)
                return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(operand));
            else
                return old + operand;
        case Atomic::kSubtract:
            if constexpr (std::is_integral_v<T>)
                return static_cast<T>(static_cast<std::uint64_t>(old) - static_cast<std::uint64_t>(operand));
            else
                return old - operand;
        case Atomic::kMaximum:
            return std::max(old, operand);
        case Atomic::kMinimum:
            return std::min(old, operand);
        case Atomic::kExchange:
            return operand;
        case Atomic::kIncrement:
            return old >= operand ? T(0) : static_cast<T>(old + 1);
        case Atomic::kDecrement:
            return old == T(0) || old > operand ? operand : static_cast<T>(old - 1);
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>) {
        if (what == Atomic::kCompare) return old == compare ? operand : old;
        if (what == Atomic::kAnd) return static_cast<T>(old & operand);
        if (what == Atomic::kOr) return static_cast<T>(old | operand);
        if (what == Atomic::kXor) return static_cast<T>(old ^ operand);
    }
    return old;
}

template <class T>
std::uint64_t update(void* address, Atomic what, std::uint64_t operand, std::uint64_t compare) {
    T old;
    std::memcpy(&old, address, sizeof old);
    const T fresh = updated(what, old, detail::from_bits<T>(operand), detail::from_bits<T>(compare));
    std::memcpy(address, &fresh, sizeof fresh);
    return detail::to_bits(old);
}

std::size_t size_of(Number type) {
    if (type == Number::kShort) return 2;
    return type == Number::kInt || type == Number::kUnsigned || type == Number::kFloat ? 4 : 8;
}

}  // namespace

std::uint64_t atomic_update(void* address, Atomic what, Number type, std::uint64_t operand,
                            std::uint64_t compare) {
    const auto pc = ATTN_EMULATOR_PC;
    if (device.thread != nullptr) {
        if (device.has_pending_checks) run_pending_checks(pc);
        yield_occasionally();
        if (device.checked) {
            const auto at = reinterpret_cast<std::uintptr_t>(address);
            order_by_atomic(at);
            // `if (x > *largest) atomicMax(largest, x)` may read an old number, too.
            if (what == Atomic::kCompare || what == Atomic::kMaximum || what == Atomic::kMinimum)
                excuse_own_reads(at, size_of(type));
            check_access(at, size_of(type), Access::kAtomic, pc, true);
            device.thread->last_atomic = at;
        }
    }
    switch (type) {
        case Number::kInt:
            return update<std::int32_t>(address, what, operand, compare);
        case Number::kUnsigned:
            return update<std::uint32_t>(address, what, operand, compare);
        case Number::kLong:
            return update<std::int64_t>(address, what, operand, compare);
        case Number::kUnsignedLong:
            return update<std::uint64_t>(address, what, operand, compare);
        case Number::kFloat:
            return update<float>(address, what, operand, compare);
        case Number::kDouble:
            return update<double>(address, what, operand, compare);
        case Number::kShort:
            return update<std::uint16_t>(address, what, operand, compare);
    }
    return 0;
}

}  // namespace attn::emulator
