#include "grader/training/forward.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"

namespace attn::trained {
namespace {

using ask::by_name;

bool is_there(const Array& array) {
    return !array.shape.empty();
}

/// Q, K or V of a head's layer: [B, H, N, D/H] of X [B, N, D].
Array projected(Functions& f, const Array& X, const Arrays& weights, const std::string& letter, int heads) {
    const Array projection = linear(X, by_name(weights, "W_" + letter), by_name(weights, "b_" + letter));
    return only(f("split_heads", {reshaped(projection, X.shape, "X"), ask::option("H", heads)}));
}

struct Attended {
    Array A;  ///< [B, H, N, N]
    Array Y;  ///< [B, N, D], before the output's product
};

/// The attention of X, already normed, head by head. The heads are handed over as more batches.
Attended attended(Functions& f, const Array& X, const Arrays& weights, const BlockOptions& options) {
    const int B = X.shape[0], H = options.heads, N = X.shape[1], D = X.shape[2];
    Arrays inputs;
    for (const std::string letter : {"Q", "K", "V"})
        inputs.push_back(reshaped(projected(f, X, weights, letter, H), {B * H, N, D / H}, letter));
    const bool masked = is_there(options.mask);
    if (masked) {
        Array mask = Array::zeros<std::uint8_t>("mask", {B * H, N, N});
        const std::vector<std::uint8_t>& one = options.mask.as<std::uint8_t>();
        const std::size_t size = static_cast<std::size_t>(N) * static_cast<std::size_t>(N);
        for (std::size_t k = 0; k < mask.count(); ++k)
            mask.as<std::uint8_t>()[k] = one[k / size / static_cast<std::size_t>(H) * size + k % size];
        inputs.push_back(std::move(mask));
    }
    const Arrays outputs =
        f(masked ? "masked_attention" : "scaled_dot_product_attention", inputs, {"Y", "A"});
    const Array Y = only(f("merge_heads", {reshaped(by_name(outputs, "Y"), {B, H, N, D / H}, "X")}));
    return {reshaped(by_name(outputs, "A"), {B, H, N, N}, "A"), Y};
}

}  // namespace

Array sum_of(const Array& a, const Array& b) {
    Array sum = a;
    for (std::size_t k = 0; k < sum.count(); ++k) sum.as<float>()[k] += b.as<float>().at(k);
    return sum;
}

Array reshaped(Array array, Shape shape, const std::string& name) {
    array.shape = std::move(shape);
    array.name = name;
    return array;
}

Array only(Arrays outputs) {
    return std::move(outputs.at(0));
}

Array linear(const Array& X, const Array& W, const Array& b) {
    const auto in = static_cast<std::size_t>(W.shape.at(0)), out = static_cast<std::size_t>(W.shape.at(1));
    const std::size_t rows = X.count() / in;
    Shape shape = X.shape;
    shape.back() = W.shape[1];
    Array Y = Array::zeros<float>("Y", shape);
    const std::vector<float>&x = X.as<float>(), &w = W.as<float>(), &bias = b.as<float>();
    for (std::size_t i = 0; i < rows; ++i) {
        float* const y = &Y.as<float>()[i * out];
        for (std::size_t j = 0; j < out; ++j) y[j] = bias.at(j);
        for (std::size_t k = 0; k < in; ++k)
            for (std::size_t j = 0; j < out; ++j) y[j] += x[i * in + k] * w[k * out + j];
    }
    return Y;
}

Array normed(Functions& f, const Array& X, const Array& gamma, const Array& beta) {
    const int D = X.shape.back(), rows = static_cast<int>(X.count()) / D;
    Array Y = only(f("layer_norm", {reshaped(X, {rows, D}, "X"), reshaped(gamma, {D}, "gamma"),
                                    reshaped(beta, {D}, "beta")}));
    return reshaped(std::move(Y), X.shape, "X");
}

Array attention_in_block(Functions& f, const Array& X, const Arrays& weights, const BlockOptions& options) {
    const Array N = normed(f, X, by_name(weights, "gamma_1"), by_name(weights, "beta_1"));
    return attended(f, N, weights, options).A;
}

Array block_output(Functions& f, const Array& X, const Arrays& weights, const BlockOptions& options) {
    constexpr double kPre = 0, kGeluErf = 1;
    const bool masked = is_there(options.mask);
    if (options.from == From::block) {
        Arrays inputs = weights;
        inputs.push_back(reshaped(X, X.shape, "X"));
        if (masked) inputs.push_back(options.mask);
        for (const auto& [name, value] :
             {std::pair("H", double(options.heads)), {"norm", kPre}, {"activation", kGeluErf}})
            inputs.push_back(ask::option(name, value));
        return reshaped(only(f("transformer_block", inputs)), X.shape, "X");
    }
    const Array N = normed(f, X, by_name(weights, "gamma_1"), by_name(weights, "beta_1"));
    Array attention;
    if (options.from == From::multi_head) {
        Arrays inputs = {reshaped(N, X.shape, "X_q"), reshaped(N, X.shape, "X_kv"),
                         ask::option("H", options.heads)};
        for (const char* const name : {"W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O"})
            inputs.push_back(by_name(weights, name));
        if (masked) inputs.push_back(options.mask);
        attention = only(f("multi_head_attention", inputs));
    } else {
        attention =
            linear(attended(f, N, weights, options).Y, by_name(weights, "W_O"), by_name(weights, "b_O"));
    }
    const Array Z = sum_of(X, attention);
    const Array M = normed(f, Z, by_name(weights, "gamma_2"), by_name(weights, "beta_2"));
    const int D = X.shape.back();
    Arrays inputs = {reshaped(M, {static_cast<int>(M.count()) / D, D}, "X"),
                     ask::option("activation", kGeluErf)};
    for (const char* const name : {"W_1", "b_1", "W_2", "b_2"}) inputs.push_back(by_name(weights, name));
    return reshaped(sum_of(Z, only(f("feed_forward", inputs))), X.shape, "X");
}

Array mean_over_heads(const Array& A) {
    const int B = A.shape.at(0), H = A.shape.at(1), N = A.shape.at(2), M = A.shape.at(3);
    Array mean = Array::zeros<float>("A", {B, N, M});
    const auto from = A.view<float, 4>();
    const auto to = mean.view<float, 3>();
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < H; ++h)
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < M; ++j) to(b, i, j) += from(b, h, i, j) / static_cast<float>(H);
    return mean;
}

std::vector<int> largest(const Array& rows) {
    const auto D = static_cast<std::size_t>(rows.shape.back());
    std::vector<int> result;
    for (std::size_t row = 0; row < rows.count() / D; ++row) {
        const float* const first = &rows.as<float>()[row * D];
        std::size_t best = 0;
        for (std::size_t j = 1; j < D; ++j)
            if (first[j] > first[best] || !(first[best] == first[best])) best = j;
        result.push_back(static_cast<int>(best));
    }
    return result;
}

}  // namespace attn::trained
