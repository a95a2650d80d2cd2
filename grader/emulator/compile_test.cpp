// A folder with a CUDA source becomes an object, compiled as the sandbox and the command do it. The messages
// of g++ show the student's own lines.

#include "grader/emulator/compile.h"

#include <algorithm>
#include <fstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/testing/emulator_tools.h"

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
    Compiled compile(const std::string& name, Mode mode = Mode::check) const {
        const Compiler compiler{
            [this](const auto& arguments) {
                const auto result = run_program(Installation().compiler, arguments, source);
                return RunResult{result.ending.exit_code == 0, result.printed};
            },
            [this](const std::string& file) { return place_shared_arrays_in(output / file); }, "../build"};
        const OriginalLines originals = rewrite_files(source, {name}, source);
        Compiled compiled = emulator::compile(compiler, name, "one",
                                              compile_flags(mode, Installation().emulator_headers.string()));
        show_original_lines(compiled, originals);
        return compiled;
    }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(compile, *boost::unit_test::precondition(on_x86_64))

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
        "#ifndef A_CU\n#define A_CU\n#ifdef USE_LIBRARY\n#include <cublas_v2.h>\n#endif\n"
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
    for (const Kept& kept : {Kept{"USE_LIBRARY", 5, "cuBLAS"}, Kept{"USE_PTX", 9, "inline PTX"},
                             Kept{"USE_MACRO", 11, "inline PTX"}}) {
        folder.write("a.cu", std::string("#define ") + kept.macro + "\n" + text);
        BOOST_CHECK_EXCEPTION(folder.compile("a.cu"), Unsupported, [&](const Unsupported& refused) {
            return refused.file == "a.cu" && refused.line == kept.line &&
                   contains(refused.construct, kept.what);
        });
    }
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
