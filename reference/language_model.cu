// The reference for assignment 11, as kernels: an outer loop of language_model.cpp becomes threads here.

#include <stdexcept>
#include <vector>

#include "device.h"
#include "language_model_cuda.h"
#include "masking_cuda.h"
#include "multi_head_cuda.h"
#include "self_attention_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr float kEps = 1e-5F;

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

/// Throws std::invalid_argument for a number outside first .. end - 1. The host has to copy the numbers to see them.
void require_inside(TensorView<const int, 2> tokens, int first, int end, cudaStream_t stream) {
    std::vector<int> numbers(static_cast<std::size_t>(tokens.count()));
    check(cudaMemcpyAsync(numbers.data(), tokens.data(), numbers.size() * sizeof(int), cudaMemcpyDeviceToHost,
                          stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int number : numbers) require(number >= first && number < end, "there is no such token");
}

/// A thread owns one number of Y.
__global__ void rows_of_table(TensorView<float, 3> Y, TensorView<const int, 2> tokens,
                              TensorView<const float, 2> table) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    Y(b, i, d) = table(tokens(b, i), d);
}

/// A thread owns one token.
__global__ void shifted(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start) {
    const std::ptrdiff_t n = thread_number();
    if (n >= tokens.count()) return;
    const auto [b, i] = index_in(tokens, n);
    tokens(b, i) = i == 0 || targets(b, i - 1) == -1 ? start : targets(b, i - 1);
}

/// A thread owns one place: -sum_v q[v] ln p[v]
__global__ void surprises(TensorView<float, 2> losses, TensorView<const float, 3> logits,
                          TensorView<const int, 2> targets, float smoothing) {
    const std::ptrdiff_t n = thread_number();
    if (n >= losses.count()) return;
    const auto [b, i] = index_in(losses, n);
    const int V = logits.size(2), target = targets(b, i);
    float most = logits(b, i, 0), sum = 0, total = 0;
    for (int v = 1; v < V; ++v) most = fmaxf(most, logits(b, i, v));
    for (int v = 0; v < V; ++v) sum += expf(logits(b, i, v) - most);
    for (int v = 0; v < V; ++v) {
        const float q = (v == target ? 1 - smoothing : 0.0F) + smoothing / static_cast<float>(V);
        if (q > 0) total -= q * (logits(b, i, v) - most - logf(sum));
    }
    losses(b, i) = target == -1 ? 0.0F : total;
}

/// One thread adds up all losses.
__global__ void mean_loss(TensorView<float, 1> loss, TensorView<const float, 2> losses,
                          TensorView<const int, 2> targets, bool exponential) {
    if (thread_number() > 0) return;
    float sum = 0;
    int counted = 0;
    for (int b = 0; b < losses.size(0); ++b) {
        for (int i = 0; i < losses.size(1); ++i) {
            sum += losses(b, i);
            counted += targets(b, i) == -1 ? 0 : 1;
        }
    }
    const float mean = counted > 0 ? sum / static_cast<float>(counted) : 0.0F;
    loss(0) = exponential ? expf(mean) : mean;
}

/// A thread owns one number of P.
__global__ void heated(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature) {
    const std::ptrdiff_t n = thread_number();
    if (n >= P.count()) return;
    const auto [b, v] = index_in(P, n);
    P(b, v) = logits(b, logits.size(1) - 1, v) / temperature;
}

/// A thread owns one row: Q = the kept numbers of P, divided by their sum. A token is kept if fewer than k tokens come
/// before it, or if these have less than p together.
__global__ void kept_tokens(TensorView<float, 2> Q, TensorView<const float, 2> P, int k, float p) {
    const std::ptrdiff_t n = thread_number();
    if (n >= P.size(0)) return;
    const int b = static_cast<int>(n), V = P.size(1);
    float sum = 0;
    for (int v = 0; v < V; ++v) {
        int rank = 0;
        float before = 0;
        for (int w = 0; w < V; ++w) {
            const bool is_before = P(b, w) > P(b, v) || (P(b, w) == P(b, v) && w < v);
            rank += is_before ? 1 : 0;
            before += is_before ? P(b, w) : 0.0F;
        }
        Q(b, v) = (k > 0 ? rank < k : before < p) ? P(b, v) : 0.0F;
        sum += Q(b, v);
    }
    for (int v = 0; v < V; ++v) Q(b, v) /= sum;
}

