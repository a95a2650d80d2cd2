// A folder with a CUDA source becomes an object, compiled as the sandbox and the command do it. The messages
// of g++ show the student's own lines.

#include "grader/emulator/compile.h"

#include <algorithm>
#include <fstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/emulator/shared_arrays.h"
#include "grader/testing/emulator_tools.h"
#include "grader/testing/sample.h"

namespace attn::emulator {
namespace {

/// A folder of sources, and one for outputs beside it.
struct TestFolder {
    data::TemporaryDirectory root;
    std::filesystem::path source = root / "source", output = root / "build";

    TestFolder() {
        std::filesystem::create_directories(source / "below");
        std::filesystem::create_directory(output);
    }
    void write(const std::string& name, const std::string& text) const { root.write("source/" + name, text); }
    std::string read(const std::string& name) const { return data::read_file(source / name); }
    /// `watched`: whether code that cannot be watched is refused.
    Compiled compile(const std::string& name, Mode mode = Mode::check, bool watched = true) const {
        const Compiler compiler{
            [this](const auto& arguments) {
                const auto result = run_program(Installation().compiler, arguments, source);
                return RunResult{result.ending.exit_code == 0, result.printed};
            },
            [&](const std::string& assembly, const std::string& functions) {
                if (!watched) {
                    root.write("build/" + assembly, place_shared_arrays(data::read_file(output / assembly)));
                    return RunResult{true, {}};
                }
                return place_shared_arrays_in(
                    output / assembly, functions.empty() ? std::filesystem::path() : output / functions);
            },
            "../build"};
        const OriginalLines originals = rewrite_files(source, {name}, source);
        Compiled compiled = emulator::compile(
            compiler, name, "one", compile_flags(mode, Installation().emulator_headers.string()), {});
        show_original_lines(compiled, originals);
        return compiled;
    }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(compile,
                      *boost::unit_test::precondition(has_emulator) * boost::unit_test::label("long"))

BOOST_DATA_TEST_CASE(a_source_with_headers_compiles_without_messages,
                     boost::unit_test::data::make({false, true}), check) {
    const TestFolder folder;
    folder.write("k.cuh",
                 "#pragma once\n#include \"below/deep.h\"\n"
                 "template <class T> void run(T* x, int n) { scale<<<n, 32>>>(x, 2); }\n");
    folder.write("below/deep.h", "#pragma once\n#include \"beside.h\"\n");
    folder.write("below/beside.h",
                 "#pragma once\ntemplate <class T> __global__ void scale(T* x, int n) {\n"
                 "  __shared__ T a[32]; a[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
                 "#pragma unroll\n  for (int k = 0; k < n; ++k) x[threadIdx.x] *= a[0]; }\n");
    folder.write("a.cu",
                 "#include <cuda_runtime.h>\n#include \"k.cuh\"\nvoid f(float* x) { run(x, 1); "
                 "scale<float><<<{1, 2}, 32, 0, nullptr>>>(nullptr, 2); }\n");
    const Compiled compiled = folder.compile("a.cu", check ? Mode::check : Mode::fast);
    BOOST_TEST(compiled.messages == "");
    BOOST_REQUIRE(compiled.ok);
    BOOST_TEST(compiled.object == "../build/one.o");
    const std::string object = data::read_file(folder.output / "one.o");
    BOOST_TEST(contains(object, "attn_emu_shared"));
    BOOST_TEST(contains(object, "__tsan_read4") == check);
}

BOOST_AUTO_TEST_CASE(each_error_appears_once_with_the_students_own_line) {
    const TestFolder folder;
    folder.write("a.cu",
                 "__global__ void k(float* x, int n) { x[0] = n; }\nvoid f(const char* x, float* y) {\n"
                 "  nothing<float><<<1, 32>>>(x);\n  int w = z;\n  k<<<1, 32>>>(x, 2);\n"
                 "  k<<<1, 32>>>(y);\n  k<<<y, 32>>>(y, 2);\n}\n");
    const Compiled compiled = folder.compile("a.cu");
    BOOST_TEST(!compiled.ok);
    for (const char* expected :
         {"a.cu:3: error: 'nothing' was not declared in this scope\n  3 |   nothing<float><<<1, 32>>>(x);\n",
          "a.cu:4: error: 'z' was not declared in this scope\n  4 |   int w = z;\n",
          "a.cu:5: error: this kernel takes (float*, int) and is launched with (const char*&, int)\n",
          "a.cu:6: error: this kernel takes (float*, int) and is launched with (",
          "a.cu:7: error: invalid conversion"}) {
        const std::size_t first = compiled.messages.find(expected);
        BOOST_TEST(first != std::string::npos, expected << "\nis not in\n" << compiled.messages);
        BOOST_TEST(compiled.messages.find(expected, first + 1) == std::string::npos, compiled.messages);
    }
    for (const char* hidden : {"attn", "emulator", "lambda"})
        BOOST_TEST(!contains(compiled.messages, hidden), compiled.messages);
}

BOOST_AUTO_TEST_CASE(an_unsupported_construct_in_a_header_names_the_header) {
    const TestFolder folder;
    folder.write("below/x.cuh", "\ninline void f() { asm(\"\"); }\n");
    folder.write("a.cu", "#include \"below/x.cuh\"\n");
    BOOST_CHECK_EXCEPTION(folder.compile("a.cu"), Unsupported, [](const Unsupported& refused) {
        return refused.file == "below/x.cuh" && refused.line == 2;
    });
}

BOOST_AUTO_TEST_CASE(unsupported_constructs_are_refused_only_where_the_preprocessor_keeps_them) {
    const TestFolder folder;
    const std::string text =
        "#ifndef A_CU\n#define A_CU\n#ifdef USE_LIBRARY\n#include <cudnn.h>\n#endif\n"
        "#define STOP asm volatile(\"trap;\")\n"
        "#if defined(USE_PTX) && __CUDA_ARCH__ >= 700\n__device__ void f() { asm volatile(\"bar.sync 0;\"); "
        "}\n"
        "#elif defined(USE_MACRO)\n__device__ void f() { STOP; }\n"
        "#else\n__device__ void f() { __syncthreads(); }\n#endif\n__global__ void k() { f(); }\n#endif\n";
    folder.write("a.cu", text);
    BOOST_TEST(folder.compile("a.cu").messages == "");
    struct Kept {
        const char* macro;
        int line;
        const char* what;
    };
    for (const Kept& kept : {Kept{"USE_LIBRARY", 5, "cuDNN"}, Kept{"USE_PTX", 9, "inline PTX"},
                             Kept{"USE_MACRO", 11, "inline PTX"}}) {
        folder.write("a.cu", std::string("#define ") + kept.macro + "\n" + text);
        BOOST_CHECK_EXCEPTION(folder.compile("a.cu"), Unsupported, [&](const Unsupported& refused) {
            return refused.file == "a.cu" && refused.line == kept.line &&
                   contains(refused.construct, kept.what);
        });
    }
}

/// A source with accesses that the emulator would not see, and a part of what is said.
struct Unwatched {
    const char *name, *text, *says;
    friend std::ostream& operator<<(std::ostream& out, const Unwatched& each) { return out << each.name; }
};

#define JOIN "#define JOIN(a, b) a##b\n"
const std::vector<Unwatched> kUnwatched = {
    {"a kernel without the calls",
     "__attribute__((no_sanitize(\"thread\"))) __global__ void k(float* p) { p[0] = p[threadIdx.x]; }",
     "the attribute no_sanitize hides what k does"},
    {"a function without the calls, in words that a macro puts together",
     JOIN "[[gnu::JOIN(no_sani, tize_thread), gnu::noinline]] __device__ float at(const float* p) { return "
          "p[threadIdx.x]; }\n__global__ void k(float* p) { p[0] = at(p); }",
     "the attribute no_sanitize hides what at does"},
    {"a copy that g++ makes itself",
     JOIN
     "#undef __builtin_memcpy\n__global__ void k(char* p) { JOIN(__builtin_, memcpy)(p, p + threadIdx.x, "
     "24); }",
     "how k copies or fills memory"},
    {"a copy of a text", "__global__ void k(char* p) { __builtin_strcpy(p + threadIdx.x, \"abcdefgh\"); }",
     "how k copies or fills memory"},
    {"an instruction of the processor",
     "#include <immintrin.h>\n__global__ void k(float* p) { _mm_stream_ps(p, _mm_set1_ps(2)); }",
     "an instruction of this processor in k"},
    {"assembly, in a word that a macro puts together",
     JOIN "__global__ void k(float* p) { JOIN(__as, m)(\"movl $1, %0\" : \"=m\"(p[0])); }",
     "the assembly in k"},
    {"assembly after the name of a section",
     "extern \"C\" void hidden(float*);\n__attribute__((section(\".data\\n\\t.text\\nhidden:\\n\\tmovl $1, "
     "(%rdi)\\n\\tret\\n\\t.section .data\"))) int bad = 3;\n__global__ void k(float* p) { hidden(p); }",
     "a line that g++ does not make of C++ (hidden:)"},
    {"a call of the same name",
     "extern \"C\" void __tsan_read4(void*) {}\n__global__ void k(float* p) { p[0] = p[threadIdx.x]; }",
     "it defines a function of the emulator"},
};
#undef JOIN

BOOST_DATA_TEST_CASE(code_that_cannot_be_watched_is_refused,
                     boost::unit_test::data::make(proof::drawn(kUnwatched, proof::at_most(1))), source) {
    const TestFolder folder;
    folder.write("a.cu", source.text + std::string("\n"));
    const Compiled compiled = folder.compile("a.cu");
    BOOST_TEST(!compiled.ok);
    BOOST_TEST(contains(compiled.messages, source.says), compiled.messages);
    // Nothing but this look refuses it.
    BOOST_TEST(folder.compile("a.cu", Mode::check, false).ok);
}

const std::string kRaces = R"(
#include <cstring>
__attribute__((noinline)) static int* shared_int() { __shared__ int a[32]; return a; }
__global__ void plain(int* y) {
    int* a = shared_int();
    a[threadIdx.x] = 3;
    y[threadIdx.x] = a[31 - threadIdx.x];
}
__global__ void relaxed(int* y) {
    int* a = shared_int();
    __atomic_store_n(&a[threadIdx.x], 3, __ATOMIC_RELAXED);
    y[threadIdx.x] = __atomic_load_n(&a[31 - threadIdx.x], __ATOMIC_RELAXED);
}
__global__ void copied(int* y) {
    int* a = shared_int();
    __builtin_memcpy(&a[threadIdx.x], y + threadIdx.x, 4);
    __builtin_memcpy(y + threadIdx.x, &a[31 - threadIdx.x], 4);
}
__global__ void right(int* y) {
    int* a = shared_int();
    __builtin_memcpy(&a[threadIdx.x], y + threadIdx.x, 4);
    __syncthreads();
    y[threadIdx.x] = a[31 - threadIdx.x];
}
static int received = 0;
int main(int, char** arguments) {
    int* y;
    cudaMalloc(&y, 32 * sizeof(int));
    cudaMemset(y, 0, 32 * sizeof(int));
    const char* which = arguments[1];
    if (std::strcmp(which, "received") == 0) {
        attn::emulator::attention_lab_send_findings_to([](const char*, const char*) { ++received; });
        attn::emulator::attention_lab_send_findings_to(nullptr);
    }
    if (std::strcmp(which, "relaxed") == 0) relaxed<<<1, 32>>>(y);
    else if (std::strcmp(which, "copied") == 0) copied<<<1, 32>>>(y);
    else if (std::strcmp(which, "right") == 0) right<<<1, 32>>>(y);
    else plain<<<1, 32>>>(y);
    cudaDeviceSynchronize();
    printf("received %d\n", received);
}
)";

/// The functions that only g++ has hide no race, and the first receiver of findings stays.
BOOST_AUTO_TEST_CASE(races_are_found_whatever_makes_the_access) {
    const TestFolder folder;
    folder.write("a.cu", kRaces);
    const Compiled compiled = folder.compile("a.cu");
    BOOST_REQUIRE_MESSAGE(compiled.ok, compiled.messages);
    std::vector<std::string> link = {compiled.object, "-o", "../build/program"};
    for (const std::string& flag : program_flags(Installation().emulator_library)) link.push_back(flag);
    BOOST_REQUIRE(run_program(Installation().compiler, link, folder.source).ending.exit_code == 0);
    const auto printed = [&folder](const std::string& which) {
        return run_program((folder.output / "program").string(), {which}, folder.output).printed;
    };
    for (const char* which : {"plain", "relaxed", "copied", "received"})
        BOOST_TEST(contains(printed(which), "emulator: race_in_block"), which);
    BOOST_TEST(contains(printed("received"), "received 1"));
    BOOST_TEST(printed("right") == "received 0\n");
}

BOOST_AUTO_TEST_CASE(code_of_the_host_may_use_the_whole_library) {
    const TestFolder folder;
    folder.write("a.cu", R"(
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
struct Many { float a[40]; };
__global__ void k(float* x, Many many) { x[threadIdx.x] = many.a[threadIdx.x]; }
void f(float* x) {
    std::string s = "abc" + std::to_string(3);
    char text[64];
    strcpy(text, "hello"), sprintf(text, "hello");
    std::vector<int> v(10), w = v;
    std::sort(v.begin(), v.end());
    std::array<int, 9> a{}, b = a;
    std::copy(b.begin(), b.end(), a.begin());
    std::map<std::string, int> m{{s, 3}};
    const auto p = std::make_shared<std::string>(text);
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::function<int(int)> of = [p](int i) { return i + static_cast<int>(p->size()); };
    std::ostringstream out;
    out << s << of(3);
    std::mt19937 random(3);
    switch (v[0]) {
        case 0: x[0] = 1; break;
        case 1: x[3] = 4; break;
        case 2: x[2] = 7; break;
        case 3: x[7] = 2; break;
        case 4: x[random() % 9] = 5; break;
        default: throw std::runtime_error(out.str());
    }
    Many many{};
    memset(&many, 0, sizeof many);
    k<<<1, 32>>>(x, many);
}
)");
    const Compiled compiled = folder.compile("a.cu");
    BOOST_TEST(compiled.ok, compiled.messages);
}

BOOST_AUTO_TEST_CASE(only_files_of_the_folder_that_are_included_are_rewritten) {
    const TestFolder folder;
    const std::string launch = "void g() { k<<<1, 2>>>(); }\n";
    for (const char* name : {"in.h", "out.h"}) folder.write(name, launch);
    folder.root.write("above.h", launch);
    folder.write("a.cu",
                 "#include \"in.h\"\n#include \"../above.h\"\n#include \"missing.h\"\n#include <vector>\n");
    const OriginalLines originals = rewrite_files(folder.source, {"a.cu"}, folder.source);
    BOOST_TEST(originals.size() == 2);
    BOOST_TEST(folder.read("in.h") != launch);
    BOOST_TEST(folder.read("out.h") == launch);
    BOOST_TEST(data::read_file(folder.root / "above.h") == launch);
}

BOOST_AUTO_TEST_CASE(another_folder_gets_the_needed_files_and_the_sources_stay_unchanged) {
    const TestFolder folder;
    folder.write("a.cu", "#include \"below/in.h\"\n");
    folder.write("below/in.h", "int a;\n");
    folder.write("out.h", "int b;\n");
    rewrite_files(folder.source, {"a.cu"}, folder.output / "copy");
    BOOST_TEST(data::read_file(folder.output / "copy/below/in.h") == "int a;\n");
    BOOST_TEST(!std::filesystem::exists(folder.output / "copy/out.h"));
    BOOST_TEST(folder.read("a.cu") == "#include \"below/in.h\"\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
