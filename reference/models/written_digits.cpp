#include "reference/models/written_digits.h"

#include <cmath>
#include <numbers>

namespace attn::training {
namespace {

/// A pixel of an image, 0 outside.
float pixel(const float* image, int y, int x) {
    return y < 0 || x < 0 || y >= kDigitSide || x >= kDigitSide ? 0 : image[y * kDigitSide + x];
}

}  // namespace

void WrittenDigits::add(const data::Digits& digits) {
    constexpr float kMostInk = 16;
    for (const float ink : digits.pixels.as<float>()) pixels.push_back(ink / kMostInk);
    for (const std::uint8_t label : digits.labels.as<std::uint8_t>()) labels.push_back(label);
}

void distort(float* to, const float* from, Random& random, float most_shift) {
    constexpr float kMostTurn = 12 * std::numbers::pi_v<float> / 180, kMostScale = 0.1F,
                    kCentre = (kDigitSide - 1) / 2.0F;
    const float turn = random.uniform(-kMostTurn, kMostTurn),
                scale = 1 / random.uniform(1 - kMostScale, 1 + kMostScale),
                shift_y = random.uniform(-most_shift, most_shift),
                shift_x = random.uniform(-most_shift, most_shift);
    const float c = scale * std::cos(turn), s = scale * std::sin(turn);
    for (int y = 0; y < kDigitSide; ++y)
        for (int x = 0; x < kDigitSide; ++x) {
            const float v = static_cast<float>(y) - kCentre - shift_y,
                        u = static_cast<float>(x) - kCentre - shift_x;
            const float from_y = c * v - s * u + kCentre, from_x = s * v + c * u + kCentre;
            const float floor_y = std::floor(from_y), floor_x = std::floor(from_x);
            const float down = from_y - floor_y, right = from_x - floor_x;
            const int top = static_cast<int>(floor_y), left = static_cast<int>(floor_x);
            to[y * kDigitSide + x] =
                (1 - down) * ((1 - right) * pixel(from, top, left) + right * pixel(from, top, left + 1)) +
                down * ((1 - right) * pixel(from, top + 1, left) + right * pixel(from, top + 1, left + 1));
        }
}

}  // namespace attn::training
