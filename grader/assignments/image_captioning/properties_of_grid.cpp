// Assignment 8: the properties of conv2d and feature_grid.

#include <algorithm>
#include <cmath>

#include "grader/ask/inner_calls.h"
#include "grader/assignments/image_captioning/helpers.h"

namespace attn::ask::image_captioning {
namespace {

Property turned_together() {
    return {"turned_together", "with rows and columns of X and W exchanged, those of Y are exchanged",
            [](const Arrays& inputs, Random&) {
                const Arrays other = with(with(inputs, "X", turned(by_name(inputs, "X"), 1)), "W",
                                          turned(by_name(inputs, "W"), 0));
                return Experiment{{inputs, other}, [](const Outputs& y) {
                                      return Relations{{"Y turned", "Y of the turned image",
                                                        turned(by_name(y[0], "Y"), 1), by_name(y[1], "Y")}};
                                  }};
            }};
}

/// X is 0 but for a 1 at one pixel and feature, and the bias is 0: then Y holds the kernel, its last place first.
Property impulse_gives_the_kernel() {
    return {"impulse_gives_the_kernel", "a single 1 in X gives the kernel, its last place first",
            [](const Arrays& inputs, Random& random) {
                const Array &X = by_name(inputs, "X"), &W = by_name(inputs, "W");
                const int r = X.shape[1] / 2, k = X.shape[2] / 2, feature = random.below(X.shape[3]);
                Arrays run = with_option(with_zeros(inputs, {"X", "bias"}), "S", 1);
                by_name(run, "X").view<float, 4>()(0, r, k, feature) = 1;
                Array kernel = slices(in_reverse(in_reverse(W.cast<double>(), 0), 1), 2, feature, 1);
                kernel = reshaped(kernel, {1, 3, 3, W.shape[3]});
                return Experiment{
                    {run}, [=](const Outputs& y) {
                        const Array first = leading(by_name(y[0], "Y"), 0, 1);
                        return Relations{{"Y around the 1", "the kernel",
                                          slices(slices(first, 1, r - 1, 3), 2, k - 1, 3), kernel}};
                    }};
            }};
}

/// Every second one of `count`.
std::vector<int> even(int count) {
    std::vector<int> order;
    for (int k = 0; k < count; k += 2) order.push_back(k);
    return order;
}

Property stride_skips() {
    return {"stride_skips", "stride 2 gives every second row and column of stride 1",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, "S", 1), with_option(inputs, "S", 2)}, [](const Outputs& y) {
                        const Array& all = by_name(y[0], "Y");
                        const Array rows = permuted(all, 1, even(all.shape[1]));
                        return Relations{{"every second Y of S = 1", "Y of S = 2",
                                          permuted(rows, 2, even(all.shape[2])), by_name(y[1], "Y"), true}};
                    }};
            }};
}

/// X [B, R, C, D] with a frame of zeros, one pixel wide.
Array framed(const Array& X) {
    Shape shape = X.shape;
    shape[1] += 2, shape[2] += 2;
    Array wide = Array::zeros<float>(X.name, shape);
    const auto from = X.view<float, 4>();
    const auto to = wide.view<float, 4>();
    for (int b = 0; b < from.size(0); ++b)
        for (int r = 0; r < from.size(1); ++r)
            for (int k = 0; k < from.size(2); ++k)
                for (int d = 0; d < from.size(3); ++d) to(b, r + 1, k + 1, d) = from(b, r, k, d);
    return wide;
}

Property zeros_around() {
    return {"zeros_around", "with a frame of zeros around X, Y inside of it is the same, for stride 1",
            [](const Arrays& inputs, Random&) {
                const Arrays run = with_option(inputs, "S", 1);
                const Array& X = by_name(inputs, "X");
                return Experiment{
                    {run, with(run, "X", framed(X))}, [=](const Outputs& y) {
                        const Array inside =
                            slices(slices(by_name(y[1], "Y"), 1, 1, X.shape[1]), 2, 1, X.shape[2]);
                        return Relations{{"Y", "Y inside of the frame", by_name(y[0], "Y"), inside}};
                    }};
            }};
}

}  // namespace

std::vector<Property> convolution_properties() {
    return {impulse_gives_the_kernel(), stride_skips(), zeros_around(),
            turned_together(),          linear_in("W"), batches_do_not_mix({"X"})};
}

std::vector<Property> grid_properties() {
    return {of_output("never_negative", "no number of the grid is below 0", "grid",
                      [](const Array& grid, const Arrays&) {
                          return Relations{{"grid", "relu(grid)", grid,
                                            map(grid, [](double x) { return std::max(x, 0.0); }), true}};
                      }),
            {"closed_units", "if no unit of Z is above 0, every cell of the grid is relu(b_2)",
             [](const Arrays& inputs, Random&) {
                 const Arrays run =
                     with(inputs, "b_1", map(by_name(inputs, "b_1"), [](double) { return -1000.0; }));
                 return Experiment{{run}, [b_2 = by_name(inputs, "b_2")](const Outputs& y) {
                                       Array cells = by_name(y[0], "grid");
                                       for (std::size_t k = 0; k < cells.count(); ++k)
                                           cells.as<double>()[k] =
                                               std::max(0.0, number_at(b_2, k % b_2.count()));
                                       return Relations{{"grid", "relu(b_2)", by_name(y[0], "grid"), cells}};
                                   }};
             }},
            {"units_permute", "the units of Z in another order, with their weights, give the same grid",
             [](const Arrays& inputs, Random& random) {
                 const auto order = random.permutation(by_name(inputs, "b_1").shape[0]);
                 const Arrays run = permuted(permuted(permuted(inputs, {"W_1"}, 3, order), {"b_1"}, 0, order),
                                             {"W_2"}, 2, order);
                 return Experiment{{inputs, run}, [](const Outputs& y) {
                                       return Relations{{"grid", "grid of units in another order",
                                                         by_name(y[0], "grid"), by_name(y[1], "grid")}};
                                   }};
             }},
            {"twice_as_bright", "without biases, an image that is twice as bright gives twice the grid",
             [](const Arrays& inputs, Random&) {
                 const Arrays run = with_zeros(inputs, {"b_1", "b_2"});
                 return Experiment{
                     {run, with(run, "X", scaled(by_name(run, "X"), 2))}, [](const Outputs& y) {
                         return Relations{{"2 grid", "grid of 2 X", scaled(by_name(y[0], "grid"), 2),
                                           by_name(y[1], "grid")}};
                     }};
             }},
            batches_do_not_mix({"X"}, "grid")};
}

}  // namespace attn::ask::image_captioning
