#pragma once
/// C library functions that the emulator replaces by functions of the runtime. malloc and free give a kernel
/// memory of the device's heap, clock() its clock. Checked code calls the run time's memcpy, memmove
/// and memset, which check the bytes. This header must come before the C library's declarations: the compiler
/// then uses these names also for copies that it generates itself.

#if defined(ATTN_EMULATOR)
extern "C" {
void* malloc(__SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_malloc");
void free(void*) noexcept(true) __asm__("attn_emulator_free");
long clock() noexcept(true) __asm__("attn_emulator_clock");
#if defined(__SANITIZE_THREAD__)
void* memcpy(void* __restrict, const void* __restrict,
             __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memcpy");
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memmove");
void* memset(void*, int, __SIZE_TYPE__) noexcept(true) __asm__("attn_emulator_memset");
#endif
}
#if defined(__SANITIZE_THREAD__)
// The C++ library copies with these, which the compiler would replace by instructions of its own.
#define __builtin_memcpy ::memcpy
#define __builtin_memmove ::memmove
#define __builtin_memset ::memset
#endif
#endif
