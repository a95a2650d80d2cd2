#pragma once
/// Assignment 12: the masked language model. You write these six functions in student/masked_language_model.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not. Tokens are whole numbers 0 .. V - 1, and -1 is the target of a
/// place that does not count. The first five tokens are special: 0 <pad>, 1 <s>, 2 </s>, 3 <sep>, 4 <mask>. All others are words.
/// Letters:  B batches, N tokens in a sequence, V tokens in the vocabulary, D numbers in a vector, F numbers in the
///           hidden layer, H heads, L blocks, K classes, N_1 and N_2 words in a first and second sentence at most, G
///           languages; b batch, i place, v token, d feature, c class.

#include "../05_transformer_block/transformer_block.h"
#include "../tensor.h"

namespace attn {

/// The token whose vector stands for a whole sequence: <s> as in BERT, or </s> as on the slides.
enum class SentenceToken { first, last };

/// Hides some words, for training. A place is chosen if its token is a word and u_place[b, i] < share. A chosen
/// place has the target tokens[b, i], and is hidden by its second number:
///   hidden[b, i] = what the model reads      [B, N]
///     4, which is <mask>,               if u_kind[b, i] < 0.8f
///     5 + floor(u_word[b, i] (V - 5)),  if 0.8f <= u_kind[b, i] < 0.9f
///     tokens[b, i]                      otherwise, and where a place is not chosen
///   targets[b, i] = tokens[b, i] if the place is chosen, else -1      [B, N]
/// tokens, u_place, u_kind, u_word [B, N] with 0 <= u < 1, share (default 0.15). The random word is never a special
/// token; it may be the word itself. The product is computed in float. Requires V >= 6: the special tokens, and a word.
/// Throws std::invalid_argument where tokens is outside 0 .. V - 1.
/// Source: Devlin et al. 2019, section 3.1 and appendix A.1.
void mask_tokens(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                 TensorView<const float, 2> u_place, TensorView<const float, 2> u_kind,
                 TensorView<const float, 2> u_word, int V, float share);

/// How well the hidden words are predicted.
///   p = softmax(logits[b, i])
///   loss = mean of -ln p[targets[b, i]] over the places with a target, or 0 if there is none      [1]
///   right = share of these places where the target has the largest logit, or 0      [1]
/// Of equal logits the token with the lower number counts as the largest. logits [B, N, V], which may be +-10000, targets [B, N].
/// Throws std::invalid_argument where targets is outside -1 .. V - 1.
/// Source: Devlin et al. 2019, section 3.1.
void mlm_loss(TensorView<float, 1> loss, TensorView<float, 1> right, TensorView<const float, 3> logits,
              TensorView<const int, 2> targets);

/// From the vector of each token to logits of all words: a layer, a layer norm, and the table of tokens.
///   g = gelu_erf(X[b, i] W + b)
///   h = LN(g)
///   logits[b, i, v] = h . table[v] + bias[v]      [B, N, V]
/// X [B, N, D], W [D, D], b, gamma, beta [D], table [V, D], bias [V]. Outside of brackets b is the bias. LN with gamma, beta and eps (default 1e-5) as in
/// layer_norm, gelu_erf as in feed_forward.
/// Source: Devlin et al. 2019, appendix A.1; github.com/google-research/bert, get_masked_lm_output.
void token_head(TensorView<float, 3> logits, TensorView<const float, 3> X, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 2> table,
                TensorView<const float, 1> bias, float eps);

/// From the vector of one token of each sequence to logits of K classes.
///   x[b] = X[b, 0] if token = first, X[b, lengths[b] - 1] if token = last
///   s[b] = tanh(x[b] W + b)
///   logits[b] = s[b] W_c + b_c      [B, K]
/// X [B, N, D], lengths [B] (optional), where empty means that all are N; W [D, D], b [D], W_c [D, K], b_c [K]. Outside
/// of brackets b is the bias.
/// Throws std::invalid_argument where lengths is outside 1 .. N.
/// Source: Devlin et al. 2019, section 3.2, for first; the slide "Sentence-level Tasks" of CS 7643 for last.
void sentence_head(TensorView<float, 2> logits, TensorView<const float, 3> X,
                   TensorView<const int, 1> lengths, TensorView<const float, 2> W,
                   TensorView<const float, 1> b, TensorView<const float, 2> W_c,
                   TensorView<const float, 1> b_c, SentenceToken token);

/// One sequence of two sentences: <s> first <sep> second </s>, and then <pad>.
///   tokens[b]    = 1, first[b], separator, second[b], 2, 0, 0, ..      [B, N_1 + N_2 + 3]
///   positions[b] = 0, 1, .., n_1,  0, 1, .., n_2 + 1,  0, 0, ..      [B, N_1 + N_2 + 3]
///   languages[b] = language_1 up to the last word of first[b], language_2 from <sep> to </s>, then 0      [B, N_1 + N_2 + 3]
///   X[b, i] = table[tokens[b, i]] + P[positions[b, i]] + E[languages[b, i]], or 0 where <pad> stands      [B, N_1 + N_2 + 3, D]
/// with n_1 = lengths_1[b] words of first[b] and n_2 = lengths_2[b] words of second[b]. So word k of either sentence has the
/// position k + 1. first [B, N_1], second [B, N_2], lengths_1, lengths_2 [B], table [V, D], P [N_1 + N_2 + 3, D], E [G, D]. language_1 (default 0),
/// language_2 (default 1), separator (default 3), which is <sep>. The tokens behind a sentence's length are not read, but have to be tokens, too.
/// Throws std::invalid_argument where first is outside 0 .. V - 1, where second is outside 0 .. V - 1, where lengths_1 is outside 1 .. N_1,
/// where lengths_2 is outside 1 .. N_2, where language_1 is outside 0 .. G - 1, where language_2 is outside 0 .. G - 1, and where
/// separator is outside 0 .. V - 1. Requires V >= 6: the five special tokens, and a word.
/// Source: Lample & Conneau 2019, sections 3.3 and 3.4 and figure 1, with other special tokens.
void tlm_input(TensorView<float, 3> X, TensorView<int, 2> tokens, TensorView<int, 2> positions,
               TensorView<int, 2> languages, TensorView<const int, 2> first, TensorView<const int, 2> second,
               TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2,
               TensorView<const float, 2> table, TensorView<const float, 2> P, TensorView<const float, 2> E,
               int language_1, int language_2, int separator);

/// Natural language inference: does the hypothesis follow from the premise?
///   X = tlm_input(premise, hypothesis), with n_1 + n_2 + 3 tokens in sequence b that are not <pad>
///   Y = transformer_encoder(X), norm = post, activation = gelu_erf, eps = 1e-5; no token attends to a place from n_1 + n_2 + 3 on
///   logits = sentence_head(Y)      [B, K]
/// K = 3 classes in the data: entailment, neutral, contradiction. premise [B, N_1], hypothesis [B, N_2], lengths_1, lengths_2 [B],
/// table [V, D], P [N_1 + N_2 + 3, D], E [G, D], W [D, D], b [D], W_c [D, K], b_c [K], language_1 (default 0), language_2
/// (default 1), separator (default 3). Throws std::invalid_argument where premise is outside 0 .. V - 1, where hypothesis is outside 0 .. V - 1, where
/// lengths_1 is outside 1 .. N_1, where lengths_2 is outside 1 .. N_2, where language_1 is outside 0 .. G - 1, where
/// language_2 is outside 0 .. G - 1, where separator is outside 0 .. V - 1, and where H does not divide D. Requires V >= 6.
/// Source: Devlin et al. 2019, section 4.1; Conneau et al. 2018.
void nli_logits(TensorView<float, 2> logits, TensorView<const int, 2> premise,
                TensorView<const int, 2> hypothesis, TensorView<const int, 1> lengths_1,
                TensorView<const int, 1> lengths_2, TensorView<const float, 2> table,
                TensorView<const float, 2> P, TensorView<const float, 2> E,
                const EncoderWeights<float>& weights, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 2> W_c, TensorView<const float, 1> b_c,
                int H, SentenceToken token, int language_1, int language_2, int separator);

}  // namespace attn
