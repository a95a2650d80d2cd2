// `grader emulate`: a correct program has no findings, a wrong one is reported with file and line, with one
// seed and with several; a program that cannot be emulated is refused with the reason.

#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/cli/emulated_program.h"
#include "grader/emulator/places.h"
#include "grader/testing/built.h"
#include "grader/testing/emulator_tools.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

const std::string kExample = "grader/emulator/example.cu";

/// The example with a mistake: replaces `right`, which occurs once, by `wrong`.
std::string example_with(const std::string& right, const std::string& wrong) {
    std::string text = data::read_file(testing::built().sources / kExample);
    const std::size_t at = text.find(right);
    BOOST_REQUIRE(at != std::string::npos);
    BOOST_REQUIRE(text.find(right, at + 1) == std::string::npos);
    return text.replace(at, right.size(), wrong);
}

/// The example without its last barrier, which is necessary.
std::string example_without_barrier() {
    const std::string barrier = "__syncthreads();";
    std::string text = data::read_file(testing::built().sources / kExample);
    const std::size_t at = text.rfind(barrier);
    BOOST_REQUIRE(at != std::string::npos);
    return text.erase(at, barrier.size());
}

BOOST_AUTO_TEST_SUITE(emulate_command, *boost::unit_test::precondition(emulator::has_emulator) *
                                           boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(the_example_has_no_findings_in_both_modes_and_with_arguments) {
    check_run({"emulate", kExample}, 0,
              {"softmax of 5 rows of 100: ", "nothing found in example.cu (seed 1)"});
    check_run({"emulate", kExample, "--fast", "--", "3", "17"}, 0, {"softmax of 3 rows of 17: "});
    check_run({"emulate", kExample, "--seeds", "3"}, 0, {"nothing found in example.cu with 3 seeds"});
}

BOOST_AUTO_TEST_CASE(a_missing_barrier_is_a_race_with_its_lines) {
    const data::TemporaryDirectory folder;
    const auto file = folder.write("mine.cu", example_without_barrier()).string();
    check_run({"emulate", file}, 1,
              {"race_in_block", "mine.cu:16", "mine.cu:22", "part", "__syncthreads()", "found in mine.cu"});
    const Run many = run_grader({"emulate", file, "--seeds", "4"});
    BOOST_TEST(many.exit_code == 1);
    BOOST_TEST(contains(many.text, "mine.cu:16"), many.text);
    BOOST_TEST((contains(many.text, "every seed") || contains(many.text, " of 4 seeds: ")), many.text);
    BOOST_TEST(!contains(many.text, "@{"), many.text);
}

BOOST_AUTO_TEST_CASE(an_access_past_the_end_is_reported) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder.write("mine.cu", example_with("k < n; k += kThreads) y[k]", "k <= n; k += kThreads) y[k]"));
    check_run({"emulate", file.string(), "--", "1", "100"}, 1, {"out_of_bounds", "mine.cu:49"});
}

BOOST_AUTO_TEST_CASE(a_program_that_fails_or_does_not_end_is_reported) {
    const data::TemporaryDirectory folder;
    const auto wrong = folder.write("wrong.cu", "int main() { return 3; }\n").string();
    check_run({"emulate", wrong}, 1, {"wrong.cu ended with exit code 3"});
    const auto endless =
        folder.write("endless.cu", "int main() { for (volatile int k = 0;; ++k) {} }\n").string();
    check_run({"emulate", endless, "--time-limit", "0.3"}, 1, {"endless.cu did not end within 0.3 s"});
    const auto crash = folder.write("crash.cu", "#include <cstdlib>\nint main() { abort(); }\n").string();
    check_run({"emulate", crash, "--seeds", "2"}, 1, {"crash.cu ended with", "every seed"});
}

