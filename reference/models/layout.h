#pragma once
/// The weights of a model: named arrays, one after the other in one vector of numbers. Gradients and the
/// optimiser's moments are vectors with the same layout.

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assignments/01_rnn_attention/rnn_attention.h"
#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/13_backward/backward.h"
#include "assignments/21_recurrent_backward/recurrent_backward.h"
#include "assignments/array.h"
#include "reference/models/random.h"

namespace attn::training {

using Numbers = std::vector<float>;

/// What a weight is before the first step.
struct Start {
    float mean = 0, deviation = 0;
};
inline constexpr Start kZeros = {0, 0}, kOnes = {1, 0};

class Layout {
  public:
    struct Entry {
        std::string name;
        Shape shape;
        Start start;
        /// Whether weight decay shrinks it: matrices of products and tables of words, but no bias, gain or
        /// position.
        bool decays;
        std::size_t first, count;
    };

    void add(const std::string& name, const Shape& shape, Start start, bool decays) {
        const std::size_t count = element_count(shape);
        if (!places_.emplace(name, entries_.size()).second)
            throw std::invalid_argument("two weights have the name " + name);
        entries_.push_back({name, shape, start, decays, count_, count});
        count_ += count;
    }
    /// A matrix [in, out] whose products keep the variance of their input.
    void add_matrix(const std::string& name, int in, int out, float gain = 1);
    void add_vector(const std::string& name, int count, Start start = kZeros) {
        add(name, {count}, start, false);
    }

    const std::vector<Entry>& entries() const { return entries_; }
    std::size_t count() const { return count_; }

    /// Throws std::invalid_argument if there is no weight with this name, or not of this rank.
    template <int Rank, class T>
    TensorView<T, Rank> view(T* numbers, const std::string& name) const {
        const auto place = places_.find(name);
        if (place == places_.end()) throw std::invalid_argument("there is no weight with the name " + name);
        const Entry& entry = entries_[place->second];
        if (entry.shape.size() != Rank)
            throw std::invalid_argument(name + " has the shape " + to_string(entry.shape));
        return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
            return TensorView<T, Rank>(numbers + entry.first, entry.shape[Axis]...);
        }
        (std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
    }

    /// All weights before the first step.
    Numbers initial(std::uint64_t seed) const;

  private:
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t> places_;
    std::size_t count_ = 0;
};

/// Adds the weights of a block: "blocks.0.W_Q" for prefix = "blocks.0.". `layers` is the number of blocks:
/// the last matrix of each residual starts smaller by sqrt(2 layers) (Radford et al. 2019, section 2.3).
void add_block(Layout& layout, const std::string& prefix, int D, int F, int layers);
BlockWeights<float> block_weights(const Layout& layout, const float* theta, const std::string& prefix);
BlockGradients<float> block_gradients(const Layout& layout, float* gradient, const std::string& prefix);

/// Adds the weights of assignment 1's decoder: "decoder.W_q" ..
void add_decoder(Layout& layout, int D_h, int D_y, int D_s, int D_a);
DecoderWeights<float> decoder_weights(const Layout& layout, const float* theta);
DecoderGradients<float> decoder_gradients(const Layout& layout, float* gradient);

/// The arrays of a vector with this layout, each name behind `prefix`.
Arrays to_arrays(const Layout& layout, const Numbers& numbers, const std::string& prefix = "");
/// Undoes to_arrays. Throws std::invalid_argument if an array is missing or has another shape or type.
Numbers from_arrays(const Layout& layout, const Arrays& arrays, const std::string& prefix = "");

}  // namespace attn::training
