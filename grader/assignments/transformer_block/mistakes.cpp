// Assignment 5: the mistakes that the grader recognises. wrong_layers.cpp and wrong_blocks.cpp compute their
// outputs.

#include "grader/ask/switches.h"
#include "grader/assignments/transformer_block/parts.h"
#include "grader/assignments/transformer_block/variant.h"

namespace attn::ask::transformer_block {
namespace {

/// The part of a transformer in which a mistake can be made.
enum class Part { norm, feed_forward, block, encoder };

struct Entry {
    Mistake mistake;
    Part part;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"over_tokens", "mean and variance run over the tokens of each feature, as in batch norm",
          "Whose mean is mu_i: that of one token, or that of one feature? Which index is left in it?"},
         Part::norm,
         [](Variant& variant) { variant.over = Over::tokens; }},
        {{"over_everything", "one mean and one variance are taken over all tokens and features together",
          "How many means does a sequence of N tokens have?"},
         Part::norm,
         [](Variant& variant) { variant.over = Over::everything; }},
        {{"variance_D_minus_1", "the variance is a sum over 1/(D-1)",
          "The row is all there is, not a sample of something larger. By what does the formula divide?"},
         Part::norm,
         [](Variant& variant) { variant.variance = Variance::one_D_minus_1; }},
        {{"no_1_over_D", "the squares under the root are added up but not divided by D",
          "Normalise a row twice as long: should its numbers come out smaller? What does the formula have in "
          "front of the sum of squares that some slides leave out?"},
         Part::norm,
         [](Variant& variant) { variant.variance = Variance::sum; }},
        {{"mean_of_squares", "the variance is the mean of the squares less the square of the mean",
          "On paper that is the same. Take numbers around 300: how many digits of x^2 are left for a spread "
          "of 1?"},
         Part::norm,
         [](Variant& variant) { variant.variance = Variance::mean_of_squares; }},
        {{"root_of_sigma_plus_eps", "the divisor is sqrt(sigma + eps): the root is taken twice",
          "Under the root stands a square. Is sigma one?"},
         Part::norm,
         [](Variant& variant) { variant.divisor = Divisor::root_of_sigma_plus_eps; }},
        {{"sigma_plus_eps", "eps is added to the standard deviation, outside of the root",
          "For a row with a tiny spread, is sqrt(var + eps) the same as sqrt(var) + eps? Try var = 0."},
         Part::norm,
         [](Variant& variant) { variant.divisor = Divisor::sigma_plus_eps; }},
        {{"no_root", "the rows are divided by the variance instead of its root",
          "Multiply X by 10. By how much does the variance grow, and what should happen to Y?"},
         Part::norm,
         [](Variant& variant) { variant.divisor = Divisor::var_plus_eps; }},
        {{"no_eps", "eps is left out", "What is the variance of a row of equal numbers, and what is 0/0?"},
         Part::norm,
         [](Variant& variant) { variant.eps = Eps::none; }},
        {{"eps_always_1e-5", "eps is a small number of its own, whatever the caller gives",
          "Is every argument used?"},
         Part::norm,
         [](Variant& variant) { variant.eps = Eps::always_1e_5; }},
        {{"gamma_dropped", "gamma is not used",
          "What can a layer that always has variance 1 not say? Which parameter gives that back?"},
         Part::norm,
         [](Variant& variant) { variant.affine = Affine::gamma_dropped; }},
        {{"beta_dropped", "beta is not used",
          "What can a layer that always has mean 0 not say? Which parameter gives that back?"},
         Part::norm,
         [](Variant& variant) { variant.affine = Affine::beta_dropped; }},
        {{"shift_before_gain", "beta is added before gamma multiplies",
          "Let gamma be 0. What is left of Y in the formula, and what in your code?"},
         Part::norm,
         [](Variant& variant) { variant.affine = Affine::shift_first; }},
        {{"mean_is_the_sum", "mu is the sum of a row, not its mean", "What is mu of a row of ones?"},
         Part::norm,
         [](Variant& variant) { variant.mean_is_the_sum = true; }},
        {{"not_centred", "the mean is used in the variance but not subtracted from the row itself",
          "With beta = 0, what is the mean of a row of Y to be?"},
         Part::norm,
         [](Variant& variant) { variant.not_centred = true; }},