BOOST_AUTO_TEST_CASE(a_program_that_crashes_loses_no_finding) {
    const data::TemporaryDirectory folder;
    const auto file = folder
                          .write("crash.cu",
                                 "#include <cstdlib>\n__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
                                 "int main() { float* x; cudaMalloc(&x, 64); k<<<1, 32>>>(x);\n"
                                 "  if (cudaDeviceSynchronize() != cudaSuccess) abort(); }\n")
                          .string();
    check_run({"emulate", file}, 1, {"crash.cu ended with abort", "found in crash.cu: out_of_bounds"});
    check_run({"emulate", file, "--seeds", "2"}, 1,
              {"out_of_bounds: crash.cu:2", "past the end of x (64 bytes from crash.cu:3)", "(every seed)",
               "crash.cu ended with abort"});
}

BOOST_AUTO_TEST_CASE(a_large_kernel_is_not_endless_and_tells_how_far_it_came) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder
            .write("large.cu",
                   "__global__ void work(float* x) { for (int k = 0; k < 2000; ++k) "
                   "x[threadIdx.x + 32 * blockIdx.x] += 1; }\n"
                   "int main() { float* x; cudaMalloc(&x, 12800000); cudaMemset(x, 0, 12800000);\n"
                   "  work<<<100000, 32>>>(x); return cudaDeviceSynchronize(); }\n")
            .string();
    const Run run = run_grader({"emulate", file, "--time-limit", "2"});
    BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(contains(run.text, "did not end within 2 s and was stopped: kernel work had run "), run.text);
    BOOST_TEST(contains(run.text, " of 100000 blocks"), run.text);
    BOOST_TEST(!contains(run.text, "endless"), run.text);
}

BOOST_AUTO_TEST_CASE(memory_that_is_never_freed_is_reported_if_asked_for) {
    const data::TemporaryDirectory folder;
    const auto file = folder
                          .write("leak.cu",
                                 "__global__ void k(int** y) { y[0] = new int[5]; }\n"
                                 "int main() { int** y; cudaMalloc(&y, 16);\n"
                                 "  int* x; cudaMalloc(&x, 40);\n"
                                 "  k<<<1, 1>>>(y); cudaDeviceSynchronize(); cudaFree(y); }\n")
                          .string();
    check_run({"emulate", file}, 0, {"nothing found"});
    check_run({"emulate", file, "--leaks"}, 1,
              {"leak: The 40 bytes from leak.cu:3 were never freed.",
               "leak: The 20 bytes from leak.cu:1 were never freed."});
}

BOOST_AUTO_TEST_CASE(a_program_gets_more_memory_if_asked_for) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder
            .write("large.cu",
                   "#include <cstdio>\n"
                   "__global__ void k(char* x, size_t n) { x[n - 1] = 1; }\n"
                   "int main() { char* x; size_t n = 300u << 20, free, all;\n"
                   "  if (cudaMalloc(&x, n) != cudaSuccess) return 3;\n"
                   "  k<<<1, 1>>>(x, n); cudaMemGetInfo(&free, &all);\n"
                   "  printf(\"%zu of %zu\\n\", free >> 20, all >> 20); return cudaDeviceSynchronize(); }\n")
            .string();
    check_run({"emulate", file}, 1,
              {"the allocation in large.cu:4 failed: it asked for 314572800 bytes, and of the device's 256 "
               "MiB 256 MiB "
               "were free. With --memory MIB the device has more.",
               "large.cu ended with exit code 3"});
    check_run({"emulate", file, "--memory", "400"}, 0, {"100 of 400", "nothing found"});
    check_run({"emulate", file, "--memory", "0"}, 2, {"--memory: expected a number of MiB from 1 to 65536"});
}

