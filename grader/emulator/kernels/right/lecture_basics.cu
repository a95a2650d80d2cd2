// The first lectures of a course: one thread for each element, written with the API's own functions.

#include <algorithm>

#include "../corpus.h"

using namespace corpus;

#define CHECK(call)                                                                    \
    do {                                                                               \
        const cudaError_t error = (call);                                              \
        if (error != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                              \
        }                                                                              \
    } while (0)

namespace vector_add {
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
bool run() {
    const int n = 50000 / 7;
    const size_t bytes = n * sizeof(float);
    float *h_a = (float*)malloc(bytes), *h_b = (float*)malloc(bytes), *h_c = (float*)malloc(bytes);
    for (int i = 0; i < n; ++i) {
        h_a[i] = rand() / (float)RAND_MAX;
        h_b[i] = rand() / (float)RAND_MAX;
    }
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    CHECK(cudaMalloc((void**)&d_a, bytes));
    CHECK(cudaMalloc((void**)&d_b, bytes));
    CHECK(cudaMalloc((void**)&d_c, bytes));
    CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));
    const int threads = 256, blocks = (n + threads - 1) / threads;
    add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !(fabs(h_a[i] + h_b[i] - h_c[i]) <= 1e-5);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(h_a);
    free(h_b);
    free(h_c);
    return wrong == 0;
}
}  // namespace vector_add

namespace saxpy {
// The grid follows from the device, not from the vector.
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const unsigned stride = blockDim.x * gridDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n; i += stride)
        y[i] = fmaf(a, x[i], y[i]);
}
bool run() {
    int device = 0, processors = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const auto x = numbers(3001), y = numbers(3001, 2);
    OnDevice<float> d_x(x), d_y(y);
    const int blocks = std::min(processors, 8);
    saxpy<<<blocks, 128>>>(3001, 2.5f, d_x, d_y);
    CHECK(cudaDeviceSynchronize());
    return near(d_y.values(), wanted(3001, [&](int i) { return 2.5 * x[i] + y[i]; }));
}
}  // namespace saxpy

namespace colour_to_grey {
__global__ void grey(const uchar3* image, unsigned char* result, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uchar3 pixel = image[y * width + x];
    result[y * width + x] = (unsigned char)(0.299f * pixel.x + 0.587f * pixel.y + 0.114f * pixel.z);
}
bool run() {
    const int width = 61, height = 35;
    std::vector<uchar3> image(width * height);
    for (int i = 0; i < width * height; ++i)
        image[i] = make_uchar3(i % 256, i * 3 % 256, static_cast<unsigned char>(255 - i % 256));
    OnDevice<uchar3> colours(image);
    OnDevice<unsigned char> result(width * height);
    const dim3 block(16, 16), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    grey<<<grid, block>>>(colours, result, width, height);
    return near(
        result.values(),
        wanted(width * height,
               [&](int i) { return (int)(0.299f * image[i].x + 0.587f * image[i].y + 0.114f * image[i].z); }),
        0.02);
}
}  // namespace colour_to_grey

namespace polynomial {
// The coefficients are the same for all threads, so they are in constant memory.
__constant__ float coefficients[6];
template <int kDegree>
__device__ __forceinline__ float horner(float x) {
    float y = coefficients[kDegree];
#pragma unroll
    for (int k = kDegree - 1; k >= 0; --k) y = y * x + coefficients[k];
    return y;
}
__global__ void evaluate(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = horner<5>(x[i]);
}
bool run() {
    const float c[6] = {1, -2, 0.5f, 3, -1, 0.25f};
    CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof(c)));
    const auto x = numbers(500);
    OnDevice<float> d_x(x), y(500);
    evaluate<<<4, 128>>>(d_x, y, 500);
    return near(y.values(), wanted(500, [&](int i) {
                    double sum = 0;
                    for (int k = 0; k < 6; ++k) sum += c[k] * std::pow(x[i], k);
                    return sum;
                }));
}
}  // namespace polynomial

