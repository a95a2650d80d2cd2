// Functions of CUDA's manuals that the C library lacks, held to plain loops on the host.

#include <algorithm>
#include <cstdint>

#include "../corpus.h"

using namespace corpus;

namespace bytes_in_a_word {
constexpr int kFunctions = 14;
__global__ void all(const unsigned* x, const unsigned* y, unsigned* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned a = x[i], b = y[i];
    unsigned* out = z + kFunctions * i;
    out[0] = __vadd4(a, b);
    out[1] = __vsub4(a, b);
    out[2] = __vaddus4(a, b);
    out[3] = __vsubss4(a, b);
    out[4] = __vabsdiffu4(a, b);
    out[5] = __vavgu4(a, b);
    out[6] = __vmaxs4(a, b);
    out[7] = __vminu4(a, b);
    out[8] = __vcmpgts4(a, b);
    out[9] = __vseteq4(a, b);
    out[10] = __vsadu4(a, b);
    out[11] = __vneg4(a);
    out[12] = __vadd2(a, b);
    out[13] = __vmaxs2(a, b);
}
unsigned bytes(unsigned a, unsigned b, int (*f)(int, int), bool with_sign) {
    unsigned result = 0;
    for (int k = 0; k < 4; ++k) {
        int p = a >> 8 * k & 0xff, q = b >> 8 * k & 0xff;
        if (with_sign && p > 127) p -= 256;
        if (with_sign && q > 127) q -= 256;
        result |= (static_cast<unsigned>(f(p, q)) & 0xff) << 8 * k;
    }
    return result;
}
unsigned halves(unsigned a, unsigned b, int (*f)(int, int)) {
    unsigned result = 0;
    for (int k = 0; k < 2; ++k)
        result |= (static_cast<unsigned>(
                       f(static_cast<std::int16_t>(a >> 16 * k), static_cast<std::int16_t>(b >> 16 * k))) &
                   0xffff)
                  << 16 * k;
    return result;
}
bool run() {
    std::vector<unsigned> a = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01fe7f80},
                          b = {0, 0x01010101, 0x80808080, 0x01ff8001, 0x01fe7f80};
    for (unsigned i = 0, word = 12345; i < 123; ++i) {
        a.push_back(word = word * 1664525u + 1013904223u);
        b.push_back(word = word * 1664525u + 1013904223u);
    }
    const int n = static_cast<int>(a.size());
    OnDevice<unsigned> x(a), y(b), z(kFunctions * n);
    all<<<blocks_for(n, 64), 64>>>(x, y, z, n);
    return near(z.values(), wanted(kFunctions * n, [&](int at) {
                    const unsigned p = a[at / kFunctions], q = b[at / kFunctions];
                    switch (at % kFunctions) {
                        case 0:
                            return bytes(
                                p, q, [](int s, int t) { return s + t; }, false);
                        case 1:
                            return bytes(
                                p, q, [](int s, int t) { return s - t; }, false);
                        case 2:
                            return bytes(
                                p, q, [](int s, int t) { return std::min(s + t, 255); }, false);
                        case 3:
                            return bytes(
                                p, q, [](int s, int t) { return std::max(-128, std::min(s - t, 127)); },
                                true);
                        case 4:
                            return bytes(
                                p, q, [](int s, int t) { return std::abs(s - t); }, false);
                        case 5:
                            return bytes(
                                p, q, [](int s, int t) { return (s + t + 1) / 2; }, false);
                        case 6:
                            return bytes(
                                p, q, [](int s, int t) { return std::max(s, t); }, true);
                        case 7:
                            return bytes(
                                p, q, [](int s, int t) { return std::min(s, t); }, false);
                        case 8:
                            return bytes(
                                p, q, [](int s, int t) { return s > t ? 255 : 0; }, true);
                        case 9:
                            return bytes(
                                p, q, [](int s, int t) { return s == t ? 1 : 0; }, false);
                        case 10: {
                            unsigned sum = 0;
                            for (int k = 0; k < 4; ++k)
                                sum += std::abs(static_cast<int>(p >> 8 * k & 0xff) -
                                                static_cast<int>(q >> 8 * k & 0xff));
                            return sum;
                        }
                        case 11:
                            return bytes(
                                p, 0, [](int s, int) { return -s; }, false);
                        case 12:
                            return halves(p, q, [](int s, int t) { return s + t; });
                        default:
                            return halves(p, q, [](int s, int t) { return std::max(s, t); });
                    }
                }));
}
}  // namespace bytes_in_a_word

