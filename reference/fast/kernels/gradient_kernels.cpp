// The backwards' table of one vector unit.

#include "reference/fast/gradient_kernels.h"

#include "reference/fast/kernels/gradients.h"

namespace attn::fast::ATTN_VECTOR_UNIT {

extern const GradientKernels kGradientKernels;
const GradientKernels kGradientKernels = {softmax_gradient,  layer_norm_gradient, relu_gradient,
                                          gelu_erf_gradient, gelu_tanh_gradient,  score_gradient,
                                          adam_row};

}  // namespace attn::fast::ATTN_VECTOR_UNIT