/// A thread owns one sequence: tokens[b, at] = the first v with Q[b, 0] + .. + Q[b, v] > u[b, at], or eos after eos
__global__ void draw(TensorView<int, 2> tokens, TensorView<const float, 2> Q, TensorView<const float, 2> u,
                     int at, int eos) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Q.size(0)) return;
    const int b = static_cast<int>(n);
    float sum = 0;
    int drawn = -1, last = 0;
    for (int v = 0; v < Q.size(1) && drawn < 0; ++v) {
        sum += Q(b, v);
        if (Q(b, v) > 0) last = v;
        if (sum > u(b, at)) drawn = v;
    }
    const bool ended = at > 0 && eos >= 0 && tokens(b, at - 1) == eos;
    tokens(b, at) = ended ? eos : drawn < 0 ? last : drawn;
}

/// X = X + P. A thread owns one number of X.
__global__ void add_places(TensorView<float, 3> X, TensorView<const float, 2> P, int first) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    X(b, i, d) += P(first + i, d);
}

/// logits = Y table^T. A thread owns one logit.
__global__ void products_with_table(TensorView<float, 3> logits, TensorView<const float, 3> Y,
                                    TensorView<const float, 2> table) {
    const std::ptrdiff_t n = thread_number();
    if (n >= logits.count()) return;
    const auto [b, i, v] = index_in(logits, n);
    float dot = 0;
    for (int d = 0; d < table.size(1); ++d) dot += Y(b, i, d) * table(v, d);
    logits(b, i, v) = dot;
}

/// The text so far: the prompt, then the new tokens. A thread owns one token.
__global__ void text_so_far(TensorView<int, 2> text, TensorView<const int, 2> prompt,
                            TensorView<const int, 2> tokens) {
    const std::ptrdiff_t n = thread_number();
    if (n >= text.count()) return;
    const auto [b, i] = index_in(text, n);
    text(b, i) = i < prompt.size(1) ? prompt(b, i) : tokens(b, i - prompt.size(1));
}

TensorView<int, 2> as_column(TensorView<int, 1> tokens) {
    return {tokens.data(), tokens.size(0), 1};
}
TensorView<const float, 2> as_column(TensorView<const float, 1> u) {
    return {u.data(), u.size(0), 1};
}

void keep_and_draw(TensorView<int, 2> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                   TensorView<const float, 2> u, int k, float p, int at, int eos, cudaStream_t stream) {
    const int B = P.size(0), V = P.size(1);
    const DeviceBuffer<float> kept(stream, B, V);
    if (!Q) Q = kept.view(B, V);
    kept_tokens<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(Q, P, k, p);
    check(cudaGetLastError(), "kept_tokens");
    draw<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(tokens, Q, u, at, eos);
    check(cudaGetLastError(), "draw");
}

void losses_and_mean(TensorView<float, 1> loss, TensorView<float, 2> losses,
                     TensorView<const float, 3> logits, TensorView<const int, 2> targets, float smoothing,
                     bool exponential, cudaStream_t stream) {
    const int B = logits.size(0), N = logits.size(1);
    require_inside(targets, -1, logits.size(2), stream);
    const DeviceBuffer<float> all(stream, B, N);
    if (!losses) losses = all.view(B, N);
    surprises<<<blocks_for(losses.count(), kThreads), kThreads, 0, stream>>>(losses, logits, targets,
                                                                             smoothing);
    check(cudaGetLastError(), "surprises");
    mean_loss<<<1, 1, 0, stream>>>(loss, losses, targets, exponential);
    check(cudaGetLastError(), "mean_loss");
}

}  // namespace

void embed_tokens(TensorView<float, 3> Y, TensorView<const int, 2> tokens, TensorView<const float, 2> table,
                  cudaStream_t stream) {
    require_inside(tokens, 0, table.size(0), stream);
    rows_of_table<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, tokens, table);
    check(cudaGetLastError(), "rows_of_table");
}

