#include "grader/models/weights.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "datasets/safetensors.h"
#include "grader/ask/module.h"
#include "grader/base/errors.h"

namespace attn::trained {
namespace {

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

Arrays Weights::block(const std::string& function, const std::string& prefix, int l) const {
    Arrays result;
    for (const ask::TensorSpec& input : ask::module_of(function)->find_function(function)->inputs)
        if (!input.optional && !input.name.starts_with("X") && input.name != "S")
            result.push_back((*this)(name_in_block(prefix, l, input.name), input.name));
    return result;
}

Arrays Weights::decoder_block(int l) const {
    return block("decoder_block", kDecoder, l);
}

Arrays Weights::stacked(const std::string& function, const std::string& prefix) const {
    std::vector<Arrays> blocks = {block(function, prefix, 0)};
    const int L = count_blocks(prefix, blocks.front().front().name);
    for (int l = 1; l < L; ++l) blocks.push_back(block(function, prefix, l));
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
    Arrays result = stacked("transformer_block", kEncoder);
    result.push_back((*this)("gamma"));
    result.push_back((*this)("beta"));
    return result;
}

Arrays Weights::decoder() const {
    Arrays result = stacked("decoder_block", kDecoder);
    for (Array& array : result)
        if (!array.name.ends_with("_c")) array.name += "_d";
    result.push_back((*this)("gamma_d"));
    result.push_back((*this)("beta_d"));
    return result;
}

Arrays Weights::co_blocks() const {
    return stacked("co_attention_block", kEncoder);
}

int Weights::count_blocks(const std::string& prefix, const std::string& counted) const {
    int count = 0;
    const auto has = [&](const std::string& name) {
        return std::any_of(arrays_.begin(), arrays_.end(),
                           [&](const Array& array) { return array.name == name; });
    };
    while (has(name_in_block(prefix, count, counted))) ++count;
    return count;
}

training::StackSizes Weights::stack_sizes(int heads) const {
    const Array gamma = (*this)("gamma"), W_1 = (*this)(name_in_block(kEncoder, 0, "W_1"));
    return {count_blocks(kEncoder), gamma.shape.at(0), heads, W_1.shape.back()};
}

training::Numbers Weights::numbers(const training::Layout& layout) const {
    try {
        return training::from_arrays(layout, arrays_);
    } catch (const std::invalid_argument& error) {
        throw UserError(fmt::format("{}: {}; it is not a file of this model", file_, error.what()));
    }
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
