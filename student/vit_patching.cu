// Assignment 6: ViT patching, on a GPU. Handout: assignments/06_vit_patching/README.md
// What each function has to do, with every shape: assignments/06_vit_patching/vit_patching.h
// What is different on a GPU: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=6` after each. You need no GPU.

#include "device.h"
#include "vit_patching_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, C, H, W], patches [B, (H/P) (W/P), P P C]; std::invalid_argument if P does not divide H
// and W. Thread n owns number n of the patches, row-major. Write the kernel above this function:
//
//     __global__ void cut(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
//         const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (n >= patches.count()) return;  // the last block has more threads than needed
//         const int f = n % patches.size(2), c = f % X.size(1);
//         // Your code: compute px and py from f, then the patch and b from n, in the same way.
//     }
void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P, cudaStream_t stream) {
    // Your code. First refuse a wrong P. Then start the kernel, and check that it has started:
    //     cut<<<blocks_for(patches.count(), 128), 128, 0, stream>>>(patches, X, P);
    //     check(cudaGetLastError(), "cut");
    (void)patches, (void)X, (void)P, (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  patches [B, (H/P) (W/P), P P C], X [B, C, H, W]. A thread owns a number of X, or of the
// patches.
void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P, cudaStream_t stream) {
    // Your code.
    (void)X, (void)patches, (void)P, (void)stream;
}

// Step 3.  X [B, C, H, W], E [P P C, D], b and cls [D], E_pos [N + 1, D], Z [B, N + 1, D]. A thread owns a
// number (b, token, d) of Z; token 0 is the class token.
void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P, cudaStream_t stream) {
    // Your code.
    (void)Z, (void)X, (void)E, (void)b, (void)cls, (void)E_pos, (void)P, (void)stream;
}

// Step 4.  X [B, C, H, W], logits [B, K], weights as in the header. The only new kernel is the head: a
// thread owns a number (b, k) of the logits. `#include "transformer_block_cuda.h"` gives you the encoder.
void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)logits, (void)X, (void)weights, (void)P, (void)heads, (void)activation, (void)eps, (void)stream;
}

}  // namespace attn::cuda
