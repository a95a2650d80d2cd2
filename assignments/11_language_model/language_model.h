#pragma once
/// Assignment 11: the language model. You write these functions in student/language_model.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element. Tokens are whole numbers 0 .. V - 1, and -1 is the target of a place that does not count.
/// Letters:  B batches, N tokens in a sequence, N_new tokens to write, V tokens in the vocabulary, D numbers in
///           a vector, F numbers in the hidden layer, H heads, L blocks; b batch, i place, v token, d feature.

#include "../05_transformer_block/transformer_block.h"
#include "../tensor.h"

namespace attn {

/// The vector of each token: a row of the table.
///   Y[b, i] = table[tokens[b, i]]      [B, N, D]
/// tokens [B, N], table [V, D]. Throws std::invalid_argument where tokens is outside 0 .. V - 1.
/// Source: Bengio et al. 2003, section 2.
void embed_tokens(TensorView<float, 3> Y, TensorView<const int, 2> tokens, TensorView<const float, 2> table);

/// What the model reads while it predicts the targets: the same tokens, one place later.
///   tokens[b, 0] = start,  tokens[b, i] = targets[b, i - 1]      [B, N]
/// targets [B, N], start (default 0). After a target that does not count, -1, comes the token start.
/// Source: the slide "A Basic Neural Language Model" of CS60010 at IIT Kharagpur; Vaswani et al. 2017, section 3.1.
void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start);

/// The loss of a prediction: the mean surprise at the targets that count.
///   p = softmax(logits[b, i])
///   q[v] = (1 - smoothing) [v = targets[b, i]] + smoothing / V
///   losses[b, i] = -sum_v q[v] ln p[v], or 0 where targets[b, i] = -1      [B, N] (optional)
///   loss = sum of losses / number of targets that count, or 0 if none counts      [1]
/// logits [B, N, V], targets [B, N], smoothing (default 0), from 0 to 1. Logits may be +-10000.
/// Throws std::invalid_argument where targets is outside -1 .. V - 1.
/// Source: Szegedy et al. 2016, section 7, for smoothing.
void cross_entropy(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const float, 3> logits,
                   TensorView<const int, 2> targets, float smoothing);

/// How many tokens the model hesitates between, on average.
///   ppl = exp(cross entropy without smoothing)      [1]
/// logits [B, N, V], targets [B, N]. Throws std::invalid_argument where targets is outside -1 .. V - 1.
/// Source: Bengio et al. 2003, section 4.
void perplexity(TensorView<float, 1> ppl, TensorView<const float, 3> logits,
                TensorView<const int, 2> targets);

/// The probabilities of the token that comes after the last one.
///   P[b] = softmax(logits[b, N - 1] / temperature)      [B, V]
/// logits [B, N, V], +-10000; temperature (default 1): logits / temperature stays within the range of a float.
/// Throws std::invalid_argument where temperature is not positive.
void next_token_probabilities(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature);

/// Draws a token among the k most probable ones. Of equal ones the token with the lower number comes first.
///   Q[b, v] = P[b, v] / sum of the kept tokens' P[b] if v is kept, else 0      [B, V] (optional)
///   tokens[b] = the first v with Q[b, 0] + .. + Q[b, v] > u[b]      [B]
/// If rounding leaves no such v, it is the last one with Q[b, v] > 0. The kept tokens' P[b] has a sum above 0.
/// P [B, V], u [B] with 0 <= u < 1, k (default 2). Throws std::invalid_argument where k is outside 1 .. V.
/// Source: Fan, Lewis & Dauphin 2018, section 5.4.
void sample_top_k(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, int k);

/// Draws a token among the most probable ones that together have at least the probability p: as few as
/// possible, from the most probable one on. Of equal ones the token with the lower number comes first.
///   Q[b, v] = P[b, v] / sum of the kept tokens' P[b] if v is kept, else 0      [B, V] (optional)
///   tokens[b] = the first v with Q[b, 0] + .. + Q[b, v] > u[b]      [B]
/// If rounding leaves no such v, it is the last one with Q[b, v] > 0. The kept tokens' P[b] has a sum above 0.
/// P [B, V], u [B] with 0 <= u < 1, p (default 0.9); p >= 1 keeps all. Throws std::invalid_argument where p is not positive.
/// Source: Holtzman et al. 2020, section 3.1.
void sample_top_p(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, float p);

/// A language model: a stack of transformer blocks in which no token sees a later one.
///   X[b, i] = table[tokens[b, i]] + P[i]
///   Y = transformer_encoder(X, causal mask), norm = pre, activation = gelu_erf, eps = 1e-5
///   logits[b, i, v] = Y[b, i] . table[v]      [B, N, V]
/// tokens [B, N], table [V, D], positions P [N, D]. Throws std::invalid_argument where tokens is outside
/// 0 .. V - 1, and where H does not divide D.
/// Source: Radford et al. 2018 and 2019; Press & Wolf 2017 for the table used twice.
void language_model(TensorView<float, 3> logits, TensorView<const int, 2> tokens,
                    TensorView<const float, 2> table, TensorView<const float, 2> P,
                    const EncoderWeights<float>& weights, int H);

/// Continues the prompt: the model's own tokens are its next inputs.
///   tokens[b, i] = a token drawn by sample_top_k with u[b, i] from next_token_probabilities
///   of the model's logits for prompt[b], tokens[b, 0], .., tokens[b, i - 1]
/// After the first eos (default 1) in tokens[b] all further ones are eos. An eos in the prompt ends nothing.
/// eos is a token, 0 .. V - 1, or -1: then no token ends the text. tokens and u [B, N_new], prompt [B, N], table [V, D], positions
/// P [N + N_new, D], k (default 1), temperature (default 1).
/// Keep the keys and values of the tokens that were read: the time of a token must not grow like a whole pass.
/// Throws std::invalid_argument where prompt is outside 0 .. V - 1, where k is outside 1 .. V, where temperature
/// is not positive, and where H does not divide D.
/// Source: the slide "A Basic Neural Language Model" of CS60010 at IIT Kharagpur; Radford et al. 2019.
void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const float, 2> table,
              TensorView<const float, 2> P, const EncoderWeights<float>& weights,
              TensorView<const float, 2> u, int H, int k, float temperature, int eos);

}  // namespace attn
