// Assignment 3: the mistakes that the grader recognises. wrong_attention.cpp computes their outputs.

#include "grader/ask/switches.h"
#include "grader/assignments/multi_head/parts.h"
#include "grader/assignments/multi_head/variant.h"

namespace attn::ask::multi_head {
namespace {

struct Entry {
    Mistake mistake;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"split_by_view", "X's numbers are given to the heads in the order in which they lie in memory",
          "[N, D] cut into pieces is [N, H, D/H], which lies in memory as X does. In which order do the axes "
          "of "
          "Y stand, and what has to change places?"},
         [](Variant& variant) { variant.split = Split::view; }},
        {{"split_interleaved", "head h gets columns h, h + H, h + 2 H, .. instead of neighbouring ones",
          "Write down the columns that head 0 owns, and then the formula for column d of head h."},
         [](Variant& variant) { variant.split = Split::interleaved; }},
        {{"head_0_everywhere", "every head gets the columns of head 0",
          "Which of your indices of X knows about h?"},
         [](Variant& variant) { variant.split = Split::head_0; }},
        {{"heads_begin_at_h_H", "head h begins at column h H instead of h D/H",
          "How many columns lie before head h: so many as there are heads, for each head before it, or so "
          "many "
          "as a head is wide?"},
         [](Variant& variant) { variant.split = Split::from_h_H; }},
        {{"merge_by_view", "the heads are merged in the order in which their numbers lie in memory",
          "One row of the result belongs to one token. Do the numbers of that token in all heads lie next to "
          "each other in [H, N, D/H]?"},
         [](Variant& variant) { variant.merge = Merge::view; }},
        {{"merge_interleaved", "number d of head h is put into column d H + h instead of h D/H + d",
          "Side by side: which columns of the result does head 0 fill, and which one comes next?"},
         [](Variant& variant) { variant.merge = Merge::interleaved; }},
        {{"heads_added",
          "the heads' outputs are added up, in the first D/H columns, instead of put side by side",
          "H outputs of width D/H make one of width D. Which columns does each of them bring along?"},
         [](Variant& variant) { variant.merge = Merge::added; }},
        {{"heads_averaged",
          "the heads' outputs are averaged, in the first D/H columns, instead of put side by side",
          "H outputs of width D/H make one of width D. Which columns does each of them bring along?"},
         [](Variant& variant) { variant.merge = Merge::averaged; }},
        {{"no_scale", "the scores are not divided by sqrt(D/H)",
          "How does the size of q . k grow with the number of its terms, and what does softmax do with large "
          "scores?"},
         [](Variant& variant) { variant.scale = Scale::none; }},
        {{"scale_D_h", "the scores are divided by D/H instead of its square root",
          "Take entries of variance 1: what is the standard deviation of q . k, and what is its variance?"},
         [](Variant& variant) { variant.scale = Scale::D_h; }},
        {{"scale_sqrt_D", "the scores are divided by sqrt(D) instead of sqrt(D/H)",
          "How many terms does one head's q . k have?"},
         [](Variant& variant) { variant.scale = Scale::sqrt_D; }},
        {{"scale_sqrt_H", "the scores are divided by sqrt(H)",
          "A score is one dot product. Over which index does it sum, and how many terms are there?"},
         [](Variant& variant) { variant.scale = Scale::sqrt_H; }},
        {{"scores_summed", "all heads share one score, the dot product over all D columns",
          "What is the point of several heads, and over how many columns does the dot product of one run?"},
         [](Variant& variant) { variant.scores = Scores::summed; }},
        {{"softmax_over_heads", "the softmax runs over the heads instead of the keys",
          "One query in one head shares out its attention. Among whom, and which axis of [B, H, N_q, N_k] is "
          "that?"},
         [](Variant& variant) { variant.over = Over::heads; }},
        {{"V_not_split", "every head weighs all of V, and the heads' results are added",
          "How wide is the output of one head? And the value that it averages?"},
         [](Variant& variant) { variant.values = Values::whole_added; }},
        {{"weights_averaged", "all of V is weighted by the mean of the heads' weights",
          "How wide is the output of one head? Does anything in the formula average over heads?"},
         [](Variant& variant) { variant.values = Values::whole_averaged; }},
        {{"X_split_first", "X is split among the heads before it is projected",
          "Which columns of X may one column of Q depend on: all D, or those of its own head?"},
         [](Variant& variant) { variant.X_split_first = true; }},
        {{"H_and_width_swapped", "there are D/H heads of width H instead of H heads of width D/H",
          "Say aloud what H counts. For H = 2 and D = 6, how wide is a head?"},
         [](Variant& variant) { variant.H_and_D_h_swapped = true; }},
        {{"no_W_O", "the heads' outputs, side by side, are returned without W_O and b_O",
          "Side by side, the heads' results do not know of one another yet. Which of the learned arrays have "
          "you not used?"},
         [](Variant& variant) { variant.output = Output::not_projected; }},
        {{"W_O_transposed", "W_O is used transposed",
          "Vectors are rows and weights are [in, out]. Which index of W_O meets the heads' outputs?"},
         [](Variant& variant) { variant.output = Output::transposed; }},
        {{"all_W_transposed", "all four weight matrices are used transposed",
          "Vectors are rows and weights are [in, out]; some libraries store them the other way round. Which "
          "index of W meets the features of X?"},
         [](Variant& variant) {
             variant.projections_transposed = true;
             variant.output = Output::transposed;
         }},
        {{"W_Q_and_W_K_swapped", "W_Q and W_K, with their biases, are swapped",
          "Row i of E asks, column j answers. Which projection makes the vector that asks?"},
         [](Variant& variant) { variant.W_Q_W_K_swapped = true; }},
        {{"keys_from_X_q", "keys and values are made from X_q instead of X_kv",
          "Two sequences come in. Who asks, and who is asked? Is each of them used?"},
         [](Variant& variant) { variant.sides = Sides::keys_from_X_q; }},
        {{"values_from_X_q", "the values are made from X_q instead of X_kv",
          "A value is what is handed out for a key. Must the two belong to the same vector?"},
         [](Variant& variant) { variant.sides = Sides::values_from_X_q; }},
        {{"X_q_and_X_kv_swapped", "X_kv asks and X_q is asked",
          "q stands for query. Who asks, and whose output has to come out, one row for each?"},
         [](Variant& variant) { variant.sides = Sides::swapped; }},
        {{"no_b_Q", "the queries' bias b_Q is not added", "Count the learned arrays that you use."},
         [](Variant& variant) { variant.b_Q = false; }},
        {{"no_b_V", "the values' bias b_V is not added", "Count the learned arrays that you use."},
         [](Variant& variant) { variant.b_V = false; }},
        {{"no_b_O", "the output's bias b_O is not added", "Count the learned arrays that you use."},
         [](Variant& variant) { variant.b_O = false; }},
        {{"no_biases", "no bias is added anywhere",
          "Count the learned arrays that you use: how many of the eight?"},
         [](Variant& variant) { variant.b_Q = variant.b_V = variant.b_O = false; }},
        {{"no_maximum", "exp is taken of the scores as they are",
          "exp(1000) is infinity and exp(-1000) is 0 in float: what can be subtracted from a row without "
          "changing its softmax?"},
         [](Variant& variant) { variant.subtract = Subtract::nothing; }},
        {{"maximum_of_masked_too", "the maximum that is subtracted is also taken over masked scores",
          "Let a masked score be 200 and the allowed ones 0 and 1: what is exp of each allowed score after "
          "the "
          "subtraction, and what is their sum?"},
         [](Variant& variant) { variant.subtract = Subtract::of_all; }},
        {{"maximum_of_masked_too_or_0",
          "the maximum that is subtracted is also taken over masked scores, and a row whose exponentials sum "
          "to 0 gets weights 0",
          "Let a masked score be 200 and the allowed ones 0 and 1: what is exp of each allowed score after "
          "the "
          "subtraction? Does a sum of 0 mean that nothing is allowed?"},
         [](Variant& variant) { variant.subtract = Subtract::of_all_or_0; }},
        {{"mask_ignored", "the mask is not looked at",
          "Some queries may not attend to everybody. Who tells you, and do you ask?"},
         [](Variant& variant) { variant.masking = Masking::ignored; }},
        {{"mask_inverted", "the mask is read the other way round",
          "Other courses and libraries mark what is forbidden. What does a 1 mean here?"},
         [](Variant& variant) { variant.masking = Masking::inverted; }},
        {{"mask_tiled", "number b H + h of all heads gets the mask of batch (b H + h) mod B",
          "With B H heads in a row, which of them belong to batch 0? Do you repeat the masks as AABB or as "
          "ABAB?"},
         [](Variant& variant) { variant.masking = Masking::tiled; }},
        {{"mask_of_batch_0", "every batch gets the mask of batch 0",
          "Every batch has a mask of its own. Follow the index b."},
         [](Variant& variant) { variant.masking = Masking::of_batch_0; }},
        {{"mask_times_scores", "masked scores are set to 0 instead of being left out",
          "What does exp make of a score of 0, and is that no attention?"},
         [](Variant& variant) { variant.masking = Masking::times_scores; }},
        {{"mask_after_softmax",
          "masked weights are set to 0 after the softmax, and the rest not divided anew",
          "Add up the weights of a query that may not attend to everybody. What has the sum to be?"},
         [](Variant& variant) { variant.masking = Masking::after_softmax; }},
        {{"empty_row_uniform", "a query that may attend to nothing attends to everybody alike",
          "If all scores of a row are the same very negative number, what does softmax make of them? What "
          "are "
          "the weights of such a query to be?"},
         [](Variant& variant) { variant.masking = Masking::empty_uniform; }},
        {{"empty_row_nan", "a query that may attend to nothing divides 0 by 0",
          "What is the sum of the exponentials of a row in which nothing is allowed?"},
         [](Variant& variant) { variant.masking = Masking::empty_nan; }},
    };
    return kEntries;
}

}  // namespace

std::vector<Mistake> mistakes() {
    return mistakes_of(entries());
}

std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision) {
    const auto variant = variant_of<Variant>(entries(), mistake_numbers);
    if (!variant) return std::nullopt;
    return computed(*variant, function, inputs, precision);
}

}  // namespace attn::ask::multi_head
