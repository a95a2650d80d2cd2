#pragma once
/// Inputs that share no memory with outputs. A student may call a function with an output in the place of an input, as in
/// decoder_step(s, y, c, s, ..), because his own function keeps its numbers apart until its end. The plain loops add up in
/// their outputs, so in his function's place they get copies of such inputs.

#include <cstddef>
#include <functional>
#include <list>
#include <utility>
#include <vector>

#include "assignments/tensor.h"

namespace attn::compile {

class Apart {
  public:
    template <class... Outputs>
    explicit Apart(const Outputs&... outputs) : outputs_{range_of(outputs)...} {}
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

    /// The view, or a view of a copy that lives as long as this object, if it shares memory with an output.
    template <class T, int Rank>
    TensorView<const T, Rank> operator()(const TensorView<const T, Rank>& input) {
        return copy_if_shared(input, std::make_integer_sequence<int, Rank>());
    }

  private:
    using Range = std::pair<const std::byte*, const std::byte*>;

    template <class T, int Rank>
    static Range range_of(const TensorView<T, Rank>& view) {
        return {reinterpret_cast<const std::byte*>(view.data()),
                reinterpret_cast<const std::byte*>(view.data() + view.count())};
    }

    template <class T, int Rank, int... Axes>
    TensorView<const T, Rank> copy_if_shared(const TensorView<const T, Rank>& input,
                                             std::integer_sequence<int, Axes...> /*axes*/) {
        const std::less<> before;
        const Range read = range_of(input);
        for (const Range& written : outputs_)
            if (input && written.first != nullptr && before(read.first, written.second) &&
                before(written.first, read.second)) {
                const std::vector<std::byte>& copy = copies_.emplace_back(read.first, read.second);
                return {reinterpret_cast<const T*>(copy.data()), input.size(Axes)...};
            }
        return input;
    }

    std::vector<Range> outputs_;
    std::list<std::vector<std::byte>> copies_;
};

}  // namespace attn::compile
