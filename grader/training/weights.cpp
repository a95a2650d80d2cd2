#include "grader/training/weights.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "datasets/safetensors.h"
#include "grader/base/errors.h"

namespace attn::trained {
namespace {

constexpr const char* kOfABlock[] = {"gamma_1", "beta_1", "W_Q",     "b_Q",    "W_K", "b_K", "W_V", "b_V",
                                     "W_O",     "b_O",    "gamma_2", "beta_2", "W_1", "b_1", "W_2", "b_2"};

constexpr const char* kOfADecoderBlock[] = {
    "gamma_1", "beta_1",  "W_Q",     "b_Q",    "W_K",   "b_K",   "W_V",   "b_V",   "W_O",
    "b_O",     "gamma_2", "beta_2",  "W_Q_c",  "b_Q_c", "W_K_c", "b_K_c", "W_V_c", "b_V_c",
    "W_O_c",   "b_O_c",   "gamma_3", "beta_3", "W_1",   "b_1",   "W_2",   "b_2"};

constexpr const char *kEncoder = "blocks", *kDecoder = "decoder";

std::string name_in_block(const std::string& prefix, int l, const std::string& name) {
    return fmt::format("{}.{}.{}", prefix, l, name);
}

}  // namespace

Weights::Weights(const std::filesystem::path& file) : file_(file.string()) {
    data::Safetensors read = data::read_safetensors(file);
    arrays_ = std::move(read.arrays);
    texts_ = std::move(read.metadata);
}

Weights::Weights(Arrays arrays, std::map<std::string, std::string> texts)
    : arrays_(std::move(arrays)), texts_(std::move(texts)), file_("weights") {}

Array Weights::operator()(const std::string& name, const std::string& as) const {
    const auto found =
        std::find_if(arrays_.begin(), arrays_.end(), [&](const Array& array) { return array.name == name; });
    if (found == arrays_.end() || type_of(*found) != ElementType::f32)
        throw UserError(
            fmt::format("{}: there is no array {} of float32; it is not a file of this model", file_, name));
    Array result = *found;
    if (!as.empty()) result.name = as;
    return result;
}

Arrays Weights::block(int l) const {
    Arrays result;
    for (const char* const name : kOfABlock)
        result.push_back((*this)(name_in_block(kEncoder, l, name), name));
    return result;
}

Arrays Weights::decoder_block(int l) const {
    Arrays result;
    for (const char* const name : kOfADecoderBlock)
        result.push_back((*this)(name_in_block(kDecoder, l, name), name));
    return result;
}

Arrays Weights::stacked(const std::vector<Arrays>& blocks) const {
    Arrays result = blocks.at(0);
    for (std::size_t k = 0; k < result.size(); ++k) {
        std::vector<float>& all = result[k].as<float>();
        for (std::size_t l = 1; l < blocks.size(); ++l) {
            const Array& next = blocks[l][k];
            if (next.shape != blocks[0][k].shape)
                throw UserError(fmt::format("{}: the blocks have different shapes", file_));
            all.insert(all.end(), next.as<float>().begin(), next.as<float>().end());
        }
        result[k].shape.insert(result[k].shape.begin(), static_cast<int>(blocks.size()));
    }
    return result;
}

Arrays Weights::encoder() const {
    std::vector<Arrays> all = {block(0)};
    for (int l = 1; l < blocks(); ++l) all.push_back(block(l));
    Arrays result = stacked(all);
    result.push_back((*this)("gamma"));
    result.push_back((*this)("beta"));
    return result;
}

Arrays Weights::decoder() const {
    std::vector<Arrays> all = {decoder_block(0)};
    for (int l = 1; l < decoder_blocks(); ++l) all.push_back(decoder_block(l));
    Arrays result = stacked(all);
    for (Array& array : result)
        if (!array.name.ends_with("_c")) array.name += "_d";
    result.push_back((*this)("gamma_d"));
    result.push_back((*this)("beta_d"));
    return result;
}

int Weights::count_blocks(const std::string& prefix) const {
    int count = 0;
    const auto has = [&](const std::string& name) {
        return std::any_of(arrays_.begin(), arrays_.end(),
                           [&](const Array& array) { return array.name == name; });
    };
    while (has(name_in_block(prefix, count, kOfABlock[0]))) ++count;
    return count;
}

int Weights::blocks() const {
    return count_blocks(kEncoder);
}

int Weights::decoder_blocks() const {
    return count_blocks(kDecoder);
}

std::vector<std::string> Weights::texts() const {
    std::vector<std::string> result;
    for (const auto& [key, text] : texts_) result.push_back(key + ": " + text);
    return result;
}

}  // namespace attn::trained