BOOST_AUTO_TEST_CASE(the_helpers_of_the_cuda_samples_are_there) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder
            .write(
                "sample.cu",
                "#include <helper_cuda.h>\n#include <helper_functions.h>\n#include <cuda_profiler_api.h>\n"
                "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
                "int main(int count, char** words) {\n"
                "  const int device = findCudaDevice(count, (const char**)words);\n"
                "  const int n = getCmdLineArgumentInt(count, (const char**)words, \"n\");\n"
                "  StopWatchInterface* timer = nullptr; sdkCreateTimer(&timer); sdkStartTimer(&timer);\n"
                "  float* x; checkCudaErrors(cudaMalloc(&x, MAX(n, 4) * sizeof(float)));\n"
                "  k<<<1, n>>>(x); getLastCudaError(\"k\"); float y[8], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};\n"
                "  checkCudaErrors(cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToHost));\n"
                "  sdkStopTimer(&timer); const bool timed = sdkGetTimerValue(&timer) > 0; "
                "sdkDeleteTimer(&timer);\n"
                "  const bool right = sdkCompareL2fe(ones, y, n, 1e-6f); cudaFree(x);\n"
                "  if (checkCmdLineFlag(count, (const char**)words, \"fail\")) "
                "checkCudaErrors(cudaErrorInvalidValue);\n"
                "  return device == 0 && timed && right ? 0 : 3; }\n")
            .string();
    check_run({"emulate", file, "--", "-n=8"}, 0, {"nothing found"});
    check_run({"emulate", file, "--", "--n=8", "-fail"}, 1, {"CUDA error at", "cudaErrorInvalidValue"});
}

