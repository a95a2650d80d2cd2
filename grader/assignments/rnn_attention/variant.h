#pragma once
/// Assignment 1 with a switch for every misconception, so that any two of them can be combined.

#include "assignments/array.h"
#include "grader/ask/check.h"

namespace attn::ask::rnn_attention {

enum class Hidden { tanh_of_sum, sum, sum_of_tanhs, tanh_of_dot };  // of the score
enum class Over { words, batch };                                   // what the softmax sums over
/// What is subtracted before exp. with_pads: the maximum of all scores, those of pads too, and 0 / 0 where
/// exp of every word's score is 0 then. with_pads_or_0: the same, with weights of 0 there.
enum class Subtract { maximum, nothing, with_pads, with_pads_or_0 };
/// How a pad is treated. out: it is left out. in: it counts as a word. score_..: its score is replaced.
/// zeroed_late: its weight is set to 0 after the softmax. out_or_nan: like out, but a sentence without words
/// gives 0 / 0.
enum class Pads { out, in, score_0, score_minus_1e9, score_minus_1e4, zeroed_late, out_or_nan };
enum class Attends { before_step, after_step, once, late };  // late: the context serves the next step
enum class First { last_word, zero, first_word, last_pad, word_by_count, last_word_itself, no_tanh };
enum class Word { previous, current, start };
enum class Cells { together, each_row, transposed };

/// With its default values: the right computation.
struct Variant {
    Hidden hidden = Hidden::tanh_of_sum;
    bool W_q_W_k_swapped = false;
    bool batch_0_asks = false;
    Over over = Over::words;
    Subtract subtract = Subtract::maximum;
    Pads pads = Pads::out;
    bool values_are_keys = false;
    bool mean_of_terms = false;  // a further 1 / T
    bool c_first = false;
    bool bias = true;
    bool W_s_transposed = false;
    bool W_s_used = true;
    bool step_tanh = true;
    Attends attends = Attends::before_step;
    bool h_last_asks = false;
    bool state_kept = false;  // at s_0
    First first = First::last_word;
    Word word = Word::previous;
    Cells cells = Cells::together;
    bool operator==(const Variant&) const = default;
};

/// Writes the outputs of `function`, arrays of T. False if the shapes do not allow this variant.
template <class T>
bool compute(const Variant& variant, const std::string& function, Arrays& outputs, const Arrays& inputs);

extern template bool compute<float>(const Variant&, const std::string&, Arrays&, const Arrays&);
extern template bool compute<double>(const Variant&, const std::string&, Arrays&, const Arrays&);

}  // namespace attn::ask::rnn_attention
