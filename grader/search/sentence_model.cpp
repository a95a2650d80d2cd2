#include "grader/search/sentence_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "contracts/language_model_fast.h"
#include "contracts/transformer_block_fast.h"
#include "datasets/files/file_error.h"
#include "datasets/safetensors.h"
#include "grader/ask/inputs.h"
#include "grader/ask/module.h"
#include "grader/models/student_or_reference.h"

namespace attn::search {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::vector<std::int32_t>>;

constexpr double kPostNorm = static_cast<double>(Norm::post),
                 kGeluErf = static_cast<double>(Activation::gelu_erf);

WordPiece read_vocabulary(const fs::path& file) {
    const std::string text = data::read_file(file);
    try {
        return WordPiece(text);
    } catch (const std::invalid_argument& error) {
        throw data::FileError(file, error.what(), "a vocabulary of WordPiece was expected",
                              "fetch the model again");
    }
}

/// The arrays of a file by name, each of which is taken once.
class ModelFile {
  public:
    explicit ModelFile(fs::path file)
        : file_(std::move(file)),
          arrays_(data::read_safetensors(file_, {"embeddings.position_ids"}).arrays) {}

    /// Throws data::FileError if it has other lengths. An array whose shape is not known yet has lengths of 0.
    Array take(const std::string& name, const Shape& shape) {
        const auto found = std::ranges::find(arrays_, name, &Array::name);
        bool fits = found != arrays_.end() && type_of(*found) == ElementType::f32 &&
                    found->shape.size() == shape.size();
        for (std::size_t k = 0; fits && k < shape.size(); ++k)
            fits = found->shape[k] > 0 && (shape[k] == 0 || shape[k] == found->shape[k]);
        if (!fits)
            throw data::FileError(
                file_,
                found == arrays_.end() ? "there is no array " + name
                                       : fmt::format("{} has the shape {}", name, to_string(found->shape)),
                fmt::format("expected F32 of the shape {}, 0 for any length", to_string(shape)),
                "fetch the model again");
        return std::move(*found);
    }

    /// The first length of an array, or 0.
    int length(const std::string& name) const {
        const auto found = std::ranges::find(arrays_, name, &Array::name);
        return found == arrays_.end() || found->shape.empty() ? 0 : found->shape[0];
    }

    int blocks() const {
        int count = 0;
        while (std::ranges::any_of(arrays_, [&](const Array& array) {
            return array.name.starts_with(fmt::format("encoder.layer.{}.", count));
        }))
            ++count;
        return count;
    }

  private:
    fs::path file_;
    Arrays arrays_;
};

/// PyTorch's weights are [out, in], the contract's are [in, out].
void add_transposed(std::vector<float>& all, const Array& W) {
    const auto rows = static_cast<std::size_t>(W.shape[0]), columns = static_cast<std::size_t>(W.shape[1]);
    const float* const from = W.as<float>().data();
    const std::size_t start = all.size();
    all.resize(start + W.count());
    float* const to = all.data() + start;
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) to[c * rows + r] = from[r * columns + c];
}

/// One array of all blocks: those called encoder.layer.L.`theirs`, under the contract's name.
Array stacked(ModelFile& file, const std::string& name, const std::string& theirs, int blocks,
              const Shape& shape) {
    std::vector<float> all;
    for (int l = 0; l < blocks; ++l) {
        const Array one = file.take(fmt::format("encoder.layer.{}.{}", l, theirs), shape);
        if (shape.size() == 2)
            add_transposed(all, one);
        else
            all.insert(all.end(), one.as<float>().begin(), one.as<float>().end());
    }
    Shape whole = {blocks};
    whole.insert(whole.end(), shape.rbegin(), shape.rend());
    return {name, whole, std::move(all)};
}

