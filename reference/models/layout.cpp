#include "reference/models/layout.h"

#include <algorithm>
#include <cmath>

namespace attn::training {

void Layout::add_matrix(const std::string& name, int in, int out, float gain) {
    add(name, {in, out}, {0, gain / std::sqrt(static_cast<float>(in))}, true);
}

Numbers Layout::initial(std::uint64_t seed) const {
    constexpr std::uint64_t kStream = ~std::uint64_t{0};  // steps have the small numbers
    Random random(seed, kStream);
    Numbers theta(count_);
    for (const Entry& entry : entries_)
        for (std::size_t k = 0; k < entry.count; ++k)
            theta[entry.first + k] =
                entry.start.mean + (entry.start.deviation > 0 ? entry.start.deviation * random.normal() : 0);
    return theta;
}

void add_block(Layout& layout, const std::string& prefix, int D, int F, int layers) {
    const float last = 1 / std::sqrt(2 * static_cast<float>(layers));
    layout.add_vector(prefix + "gamma_1", D, kOnes);
    layout.add_vector(prefix + "beta_1", D);
    for (const char* name : {"Q", "K", "V"}) {
        layout.add_matrix(prefix + "W_" + name, D, D);
        layout.add_vector(prefix + "b_" + name, D);
    }
    layout.add_matrix(prefix + "W_O", D, D, last);
    layout.add_vector(prefix + "b_O", D);
    layout.add_vector(prefix + "gamma_2", D, kOnes);
    layout.add_vector(prefix + "beta_2", D);
    layout.add_matrix(prefix + "W_1", D, F);
    layout.add_vector(prefix + "b_1", F);
    layout.add_matrix(prefix + "W_2", F, D, last);
    layout.add_vector(prefix + "b_2", D);
}

namespace {

/// BlockWeights and BlockGradients have the same members in the same order.
template <class Block, class T>
Block block_of(const Layout& layout, T* numbers, const std::string& prefix) {
    const auto vector = [&](const char* name) { return layout.view<1>(numbers, prefix + name); };
    const auto matrix = [&](const char* name) { return layout.view<2>(numbers, prefix + name); };
    return {vector("gamma_1"),
            vector("beta_1"),
            {matrix("W_Q"), vector("b_Q"), matrix("W_K"), vector("b_K"), matrix("W_V"), vector("b_V"),
             matrix("W_O"), vector("b_O")},
            vector("gamma_2"),
            vector("beta_2"),
            matrix("W_1"),
            vector("b_1"),
            matrix("W_2"),
            vector("b_2")};
}

/// DecoderWeights and DecoderGradients have the same members in the same order.
template <class Decoder, class T>
Decoder decoder_of(const Layout& layout, T* numbers) {
    const auto vector = [&](const char* name) {
        return layout.view<1>(numbers, std::string("decoder.") + name);
    };
    const auto matrix = [&](const char* name) {
        return layout.view<2>(numbers, std::string("decoder.") + name);
    };
    return {matrix("W_q"), matrix("W_k"), vector("v"),   matrix("W_x"),
            matrix("W_s"), vector("b"),   matrix("W_0"), vector("b_0")};
}

}  // namespace

BlockWeights<float> block_weights(const Layout& layout, const float* theta, const std::string& prefix) {
    return block_of<BlockWeights<float>>(layout, theta, prefix);
}

BlockGradients<float> block_gradients(const Layout& layout, float* gradient, const std::string& prefix) {
    return block_of<BlockGradients<float>>(layout, gradient, prefix);
}

void add_decoder(Layout& layout, int D_h, int D_y, int D_s, int D_a) {
    layout.add_matrix("decoder.W_q", D_s, D_a);
    layout.add_matrix("decoder.W_k", D_h, D_a);
    layout.add("decoder.v", {D_a}, {0, 1 / std::sqrt(static_cast<float>(D_a))}, true);
    layout.add_matrix("decoder.W_x", D_y + D_h, D_s);
    layout.add_matrix("decoder.W_s", D_s, D_s);
    layout.add_vector("decoder.b", D_s);
    layout.add_matrix("decoder.W_0", D_h, D_s);
    layout.add_vector("decoder.b_0", D_s);
}

DecoderWeights<float> decoder_weights(const Layout& layout, const float* theta) {
    return decoder_of<DecoderWeights<float>>(layout, theta);
}

DecoderGradients<float> decoder_gradients(const Layout& layout, float* gradient) {
    return decoder_of<DecoderGradients<float>>(layout, gradient);
}

Arrays to_arrays(const Layout& layout, const Numbers& numbers, const std::string& prefix) {
    Arrays arrays;
    for (const Layout::Entry& entry : layout.entries()) {
        const float* const first = numbers.data() + entry.first;
        arrays.emplace_back(prefix + entry.name, entry.shape, Numbers(first, first + entry.count));
    }
    return arrays;
}

Numbers from_arrays(const Layout& layout, const Arrays& arrays, const std::string& prefix) {
    Numbers numbers(layout.count());
    for (const Layout::Entry& entry : layout.entries()) {
        const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const Array& array) {
            return array.name == prefix + entry.name;
        });
        if (found == arrays.end())
            throw std::invalid_argument("the weights " + prefix + entry.name + " are missing");
        if (found->shape != entry.shape || !std::holds_alternative<Numbers>(found->values))
            throw std::invalid_argument("the weights " + found->name + " of shape " +
                                        to_string(found->shape) + " should be floats of shape " +
                                        to_string(entry.shape));
        const Numbers& values = found->as<float>();
        std::copy(values.begin(), values.end(), numbers.begin() + static_cast<std::ptrdiff_t>(entry.first));
    }
    return numbers;
}

}  // namespace attn::training
