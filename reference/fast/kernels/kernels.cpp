// The table of one vector unit.

#include "reference/fast/kernels.h"

#include "reference/fast/kernels/attend.h"
#include "reference/fast/kernels/peak.h"
#include "reference/fast/kernels/rows.h"

namespace attn::fast::ATTN_VECTOR_UNIT {

extern const Kernels kKernels;
const Kernels kKernels = {kLanes,  pack_keys, attend_scratch, attend,       softmax_row,
                          exp_row, exp2_row,  multiply_adds,  flop_of_round};

}  // namespace attn::fast::ATTN_VECTOR_UNIT
