// Assignment 17: the properties of functions with weights.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "contracts/multi_head_reference.h"
#include "grader/ask/inner_calls.h"
#include "grader/assignments/windows/helpers.h"

namespace attn::ask::windows {
namespace {

// window_attention

Property windows_permute() {
    return {"windows_permute", "windows in another order, with their masks, give outputs in this order",
            [](const Arrays& inputs, Random& random) {
                const auto order = random.permutation(by_name(inputs, "X").shape[1]);
                const Arrays moved = permuted(permuted(inputs, {"X"}, 1, order), {"mask"}, 0, order);
                return Experiment{
                    {inputs, moved}, [order](const Outputs& y) {
                        return Relations{{"Y in this order", "Y of windows in this order",
                                          permuted(by_name(y[0], "Y"), 1, order), by_name(y[1], "Y")}};
                    }};
            }};
}

Property windows_do_not_mix() {
    return two_calls(
        "windows_do_not_mix", "attention never crosses a window: other windows change nothing, bit for bit",
        [](const Arrays& inputs, Random& random) {
            Array X = by_name(inputs, "X");
            const auto x = X.view<float, 4>();
            for (int b = 0; b < x.size(0); ++b)
                for (int n = 1; n < x.size(1); ++n)
                    for (int i = 0; i < x.size(2); ++i)
                        for (int d = 0; d < x.size(3); ++d) x(b, n, i, d) = random.normal();
            return with(inputs, "X", X);
        },
        [](const Array& before, const Array& after, const Arrays&) {
            return Relations{{"Y of the first window", "Y beside other windows", leading(before, 1, 1),
                              leading(after, 1, 1), true}};
        },
        "Y");
}

/// No cell but the last one of a window may attend to the last one.
Arrays with_unseen_cell(const Arrays& inputs, double its_number) {
    Arrays changed = inputs;
    const auto mask = by_name(changed, "mask").view<std::uint8_t, 3>();
    const auto x = by_name(changed, "X").view<float, 4>();
    const int last = mask.size(1) - 1;
    for (int n = 0; n < mask.size(0); ++n)
        for (int i = 0; i < last; ++i) mask(n, i, last) = 0;
    for (int b = 0; b < x.size(0); ++b)
        for (int n = 0; n < x.size(1); ++n)
            for (int d = 0; d < x.size(3); ++d) x(b, n, last, d) = static_cast<float>(its_number + d);
    return changed;
}

Property unseen_cells_change_nothing() {
    return {"unseen_cells_change_nothing",
            "a cell that the others may not attend to changes nothing for them",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_unseen_cell(inputs, 1), with_unseen_cell(inputs, -8)}, [](const Outputs& y) {
                        const int seen = by_name(y[0], "Y").shape[2] - 1;
                        return Relations{{"Y of the other cells", "Y with another cell that they do not see",
                                          leading(by_name(y[0], "Y"), 2, seen),
                                          leading(by_name(y[1], "Y"), 2, seen)}};
                    }};
            }};
}

/// Every cell but those of the first row and of the last column attends to the cell above it on the right alone.
Property far_bias_picks_a_neighbour() {
    return {"far_bias_picks_a_neighbour",
            "if only the bias of one row up and one column to the right is large, a cell sees its neighbour "
            "there",
            [](const Arrays& inputs, Random&) {
                const int M = whole(inputs, "M");
                Arrays run = with_zeros(without(inputs, "mask"), {"table"});
                const auto table = by_name(run, "table").view<float, 3>();
                for (int h = 0; h < table.size(2) && M > 1; ++h) table(M, M - 2, h) = 900;
                std::vector<int> lookers, neighbours;
                for (int i = M; i < M * M; ++i) {
                    if (i % M == M - 1) continue;
                    lookers.push_back(i);
                    neighbours.push_back(i - M + 1);
                }
                const Array values =
                    affine(by_name(inputs, "X"), by_name(inputs, "W_V"), by_name(inputs, "b_V"));
                const Array expected =
                    affine(permuted(values, 2, neighbours), by_name(inputs, "W_O"), by_name(inputs, "b_O"));
                return Experiment{
                    {run}, [=](const Outputs& y) {
                        return Relations{{"Y", "(value of the neighbour) W_O + b_O",
                                          permuted(by_name(y[0], "Y"), 2, lookers), expected.cast<double>()}};
                    }};
            }};
}

