#pragma once
/// Calls kernels on this machine's GPU, once or in timed repetitions. (gpu/device/emulated_call.h calls them on
/// the emulator.)

#include <cstdint>

#include "grader/gpu/device/device_call.h"
#include "grader/gpu/device/timed_repetitions.h"

namespace attn::worker {

/// Fills memory of the stream's pool with NaN and returns it, so that a temporary array of the next call gets
/// no earlier call's numbers.
inline void fill_pool_with_nan() {
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    cudaMemPool_t pool = nullptr;
    std::uint64_t kept =
        ~std::uint64_t{0};  // the pool keeps its memory, instead of returning it when we wait
    cuda::check(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
    cuda::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
                "cudaMemPoolSetAttribute");
    const cuda::DeviceBuffer<unsigned char> block(stream_of_call(), kBytes);
    cuda::check(cudaMemsetAsync(block.data(), 0xff, block.bytes(), stream_of_call()), "cudaMemsetAsync");
}

/// Runs a call once.
struct OnceAfterNan {
    template <class Call>
    void operator()(const Call& call, const std::vector<Argument>& arguments,
                    const std::vector<DeviceOutput>&) const {
        fill_pool_with_nan();
        call(arguments);
    }
};

/// One argument more than the function has is an array for times: see TimedRepetitions.
inline void call_kernels(const DeviceFunction& f, const Argument* arguments, int count) {
    const int own = static_cast<int>(f.parameters.size());
    // CUDA keeps the error of an earlier call until it is read.
    static_cast<void>(cudaGetLastError());
    if (count == own + 1)
        call_on_device<PaddedMemory>(f, arguments, own, OutputsBefore::as_on_host,
                                     TimedRepetitions(arguments[own]));
    else
        call_on_device<PaddedMemory>(f, arguments, count, OutputsBefore::as_on_host, OnceAfterNan());
}

}  // namespace attn::worker
