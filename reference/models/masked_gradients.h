#pragma once
/// Gradients of the two heads of assignment 12, as plain loops in assignment 13's form: the gradients, then dlogits, then
/// the forward's inputs. No assignment asks for them, but the training of a masked language model needs them. The gradient of
/// mlm_loss is that of cross_entropy.

#include "assignments/12_masked_language_model/masked_language_model.h"
#include "assignments/tensor.h"

namespace attn::cpu {

/// Backward of token_head. With u = X[b, i] W + b, g = gelu_erf(u), h = LN(g),
///   dh[b, i] = sum_v dlogits[b, i, v] table[v]
///   dtable[v] = sum_{b, i} dlogits[b, i, v] h[b, i]      dbias[v] = sum_{b, i} dlogits[b, i, v]
///   dg, dgamma, dbeta = layer_norm_backward(dh)      du = dg gelu_erf'(u)
///   dW = sum_{b, i} X[b, i]^T du[b, i]      db = sum_{b, i} du[b, i]      dX[b, i] = du[b, i] W^T
/// dX, X [B, N, D], dW, W [D, D], db, dgamma, dbeta, b, gamma, beta [D], dtable, table [V, D], dbias, bias [V], dlogits
/// [B, N, V]. Here dtable is what the table has from this use alone.
/// Source: the chain rule.
template <class T>
void token_head_backward(TensorView<T, 3> dX, TensorView<T, 2> dW, TensorView<T, 1> db,
                         TensorView<T, 1> dgamma, TensorView<T, 1> dbeta, TensorView<T, 2> dtable,
                         TensorView<T, 1> dbias, TensorView<const T, 3> dlogits, TensorView<const T, 3> X,
                         TensorView<const T, 2> W, TensorView<const T, 1> b, TensorView<const T, 1> gamma,
                         TensorView<const T, 1> beta, TensorView<const T, 2> table, T eps);

/// Backward of sentence_head. With the vector x[b] that the head reads, s = tanh(x W + b),
///   dW_c = sum_b s[b]^T dlogits[b]      db_c = sum_b dlogits[b]
///   dz[b] = (dlogits[b] W_c^T) (1 - s[b]^2)
///   dW = sum_b x[b]^T dz[b]      db = sum_b dz[b]
///   dX[b] = dz[b] W^T at the token that is read, 0 elsewhere
/// dX, X [B, N, D], lengths [B] (optional), dW, W [D, D], db, b [D], dW_c, W_c [D, K], db_c [K], dlogits [B, K].
/// Source: the chain rule.
template <class T>
void sentence_head_backward(TensorView<T, 3> dX, TensorView<T, 2> dW, TensorView<T, 1> db,
                            TensorView<T, 2> dW_c, TensorView<T, 1> db_c, TensorView<const T, 2> dlogits,
                            TensorView<const T, 3> X, TensorView<const int, 1> lengths,
                            TensorView<const T, 2> W, TensorView<const T, 1> b, TensorView<const T, 2> W_c,
                            SentenceToken token);

}  // namespace attn::cpu