void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start,
                 cudaStream_t stream) {
    shifted<<<blocks_for(tokens.count(), kThreads), kThreads, 0, stream>>>(tokens, targets, start);
    check(cudaGetLastError(), "shifted");
}

void cross_entropy(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const float, 3> logits,
                   TensorView<const int, 2> targets, float smoothing, cudaStream_t stream) {
    losses_and_mean(loss, losses, logits, targets, smoothing, false, stream);
}

void perplexity(TensorView<float, 1> ppl, TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                cudaStream_t stream) {
    losses_and_mean(ppl, {}, logits, targets, 0, true, stream);
}

void next_token_probabilities(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature,
                              cudaStream_t stream) {
    require(temperature > 0, "the temperature is not positive");
    const DeviceBuffer<float> buffer(stream, P.size(0), P.size(1));
    const TensorView<float, 2> X = buffer.view(P.size(0), P.size(1));
    heated<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(X, logits, temperature);
    check(cudaGetLastError(), "heated");
    softmax(P, X, stream);
}

void sample_top_k(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, int k, cudaStream_t stream) {
    require(k >= 1 && k <= P.size(1), "k is outside 1 .. V");
    keep_and_draw(as_column(tokens), Q, P, as_column(u), k, 0, 0, -1, stream);
}

void sample_top_p(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, float p, cudaStream_t stream) {
    require(p > 0, "p is not positive");
    keep_and_draw(as_column(tokens), Q, P, as_column(u), 0, p, 0, -1, stream);
}

void language_model(TensorView<float, 3> logits, TensorView<const int, 2> tokens,
                    TensorView<const float, 2> table, TensorView<const float, 2> P,
                    const EncoderWeights<float>& weights, int H, cudaStream_t stream) {
    const int B = tokens.size(0), N = tokens.size(1), D = table.size(1);
    const DeviceBuffer<float> inputs(stream, B, N, D), outputs(stream, B, N, D);
    const DeviceBuffer<std::uint8_t> allowed(stream, B, N, N);
    const TensorView<float, 3> X = inputs.view(B, N, D), Y = outputs.view(B, N, D);
    const TensorView<std::uint8_t, 3> mask = allowed.view(B, N, N);
    // X = table[tokens] + P
    embed_tokens(X, tokens, table, stream);
    add_places<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(X, P, 0);
    check(cudaGetLastError(), "add_places");
    for (int b = 0; b < B; ++b) causal_mask(mask[b], stream);
    transformer_encoder(Y, X, weights, mask, H, Norm::pre, Activation::gelu_erf, kEps, stream);
    products_with_table<<<blocks_for(logits.count(), kThreads), kThreads, 0, stream>>>(logits, Y, table);
    check(cudaGetLastError(), "products_with_table");
}

/// Here each token costs a whole pass: there is no growth to keep small on the emulator.
void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const float, 2> table,
              TensorView<const float, 2> P, const EncoderWeights<float>& weights,
              TensorView<const float, 2> u, int H, int k, float temperature, int eos, cudaStream_t stream) {
    const int B = prompt.size(0), N = prompt.size(1), N_new = tokens.size(1), V = table.size(0),
              D = table.size(1);
    require(k >= 1 && k <= V, "k is outside 1 .. V");
    require(D % H == 0, "H does not divide D");
    const int most = N + N_new;
    const DeviceBuffer<int> read(stream, B, most);
    const DeviceBuffer<float> all_logits(stream, B, most, V), next(stream, B, V);
    for (int i = 0; i < N_new; ++i) {
        const TensorView<int, 2> text = read.view(B, N + i);
        const TensorView<float, 3> logits = all_logits.view(B, N + i, V);
        text_so_far<<<blocks_for(text.count(), kThreads), kThreads, 0, stream>>>(text, prompt, tokens);
        check(cudaGetLastError(), "text_so_far");
        language_model(logits, text, table, TensorView<const float, 2>(P.data(), N + i, D), weights, H,
                       stream);
        next_token_probabilities(next.view(B, V), logits, temperature, stream);
        keep_and_draw(tokens, {}, next.view(B, V), u, k, 0, i, eos, stream);
    }
}

}  // namespace attn::cuda
