// Assignment 6: the properties. Those of embed_patches and vit_encode are in properties_of_tokens.cpp.

#include <algorithm>
#include <limits>

#include "grader/ask/laws.h"
#include "grader/assignments/vit_patching/helpers.h"

namespace attn::ask::vit_patching {
namespace {

/// Calls visit(at, place) for every number: `at` is its index in the patches, `place` its index in the images
/// [B, C, H, W].
template <class Visit>
void for_each_number(const Shape& images, int P, Visit visit) {
    const int B = images[0], C = images[1], H = images[2], W = images[3];
    std::size_t at = 0;
    for (int b = 0; b < B; ++b)
        for (int y = 0; y < H; y += P)
            for (int x = 0; x < W; x += P)
                for (int py = 0; py < P; ++py)
                    for (int px = 0; px < P; ++px)
                        for (int c = 0; c < C; ++c)
                            visit(at++, static_cast<std::size_t>(((b * C + c) * H + y + py) * W + x + px));
}

Array sorted(const Array& array) {
    Array result("", {static_cast<int>(array.count())}, array.cast<double>().as<double>());
    std::sort(result.as<double>().begin(), result.as<double>().end());
    return result;
}

Array numbers(const std::vector<double>& values) {
    return Array("", {static_cast<int>(values.size())}, values);
}

/// Each number of `input` is in `output` once.
Property nothing_lost(const std::string& input, const std::string& output) {
    return {"nothing_lost", "every number of " + input + " is in " + output + " once",
            [input, output](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [input, output, X = by_name(inputs, input)](const Outputs& y) {
                        return Relations{{"the sorted numbers of " + output, "those of " + input,
                                          sorted(by_name(y[0], output)), sorted(X), true}};
                    }};
            }};
}

Property put_together() {
    return {"put_together", "patches put back in their places are the image: unpatchify(patchify(X)) = X",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs},
                    [X = by_name(inputs, "X").cast<double>(),
                     P = static_cast<int>(option_of(inputs, "P"))](const Outputs& y) {
                        return Relations{{"the image of the patches", "X",
                                          together(by_name(y[0], "patches"), X.shape, P), X, true}};
                    }};
            }};
}

Property cut_again() {
    return {"cut_again", "the image cut again gives the patches: patchify(unpatchify(patches)) = patches",
            [](const Arrays& inputs, Random&) {
                return Experiment{{inputs},
                                  [patches = by_name(inputs, "patches").cast<double>(),
                                   P = static_cast<int>(option_of(inputs, "P"))](const Outputs& y) {
                                      return Relations{{"the patches of X", "the patches given",
                                                        cut(by_name(y[0], "X"), P), patches, true}};
                                  }};
            }};
}

/// Moves the image to the right by P columns. The columns that leave on the right enter on the left.
Property moved_by_a_patch() {
    return {"moved_by_a_patch", "an image moved to the right by P pixels has its patches moved by one",
            [](const Arrays& inputs, Random&) {
                const Array& X = by_name(inputs, "X");
                const int P = static_cast<int>(option_of(inputs, "P")), W = X.shape[3], rows = X.shape[2] / P,
                          columns = W / P;
                std::vector<int> pixels, patches;
                for (int x = 0; x < W; ++x) pixels.push_back((x + W - P) % W);
                for (int i = 0; i < rows * columns; ++i)
                    patches.push_back(i / columns * columns + (i + columns - 1) % columns);
                return Experiment{
                    {inputs, with(inputs, "X", permuted(X, 3, pixels))}, [patches](const Outputs& y) {
                        return Relations{{"a patch of the moved image", "the patch on its left",
                                          by_name(y[1], "patches"),
                                          permuted(by_name(y[0], "patches"), 1, patches), true}};
                    }};
            }};
}

/// Each image has one colour, that of its first pixel.
Property colours_stay_together() {
    return {"colours_stay_together", "patches of an image of one colour repeat that colour's C numbers",
            [](const Arrays& inputs, Random&) {
                Array X = by_name(inputs, "X");
                const auto pixels = static_cast<std::size_t>(X.shape[2] * X.shape[3]);
                for (std::size_t k = 0; k < X.count(); ++k)
                    X.as<float>()[k] = X.as<float>()[k / pixels * pixels];
                return Experiment{
                    {with(inputs, "X", X)}, [X, pixels](const Outputs& y) {
                        const Array& patches = by_name(y[0], "patches");
                        const auto C = static_cast<std::size_t>(X.shape[1]), image = C * pixels;
                        Array expected = patches;
                        for (std::size_t k = 0; k < expected.count(); ++k)
                            expected.as<double>()[k] =
                                static_cast<double>(X.as<float>()[k / image * image + k % C * pixels]);
                        return Relations{{"patches", "the image's colour", patches, expected, true}};
                    }};
            }};
}

/// The number of elements that differ between the images, and the number of rows and columns that they span.
Array extent(const Array& before, const Array& after) {
    const int H = before.shape[2], W = before.shape[3];
    int count = 0, top = H, bottom = -1, left = W, right = -1;
    for (std::size_t k = 0; k < before.count(); ++k) {
        if (before.as<double>()[k] == after.as<double>()[k]) continue;
        const int x = static_cast<int>(k % static_cast<std::size_t>(W));
        const int y = static_cast<int>(k / static_cast<std::size_t>(W) % static_cast<std::size_t>(H));
        ++count;
        top = std::min(top, y), bottom = std::max(bottom, y);
        left = std::min(left, x), right = std::max(right, x);
    }
    return numbers({static_cast<double>(count), static_cast<double>(bottom - top + 1),
                    static_cast<double>(right - left + 1)});
}

