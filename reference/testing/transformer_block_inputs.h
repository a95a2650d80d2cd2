#pragma once
/// For tests of assignment 5: parameters by name, masks, and calls with them.

#include <map>
#include <string>
#include <vector>

#include "contracts/transformer_block_on_arrays.h"
#include "reference/testing/arrays.h"

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

    /// The same with zeros for what these names say.
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
    Array rows = X;
    rows.shape = {static_cast<int>(X.count()) / X.shape.back(), X.shape.back()};
    Array Y = on_arrays::layer_norm<T>(rows, gamma, beta, eps);
    Y.shape = X.shape;
    return Y;
}

/// `mask`: an array, or none.
template <class T>
Array block(const Array& X, const BlockParameters& parameters, const BlockOptions& options,
            const Array& mask = {}) {
    const auto weights = made_of<on_arrays::BlockWeightsArrays>(parameters.by_name);
    return on_arrays::transformer_block<T>(X, weights, mask, options.H, options.norm, options.activation,
                                           options.eps);
}

/// L blocks, whose parameters have a first axis of length L.
template <class T>
Array encode(const Array& X, const BlockParameters& parameters, const Array& gamma, const Array& beta,
             const BlockOptions& options, const Array& mask = {}) {
    std::map<std::string, Array> all = parameters.by_name;
    all["gamma"] = gamma;
    all["beta"] = beta;
    return on_arrays::transformer_encoder<T>(X, made_of<on_arrays::EncoderWeightsArrays>(all), mask,
                                             options.H, options.norm, options.activation, options.eps);
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
