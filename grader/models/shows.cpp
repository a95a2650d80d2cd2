#include "grader/models/shows.h"

#include <utility>

#include <fmt/format.h>

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
        {8, "captions.safetensors", show_image_captioning},
        {10, "transformer.safetensors", show_encoder_decoder},
        {11, "three_sentences.safetensors", show_language_model},
        {18, "alignment.safetensors", show_co_attention},
    };
    return all;
}

ModelPage page_of(const Show& show, const Shown& shown,
                  const std::function<int(const std::string& function)>& assignment_of) {
    ModelPage page = show.draw(shown);
    page.origins = origins_with_assignments(shown.yours, assignment_of);
    page.notes = shown.weights.texts();
    if (const std::string wrong = wrong_function(shown.yours, assignment_of); !wrong.empty()) {
        page.good = false;
        page.verdict = wrong + " " + page.verdict;
    }
    return page;
}

ModelPage page_about(const Shown& shown, const std::string& title, const std::string& function,
                     std::string verdict, const std::function<std::string()>& right) {
    ModelPage page;
    page.title = title;
    page.good = shown.yours.is_students(function);
    if (!page.good) {
        const auto& used = shown.yours.origins();
        const auto own = std::ranges::find(used, function, &UsedFunction::function);
        verdict += own == used.end() || own->note.empty() ? " Yours: see the table below."
                                                          : fmt::format(" Yours: {}.", own->note);
    }
    if (shown.yours.first_wrong() != nullptr)
        verdict += fmt::format(" With the same weights, the reference's functions {}.", right());
    page.verdict = std::move(verdict);
    return page;
}

std::string whose(const Shown& shown, const std::string& function) {
    return shown.yours.is_students(function) ? "Your" : "The reference's";
}

std::vector<double> mean_over_heads(const Array& A) {
    const int H = A.shape.at(1);
    std::vector<double> mean(A.count() / static_cast<std::size_t>(H));
    for (std::size_t k = 0; k < A.count(); ++k) mean[k % mean.size()] += double{A.as<float>()[k]} / H;
    return mean;
}

}  // namespace attn::trained
