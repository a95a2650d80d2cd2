#include "grader/training/shows.h"

#include <fmt/format.h>

#include "grader/training/origins.h"

namespace attn::trained {

const std::vector<Show>& shows() {
    static const std::vector<Show> all = {
        {1, "translation.safetensors", show_rnn_attention},
        {2, "digits.safetensors", show_self_attention},
        {3, "digits.safetensors", show_multi_head},
        {4, "three_sentences.safetensors", show_masking},
        {5, "three_sentences.safetensors", show_transformer_block},
        {6, "digits.safetensors", show_vit_patching},
        {7, "translation_without_attention.safetensors", show_seq2seq},
        {10, "transformer.safetensors", show_encoder_decoder},
        {11, "three_sentences.safetensors", show_language_model},
    };
    return all;
}

ModelPage page_of(const Show& show, const Weights& weights, Functions& yours, Functions& reference,
                  const std::function<int(const std::string& function)>& assignment_of) {
    ModelPage page = show.page(weights, yours, reference);
    page.origins = origins_with_assignments(yours, assignment_of);
    page.notes = weights.texts();
    if (const Origin* const wrong = yours.first_wrong()) {
        page.good = false;
        page.verdict = fmt::format("Your {} is wrong: {}. Type make grade A={}. {}", wrong->function,
                                   wrong->note, assignment_of(wrong->function), page.verdict);
    }
    return page;
}

}  // namespace attn::trained
