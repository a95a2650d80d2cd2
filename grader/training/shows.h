#pragma once
/// What `make show` draws: a trained model whose functions are the student's.

#include <functional>
#include <string>
#include <vector>

#include "grader/training/functions.h"
#include "grader/training/model_page.h"
#include "grader/training/weights.h"

namespace attn::trained {

/// A model that one assignment's functions run.
struct Show {
    int assignment;
    const char* weights;  ///< the file in datasets/weights/
    /// Draws the page. `yours` has the student's functions, `reference` only the reference's.
    ModelPage (*page)(const Weights& weights, Functions& yours, Functions& reference);
};

/// The page of a show. If one of the student's functions is wrong, its first sentence says which one, where, and
/// how to find out more.
ModelPage page_of(const Show& show, const Weights& weights, Functions& yours, Functions& reference,
                  const std::function<int(const std::string& function)>& assignment_of);

/// The shows, by assignment.
const std::vector<Show>& shows();

ModelPage show_rnn_attention(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_self_attention(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_multi_head(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_masking(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_transformer_block(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_vit_patching(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_seq2seq(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_encoder_decoder(const Weights& weights, Functions& yours, Functions& reference);
ModelPage show_language_model(const Weights& weights, Functions& yours, Functions& reference);

}  // namespace attn::trained
