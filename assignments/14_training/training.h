#pragma once
/// Assignment 14: training. You write these functions in student/training.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element. Tokens are whole numbers 0 .. V - 1, and -1 is the target of a place that does not count.
/// All weights of the model stand in one vector theta, one array after the other: flat_model.h has the order.
/// Letters:  W any number of weights, S steps, B sentences, N tokens in a sentence, V tokens in the vocabulary,
///           D numbers in a vector, F numbers in the hidden layer, H heads, L blocks; w weight, t step from 1,
///           b sentence, i place, v token;
///           N_theta = V D + N D + 4 L D D + 2 L D F + 9 L D + L F + 2 D, the weights of the model.

#include <cstdint>

#include "../tensor.h"
#include "flat_model.h"

namespace attn {

/// How the learning rate changes after the warm-up.
enum class Schedule { inverse_root, cosine };

/// One step of Adam with decoupled weight decay, step t = 1, 2, ..
///   m_new[w] = beta_1 m[w] + (1 - beta_1) gradient[w]      [W]
///   v_new[w] = beta_2 v[w] + (1 - beta_2) gradient[w]^2      [W]
///   m_hat[w] = m_new[w] / (1 - beta_1^t),  v_hat[w] = v_new[w] / (1 - beta_2^t)
///   theta_new[w] = theta[w] - eta (m_hat[w] / (sqrt(v_hat[w]) + eps) + decay decays[w] theta[w])      [W]
/// theta, gradient, m, v [W]; decays [W], 1 for a weight that decays, 0 for one that does not; t (default 1), eta
/// (default 0.001), beta_1 (default 0.9), beta_2 (default 0.999), eps (default 1e-8), decay (default 0.01).
/// Throws std::invalid_argument where t is not positive.
/// Source: Loshchilov & Hutter 2019, algorithm 2; Kingma & Ba 2015, algorithm 1, for the rest.
void adamw_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<const float, 1> theta, TensorView<const float, 1> gradient,
                TensorView<const float, 1> m, TensorView<const float, 1> v,
                TensorView<const std::uint8_t, 1> decays, int t, float eta, float beta_1, float beta_2,
                float eps, float decay);

/// The learning rates of the steps t = 1 .. S. In the first `warmup` steps it rises in a straight line to `peak`;
/// then it falls, by the root of t or by half a cosine, which ends at `least` after `steps` steps.
///   inverse_root  eta[t - 1] = peak min(t / warmup, sqrt(warmup / t))
///   cosine        eta[t - 1] = peak t / warmup                                           where t <= warmup
///                            = least + (peak - least) (1 + cos(pi s)) / 2                where warmup < t < steps
///                            = least                                                     elsewhere
///                 with s = (t - warmup) / (steps - warmup)
/// eta [S], peak (default 1), least (default 0.1), warmup (default 4), steps (default 12).
/// Throws std::invalid_argument where warmup is not positive.
/// Source: Vaswani et al. 2017, eq. (3), with peak = 1 / sqrt(D warmup); Loshchilov & Hutter 2017, eq. (5).
void learning_rate(TensorView<float, 1> eta, Schedule schedule, float peak, float least, int warmup,
                   int steps);

/// Shortens the gradient of all weights together, if it is longer than `most`. Its direction stays.
///   norm = sqrt(sum_w gradient[w]^2)      [1] (optional)
///   clipped[w] = gradient[w] min(1, most / norm), or 0 where norm = 0      [W]
/// gradient [W], most (default 1). Throws std::invalid_argument where most is not positive.
/// Source: Pascanu, Mikolov & Bengio 2013, algorithm 1.
void clip_gradients(TensorView<float, 1> clipped, TensorView<float, 1> norm,
                    TensorView<const float, 1> gradient, float most);