BOOST_AUTO_TEST_CASE(messages_name_the_cause) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder
            .write(
                "causes.cu",
                "#include <cstdlib>\n"
                "__global__ void all(float* x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = n; }\n"
                "__global__ void one_more(float* x, int n) { const int i = threadIdx.x; if (i <= n) x[i] "
                "= 1; }\n"
                "__global__ void elsewhere(float* x, int n) { if (threadIdx.x == 9) x[5 * n] = 1; }\n"
                "__global__ void quads(float4* y, float* x) { if (threadIdx.x == 9) y[9] = "
                "*reinterpret_cast<float4*>(x + 36); }\n"
                "__global__ void lock(int* mutex, int* sum) { if (threadIdx.x != 0) return;\n"
                "  while (atomicCAS(mutex, 0, 1) != 0) {} *sum += 1; atomicExch(mutex, 0); }\n"
                "__global__ void shift(const float* x, float* y) { __shared__ float s[128];\n"
                "  for (int k = 0; k < 2; ++k) { s[threadIdx.x] = x[threadIdx.x] + k; __syncthreads();\n"
                "    y[threadIdx.x] = s[127 - threadIdx.x] + s[threadIdx.x ^ 1]; } }\n"
                "__global__ void fixed(int* y) { __shared__ int line[38]; line[threadIdx.x + 36] = 0; "
                "y[threadIdx.x] = line[36]; }\n"
                "__device__ unsigned arrived;\n"
                "__global__ void last(float* part, float* out) { __shared__ unsigned before;\n"
                "  part[blockIdx.x * 64 + threadIdx.x] = 1; __syncthreads();\n"
                "  if (threadIdx.x == 0) before = atomicInc(&arrived, gridDim.x); __syncthreads();\n"
                "  if (before != gridDim.x - 1) return; float s = 0;\n"
                "  for (int b = 0; b < gridDim.x; ++b) s += part[b * 64 + threadIdx.x];\n"
                "  out[threadIdx.x] = s; }\n"
                "__global__ void far(const float* A, const float* B, float* C) { C[0] = A[11008] + B[0]; }\n"
                "__global__ void before(const float* A, const float* B, float* C) {\n"
                "  for (int i = 0; i > -500; i -= 100) C[0] = B[i]; }\n"
                "int main(int, char** words) { const int which = std::atoi(words[1]);\n"
                "  float *x, *y, *none; cudaMalloc(&x, 160); cudaMalloc(&y, 512); cudaMemset(y, 0, 512);\n"
                "  if (which == 0) all<<<2, 32>>>(x, 40);\n"
                "  if (which == 1) one_more<<<1, 64>>>(x, 40);\n"
                "  if (which == 2) elsewhere<<<1, 64>>>(x, 40);\n"
                "  if (which == 3) quads<<<1, 32>>>(reinterpret_cast<float4*>(y), x);\n"
                "  if (which == 4) lock<<<4, 32>>>((int*)y, (int*)y + 8);\n"
                "  if (which == 5) shift<<<1, 128>>>(y, y + 0);\n"
                "  if (which == 6) fixed<<<1, 32>>>((int*)y);\n"
                "  if (which == 7) { cudaMalloc(&none, 400 << 20); all<<<1, 32>>>(none, 1); }\n"
                "  float host = 0; if (which == 8) cudaMemcpy(&host, x, 4, cudaMemcpyHostToDevice);\n"
                "  if (which == 9) all<<<1, dim3(40, 40)>>>(x, 1);\n"
                "  float *a, *b, *c; cudaMalloc(&a, 40000); cudaMalloc(&b, 40000); cudaMalloc(&c, 40000);\n"
                "  cudaMemset(a, 0, 40000); cudaMemset(b, 0, 40000);\n"
                "  if (which == 10) last<<<8, 64>>>(a, c);\n"
                "  if (which == 11) far<<<1, 1>>>(a, b, c);\n"
                "  if (which == 12) before<<<1, 1>>>(a, b, c);\n"
                "  return cudaDeviceSynchronize(); }\n")
            .string();
    const EmulatedProgram program({file}, emulator::Mode::check, {}, Installation());
    struct Cause {
        const char* number;
        std::vector<std::string> parts;
        const char* absent;
    };
    for (const auto& [number, parts, absent] :
         {Cause{"0", {"of x (160 bytes from causes.cu:", "a bounds check (if (i < n)) is missing"}, "<="},
          Cause{"1", {"does it say <=?"}, "is missing."}, Cause{"2", {"past the end of x"}, "bounds check"},
          Cause{"3", {"reads elements 36 to 39 of x (160 bytes"}, "bytes of"},
          Cause{"4", {"race_between_blocks", "__threadfence()"}, "blockIdx"},
          Cause{"5", {"race_in_block", "A __syncthreads() is missing"}, "was not written"},
          Cause{"6", {"shared_out_of_bounds", "line"}, "argument"},
          Cause{"7",
                {"through x, which is a null pointer (the allocation in causes.cu:",
                 " failed: it asked for 419430400 bytes"},
                "host"},
          Cause{"8", {"Should the direction be cudaMemcpyDeviceToHost"}, "no device memory"},
          Cause{"9", {"requests 1600 threads a block; a block has at most 1024"}, "along z"},
          Cause{"10", {"an atomic function orders blocks only with a __threadfence()"}, "blockIdx missing"},
          Cause{"11", {"reads 4 bytes 4032 bytes past the end of A (40000 bytes"}, "negative"},
          Cause{"12", {"before the start of B (40000 bytes"}, "past the end"}}) {
        RunOptions options;
        options.arguments = {number};
        options.quiet = true;
        std::string text;
        for (const auto& [kind, finding] : program.run(options).findings)
            text += kind + ": " + emulator::resolve(finding, EmulatedProgram::frames_at) + '\n';
        for (const std::string& part : parts)
            BOOST_TEST(contains(text, part), number << ": " << part << "\nis not in\n" << text);
        BOOST_TEST(!contains(text, absent), number << ": " << absent << "\nis in\n" << text);
    }
}

BOOST_AUTO_TEST_CASE(headers_of_its_folder_of_the_course_and_of_include_folders_are_found) {
    const data::TemporaryDirectory folder;
    std::filesystem::create_directory(folder / "more");
    folder.write("more/more.h", "constexpr int kMore = 2;\n");
    folder.write("above.cuh", "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n");
    std::filesystem::create_directory(folder / "mine");
    folder.write("mine/kernel.cuh",
                 "#include \"../above.cuh\"\ninline void run(int* x) { k<<<1, 4>>>(x); }\n");
    folder.write("mine/a.cu",
                 "#include \"kernel.cuh\"\n#include \"more.h\"\n#include \"self_attention.h\"\n"
                 "int main() { int* x; cudaMalloc(&x, 16); run(x); cudaDeviceSynchronize(); cudaFree(x); "
                 "return kMore - 2; }\n");
    check_run({"emulate", (folder / "mine/a.cu").string(), "-I", (folder / "more").string()}, 0,
              {"nothing found"});
}

