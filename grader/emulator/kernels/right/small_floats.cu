// Numbers of 16 bits: half and bfloat16, alone and in pairs.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../corpus.h"

using namespace corpus;

namespace half_conversions {
// All 65536 patterns are converted to float and back.
__global__ void there_and_back(const __half* x, float* wide, __half* back) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    wide[i] = __half2float(x[i]);
    back[i] = __float2half(wide[i]);
}
bool run() {
    std::vector<__half> all(65536);
    for (unsigned i = 0; i < 65536; ++i) all[i] = __ushort_as_half(static_cast<unsigned short>(i));
    OnDevice<__half> x(all), back(65536);
    OnDevice<float> wide(65536);
    there_and_back<<<64, 1024>>>(x, wide, back);
    const auto seen = wide.values();
    const auto returned = back.values();
    for (unsigned i = 0; i < 65536; ++i) {
        const int exponent = i >> 10 & 31, fraction = i & 1023;
        const double size =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
        const bool not_a_number = exponent == 31 && fraction != 0;
        const double value = (i >> 15 ? -1 : 1) * (exponent == 31 ? HUGE_VAL : size);
        if (not_a_number ? seen[i] == seen[i] : static_cast<double>(seen[i]) != value) return false;
        if (not_a_number ? !__hisnan(returned[i]) : __half_as_ushort(returned[i]) != i) return false;
    }
    return true;
}
}  // namespace half_conversions

namespace rounding {
__global__ void narrow(const float* x, unsigned short* halves, unsigned short* bfloats) {
    const int i = threadIdx.x;
    halves[i] = __half_as_ushort(__float2half_rn(x[i]));
    bfloats[i] = __bfloat16_as_ushort(__float2bfloat16_rn(x[i]));
}
bool run() {
    const std::vector<float> a{0.1f,  -1.0f / 3, 65504.0f, 65519.996f, 65520.0f,
                               1e-7f, 2049.0f,   2051.0f,  -0.0f,      3e38f};
    OnDevice<float> x(a);
    OnDevice<unsigned short> halves(10), bfloats(10);
    narrow<<<1, 10>>>(x, halves, bfloats);
    return halves.values() == std::vector<unsigned short>{0x2e66, 0xb555, 0x7bff, 0x7bff, 0x7c00,
                                                          0x0002, 0x6800, 0x6802, 0x8000, 0x7c00} &&
           bfloats.values() == std::vector<unsigned short>{0x3dcd, 0xbeab, 0x4780, 0x4780, 0x4780,
                                                           0x33d7, 0x4500, 0x4500, 0x8000, 0x7f62};
}
}  // namespace rounding

namespace half_arithmetic {
__global__ void compute(const float* x, float* y) {
    const int t = threadIdx.x;
    const __half a = __float2half(x[t]), b = __float2half(x[t + 1]), c = __float2half(2.0f);
    __half sum = __hadd(a, b);
    sum = __hmul(sum, c);
    sum += __hsub(a, b);
    y[8 * t + 0] = __half2float(sum);
    y[8 * t + 1] = __half2float(__hfma(a, b, c));
    y[8 * t + 2] = __half2float(__hdiv(a, c) - (-b));
    y[8 * t + 3] = __hgt(a, b) ? 1.0f : 0.0f;
    y[8 * t + 4] = __half2float(__hmax(a, b));
    y[8 * t + 5] = __half2float(hexp(a));
    y[8 * t + 6] = __half2float(hsqrt(__habs(a)));
    y[8 * t + 7] = a < b && !__hisnan(a) ? __half2float(__hneg(a)) : __half2float(__hmin(a, b));
}
bool run() {
    const auto a = numbers(33);
    OnDevice<float> x(a), y(256);
    compute<<<1, 32>>>(x, y);
    return near(y.values(),
                wanted(256,
                       [&](int i) {
                           const float u = a[i / 8], v = a[i / 8 + 1];
                           const float all[] = {3 * u + v,
                                                u * v + 2,
                                                u / 2 + v,
                                                u > v ? 1.0f : 0.0f,
                                                std::fmax(u, v),
                                                std::exp(u),
                                                std::sqrt(std::fabs(u)),
                                                u < v ? -u : std::fmin(u, v)};
                           return all[i % 8];
                       }),
                3e-3);
}
}  // namespace half_arithmetic

