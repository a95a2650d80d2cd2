#pragma once
/// Checks for arguments that the contract's functions refuse, shared by the plain and the fast reference.

#include <stdexcept>
#include <string>

#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/07_seq2seq/seq2seq.h"
#include "assignments/09_positional_encoding/positional_encoding.h"

namespace attn {

/// D/H. Throws std::invalid_argument if H does not divide D.
inline int head_width(int D, int H) {
    if (H >= 1 && D % H == 0) return D / H;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

/// Throws std::invalid_argument if `heads` does not divide D.
inline void require_whole_heads(int D, int heads) {
    if (heads >= 1 && D % heads == 0) return;
    throw std::invalid_argument("heads = " + std::to_string(heads) +
                                " does not divide D = " + std::to_string(D));
}

/// Throws std::invalid_argument if P does not divide H and W.
inline void require_whole_patches(int H, int W, int P) {
    if (P >= 1 && H % P == 0 && W % P == 0) return;
    throw std::invalid_argument("an image of H = " + std::to_string(H) + " by W = " + std::to_string(W) +
                                " pixels cannot be cut into patches of P = " + std::to_string(P) +
                                " by P: P has to divide both sides");
}

/// Throws std::invalid_argument if a window's side does not divide H and W.
inline void require_whole_windows(int H, int W, int side) {
    if (side >= 1 && H % side == 0 && W % side == 0) return;
    throw std::invalid_argument("H = " + std::to_string(H) + " rows and W = " + std::to_string(W) +
                                " columns cannot be cut into squares with sides of " + std::to_string(side) +
                                ", which have to divide both");
}

/// Throws std::invalid_argument if vectors of D numbers cannot be cut into pairs.
inline void require_pairs(int D) {
    if (D % 2 == 0) return;
    throw std::invalid_argument("vectors of " + std::to_string(D) +
                                " numbers cannot be rotated pair by pair: 2 has to divide the number");
}

/// Throws std::invalid_argument if a word or a length is not one of least .. end - 1.
inline void require_inside(int number, int least, int end) {
    if (least <= number && number < end) return;
    throw std::invalid_argument(std::to_string(number) + " is outside " + std::to_string(least) + " .. " +
                                std::to_string(end - 1));
}

/// Throws std::invalid_argument if the number is not above 0.
inline void require_above_0(double number) {
    if (number > 0) return;
    throw std::invalid_argument(std::to_string(number) + " is not positive");
}

/// Throws std::invalid_argument for a number that is not an activation.
[[noreturn]] inline void refuse(Activation activation) {
    throw std::invalid_argument("activation " + std::to_string(static_cast<int>(activation)) +
                                " is none of relu, gelu_erf, gelu_tanh");
}

/// Throws std::invalid_argument for a number that is not a score.
[[noreturn]] inline void refuse(Score kind) {
    throw std::invalid_argument("kind " + std::to_string(static_cast<int>(kind)) +
                                " is none of dot, general, concat");
}

/// Throws std::invalid_argument for a number that is not a kind of naive positions.
[[noreturn]] inline void refuse(Naive kind) {
    throw std::invalid_argument("kind " + std::to_string(static_cast<int>(kind)) +
                                " is none of index, fraction, saturating, one_sine");
}

}  // namespace attn
