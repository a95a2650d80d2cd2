// Assignment 1: the mistakes that the grader recognises. variant.cpp computes their outputs.

#include "grader/ask/inputs.h"
#include "grader/ask/switches.h"
#include "grader/assignments/rnn_attention/parts.h"
#include "grader/assignments/rnn_attention/variant.h"

namespace attn::ask::rnn_attention {
namespace {

struct Entry {
    Mistake mistake;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        // The score.
        {{"no_tanh", "the score is v . (s W_q + h W_k), without tanh",
          "Without the tanh, s W_q adds the same number to every score of a sentence. What does the softmax "
          "make of that, and what is left of the question that the decoder asks?"},
         [](Variant& variant) { variant.hidden = Hidden::sum; }},
        {{"tanh_of_each", "the score is v . (tanh(s W_q) + tanh(h W_k)), a tanh for each",
          "How many layers does the score's network have, and what does its one hidden unit see: the state, "
          "the word, or both?"},
         [](Variant& variant) { variant.hidden = Hidden::sum_of_tanhs; }},
        {{"tanh_of_the_score", "tanh is taken of the finished score instead of the hidden layer",
          "Which numbers can a score take, if v is large? Does your code have any beyond +-1?"},
         [](Variant& variant) { variant.hidden = Hidden::tanh_of_dot; }},
        {{"W_q_W_k_swapped", "W_q and W_k are swapped",
          "The q is for the query. Is it the decoder or the source that asks?"},
         [](Variant& variant) { variant.W_q_W_k_swapped = true; }},
        {{"first_state_asks_for_all", "the first batch's decoder state asks in every batch",
          "Each sentence pair has a decoder of its own. Which of your indices say so?"},
         [](Variant& variant) { variant.batch_0_asks = true; }},
        // Weights and context.
        {{"softmax_over_the_batch", "the softmax runs over the batch instead of the words of a sentence",
          "Whose attention is shared out, and among whom? Which index of a(b, j) has to sum to 1?"},
         [](Variant& variant) { variant.over = Over::batch; }},
        {{"no_maximum", "exp is taken of the scores as they are",
          "exp(10000) is infinity and exp(-10000) is 0 in float: what can be subtracted from all scores of a "
          "sentence without changing their softmax?"},
         [](Variant& variant) { variant.subtract = Subtract::nothing; }},
        {{"maximum_with_pads", "the maximum that is subtracted is also taken over pads",
          "Let a pad have the score 200 and the words 0 and 1: what is exp of a word's score after the "
          "subtraction, and what is the sum?"},
         [](Variant& variant) { variant.subtract = Subtract::with_pads; }},
        {{"maximum_with_pads_or_0",
          "the maximum that is subtracted is also taken over pads, and a sentence whose exponentials sum to "
          "0 "
          "gets weights 0",
          "Let a pad have the score 200 and the words 0 and 1: what is exp of a word's score after the "
          "subtraction? Does a sum of 0 mean that there are no words?"},
         [](Variant& variant) { variant.subtract = Subtract::with_pads_or_0; }},
        {{"pads_attended", "pads get attention like words",
          "Which of your lines reads the mask, and is 1 the value that lets a word take part?"},
         [](Variant& variant) { variant.pads = Pads::in; }},
        {{"pad_scores_times_0", "the scores are multiplied by the mask, so that a pad has the score 0",
          "What is exp(0)? Which score would have the weight 0?"},
         [](Variant& variant) { variant.pads = Pads::score_0; }},
        {{"pads_zeroed_late", "the weights of pads are set to 0 after the softmax has summed over them",
          "Add up the weights of a padded sentence. What has the sum to be?"},
         [](Variant& variant) { variant.pads = Pads::zeroed_late; }},
        {{"pads_at_minus_1e4", "pads get the score -10000",
          "Real scores may be as low as that. Is there a number below all scores, or another way to leave a "
          "pad out?"},
         [](Variant& variant) { variant.pads = Pads::score_minus_1e4; }},
        {{"uniform_without_words", "a sentence without words gets equal weights",
          "If every score is the same, however low, what does a softmax answer? What has a sentence of pads "
          "to say?"},
         [](Variant& variant) { variant.pads = Pads::score_minus_1e9; }},
        {{"nan_without_words", "0 is divided by 0 for a sentence without words",
          "How large is the sum below the fraction, where every word is left out?"},
         [](Variant& variant) { variant.pads = Pads::out_or_nan; }},
        {{"values_are_keys", "the context averages h W_k instead of h",
          "W_k helps to find a word. What is handed on once it is found: the projection, or the encoder's "
          "state?"},
         [](Variant& variant) { variant.values_are_keys = true; }},
        {{"context_over_T", "the context is divided by the number of words once more",
          "The weights sum to 1 already. If all h are equal, what has c to be?"},
         [](Variant& variant) { variant.mean_of_terms = true; }},
        // The step.
        {{"c_before_y", "the step concatenates [c; y] instead of [y; c]",
          "Which rows of W_x meet y, the first or the last?"},
         [](Variant& variant) { variant.c_first = true; }},
        {{"no_bias", "the step has no bias b", "Is each of the step's inputs used?"},
         [](Variant& variant) { variant.bias = false; }},
        {{"no_step_tanh", "the step has no tanh",
          "Between which bounds does a state of this decoder lie? Yours too?"},
         [](Variant& variant) { variant.step_tanh = false; }},
        {{"W_s_transposed", "W_s is used transposed",
          "W_s is square, so no shape complains. Vectors are rows and weights are [in, out]: which index of "
          "W_s meets s_prev?"},
         [](Variant& variant) { variant.W_s_transposed = true; }},
        {{"no_recurrence", "the step leaves out s_prev W_s",
          "What does this decoder remember of the words before y_prev? Through which matrix?"},
         [](Variant& variant) { variant.W_s_used = false; }},
        // The decoder.
        {{"query_is_s_t", "the state after the step asks, s_t, and its context serves the next step",
          "Which state is known when step t begins, and which one does step t make? (handout: your lecture "
          "may say)"},
         [](Variant& variant) { variant.attends = Attends::after_step; }},
        {{"context_of_step_1", "the context of step 1 serves every step",
          "Which of the quantities e, a, c carry the index t? What has changed between two steps?"},
         [](Variant& variant) { variant.attends = Attends::once; }},
        {{"context_one_step_late", "each step uses the context of the step before it, the first one zeros",
          "In which order do the lines of the loop stand on the slide: does c_t exist before s_t?"},
         [](Variant& variant) { variant.attends = Attends::late; }},
        {{"h_last_asks", "the encoder's last state asks at every step, in place of the decoder's",
          "Print A: are its rows different from step to step? What changes from step to step that could "
          "ask?"},
         [](Variant& variant) { variant.h_last_asks = true; }},
        {{"state_never_moves", "every step begins at s_0",
          "At the end of step t, which array holds the state that step t + 1 calls s_prev?"},
         [](Variant& variant) { variant.state_kept = true; }},
        {{"s_0_is_zero", "s_0 is zero", "What does the decoder know of the sentence before its first look?"},
         [](Variant& variant) { variant.first = First::zero; }},
        {{"s_0_of_the_first_word", "s_0 is made of the first encoder state",
          "Which of the encoder's states has read the whole sentence?"},
         [](Variant& variant) { variant.first = First::first_word; }},
        {{"s_0_of_a_pad", "s_0 is made of the encoder's state at the end of the array, pad or not",
          "Where does sentence b end, and where does its row of h end?"},
         [](Variant& variant) { variant.first = First::last_pad; }},
        {{"s_0_by_count", "s_0 is made of the encoder state whose number is the count of words",
          "If a mask has a gap, is the last word's place still the number of ones, less one?"},
         [](Variant& variant) { variant.first = First::word_by_count; }},
        {{"s_0_is_h_last", "s_0 is the encoder's last state itself, without W_0 and b_0",
          "Encoder and decoder need not have equally long states. Which matrix leads from one to the other?"},
         [](Variant& variant) { variant.first = First::last_word_itself; }},
        {{"s_0_without_tanh", "s_0 is h_last W_0 + b_0, without tanh",
          "All states that follow lie between -1 and 1. Does the first one?"},
         [](Variant& variant) { variant.first = First::no_tanh; }},
        {{"feeds_y_t", "step t is fed y_t, the word that it should say",
          "What would this decoder be fed when it translates a sentence that nobody has translated yet?"},
         [](Variant& variant) { variant.word = Word::current; }},
        {{"feeds_start", "every step is fed y_0, the START",
          "Which word has just been said when step t begins?"},
         [](Variant& variant) { variant.word = Word::start; }},
        // The grid.
        {{"grid_transposed", "the weights are written into the grid column by column",
          "Cell (r, k) is which one, if you count row by row? And in your array of scores?"},
         [](Variant& variant) { variant.cells = Cells::transposed; }},
        {{"softmax_in_each_grid_row", "each row of the grid has a softmax of its own",
          "How much attention is there for the whole picture, and what does your a sum to?"},
         [](Variant& variant) { variant.cells = Cells::each_row; }},
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
    Arrays outputs, converted;
    for (const TensorSpec& spec : function.outputs)
        outputs.push_back(
            zeros_of(single ? ElementType::f32 : ElementType::f64, spec.name, shape_of(spec, sizes)));
    for (const Array& input : inputs)
        converted.push_back(type_of(input) == ElementType::f32 && !single ? input.cast<double>() : input);
    const bool possible = single ? compute<float>(*variant, function.name, outputs, converted)
                                 : compute<double>(*variant, function.name, outputs, converted);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::rnn_attention
