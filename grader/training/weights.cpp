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

std::string name_in_block(int l, const std::string& name) {
    return fmt::format("blocks.{}.{}", l, name);
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
    for (const char* const name : kOfABlock) result.push_back((*this)(name_in_block(l, name), name));
    return result;
}

Arrays Weights::encoder() const {
    Arrays result = block(0);
    for (int l = 1; l < blocks(); ++l) {
        const Arrays next = block(l);
        for (std::size_t k = 0; k < result.size(); ++k) {
            if (next[k].count() != block(0)[k].count())
                throw UserError(fmt::format("{}: the blocks have different shapes", file_));
            std::vector<float>& all = result[k].as<float>();
            all.insert(all.end(), next[k].as<float>().begin(), next[k].as<float>().end());
        }
    }
    for (Array& array : result) array.shape.insert(array.shape.begin(), blocks());
    result.push_back((*this)("gamma"));
    result.push_back((*this)("beta"));
    return result;
}

int Weights::blocks() const {
    int count = 0;
    const auto has = [&](const std::string& name) {
        return std::any_of(arrays_.begin(), arrays_.end(),
                           [&](const Array& array) { return array.name == name; });
    };
    while (has(name_in_block(count, kOfABlock[0]))) ++count;
    return count;
}

std::vector<std::string> Weights::texts() const {
    std::vector<std::string> result;
    for (const auto& [key, text] : texts_) result.push_back(key + ": " + text);
    return result;
}

}  // namespace attn::trained