        {{"always_relu", "the activation is ReLU whatever the caller asks for",
          "Which values can the argument activation have? Try each."},
         Part::feed_forward,
         [](Variant& variant) { variant.chosen = Chosen::always_relu; }},
        {{"relu_and_gelu_swapped", "ReLU and GELU are swapped",
          "Which of the two gives exactly 0 for every negative number? Print what yours gives for -1."},
         Part::feed_forward,
         [](Variant& variant) { variant.chosen = Chosen::relu_and_gelu_swapped; }},
        {{"erf_for_tanh", "gelu_tanh is computed with erf",
          "There are two formulas for GELU in the header, and the option says which. They differ in the "
          "fourth digit."},
         Part::feed_forward,
         [](Variant& variant) { variant.chosen = Chosen::erf_for_tanh; }},
        {{"tanh_for_erf", "gelu_erf is computed with the tanh formula",
          "There are two formulas for GELU in the header, and the option says which. They differ in the "
          "fourth digit."},
         Part::feed_forward,
         [](Variant& variant) { variant.chosen = Chosen::tanh_for_erf; }},
        {{"erf_without_root", "GELU takes erf(x) for erf(x / sqrt 2)",
          "Phi is the distribution of a normal number. How does erf's bell differ from the normal one?"},
         Part::feed_forward,
         [](Variant& variant) { variant.gelu = Gelu::no_root_of_2; }},
        {{"tanh_by_quotient", "tanh is computed as (e^2z - 1) / (e^2z + 1)",
          "What is e^2z in float for z = 50, and what is infinity / infinity?"},
         Part::feed_forward,
         [](Variant& variant) { variant.gelu = Gelu::tanh_by_quotient; }},
        {{"activation_behind_W_2", "the activation comes after W_2 instead of before it",
          "What are two matrices with nothing between them?"},
         Part::feed_forward,
         [](Variant& variant) { variant.acts = Acts::behind_W_2; }},
        {{"activation_twice", "the activation is applied to the output of W_2 as well",
          "What goes onto the residual stream, and could it ever make a number there much smaller?"},
         Part::feed_forward,
         [](Variant& variant) { variant.acts = Acts::twice; }},
        {{"no_activation", "no activation stands between W_1 and W_2",
          "What are two matrices with nothing between them?"},
         Part::feed_forward,
         [](Variant& variant) { variant.acts = Acts::never; }},
        {{"b_1_dropped", "b_1 is not used",
          "Compare the arguments of the function with those in its formula."},
         Part::feed_forward,
         [](Variant& variant) { variant.b_1_dropped = true; }},
        {{"b_2_dropped", "b_2 is not used",
          "Compare the arguments of the function with those in its formula."},
         Part::feed_forward,
         [](Variant& variant) { variant.b_2_dropped = true; }},
        {{"W_1_W_2_transposed", "W_1 and W_2 are used transposed",
          "Vectors are rows and weights are [in, out]. Which index of W_1 meets the features of X?"},
         Part::feed_forward,
         [](Variant& variant) { variant.matrices_transposed = true; }},

