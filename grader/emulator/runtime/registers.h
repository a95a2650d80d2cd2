#pragma once
/// The registers of code that a signal interrupted.

#include <cstdint>

#include <ucontext.h>

namespace attn::emulator {

inline std::uintptr_t program_counter(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#else
    return static_cast<std::uintptr_t>(context.uc_mcontext.pc);
#endif
}

/// Makes the interrupted code continue as a call of `function` whose first frame begins at `top`.
inline void continue_at(ucontext_t& context, std::uintptr_t top, void (*function)()) {
    const auto start = reinterpret_cast<std::uintptr_t>(function);
#if defined(__x86_64__)
    context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // aligned as after a call
    context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(start);
#else
    context.uc_mcontext.sp = top;
    context.uc_mcontext.pc = start;
#endif
}

/// Whether the access that failed was a write. On ARM, Linux says so in a record behind the registers;
/// without this record the answer is no.
inline bool was_write(const ucontext_t& context) {
#if defined(__x86_64__)
    constexpr greg_t kWriteBit = 2;  // in the processor's error code
    return (context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
    constexpr std::uint32_t kSyndrome = 0x45535201;  // ESR_MAGIC in asm/sigcontext.h
    constexpr std::uint64_t kWriteBit = 1 << 6;      // WnR
    const unsigned char* record = context.uc_mcontext.__reserved;
    const unsigned char* const end = record + sizeof context.uc_mcontext.__reserved;
    while (record + 16 <= end) {
        std::uint32_t magic = 0, size = 0;
        __builtin_memcpy(&magic, record, sizeof magic);
        __builtin_memcpy(&size, record + sizeof magic, sizeof size);
        if (magic == kSyndrome) {
            std::uint64_t syndrome = 0;
            __builtin_memcpy(&syndrome, record + 8, sizeof syndrome);
            return (syndrome & kWriteBit) != 0;
        }
        if (magic == 0 || size == 0) break;
        record += size;
    }
    return false;
#endif
}

}  // namespace attn::emulator
