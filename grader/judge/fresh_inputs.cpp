#include "grader/judge/fresh_inputs.h"

#include <bit>
#include <cmath>

namespace attn::judge {

FreshInputs::FreshInputs(const Question& question, bool redraw_bits) : redraw_bits_(redraw_bits) {
    std::random_device unknown;
    random_.seed((std::uint64_t{unknown()} << 32U) ^ unknown());
    Question hidden = question;
    hidden.seed = random_();
    for (int k = 0; k < kKinds; ++k) prepared_.push_back(hidden.make_other_inputs(k));
}

Arrays FreshInputs::next() {
    Arrays inputs = prepared_[used_++ % prepared_.size()];
    if (!redraw_bits_) return inputs;
    for (Array& array : inputs) {
        if (type_of(array) != ElementType::f32 || array.shape.empty())
            continue;  // an array without axes is an option
        constexpr std::uint32_t kLow = 0xffff;
        std::uint64_t bits = 0;
        int left = 0;
        for (float& value : array.as<float>()) {
            if (left == 0) bits = random_(), left = 4;
            if (std::isnormal(value))
                value = std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & ~kLow) |
                                             (static_cast<std::uint32_t>(bits) & kLow));
            bits >>= 16U;
            --left;
        }
    }
    return inputs;
}

}  // namespace attn::judge