Property windows_turned() {
    return {"turned_together",
            "with rows and columns of windows, masks and table exchanged, those of Y are exchanged",
            [](const Arrays& inputs, Random&) {
                const int M = whole(inputs, "M");
                const auto order = columns_first(M, M);
                Arrays other = permuted(permuted(permuted(inputs, {"X"}, 2, order), {"mask"}, 1, order),
                                        {"mask"}, 2, order);
                other = with(other, "table", turned(by_name(inputs, "table"), 0));
                return Experiment{
                    {inputs, other}, [order](const Outputs& y) {
                        return Relations{{"Y turned", "Y of turned windows",
                                          permuted(by_name(y[0], "Y"), 2, order), by_name(y[1], "Y")}};
                    }};
            }};
}

/// What assignment 3 gives for X [B, N, M M, D] if every window is a batch.
Array multi_head_of_windows(const Arrays& inputs) {
    const Array& X = by_name(inputs, "X");
    const int B = X.shape[0], N = X.shape[1], cells = X.shape[2], D = X.shape[3];
    Array masks = Array::zeros<std::uint8_t>("mask", {B * N, cells, cells});
    for (std::size_t k = 0; k < masks.count(); ++k) {
        const Array& mask = by_name(inputs, "mask");
        masks.as<std::uint8_t>()[k] = mask.as<std::uint8_t>()[k % mask.count()];
    }
    Arrays given;
    for (const char* name : {"X", "W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O"})
        given.push_back(by_name(inputs, name).cast<double>());
    const auto matrix = [&](const char* name) {
        return std::as_const(by_name(given, name)).view<double, 2>();
    };
    const auto vector = [&](const char* name) {
        return std::as_const(by_name(given, name)).view<double, 1>();
    };
    const MultiHeadWeights<double> weights{matrix("W_Q"), vector("b_Q"), matrix("W_K"), vector("b_K"),
                                           matrix("W_V"), vector("b_V"), matrix("W_O"), vector("b_O")};
    const Array flat = reshaped(by_name(given, "X"), {B * N, cells, D});
    Array Y = filled(flat.shape, 0);
    cpu::multi_head_attention<double>(Y.view<double, 3>(), flat.view<double, 3>(), flat.view<double, 3>(),
                                      weights, std::as_const(masks).view<std::uint8_t, 3>(),
                                      by_name(inputs, "table").shape[2]);
    return reshaped(Y, X.shape);
}

Property multi_head_without_table() {
    return {"multi_head_without_table",
            "with a table of 0, Y is the multi-head attention of assignment 3 of each window",
            [](const Arrays& inputs, Random&) {
                return Experiment{{with_zeros(inputs, {"table"})},
                                  [expected = multi_head_of_windows(inputs)](const Outputs& y) {
                                      return Relations{{"Y", "multi-head attention, window by window",
                                                        by_name(y[0], "Y"), expected}};
                                  }};
            }};
}

// swin_block

/// The inputs with block l made idle: what it adds is 0.
Arrays with_idle(Arrays inputs, std::size_t l) {
    for (const char* name : {"W_O", "b_O", "W_2", "b_2"}) {
        auto& numbers = by_name(inputs, name).as<float>();
        const std::size_t half = numbers.size() / 2;
        std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(l * half), half, 0.0F);
    }
    return inputs;
}

/// The property of inputs in which block l is idle.
Property with_idle(Property property, std::size_t l) {
    property.design = [design = property.design, l](const Arrays& inputs, Random& random) {
        return design(with_idle(inputs, l), random);
    };
    return property;
}

struct Grid {
    int H, W, M, shift;  ///< rows, columns, side of a window, shift of the second block
};

Grid grid_of(const Arrays& inputs) {
    const Array& X = by_name(inputs, "X");
    const int H = X.shape[1], W = X.shape[2], M = whole(inputs, "M");
    return {H, W, M, M == H || M == W ? 0 : M / 2};
}

/// 1 in the cells [B, H, W] for which the condition holds, where `marks` has a 1.
Array only_where(Array marks, const std::function<bool(int r, int k)>& holds) {
    const auto view = marks.view<double, 3>();
    for (int b = 0; b < view.size(0); ++b)
        for (int r = 0; r < view.size(1); ++r)
            for (int k = 0; k < view.size(2); ++k)
                if (!holds(r, k)) view(b, r, k) = 0;
    return marks;
}

/// Other numbers in the first `side` rows and columns change nothing outside of them. `side` is that of a window, or of
/// the group in the corner.
Property keeps_to(const std::string& name, const std::string& statement, int (*side)(const Grid& grid)) {
    return two_calls(
        name, statement,
        [side](const Arrays& inputs, Random& random) {
            const int end = side(grid_of(inputs));
            return with(inputs, "X", with_other_cells(by_name(inputs, "X"), random, [end](int r, int k) {
                            return r < end && k < end;
                        }));
        },
        [side](const Array& before, const Array& after, const Arrays& inputs) {
            const int end = side(grid_of(inputs));
            const Array outside = only_where(changed_vectors(before, after),
                                             [end](int r, int k) { return r >= end || k >= end; });
            return Relations{{"cells outside that change", "0", how_many(outside), filled({1}, 0), true}};
        },
        "Y");
}

