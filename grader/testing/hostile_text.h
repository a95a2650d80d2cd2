#pragma once
/// For tests of what reads a student's text: pieces of text that are hard to read, and the time that reading
/// them takes.

#include <string>
#include <vector>

#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime is POSIX's

namespace attn::testing {

/// Openings without an end, quotes, escapes, directives, launches. Repeated a million times, each makes a
/// reader that looks back or ahead from every place slow.
inline const std::vector<std::string> kHardTokens = {"1'",
                                                     "'",
                                                     "\"",
                                                     "\\",
                                                     "\\\n",
                                                     "\n",
                                                     "\r",
                                                     "\t",
                                                     " ",
                                                     "a",
                                                     "$",
                                                     "\xff",
                                                     std::string(1, '\0'),
                                                     "R\"(",
                                                     "R\"",
                                                     "R\"aaaaaaaaaaaaaaaa(",
                                                     ")aaaaaaaaaaaaaaaa\"",
                                                     "//",
                                                     "/*",
                                                     "*/",
                                                     "#",
                                                     "#if 0\n",
                                                     "#if 1\n",
                                                     "#ifdef ATTN_EMULATOR\n",
                                                     "#else\n",
                                                     "#elif 1\n",
                                                     "#endif\n",
                                                     "#include \"a.h\"\n",
                                                     "#include <a",
                                                     "#define A(a) a<<<1, 2>>>(a)\n",
                                                     "#define A(a) a<<<1, 2>>>(a)\\\n",
                                                     "#define A(a, ",
                                                     "include ",
                                                     "asm",
                                                     "(",
                                                     ")",
                                                     "[",
                                                     "]",
                                                     "{",
                                                     "}",
                                                     "<",
                                                     ">",
                                                     "<<<",
                                                     ">>>",
                                                     "<<<1, 2>>>",
                                                     "a<<<1, 2>>>(",
                                                     "a<<<1, 2>>>();",
                                                     "(a)<<<1, 2>>>();",
                                                     "a<b><<<1, 2>>>();",
                                                     "a<",
                                                     "a::",
                                                     "a->",
                                                     "a.",
                                                     ";",
                                                     ",",
                                                     "=",
                                                     "__shared__ ",
                                                     "__shared__ int a[",
                                                     "extern __shared__ ",
                                                     "__global__ ",
                                                     "__global__ void a() {",
                                                     "__global__ void a() {}",
                                                     "__device__ a(",
                                                     "__device__ a = ",
                                                     "thrust ",
                                                     "template ",
                                                     "a:\n",
                                                     "\t.section\t.tbss,\"awT\"\n",
                                                     "\t.size\ta, 4\n",
                                                     "\t.zero\t4\n",
                                                     "a@tpoff",
                                                     "@",
                                                     "\t.string\t\"a\"\n",
                                                     "a.cu:1:1: error: a\n",
                                                     "@{a+0x1}",
                                                     "void",
                                                     "void ",
                                                     "void\n",
                                                     "voidvoid ",
                                                     "void a",
                                                     "void a(",
                                                     "(void)",
                                                     "(void)a;\n",
                                                     "using ",
                                                     "using a;\n",
                                                     "_cuda.h",
                                                     "a_cuda.h ",
                                                     "import ",
                                                     "embed ",
                                                     "ragma ",
                                                     "#pragma once\n",
                                                     "/**/\n",
                                                     "\xef\xbb\xbf",
                                                     "__syncthreads();",
                                                     "_ZN4attn",
                                                     "_ZN4attn7softmax",
                                                     "_ZN4attn64",
                                                     "_ZN4attn99",
                                                     ";; Function a (",
                                                     ";; Function a (a, funcdef_no=0, \n",
                                                     "__attribute__((no_sanitize (",
                                                     "_1 = memcpy (",
                                                     " = ",
                                                     "#APP\n",
                                                     "#NO_APP\n",
                                                     "\t.section\t.text\n",
                                                     "\t.size\ta\n",
                                                     "__tsan_",
                                                     "_ZN4attn8emulator15register_module\n"};

/// A text of `bytes` bytes that repeats a piece.
inline std::string filled_with(const std::string& piece, std::size_t bytes) {
    std::string text;
    text.reserve(bytes + piece.size());
    while (text.size() < bytes) text += piece;
    text.resize(bytes);
    return text;
}

/// How many times slower the sanitizers make the grader. (g++ and submissions are as fast as ever.)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kSlowedBySanitizers = 10;
#else
inline constexpr double kSlowedBySanitizers = 1;
#endif

/// The processor time that f() takes in this thread, in seconds, as without sanitizers. It does not depend on
/// what else the machine does.
template <class F>
double cpu_time_of(F f) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double start = now();
    f();
    return (now() - start) / kSlowedBySanitizers;
}

}  // namespace attn::testing