        {{"pre_and_post_swapped", "norm = pre is computed as post, and post as pre",
          "What reaches the output of a pre-norm block untouched, and in which of the two is it normed?"},
         Part::block,
         [](Variant& variant) { variant.pre_and_post_swapped = true; }},
        {{"no_residual_at_attention", "nothing is added to the output of the attention",
          "If attention gave 0, what should the feed-forward still get to see?"},
         Part::block,
         [](Variant& variant) { variant.no_residual_at_attention = true; }},
        {{"no_residual_at_feed_forward", "nothing is added to the output of the feed-forward",
          "If the feed-forward gave 0, what should be left?"},
         Part::block,
         [](Variant& variant) { variant.no_residual_at_feed_forward = true; }},
        {{"residual_from_norm", "with norm = pre, LN(X) is added instead of X",
          "Follow X from the input of a pre-norm block to its output. Is there a way past every norm?"},
         Part::block,
         [](Variant& variant) { variant.residual_from_norm = true; }},
        {{"norm_before_add", "with norm = post, the norm is taken before the residual is added",
          "The slide says Add & Norm. In which order?"},
         Part::block,
         [](Variant& variant) { variant.norm_before_add = true; }},
        {{"first_norm_twice", "both norms use gamma_1 and beta_1",
          "How many layer norms has a block, and how many parameters for them does it get?"},
         Part::block,
         [](Variant& variant) { variant.first_norm_twice = true; }},
        {{"norms_swapped", "gamma_1, beta_1 and gamma_2, beta_2 are swapped",
          "Which norm belongs to the attention, which to the feed-forward?"},
         Part::block,
         [](Variant& variant) { variant.norms_swapped = true; }},
        {{"no_first_norm", "the layer norm at the attention is left out",
          "How many layer norms has a block?"},
         Part::block,
         [](Variant& variant) { variant.no_first_norm = true; }},
        {{"no_second_norm", "the layer norm at the feed-forward is left out",
          "How many layer norms has a block?"},
         Part::block,
         [](Variant& variant) { variant.no_second_norm = true; }},
        {{"feed_forward_first", "the feed-forward comes before the attention",
          "What is a token to digest in its feed-forward, if it has not yet looked around?"},
         Part::block,
         [](Variant& variant) { variant.feed_forward_first = true; }},
        {{"feed_forward_reads_X", "the feed-forward reads the block's input instead of Z",
          "Does the feed-forward get to see what attention has found?"},
         Part::block,
         [](Variant& variant) { variant.feed_forward_reads_X = true; }},
        {{"second_residual_is_X", "the feed-forward's residual is the block's input instead of Z",
          "What does the second addition need, so that attention's share is not lost?"},
         Part::block,
         [](Variant& variant) { variant.second_residual_is_X = true; }},
        {{"keys_not_normalised", "with norm = pre, queries come from LN(X), keys and values from X",
          "In self-attention who asks and who is asked are the same vectors. Which ones?"},
         Part::block,
         [](Variant& variant) { variant.keys_not_normalised = true; }},
        {{"mask_ignored", "the mask is not handed on to the attention",
          "Compare the arguments of the function with what you do with them."},
         Part::block,
         [](Variant& variant) { variant.mask_ignored = true; }},
        {{"one_head", "the attention has one head instead of H",
          "Compare the arguments of the function with what you do with them."},
         Part::block,
         [](Variant& variant) { variant.one_head = true; }},

        {{"final_norm_missing", "the final layer norm is missing in a pre-norm stack",
          "Has what leaves the last pre-norm block ever been normalised? Who uses gamma and beta?"},
         Part::encoder,
         [](Variant& variant) { variant.final_norm = Final::never; }},
        {{"final_norm_in_post", "a post-norm stack gets the final layer norm, too",
          "What was the last thing that a post-norm block did?"},
         Part::encoder,
         [](Variant& variant) { variant.final_norm = Final::always; }},
        {{"final_norm_in_every_block", "the final layer norm stands behind every block",
          "How often is `final`?"},
         Part::encoder,
         [](Variant& variant) { variant.final_norm = Final::every_block; }},
        {{"first_block_again", "every block has the weights of the first",
          "There are L blocks and L sets of weights. Which index tells them apart?"},
         Part::encoder,
         [](Variant& variant) { variant.first_block_again = true; }},
        {{"every_block_reads_X", "every block reads X instead of the block before it",
          "What is X_1, and who gets to see it?"},
         Part::encoder,
         [](Variant& variant) { variant.every_block_reads_X = true; }},
        {{"one_block_too_few", "the last block is left out",
          "How many blocks are there, and how often does your loop run?"},
         Part::encoder,
         [](Variant& variant) { variant.one_block_too_few = true; }},
        {{"first_block_left_out", "the first block is left out",
          "The formulas count blocks from 1, arrays count from 0. Where does your loop begin?"},
         Part::encoder,
         [](Variant& variant) { variant.first_block_left_out = true; }},
    };
    return kEntries;
}

