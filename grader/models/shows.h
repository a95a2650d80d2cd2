#pragma once
/// What `make show` draws: a trained model whose functions are the student's.

#include <functional>
#include <string>
#include <vector>

#include "grader/models/model_page.h"
#include "grader/models/student_or_reference.h"
#include "grader/models/weights.h"

namespace attn::trained {

/// Trained weights, and who computes with them.
struct Shown {
    const Weights& weights;
    StudentOrReference &yours, &reference;  ///< the student's functions, and only the reference's
};

/// A model that one assignment's functions run.
struct Show {
    int assignment;
    const char* weights;  ///< the file in datasets/weights/
    ModelPage (*draw)(const Shown& shown);
};

/// A page with the sentence `verdict` about what the model does with the student's `function`. If this function or
/// another one is not right, the page says so, and `right` completes "the reference's functions ..".
ModelPage page_about(const Shown& shown, const std::string& title, const std::string& function,
                     std::string verdict, const std::function<std::string()>& right);

/// "Your", or "The reference's" if the student's version of the function did not answer.
std::string whose(const Shown& shown, const std::string& function);

/// The mean over the heads of A [1, H, N, M], row by row.
std::vector<double> mean_over_heads(const Array& A);

/// The page of a show. If one of the student's functions is wrong, its first sentence says which one, where, and
/// how to find out more.
ModelPage page_of(const Show& show, const Shown& shown,
                  const std::function<int(const std::string& function)>& assignment_of);

/// The shows, by assignment.
const std::vector<Show>& shows();

ModelPage show_rnn_attention(const Shown& shown);
ModelPage show_self_attention(const Shown& shown);
ModelPage show_multi_head(const Shown& shown);
ModelPage show_masking(const Shown& shown);
ModelPage show_transformer_block(const Shown& shown);
ModelPage show_vit_patching(const Shown& shown);
ModelPage show_seq2seq(const Shown& shown);
ModelPage show_image_captioning(const Shown& shown);
ModelPage show_co_attention(const Shown& shown);
ModelPage show_encoder_decoder(const Shown& shown);
ModelPage show_language_model(const Shown& shown);

}  // namespace attn::trained
