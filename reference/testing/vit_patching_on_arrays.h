#pragma once
/// For tests: the functions of reference/vit_patching.h from Arrays to Arrays, and inputs for them. Outputs
/// are full of NaN before the call, so that an element that is never written is found.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/testing/self_attention_on_arrays.h"
#include "reference/vit_patching.h"

namespace attn::testing {

template <class T>
Array patchify(const Array& X, int P) {
    Array patches =
        unwritten<T>("patches", {X.shape[0], (X.shape[2] / P) * (X.shape[3] / P), P * P * X.shape[1]});
    cpu::patchify<T>(patches.view<T, 3>(), X.view<T, 4>(), P);
    return patches;
}

template <class T>
Array unpatchify(const Array& patches, const Shape& image, int P) {
    Array X = unwritten<T>("X", image);
    cpu::unpatchify<T>(X.view<T, 4>(), patches.view<T, 3>(), P);
    return X;
}

/// The arrays behind VitWeights, by the names of its members.
using VitArrays = std::map<std::string, Array>;

struct VitSizes {
    int C = 3, H = 4, W = 6, P = 2, D = 8, L = 2, F = 5, K = 4;
    int tokens() const { return (H / P) * (W / P) + 1; }
};

/// Normal numbers: matrices divided by the root of their sums' length, gamma around 1.
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

template <class T>
VitWeights<T> vit_weights(const VitArrays& all) {
    const auto vector = [&all](const char* name) { return all.at(name).view<T, 1>(); };
    const auto matrix = [&all](const char* name) { return all.at(name).view<T, 2>(); };
    const auto stack = [&all](const char* name) { return all.at(name).view<T, 3>(); };
    return {matrix("E"),
            vector("b"),
            vector("cls"),
            matrix("E_pos"),
            {matrix("gamma_1"), matrix("beta_1"), stack("W_Q"), matrix("b_Q"), stack("W_K"), matrix("b_K"),
             stack("W_V"), matrix("b_V"), stack("W_O"), matrix("b_O"), matrix("gamma_2"), matrix("beta_2"),
             stack("W_1"), matrix("b_1"), stack("W_2"), matrix("b_2"), vector("gamma"), vector("beta")},
            matrix("W_head"),
            vector("b_head")};
}

/// Z of embed_patches, with the weights of these names.
template <class T>
Array embed_patches(const Array& X, const VitArrays& all, int P) {
    const VitWeights<T> weights = vit_weights<T>(all);
    Array Z = unwritten<T>("Z", {X.shape[0], weights.E_pos.size(0), weights.E_pos.size(1)});
    cpu::embed_patches<T>(Z.view<T, 3>(), X.view<T, 4>(), weights.E, weights.b, weights.cls, weights.E_pos,
                          P);
    return Z;
}

template <class T>
Array vit_encode(const Array& X, const VitArrays& all, int P, int heads, Activation activation, double eps) {
    const VitWeights<T> weights = vit_weights<T>(all);
    Array logits = unwritten<T>("logits", {X.shape[0], weights.b_head.size(0)});
    cpu::vit_encode<T>(logits.view<T, 2>(), X.view<T, 4>(), weights, P, heads, activation,
                       static_cast<T>(eps));
    return logits;
}

}  // namespace attn::testing
