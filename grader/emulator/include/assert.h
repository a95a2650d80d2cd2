/// assert() for kernels: a failed assertion in a kernel is a finding and ends the launch; on the host it acts
/// as the C library's. Like the C library's header this one may be included again with another NDEBUG.

#pragma GCC system_header  // include_next is GCC's
#include_next <assert.h>

#if !defined(ATTN_EMULATOR_ASSERT_DECLARED)
#define ATTN_EMULATOR_ASSERT_DECLARED
#pragma GCC visibility push(default)
namespace attn::emulator {
/// Returns only on the host, where the C library's assert continues.
void kernel_assert_failed(const char* expression, const char* file, int line);
}  // namespace attn::emulator
#pragma GCC visibility pop
#endif

#if !defined(NDEBUG)
#undef assert
#define assert(...)                                                                 \
    (static_cast<bool>(__VA_ARGS__)                                                 \
         ? void(0)                                                                  \
         : (attn::emulator::kernel_assert_failed(#__VA_ARGS__, __FILE__, __LINE__), \
            __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__)))
#endif