namespace half_pairs {
__global__ void axpy(float a, const __half2* x, __half2* y, int pairs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}
__global__ void widen(const __half2* x, float2* y, int pairs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) y[i] = __half22float2(__hmul2(x[i], __floats2half2_rn(1.0f, -1.0f)));
}
bool run() {
    const auto a = numbers(200);
    std::vector<__half2> pairs(100);
    for (int i = 0; i < 100; ++i) pairs[i] = __floats2half2_rn(a[2 * i], a[2 * i + 1]);
    OnDevice<__half2> x(pairs), y(pairs);
    OnDevice<float> z(200);
    axpy<<<2, 64>>>(2.0f, x, y, 100);
    widen<<<2, 64>>>(y, reinterpret_cast<float2*>(static_cast<float*>(z)), 100);
    return near(z.values(), wanted(200, [&](int i) { return (i % 2 ? -3 : 3) * a[i]; }), 3e-3);
}
}  // namespace half_pairs

namespace halves_in_shared_memory {
__global__ void sums_of_two(const float* x, float* y) {
    __shared__ __half line[64];
    const int t = threadIdx.x;
    line[t] = __float2half(x[t]);
    __syncthreads();
    const __half2 pair = reinterpret_cast<const __half2*>(line)[t / 2];
    y[t] = __half2float(__hadd(__low2half(pair), __high2half(pair)));
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(64);
    sums_of_two<<<1, 64>>>(x, y);
    return near(y.values(), wanted(64, [&](int i) { return a[i / 2 * 2] + a[i / 2 * 2 + 1]; }), 3e-3);
}
}  // namespace halves_in_shared_memory

namespace half_shuffles_and_atomics {
__global__ void sum(const __half* x, __half* y, __half2* z) {
    __half v = x[threadIdx.x];
    for (int k = 16; k > 0; k /= 2) v = __hadd(v, __shfl_xor_sync(0xffffffffu, v, k));
    if (threadIdx.x == 0) atomicAdd(&y[1], v);
    atomicAdd(z, __half2half2(x[threadIdx.x]));
}
bool run() {
    OnDevice<__half> x(std::vector<__half>(64, __float2half(0.5f))), y(2, __float2half(1.0f));
    OnDevice<__half2> z(1, __floats2half2_rn(0.0f, 2.0f));
    sum<<<1, 64>>>(x, y, z);
    const auto sums = y.values();
    const auto pair = z.values()[0];
    return __half2float(sums[0]) == 1 && __half2float(sums[1]) == 17 && __low2float(pair) == 32 &&
           __high2float(pair) == 34;
}
}  // namespace half_shuffles_and_atomics

namespace bfloats {
__global__ void dot(const __nv_bfloat16* x, const __nv_bfloat162* pairs, float* y, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += __bfloat162float(x[i]) * __bfloat162float(x[n - 1 - i]);
    for (int i = threadIdx.x; i < n / 2; i += 32) {
        const float2 pair = __bfloat1622float2(__hadd2(pairs[i], __float2bfloat162_rn(1.0f)));
        sum += pair.x * pair.y;
    }
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
    if (threadIdx.x == 0) *y = sum;
}
bool run() {
    const auto a = numbers(100);
    std::vector<__nv_bfloat16> narrow(100);
    std::vector<__nv_bfloat162> pairs(50);
    for (int i = 0; i < 100; ++i) narrow[i] = __float2bfloat16(a[i]);
    for (int i = 0; i < 50; ++i) pairs[i] = __halves2bfloat162(narrow[2 * i], narrow[2 * i + 1]);
    OnDevice<__nv_bfloat16> x(narrow);
    OnDevice<__nv_bfloat162> p(pairs);
    OnDevice<float> y(1);
    dot<<<1, 32>>>(x, p, y, 100);
    double sum = 0;
    for (int i = 0; i < 100; ++i) sum += static_cast<double>(a[i]) * a[99 - i];
    for (int i = 0; i < 50; ++i) sum += (a[2 * i] + 1.0) * (a[2 * i + 1] + 1.0);
    return near(y.values(), wanted(1, [&](int) { return sum; }), 0.01);
}
}  // namespace bfloats

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"half_conversions", half_conversions::run},
                {"rounding", rounding::run},
                {"half_arithmetic", half_arithmetic::run},
                {"half_pairs", half_pairs::run},
                {"halves_in_shared_memory", halves_in_shared_memory::run},
                {"half_shuffles_and_atomics", half_shuffles_and_atomics::run},
                {"bfloats", bfloats::run}});
}