namespace copy_by_quads {
// Most of the vector is copied by float4. The last thread copies the rest by single floats.
__global__ void copy(const float* x, float* y, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x, quads = n / 4;
    for (int i = t; i < quads; i += blockDim.x * gridDim.x)
        reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(x)[i];
    if (t == quads % (int)(blockDim.x * gridDim.x))
        for (int i = 4 * quads; i < n; ++i) y[i] = x[i];
}
bool run() {
    const auto x = numbers(1023);
    OnDevice<float> d_x(x), y(1023);
    copy<<<2, 64>>>(d_x, y, 1023);
    return near(y.values(), wanted(1023, [&](int i) { return x[i]; }), 0);
}
}  // namespace copy_by_quads

namespace mandelbrot {
struct Complex {
    float re, im;
    __host__ __device__ Complex(float a, float b) : re(a), im(b) {}
    __host__ __device__ Complex operator*(const Complex& z) const {
        return Complex(re * z.re - im * z.im, im * z.re + re * z.im);
    }
    __host__ __device__ Complex operator+(const Complex& z) const { return Complex(re + z.re, im + z.im); }
    __host__ __device__ float square() const { return re * re + im * im; }
};
__host__ __device__ int steps_at(int x, int y, int size) {
    const Complex c(3.0f * x / size - 2.0f, 3.0f * y / size - 1.5f);
    Complex z(0, 0);
    int steps = 0;
    while (steps < 40 && z.square() < 4) {
        z = z * z + c;
        ++steps;
    }
    return steps;
}
__global__ void draw(int* image, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) image[y * size + x] = steps_at(x, y, size);
}
bool run() {
    const int size = 45;
    OnDevice<int> image(size * size);
    draw<<<dim3(3, 6), dim3(16, 8)>>>(image, size);
    int different = 0;
    const auto got = image.values();
    for (int i = 0; i < size * size; ++i) different += got[i] != steps_at(i % size, i / size, size);
    return different <= 10;  // a GPU fuses multiplication and addition
}
}  // namespace mandelbrot

namespace structures_of_arrays {
struct Particle {
    float3 position, velocity;
    int kind;
};
struct Particles {
    float *x, *y, *z;
};
__global__ void move(const Particle* particles, Particles moved, float dt, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    Particle p = particles[i];
    if (p.kind == 0) p.velocity.y -= 9.81f * dt;
    moved.x[i] = p.position.x + dt * p.velocity.x;
    moved.y[i] = p.position.y + dt * p.velocity.y;
    moved.z[i] = p.position.z + dt * p.velocity.z;
}
bool run() {
    const int n = 333;
    const auto a = numbers(6 * n);
    std::vector<Particle> particles(n);
    for (int i = 0; i < n; ++i)
        particles[i] = {make_float3(a[6 * i], a[6 * i + 1], a[6 * i + 2]),
                        make_float3(a[6 * i + 3], a[6 * i + 4], a[6 * i + 5]), i % 2};
    OnDevice<Particle> d(particles);
    OnDevice<float> x(n), y(n), z(n);
    move<<<blocks_for(n, 64), 64>>>(d, Particles{x, y, z}, 0.1f, n);
    return near(x.values(), wanted(n, [&](int i) { return a[6 * i] + 0.1 * a[6 * i + 3]; })) &&
           near(y.values(), wanted(n,
                                   [&](int i) {
                                       return a[6 * i + 1] + 0.1 * (a[6 * i + 4] - (i % 2 == 0 ? 0.981 : 0));
                                   })) &&
           near(z.values(), wanted(n, [&](int i) { return a[6 * i + 2] + 0.1 * a[6 * i + 5]; }));
}
}  // namespace structures_of_arrays

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"vector_add", vector_add::run},
                {"saxpy", saxpy::run},
                {"colour_to_grey", colour_to_grey::run},
                {"polynomial", polynomial::run},
                {"copy_by_quads", copy_by_quads::run},
                {"mandelbrot", mandelbrot::run},
                {"structures_of_arrays", structures_of_arrays::run}});
}
