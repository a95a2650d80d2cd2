#pragma once
/// The weights of vit_encode as a struct, from its inputs.

#include "assignments/06_vit_patching/vit_patching.h"
#include "grader/ask/inputs.h"

namespace attn::ask::vit_patching {

template <class T>
VitWeights<T> vit_weights(const Arrays& inputs) {
    const auto vector = [&inputs](const char* name) { return by_name(inputs, name).view<T, 1>(); };
    const auto matrix = [&inputs](const char* name) { return by_name(inputs, name).view<T, 2>(); };
    const auto stack = [&inputs](const char* name) { return by_name(inputs, name).view<T, 3>(); };
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

}  // namespace attn::ask::vit_patching
