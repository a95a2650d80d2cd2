// Launches become calls on the same lines, whatever surrounds them, and nothing else changes. Unsupported
// constructs are refused with their line. No text makes the rewriting hang or crash.

#include "grader/emulator/rewrite.h"

#include <algorithm>
#include <optional>
#include <random>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace attn::emulator {
namespace {

BOOST_AUTO_TEST_SUITE(rewrite, *boost::unit_test::label("long"))

std::ptrdiff_t lines(std::string_view text) {
    return std::count(text.begin(), text.end(), '\n');
}

/// A rewritten text with its launches shortened to KERNEL|SETTINGS, to be readable.
std::string shortened(std::string text) {
    const std::string begin = "::attn::emulator::prepare(", middle = "::attn::emulator::config(";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin)) {
        const std::size_t name = at + begin.size(), end = text.find(", __FILE__, __LINE__, ", name);
        const std::size_t settings = text.find(middle, end);
        BOOST_REQUIRE(settings != std::string::npos);
        text =
            text.substr(0, at) + text.substr(name, end - name) + "|" + text.substr(settings + middle.size());
    }
    return text;
}

std::string rewritten(const std::string& text) {
    const std::string result = emulator::rewrite(text, "a.cu");
    BOOST_TEST(lines(result) == lines(text));
    return shortened(result);
}

std::optional<Unsupported> refusal(const std::string& text) {
    try {
        emulator::rewrite(text, "a.cu");
        return std::nullopt;
    } catch (const Unsupported& refused) {
        return refused;
    }
}

BOOST_AUTO_TEST_CASE(two_three_and_four_settings) {
    BOOST_TEST(rewritten("k<<<1, 2>>>(x);") == "\"k\"|1, 2))(x);");
    BOOST_TEST(rewritten("k<<<g, b, 64 * sizeof(float)>>>();") == "\"k\"|g, b, 64 * sizeof(float)))();");
    BOOST_TEST(rewritten("k<<<dim3(1, 2), {3, 4}, 0, s>>>({1, 2}, 0);") ==
               "\"k\"|dim3(1, 2), {3, 4}, 0, s))({1, 2}, 0);");
}

BOOST_AUTO_TEST_CASE(every_way_to_name_a_kernel) {
    for (const char* kernel : {"k",
                               "a::k",
                               "::k",
                               "::a::k",
                               "k<float>",
                               "k<float, (A > B)>",
                               "k<S<int>, 3>",
                               "S<int>::k",
                               "(*p)",
                               "(k<float>)",
                               "table[i + 1]",
                               "table[a[0]][1]",
                               "o.k",
                               "o->k",
                               "f(1, 2)",
                               "a::f<int>(3)",
                               "S<T>::template k<3>",
                               "o.table[0]",
                               "k<(n >> 1)>",
                               "\xc3\xbc",
                               "k<sizeof(int)>"})
        BOOST_TEST(rewritten(std::string("if (x) ") + kernel + "<<<1, 2>>>(y);") ==
                   std::string("if (x) \"") + kernel + "\"|1, 2))(y);");
    BOOST_TEST(rewritten("return k<<<1, 2>>>(y);") == "return \"k\"|1, 2))(y);");
    BOOST_TEST(rewritten("else (*p)<<<1, 2>>>(y);") == "else \"(*p)\"|1, 2))(y);");
    BOOST_TEST(rewritten("a < b; k<<<1, 2>>>(y);") == "a < b; \"k\"|1, 2))(y);");
}

BOOST_AUTO_TEST_CASE(a_comparison_in_the_settings_is_no_bracket) {
    BOOST_TEST(rewritten("k<<<n < 8 ? n : 8, n >> 2>>>(x >> 1);") ==
               "\"k\"|n < 8 ? n : 8, n >> 2))(x >> 1);");
    BOOST_TEST(rewritten("k<<<f<a, b>(1), g<c, d>(2), h<e, f>(0)>>>();") ==
               "\"k\"|f<a, b>(1), g<c, d>(2), h<e, f>(0)))();");
}

