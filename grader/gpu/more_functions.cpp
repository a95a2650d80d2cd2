#include "grader/gpu/more_functions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>

#include "contracts/masking_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "grader/ask/flop.h"
#include "grader/ask/inputs.h"

namespace attn::gpu {
namespace {

using ask::Function;
using ask::Sizes;

template <class T>
void attention(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
               TensorView<const T, 3> V) {
    cpu::scaled_dot_product_attention<T>(Y, {}, Q, K, V);
}

template <class T>
void attention_or_causal(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                         TensorView<const T, 3> V, bool causal) {
    if (!causal) return attention<T>(Y, Q, K, V);
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const std::size_t count = static_cast<std::size_t>(N_q) * static_cast<std::size_t>(N_k);
    std::vector<std::uint8_t> masks(static_cast<std::size_t>(B) * count);
    for (int b = 0; b < B; ++b)
        cpu::causal_mask({masks.data() + static_cast<std::size_t>(b) * count, N_q, N_k});
    cpu::masked_attention<T>(Y, {}, Q, K, V, {masks.data(), B, N_q, N_k});
}

/// y = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
template <class T>
void gelu_loop(TensorView<T, 2> Y, TensorView<const T, 2> X) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) {
            const T x = X(i, d);
            const T inner = std::sqrt(2 * std::numbers::inv_pi_v<T>) * (x + T(0.044715) * x * x * x);
            Y(i, d) = x * (1 + std::tanh(inner)) / 2;
        }
}

Function attention_function(const std::string& name, bool has_mask) {
    std::vector<ask::TensorSpec> Y{{"Y", {"B", "N_q", "D_v"}}},
        inputs{{"Q", {"B", "N_q", "D_q"}}, {"K", {"B", "N_k", "D_q"}}, {"V", {"B", "N_k", "D_v"}}};
    Function function =
        has_mask ? make_function(name, Y, inputs, attention_or_causal<float>, attention_or_causal<double>)
                 : make_function(name, Y, inputs, attention<float>, attention<double>);
    if (has_mask) function.options = {ask::choice_option("causal", {"no", "yes"}, 0)};
    function.flop = ask::flop::operations_of("scaled_dot_product_attention");
    return function;
}

std::vector<Function> functions_of_rows() {
    const std::vector<ask::TensorSpec> Y{{"Y", {"N", "D"}}}, X{{"X", {"N", "D"}}};
    std::vector<Function> all;
    all.push_back(make_function("layer_norm_rows", Y, {X[0], {"gamma", {"D"}}, {"beta", {"D"}}},
                                cpu::layer_norm<float>, cpu::layer_norm<double>));
    all.back().options = {ask::number_option("eps", 1e-5)};
    all.back().flop = ask::flop::operations_of("layer_norm");
    all.push_back(make_function("softmax_rows", Y, X, cpu::softmax<float>, cpu::softmax<double>));
    all.push_back(make_function("gelu", Y, X, gelu_loop<float>, gelu_loop<double>));
    return all;
}

/// C = factor A B + b, or with B^T. `b` may be null.
template <class T>
void product_loop(TensorView<T, 2> C, TensorView<const T, 2> A, TensorView<const T, 2> B, bool transposed,
                  T factor, const T* b) {
    for (int i = 0; i < C.size(0); ++i)
        for (int j = 0; j < C.size(1); ++j) {
            T sum = 0;
            for (int d = 0; d < A.size(1); ++d) sum += A(i, d) * (transposed ? B(j, d) : B(d, j));
            C(i, j) = factor * sum + (b != nullptr ? b[j] : T(0));
        }
}

template <class T>
void multiply_loop(TensorView<T, 2> C, TensorView<const T, 2> A, TensorView<const T, 2> B) {
    product_loop<T>(C, A, B, false, 1, nullptr);
}

template <class T>
void multiply_transposed_loop(TensorView<T, 3> C, TensorView<const T, 3> A, TensorView<const T, 3> B,
                              T factor) {
    for (int b = 0; b < C.size(0); ++b) product_loop<T>(C[b], A[b], B[b], true, factor, nullptr);
}

template <class T>
void linear_loop(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
                 TensorView<const T, 1> b) {
    product_loop<T>(Y, X, W, false, 1, b.data());
}

std::vector<Function> functions_of_products() {
    using ask::make_function;
    using ask::flop::product;
    std::vector<Function> all;
    all.push_back(make_function("multiply", {{"C", {"N", "M"}}}, {{"A", {"N", "D"}}, {"B", {"D", "M"}}},
                                multiply_loop<float>, multiply_loop<double>));
    all.back().flop = [](const Sizes& n) { return product(n.at("N"), n.at("D"), n.at("M")); };
    all.push_back(make_function("multiply_transposed", {{"C", {"B", "N", "M"}}},
                                {{"A", {"B", "N", "D"}}, {"B", {"B", "M", "D"}}},
                                multiply_transposed_loop<float>, multiply_transposed_loop<double>));
    all.back().options = {ask::number_option("factor", 0.125)};
    all.back().flop = [](const Sizes& n) { return n.at("B") * product(n.at("N"), n.at("D"), n.at("M")); };
    all.push_back(make_function("linear", {{"Y", {"N", "D_out"}}},
                                {{"X", {"N", "D_in"}}, {"W", {"D_in", "D_out"}}, {"b", {"D_out"}}},
                                linear_loop<float>, linear_loop<double>));
    all.back().flop = [](const Sizes& n) { return product(n.at("N"), n.at("D_in"), n.at("D_out")); };
    return all;
}

}  // namespace

const std::vector<ask::Module>& modules_of_more_kernels() {
    static const std::vector<ask::Module> kModules = [] {
        ask::Module steps, fast, products;
        steps.name = "steps";
        for (const char* name : {"attend_by_threads", "attend_by_warps", "attend_by_tiles", "attend_online"})
            steps.functions.push_back(attention_function(name, false));
        fast.name = "fast";
        fast.functions = functions_of_rows();
        for (const char* name : {"attend", "attend_simt", "attend_in_bf16"})
            fast.functions.push_back(attention_function(name, true));
        products.name = "products";
        products.functions = functions_of_products();
        steps.recipes = fast.recipes = products.recipes = {ask::normal_recipe()};
        return std::vector<ask::Module>{steps, fast, products};
    }();
    return kModules;
}

}  // namespace attn::gpu
