#include <cstdint>

#include "contracts/sizes_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Row r: the millions, and what remains
void put(TensorView<int, 2> counts, int r, std::int64_t count) {
    counts(r, 0) = static_cast<int>(count / 1000000);
    counts(r, 1) = static_cast<int>(count % 1000000);
}

/// Five rows, and their sum
void put_with_sum(TensorView<int, 2> counts, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d,
                  std::int64_t e) {
    put(counts, 0, a);
    put(counts, 1, b);
    put(counts, 2, c);
    put(counts, 3, d);
    put(counts, 4, e);
    put(counts, 5, a + b + c + d + e);
}

std::int64_t of_attention(std::int64_t D) {
    // attention = 4 D D + 4 D: W_Q, W_K, W_V, W_O and their biases
    return 4 * D * D + 4 * D;
}

std::int64_t of_feed_forward(std::int64_t D, std::int64_t F) {
    // feed-forward = 2 D F + F + D: W_1, b_1, W_2, b_2
    return D * F + F + F * D + D;
}

std::int64_t of_norms(std::int64_t count, std::int64_t D) {
    // layer norms = 2 D for each of them: gamma and beta
    return count * 2 * D;
}

}  // namespace

void transformer_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H, bool tied) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, table = static_cast<std::int64_t>(V) * D;
    // counts(0) = V D if tied, else 2 V D
    const std::int64_t tables = tied ? table : 2 * table;
    // counts(1) = 3 L (4 D D + 4 D)
    const std::int64_t attention = blocks * (of_attention(D) + 2 * of_attention(D));
    // counts(2) = 2 L (2 D F + F + D)
    const std::int64_t feed_forward = 2 * blocks * of_feed_forward(D, F);
    // counts(3) = 10 L D
    const std::int64_t norms = blocks * (of_norms(2, D) + of_norms(3, D));
    // counts(4) = 0 if tied, else V D
    const std::int64_t output = tied ? 0 : table;
    // counts = these, counts(5) = their sum
    put_with_sum(counts, tables, attention, feed_forward, norms, output);
}

void bert_parameters(TensorView<int, 2> counts, int V, int N, int types, int D, int F, int L, int H,
                     bool pooler) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    // counts(0) = (V + N + types) D
    const std::int64_t tables = (V + N + types) * width;
    // counts(1) = L (4 D D + 4 D)
    const std::int64_t attention = blocks * of_attention(D);
    // counts(2) = L (2 D F + F + D)
    const std::int64_t feed_forward = blocks * of_feed_forward(D, F);
    // counts(3) = (2 L + 1) 2 D
    const std::int64_t norms = of_norms(2 * blocks + 1, D);
    // counts(4) = D D + D if pooler, else 0
    const std::int64_t first_token = pooler ? width * width + width : 0;
    // counts = these, counts(5) = their sum
    put_with_sum(counts, tables, attention, feed_forward, norms, first_token);
}

void xlnet_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    // counts(0) = (V + 1) D
    const std::int64_t tables = (V + 1) * width;
    // counts(1) = L (5 D D + 5 D): W_Q, W_K, W_V, W_O and W_R; three vectors for queries and two for segments
    const std::int64_t attention = 5 * width * width + 3 * width + 2 * width;
    const std::int64_t attentions = blocks * attention;
    // counts(2) = L (2 D F + F + D)
    const std::int64_t feed_forward = blocks * of_feed_forward(D, F);
    // counts(3) = 4 L D
    const std::int64_t norms = of_norms(2 * blocks, D);
    // counts = these, counts(5) = their sum
    put_with_sum(counts, tables, attentions, feed_forward, norms, 0);
}

