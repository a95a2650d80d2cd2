// The functions of sizes.h, empty, for you to fill in.
// Handout: assignments/19_sizes/README.md
// What each function has to do, with every shape: assignments/19_sizes/sizes.h
//
// Fill in the functions in this order, and run `make grade A=19` after each.

#include "sizes.h"

namespace attn {

// Step 1.  counts [6, 2]
void transformer_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H, bool tied) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)counts, (void)V, (void)D, (void)F, (void)L, (void)H, (void)tied;
}

// Step 2.  counts [6, 2]
void bert_parameters(TensorView<int, 2> counts, int V, int N, int types, int D, int F, int L, int H,
                     bool pooler) {
    // Your code.
    (void)counts, (void)V, (void)N, (void)types, (void)D, (void)F, (void)L, (void)H, (void)pooler;
}

// Step 3.  counts [6, 2]
void xlnet_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H) {
    // Your code.
    (void)counts, (void)V, (void)D, (void)F, (void)L, (void)H;
}

// Step 4.  counts [6, 2]
void gpt2_parameters(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H) {
    // Your code.
    (void)counts, (void)V, (void)N, (void)D, (void)F, (void)L, (void)H;
}

// Step 5.  counts [6, 2]
void vit_parameters(TensorView<int, 2> counts, int R, int P, int C, int D, int F, int L, int H, int K) {
    // Your code.
    (void)counts, (void)R, (void)P, (void)C, (void)D, (void)F, (void)L, (void)H, (void)K;
}

// Step 6.  counts [4, 2]
void attention_memory(TensorView<int, 2> counts, int B, int N, int D, int L, int H, int bytes) {
    // Your code.
    (void)counts, (void)B, (void)N, (void)D, (void)L, (void)H, (void)bytes;
}

// Step 7.  counts [6, 2]
void training_memory(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B, bool mixed) {
    // Your code.
    (void)counts, (void)V, (void)N, (void)D, (void)F, (void)L, (void)H, (void)B, (void)mixed;
}

// Step 8.  counts [5, 2]
void forward_flop(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B) {
    // Your code.
    (void)counts, (void)V, (void)N, (void)D, (void)F, (void)L, (void)H, (void)B;
}

}  // namespace attn
