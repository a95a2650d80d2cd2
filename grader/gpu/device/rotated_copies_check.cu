// A program for the emulator and for nvcc: timed calls use one copy of their arrays after the other. Between
// two uses of a copy others are used that together are twice as large as the L2 cache.

#include <cstdio>
#include <map>
#include <vector>

#include "grader/gpu/device/timed_repetitions.h"

namespace {

using attn::Argument;
using attn::TensorView;
namespace cuda = attn::cuda;
namespace worker = attn::worker;

__global__ void double_number(float* y, const float* x, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) y[i] = 2 * x[i];
}

constexpr int kNumbers = 50000, kRepetitions = 30;

struct UsedArrays {
    float* y;
    const float* x;
};
std::vector<UsedArrays> used;

void twice(TensorView<float, 1> Y, TensorView<const float, 1> X, cudaStream_t stream) {
    used.push_back({Y.data(), X.data()});
    double_number<<<cuda::blocks_for(Y.count(), 256), 256, 0, stream>>>(Y.data(), X.data(), Y.size(0));
    cuda::check(cudaGetLastError(), "double_number");
}

/// Makes the timed calls and takes the numbers of each. The last call's numbers remain.
struct LookedAt {
    worker::TimedRepetitions timed;
    std::vector<float>& last;

    template <class Call>
    void operator()(const Call& call, const std::vector<Argument>& arguments,
                    const std::vector<worker::DeviceOutput>& outputs) const {
        // The copies' memory is freed when the calls have ended, so each call's numbers are taken at once.
        const auto looking = [&](const std::vector<Argument>& given) {
            call(given);
            cuda::check(cudaMemcpyAsync(last.data(), given[0].data, last.size() * sizeof(float),
                                        cudaMemcpyDeviceToHost, attn::stream_of_call()),
                        "cudaMemcpyAsync");
        };
        timed(looking, arguments, outputs);
    }
};

int failed = 0;
void require(bool right, const char* what) {
    if (!right) std::printf("wrong: %s\n", what), ++failed;
}

}  // namespace

int main() {
    std::vector<float> X(kNumbers), Y(kNumbers), last(kNumbers);
    for (int i = 0; i < kNumbers; ++i) X[i] = static_cast<float>(i);
    std::vector<double> milliseconds(2 * kRepetitions, -1);
    Argument arguments[] = {{attn::ElementType::f32, 1, {kNumbers}, Y.data()},
                            {attn::ElementType::f32, 1, {kNumbers}, X.data()}};
    const Argument times{attn::ElementType::f64, 2, {2, kRepetitions}, milliseconds.data()};
    worker::call_on_device(worker::device_function(twice), arguments, 2, worker::OutputsBefore::as_on_host,
                           LookedAt{worker::TimedRepetitions(times), last});

    const std::size_t cache = worker::cache_bytes(), bytes_of_call = 2 * kNumbers * sizeof(float);
    std::map<const float*, std::size_t> last_use;
    std::size_t shortest = used.size();
    bool separate = true;
    for (std::size_t k = 0; k < used.size(); ++k) {
        separate = separate && used[k].y != Y.data() && used[k].x != X.data();
        if (const auto found = last_use.find(used[k].x); found != last_use.end())
            shortest = k - found->second < shortest ? k - found->second : shortest;
        last_use[used[k].x] = k;
    }
    const std::size_t copies = last_use.size();
    require(copies * bytes_of_call > 2 * cache, "the copies are larger than twice the cache");
    require((shortest - 1) * bytes_of_call >= 2 * cache - bytes_of_call, "no copy is used again too early");
    require(used.size() == copies + 3 + 2 * kRepetitions, "the number of calls");
    require(separate, "calls use arrays of the device");
    bool right = true;
    for (int i = 0; i < kNumbers; ++i) right = right && last[i] == 2 * X[i];
    require(right, "a call reads and writes its own copy");
    for (const double ms : milliseconds) require(ms >= 0, "every repetition has a time");
    if (failed == 0) std::printf("%zu copies, %zu calls\n", copies, used.size());
    return failed == 0 ? 0 : 1;
}
