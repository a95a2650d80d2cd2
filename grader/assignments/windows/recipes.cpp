// Assignment 17: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contracts/windows_reference.h"
#include "datasets/png.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::windows {
namespace {

/// Normal numbers. Gains are around 1, matrices keep the size of their inputs, and some cells may attend to nothing.
Arrays layers(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        const std::string& name = spec.name;
        const bool matrix = name == "E" || name.starts_with("W_");
        if (spec.type == ElementType::u8)
            inputs.push_back(holed_mask(name, shape, random));
        else if (name.starts_with("gamma"))
            inputs.push_back(scaled(normal(name, shape, random), 0.4, 1));
        else if (matrix)
            inputs.push_back(scaled(normal(name, shape, random), 1 / std::sqrt(*(shape.end() - 2))));
        else
            inputs.push_back(scaled(normal(name, shape, random), name.starts_with('b') ? 0.5 : 1));
    }
    return inputs;
}

using Change = std::function<double(double x)>;

/// The inputs of "normal" with f of each number of these arrays.
std::function<Arrays(const Function&, const Sizes&, Random&)> changed(std::vector<std::string> names,
                                                                      Change f) {
    return [names = std::move(names), f = std::move(f)](const Function& function, const Sizes& sizes,
                                                        Random& random) {
        Arrays inputs = layers(function, sizes, random);
        for (Array& array : inputs)
            if (std::find(names.begin(), names.end(), array.name) != names.end()) array = map(array, f);
        return inputs;
    };
}

/// Cells of standard deviation 1e-3. What a block adds to them is as small, so that eps matters in all its norms.
Arrays low_variance(const Function& function, const Sizes& sizes, Random& random) {
    return changed({"X", "W_O", "b_O", "W_2", "b_2"}, [](double x) { return x / 1000; })(function, sizes,
                                                                                         random);
}

/// All numbers of an image are equal.
Arrays constant(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    Array& X = by_name(inputs, "X");
    const auto image = X.count() / static_cast<std::size_t>(X.shape[0]);
    for (std::size_t k = 0; k < X.count(); ++k) X.as<float>()[k] = X.as<float>()[k / image * image];
    return inputs;
}

/// A mask of which the last window has no 1 at all.
Arrays blind_window(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    Array& mask = by_name(inputs, "mask");
    const auto window = static_cast<std::ptrdiff_t>(mask.count()) / mask.shape[0];
    std::fill(mask.as<std::uint8_t>().end() - window, mask.as<std::uint8_t>().end(), std::uint8_t{0});
    return inputs;
}

constexpr int kRows = 32, kColumns = 48, kThinned = 9;  // 300 x 451 pixels become 32 x 48

/// Red, green or blue of one pixel of the photograph of a cat, thinned, 0 .. 1.
float cat(int row, int column, int channel) {
    static const Array kCat = data::read_png(data::shipped("chelsea.png"));
    const auto pixels = kCat.view<std::uint8_t, 3>();  // [H, W, 3]
    return static_cast<float>(pixels(row * kThinned, column * kThinned, channel)) / 255;
}

/// The photograph, a pixel in each cell.
Arrays photograph(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    const auto X = by_name(inputs, "X").view<float, 4>();
    for (int r = 0; r < kRows; ++r)
        for (int k = 0; k < kColumns; ++k)
            for (int d = 0; d < 3; ++d) X(0, r, k, d) = cat(r, k, d);
    return inputs;
}

/// The photograph, with the channels before the rows.
Arrays image(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    const auto X = by_name(inputs, "X").view<float, 4>();
    for (int c = 0; c < 3; ++c)
        for (int y = 0; y < kRows; ++y)
            for (int x = 0; x < kColumns; ++x) X(0, c, y, x) = cat(y, x, c);
    return inputs;
}

/// The brightness of X and of Y, without the rows and columns that a picture has no room for.
std::optional<Drawing> brightness(const Arrays& inputs, const Arrays& outputs) {
    Drawing drawn;
    drawn.matrices = Array::zeros<double>("", {2, kRows, kColumns});
    const std::size_t pixels = static_cast<std::size_t>(kRows) * static_cast<std::size_t>(kColumns);
    for (std::size_t k = 0; k < 3 * pixels; ++k) {
        drawn.matrices.as<double>()[k / 3] += number_at(by_name(inputs, "X"), k) / 3;
        drawn.matrices.as<double>()[pixels + k / 3] += number_at(by_name(outputs, "Y"), k) / 3;
    }
    drawn.letters = {"picture", "H", "W"};
    drawn.sentences = {
        "The brightness of a photograph of a cat, before the shift and after it. The picture moves up and to "
        "the "
        "left, and what leaves there comes back below and on the right."};
    return drawn;
}

constexpr int kSide = 8, kWindow = 4, kShift = 2;

