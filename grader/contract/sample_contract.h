#pragma once
/// For tests: a small contract that uses every feature, and reading from memory.

#include <map>
#include <stdexcept>
#include <string>

#include "grader/contract/contract_reader.h"

namespace attn::contract::testing {

inline const std::string kSampleContract = R"(#pragma once
/// Assignment 9. Conventions: outputs first; weights are [in, out].
/// Letters:  B batches, N vectors, D numbers.

#include <cstdint>

#include "../tensor.h"

namespace attn {

/// Where the layer norm stands.
enum class Norm {
    pre,  ///< before
    post
};

/// Of a layer norm.
template <class T>
struct Gains {
    TensorView<const T, 1> gamma, beta;  ///< [D] of each feature
};

template <class T>
struct Weights {
    Gains<T> norm;             ///< of the norm
    TensorView<const T, 2> W;  ///< [D, F]
    TensorView<const T, 1> b;  ///< [F]

    /// How many.
    int width() const { return W.size(1); }
    void none() const;
};

/// Attention.
///   E = Q K^T / sqrt(D_q)      [B, N_q, N_k]
///   A = softmax(E)             [B, N_q, N_k] (optional)
///   Y[b] = A V                 [B, N_q, D_v]
/// Q [B, N_q, D_q], K [B, N_k, D_q],
/// V [B, N_k, D_v], mask [B, N_q, N_k].
void attend(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
            TensorView<const float, 3> K, TensorView<const float, 3> V, TensorView<const std::uint8_t, 3> mask);

/// A layer.      X and Y [B, N, D], lengths [B] (optional). norm (default post), eps (default 1e-5) and k
/// (default 3). Throws std::invalid_argument where H does not divide D and F.
void layer(TensorView<float, 3> Y, TensorView<const float, 3> X, const Weights<float>& weights,
           TensorView<const int, 1> lengths, int H, Norm norm, float eps, int k, bool causal);

}  // namespace attn
)";

/// A contract with a struct of outputs.
inline const std::string kGradientContract = R"(#pragma once
/// Assignment 9. Letters: N vectors.

#include "../tensor.h"

namespace attn {

template <class T>
struct GainGradients {
    TensorView<T, 1> dgamma, dbeta;  ///< [D]
};

template <class T>
struct Gradients {
    GainGradients<T> norm;
    TensorView<T, 2> dW;  ///< [D, F]
};

/// dX and dY [N, D].
void layer_backward(TensorView<float, 2> dX, const Gradients<float>& gradients,
                    TensorView<const float, 2> dY);

}  // namespace attn
)";

/// Reads this text as assignments/09_x/x.h. `others`: the texts of other contracts by path.
inline Contract read(const std::string& text, const std::map<std::string, std::string>& others = {}) {
    return read_contract("assignments/09_x/x.h", [&](const std::string& path) {
        if (path == "assignments/09_x/x.h") return text;
        const auto found = others.find(path);
        if (found == others.end()) throw ContractError(path, 1, "there is no such contract");
        return found->second;
    });
}

}  // namespace attn::contract::testing