Property one_patch_one_square() {
    return {"one_patch_one_square", "another patch in one place changes P rows of P pixels and nothing else",
            [](const Arrays& inputs, Random& random) {
                Array patches = by_name(inputs, "patches");
                const int P = static_cast<int>(option_of(inputs, "P")), N = patches.shape[1],
                          features = patches.shape[2];
                const int i = random.below(N);
                for (int f = 0; f < features; ++f)
                    patches.view<float, 3>()(0, i, f) += 1 + random.normal() / 16;
                return Experiment{
                    {inputs, with(inputs, "patches", patches)}, [P, features](const Outputs& y) {
                        return Relations{{"(numbers, rows, columns) that change", "(P P C, P, P)",
                                          extent(by_name(y[0], "X"), by_name(y[1], "X")),
                                          numbers({static_cast<double>(features), static_cast<double>(P),
                                                   static_cast<double>(P)}),
                                          true}};
                    }};
            }};
}

/// All numbers of a patch are equal.
Property flat_squares() {
    return {"flat_squares", "patches of one number each give squares of one number each",
            [](const Arrays& inputs, Random&) {
                Array patches = by_name(inputs, "patches");
                const auto features = static_cast<std::size_t>(patches.shape[2]);
                for (std::size_t k = 0; k < patches.count(); ++k)
                    patches.as<float>()[k] = patches.as<float>()[k / features * features];
                return Experiment{{with(inputs, "patches", patches)},
                                  [P = static_cast<int>(option_of(inputs, "P"))](const Outputs& y) {
                                      const Array& X = by_name(y[0], "X");
                                      const auto x = X.view<double, 4>();
                                      Array expected = X;
                                      const auto corner = expected.view<double, 4>();
                                      for (int b = 0; b < x.size(0); ++b)
                                          for (int c = 0; c < x.size(1); ++c)
                                              for (int row = 0; row < x.size(2); ++row)
                                                  for (int column = 0; column < x.size(3); ++column)
                                                      corner(b, c, row, column) =
                                                          x(b, 0, row - row % P, column - column % P);
                                      return Relations{{"X", "the number in its square's upper left corner",
                                                        X, expected, true}};
                                  }};
            }};
}

}  // namespace

Array cut(const Array& X, int P) {
    const Shape& images = X.shape;
    Array patches =
        zeros_of(type_of(X), "patches", {images[0], (images[2] / P) * (images[3] / P), P * P * images[1]});
    std::visit(
        [&](auto& to) {
            const auto& from = std::get<std::decay_t<decltype(to)>>(X.values);
            for_each_number(images, P, [&](std::size_t at, std::size_t place) { to[at] = from[place]; });
        },
        patches.values);
    return patches;
}

Array together(const Array& patches, const Shape& images, int P) {
    Array X = zeros_of(type_of(patches), "X", images);
    std::visit(
        [&](auto& to) {
            const auto& from = std::get<std::decay_t<decltype(to)>>(patches.values);
            for_each_number(images, P, [&](std::size_t at, std::size_t place) { to[place] = from[at]; });
        },
        X.values);
    return X;
}

Property one_pixel_one_row(const std::string& name, const std::string& statement, const std::string& output) {
    return {name, statement, [output](const Arrays& inputs, Random& random) {
                Array X = by_name(inputs, "X");
                const int image = static_cast<int>(X.count()) / X.shape[0];
                X.as<float>()[static_cast<std::size_t>(random.below(image))] += 1;
                return Experiment{
                    {inputs, with(inputs, "X", X)}, [output](const Outputs& y) {
                        const auto& before = by_name(y[0], output).as<double>();
                        const auto& after = by_name(y[1], output).as<double>();
                        const auto D = static_cast<std::size_t>(by_name(y[0], output).shape[2]);
                        double changed = 0;
                        for (std::size_t row = 0; row < before.size(); row += D) {
                            const auto start = static_cast<std::ptrdiff_t>(row);
                            if (!std::equal(before.begin() + start,
                                            before.begin() + start + static_cast<std::ptrdiff_t>(D),
                                            after.begin() + start))
                                ++changed;
                        }
                        return Relations{{"the number of rows of " + output + " that change", "1",
                                          numbers({changed}), numbers({1}), true}};
                    }};
            }};
}

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"patchify",
         {put_together(),
          one_pixel_one_row("one_pixel_one_patch", "one pixel goes into exactly one patch", "patches"),
          nothing_lost("X", "patches"), moved_by_a_patch(), colours_stay_together(),
          batches_do_not_mix({"X"}, "patches")}},
        {"unpatchify",
         {cut_again(), one_patch_one_square(), nothing_lost("patches", "X"), flat_squares(),
          batches_do_not_mix({"patches"}, "X")}},
        {"embed_patches", embed_patches_properties()},
        {"vit_encode", vit_encode_properties()},
    };
}

}  // namespace attn::ask::vit_patching
