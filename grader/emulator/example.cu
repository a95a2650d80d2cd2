// Softmax by rows on the GPU, and a main that compares it with a plain loop. The same file runs in two ways:
//   nvcc -std=c++17 example.cu -o example && ./example
//   grader emulate example.cu
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

constexpr int kThreads = 64;  // per block; a block computes one row

/// The largest of the block's values, or their sum, for every thread. `part` has one element for each thread.
template <class Combine>
__device__ float combine_over_block(float value, float* part, Combine combine) {
    part[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    const float result = part[0];
    __syncthreads();  // before another thread writes to part again
    return result;
}

struct Largest {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

/// Y[i, :] = softmax(X[i, :]). Each block computes one row of n numbers.
__global__ void softmax_rows(float* Y, const float* X, int n) {
    __shared__ float part[kThreads];
    const float* x = X + static_cast<long>(blockIdx.x) * n;
    float* y = Y + static_cast<long>(blockIdx.x) * n;

    float largest = -INFINITY;
    for (int k = static_cast<int>(threadIdx.x); k < n; k += kThreads) largest = Largest()(largest, x[k]);
    largest = combine_over_block(largest, part, Largest());

    float sum = 0;
    for (int k = static_cast<int>(threadIdx.x); k < n; k += kThreads) sum += expf(x[k] - largest);
    sum = combine_over_block(sum, part, Sum());

    for (int k = static_cast<int>(threadIdx.x); k < n; k += kThreads) y[k] = expf(x[k] - largest) / sum;
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main(int argc, char** argv) {
    const int rows = argc > 1 ? std::atoi(argv[1]) : 5, n = argc > 2 ? std::atoi(argv[2]) : 100;
    const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(n);
    std::vector<float> X(count), Y(count);
    for (std::size_t k = 0; k < count; ++k) X[k] = static_cast<float>(k * 37 % 101) / 10;

    float *device_X = nullptr, *device_Y = nullptr;
    check(cudaMalloc(&device_X, count * sizeof(float)));
    check(cudaMalloc(&device_Y, count * sizeof(float)));
    check(cudaMemcpy(device_X, X.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    softmax_rows<<<rows, kThreads>>>(device_Y, device_X, n);
    check(cudaGetLastError());
    check(cudaMemcpy(Y.data(), device_Y, count * sizeof(float), cudaMemcpyDeviceToHost));
    check(cudaFree(device_X));
    check(cudaFree(device_Y));

    double worst = 0;
    for (int i = 0; i < rows; ++i) {
        const float* x = X.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n);
        const float* y = Y.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n);
        double largest = -INFINITY, sum = 0;
        for (int k = 0; k < n; ++k) largest = std::fmax(largest, x[k]);
        for (int k = 0; k < n; ++k) sum += std::exp(x[k] - largest);
        for (int k = 0; k < n; ++k)
            worst = std::fmax(worst, std::fabs(y[k] - std::exp(x[k] - largest) / sum));
    }
    std::printf("softmax of %d rows of %d: the largest error is %.1e\n", rows, n, worst);
    return worst <= 1e-6 ? 0 : 1;
}
