// Assignment 6: the mistakes that the grader recognises. wrong_patches.cpp and wrong_encoder.cpp compute
// their outputs.

#include "grader/ask/inputs.h"
#include "grader/ask/switches.h"
#include "grader/assignments/vit_patching/parts.h"
#include "grader/assignments/vit_patching/variant.h"

namespace attn::ask::vit_patching {
namespace {

/// The first function in which a mistake can be made.
enum class Since { patches, tokens, logits };

struct Entry {
    Since since;
    Mistake mistake;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {Since::patches,
         {"column_major_grid", "the patches are numbered down the columns of the grid",
          "Number the patches of an image that is two patches high and three wide. Where is number 1?"},
         [](Variant& variant) { variant.columns_of_patches = true; }},
        {Since::patches,
         {"transposed_inside", "the pixels of a patch are listed column by column",
          "Which neighbour of a patch's first pixel comes next: the one beside it or the one below?"},
         [](Variant& variant) { variant.columns_of_pixels = true; }},
        {Since::patches,
         {"channel_first", "a patch holds all of its red, then all of its green, then all of its blue",
          "A row of patches begins with numbers of one pixel. How many of them belong to it?"},
         [](Variant& variant) { variant.channels_apart = true; }},
        {Since::patches,
         {"raw_reshape", "the image's memory is taken for the patches as it lies, without moving a number",
          "Two pixels above one another belong to one patch. How far apart are they in memory, and how far "
          "in "
          "the patch?"},
         [](Variant& variant) { variant.unrolled = Unrolled::image; }},
        {Since::patches,
         {"channels_mixed",
          "[C, H/P, W/P, P, P] is reshaped to [N, P P C] while the channels still stand in front",
          "Write down the order of the axes in memory before your reshape. Which of them has to change "
          "fastest?"},
         [](Variant& variant) { variant.unrolled = Unrolled::channels; }},
        {Since::patches,
         {"unfold_not_transposed", "[P P C, N], a column for each patch, is reshaped to [N, P P C]",
          "Reshaping moves no number. Which index changes fastest in your memory: the patch, or what is "
          "inside "
          "it?"},
         [](Variant& variant) { variant.unrolled = Unrolled::features; }},
        {Since::patches,
         {"H_and_W_swapped",
          "H and W are swapped, so that the image's rows are taken to be as long as its "
          "columns",
          "X is [B, C, H, W]. How many numbers lie between a pixel and the one below it?"},
         [](Variant& variant) { variant.H_is_W = true; }},
        {Since::patches,
         {"turned", "each patch is turned by 180 degrees, like the kernel of a true convolution",
          "Is the first number of a patch its upper left corner?"},
         [](Variant& variant) { variant.turned = true; }},
        {Since::patches,
         {"last_channel_first", "the channels come in reverse order: blue, green, red",
          "Which channel of X is number 0 of a pixel?"},
         [](Variant& variant) { variant.last_channel_first = true; }},
        {Since::patches,
         {"overlapping", "patches begin P - 1 pixels apart and so overlap by a row and a column",
          "Into how many patches does a pixel go? At which pixel does the second patch begin?"},
         [](Variant& variant) { variant.overlapping = true; }},
        {Since::patches,
         {"first_image", "the first image is used for every image of the batch",
          "Which of your indices knows about b?"},
         [](Variant& variant) { variant.first_image = true; }},
        {Since::patches,
         {"channels_before_images", "X is taken for [C, B, H, W]",
          "X is [B, C, H, W]. What do the first H W numbers of memory belong to, and what do the next?"},
         [](Variant& variant) { variant.B_is_C = true; }},
        {Since::tokens,
         {"cls_last", "the class token stands behind the patches",
          "Z = [cls; patches E + b] + E_pos: in which row is cls?"},
         [](Variant& variant) { variant.cls_last = true; }},
        {Since::tokens,
         {"positions_before_cls",
          "the positions are added before the class token is put in front: patch 0 gets row 0 and cls gets "
          "none",
          "How many rows has E_pos, and how many tokens have you when you add it?"},
         [](Variant& variant) { variant.positions = Positions::patches_from_row_0; }},
        {Since::tokens,
         {"positions_off_by_one", "the class token and patch 0 share row 0 of E_pos",
          "Which row of E_pos is never used?"},
         [](Variant& variant) { variant.positions = Positions::all_from_row_0; }},
        {Since::tokens,
         {"no_position_on_cls", "the class token gets no position",
          "E_pos has N + 1 rows. Who is row 0 for?"},
         [](Variant& variant) { variant.positions = Positions::patches_only; }},
        {Since::tokens,
         {"no_positions", "E_pos is not added",
          "Shuffle the patches of an image. Does anything of your Z but its order change?"},
         [](Variant& variant) { variant.positions = Positions::none; }},
        {Since::tokens,
         {"no_b", "b is not added to the projected patches",
          "What is the token of a patch that is all black?"},
         [](Variant& variant) { variant.b = false; }},
        {Since::tokens,
         {"b_on_cls", "b is added to the class token, too",
          "b belongs to the projection. Is the class token projected?"},
         [](Variant& variant) { variant.b_on_cls = true; }},
        {Since::tokens,
         {"E_transposed", "E is used transposed",
          "Vectors are rows and weights are [in, out]. Which index of E meets the numbers of a patch?"},
         [](Variant& variant) { variant.E_transposed = true; }},
        {Since::logits,
         {"head_reads_last", "the head reads the last token", "Which token was put there to be read?"},
         [](Variant& variant) { variant.reads = Reads::last; }},
        {Since::logits,
         {"head_reads_mean", "the head reads the mean of all tokens", "Equation (4) reads one token. Which?"},
         [](Variant& variant) { variant.reads = Reads::mean; }},
        {Since::logits,
         {"head_reads_patches", "the head reads the mean of the patches' tokens",
          "Some vision transformers pool the patches. What is the class token for, then?"},
         [](Variant& variant) { variant.reads = Reads::mean_of_patches; }},
        {Since::logits,
         {"no_final_norm", "the layer norm behind the last block is missing",
          "In a pre-norm block, what has the sum that leaves it been normalised by?"},
         [](Variant& variant) { variant.blocks = Blocks::pre_without_norm; }},
        {Since::logits,
         {"post_norm", "the blocks are post-norm", "Where do the layer norms of a vision transformer stand?"},
         [](Variant& variant) { variant.blocks = Blocks::post; }},
        {Since::logits,
         {"causal", "the tokens are masked causally",
          "The class token comes first. What may it see under your mask?"},
         [](Variant& variant) { variant.blocks = Blocks::causal; }},
        {Since::logits,
         {"first_block_only", "every block has the weights of block 0",
          "How many blocks' weights are given, and which of them do you hand on?"},
         [](Variant& variant) { variant.blocks = Blocks::first_only; }},
        {Since::logits,
         {"one_head", "the attention has one head, whatever heads says",
          "Which number do you hand to the encoder as its H?"},
         [](Variant& variant) { variant.one_head = true; }},
        {Since::logits,
         {"always_gelu", "the activation is GELU, whatever is asked for",
          "Which activations may a caller ask for? Does your choice depend on it?"},
         [](Variant& variant) { variant.hidden = Hidden::gelu; }},
        {Since::logits,
         {"always_relu", "the activation is ReLU, whatever is asked for",
          "Which activations may a caller ask for? Does your choice depend on it?"},
         [](Variant& variant) { variant.hidden = Hidden::relu; }},
        {Since::logits,
         {"eps_fixed", "eps is a small number of its own, whatever the caller gives",
          "Who decides about eps: you or the caller?"},
         [](Variant& variant) { variant.eps_fixed = true; }},
        {Since::logits,
         {"no_b_head", "b_head is not added", "What are the logits of a model whose W_head is zero?"},
         [](Variant& variant) { variant.b_head = false; }},
        {Since::logits,
         {"W_head_transposed", "W_head is used transposed",
          "Vectors are rows and weights are [in, out]. Which index of W_head counts the classes?"},
         [](Variant& variant) { variant.W_head_transposed = true; }},
        {Since::logits,
         {"probabilities", "a softmax has been taken of the logits",
          "What sums to 1 in your output? Does the contract ask for logits or for probabilities?"},
         [](Variant& variant) { variant.softmax = true; }},
    };
    return kEntries;
}

template <class T>
bool compute(const Variant& variant, const Function& function, Array& output, const Arrays& inputs,
             const Sizes& sizes) {
    if (function.name == "patchify") return patchify<T>(variant, output, by_name(inputs, "X"), sizes);
    if (function.name == "unpatchify")
        return unpatchify<T>(variant, output, by_name(inputs, "patches"), sizes);
    if (function.name == "embed_patches") return embed_patches<T>(variant, output, inputs, sizes);
    return vit_encode<T>(variant, output, function, inputs, sizes);
}

}  // namespace

std::vector<Mistake> mistakes() {
    return mistakes_of(entries());
}

std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision) {
    const auto variant = variant_of<Variant>(entries(), mistake_numbers);
    if (!variant) return std::nullopt;

    const Since reached = function.name == "vit_encode"      ? Since::logits
                          : function.name == "embed_patches" ? Since::tokens
                                                             : Since::patches;
    for (const int number : mistake_numbers)
        if (entries()[static_cast<std::size_t>(number)].since > reached) return std::nullopt;
    const Sizes sizes = sizes_of(function, inputs);
    if (!function.refusal(sizes).empty()) return std::nullopt;
    const bool single = precision == Precision::f32;
    const TensorSpec& spec = function.outputs[0];
    Arrays outputs{zeros_of(single ? ElementType::f32 : ElementType::f64, spec.name, shape_of(spec, sizes))};
    Arrays converted;
    for (const Array& input : inputs) {
        const bool option = input.shape.empty();
        converted.push_back(single || option ? input : input.cast<double>());
    }
    const bool possible = single ? compute<float>(*variant, function, outputs[0], converted, sizes)
                                 : compute<double>(*variant, function, outputs[0], converted, sizes);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::vit_patching
