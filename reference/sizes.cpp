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

/// W_Q, W_K, W_V, W_O and their biases
std::int64_t of_attention(std::int64_t D) {
    return 4 * D * D + 4 * D;
}

/// W_1, b_1, W_2, b_2
std::int64_t of_feed_forward(std::int64_t D, std::int64_t F) {
    return D * F + F + F * D + D;
}

/// gamma and beta
std::int64_t of_norms(std::int64_t count, std::int64_t D) {
    return count * 2 * D;
}

}  // namespace

void transformer_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H, bool tied) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, table = static_cast<std::int64_t>(V) * D;
    // An encoder's block has one attention and two norms, a decoder's has two and three.
    put_with_sum(counts, tied ? table : 2 * table, blocks * (of_attention(D) + 2 * of_attention(D)),
                 2 * blocks * of_feed_forward(D, F), blocks * (of_norms(2, D) + of_norms(3, D)),
                 tied ? 0 : table);
}

void bert_parameters(TensorView<int, 2> counts, int V, int N, int types, int D, int F, int L, int H,
                     bool pooler) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    put_with_sum(counts, (V + N + types) * width, blocks * of_attention(D), blocks * of_feed_forward(D, F),
                 of_norms(2 * blocks + 1, D), pooler ? width * width + width : 0);
}

void xlnet_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    // W_Q, W_K, W_V, W_O and W_R; three vectors for queries and two for segments
    const std::int64_t attention = 5 * width * width + 3 * width + 2 * width;
    put_with_sum(counts, (V + 1) * width, blocks * attention, blocks * of_feed_forward(D, F),
                 of_norms(2 * blocks, D), 0);
}

void gpt2_parameters(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D;
    put_with_sum(counts, (V + N) * width, blocks * of_attention(D), blocks * of_feed_forward(D, F),
                 of_norms(2 * blocks + 1, D), 0);
}

void vit_parameters(TensorView<int, 2> counts, int R, int P, int C, int D, int F, int L, int H, int K) {
    require_whole_patches(R, R, P);
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D, classes = K;
    const std::int64_t side = R / P, pixels = static_cast<std::int64_t>(P) * P;
    // The patches' matrix and bias, CLS, and a position for each patch and for CLS
    put_with_sum(counts, pixels * C * width + width + width + (side * side + 1) * width,
                 blocks * of_attention(D), blocks * of_feed_forward(D, F), of_norms(2 * blocks + 1, D),
                 width * classes + classes);
}

void attention_memory(TensorView<int, 2> counts, int B, int N, int D, int L, int H, int bytes) {
    require_whole_heads(D, H);
    // All blocks and sequences
    const std::int64_t times = static_cast<std::int64_t>(bytes) * L * B;
    const std::int64_t places = N, width = D, heads = H;
    put(counts, 0, times * heads * places * places);
    put(counts, 1, times * 3 * places * width);
    put(counts, 2, times * 2 * places * width);
    put(counts, 3, times * heads * places);
}

void training_memory(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B, bool mixed) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, width = D, tokens = static_cast<std::int64_t>(B) * N;
    // S, as in gpt2_parameters
    const std::int64_t S =
        (V + N) * width + blocks * (of_attention(D) + of_feed_forward(D, F)) + of_norms(2 * blocks + 1, D);
    const int bytes = mixed ? 2 : 4;
    // m and v, and the weights once more if the others have half precision
    const int adam = mixed ? 12 : 8;
    put_with_sum(counts, bytes * S, bytes * S, adam * S,
                 bytes * blocks * (tokens * (8 * D + 2 * F) + tokens * H * N), bytes * tokens * V);
}

void forward_flop(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B) {
    require_whole_heads(D, H);
    const std::int64_t blocks = L, tokens = static_cast<std::int64_t>(B) * N, width = D;
    const std::int64_t projections = 2 * blocks * 4 * tokens * width * width;
    const std::int64_t scores = 2 * blocks * 2 * tokens * N * width;
    const std::int64_t feed_forward = 2 * blocks * 2 * tokens * width * F;
    const std::int64_t logits = 2 * tokens * width * V;
    put(counts, 0, projections);
    put(counts, 1, scores);
    put(counts, 2, feed_forward);
    put(counts, 3, logits);
    put(counts, 4, projections + scores + feed_forward + logits);
}

}  // namespace attn::cpu

#include "contracts/sizes_instances.h"
