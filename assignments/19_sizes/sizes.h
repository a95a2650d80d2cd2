#pragma once
/// Assignment 19: sizes. You write these eight functions in student/sizes.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major; the
/// outputs exist and have the right shape, write every element.
/// All results are whole numbers and exact to the last digit. They may be larger than an int, and a float has 24 bits
/// only. So a row of `counts` holds a number as two: counts(r, 0) millions, and counts(r, 1) = 0 .. 999999 that
/// remain. 109 482240 is 109,482,240. Every number of millions fits into an int.
/// Letters:  V tokens in the vocabulary, N places in a sequence, D numbers in a vector, F numbers in the hidden layer of
///           the feed-forward network, H heads, L blocks, B sequences in a batch; R the side of an image and P that of a
///           patch, in pixels, C channels of a pixel, K classes; r row.

#include "../tensor.h"

namespace attn {

/// The parameters of a transformer with L blocks in the encoder and L in the decoder.
///   counts(0) = V D if tied, else 2 V D      tables of tokens: of source and target
///   counts(1) = 3 L (4 D D + 4 D)            attention: W_Q, W_K, W_V, W_O and their biases, 1 time in an encoder's
///                                            block and 2 times in a decoder's
///   counts(2) = 2 L (2 D F + F + D)          feed-forward: W_1, b_1, W_2, b_2
///   counts(3) = 10 L D                       gamma and beta of 2 and 3 layer norms in a block; none after a stack
///   counts(4) = 0 if tied, else V D          the output matrix
///   counts(5) = the sum of these
/// counts [6, 2]. tied (default true): one table serves the source, the target and the output. The sinusoidal
/// positions are no parameters. Throws std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, sections 3 and 3.4 and table 3.
void transformer_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H, bool tied);

/// The parameters of BERT, or of RoBERTa, whose configuration differs.
///   counts(0) = (V + N + types) D            tables of tokens, positions and types (segments)
///   counts(1) = L (4 D D + 4 D)              attention
///   counts(2) = L (2 D F + F + D)            feed-forward
///   counts(3) = (2 L + 1) 2 D                layer norms: two in a block, and one after the tables
///   counts(4) = D D + D if pooler, else 0    the layer on the first token's vector
///   counts(5) = the sum of these
/// counts [6, 2]. pooler (default true). Throws std::invalid_argument where H does not divide D.
/// Source: Devlin et al. 2019, section 3; the documentation of transformers.BertModel.
void bert_parameters(TensorView<int, 2> counts, int V, int N, int types, int D, int F, int L, int H,
                     bool pooler);

/// The parameters of XLNet, which has relative positions and no table of them.
///   counts(0) = (V + 1) D                    the table of tokens, and the vector of a word to predict
///   counts(1) = L (5 D D + 5 D)              attention: W_Q, W_K, W_V, W_O without biases, W_R of relative positions; three
///                                            vectors that are added to a query, and two for segments
///   counts(2) = L (2 D F + F + D)            feed-forward
///   counts(3) = 4 L D                        two layer norms in a block
///   counts(4) = 0                            the output matrix is the table
///   counts(5) = the sum of these
/// counts [6, 2]. Throws std::invalid_argument where H does not divide D.
/// Source: Yang et al. 2019, section 2; Dai et al. 2019, section 3.3; the documentation of transformers.XLNetModel.
void xlnet_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H);

/// The parameters of GPT-2, or of Megatron-LM, whose configuration differs.
///   counts(0) = (V + N) D                    tables of tokens and positions
///   counts(1) = L (4 D D + 4 D)              attention
///   counts(2) = L (2 D F + F + D)            feed-forward
///   counts(3) = (2 L + 1) 2 D                layer norms: two in a block, and one after the last block
///   counts(4) = 0                            the output matrix is the table of tokens
///   counts(5) = the sum of these
/// counts [6, 2]. Throws std::invalid_argument where H does not divide D.
/// Source: Radford et al. 2019, section 2.3 and table 2.
void gpt2_parameters(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H);

/// The parameters of a vision transformer for images of R x R pixels and K classes: (R/P) (R/P) patches and CLS.
///   counts(0) = P P C D + D + D + ((R/P) (R/P) + 1) D      the patches' matrix and bias, CLS, positions
///   counts(1) = L (4 D D + 4 D)              attention
///   counts(2) = L (2 D F + F + D)            feed-forward
///   counts(3) = (2 L + 1) 2 D                layer norms: two in a block, and one after the last block
///   counts(4) = D K + K                      the head
///   counts(5) = the sum of these
/// counts [6, 2]. Throws std::invalid_argument where P does not divide R, and where H does not divide D.
/// Source: Dosovitskiy et al. 2021, section 3.1 and table 1.
void vit_parameters(TensorView<int, 2> counts, int R, int P, int C, int D, int F, int L, int H, int K);

/// The memory of self-attention in L blocks, in bytes, if a number takes `bytes` of them.
///   counts(0) = bytes L B H N N      the weights A of all heads
///   counts(1) = bytes 3 L B N D      Q, K and V
///   counts(2) = bytes 2 L B N D      the cache of a model that writes: K and V of all tokens so far
///   counts(3) = bytes L B H N        the log-sum-exp of each row, which blocked attention keeps in place of A
/// counts [4, 2]. bytes (default 4): 4 is float, 2 is half precision. Throws std::invalid_argument where H does not
/// divide D.
/// Source: Vaswani et al. 2017, section 3.2.2; Dao et al. 2022, section 3.1.
void attention_memory(TensorView<int, 2> counts, int B, int N, int D, int L, int H, int bytes);

/// The memory for a step of training GPT-2 with Adam, in bytes. S parameters are those of gpt2_parameters(V, N, D, F, L, H).
///   counts(0) = 4 S        (mixed: 2 S)      weights
///   counts(1) = 4 S        (mixed: 2 S)      gradients
///   counts(2) = 8 S        (mixed: 12 S)     Adam: m and v as float; mixed, also the weights as float
///   counts(3) = a L (B N (8 D + 2 F) + B H N N)      what the gradients of the blocks read
///   counts(4) = a B N V                      logits
///   counts(5) = the sum of these
/// with a = 4 bytes, mixed: 2 bytes. counts [6, 2]. mixed (default false): weights, gradients and activations in half
/// precision. A block keeps for each token 8 vectors of D numbers (its input, the two outputs of its layer norms, Q, K, V, the heads'
/// outputs, the sum after attention) and 2 of F (before and after the activation), and the weights A.
/// Throws std::invalid_argument where H does not divide D.
/// Source: Rajbhandari et al. 2020, section 3.1; Korthikanti et al. 2022, section 4.1, without dropout.
void training_memory(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B, bool mixed);

/// The floating-point operations of a forward pass of GPT-2: multiplications and additions. A multiplication and an addition are two operations. Those
/// of the matrix products are counted, masked scores too.
///   counts(0) = 2 L 4 B N D D      products with W_Q, W_K, W_V, W_O
///   counts(1) = 2 L 2 B N N D      scores, and sums of values
///   counts(2) = 2 L 2 B N D F      products with W_1, W_2
///   counts(3) = 2 B N D V          logits of all places
///   counts(4) = the sum of these
/// counts [5, 2]. Throws std::invalid_argument where H does not divide D.
/// Source: Kaplan et al. 2020, section 2.1 and table 1.
void forward_flop(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B);

}  // namespace attn
