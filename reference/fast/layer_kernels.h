#pragma once
/// What the layers compute row by row, compiled once for each vector unit as kernels.h has it.

#include <cstddef>
#include <cstdint>

namespace attn::fast {

struct LayerKernels {
    /// y = gamma (x - mu) / sqrt(var + eps) + beta; y may be x.
    void (*layer_norm)(float* y, const float* x, const float* gamma, const float* beta, float eps,
                       std::ptrdiff_t count);
    /// y[j] = f(x[j]); y may be x.
    void (*relu)(float* y, const float* x, std::ptrdiff_t count);
    void (*gelu_erf)(float* y, const float* x, std::ptrdiff_t count);
    void (*gelu_tanh)(float* y, const float* x, std::ptrdiff_t count);
    void (*tanh)(float* y, const float* x, std::ptrdiff_t count);
    /// sum_d v[d] tanh(q[d] + k[d])
    float (*score)(const float* v, const float* q, const float* k, std::ptrdiff_t count);
    /// Softmax over the j with mask[j] != 0, 0 for the others and where there is none; y may be x.
    void (*masked_softmax)(float* y, const float* x, const std::uint8_t* mask, std::ptrdiff_t count);

    /// y[j] = sigma(x[j]) = 1 / (1 + exp(-x[j])); y may be x.
    void (*sigma)(float* y, const float* x, std::ptrdiff_t count);
    /// y[j] = sigma(gate[j]) x[j]; y may be either.
    void (*gated)(float* y, const float* gate, const float* x, std::ptrdiff_t count);
    /// A step of an LSTM from its sums [z_i, z_f, z_g, z_o], `count` numbers of each:
    ///   c = sigma(z_f) c_prev + sigma(z_i) tanh(z_g),  h = sigma(z_o) tanh(c)
    void (*lstm)(float* h, float* c, const float* sums, const float* c_prev, std::ptrdiff_t count);
    /// h = z h_prev + (1 - z) n with z = sigma(gate), n = tanh(candidate)
    void (*gru)(float* h, const float* gate, const float* candidate, const float* h_prev,
                std::ptrdiff_t count);
};

/// Those of vector_unit().
const LayerKernels& layer_kernels();

}  // namespace attn::fast