/// The weights with which the training begins, made of normal numbers, and which of them decay.
///   theta = normals / sqrt(D) in the table and the positions
///         = normals / sqrt(number of rows) in W_Q, W_K, W_V and W_1
///         = normals / sqrt(number of rows) / sqrt(2 L) in W_O and W_2, which add to the residual stream
///         = 1 in gamma_1, gamma_2 and gamma, 0 in beta_1, beta_2, beta and all b
///   decays = 1 in the table, the positions and all W, 0 in all gamma, beta and b
/// theta, decays and normals [N_theta].
/// Source: Glorot & Bengio 2010, section 4.2, for the fan-in; Radford et al. 2019, section 2.3, for the residuals.
void initialise(TensorView<float, 1> theta, TensorView<std::uint8_t, 1> decays,
                TensorView<const float, 1> normals, int V, int N, int D, int F, int L);

/// The loss of the model and its gradient: how much the loss grows for each unit that a weight grows.
///   X_0[b, i] = table[tokens[b, i]] + P[i]
///   X_l = transformer_block(X_{l-1}, causal mask), norm = pre, activation = gelu_erf, eps = 1e-5
///   logits[b, i, v] = layer_norm(X_L)[b, i] . table[v], eps = 1e-5
///   loss = cross entropy of the logits and the targets, without smoothing      [1]
///   gradient = the derivative of the loss with respect to theta      [N_theta]
/// theta [N_theta], tokens and targets [B, N]. Throws std::invalid_argument where tokens is outside 0 .. V - 1,
/// where targets is outside -1 .. V - 1, and where H does not divide D.
/// Source: the chain rule; Radford et al. 2018, section 3.1; Press & Wolf 2017 for the table used twice.
void language_model_backward(TensorView<float, 1> loss, TensorView<float, 1> gradient,
                             TensorView<const float, 1> theta, TensorView<const int, 2> tokens,
                             TensorView<const int, 2> targets, int V, int D, int F, int H, int L);

/// One step of training, step t = 1, 2, .. The tokens are shift_right(targets) with start = 0.
///   loss [1], gradient = language_model_backward(theta, tokens, targets)
///   clipped = clip_gradients(gradient, most)
///   theta_new, m_new, v_new = adamw_step(theta, clipped, m, v)
/// with beta_1 = 0.9, beta_2 = 0.99, eps = 1e-5 in adamw_step. The loss is that before the step. theta, m, v, decays,
/// theta_new, m_new and v_new [N_theta], targets [B, N], t (default 1), eta (default 0.01), most (default 1), decay (default 0.1).
/// Throws std::invalid_argument where targets is outside -1 .. V - 1, where t is not positive, where most is not
/// positive, and where H does not divide D.
void train_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<float, 1> loss, TensorView<const float, 1> theta, TensorView<const float, 1> m,
                TensorView<const float, 1> v, TensorView<const std::uint8_t, 1> decays,
                TensorView<const int, 2> targets, int V, int D, int F, int H, int L, int t, float eta,
                float most, float decay);

/// The training: one step after another, all with the same sentences. m and v begin with 0.
///   losses[t - 1] = the loss of step t, before the weights of this step move      [S]
///   theta_new = the weights after step S      [N_theta]
///   P[b, i] = softmax of the logits at place i with theta_new: the probabilities of the next token      [B, N, V]
/// The model reads the tokens of train_step, shift_right(targets), also for P.
/// theta, decays [N_theta], targets [B, N], eta [S] the learning rate of each step, most (default 1), decay
/// (default 0.1). Throws std::invalid_argument where targets is outside -1 .. V - 1, where most is not positive, and
/// where H does not divide D.
void train(TensorView<float, 1> losses, TensorView<float, 1> theta_new, TensorView<float, 3> P,
           TensorView<const float, 1> theta, TensorView<const std::uint8_t, 1> decays,
           TensorView<const int, 2> targets, TensorView<const float, 1> eta, int V, int D, int F, int H,
           int L, float most, float decay);

}  // namespace attn
