// Assignment 17: the properties of patch_merging and shifted_patch_tokens.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "grader/ask/inner_calls.h"
#include "grader/assignments/windows/helpers.h"

namespace attn::ask::windows {
namespace {

/// An order of pairs of rows as an order of rows.
std::vector<int> pairs(const std::vector<int>& order) {
    std::vector<int> all;
    for (const int pair : order) all.insert(all.end(), {2 * pair, 2 * pair + 1});
    return all;
}

Property squares_permute() {
    return {"squares_permute", "squares in another order give outputs in this order",
            [](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto rows = random.permutation(X.shape[1] / 2),
                           columns = random.permutation(X.shape[2] / 2);
                const Array moved = permuted(permuted(X, 1, pairs(rows)), 2, pairs(columns));
                return Experiment{
                    {inputs, with(inputs, "X", moved)}, [=](const Outputs& y) {
                        return Relations{{"Y in this order", "Y of squares in this order",
                                          permuted(permuted(by_name(y[0], "Y"), 1, rows), 2, columns),
                                          by_name(y[1], "Y")}};
                    }};
            }};
}

/// A tiny eps, and X three times as large. `shift` is added.
Property unit_does_not_matter(const std::string& statement, double shift, const std::string& output) {
    return {"unit_does_not_matter", statement, [shift, output](const Arrays& inputs, Random&) {
                const Arrays run = with_option(inputs, "eps", 1e-12);
                return Experiment{{run, with(run, "X", scaled(by_name(run, "X"), 3, shift))},
                                  [output](const Outputs& y) {
                                      return Relations{{output, output + " of the other image",
                                                        by_name(y[0], output), by_name(y[1], output)}};
                                  }};
            }};
}

Property one_cell_one_square() {
    return one_cell_changes_one("one_cell_one_square", "one cell changes exactly one cell of Y", "Y");
}

/// Blocks of `width` places in another order.
std::vector<int> blocks(const std::vector<int>& order, int width) {
    std::vector<int> all;
    for (const int block : order)
        for (int d = 0; d < width; ++d) all.push_back(block * width + d);
    return all;
}

/// Rows of each pair exchanged, and then columns, with what belongs to them.
Property four_by_four() {
    return {
        "four_by_four",
        "the four cells of a square exchanged, with their numbers of gamma, beta and W_R, give the same Y",
        [](const Arrays& inputs, Random&) {
            const Array& X = by_name(inputs, "X");
            const auto exchanged = [&](int axis, const std::vector<int>& four) {
                std::vector<int> places;
                for (int k = 0; k < X.shape[static_cast<std::size_t>(axis)]; ++k)
                    places.push_back(k % 2 == 0 ? k + 1 : k - 1);
                return permuted(with(inputs, "X", permuted(X, axis, places)), {"gamma", "beta", "W_R"}, 0,
                                blocks(four, X.shape[3]));
            };
            return Experiment{{inputs, exchanged(1, {1, 0, 3, 2}), exchanged(2, {2, 3, 0, 1})},
                              [](const Outputs& y) {
                                  return Relations{{"Y", "Y with the rows of each pair exchanged",
                                                    by_name(y[0], "Y"), by_name(y[1], "Y")},
                                                   {"Y", "Y with the columns of each pair exchanged",
                                                    by_name(y[0], "Y"), by_name(y[2], "Y")}};
                              }};
        }};
}

/// X [B, C, H, W] with other numbers from row `rows` and from column `columns` on.
Array with_other_pixels(Array X, Random& random, const std::function<bool(int y, int x)>& is_other) {
    const auto view = X.view<float, 4>();
    for (int b = 0; b < view.size(0); ++b)
        for (int c = 0; c < view.size(1); ++c)
            for (int y = 0; y < view.size(2); ++y)
                for (int x = 0; x < view.size(3); ++x)
                    if (is_other(y, x)) view(b, c, y, x) = random.normal();
    return X;
}

Property far_pixels_change_nothing() {
    return two_calls(
        "far_pixels_change_nothing",
        "pixels farther than half a patch change nothing of a token, bit for bit",
        [](const Arrays& inputs, Random& random) {
            const int P = whole(inputs, "P"), end = P + P / 2;
            return with(inputs, "X", with_other_pixels(by_name(inputs, "X"), random, [end](int y, int x) {
                            return y >= end || x >= end;
                        }));
        },
        [](const Array& before, const Array& after, const Arrays&) {
            return Relations{{"the first token", "the first token of the other image", leading(before, 1, 1),
                              leading(after, 1, 1), true}};
        },
        "Z");
}

/// A pixel in the middle of the second patch in both directions. Its four copies lie in four patches.
Property neighbours_are_seen() {
    return two_calls(
        "neighbours_are_seen", "the pixel in the middle of a patch is in its own token and in three more",
        [](const Arrays& inputs, Random& random) {
            const Array& X = by_name(inputs, "X");
            const int P = whole(inputs, "P"), at = std::min({P + P / 2, X.shape[2] - 1, X.shape[3] - 1});
            return with(inputs, "X",
                        with_other_pixels(X, random, [at](int y, int x) { return y == at && x == at; }));
        },
        [](const Array& before, const Array& after, const Arrays& inputs) {
            const Array& X = by_name(inputs, "X");
            const int P = whole(inputs, "P"), rows = X.shape[2] / P, columns = X.shape[3] / P;
            if (P % 2 != 0 || std::min(rows, columns) < 3) return Relations{};
            const Array marks = leading(changed_vectors(before, after), 0, 1);
            Array expected = zeros_like(marks);
            for (const int i : {columns + 1, columns + 2, 2 * columns + 1, 2 * columns + 2})
                expected.as<double>()[static_cast<std::size_t>(i)] = 1;
            return Relations{{"1 for a token that has changed", "1 for the four tokens that see the pixel",
                              marks, expected, true}};
        },
        "Z");
}

/// Left and right exchanged: the columns of X and of patches, and the copies that read left and right.
Property mirrored_together() {
    return {"mirrored_together",
            "a mirrored image, with mirrored weights, gives the tokens in mirrored order",
            [](const Arrays& inputs, Random&) {
                const Array& X = by_name(inputs, "X");
                const int C = X.shape[1], P = whole(inputs, "P"), columns = X.shape[3] / P;
                constexpr int kMirrored[] = {0, 2, 1, 4, 3};
                std::vector<int> features, tokens;
                for (int p = 0; p < P * P; ++p)
                    for (const int q : kMirrored)
                        for (int c = 0; c < C; ++c)
                            features.push_back(((p / P * P + P - 1 - p % P) * 5 + q) * C + c);
                for (int i = 0; i < X.shape[2] / P * columns; ++i)
                    tokens.push_back(i / columns * columns + columns - 1 - i % columns);
                const Arrays other =
                    permuted(with(inputs, "X", in_reverse(X, 3)), {"gamma", "beta", "E"}, 0, features);
                return Experiment{
                    {inputs, other}, [tokens](const Outputs& y) {
                        return Relations{{"Z in mirrored order", "Z of the mirrored image",
                                          permuted(by_name(y[0], "Z"), 1, tokens), by_name(y[1], "Z")}};
                    }};
            }};
}

}  // namespace

std::vector<Property> patch_merging_properties() {
    return {squares_permute(),     unit_does_not_matter("3 X + 2 has the same Y as X", 2, "Y"),
            one_cell_one_square(), four_by_four(),
            linear_in("W_R"),      batches_do_not_mix({"X"})};
}

std::vector<Property> shifted_patch_properties() {
    return {far_pixels_change_nothing(),
            neighbours_are_seen(),
            unit_does_not_matter("3 X has the same tokens as X", 0, "Z"),
            mirrored_together(),
            linear_in("E", "Z"),
            batches_do_not_mix({"X"}, "Z")};
}

}  // namespace attn::ask::windows
