// Assignment 6: the recipes of inputs.

#include <cmath>

#include "contracts/vit_patching_reference.h"
#include "datasets/digits.h"
#include "datasets/png.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::vit_patching {
namespace {

/// Normal images, and weights that keep every sum near 1: matrices are divided by the square root of their
/// number of rows, gamma is around 1, and biases and beta are halved.
Arrays layer_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (Array& array : inputs) {
        const std::string& name = array.name;
        const bool matrix = name == "E" || name.starts_with("W_");
        if (matrix) {
            const double shrink = 1 / std::sqrt(array.shape[array.shape.size() - 2]);
            array = map(array, [shrink](double w) { return w * shrink; });
        } else if (name.starts_with("gamma")) {
            array = map(array, [](double g) { return 1 + g / 3; });
        } else if (name.starts_with('b')) {
            array = map(array, [](double b) { return b / 2; });
        }
    }
    return inputs;
}

constexpr int kDigitSide = 8;
constexpr int kThinned = 5;  // 451 x 300 pixels become 90 x 60

/// Every fifth row and column of the photograph of a cat, of these the upper left H x W pixels, with values
/// 0 .. 1.
Array cat(const Sizes& sizes) {
    static const Array kCat = data::read_png(data::shipped("chelsea.png"));
    const int H = sizes.at("H"), W = sizes.at("W");
    Array X = Array::zeros<float>("X", {sizes.at("B"), sizes.at("C"), H, W});
    const auto x = X.view<float, 4>();
    const auto pixels = kCat.view<std::uint8_t, 3>();  // [H, W, 3]
    for (int b = 0; b < x.size(0); ++b)
        for (int c = 0; c < x.size(1); ++c)
            for (int row = 0; row < H; ++row)
                for (int column = 0; column < W; ++column)
                    x(b, c, row, column) =
                        static_cast<float>(pixels(row * kThinned % pixels.size(0),
                                                  column * kThinned % pixels.size(1), c % 3)) /
                        255;
    return X;
}

/// The first handwritten digits of the file, with values 0 .. 1.
Array digits(const Sizes& sizes) {
    static const data::Digits kDigits = data::read_digits(data::shipped("digits.csv.gz"));
    Array X = Array::zeros<float>("X", {sizes.at("B"), 1, kDigitSide, kDigitSide});
    for (std::size_t k = 0; k < X.count(); ++k) X.as<float>()[k] = kDigits.pixels.as<float>().at(k) / 16;
    return X;
}

/// The inputs with this image in place of the random one, or with its patches for unpatchify.
Arrays with_image(const Array& image, const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    if (function.name != "unpatchify") return with(std::move(inputs), "X", image);
    if (!function.refusal(sizes).empty()) return inputs;
    Array& patches = by_name(inputs, "patches");
    cpu::patchify<float>(patches.view<float, 3>(), image.view<float, 4>(), sizes.at("P"));
    return inputs;
}

Scene scene() {
    return {{}, "X", "P", "H/P*W/P"};
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "normal numbers", {}, layer_inputs},
        {"photograph",
         "a photograph of a cat",
         {{"B", 1}, {"C", 3}},
         [](const Function& function, const Sizes& sizes, Random& random) {
             return with_image(cat(sizes), function, sizes, random);
         },
         scene},
        {"digits",
         "handwritten digits",
         {{"C", 1}, {"H", kDigitSide}, {"W", kDigitSide}},
         [](const Function& function, const Sizes& sizes, Random& random) {
             return with_image(digits(sizes), function, sizes, random);
         },
         scene},
    };
}

}  // namespace attn::ask::vit_patching
