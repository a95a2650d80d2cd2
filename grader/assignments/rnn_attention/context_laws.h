#pragma once
/// Assignment 1, what holds of weights and contexts, of a sentence or of a grid.

#include <string>
#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask::rnn_attention {

using Names = std::vector<std::string>;

/// Weights [B, T] or [B, L, T] sum to 1 over the words of a sentence; pads get 0.
Property weights_share_one(const std::string& output);
/// c [B, D_h] lies among the words of h that count.
Property context_in_the_hull();
/// Words, their scores and their mask in another order.
Property words_permute();
/// The same for decode, which takes s_0 from the last word: that one stays, and is no pad.
Property words_but_the_last_permute();
/// Pads behind the sentences, as many again, change neither the weights, whose words run along `axis`, nor
/// `other`.
Property pads_can_be_cut_off(const Names& by_word, const std::string& weights, int axis,
                             const std::string& other);
/// What stands at a pad, in inputs of float, changes none of `outputs`.
Property pads_say_nothing(const Names& by_word, const Names& outputs);

/// The weights of a grid sum to 1 over all cells.
Property cell_weights_share_one();
Property grid_in_the_hull();
/// R x C cells are the same as 1 x R C.
Property grid_is_flattened();
/// Rows (axis 1) or columns (axis 2) of the grid in another order.
Property cells_permute(const std::string& what, int axis);

}  // namespace attn::ask::rnn_attention
