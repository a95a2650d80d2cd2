// Kernel submissions that try to get points without a correct kernel.

#include <string>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/testing/kernel_submission.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(kernel_attacks, *boost::unit_test::label("long"))

constexpr const char* kTop = R"(
#include <cstring>
#include <string>
#include <vector>
#include "device.h"
#include "self_attention_cuda.h"
namespace attn::cuda {
__global__ void softmax_of_rows(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= X.size(0)) return;
    float m = X(i, 0), sum = 0;
    for (int j = 1; j < X.size(1); ++j) m = fmaxf(m, X(i, j));
    for (int j = 0; j < X.size(1); ++j) sum += Y(i, j) = expf(X(i, j) - m);
    for (int j = 0; j < X.size(1); ++j) Y(i, j) /= sum;
}
__global__ void race(TensorView<float, 2> Y) { Y(0, 0) = static_cast<float>(threadIdx.x); }
__global__ void same(TensorView<float, 2> Y) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < Y.size(0)) for (int j = 0; j < Y.size(1); ++j) Y(i, j) = Y(i, j) * 1.0f;
}
// The same on the host, in memory of the host.
static std::vector<float> on_host(TensorView<const float, 2> X) {
    std::vector<float> x(X.count()), y(X.count());
    check(cudaMemcpy(x.data(), X.data(), x.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy");
    const int D = X.size(1);
    for (int i = 0; i < X.size(0); ++i) {
        float m = x[i * D], sum = 0;
        for (int j = 1; j < D; ++j) m = fmaxf(m, x[i * D + j]);
        for (int j = 0; j < D; ++j) sum += y[i * D + j] = expf(x[i * D + j] - m);
        for (int j = 0; j < D; ++j) y[i * D + j] /= sum;
    }
    return y;
}
void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream) {
    const int blocks = blocks_for(X.size(0), 128);
)";

struct KernelAttack {
    const char* name;
    const char* body;
    const char* says;  ///< in the message; null for a submission that is right
    Outcome outcome = Outcome::kernel_error;
    const char* top = "";  ///< before the functions of the contract
};
std::ostream& operator<<(std::ostream& out, const KernelAttack& attack) {
    return out << attack.name;
}

const std::vector<KernelAttack>& all_attacks() {
    static const std::vector<KernelAttack> kAll = {
        {"a right kernel", "softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);", nullptr},
        {"a right kernel into other memory, copied within the device",
         "float* other; check(cudaMalloc(&other, Y.count() * sizeof(float)), \"malloc\");"
         "softmax_of_rows<<<blocks, 128, 0, stream>>>(TensorView<float, 2>(other, Y.size(0), Y.size(1)), X);"
         "check(cudaMemcpyAsync(Y.data(), other, Y.count() * sizeof(float), cudaMemcpyDeviceToDevice, "
         "stream), \"copy\");"
         "check(cudaStreamSynchronize(stream), \"wait\"); check(cudaFree(other), \"free\");",
         nullptr},
        {"a right kernel after a memset",
         "check(cudaMemsetAsync(Y.data(), 0, Y.count() * sizeof(float), stream), \"memset\");"
         "softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);",
         nullptr},
        {"the host computes and copies",
         "const auto y = on_host(X); check(cudaMemcpy(Y.data(), y.data(), y.size() * sizeof(float), "
         "cudaMemcpyHostToDevice), \"copy\"); (void)blocks;",
         "the host did"},
        {"the host copies one row over a kernel's answer",
         "softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X); const auto y = on_host(X);"
         "check(cudaStreamSynchronize(stream), \"wait\");"
         "int most = 0; for (int j = 1; j < X.size(1); ++j) if (y[j] > y[most]) most = j;"  // y[0] may be 0
         "const_cast<float&>(y[most]) *= 1.0000002f;"
         "check(cudaMemcpy(Y.data(), y.data(), sizeof(float) * X.size(1), cudaMemcpyHostToDevice), "
         "\"copy\");",
         "the host did"},
        {"a kernel repeats what the host has copied",
         "const auto y = on_host(X); check(cudaMemcpy(Y.data(), y.data(), y.size() * sizeof(float), "
         "cudaMemcpyHostToDevice), \"copy\"); same<<<blocks, 128, 0, stream>>>(Y);",
         "the host did"},
        {"the host erases the findings",
         "race<<<1, 64, 0, stream>>>(Y); softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);"
         "check(cudaStreamSynchronize(stream), \"wait\");"
         "const_cast<std::vector<emulator::Finding>&>(emulator::findings()).clear();",
         "a function of the emulator's host", Outcome::not_compiled},
        {"the host keeps findings to itself",
         "attention_lab_send_findings_to(nullptr); race<<<1, 64, 0, stream>>>(Y);"
         "softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);",
         "a function of the emulator's host", Outcome::not_compiled,
         "namespace attn::cuda { using emulator::attention_lab_send_findings_to; }"},
        {"the host computes and lets the emulator forget the outputs",
         "const auto y = on_host(X); emulator::forget_outputs(); check(cudaMemcpy(Y.data(), y.data(), "
         "y.size() "
         "* sizeof(float), cudaMemcpyHostToDevice), \"copy\"); (void)blocks;",
         "a function of the emulator's host", Outcome::not_compiled},
        {"a kernel without the calls before its accesses",
         "hidden<<<1, 64, 0, stream>>>(Y.data()); softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);",
         "no_sanitize", Outcome::not_compiled,
         "__attribute__((no_sanitize(\"thread\"))) __global__ void hidden(float* y) { *y = threadIdx.x; }"},
        {"atomic functions of g++ for a race",
         "relaxed<<<1, 64, 0, stream>>>(reinterpret_cast<int*>(Y.data()));"
         "softmax_of_rows<<<blocks, 128, 0, stream>>>(Y, X);",
         "Race at", Outcome::kernel_error,
         "__global__ void relaxed(int* y) { __atomic_store_n(y, threadIdx.x, __ATOMIC_RELAXED); }"},
    };
    return kAll;
}

BOOST_DATA_TEST_CASE(earns_only_what_a_kernel_computes,
                     boost::unit_test::data::make(drawn(all_attacks(), at_most(3))), attack) {
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cu",
                 std::string("#include <cuda_runtime.h>\n") + attack.top + kTop + attack.body + "\n}\n}\n");
    const report::Report report = KernelSubmission(folder.path()).grade(2);
    const report::Part& part = report.assignments.at(0).parts.at(0);
    const auto checks = kernel_checks_of(part);
    BOOST_REQUIRE_MESSAGE(!checks.empty(), report.assignments.at(0).sources.back().messages);
    for (const report::Check* check : checks) {
        BOOST_TEST_CONTEXT(check->id << ": " << name_of(check->outcome) << ", " << check->message) {
            BOOST_TEST((check->outcome == Outcome::passed) == (attack.says == nullptr));
            if (attack.says != nullptr && check->outcome != Outcome::skipped) {
                BOOST_TEST(name_of(check->outcome) == name_of(attack.outcome));
                BOOST_TEST(check->message.find(attack.says) != std::string::npos);
            }
        }
    }
    BOOST_TEST((part.points > 0) == (attack.says == nullptr));
    BOOST_TEST(report.isolation.find("kernels: the emulator shares their process") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
