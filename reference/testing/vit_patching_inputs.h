#pragma once
/// For tests of assignment 6: images' weights by name, and calls with them.

#include <cmath>
#include <map>
#include <string>

#include "contracts/vit_patching_on_arrays.h"
#include "reference/testing/arrays.h"

namespace attn::testing {

/// The arrays behind VitWeights, by the names of its members.
using VitArrays = std::map<std::string, Array>;

struct VitSizes {
    int C = 3, H = 4, W = 6, P = 2, D = 8, L = 2, F = 5, K = 4;
    int tokens() const { return (H / P) * (W / P) + 1; }
};

/// Normal numbers: matrices shrunk by the root of their sums' length, gamma around 1.
template <class T>
VitArrays vit_arrays(const VitSizes& n) {
    VitArrays all;
    const auto add = [&all](const std::string& name, const Shape& shape, double factor, double middle = 0) {
        Array array = normal<T>(name, shape);
        for (T& x : array.as<T>()) x = static_cast<T>(middle + factor * static_cast<double>(x));
        all[name] = array;
    };
    const auto root = [](int length) { return 1 / std::sqrt(length); };
    add("E", {n.P * n.P * n.C, n.D}, root(n.P * n.P * n.C));
    add("E_pos", {n.tokens(), n.D}, 1);
    add("W_head", {n.D, n.K}, root(n.D));
    add("b_head", {n.K}, 0.5);
    for (const char* name : {"b", "cls", "beta"}) add(name, {n.D}, 0.5);
    for (const char* name : {"beta_1", "beta_2", "b_Q", "b_K", "b_V", "b_O", "b_2"})
        add(name, {n.L, n.D}, 0.5);
    for (const char* name : {"W_Q", "W_K", "W_V", "W_O"}) add(name, {n.L, n.D, n.D}, root(n.D));
    for (const char* name : {"gamma_1", "gamma_2"}) add(name, {n.L, n.D}, 0.3, 1);
    add("gamma", {n.D}, 0.3, 1);
    add("W_1", {n.L, n.D, n.F}, root(n.D));
    add("b_1", {n.L, n.F}, 0.5);
    add("W_2", {n.L, n.F, n.D}, root(n.F));
    return all;
}

/// Z of embed_patches, with the weights of these names.
template <class T>
Array embed_patches(const Array& X, const VitArrays& all, int P) {
    return on_arrays::embed_patches<T>(X, all.at("E"), all.at("b"), all.at("cls"), all.at("E_pos"), P);
}

template <class T>
Array vit_encode(const Array& X, const VitArrays& all, int P, int heads, Activation activation, double eps) {
    return on_arrays::vit_encode<T>(X, made_of<on_arrays::VitWeightsArrays>(all), P, heads, activation, eps);
}

template <class T>
Array unpatchify(const Array& patches, const Shape& image, int P) {
    return on_arrays::unpatchify<T>(patches, image[1], image[2], image[3], P);
}

}  // namespace attn::testing