BOOST_AUTO_TEST_CASE(line_breaks_comments_and_preprocessor_lines_stay_where_they_are) {
    BOOST_TEST(rewritten("k<float, // four\n  2>\n /* <<< */ <<<1, // grid\n 2>>>\n (x, // >>>\n y);\n") ==
               "\"k<float, 2>\"|\n\n1, // grid\n 2))\n (x, // >>>\n y);\n");
    BOOST_TEST(rewritten("k\n<<<1,\n2>>>\n(\nx)\n;") == "\"k\"|\n1,\n2))\n(\nx)\n;");
    BOOST_TEST(rewritten("void f() {\n#if 1\n k<<<1,\n#ifdef A\n 2\n#else\n 3\n#endif\n>>>(x); }\n#endif") ==
               "void f() {\n#if 1\n \"k\"|1,\n#ifdef A\n 2\n#else\n 3\n#endif\n))(x); }\n#endif");
    BOOST_TEST(rewritten("k<<<1, 2>>>(x);\r\n") == "\"k\"|1, 2))(x);\r\n");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_code_stays) {
    for (const char* text :
         {"// k<<<1, 2>>>(x)\n", "/* k<<<1, 2>>>(x) \n asm */", "\"k<<<1, 2>>>(x) asm\"", "\"\\\"<<<\"",
          "'<'", "R\"x(k<<<1)\" <<< )x\"", "u8R\"x(<<< )\" )x\"", "1'000'000; // '<<<\n",
          "// and \\\n k<<<\n", "#if 0\n don't <<< asm\n#endif\n", "#error don't\n int a; // <<<\n",
          "#include <a/b.h>\n", "#ifndef ATTN_EMULATOR\n asm(\"\");\n#else\n int a;\n#endif\n",
          "#ifdef ATTN_EMULATOR\n int a;\n#else\n asm(\"\");\n#endif\n",
          "#if !defined(ATTN_EMULATOR)\n#define K asm(\"\")\n#endif\n", "",
          "a << b; c >> d; f<g<h<int>>>(x);",
          "extern __shared__ float s[]; __shared__ float a[N == 3 ? 1 : 2];",
          "int asmall, my_asm, cubic; a.cub;"})
        BOOST_TEST(rewritten(text) == text);
}

BOOST_AUTO_TEST_CASE(a_launch_in_a_macro_has_the_name_that_the_macro_is_given) {
    BOOST_TEST(rewritten("#define L(kernel, n, ...) \\\n kernel<<<n, 32>>>(__VA_ARGS__)\nL(k, 1, x);") ==
               "#define L(kernel, n, ...) \\\n #kernel|n, 32))(__VA_ARGS__)\nL(k, 1, x);");
    BOOST_TEST(rewritten("#define L k<<<1, 32>>>(x)\n") == "#define L \"k\"|1, 32))(x)\n");
    BOOST_TEST(rewritten(" #  define L() k \\\n <<<1, 32>>>(x)\n") ==
               " #  define L() \"k\"|\\\n1, 32))(x)\n");
}

BOOST_AUTO_TEST_CASE(a_launch_in_a_macro_may_paste_the_name) {
    BOOST_TEST(rewritten("#define L(t) f_ ## t##_kernel<<<1, 2>>>(x)\n") ==
               "#define L(t) ATTN_EMULATOR_TEXT(f_ ## t##_kernel)|1, 2))(x)\n");
}

BOOST_AUTO_TEST_CASE(a_macro_shows_its_argument_as_it_was_written_if_that_is_a_launch) {
    const std::string macro = "#define TIME(call) do { call; report(1, #call); } while (0)\n";
    const std::string shown =
        "#define TIME(call) do { call; report(1, ::attn::emulator::as_written(#call)); } while (0)\n";
    BOOST_TEST(rewritten(macro + "TIME((k<<<1, 2>>>(x)));") == shown + "TIME((\"k\"|1, 2))(x)));");
    BOOST_TEST(rewritten(macro + "TIME(f(x)); k<<<1, 2>>>(x);") == macro + "TIME(f(x)); \"k\"|1, 2))(x);");
    const std::string joined = "#define TIME(call) report(\"a\" #call \"b\")\n";
    BOOST_TEST(rewritten(joined + "TIME((k<<<1, 2>>>(x)));") == joined + "TIME((\"k\"|1, 2))(x)));");
}

