#include <cstddef>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

#include "assignments/tensor.h"
#include "assignments/tensor_on_device.h"

namespace attn::testing {
namespace {

void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

/// Memory of the device, freed with its owner.
class DeviceBuffer {
  public:
    explicit DeviceBuffer(std::size_t count) {
        check(cudaMalloc(&data_, count * sizeof(float)), "cudaMalloc");
    }
    // A destructor cannot throw, and what cudaFree reports is an earlier call's error, thrown already.
    ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    float* data() const { return data_; }

  private:
    float* data_ = nullptr;
};

__global__ void double_each(TensorView<float, 3> Y, TensorView<const float, 3> X) {
    const int b = static_cast<int>(blockIdx.x);
    const TensorView<float, 2> Y_b = Y[b];
    for (int i = static_cast<int>(threadIdx.x); i < Y_b.size(0); i += static_cast<int>(blockDim.x))
        for (int j = 0; j < Y_b.size(1); ++j) Y_b(i, j) = 2 * X(b, i, j);
}

}  // namespace

bool device_present() {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) return false;
    check(status, "cudaGetDeviceCount");
    return devices > 0;
}

std::vector<float> double_on_device(const std::vector<float>& X, int B, int N, int D) {
    const TensorView<const float, 3> shaped(X.data(), B, N, D);
    if (static_cast<std::size_t>(shaped.count()) != X.size())
        throw std::invalid_argument("double_on_device: X has not B N D numbers");
    const DeviceBuffer x(X.size()), y(X.size());
    const std::size_t bytes = X.size() * sizeof(float);
    check(cudaMemcpy(x.data(), X.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    double_each<<<B, 32>>>({y.data(), B, N, D}, TensorView<const float, 3>(x.data(), B, N, D));
    check(cudaGetLastError(), "starting double_each");
    check(cudaDeviceSynchronize(), "running double_each");
    std::vector<float> Y(X.size());
    check(cudaMemcpy(Y.data(), y.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
    return Y;
}

}  // namespace attn::testing
