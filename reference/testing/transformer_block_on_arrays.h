#pragma once
/// For tests: the functions of reference/transformer_block.h from Arrays to Arrays, and inputs for them.
/// Outputs are full of NaN before the call, so that an element that is never written is found.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/testing/self_attention_on_arrays.h"
#include "reference/transformer_block.h"

namespace attn::testing {

/// How a block is computed.
struct BlockOptions {
    int H = 2;
    Norm norm = Norm::pre;
    Activation activation = Activation::relu;
    double eps = 1e-5;
};

/// The parameters of one block by name, as BlockWeights has them; for L blocks with one more axis in front.
struct BlockParameters {
    std::map<std::string, Array> by_name;

    template <class T, int Rank>
    TensorView<const T, Rank> view(const std::string& name) const {
        return by_name.at(name).view<T, Rank>();
    }
    template <class T>
    BlockWeights<T> weights() const {
        const auto v = [this](const char* name) { return view<T, 1>(name); };
        const auto m = [this](const char* name) { return view<T, 2>(name); };
        return {v("gamma_1"),
                v("beta_1"),
                {m("W_Q"), v("b_Q"), m("W_K"), v("b_K"), m("W_V"), v("b_V"), m("W_O"), v("b_O")},
                v("gamma_2"),
                v("beta_2"),
                m("W_1"),
                v("b_1"),
                m("W_2"),
                v("b_2")};
    }
    template <class T>
    EncoderWeights<T> encoder_weights(const Array& gamma, const Array& beta) const {
        const auto v = [this](const char* name) { return view<T, 2>(name); };
        const auto m = [this](const char* name) { return view<T, 3>(name); };
        return {v("gamma_1"), v("beta_1"), m("W_Q"), v("b_Q"), m("W_K"),           v("b_K"),
                m("W_V"),     v("b_V"),    m("W_O"), v("b_O"), v("gamma_2"),       v("beta_2"),
                m("W_1"),     v("b_1"),    m("W_2"), v("b_2"), gamma.view<T, 1>(), beta.view<T, 1>()};
    }
    /// The same with zeros for the parameters of these names.
    template <class T>
    BlockParameters with_zeros(const std::vector<std::string>& names) const {
        BlockParameters result = *this;
        for (const std::string& name : names)
            result.by_name[name] = Array::zeros<T>(name, by_name.at(name).shape);
        return result;
    }
};

/// Names and shapes of one block's parameters.
inline std::map<std::string, Shape> block_shapes(int D, int F) {
    return {{"gamma_1", {D}}, {"beta_1", {D}}, {"W_Q", {D, D}},  {"b_Q", {D}},
            {"W_K", {D, D}},  {"b_K", {D}},    {"W_V", {D, D}},  {"b_V", {D}},
            {"W_O", {D, D}},  {"b_O", {D}},    {"gamma_2", {D}}, {"beta_2", {D}},
            {"W_1", {D, F}},  {"b_1", {F}},    {"W_2", {F, D}},  {"b_2", {D}}};
}

/// Nearly normal parameters, different for every `which`.
template <class T>
BlockParameters normal_parameters(int D, int F, const std::string& which = "") {
    BlockParameters result;
    for (const auto& [name, shape] : block_shapes(D, F)) {
        Array array = normal<T>(name + which, shape);
        for (T& value : array.as<T>()) value = value / 2 + static_cast<T>(name.starts_with("gamma") ? 1 : 0);
        result.by_name[name] = array;
    }
    return result;
}

/// Several blocks' parameters along a new first axis.
template <class T>
BlockParameters stacked(const std::vector<BlockParameters>& blocks) {
    BlockParameters result;
    for (const auto& [name, first] : blocks.front().by_name) {
        Shape shape = first.shape;
        shape.insert(shape.begin(), static_cast<int>(blocks.size()));
        std::vector<T> numbers;
        for (const BlockParameters& block : blocks) {
            const std::vector<T>& more = block.by_name.at(name).template as<T>();
            numbers.insert(numbers.end(), more.begin(), more.end());
        }
        result.by_name[name] = Array(name, shape, numbers);
    }
    return result;
}

/// Layer norm of all rows of X [.., D].
template <class T>
Array layer_norm(const Array& X, const Array& gamma, const Array& beta, double eps) {
    Array Y = unwritten<T>("Y", X.shape);
    const int D = X.shape.back(), rows = static_cast<int>(X.count()) / D;
    cpu::layer_norm<T>({Y.as<T>().data(), rows, D}, {X.as<T>().data(), rows, D}, gamma.view<T, 1>(),
                       beta.view<T, 1>(), static_cast<T>(eps));
    return Y;
}

template <class T>
Array feed_forward(const Array& X, const Array& W_1, const Array& b_1, const Array& W_2, const Array& b_2,
                   Activation activation) {
    Array Y = unwritten<T>("Y", X.shape);
    cpu::feed_forward<T>(Y.view<T, 2>(), X.view<T, 2>(), W_1.view<T, 2>(), b_1.view<T, 1>(), W_2.view<T, 2>(),
                         b_2.view<T, 1>(), activation);
    return Y;
}

/// mask: an array, or none for no mask.
inline TensorView<const std::uint8_t, 3> view_of_mask(const Array& mask) {
    return mask.shape.empty() ? TensorView<const std::uint8_t, 3>() : mask.view<std::uint8_t, 3>();
}

template <class T>
Array block(const Array& X, const BlockParameters& parameters, const BlockOptions& options,
            const Array& mask = {}) {
    Array Y = unwritten<T>("Y", X.shape);
    cpu::transformer_block<T>(Y.view<T, 3>(), X.view<T, 3>(), parameters.weights<T>(), view_of_mask(mask),
                              options.H, options.norm, options.activation, static_cast<T>(options.eps));
    return Y;
}

/// L blocks, whose parameters have a first axis of length L.
template <class T>
Array encode(const Array& X, const BlockParameters& parameters, const Array& gamma, const Array& beta,
             const BlockOptions& options, const Array& mask = {}) {
    Array Y = unwritten<T>("Y", X.shape);
    cpu::transformer_encoder<T>(Y.view<T, 3>(), X.view<T, 3>(), parameters.encoder_weights<T>(gamma, beta),
                                view_of_mask(mask), options.H, options.norm, options.activation,
                                static_cast<T>(options.eps));
    return Y;
}

/// x + y, element by element.
template <class T>
Array added(Array x, const Array& y) {
    for (std::size_t k = 0; k < x.count(); ++k) x.as<T>()[k] += y.as<T>()[k];
    return x;
}

inline Array lower_triangles(int B, int N) {
    Array mask = Array::zeros<std::uint8_t>("mask", {B, N, N});
    const auto M = mask.view<std::uint8_t, 3>();
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j) M(b, i, j) = 1;
    return mask;
}

}  // namespace attn::testing