namespace probabilities {
// Each function is undone by another one, or given at a known point.
__global__ void all(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = x[i];
    float* out = y + 6 * i;
    out[0] = erff(erfinvf(v));
    out[1] = erfcf(erfcinvf(1 + v));
    out[2] = normcdff(normcdfinvf(0.5f + v / 2));
    out[3] = erfcxf(3 * v) * expf(-9 * v * v);
    out[4] = sinpif(v);
    out[5] = cospif(v);
}
bool run() {
    const auto a = numbers(500);
    OnDevice<float> x(a), y(3000);
    all<<<blocks_for(500, 64), 64>>>(x, y, 500);
    return near(y.values(),
                wanted(3000,
                       [&](int at) {
                           const double v = a[at / 6], pi = 3.141592653589793;
                           const double all[] = {
                               v, 1 + v, 0.5 + v / 2, std::erfc(3 * v), std::sin(pi * v), std::cos(pi * v)};
                           return all[at % 6];
                       }),
                3e-6);
}
}  // namespace probabilities

namespace probabilities_in_the_tails {
__global__ void all(double* y) {
    y[0] = erfcx(10.0);  // Abramowitz and Stegun: 0.0561409927438226
    y[1] = erfcx(200.0) * 200.0 * sqrt(3.141592653589793);
    y[2] = normcdfinv(0.975);
    y[3] = normcdfinv(1e-10);
    y[4] = erfinv(1e-12) * 1e12;
    y[5] = cyl_bessel_i0(1.0);
    y[6] = sinpi(1e9 + 0.5);
    y[7] = cospi(-0.5);
}
bool run() {
    OnDevice<double> y(8);
    all<<<1, 1>>>(y);
    const double known[] = {0.0561409927438226,
                            1 - 1.0 / (2 * 200.0 * 200.0),
                            1.959963984540054,
                            -6.361340902404056,
                            0.886226925452758,
                            1.2660658777520084,
                            1,
                            0};
    return near(y.values(), wanted(8, [&](int i) { return known[i]; }), 1e-8);
}
}  // namespace probabilities_in_the_tails

namespace directed_rounding {
// The result upwards is the result downwards or the next number, and the exact value lies between.
__global__ void all(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float a = x[i], b = x[(i + 1) % n] * 1e-3f;
    float* out = y + 9 * i;
    out[0] = __fadd_rd(a, b);
    out[1] = __fadd_ru(a, b);
    out[2] = __fadd_rz(a, b);
    out[3] = __fmul_rd(a, b);
    out[4] = __fmul_ru(a, b);
    out[5] = __fmul_rz(a, b);
    out[6] = __fadd_rd(1.0f, 1e-30f);
    out[7] = __fadd_ru(1.0f, 1e-30f);
    out[8] = __fmaf_rd(a, b, -a * b);
}
bool run() {
    const auto a = numbers(300);
    OnDevice<float> x(a), y(2700);
    all<<<blocks_for(300, 64), 64>>>(x, y, 300);
    const std::vector<float> got = y.values();
    for (int i = 0; i < 300; ++i) {
        const float p = a[i], q = a[(i + 1) % 300] * 1e-3f;
        const double exact[] = {static_cast<double>(p) + q, static_cast<double>(p) * q};
        for (int k = 0; k < 2; ++k) {
            const float down = got[9 * i + 3 * k], up = got[9 * i + 3 * k + 1], zero = got[9 * i + 3 * k + 2];
            if (!(down <= exact[k] && exact[k] <= up && up <= std::nextafterf(down, 2.0f))) return false;
            if (zero != (exact[k] < 0 ? up : down)) return false;
        }
        if (got[9 * i + 6] != 1.0f || got[9 * i + 7] != std::nextafterf(1.0f, 2.0f)) return false;
        const float nearest = p * q;
        const double rest = exact[1] - nearest;  // exact: the product needs 48 bits
        if (!(got[9 * i + 8] <= rest && std::nextafterf(got[9 * i + 8], 2.0f) >= rest)) return false;
    }
    return true;
}
}  // namespace directed_rounding