void gpt2_parameters(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    // counts(0) = (V + N) D
    const std::int64_t tables = (V + N) * width;
    // counts(1) = L (4 D D + 4 D)
    const std::int64_t attention = blocks * of_attention(D);
    // counts(2) = L (2 D F + F + D)
    const std::int64_t feed_forward = blocks * of_feed_forward(D, F);
    // counts(3) = (2 L + 1) 2 D
    const std::int64_t norms = of_norms(2 * blocks + 1, D);
    // counts = these, counts(5) = their sum
    put_with_sum(counts, tables, attention, feed_forward, norms, 0);
}

void vit_parameters(TensorView<int, 2> counts, int R, int P, int C, int D, int F, int L, int H, int K) {
    require_whole_patches(R, R, P);
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D, classes = K;
    const std::int64_t side = R / P, pixels = static_cast<std::int64_t>(P) * P;
    // counts(0) = P P C D + D + D + ((R/P) (R/P) + 1) D: the patches' matrix and bias, CLS, positions
    const std::int64_t tokens = pixels * C * width + width + width + (side * side + 1) * width;
    // counts(1) = L (4 D D + 4 D)
    const std::int64_t attention = blocks * of_attention(D);
    // counts(2) = L (2 D F + F + D)
    const std::int64_t feed_forward = blocks * of_feed_forward(D, F);
    // counts(3) = (2 L + 1) 2 D
    const std::int64_t norms = of_norms(2 * blocks + 1, D);
    // counts(4) = D K + K
    const std::int64_t head = width * classes + classes;
    // counts = these, counts(5) = their sum
    put_with_sum(counts, tokens, attention, feed_forward, norms, head);
}

void attention_memory(TensorView<int, 2> counts, int B, int N, int D, int L, int H, int bytes) {
    require_whole_heads(D, H);
    const std::int64_t times = static_cast<std::int64_t>(bytes) * L * B;
    const std::int64_t places = N, width = D, heads = H;
    // counts(0) = bytes L B H N N
    put(counts, 0, times * heads * places * places);
    // counts(1) = bytes 3 L B N D
    put(counts, 1, times * 3 * places * width);
    // counts(2) = bytes 2 L B N D
    put(counts, 2, times * 2 * places * width);
    // counts(3) = bytes L B H N
    put(counts, 3, times * heads * places);
}

void training_memory(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B, bool mixed) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D, tokens = static_cast<std::int64_t>(B) * N;
    // S = the sum of gpt2_parameters
    const std::int64_t S =
        (V + N) * width + blocks * (of_attention(D) + of_feed_forward(D, F)) + of_norms(2 * blocks + 1, D);
    // a = 4 bytes, mixed: 2 bytes
    const int bytes = mixed ? 2 : 4;
    // counts(2) = 8 S, mixed: 12 S
    const int adam = mixed ? 12 : 8;
    // counts(3) = a L (B N (8 D + 2 F) + B H N N)
    const std::int64_t activations = bytes * blocks * (tokens * (8 * D + 2 * F) + tokens * H * N);
    // counts(4) = a B N V
    const std::int64_t logits = bytes * tokens * V;
    // counts = these, counts(5) = their sum
    put_with_sum(counts, bytes * S, bytes * S, adam * S, activations, logits);
}

void forward_flop(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, tokens = static_cast<std::int64_t>(B) * N, width = D;
    // counts(0) = 2 L 4 B N D D
    const std::int64_t projections = 2 * blocks * 4 * tokens * width * width;
    // counts(1) = 2 L 2 B N N D
    const std::int64_t scores = 2 * blocks * 2 * tokens * N * width;
    // counts(2) = 2 L 2 B N D F
    const std::int64_t feed_forward = 2 * blocks * 2 * tokens * width * F;
    // counts(3) = 2 B N D V
    const std::int64_t logits = 2 * tokens * width * V;
    // counts(4) = the sum of these
    put(counts, 0, projections);
    put(counts, 1, scores);
    put(counts, 2, feed_forward);
    put(counts, 3, logits);
    put(counts, 4, projections + scores + feed_forward + logits);
}

}  // namespace attn::cpu

#include "contracts/sizes_instances.h"
