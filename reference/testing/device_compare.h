#pragma once
/// For the programs compare.cu, which run kernels on a GPU or on the emulator: inputs, attention by plain
/// loops, errors, copies and times.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "device.h"

namespace attn::testing {

/// Pseudo-random numbers from -2 to 2, the same ones every time.
inline std::vector<float> numbers(int count, unsigned seed) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        result.push_back(static_cast<float>(seed >> 8) / 4194304.0f - 2.0f);
    }
    return result;
}

struct AttentionShape {
    int B, N_q, N_k, D_q, D_v;
    bool causal = false;
};

/// Row (b, i) of Y by plain loops in `Number`; `row` is b N_q + i.
template <class Number>
std::vector<Number> plain_attention_row(const AttentionShape& s, const std::vector<float>& Q,
                                        const std::vector<float>& K, const std::vector<float>& V, int row) {
    const int b = row / s.N_q, i = row % s.N_q;
    const int keys = s.causal ? std::max(0, std::min(s.N_k, i + 1 + s.N_k - s.N_q)) : s.N_k;
    std::vector<Number> e(static_cast<std::size_t>(keys)), y(static_cast<std::size_t>(s.D_v));
    Number m = -INFINITY, sum = 0;
    for (int j = 0; j < keys; ++j) {
        for (int d = 0; d < s.D_q; ++d)
            e[j] += Number{Q[row * s.D_q + d]} * Number{K[(b * s.N_k + j) * s.D_q + d]};
        m = std::max(m, e[j] /= std::sqrt(static_cast<Number>(s.D_q)));
    }
    for (int j = 0; j < keys; ++j) sum += e[j] = std::exp(e[j] - m);
    for (int j = 0; j < keys; ++j)
        for (int d = 0; d < s.D_v; ++d) y[d] += e[j] / sum * Number{V[(b * s.N_k + j) * s.D_v + d]};
    return y;
}

/// The largest distance of any element of `got`, from its element `first` on; NaN if one is not a number.
template <class Number>
double largest_error(const std::vector<Number>& got, const std::vector<double>& wanted,
                     std::size_t first = 0) {
    double worst = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const double error = std::fabs(static_cast<double>(got[first + k]) - wanted[k]);
        if (!(error <= worst)) worst = error;
        if (std::isnan(worst)) break;
    }
    return worst;
}

/// A stream that does not wait for the default stream.
class Stream {
  public:
    Stream() {
        cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }
    ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    operator cudaStream_t() const { return stream_; }
    void wait(const char* call) const { cuda::check(cudaStreamSynchronize(stream_), call); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// An array in the device's memory that holds these numbers.
class OnDevice {
  public:
    explicit OnDevice(const std::vector<float>& host) : buffer_(host.size()) {
        cuda::check(cudaMemcpy(buffer_.data(), host.data(), buffer_.bytes(), cudaMemcpyHostToDevice),
                    "cudaMemcpy of an input");
        // A copy from pageable memory may end after cudaMemcpy has returned.
        cuda::check(cudaDeviceSynchronize(), "copying an input");
    }
    template <class... Sizes>
    TensorView<const float, sizeof...(Sizes)> view(Sizes... sizes) const {
        return buffer_.view(sizes...);
    }

  private:
    cuda::DeviceBuffer<float> buffer_;
};

/// The numbers of an array in the device's memory, after all work on it has ended.
inline std::vector<float> on_host(const cuda::DeviceBuffer<float>& buffer) {
    std::vector<float> host(buffer.bytes() / sizeof(float));
    cuda::check(cudaMemcpy(host.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost),
                "cudaMemcpy of an output");
    return host;
}

/// The median time in milliseconds of 21 calls, after 3 that do not count, by the device's clock. `call`
/// queues its work on `stream`.
template <class Call>
double median_time_ms(const Call& call, const Stream& stream, const char* name) {
    constexpr int kUncounted = 3, kCounted = 21;
    cudaEvent_t start = nullptr, stop = nullptr;
    cuda::check(cudaEventCreate(&start), "cudaEventCreate");
    cuda::check(cudaEventCreate(&stop), "cudaEventCreate");
    std::vector<float> times;
    for (int k = 0; k < kUncounted + kCounted; ++k) {
        cuda::check(cudaEventRecord(start, stream), "cudaEventRecord");
        call();
        cuda::check(cudaEventRecord(stop, stream), "cudaEventRecord");
        cuda::check(cudaEventSynchronize(stop), name);
        float milliseconds = 0;
        cuda::check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
        if (k >= kUncounted) times.push_back(milliseconds);
    }
    cuda::check(cudaEventDestroy(start), "cudaEventDestroy");
    cuda::check(cudaEventDestroy(stop), "cudaEventDestroy");
    std::sort(times.begin(), times.end());
    return times[kCounted / 2];
}

}  // namespace attn::testing