BOOST_AUTO_TEST_CASE(a_launch_of_a_function_of_the_host_is_refused) {
    const std::string launch = "int main() {\n run<<<1, 2>>>(x); }\n";
    for (const char* host : {"void run(int* x) {}\n", "static inline void run(int* x)\n{\n}\n"}) {
        const auto refused = refusal(host + launch);
        BOOST_TEST_REQUIRE(refused.has_value(), host);
        BOOST_TEST(refused->construct == "a launch of a function of the host");
    }
    for (const char* kernel :
         {"__global__ void run(int* x) {}\n", "__global__ void run(int* x);\nvoid run(int x) {}\n",
          "KERNEL void run(int* x) {}\n", "struct S { void run(int* x) {} };\n", "void run(int* x);\n",
          "template <class T> __global__ void run(T* x) {}\n", "int a() { run(x); }\n"})
        BOOST_TEST(!refusal(kernel + launch).has_value(), kernel);
}

BOOST_AUTO_TEST_CASE(an_incomplete_launch_is_refused_with_its_line) {
    for (const char* text : {"k<<<",
                             "k<<<1, 2",
                             "k<<<1, 2>>>",
                             "k<<<1, 2>>>(",
                             "k<<<1, 2>>>;",
                             "k<<<1, (2>>>(x);",
                             "k<<<1)>>>(x);",
                             "<<<1, 2>>>(x);",
                             ";<<<1, 2>>>(x);",
                             "k<<<1>>>(x);",
                             "k<<<>>>(x);",
                             "k<<<, 1>>>(x);",
                             "k<<<1, >>>(x);",
                             "k<<<1, 2, 3, 4, 5>>>(x);",
                             "k<<<1; 2>>>(x);",
                             ">(<<<1, 2>>>(x);",
                             "k><<<1, 2>>>(x);",
                             "k)<<<1, 2>>>(x);",
                             "return <<<1, 2>>>(x);",
                             "k<<<1, j<<<1, 2>>>(y)>>>(x);",
                             "<<<<<<< HEAD"}) {
        const auto refused = refusal(std::string("\n\n") + text + "\n");
        BOOST_TEST_REQUIRE(refused.has_value(), text);
        BOOST_TEST(refused->line == 3, text);
        BOOST_TEST(refused->file == "a.cu");
        BOOST_TEST(!refused->instead.empty());
    }
}

BOOST_DATA_TEST_CASE(
    an_unsupported_construct_is_refused_with_its_line,
    boost::unit_test::data::make({"asm volatile(\"x\");",
                                  "__asm__(\"x\");",
                                  "asm(\"cp.async.wait_all; trap;\");",
                                  "asm(\"cp.async.wait_group %0;\" :: \"n\"(1), \"n\" 2);",
                                  "asm(\"cp.async.wait_group %1;\" :: \"n\"(1));",
                                  "asm(\"mov.u32 %0, %clock;\" : \"=r\"(x));",
                                  "#include <cublasLt.h>",
                                  "cublasGemmEx(h);",
                                  "cublasLtHandle_t h;",
                                  "#include <thrust/sort.h>",
                                  "thrust::sort(a, b);",
                                  "cub::BlockReduce<float, 4> r;",
                                  "tex2D<float>(t, 1, 2);",
                                  "cudaTextureObject_t t;",
                                  "#  include <cuda/barrier> // why",
                                  "cg::this_grid().sync();",
                                  "cg::grid_group g;",
                                  "cudaGraphLaunch(g, s);",
                                  "#define X asm(\"y\")",
                                  "#include\"cufft.h\"",
                                  "__shared__ float a[2] = {1, 2};",
                                  "__global__ void f() { k<<<1, 2>>>(x); }",
                                  "__device__ inline void f(int a) { if (a) { k<<<1, 2>>>(x); } }",
                                  "cudaLaunchCooperativeKernel(f);"}),
    text) {
    const auto refused =
        refusal(std::string("// first\n#if 0\n asm\n#endif\nint a;\n") + text + "\nint b;\n");
    BOOST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->line == 6);
    BOOST_TEST(refused->what() == "a.cu:6: " + refused->construct + "; " + refused->instead);
}

