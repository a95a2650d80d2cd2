// The functions of training.h, empty, for you to fill in.
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

// Step 5.  theta [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D], tokens, targets [B, N], loss [1],
//          gradient [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D]
void language_model_backward(TensorView<float, 1> loss, TensorView<float, 1> gradient,
                             TensorView<const float, 1> theta, TensorView<const int, 2> tokens,
                             TensorView<const int, 2> targets, int V, int D, int F, int H, int L) {
    // Your code.
    (void)loss, (void)gradient, (void)theta, (void)tokens, (void)targets, (void)V, (void)D, (void)F, (void)H,
        (void)L;
}

// Step 6.  theta, m, v, decays [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D], targets [B, N], theta_new, m_new,
//          v_new [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D], loss [1]
void train_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<float, 1> loss, TensorView<const float, 1> theta, TensorView<const float, 1> m,
                TensorView<const float, 1> v, TensorView<const std::uint8_t, 1> decays,
                TensorView<const int, 2> targets, int V, int D, int F, int H, int L, int t, float eta,
                float most, float decay) {
    // Your code.
    (void)theta_new, (void)m_new, (void)v_new, (void)loss, (void)theta, (void)m, (void)v, (void)decays,
        (void)targets, (void)V, (void)D, (void)F, (void)H, (void)L, (void)t, (void)eta, (void)most,
        (void)decay;
}

// Step 7.  theta, decays [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D], targets [B, N], eta, losses [S],
//          theta_new [V*D+N*D+4*L*D*D+2*L*D*F+9*L*D+L*F+2*D], P [B, N, V]
void train(TensorView<float, 1> losses, TensorView<float, 1> theta_new, TensorView<float, 3> P,
           TensorView<const float, 1> theta, TensorView<const std::uint8_t, 1> decays,
           TensorView<const int, 2> targets, TensorView<const float, 1> eta, int V, int D, int F, int H,
           int L, float most, float decay) {
    // Your code.
    (void)losses, (void)theta_new, (void)P, (void)theta, (void)decays, (void)targets, (void)eta, (void)V,
        (void)D, (void)F, (void)H, (void)L, (void)most, (void)decay;
}

}  // namespace attn
