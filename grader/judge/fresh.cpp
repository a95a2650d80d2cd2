#include "grader/judge/fresh.h"

#include <bit>
#include <cmath>

namespace attn::judge {

FreshInputs::FreshInputs(const Question& question, bool drawn_anew) : drawn_anew_(drawn_anew) {
    std::random_device unknown;
    random_.seed((std::uint64_t{unknown()} << 32U) ^ unknown());
    Question hidden = question;
    hidden.seed = random_();
    for (int k = 0; k < kKinds; ++k) made_.push_back(hidden.make_other_inputs(k));
}

Arrays FreshInputs::next() {
    Arrays inputs = made_[used_++ % made_.size()];
    if (!drawn_anew_) return inputs;
    for (Array& array : inputs) {
        if (type_of(array) != ElementType::f32 || array.shape.empty()) continue;  // a number is an option
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
