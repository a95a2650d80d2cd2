// Assignment 17: the properties. Those of functions with weights are in properties_of_layers.cpp.

#include <algorithm>
#include <cmath>
#include <utility>

#include "contracts/windows_reference.h"
#include "grader/assignments/windows/helpers.h"

namespace attn::ask::windows {
namespace {

/// The windows of X [B, H, W, D], by the contract's formula.
Array cut(const Array& X, int M) {
    const Array from = X.cast<double>();
    Array windows = filled({X.shape[0], X.shape[1] / M * (X.shape[2] / M), M * M, X.shape[3]}, 0);
    cpu::window_partition<double>(windows.view<double, 4>(), from.view<double, 4>(), M);
    return windows;
}

/// The images of these windows, by the contract's formula. `images`: their shape [B, H, W, D].
Array together(const Array& windows, const Shape& images, int M) {
    const Array from = windows.cast<double>();
    Array X = filled(images, 0);
    cpu::window_reverse<double>(X.view<double, 4>(), from.view<double, 4>(), M);
    return X;
}

Property put_together() {
    return of_output("put_together",
                     "windows put back in their places are the image: reverse(partition(X)) = X", "windows",
                     [](const Array& windows, const Arrays& inputs) {
                         const Array X = by_name(inputs, "X").cast<double>();
                         return Relations{{"the image of the windows", "X",
                                           together(windows, X.shape, whole(inputs, "M")), X, true}};
                     });
}

Property cut_again() {
    return of_output(
        "cut_again", "the image cut again gives the windows: partition(reverse(windows)) = windows", "X",
        [](const Array& X, const Arrays& inputs) {
            return Relations{{"the windows of X", "the windows given", cut(X, whole(inputs, "M")),
                              by_name(inputs, "windows").cast<double>(), true}};
        });
}

Property one_cell_one_place() {
    return one_cell_changes_one("one_cell_one_place", "one cell goes to exactly one place", "windows");
}

/// The image begins M columns later, with its first M columns at its end.
Property moved_by_a_window() {
    return two_calls(
        "moved_by_a_window", "an image moved to the left by M cells has its windows moved by one",
        [](const Arrays& inputs, Random&) {
            const Array& X = by_name(inputs, "X");
            return with(inputs, "X", permuted(X, 2, rolled(X.shape[2], whole(inputs, "M"))));
        },
        [](const Array& before, const Array& after, const Arrays& inputs) {
            const int M = whole(inputs, "M"), columns = by_name(inputs, "X").shape[2] / M;
            std::vector<int> order;
            for (int n = 0; n < before.shape[1]; ++n)
                order.push_back(n / columns * columns + (n + 1) % columns);
            return Relations{{"a window of the moved image", "the window on its right", after,
                              permuted(before, 1, order), true}};
        },
        "windows");
}

/// The first cell of each window, in all cells of the window.
Array flat(const Array& windows) {
    return permuted(windows, 2, std::vector<int>(static_cast<std::size_t>(windows.shape[2]), 0));
}

Property flat_windows() {
    return {"flat_windows", "an image whose windows have one colour each gives windows of one colour each",
            [](const Arrays& inputs, Random&) {
                const Array& X = by_name(inputs, "X");
                const int M = whole(inputs, "M");
                const Array flat_image = together(flat(cut(X, M)), X.shape, M).cast<float>();
                return Experiment{{with(inputs, "X", flat_image)}, [](const Outputs& y) {
                                      const Array& windows = by_name(y[0], "windows");
                                      return Relations{{"windows", "their first cell, throughout", windows,
                                                        flat(windows), true}};
                                  }};
            }};
}

Property flat_squares() {
    return {
        "flat_squares", "windows of one colour each give squares of one colour each",
        [](const Arrays& inputs, Random&) {
            const Array windows = flat(by_name(inputs, "windows"));
            return Experiment{
                {with(inputs, "windows", windows)}, [M = whole(inputs, "M")](const Outputs& y) {
                    const Array& X = by_name(y[0], "X");
                    Array corners = X;
                    const auto from = X.view<double, 4>();
                    const auto to = corners.view<double, 4>();
                    for (int b = 0; b < to.size(0); ++b)
                        for (int r = 0; r < to.size(1); ++r)
                            for (int k = 0; k < to.size(2); ++k)
                                for (int d = 0; d < to.size(3); ++d)
                                    to(b, r, k, d) = from(b, r - r % M, k - k % M, d);
                    return Relations{{"X", "the cell in its square's upper left corner", X, corners, true}};
                }};
        }};
}

/// The number of cells that differ between two images [B, H, W, D], and the number of rows and columns that they span.
Array extent(const Array& before, const Array& after) {
    const Array marks = changed_vectors(before, after);
    const int H = before.shape[1], W = before.shape[2];
    int top = H, bottom = -1, left = W, right = -1;
    for (std::size_t k = 0; k < marks.count(); ++k) {
        if (number_at(marks, k) == 0) continue;
        const int r = static_cast<int>(k) / W % H, column = static_cast<int>(k) % W;
        top = std::min(top, r), bottom = std::max(bottom, r);
        left = std::min(left, column), right = std::max(right, column);
    }
    Array numbers = filled({3}, how_many(marks).as<double>()[0]);
    numbers.as<double>()[1] = bottom - top + 1;
    numbers.as<double>()[2] = right - left + 1;
    return numbers;
}

Property one_window_one_square() {
    return two_calls(
        "one_window_one_square", "another window in one place changes M rows of M cells and nothing else",
        [](const Arrays& inputs, Random& random) {
            Array windows = by_name(inputs, "windows");
            const auto view = windows.view<float, 4>();
            const int n = random.below(view.size(1));
            for (int i = 0; i < view.size(2); ++i)
                for (int d = 0; d < view.size(3); ++d) view(0, n, i, d) += 1 + random.normal() / 16;
            return with(inputs, "windows", windows);
        },
        [](const Array& before, const Array& after, const Arrays& inputs) {
            const int M = whole(inputs, "M");
            Array square = filled({3}, M);
            square.as<double>()[0] = M * M;
            return Relations{
                {"(cells, rows, columns) that change", "(M M, M, M)", extent(before, after), square, true}};
        },
        "X");
}

/// The image after a shift by `shift`.
Array shifted(const Array& X, int shift) {
    return permuted(permuted(X, 1, rolled(X.shape[1], shift)), 2, rolled(X.shape[2], shift));
}

std::vector<Property> shift_properties() {
    return {
        {"steps_add_up", "a shift by 1 and then by s is a shift by s + 1",
         [](const Arrays& inputs, Random&) {
             const int s = whole(inputs, "shift");
             return Experiment{
                 {with_option(inputs, "shift", s + 1), with(inputs, "X", shifted(by_name(inputs, "X"), 1))},
                 [](const Outputs& y) {
                     return Relations{{"Y of a shift by s + 1", "Y of the image shifted by 1",
                                       by_name(y[0], "Y"), by_name(y[1], "Y"), true}};
                 }};
         }},
        {"there_and_back", "a shift by s and then by -s gives X",
         [](const Arrays& inputs, Random&) {
             const Array& X = by_name(inputs, "X");
             const int s = whole(inputs, "shift");
             return Experiment{
                 {with_option(with(inputs, "X", shifted(X, s)), "shift", -s)},
                 [X = X.cast<double>()](const Outputs& y) {
                     return Relations{{"Y of a shift by -s, of the image that the course has shifted by s,",
                                       "X", by_name(y[0], "Y"), X, true}};
                 }};
         }},
        {"whole_turn", "a shift by H W gives X",
         [](const Arrays& inputs, Random&) {
             const Array& X = by_name(inputs, "X");
             return Experiment{{with_option(inputs, "shift", X.shape[1] * X.shape[2])},
                               [X = X.cast<double>()](const Outputs& y) {
                                   return Relations{{"Y", "X", by_name(y[0], "Y"), X, true}};
                               }};
         }},
        two_calls(
            "turned_together", "with rows and columns of X exchanged, those of Y are exchanged",
            [](const Arrays& inputs, Random&) { return with(inputs, "X", turned(by_name(inputs, "X"), 1)); },
            [](const Array& before, const Array& after, const Arrays&) {
                return Relations{{"Y turned", "Y of the turned image", turned(before, 1), after, true}};
            },
            "Y"),
        batches_do_not_mix({"X"})};
}

/// 1 where cells i and j of the shifted image's window n lie as far apart, and in the same direction, as they did before
/// the shift.
Array same_distance(const Shape& shape, const Arrays& inputs) {
    const int H = whole(inputs, "H"), W = whole(inputs, "W"), M = whole(inputs, "M"),
              s = whole(inputs, "shift");
    Array marks = filled(shape, 0);
    const auto mark = marks.view<double, 3>();
    for (int n = 0; n < mark.size(0); ++n)
        for (int i = 0; i < M * M; ++i)
            for (int j = 0; j < M * M; ++j) {
                const int top = n / (W / M) * M, left = n % (W / M) * M;
                const auto row = [&](int cell) { return (top + cell / M + s) % H; };
                const auto column = [&](int cell) { return (left + cell % M + s) % W; };
                mark(n, i, j) =
                    row(i) - row(j) == i / M - j / M && column(i) - column(j) == i % M - j % M ? 1 : 0;
            }
    return marks;
}

std::vector<Property> mask_properties() {
    return {
        of_output("symmetric", "a cell that sees another one is seen by it", "mask",
                  [](const Array& mask, const Arrays&) {
                      return Relations{{"mask[n, j, i]", "mask[n, i, j]", turned(mask, 1), mask, true}};
                  }),
        of_output("groups", "a cell sees itself, and all cells that a cell sees which it sees", "mask",
                  [](const Array& mask, const Arrays&) {
                      const int cells = mask.shape[1];
                      Array reached = mask;
                      const auto m = mask.view<double, 3>();
                      const auto to = reached.view<double, 3>();
                      for (int n = 0; n < to.size(0); ++n)
                          for (int i = 0; i < cells; ++i)
                              for (int j = 0; j < cells; ++j) {
                                  bool any = i == j;
                                  for (int k = 0; k < cells; ++k)
                                      any = any || (m(n, i, k) != 0 && m(n, k, j) != 0);
                                  to(n, i, j) = any ? 1 : 0;
                              }
                      return Relations{{"mask", "cells reached in two steps", mask, reached, true}};
                  }),
        of_output("only_last_windows",
                  "windows that are neither in the last row nor in the last column mask nothing", "mask",
                  [](const Array& mask, const Arrays& inputs) {
                      const int M = whole(inputs, "M"), rows = whole(inputs, "H") / M,
                                columns = whole(inputs, "W") / M;
                      std::vector<int> inner;
                      for (int n = 0; n < rows * columns; ++n)
                          if (n / columns < rows - 1 && n % columns < columns - 1) inner.push_back(n);
                      const Array those = permuted(mask, 0, inner);
                      return Relations{{"mask of these windows", "1", those, filled(those.shape, 1), true}};
                  }),
        {"no_shift_no_mask", "without a shift all cells of a window see each other",
         [](const Arrays& inputs, Random&) {
             return Experiment{{with_option(inputs, "shift", 0)}, [](const Outputs& y) {
                                   const Array& mask = by_name(y[0], "mask");
                                   return Relations{{"mask", "1", mask, filled(mask.shape, 1), true}};
                               }};
         }},
        of_output("neighbours_before_the_shift",
                  "two cells see each other if they lie as they did before the shift, in rows and columns",
                  "mask",
                  [](const Array& mask, const Arrays& inputs) {
                      return Relations{{"mask", "what the distances before the shift say", mask,
                                        same_distance(mask.shape, inputs), true}};
                  }),
        two_calls(
            "turned_together",
            "with rows and columns of the image exchanged, those of the windows are exchanged",
            [](const Arrays& inputs, Random&) {
                return with_option(with_option(inputs, "H", option_of(inputs, "W")), "W",
                                   option_of(inputs, "H"));
            },
            [](const Array& before, const Array& after, const Arrays& inputs) {
                const int M = whole(inputs, "M");
                const auto cells = columns_first(M, M);
                const Array expected = permuted(
                    permuted(
                        permuted(before, 0, columns_first(whole(inputs, "H") / M, whole(inputs, "W") / M)), 1,
                        cells),
                    2, cells);
                return Relations{{"mask of the turned image", "mask turned", after, expected, true}};
            },
            "mask"),
    };
}

}  // namespace

int whole(const Arrays& inputs, const std::string& option) {
    return static_cast<int>(option_of(inputs, option));
}

Property two_calls(
    std::string name, std::string statement, std::function<Arrays(const Arrays&, Random&)> change,
    std::function<Relations(const Array& before, const Array& after, const Arrays& inputs)> relate,
    const std::string& output) {
    return {
        std::move(name), std::move(statement),
        [=, change = std::move(change), relate = std::move(relate)](const Arrays& inputs, Random& random) {
            return Experiment{{inputs, change(inputs, random)}, [=](const Outputs& y) {
                                  return relate(by_name(y[0], output), by_name(y[1], output), inputs);
                              }};
        }};
}

std::vector<int> rolled(int count, int by) {
    std::vector<int> order;
    for (int k = 0; k < count; ++k) order.push_back(((k + by) % count + count) % count);
    return order;
}

std::vector<int> columns_first(int rows, int columns) {
    std::vector<int> order;
    for (int n = 0; n < rows * columns; ++n) order.push_back(n % rows * columns + n / rows);
    return order;
}

Array with_other_cells(Array X, Random& random, const std::function<bool(int r, int k)>& is_other) {
    const auto x = X.view<float, 4>();
    for (int b = 0; b < x.size(0); ++b)
        for (int r = 0; r < x.size(1); ++r)
            for (int k = 0; k < x.size(2); ++k)
                for (int d = 0; d < x.size(3) && is_other(r, k); ++d) x(b, r, k, d) = random.normal();
    return X;
}

Array changed_vectors(const Array& before, const Array& after) {
    Shape shape = before.shape;
    const auto width = static_cast<std::size_t>(shape.back());
    shape.pop_back();
    Array marks = filled(shape, 0);
    for (std::size_t k = 0; k < before.count(); ++k)
        if (number_at(before, k) != number_at(after, k)) marks.as<double>()[k / width] = 1;
    return marks;
}

Array how_many(const Array& marks) {
    double count = 0;
    for (const double mark : marks.as<double>()) count += mark;
    return filled({1}, count);
}

Property one_cell_changes_one(std::string name, std::string statement, const std::string& output) {
    return two_calls(
        std::move(name), std::move(statement),
        [](const Arrays& inputs, Random& random) {
            Array X = by_name(inputs, "X");
            X.as<float>()[static_cast<std::size_t>(random.below(static_cast<int>(X.count())))] += 1;
            return with(inputs, "X", X);
        },
        [changed = "the cells of " + output + " that change"](const Array& before, const Array& after,
                                                              const Arrays&) {
            return Relations{{changed, "1", how_many(changed_vectors(before, after)), filled({1}, 1), true}};
        },
        output);
}

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"window_partition",
         {put_together(), one_cell_one_place(), moved_by_a_window(), flat_windows(),
          batches_do_not_mix({"X"}, "windows")}},
        {"window_reverse",
         {cut_again(), one_window_one_square(), flat_squares(), batches_do_not_mix({"windows"}, "X")}},
        {"cyclic_shift", shift_properties()},
        {"shifted_window_mask", mask_properties()},
        {"window_attention", window_attention_properties()},
        {"swin_block", swin_block_properties()},
        {"patch_merging", patch_merging_properties()},
        {"shifted_patch_tokens", shifted_patch_properties()},
    };
}

}  // namespace attn::ask::windows
