#pragma once
/// Assignment 1: properties of attention weights and contexts, of a sentence or of a grid.

#include <string>
#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask::rnn_attention {

using Names = std::vector<std::string>;

/// Weights [B, T] or [B, L, T] sum to 1 over the words of a sentence and are 0 at pads.
Property weights_share_one(const std::string& output);
/// Each number of c [B, D_h] lies between the minimum and the maximum of its feature over the words of h.
Property context_in_the_hull();
/// Permutes the words with their scores and their mask.
Property words_permute();
/// The same for decode. The last word stays in its place and is not a pad, because s_0 is computed from it.
Property words_but_the_last_permute();
/// As many pads as words are appended to the sentences. They change neither the weights, whose words run
/// along `axis`, nor the output `other`. `by_word`: inputs with an axis of words.
Property pads_can_be_cut_off(const Names& by_word, const std::string& weights, int axis,
                             const std::string& other);
/// Other numbers at the pads of the inputs `by_word` change none of `outputs`.
Property pads_say_nothing(const Names& by_word, const Names& outputs);

/// The weights of a grid sum to 1 over all cells.
Property cell_weights_share_one();
Property grid_in_the_hull();
/// A grid of R x C cells gives the same as one of 1 x R C cells.
Property grid_is_flattened();
/// Permutes the rows (axis 1) or columns (axis 2) of the grid.
Property cells_permute(const std::string& what, int axis);

}  // namespace attn::ask::rnn_attention
