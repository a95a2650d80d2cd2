#pragma once
/// Assignment 6 on a GPU: the four functions of vit_patching.h, which you write in student/vit_patching.cu.
/// What each has to do, with every shape, stands in vit_patching.h; what is different on a GPU, in device.h.
/// The views in VitWeights are of the device's memory as well.

#include <cuda_runtime.h>

#include "vit_patching.h"

namespace attn::cuda {

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P, cudaStream_t stream);

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P, cudaStream_t stream);

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P, cudaStream_t stream);

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps, cudaStream_t stream);

}  // namespace attn::cuda
