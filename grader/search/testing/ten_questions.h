#pragma once
/// For tests: ten questions of a beginner, each with the passages that answer it. They were written down before
/// the search was run for the first time.

#include <string>
#include <vector>

#include "grader/search/passages.h"

namespace attn::search {

/// A file below assignments/, and words of one of its passages, each blank in them a single one.
struct Answer {
    std::string file, words;
};

inline bool is_answer(const Passage& passage, const Answer& answer) {
    return passage.file == "assignments/" + answer.file &&
           in_one_line(passage.text).find(answer.words) != std::string::npos;
}

struct Asked {
    std::string question;
    std::vector<Answer> answers;  ///< one of them has to be found
};

inline const std::vector<Asked>& ten_questions() {
    static const std::vector<Asked> all = {
        {"why divide by the root",
         {{"02_self_attention/README.md", "Why the square root."},
          {"02_self_attention/README.md", "A is too sharp or too flat"}}},
        {"my softmax gives NaN when the numbers are large",
         {{"02_self_attention/README.md", "NaN where scores are large."},
          {"02_self_attention/README.md", "A row may hold scores of +-1000."}}},
        {"how do I stop a word from seeing the words that come after it",
         {{"04_masking/README.md", "so the *last* query belongs to the *last* key"},
          {"04_masking/masking.h", "causal_mask"}}},
        {"what is the difference between pre-norm and post-norm",
         {{"05_transformer_block/README.md", "draw both as a picture before you write code"},
          {"05_transformer_block/transformer_block.h", "The places of the layer norms."},
          {"05_transformer_block/transformer_block.h",
           "self-attention and feed-forward, each with a residual and a layer norm"}}},
        {"why does a transformer need to be told the order of the words",
         {{"09_positional_encoding/README.md", "Self-attention does not know the order of its vectors."},
          {"09_positional_encoding/README.md", "A good encoding gives every position a different vector"},
          {"02_self_attention/README.md", "man bites dog"}}},
        {"how is an image cut into tokens",
         {{"06_vit_patching/README.md", "An image is cut into square patches"},
          {"06_vit_patching/README.md", "the formula fixes three orders"},
          {"06_vit_patching/README.md", "The patches become tokens"}}},
        {"what does the temperature do when a language model writes",
         {{"11_language_model/README.md", "A temperature above 1 makes the probabilities more alike"},
          {"11_language_model/language_model.h", "softmax(logits[b, N - 1] / temperature)"}}},
        {"why does the learning rate rise at the beginning of training",
         {{"14_training/README.md", "So the rate rises in a straight line"}}},
        {"how can I print the numbers inside my function",
         {{"working.md", "To look at numbers inside a function"}}},
        {"what do I do with sentences of different lengths in one batch",
         {{"04_masking/README.md", "sequences of different lengths share one array"},
          {"04_masking/masking.h", "padding_mask"}}},
    };
    return all;
}

}  // namespace attn::search