namespace halves_of_a_double {
__global__ void turn(const double* x, double* y, int* z) {
    const int i = threadIdx.x;
    y[i] = __hiloint2double(__double2hiint(x[i]), __double2loint(x[i]));
    z[4 * i] = __dp2a_lo(static_cast<int>(0x00020003 + i), 0x7f80ff05, 7);
    z[4 * i + 1] = __dp2a_hi(static_cast<int>(0x00020003 + i), 0x7f80ff05, 7);
    z[4 * i + 2] = __rhadd(-3, i);
    z[4 * i + 3] = static_cast<int>(__funnelshift_lc(1u, 2u, 32u));
}
bool run() {
    const std::vector<double> a = {0, -1.5, 1e300, -1e-300};
    OnDevice<double> x(a), y(4);
    OnDevice<int> z(16);
    turn<<<1, 4>>>(x, y, z);
    return y.values() == a && near(z.values(), wanted(16, [](int at) {
                                       const int i = at / 4;
                                       const int all[] = {7 + (3 + i) * 5 + 2 * -1,
                                                          7 + (3 + i) * -128 + 2 * 127, (i - 2) >> 1, 1};
                                       return all[at % 4];
                                   }));
}
}  // namespace halves_of_a_double

namespace kinds_of_memory {
__device__ int variable;
__global__ void ask(const float* x, unsigned* y) {
    __shared__ float tile[4];
    float own[2] = {1, 2};
    tile[0] = 1;
    __builtin_assume(threadIdx.x == 0);
    y[0] = __isGlobal(x) + 2 * __isShared(x) + 4 * __isLocal(x);
    y[1] = __isGlobal(tile) + 2 * __isShared(tile) + 4 * __isLocal(tile);
    y[2] = __isGlobal(own) + 2 * __isShared(own) + 4 * __isLocal(own);
    y[3] = __isGlobal(&variable);
}
bool run() {
    OnDevice<float> x(4, 1.0f);
    OnDevice<unsigned> y(4);
    ask<<<1, 1>>>(x, y);
    const unsigned known[] = {1, 2, 4, 1};
    float host = 0, *both = nullptr;
    cudaMallocManaged(&both, 16);
    cudaPointerAttributes of_x, of_host, of_both;
    bool right = cudaPointerGetAttributes(&of_x, x) == cudaSuccess &&
                 cudaPointerGetAttributes(&of_host, &host) == cudaSuccess &&
                 cudaPointerGetAttributes(&of_both, both) == cudaSuccess;
    right = right && of_x.type == cudaMemoryTypeDevice && of_x.devicePointer == static_cast<float*>(x);
    right = right && of_host.type == cudaMemoryTypeUnregistered && of_both.type == cudaMemoryTypeManaged &&
            of_both.hostPointer == both;
    cudaFree(both);
    return right && near(y.values(), wanted(4, [&](int i) { return known[i]; }));
}
}  // namespace kinds_of_memory

namespace settings_of_a_device {
__global__ void fill(float* x) {
    x[threadIdx.x] = 3;
}
bool run() {
    cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
    cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1);
    int least = 0, greatest = 0, can = 1, number = -1;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaDeviceCanAccessPeer(&can, 0, 0);
    cudaDeviceProp wanted_device = {};
    cudaChooseDevice(&number, &wanted_device);
    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long keep = ~0ull;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    std::vector<float> host(32);
    cudaHostRegister(host.data(), 32 * sizeof(float), cudaHostRegisterDefault);
    float* x = nullptr;
    cudaMallocAsync(&x, 32 * sizeof(float), stream);
    fill<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(host.data(), x, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(host.data());
    cudaStreamDestroy(stream);
    return number == 0 && least >= greatest && near(host, wanted(32, [](int) { return 3; }));
}
}  // namespace settings_of_a_device

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"bytes_in_a_word", bytes_in_a_word::run},
                {"probabilities", probabilities::run},
                {"probabilities_in_the_tails", probabilities_in_the_tails::run},
                {"directed_rounding", directed_rounding::run},
                {"halves_of_a_double", halves_of_a_double::run},
                {"kinds_of_memory", kinds_of_memory::run},
                {"settings_of_a_device", settings_of_a_device::run}});
}