struct Ptx {
    const char *text, *rewritten;
};
std::ostream& operator<<(std::ostream& out, const Ptx& ptx) {
    return out << ptx.text;
}

const Ptx kPtx[] = {
    Ptx{"asm volatile(\"cp.async.commit_group;\\n\" ::);", "(::attn::emulator::commit_copies());"},
    Ptx{"__asm__ __volatile__(\"cp.async.wait_group %0;\" : : \"n\"(N - 1) : \"memory\");",
        "(::attn::emulator::wait_for_copies((N - 1)));"},
    Ptx{"asm(\"cp.async.ca.shared::cta.global.L2::128B [%0],\"\n\" [%1], 16, %2;\"\n:: \"r\"(a ? b : "
        "c), \"l\"(p)\n, "
        "\"r\"(n));",
        "(::attn::emulator::ptx_copy((a ? b : c), (p), 16, (n)))\n\n\n;"},
    Ptx{"#define WAIT(n) \\\n asm(\"cp.async.wait_group %0;\" \\\n :: \"n\"(n))\n",
        "#define WAIT(n) \\\n (::attn::emulator::wait_for_copies((n)))\\\n\n"},
    Ptx{"asm(\"{.reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.wait_all;}\" :: \"r\"(c));",
        "(((c) ? ::attn::emulator::wait_for_all_copies() : void()));"},
    Ptx{"asm(\"{ .reg .u64 w; cvta.to.shared.u64 w, %1; cvt.u32.u64 %0, w; }\" : \"=r\"(s) : \"l\"(p));",
        "((s) = "
        "static_cast<unsigned>(::attn::emulator::shared_offset(::attn::emulator::global_operand((p)))))"
        ";"},
    Ptx{"asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));", "((lane) = ::attn::emulator::lane());"}};

BOOST_DATA_TEST_CASE(asynchronous_copies_in_ptx_become_calls_on_the_same_lines,
                     boost::unit_test::data::make(kPtx), ptx) {
    BOOST_TEST(emulator::rewrite(ptx.text, "a.cu") == ptx.rewritten);
}

BOOST_AUTO_TEST_CASE(host_functions_may_launch) {
    BOOST_TEST(
        !refusal("__global__ void k() {}\n__device__ float a[2] = {1, 2};\n__device__ void d();\n"
                 "__host__ __device__ void both() { k<<<1, 2>>>(); }\nvoid f() { k<<<1, 2>>>(); }"));
}

BOOST_AUTO_TEST_CASE(no_text_makes_the_rewriting_hang_or_crash) {
    const std::string whole =
        "#include <cuda_runtime.h>\n#define L(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n/* a */ template <int N> // "
        "b\n"
        "__global__ void k(float* x) { extern __shared__ float s[]; R\"x(a)x\"; 'a'; \"b\\n\"; }\n#if "
        "0\n#else\n"
        "void f() { S<int>::k<3, (A > B)>\n<<<dim3(1, {2}), N >> 1, 0, s>>>(a[3], {1}); (*p)<<<1, 2>>>(); "
        "}\n#endif\n";
    const std::string bits = "<>(){}[];,#\"'\\\n/*:.-RkL_a0 \r\x80";
    std::mt19937 draw(6);
    int refused = 0, taken = 0;
    for (int k = 0; k < 100000; ++k) {
        std::string text = whole;
        for (unsigned changes = 1 + draw() % 4; changes > 0; --changes) {
            const std::size_t at = draw() % text.size();
            const std::size_t some = 1 + draw() % 12;
            switch (draw() % 4) {
                case 0:
                    text.erase(at, some);
                    break;
                case 1:
                    text.insert(at, 1, bits[draw() % bits.size()]);
                    break;
                case 2:
                    text[at] = bits[draw() % bits.size()];
                    break;
                default:
                    text.insert(at, text.substr(draw() % text.size(), some));
                    break;
            }
        }
        try {
            BOOST_REQUIRE(lines(::attn::emulator::rewrite(text, "a.cu")) == lines(text));
            ++taken;
        } catch (const Unsupported& reason) {
            BOOST_REQUIRE((reason.line >= 1 && reason.line <= lines(text) + 1));
            ++refused;
        }
    }
    BOOST_TEST(taken > 1000);
    BOOST_TEST(refused > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