/// The arguments of transformer_encoder that are weights.
Arrays read_encoder(ModelFile& file, int D, const fs::path& path) {
    const int blocks = file.blocks();
    if (blocks == 0)
        throw data::FileError(path, "there is no array of a block, encoder.layer.0", "a BERT was expected",
                              "fetch the model again");
    const int F = file.length("encoder.layer.0.intermediate.dense.bias");
    Arrays all(1);  // for X
    const auto add = [&](const std::string& name, const std::string& theirs, const Shape& shape) {
        all.push_back(stacked(file, name, theirs, blocks, shape));
    };
    add("gamma_1", "attention.output.LayerNorm.weight", {D});
    add("beta_1", "attention.output.LayerNorm.bias", {D});
    for (const auto& [letter, theirs] :
         {std::pair("Q", "attention.self.query"), std::pair("K", "attention.self.key"),
          std::pair("V", "attention.self.value"), std::pair("O", "attention.output.dense")}) {
        add(fmt::format("W_{}", letter), fmt::format("{}.weight", theirs), {D, D});
        add(fmt::format("b_{}", letter), fmt::format("{}.bias", theirs), {D});
    }
    add("gamma_2", "output.LayerNorm.weight", {D});
    add("beta_2", "output.LayerNorm.bias", {D});
    add("W_1", "intermediate.dense.weight", {F, D});
    add("b_1", "intermediate.dense.bias", {F});
    add("W_2", "output.dense.weight", {D, F});
    add("b_2", "output.dense.bias", {D});
    // With norm = post there is no last layer norm, but the function has its arguments.
    all.emplace_back("gamma", Shape{D}, std::vector<float>(static_cast<std::size_t>(D), 1));
    all.emplace_back("beta", Shape{D}, std::vector<float>(static_cast<std::size_t>(D), 0));
    return all;
}

/// mask[b, i, j] = 1 where j is a token of text b.
Array padding_mask(const Texts& texts, int N) {
    Array mask = Array::zeros<std::uint8_t>("mask", {static_cast<int>(texts.size()), N, N});
    const auto M = mask.view<std::uint8_t, 3>();
    for (int b = 0; b < M.size(0); ++b)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                M(b, i, j) = static_cast<std::size_t>(j) < texts[static_cast<std::size_t>(b)].size();
    return mask;
}

}  // namespace

Functions plain_functions() {
    const auto reference =
        std::make_shared<trained::StudentOrReference>(judge::CallFunction(), std::set<std::string>());
    return [reference](const std::string& name, const Arrays& inputs) {
        return (*reference)(name, inputs).at(0);
    };
}

Functions fast_functions() {
    return [](const std::string& name, const Arrays& inputs) {
        const auto view = [&]<int Rank>(const char* input) {
            return ask::by_name(inputs, input).view<float, Rank>();
        };
        const auto option = [&](const char* input) { return ask::option_of(inputs, input); };
        if (name == "embed_tokens") {
            const auto tokens = ask::by_name(inputs, "tokens").view<std::int32_t, 2>();
            const auto table = view.template operator()<2>("table");
            Array Y = Array::zeros<float>("Y", {tokens.size(0), tokens.size(1), table.size(1)});
            fast::embed_tokens(Y.view<float, 3>(), tokens, table);
            return Y;
        }
        const Array& X = ask::by_name(inputs, "X");
        Array Y = Array::zeros<float>("Y", X.shape);
        const auto eps = static_cast<float>(option("eps"));
        if (name == "layer_norm") {
            fast::layer_norm(Y.view<float, 2>(), X.view<float, 2>(), view.template operator()<1>("gamma"),
                             view.template operator()<1>("beta"), eps);
            return Y;
        }
        const auto two = [&](const char* input) { return view.template operator()<2>(input); };
        const auto three = [&](const char* input) { return view.template operator()<3>(input); };
        const EncoderWeights<float> weights = {two("gamma_1"),
                                               two("beta_1"),
                                               three("W_Q"),
                                               two("b_Q"),
                                               three("W_K"),
                                               two("b_K"),
                                               three("W_V"),
                                               two("b_V"),
                                               three("W_O"),
                                               two("b_O"),
                                               two("gamma_2"),
                                               two("beta_2"),
                                               three("W_1"),
                                               two("b_1"),
                                               three("W_2"),
                                               two("b_2"),
                                               view.template operator()<1>("gamma"),
                                               view.template operator()<1>("beta")};
        const auto mask = std::ranges::find(inputs, "mask", &Array::name);
        fast::transformer_encoder(
            Y.view<float, 3>(), X.view<float, 3>(), weights,
            mask == inputs.end() ? TensorView<const std::uint8_t, 3>() : mask->view<std::uint8_t, 3>(),
            static_cast<int>(option("H")), static_cast<Norm>(option("norm")),
            static_cast<Activation>(option("activation")), eps);
        return Y;
    };
}

