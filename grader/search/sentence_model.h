#pragma once
/// all-MiniLM-L6-v2, a model that gives texts of like meaning like vectors, put together from functions of the
/// course.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/search/wordpiece.h"

namespace attn::search {

/// Who computes: the first output of a function of the contract.
using Functions = std::function<Array(const std::string& function, const Arrays& inputs)>;

/// The plain loops, and the fast functions of reference/fast.
Functions plain_functions();
Functions fast_functions();

/// What a model's weights do not say.
struct SentenceSizes {
    int heads = 12;
    double eps = 1e-12;
    std::size_t most_tokens = 256;  ///< of a text; the model has learned from no longer ones
};

class SentenceModel {
  public:
    /// Reads model.safetensors, with BERT's names of arrays, and vocab.txt. Throws data::FileError if one of them cannot be
    /// read or its arrays are not those of such a model.
    SentenceModel(const std::filesystem::path& folder, const SentenceSizes& sizes);

    /// The numbers of a text's pieces: see WordPiece.
    std::vector<std::int32_t> tokens(const std::string& text) const;
    /// Whether the text has more tokens than the model reads.
    bool is_too_long(const std::string& text) const;

    /// A vector of length 1 for each text of tokens: v [K, D].
    ///   X[i] = embedding[tokens[i]] + positions[i] + kind,  X = LN(X)                   embed_tokens, layer_norm
    ///   Y = transformer_encoder(X), norm = post, activation = gelu_erf, eps, with a mask if the lengths differ
    ///   v = mean_i Y[i],  v / |v|
    /// Source: Devlin et al. 2018; Reimers & Gurevych 2019, section 3, for the mean.
    Array vectors(const std::vector<std::vector<std::int32_t>>& texts, const Functions& functions);

    const WordPiece& words() const { return words_; }
    int width() const { return positions_.shape.at(1); }

  private:
    Array entered(const std::vector<std::vector<std::int32_t>>& texts, int N, const Functions& functions);

    SentenceSizes sizes_;
    WordPiece words_;
    Array positions_, kind_, gamma_, beta_;
    /// What the two functions get, with places for tokens and X, because a copy of the weights takes longer than a call.
    Arrays embedding_, encoder_;
};

/// v . w of the vectors in two rows.
double similarity(const Array& v, int row_v, const Array& w, int row_w);

}  // namespace attn::search
