#pragma once
/// conv2d of assignment 8 and batch norm of assignment 16 at the machine's speed, and their gradients
/// (reference/models/image_gradients.h has the formulas). Any number of threads gives the same bits.

#include "assignments/tensor.h"

namespace attn::fast {

/// The contract's. What lies under the kernel at one place becomes one row of a matrix ("im2col"), so that the convolution is one product.
void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S);
/// dX may be an empty view: then it is not wanted.
void conv2d_backward(TensorView<float, 4> dX, TensorView<float, 4> dW, TensorView<float, 1> dbias,
                     TensorView<const float, 4> dY, TensorView<const float, 4> X,
                     TensorView<const float, 4> W, TensorView<const float, 1> bias, int S);

/// The contract's.
void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps);
void batch_norm_backward(TensorView<float, 3> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 3> dY, TensorView<const float, 3> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps);

}  // namespace attn::fast
