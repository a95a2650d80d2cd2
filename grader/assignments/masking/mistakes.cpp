// Assignment 4: the mistakes that the grader recognises. wrong_masks.cpp and wrong_attention.cpp compute
// their outputs.

#include "grader/ask/inputs.h"
#include "grader/ask/switches.h"
#include "grader/assignments/masking/parts.h"
#include "grader/assignments/masking/variant.h"

namespace attn::ask::masking {
namespace {

struct Entry {
    Mistake mistake;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"polarity_inverted", "the mask is read or written the other way round, 1 for \"may not attend\"",
          "Some lectures and libraries mark what is hidden. What does a 1 mean in this course?"},
         [](Variant& variant) { variant.inverted = true; }},
        {{"j_below_i", "a query does not see the key at its own place",
          "What is left for the very first query? May a token look at itself?"},
         [](Variant& variant) { variant.causal = Causal::j_below_i; }},
        {{"one_key_ahead", "a query sees one key too many, the one right behind it",
          "A language model is to predict token i + 1 at place i. Which keys would give the answer away?"},
         [](Variant& variant) { variant.causal = Causal::j_up_to_i_plus_1; }},
        {{"j_from_i", "a query sees the keys from its own place on instead of those up to it",
          "Which index is the query and which the key? Draw the triangle: which corner holds the zeros?"},
         [](Variant& variant) { variant.causal = Causal::j_from_i; }},
        {{"aligned_at_the_start", "the causal mask begins with the first query at the first key",
          "With a cache there are more keys than queries. At which key does the last query sit?"},
         [](Variant& variant) { variant.aligned = Aligned::at_the_start; }},
        {{"aligned_the_other_way", "N_k - N_q is subtracted where it has to be added",
          "Take one query and ten keys, the query being the newest token. How many keys may it see?"},
         [](Variant& variant) { variant.aligned = Aligned::the_other_way; }},
        {{"more_queries_than_keys",
          "the mask is aligned at the end only where there are more keys than queries",
          "The formula makes no exception. What does it say of the first query when N_k < N_q?"},
         [](Variant& variant) { variant.aligned = Aligned::at_the_end_of_long_keys; }},
        {{"padding_one_key_more", "one key of the padding is let through in every sequence",
          "A sequence of length 3 has the keys 0, 1 and 2. And one of length 0?"},
         [](Variant& variant) { variant.padding = Padding::one_key_more; }},
        {{"padding_of_queries", "the padding is cut off along the queries instead of the keys",
          "Whom must nobody look at: the padding as i, who asks, or as j, who is asked?"},
         [](Variant& variant) { variant.padding = Padding::queries; }},
        {{"padding_of_both", "the padding is cut off along both axes, queries and keys",
          "The formula has one index to be compared with a length. What do the other rows look like?"},
         [](Variant& variant) { variant.padding = Padding::both_axes; }},
        {{"padding_in_front", "the padding is taken to stand in front of the sequence",
          "Which keys of a sequence are real: its first ones or its last ones?"},
         [](Variant& variant) { variant.padding = Padding::in_front; }},
        {{"first_batch_for_all", "every batch gets the mask of batch 0",
          "Sequences in one batch differ in length. Follow the index b through every array."},
         [](Variant& variant) { variant.batches = Batches::first_for_all; }},
        {{"only_first_batch_masked", "batch 0 is masked and the others are not",
          "Look at the outputs of batch 1 with a mask of zeros. Who tells your loop about b?"},
         [](Variant& variant) { variant.batches = Batches::only_first; }},
        {{"or_for_and", "the masks are combined by \"or\"",
          "Take a key that is padding and lies before the query. Is one permission enough? (In a course "
          "where 1 "
          "hides, it would be the other way round.)"},
         [](Variant& variant) { variant.combine = Combine::either; }},
        {{"masks_added", "the masks are added", "A mask holds two values. What is the sum of two ones?"},
         [](Variant& variant) { variant.combine = Combine::sum; }},
        {{"masks_equal", "a key is allowed where the two masks say the same",
          "What have two masks that both forbid in common, and what is to come out?"},
         [](Variant& variant) { variant.combine = Combine::equal; }},
        {{"padding_ignored", "the causal mask alone decides", "Two masks are given. Is each of them asked?"},
         [](Variant& variant) { variant.combine = Combine::only_causal; }},
        {{"causal_ignored", "the padding alone decides", "Two masks are given. Is each of them asked?"},
         [](Variant& variant) { variant.combine = Combine::only_padding; }},
        {{"mask_ignored", "nothing is masked",
          "Change a masked score and look: does a single number of your output move?"},
         [](Variant& variant) { variant.masked = Masked::as_if_not; }},
        {{"zeroed_after_softmax", "masked weights are set to 0 after the softmax and the rest stays as it is",
          "Add up a row of your weights. What has it to be, and over which entries has the sum to run?"},
         [](Variant& variant) { variant.masked = Masked::zero_after; }},
        {{"score_times_mask", "the scores are multiplied by the mask before the softmax",
          "A masked score becomes 0. How large is exp(0), and are there scores below 0?"},
         [](Variant& variant) { variant.masked = Masked::times_score; }},
        {{"finite_fill", "masked scores are set to a finite number above -10000, such as -50 or -100",
          "Is your number small? Take a row in which every allowed score is -10000."},
         [](Variant& variant) { variant.masked = Masked::minus_100; }},
        {{"fill_of_10000", "masked scores are set to -10000",
          "Is -10000 small? Take a row in which every allowed score is about -10000, too."},
         [](Variant& variant) { variant.masked = Masked::minus_10000; }},
        {{"values_masked_only", "masked values are left out of the mean but their weights are not",
          "Hiding V(b, j, d) hides what is handed out. Who shares in the row's 1 all the same?"},
         [](Variant& variant) { variant.masked = Masked::values_only; }},
        {{"nan_on_an_empty_row", "a row that may attend to nothing comes out as NaN",
          "What is the maximum of no numbers, and what their sum? What does the contract want there?"},
         [](Variant& variant) { variant.empty_row = EmptyRow::nan; }},
        {{"uniform_on_an_empty_row", "a row that may attend to nothing attends to all keys alike",
          "If all scores of a row are replaced by one and the same number, what does the softmax give? What "
          "does "
          "the contract want there?"},
         [](Variant& variant) { variant.empty_row = EmptyRow::uniform; }},
        {{"no_maximum", "exp is taken of the scores as they are",
          "exp(10000) is infinity and exp(-10000) is 0 in float: what can be subtracted from a row without "
          "changing its softmax?"},
         [](Variant& variant) { variant.subtract = Subtract::nothing; }},
        {{"maximum_of_masked_too", "the maximum that is subtracted is also taken over masked scores",
          "Let a masked score be 200 and the allowed ones 0 and 1: what is exp of each allowed score after "
          "the "
          "subtraction, and what is their sum?"},
         [](Variant& variant) { variant.subtract = Subtract::of_all; }},
        {{"maximum_of_masked_too_or_0",
          "the maximum that is subtracted is also taken over masked scores, and a row whose exponentials sum "
          "to 0 stays 0",
          "Let a masked score be 200 and the allowed ones 0 and 1: what is exp of each allowed score after "
          "the "
          "subtraction? Does a sum of 0 mean that nothing is allowed?"},
         [](Variant& variant) { variant.subtract = Subtract::of_all_or_0; }},
        {{"mask_transposed", "the mask is used transposed, mask(j, i) for mask(i, j)",
          "A row of the mask belongs to one vector. Is it a query or a key?"},
         [](Variant& variant) { variant.transposed = true; }},
        {{"first_row_for_all", "every query gets the mask of query 0",
          "With padding alone all rows of a mask are alike. Are they with a causal mask?"},
         [](Variant& variant) { variant.first_row_for_all = true; }},
        {{"no_scale", "the scores are not divided by sqrt(D_q)",
          "How does the size of q . k grow with D_q, and what does softmax do with large scores?"},
         [](Variant& variant) { variant.scaled = false; }},
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

    const Sizes sizes = sizes_of(function, inputs);
    const bool single = precision == Precision::f32;
    const auto in_precision = [single](ElementType type) {
        return type == ElementType::f32 && !single ? ElementType::f64 : type;
    };
    Arrays outputs, converted;
    for (const TensorSpec& spec : function.outputs)
        outputs.push_back(zeros_of(in_precision(spec.type), spec.name, shape_of(spec, sizes)));
    if (type_of(outputs[0]) == ElementType::u8) {
        make_mask(*variant, function.name, outputs[0], inputs);
        return outputs;
    }
    for (const Array& input : inputs)
        converted.push_back(in_precision(type_of(input)) == ElementType::f64 ? input.cast<double>() : input);
    const bool possible = single ? attend<float>(*variant, function.name, outputs, converted)
                                 : attend<double>(*variant, function.name, outputs, converted);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::masking