/// Whether two cells of the image share a window and may attend, after the shift. Cells are counted row by row, before
/// the shift.
bool may_attend(TensorView<const double, 3> mask, int from, int to) {
    const auto shifted = [](int place) { return (place + kSide - kShift) % kSide; };
    const auto window_and_cell = [&](int cell) {
        const int r = shifted(cell / kSide), k = shifted(cell % kSide);
        return std::pair(r / kWindow * (kSide / kWindow) + k / kWindow, r % kWindow * kWindow + k % kWindow);
    };
    const auto [n, i] = window_and_cell(from);
    const auto [m, j] = window_and_cell(to);
    return n == m && mask(n, i, j) != 0;
}

/// For each cell of the image, the number of the group of cells that it sees, before the shift and after it.
std::optional<Drawing> groups(const Arrays&, const Arrays& outputs) {
    constexpr int kCells = kSide * kSide;
    const Array mask = by_name(outputs, "mask").cast<double>();
    Drawing drawn;
    drawn.matrices = Array::zeros<double>("", {2, kSide, kSide});
    auto& group = drawn.matrices.as<double>();
    int groups = 0;
    for (int cell = 0; cell < kCells; ++cell) {
        const auto at = static_cast<std::size_t>(cell);
        const int window = cell / kSide / kWindow * (kSide / kWindow) + cell % kSide / kWindow;
        group[at] = window;
        int first = 0;
        while (first < cell && !may_attend(mask.view<double, 3>(), cell, first)) ++first;
        group[kCells + at] = first == cell ? groups++ : group[kCells + static_cast<std::size_t>(first)];
    }
    drawn.letters = {"picture", "H", "W"};
    drawn.sentences = {
        "An image of 8 x 8 cells and windows of 4 x 4. Cells of one colour see each other: before the shift "
        "in four "
        "windows, and after it in nine groups. The middle group lies across all four windows, so it carries "
        "numbers "
        "from each of them to the others. The groups at the edges share windows of the shifted image, and "
        "the mask "
        "keeps them apart."};
    return drawn;
}

/// What two cells see, before the shift and after it.
std::optional<Drawing> seen(const Arrays&, const Arrays& outputs) {
    constexpr int kCells = kSide * kSide, kMiddle = 3 * kSide + 3, kCorner = 0;
    const Array mask = by_name(outputs, "mask").cast<double>();
    Drawing drawn;
    drawn.matrices = Array::zeros<double>("", {4, kSide, kSide});
    for (int picture = 0; picture < 4; ++picture)
        for (int cell = 0; cell < kCells; ++cell) {
            const int looker = picture / 2 == 0 ? kMiddle : kCorner;
            const bool together = looker / kSide / kWindow == cell / kSide / kWindow &&
                                  looker % kSide / kWindow == cell % kSide / kWindow;
            const bool sees = picture % 2 == 0 ? together : may_attend(mask.view<double, 3>(), looker, cell);
            drawn.matrices.as<double>()[static_cast<std::size_t>(picture * kCells + cell)] = cell == looker
                                                                                                 ? 2
                                                                                             : sees ? 1
                                                                                                    : 0;
        }
    drawn.letters = {"picture", "H", "W"};
    drawn.sentences = {
        "What the cell in row 3 and column 3 sees, before the shift and after it, and what the cell in the "
        "corner "
        "sees. The bright cell is the one that looks. After the shift the first one sees four old windows. "
        "The "
        "corner's window of the shifted image has cells of all four corners, but it sees its own corner "
        "alone."};
    return drawn;
}

}  // namespace

std::vector<Recipe> recipes() {
    const auto side_by_side = Sizes{{"B", 1}, {"H", kRows}, {"W", kColumns}, {"D", 3}};
    return {
        {"normal", "normal numbers, gains and biases that count", {}, layers},
        {"low_variance", "cells with a standard deviation of 1e-3", {}, low_variance},
        {"constant", "images of one number throughout", {}, constant},
        {"far_from_0", "cells around 300", {}, changed({"X"}, [](double x) { return x + 300; })},
        {"overflow", "scores near +-1000", {}, changed({"W_Q", "W_K"}, [](double x) { return 30 * x; })},
        {"large_values", "values around +-300", {}, changed({"W_V"}, [](double x) { return 300 * x; })},
        {"large_table",
         "biases of distances near +-1000",
         {},
         changed({"table"}, [](double x) { return 700 * x; })},
        {"blind_window", "a mask of which the last window has no 1", {}, blind_window},
        {"photograph",
         "a photograph of a cat",
         side_by_side,
         photograph,
         {},
         {{"before and after", brightness}}},
        {"image",
         "a photograph of a cat, with the channels before the rows",
         {{"B", 1}, {"C", 3}, {"H", kRows}, {"W", kColumns}},
         image,
         [] {
             return Scene{{}, "X", "P", "H/P*W/P"};
         }},
        {"four_windows",
         "8 x 8 cells in windows of 4 x 4",
         {{"H", kSide}, {"W", kSide}, {"M", kWindow}},
         layers,
         {},
         {{"groups", groups}, {"what a cell sees", seen}}},
    };
}

}  // namespace attn::ask::windows
