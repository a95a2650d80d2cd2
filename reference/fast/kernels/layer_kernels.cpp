// The layers' table of one vector unit.

#include "reference/fast/layer_kernels.h"

#include "reference/fast/kernels/gates.h"
#include "reference/fast/kernels/layers.h"

namespace attn::fast::ATTN_VECTOR_UNIT {

extern const LayerKernels kLayerKernels;
const LayerKernels kLayerKernels = {layer_norm_row, relu_row,           gelu_erf_row, gelu_tanh_row, tanh_row,
                                    score,          masked_softmax_row, sigma_row,    gated_row,     lstm_row,
                                    gru_row};

}  // namespace attn::fast::ATTN_VECTOR_UNIT
