/// memcpy, memmove and memset for checked code: their bytes are checked like other accesses.

#include <cstddef>
#include <cstring>

#include "device_state.h"
#include "shadow.h"

using attn::emulator::Access;

namespace {

void check(const void* pointer, std::size_t size, Access access, std::uintptr_t pc) {
    if (size > 0)
        attn::emulator::check_access(reinterpret_cast<std::uintptr_t>(pointer), size, access, pc, false);
}

}  // namespace

#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#pragma GCC visibility push(default)
extern "C" {

void* attn_emulator_memcpy(void* to, const void* from, std::size_t size) {
    check(from, size, Access::kRead, ATTN_EMULATOR_PC);
    check(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memmove(to, from, size);
}

void* attn_emulator_memmove(void* to, const void* from, std::size_t size) {
    check(from, size, Access::kRead, ATTN_EMULATOR_PC);
    check(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memmove(to, from, size);
}

void* attn_emulator_memset(void* to, int value, std::size_t size) {
    check(to, size, Access::kWrite, ATTN_EMULATOR_PC);
    return std::memset(to, value, size);
}

}  // extern "C"
#pragma GCC visibility pop