SentenceModel::SentenceModel(const fs::path& folder, const SentenceSizes& sizes)
    : sizes_(sizes), words_(read_vocabulary(folder / "vocab.txt")) {
    const fs::path path = folder / "model.safetensors";
    ModelFile file(path);
    Array table = file.take("embeddings.word_embeddings.weight", {words_.size(), 0});
    table.name = "table";
    const int D = table.shape[1];
    if (D % sizes.heads != 0)
        throw data::FileError(path, fmt::format("a token has {} numbers", D),
                              fmt::format("expected a multiple of its {} heads", sizes.heads),
                              "fetch the model again");
    positions_ = file.take("embeddings.position_embeddings.weight", {0, D});
    kind_ = file.take("embeddings.token_type_embeddings.weight", {0, D});
    gamma_ = file.take("embeddings.LayerNorm.weight", {D});
    beta_ = file.take("embeddings.LayerNorm.bias", {D});
    gamma_.name = "gamma";
    beta_.name = "beta";
    embedding_.resize(1);
    embedding_.push_back(std::move(table));
    encoder_ = read_encoder(file, D, path);
    for (const auto& [name, value] : {std::pair("H", double(sizes.heads)), std::pair("norm", kPostNorm),
                                      std::pair("activation", kGeluErf), std::pair("eps", sizes.eps)})
        encoder_.push_back(ask::option(name, value));
    sizes_.most_tokens = std::min(sizes.most_tokens, static_cast<std::size_t>(positions_.shape[0]));
}

std::vector<std::int32_t> SentenceModel::tokens(const std::string& text) const {
    return words_.numbers(text, sizes_.most_tokens);
}

bool SentenceModel::is_too_long(const std::string& text) const {
    return words_.numbers(text).size() > sizes_.most_tokens;
}

Array SentenceModel::entered(const Texts& texts, int N, const Functions& functions) {
    const int B = static_cast<int>(texts.size()), D = width();
    Array tokens =
        Array::zeros<std::int32_t>("tokens", {B, N});  // what is missing at an end is token 0, [PAD]
    for (int b = 0; b < B; ++b)
        std::ranges::copy(texts[static_cast<std::size_t>(b)], tokens.view<std::int32_t, 2>()[b].data());
    embedding_[0] = std::move(tokens);
    Array X = functions("embed_tokens", embedding_);
    const auto numbers = X.view<float, 3>();
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d)
                numbers(b, i, d) += positions_.view<float, 2>()(i, d) + kind_.view<float, 2>()(0, d);
    X.name = "X";
    X.shape = {B * N, D};
    X = functions("layer_norm", {X, gamma_, beta_, ask::option("eps", sizes_.eps)});
    X.name = "X";
    X.shape = {B, N, D};
    return X;
}

Array SentenceModel::vectors(const Texts& texts, const Functions& functions) {
    std::size_t longest = 0, shortest = SIZE_MAX;
    for (const auto& text : texts) {
        longest = std::max(longest, text.size());
        shortest = std::min(shortest, text.size());
    }
    const int N = static_cast<int>(longest), D = width();
    encoder_[0] = entered(texts, N, functions);
    if (shortest < longest) encoder_.push_back(padding_mask(texts, N));
    const Array Y = functions("transformer_encoder", encoder_);
    if (shortest < longest) encoder_.pop_back();
    Array v = Array::zeros<float>("v", {static_cast<int>(texts.size()), D});
    for (int b = 0; b < v.shape[0]; ++b) {
        const auto row = v.view<float, 2>()[b];
        for (std::size_t i = 0; i < texts[static_cast<std::size_t>(b)].size(); ++i)
            for (int d = 0; d < D; ++d) row(d) += Y.view<float, 3>()(b, static_cast<int>(i), d);
        double square = 0;
        for (int d = 0; d < D; ++d) square += double{row(d)} * double{row(d)};
        for (int d = 0; d < D; ++d) row(d) = static_cast<float>(row(d) / std::sqrt(square));
    }
    return v;
}

double similarity(const Array& v, int row_v, const Array& w, int row_w) {
    const auto a = v.view<float, 2>()[row_v], b = w.view<float, 2>()[row_w];
    double sum = 0;
    for (int d = 0; d < a.size(0); ++d) sum += double{a(d)} * double{b(d)};
    return sum;
}

}  // namespace attn::search
