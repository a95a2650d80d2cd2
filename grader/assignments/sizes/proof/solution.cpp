#include <stdexcept>
#include <vector>

#include "sizes.h"

namespace attn {
namespace {

using Count = long long;

void write(TensorView<int, 2> counts, int r, Count number) {
    counts(r, 0) = int(number / 1000000);
    counts(r, 1) = int(number % 1000000);
}

// Writes the rows, and their sum after them.
void write_with_sum(TensorView<int, 2> counts, const std::vector<Count>& rows) {
    Count sum = 0;
    for (int r = 0; r < int(rows.size()); r++) {
        write(counts, r, rows[r]);
        sum += rows[r];
    }
    write(counts, int(rows.size()), sum);
}

// A linear layer: a matrix and a bias.
Count linear(Count in, Count out) {
    return (in + 1) * out;
}

Count norm(Count D) {
    return 2 * D;
}

Count mlp(Count D, Count F) {
    return linear(D, F) + linear(F, D);
}

void need_whole_heads(int D, int H) {
    if (D % H != 0) throw std::invalid_argument("H does not divide D");
}

}  // namespace

void transformer_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H, bool tied) {
    need_whole_heads(D, H);
    const Count table = Count(V) * D;
    Count tables = table, output = 0;
    if (!tied) tables = 2 * table, output = table;
    const Count layers = 3;  // attention layers in an encoder's and a decoder's block together
    const Count norms = 5;
    write_with_sum(counts,
                   {tables, L * layers * 4 * linear(D, D), 2 * L * mlp(D, F), L * norms * norm(D), output});
}

void bert_parameters(TensorView<int, 2> counts, int V, int N, int types, int D, int F, int L, int H,
                     bool pooler) {
    need_whole_heads(D, H);
    const Count tables = Count(V) * D + Count(N) * D + Count(types) * D;
    const Count norms = 2 * Count(L) + 1;
    Count last = 0;
    if (pooler) last = linear(D, D);
    write_with_sum(counts, {tables, L * 4 * linear(D, D), L * mlp(D, F), norms * norm(D), last});
}

void xlnet_parameters(TensorView<int, 2> counts, int V, int D, int F, int L, int H) {
    need_whole_heads(D, H);
    const Count tables = Count(V) * D + D;
    const Count matrices = 5 * Count(D) * D, vectors = 3 * Count(D) + 2 * Count(D);
    const Count norms = 2 * Count(L);
    write_with_sum(counts, {tables, L * (matrices + vectors), L * mlp(D, F), norms * norm(D), 0});
}

void gpt2_parameters(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H) {
    need_whole_heads(D, H);
    const Count tokens = Count(V) * D, places = Count(N) * D;
    const Count norms = 2 * Count(L) + 1;
    write_with_sum(counts, {tokens + places, L * 4 * linear(D, D), L * mlp(D, F), norms * norm(D), 0});
}

void vit_parameters(TensorView<int, 2> counts, int R, int P, int C, int D, int F, int L, int H, int K) {
    if (R % P != 0) throw std::invalid_argument("P does not divide R");
    need_whole_heads(D, H);
    const Count patches = Count(R / P) * (R / P);
    const Count patch = Count(P) * P * C;
    const Count cls = D, positions = (patches + 1) * D;
    const Count norms = 2 * Count(L) + 1;
    write_with_sum(counts, {linear(patch, D) + cls + positions, L * 4 * linear(D, D), L * mlp(D, F),
                            norms * norm(D), linear(D, K)});
}

void attention_memory(TensorView<int, 2> counts, int B, int N, int D, int L, int H, int bytes) {
    need_whole_heads(D, H);
    const Count each = Count(bytes) * L * B;
    const Count n = N, d = D, h = H;
    const Count square = h * n * n, vectors = n * d;
    write(counts, 0, each * square);
    write(counts, 1, each * 3 * vectors);
    write(counts, 2, each * 2 * vectors);
    write(counts, 3, each * h * n);
}

void training_memory(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B, bool mixed) {
    std::vector<int> numbers(12);
    const TensorView<int, 2> model(numbers.data(), 6, 2);
    gpt2_parameters(model, V, N, D, F, L, H);
    const Count S = model(5, 0) * 1000000LL + model(5, 1);
    const Count a = mixed ? 2 : 4, adam = mixed ? 12 : 8;
    const Count rows = Count(B) * N;
    const Count vectors = rows * 8 * D + rows * 2 * F, weights = rows * H * N;
    const Count logits = rows * V;
    write_with_sum(counts, {a * S, a * S, adam * S, a * L * (vectors + weights), a * logits});
}

void forward_flop(TensorView<int, 2> counts, int V, int N, int D, int F, int L, int H, int B) {
    need_whole_heads(D, H);
    const Count rows = Count(B) * N;
    const Count projections = 4 * rows * D * D;
    const Count scores = rows * N * D, sums = rows * N * D;
    const Count feed = 2 * rows * D * F;
    const Count logits = rows * D * V;
    write_with_sum(counts, {2 * L * projections, 2 * L * (scores + sums), 2 * L * feed, 2 * logits});
}

}  // namespace attn