Property second_block_crosses_windows() {
    return two_calls(
        "second_block_crosses_windows",
        "if the first block is idle, one cell changes the M M cells of its window in the shifted image",
        [](const Arrays& inputs, Random&) {
            Array X = by_name(inputs, "X");
            const int last = grid_of(inputs).M - 1;
            for (int d = 0; d < X.shape[3]; ++d) X.view<float, 4>()(0, last, last, d) += d % 2 == 0 ? 1 : -2;
            return with(inputs, "X", X);
        },
        [](const Array& before, const Array& after, const Arrays& inputs) {
            const auto [H, W, M, shift] = grid_of(inputs);
            const auto in_the_window = [=, window = M](int r, int k) {
                return r >= shift && r < shift + window && k >= shift && k < shift + window;
            };
            const Array expected = only_where(filled({before.shape[0], H, W}, 1), in_the_window);
            return Relations{{"cells of the first image that change", "1 in the window of the shifted image",
                              leading(changed_vectors(before, after), 0, 1), leading(expected, 0, 1), true}};
        },
        "Y");
}

// patch_merging and shifted_patch_tokens

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
    return two_calls(
        "one_cell_one_square", "one cell changes exactly one cell of Y",
        [](const Arrays& inputs, Random& random) {
            Array X = by_name(inputs, "X");
            X.as<float>()[static_cast<std::size_t>(random.below(static_cast<int>(X.count())))] += 1;
            return with(inputs, "X", X);
        },
        [](const Array& before, const Array& after, const Arrays&) {
            return Relations{{"the cells of Y that change", "1", how_many(changed_vectors(before, after)),
                              filled({1}, 1), true}};
        },
        "Y");
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
            return Relations{{"tokens that change", "1 in the four tokens", marks, expected, true}};
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

std::vector<Property> window_attention_properties() {
    return {
        windows_permute(),
        windows_do_not_mix(),
        unseen_cells_change_nothing(),
        unchanged("constant_table", "the same number on all biases changes nothing", "with 3 on all biases",
                  [](const Arrays& inputs, Random&) {
                      return with(inputs, "table", scaled(by_name(inputs, "table"), 1, 3));
                  }),
        far_bias_picks_a_neighbour(),
        windows_turned(),
        multi_head_without_table(),
        linear_in("W_O"),
        batches_do_not_mix({"X"})};
}

std::vector<Property> swin_block_properties() {
    return {
        {"idle", "if W_O, b_O, W_2 and b_2 are 0, Y is X",
         [](const Arrays& inputs, Random&) {
             return Experiment{{with_idle(with_idle(inputs, 0), 1)},
                               [X = by_name(inputs, "X").cast<double>()](const Outputs& y) {
                                   return Relations{{"Y", "X", by_name(y[0], "Y"), X, true}};
                               }};
         }},
        with_idle(
            keeps_to("first_block_keeps_to_its_windows",
                     "if the second block is idle, a window changes no cell of another one, bit for bit",
                     [](const Grid& grid) { return grid.M; }),
            1),
        with_idle(
            keeps_to("second_block_keeps_to_its_groups",
                     "if the first block is idle, the cells of a corner that the shift takes away change no "
                     "others, bit for bit",
                     [](const Grid& grid) { return grid.shift > 0 ? grid.shift : grid.M; }),
            0),
        with_idle(second_block_crosses_windows(), 0),
        with_idle(two_calls(
                      "moved_by_a_window",
                      "if the second block is idle, an image moved to the left by M cells has its outputs "
                      "moved, too",
                      [](const Arrays& inputs, Random&) {
                          const auto [H, W, M, shift] = grid_of(inputs);
                          return with(inputs, "X", permuted(by_name(inputs, "X"), 2, rolled(W, M)));
                      },
                      [](const Array& before, const Array& after, const Arrays& inputs) {
                          const auto [H, W, M, shift] = grid_of(inputs);
                          return Relations{
                              {"Y moved", "Y of the moved image", permuted(before, 2, rolled(W, M)), after}};
                      },
                      "Y"),
                  1),
        two_calls(
            "turned_together",
            "with rows and columns of X and of both tables exchanged, those of Y are exchanged",
            [](const Arrays& inputs, Random&) {
                return with(with(inputs, "X", turned(by_name(inputs, "X"), 1)), "table",
                            turned(by_name(inputs, "table"), 1));
            },
            [](const Array& before, const Array& after, const Arrays&) {
                return Relations{{"Y turned", "Y of the turned image", turned(before, 1), after}};
            },
            "Y"),
        batches_do_not_mix({"X"})};
}

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