BOOST_AUTO_TEST_CASE(a_program_may_have_several_files) {
    const data::TemporaryDirectory folder;
    for (const char* name : {"src", "src/kernels", "include"})
        std::filesystem::create_directory(folder / name);
    // Both files have a shared array of the same name and share a template with one.
    folder.write(
        "include/fill.cuh",
        "#pragma once\nextern __constant__ int value;\nvoid fill(int* x, int n);\n"
        "template <class T> __global__ void mirror(T* x) { __shared__ T s[32]; extern __shared__ T all[];\n"
        "  all[threadIdx.x] = s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
        "  x[threadIdx.x] = s[31 - threadIdx.x] + all[threadIdx.x] - x[threadIdx.x]; }\n"
        "template <class T> void turn(T* x) { mirror<<<1, 32, 32 * sizeof(T)>>>(x); }\n");
    const auto main =
        folder.write("src/main.cu",
                     "#include <fill.cuh>\n__constant__ int value = 5;\n"
                     "int main() { int *x, h[33]; cudaMalloc(&x, sizeof h); fill(x, 33); turn(x);\n"
                     "  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);\n"
                     "  for (int i = 0; i < 32; ++i) if (h[i] != 5 + 31 - i) return 3;\n"
                     "  printf(\"turned\\n\"); return 0; }\n");
    const auto right = folder.write("src/kernels/fill.cu",
                                    "#include \"fill.cuh\"\n__global__ void work(int* x, int n) {\n"
                                    "  extern __shared__ int all[]; const int i = threadIdx.x; if (i < n)\n"
                                    "  all[i] = x[i] = value + i; }\n"
                                    "void fill(int* x, int n) { work<<<1, 64, 256>>>(x, n); int* y; "
                                    "cudaMalloc(&y, 128); cudaMemset(y, 0, 128); turn(y); }\n");
    const std::string include = (folder / "include").string();
    check_run({"emulate", main.string(), right.string(), "-I", include}, 0,
              {"turned", "nothing found in main.cu, fill.cu"});
    check_run({"emulate", main.string() + " " + right.string(), "-I" + include}, 0, {"turned"});
    const auto wrong = folder.write("src/kernels/wrong.cu",
                                    "#include \"fill.cuh\"\n__global__ void work(int* x, int n) {\n\n"
                                    "  x[threadIdx.x] = value + threadIdx.x; }\n"
                                    "void fill(int* x, int n) { work<<<1, 64>>>(x, n); }\n");
    check_run({"emulate", main.string(), wrong.string(), "-I", include}, 1, {"out_of_bounds: wrong.cu:4: "});
    check_run({"emulate", right.string(), wrong.string(), "-I", include}, 2,
              {"fill.cu, src/kernels/wrong.cu has no main"});
    check_run({"emulate", main.string(), "-I", include}, 2, {"src/main.cu cannot be linked", "fill("});
}

BOOST_AUTO_TEST_CASE(a_finding_in_an_included_file_names_that_file) {
    const data::TemporaryDirectory folder;
    folder.write("kernel.cu", "// k\n__global__ void k(float* y) {\n\n    y[threadIdx.x] += 1;\n}\n");
    const auto file = folder.write("main.cu",
                                   "#include \"kernel.cu\"\nint main() { float* y; cudaMalloc(&y, 128);\n"
                                   "  k<<<1, 32>>>(y); return cudaDeviceSynchronize(); }\n");
    check_run({"emulate", file.string()}, 1, {"uninitialised_read: kernel.cu:4: ", "from main.cu:2"});
}

BOOST_AUTO_TEST_CASE(a_users_own_helpers_of_the_cuda_samples_come_first) {
    const data::TemporaryDirectory folder;
    std::filesystem::create_directory(folder / "inc");
    folder.write("inc/helper_string.h", "inline int own() { return 0; }\n");
    const auto file =
        folder.write("a.cu", "#include <helper_string.h>\nint main() { return own(); }\n").string();
    check_run({"emulate", file, "-I", (folder / "inc").string()}, 0, {"nothing found"});
    const auto ours =
        folder.write("b.cu",
                     "#include <helper_string.h>\nint main() {\n"
                     "  return sdkFindFilePath(\"no such\", \"\") == nullptr ? EXIT_WAIVED : 0; }\n");
    check_run({"emulate", ours.string()}, 1, {"exit code 2"});
}

