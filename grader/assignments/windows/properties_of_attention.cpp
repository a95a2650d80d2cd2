// Assignment 17: the properties of window_attention and swin_block.

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
    return slices_do_not_mix("windows_do_not_mix",
                             "attention never crosses a window: other windows change nothing, bit for bit",
                             "window", {{"X", 1}}, {"Y", 1}, true);
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
    return asked_of(std::move(property), [l](const Arrays& inputs) { return with_idle(inputs, l); });
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
            const auto in_the_window = [first = shift, window = M](int r, int k) {
                return r >= first && r < first + window && k >= first && k < first + window;
            };
            const Array expected = only_where(filled({before.shape[0], H, W}, 1), in_the_window);
            return Relations{{"cells of the first image that change", "1 in the window of the shifted image",
                              leading(changed_vectors(before, after), 0, 1), leading(expected, 0, 1), true}};
        },
        "Y");
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

}  // namespace attn::ask::windows
