#pragma once
/// What backwards compute row by row, compiled once for each vector unit as kernels.h has it.

#include <cstddef>
#include <cstdint>

namespace attn::fast {

/// The numbers of one step of Adam with decoupled weight decay.
struct AdamStep {
    float eta, beta_1, beta_2, eps, decay;
    float correction_1, correction_2;  ///< 1 / (1 - beta^t)
};

struct GradientKernels {
    /// dx[j] = factor y[j] (dy[j] - sum_k dy[k] y[k]), with y the softmax; dx may be dy.
    void (*softmax)(float* dx, const float* dy, const float* y, float factor, std::ptrdiff_t count);
    /// dx += the gradient of layer norm, dgamma += dy x_hat, dbeta += dy.
    void (*layer_norm)(float* dx, float* dgamma, float* dbeta, const float* dy, const float* x,
                       const float* gamma, float eps, std::ptrdiff_t count);
    /// m[j] = f(u[j]), du[j] = du[j] f'(u[j])
    void (*relu)(float* m, float* du, const float* u, std::ptrdiff_t count);
    void (*gelu_erf)(float* m, float* du, const float* u, std::ptrdiff_t count);
    void (*gelu_tanh)(float* m, float* du, const float* u, std::ptrdiff_t count);
    /// Of e = sum_d v[d] tanh(z[d]) with z = q + k: dv += de tanh(z), dq += dz, dk += dz, with
    /// dz = de v (1 - tanh(z)^2).
    void (*score)(float* dv, float* dq, float* dk, float de, const float* v, const float* q, const float* k,
                  std::ptrdiff_t count);
    /// m_new = beta_1 m + (1 - beta_1) g,  v_new = beta_2 v + (1 - beta_2) g^2
    /// theta_new = theta - eta (c_1 m_new / (sqrt(c_2 v_new) + eps) + decay theta), decay only where decays[j] != 0
    /// Each output may be the array that it is made from.
    void (*adam)(float* theta_new, float* m_new, float* v_new, const float* theta, const float* gradient,
                 const float* m, const float* v, const std::uint8_t* decays, const AdamStep& step,
                 std::ptrdiff_t count);
};

/// Those of vector_unit().
const GradientKernels& gradient_kernels();

}  // namespace attn::fast
