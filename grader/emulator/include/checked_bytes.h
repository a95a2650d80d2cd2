#pragma once
/// In checked code memcpy and its like are the run time's, which looks at their bytes. This comes before the
/// C library declares them: the compiler then uses these names for the copies that it makes by itself, too.

#if defined(ATTN_EMULATOR) && defined(__SANITIZE_THREAD__)
extern "C" {
void* memcpy(void* __restrict, const void* __restrict,
             __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memcpy");
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memmove");
void* memset(void*, int, __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memset");
}
#endif