BOOST_AUTO_TEST_CASE(what_nvcc_defines_and_allows_is_there) {
    const data::TemporaryDirectory folder;
    const auto file =
        folder
            .write(
                "small.cu",
                "#ifndef __NVCC__\n#error no __NVCC__\n#endif\n#include <cuda_fp16.h>\n"
                "#define RUN(call) do { call; printf(\"%s\\n\", #call); } while (0)\n"
                "__global__ void k(float* y) {\n"
                "  y[threadIdx.x] = __half2float(__float2half_rz(2049.9f)) + (INT_MAX == 2147483647); }\n"
                "int main() {\n"
                "  int n = 32; float h[n]; float* y; cudaMalloc(&y, n * sizeof(float));\n"
                "  RUN((k<<<1, dim3(n, 1)>>>(y)));\n"
                "  cudaMemcpy(h, y, n * sizeof(float), cudaMemcpyDeviceToHost); printf(\"%g\\n\", h[31]);\n"
                "  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
                "  int pools; cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0);\n"
                "  printf(\"%d %d %d %d\\n\", p.ECCEnabled, p.memoryPoolsSupported, p.unifiedAddressing, "
                "pools); }\n")
            .string();
    check_run({"emulate", file}, 0, {"(k<<<1, dim3(n, 1)>>>(y))\n", "2049\n", "0 1 1 1\n", "nothing found"});
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_emulated_is_refused) {
    const data::TemporaryDirectory folder;
    const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
        check_run({"emulate", folder.write("a.cu", text).string()}, 2, parts);
    };
    refused("int main() {\n asm(\"\"); }\n", {"a.cu:2: inline PTX", "write it in C++"});
    refused("int main() {\n k<<<1, 2>>; }\n", {"a.cu:2: a launch"});
    refused("void f() {}\nint main() {\n f<<<1, 2>>>(); }\n",
            {"a.cu:3: a launch of a function of the host; declare it __global__"});
    refused("__global__ void k(int n) {\n float a[n]; a[0] = 1; }\nint main() { k<<<1, 2>>>(3); }\n",
            {"a.cu:2: error: variable length array 'a'"});
    refused(
        "__global__ void k(float* y) { __shared__ float a[7000], b[6000];\n"
        "  a[threadIdx.x] = b[threadIdx.x] = 1; __syncthreads();\n"
        "  y[0] = a[threadIdx.x] + b[threadIdx.x]; }\nint main() { k<<<1, 64>>>(nullptr); }\n",
        {"k(float*) has 52000 bytes of __shared__ arrays", "at most 49152", "cudaFuncSetAttribute"});
    refused("int f() { return 1; }\n", {"a.cu has no main"});
    refused("int main() {\n  return y;\n}\n",
            {"a.cu does not compile", "a.cu:2: error: ", "2 |   return y;"});
    refused("int g();\nint main() { return g(); }\n", {"a.cu cannot be linked", "g()"});
}

BOOST_AUTO_TEST_CASE(invalid_arguments_are_refused_and_help_is_shown) {
    check_run({"emulate"}, 2, {"give a .cu file to run"});
    check_run({"emulate", kExample, "b.cu"}, 2, {"b.cu", "there is no such file"});
    check_run({"emulate", "no/such.cu"}, 2, {"no/such.cu", "there is no such file"});
    check_run({"emulate", "grader"}, 2, {"this is a directory"});
    check_run({"emulate", kExample, "--seeds", "0"}, 2, {"--seeds"});
    check_run({"emulate", kExample, "--time-limit", "nan"}, 2, {"--time-limit"});
    check_run({"emulate", "--help"}, 0, {"grader emulate my.cu --seeds 20", "Exit code"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