Part part_of(const std::string& function) {
    return function == "layer_norm"          ? Part::norm
           : function == "feed_forward"      ? Part::feed_forward
           : function == "transformer_block" ? Part::block
                                             : Part::encoder;
}

/// A mistake can be made in its own part and in the parts that contain it.
bool can_be_made(Part mistake, Part part) {
    return mistake == part || (part >= Part::block && mistake < part);
}

template <class T>
bool compute(const Variant& variant, const Function& function, Array& Y, const Arrays& inputs) {
    const auto chosen = [&](const char* name) {
        return static_cast<int>(function.option_value(inputs, name));
    };
    const Part part = part_of(function.name);
    const Array& X = by_name(inputs, "X");
    if (part == Part::norm) {
        layer_norm<T>(variant, Y.view<T, 2>(), X.view<T, 2>(), by_name(inputs, "gamma").view<T, 1>(),
                      by_name(inputs, "beta").view<T, 1>(), function.option_value(inputs, "eps"));
        return true;
    }
    const auto activation = static_cast<Activation>(chosen("activation"));
    if (part == Part::feed_forward) {
        return feed_forward<T>(variant, Y.view<T, 2>(), X.view<T, 2>(), by_name(inputs, "W_1").view<T, 2>(),
                               by_name(inputs, "b_1").view<T, 1>(), by_name(inputs, "W_2").view<T, 2>(),
                               by_name(inputs, "b_2").view<T, 1>(), activation);
    }
    const Options options{chosen("H"), static_cast<Norm>(chosen("norm")), activation,
                          function.option_value(inputs, "eps")};
    TensorView<const std::uint8_t, 3> mask;
    for (const Array& input : inputs)
        if (input.name == "mask") mask = input.view<std::uint8_t, 3>();
    if (part == Part::block)
        return block<T>(variant, Y.view<T, 3>(), X.view<T, 3>(), block_weights<T>(inputs), mask, options);
    return encoder<T>(variant, Y.view<T, 3>(), X.view<T, 3>(), encoder_weights<T>(inputs), mask, options);
}

}  // namespace

std::vector<Mistake> mistakes() {
    return mistakes_of(entries());
}

std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision) {
    for (const int number : mistake_numbers)
        if (!can_be_made(entries()[static_cast<std::size_t>(number)].part, part_of(function.name)))
            return std::nullopt;
    const auto variant = variant_of<Variant>(entries(), mistake_numbers);
    if (!variant) return std::nullopt;

    const Sizes sizes = sizes_of(function, inputs);
    if (!function.refusal(sizes).empty()) return std::nullopt;
    const bool single = precision == Precision::f32;
    Array Y =
        zeros_of(single ? ElementType::f32 : ElementType::f64, "Y", shape_of(function.outputs[0], sizes));
    Arrays converted;
    for (const Array& input : inputs)
        converted.push_back(single || type_of(input) != ElementType::f32 ? input : input.cast<double>());
    const bool possible = single ? compute<float>(*variant, function, Y, converted)
                                 : compute<double>(*variant, function, Y, converted);
    if (!possible) return std::nullopt;
    return Arrays{std::move(Y)};
}

}  // namespace attn::ask::transformer_block
