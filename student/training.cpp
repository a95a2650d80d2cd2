// Written by `contract --stubs` from training.h for you to fill in.
// Handout: assignments/14_training/README.md
// What each function has to do, with every shape: assignments/14_training/training.h
//
// Fill in the functions in this order, and run `make grade A=14` after each.

#include "training.h"

namespace attn {

// Step 1.  theta, gradient, m, v, decays, theta_new, m_new, v_new [W]
void adamw_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<const float, 1> theta, TensorView<const float, 1> gradient,
                TensorView<const float, 1> m, TensorView<const float, 1> v,
                TensorView<const std::uint8_t, 1> decays, int t, float eta, float beta_1, float beta_2,
                float eps, float decay) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)theta_new, (void)m_new, (void)v_new, (void)theta, (void)gradient, (void)m, (void)v, (void)decays,
        (void)t, (void)eta, (void)beta_1, (void)beta_2, (void)eps, (void)decay;
}

// Step 2.  eta [S]
void learning_rate(TensorView<float, 1> eta, Schedule schedule, float peak, float least, int warmup,
                   int steps) {
    // Your code.
    (void)eta, (void)schedule, (void)peak, (void)least, (void)warmup, (void)steps;
}

// Step 3.  gradient, clipped [W], norm [1] or empty
void clip_gradients(TensorView<float, 1> clipped, TensorView<float, 1> norm,
                    TensorView<const float, 1> gradient, float most) {
    // Your code.
    (void)clipped, (void)norm, (void)gradient, (void)most;
}

// Step 4.  normals, theta, decays [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D]
void initialise(TensorView<float, 1> theta, TensorView<std::uint8_t, 1> decays,
                TensorView<const float, 1> normals, int V, int N, int D, int F, int L) {
    // Your code.
    (void)theta, (void)decays, (void)normals, (void)V, (void)N, (void)D, (void)F, (void)L;
}

}  // namespace attn
