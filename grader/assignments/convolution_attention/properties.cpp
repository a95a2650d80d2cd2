// Assignment 16: the properties.

#include <cmath>
#include <utility>

#include "grader/ask/laws.h"

namespace attn::ask::convolution_attention {
namespace {

/// So small that it changes no digit of a variance near 1.
Arrays with_tiny_eps(const Arrays& inputs) {
    return with_option(with_option(inputs, "training", 1), "eps", 1e-12);
}

/// [B, N, D] as [D, B N]: a row for each feature.
Array by_feature(const Array& X) {
    const int D = X.shape.back(), count = static_cast<int>(X.count()) / D;
    Array rows = filled({D, count}, 0);
    const auto to = rows.view<double, 2>();
    for (int k = 0; k < count; ++k)
        for (int d = 0; d < D; ++d) to(d, k) = number_at(X, static_cast<std::size_t>(k * D + d));
    return rows;
}

/// Mean of each feature of [B, N, D], and its variance, both [D].
std::pair<Array, Array> statistics(const Array& X) {
    const Array rows = by_feature(X);
    const double count = rows.shape[1];
    Array mean = scaled(row_sums(rows), 1 / count), squares = rows;
    for (std::size_t k = 0; k < rows.count(); ++k) {
        const double gap =
            rows.as<double>()[k] - mean.as<double>()[k / static_cast<std::size_t>(rows.shape[1])];
        squares.as<double>()[k] = gap * gap;
    }
    return {mean, scaled(row_sums(squares), 1 / count)};
}

Array squared(const Array& x) {
    return map(x, [](double value) { return value * value; });
}

Property beta_and_gamma() {
    return {"beta_and_gamma", "after training each feature of Y has the mean beta and the variance gamma^2",
            [](const Arrays& inputs, Random&) {
                const Array gamma = by_name(inputs, "gamma").cast<double>(),
                            beta = by_name(inputs, "beta").cast<double>();
                return Experiment{{with_tiny_eps(inputs)}, [gamma, beta](const Outputs& y) {
                                      const auto [mean, variance] = statistics(by_name(y[0], "Y"));
                                      return Relations{{"the mean of a feature of Y", "beta", mean, beta},
                                                       {"its variance", "gamma^2", variance, squared(gamma)}};
                                  }};
            }};
}

Property unit_does_not_matter() {
    return {"unit_does_not_matter", "3 X + 2 has the same Y as X, in training",
            [](const Arrays& inputs, Random&) {
                const Arrays run = with_tiny_eps(inputs);
                return Experiment{
                    {run, with(run, "X", scaled(by_name(run, "X"), 3, 2))}, [](const Outputs& y) {
                        return Relations{{"Y", "Y of 3 X + 2", by_name(y[0], "Y"), by_name(y[1], "Y")}};
                    }};
            }};
}

/// The batches in another order, and the places of all of them.
Property vectors_permute() {
    return {"vectors_permute", "vectors in another order give outputs in this order, and the same statistics",
            [](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto batches = random.permutation(X.shape[0]), places = random.permutation(X.shape[1]);
                const auto moved = [=](const Array& array) {
                    return permuted(permuted(array, 0, batches), 1, places);
                };
                return Experiment{{inputs, with(inputs, "X", moved(X))}, [moved](const Outputs& y) {
                                      Relations all{{"Y in this order", "Y of vectors in this order",
                                                     moved(by_name(y[0], "Y")), by_name(y[1], "Y")}};
                                      for (const char* name : {"mean_new", "variance_new"})
                                          all.push_back({name, "that of vectors in this order",
                                                         by_name(y[0], name), by_name(y[1], name)});
                                      return all;
                                  }};
            }};
}

Property features_do_not_mix() {
    return slices_do_not_mix("features_do_not_mix", "a feature of Y does not depend on the other features",
                             "feature", {{"X", 2}}, {"Y", 2});
}

Property inference_learns_nothing() {
    return {"inference_learns_nothing", "without training the running statistics stay, bit for bit",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, "training", 0)},
                    [mean = by_name(inputs, "mean").cast<double>(),
                     variance = by_name(inputs, "variance").cast<double>()](const Outputs& y) {
                        return Relations{
                            {"mean_new", "mean", by_name(y[0], "mean_new"), mean, true},
                            {"variance_new", "variance", by_name(y[0], "variance_new"), variance, true}};
                    }};
            }};
}

Property momentum_is_a_share() {
    return {"momentum_is_a_share",
            "momentum 0 keeps the running mean, momentum 1 replaces it, and 1/4 lies a quarter of the way",
            [](const Arrays& inputs, Random&) {
                const Arrays run = with_option(inputs, "training", 1);
                return Experiment{
                    {with_option(run, "momentum", 0), with_option(run, "momentum", 1),
                     with_option(run, "momentum", 0.25)},
                    [batch = statistics(by_name(inputs, "X")).first,
                     mean = by_name(inputs, "mean").cast<double>()](const Outputs& y) {
                        const auto of = [&y](std::size_t run_of, const char* name) {
                            return by_name(y[run_of], name);
                        };
                        Relations all{{"mean_new of momentum 0", "mean", of(0, "mean_new"), mean},
                                      {"mean_new of momentum 1", "the mean of X", of(1, "mean_new"), batch}};
                        for (const char* name : {"mean_new", "variance_new"})
                            all.push_back({std::string(name) + " of momentum 1/4",
                                           "3/4 of that of momentum 0 and 1/4 of that of 1", of(2, name),
                                           combined(0.75, of(0, name), 0.25, of(1, name))});
                        return all;
                    }};
            }};
}

int length_of_axis(const Arrays& inputs, const char* name, std::size_t axis) {
    return by_name(inputs, name).shape[axis];
}

constexpr double kCentred = 0, kCausal = 1;

/// The sequence begins one place later, with its last vector in front. Away from the edges Y moves with it.
Property moves_along() {
    return {"moves_along", "a sequence that begins one place later has the same outputs one place later",
            [](const Arrays& inputs, Random&) {
                const int N = length_of_axis(inputs, "X", 1), K = length_of_axis(inputs, "W", 0);
                std::vector<int> order = {N - 1};
                for (int n = 0; n + 1 < N; ++n) order.push_back(n);
                return Experiment{
                    {inputs, with(inputs, "X", permuted(by_name(inputs, "X"), 1, order))},
                    [K, count = N - 2 * K](const Outputs& y) {
                        return Relations{{"Y[n] away from the edges", "Y[n + 1] of the later sequence",
                                          slices(by_name(y[0], "Y"), 1, K, count),
                                          slices(by_name(y[1], "Y"), 1, K + 1, count)}};
                    }};
            }};
}

/// Other vectors from a place on change no output that the kernel does not bring to it.
Property unseen_vectors(const std::string& name, const std::string& statement, double kind,
                        int (*unseen)(int from, int K)) {
    return with_option(later_change_nothing(name, statement,
                                            {.array = "X",
                                             .outputs = {"Y"},
                                             .in_words = "with other vectors that it does not see",
                                             .unseen =
                                                 [unseen](const Arrays& inputs, int from) {
                                                     return unseen(from, length_of_axis(inputs, "W", 0));
                                                 }}),
                       "kind", kind);
}

/// X is 0 but for a 1 at one place and feature, and the bias is 0: then Y holds the kernel, the last place under it first.
Property impulse_gives_the_kernel() {
    return {"impulse_gives_the_kernel", "a single 1 in X gives the kernel, its last place first",
            [](const Arrays& inputs, Random& random) {
                const Array &X = by_name(inputs, "X"), &W = by_name(inputs, "W");
                const int N = X.shape[1], K = W.shape[0], at = N / 2, feature = random.below(X.shape[2]);
                Arrays run = with_zeros(inputs, {"X", "bias"});
                by_name(run, "X").view<float, 3>()(0, at, feature) = 1;
                Array kernel = in_reverse(slices(W.cast<double>(), 1, feature, 1), 0);
                kernel.shape = {1, K, W.shape[2]};
                return Experiment{
                    {with_option(run, "kind", kCentred), with_option(run, "kind", kCausal)},
                    [K, at, kernel](const Outputs& y) {
                        const auto rows = [&](std::size_t kind, int from) {
                            return slices(leading(by_name(y[kind], "Y"), 0, 1), 1, from, K);
                        };
                        return Relations{
                            {"Y around the 1, centred", "the kernel", rows(0, at - (K - 1) / 2), kernel},
                            {"Y from the 1 on, causal", "the kernel", rows(1, at), kernel}};
                    }};
            }};
}

Property reversed_together() {
    return {"reversed_together", "centred, vectors and kernel in reverse give the outputs in reverse",
            [](const Arrays& inputs, Random&) {
                const Arrays given = with_option(inputs, "kind", kCentred);
                const Arrays other = with(with(given, "X", in_reverse(by_name(given, "X"), 1)), "W",
                                          in_reverse(by_name(given, "W"), 0));
                return Experiment{
                    {given, other}, [](const Outputs& y) {
                        return Relations{{"Y in reverse", "Y of the reversed sequence",
                                          in_reverse(by_name(y[0], "Y"), 1), by_name(y[1], "Y")}};
                    }};
            }};
}

/// The cells of a grid [B, R, C, D] in another order: result cell n is cell order[n].
Array cells_in_order(Array grid, const std::vector<int>& order) {
    const Shape shape = grid.shape;
    grid.shape = {shape[0], shape[1] * shape[2], shape[3]};
    Array moved = permuted(grid, 1, order);
    moved.shape = shape;
    return moved;
}

Property cells_permute() {
    return {"cells_permute", "cells in another order give Y and A in this order",
            [](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto order = random.permutation(X.shape[1] * X.shape[2]);
                return Experiment{
                    {inputs, with(inputs, "X", cells_in_order(X, order))}, [order](const Outputs& y) {
                        return Relations{
                            {"Y in this order", "Y of cells in this order",
                             cells_in_order(by_name(y[0], "Y"), order), by_name(y[1], "Y")},
                            {"A in this order", "A of cells in this order",
                             permuted(permuted(by_name(y[0], "A"), 1, order), 2, order), by_name(y[1], "A")}};
                    }};
            }};
}

Property gamma_0_is_X() {
    return {"gamma_0_is_X", "with gamma = 0 Y is X, bit for bit", [](const Arrays& inputs, Random&) {
                return Experiment{{with_option(inputs, "gamma", 0)},
                                  [X = by_name(inputs, "X").cast<double>()](const Outputs& y) {
                                      return Relations{{"Y", "X", by_name(y[0], "Y"), X, true}};
                                  }};
            }};
}

Property gamma_weighs_o() {
    return {"gamma_weighs_o", "gamma = 3 takes Y three times as far from X as gamma = 1, with the same A",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, "gamma", 1), with_option(inputs, "gamma", 3)},
                    [X = by_name(inputs, "X").cast<double>()](const Outputs& y) {
                        const Array &one = by_name(y[0], "Y"), &three = by_name(y[1], "Y");
                        return Relations{
                            {"Y of gamma = 3", "X + 3 (Y of gamma = 1 - X)", three, combined(3, one, -2, X)},
                            {"A of gamma = 3", "A of gamma = 1", by_name(y[1], "A"), by_name(y[0], "A")}};
                    }};
            }};
}

/// The same vector in all cells: each looks at all of them alike.
Property equal_cells() {
    return {
        "equal_cells_look_alike", "equal cells look at all cells alike", [](const Arrays& inputs, Random&) {
            const Array& X = by_name(inputs, "X");
            const std::vector<int> first(static_cast<std::size_t>(X.shape[1] * X.shape[2]), 0);
            return Experiment{
                {with(inputs, "X", cells_in_order(X, first))}, [cells = first.size()](const Outputs& y) {
                    const Array& A = by_name(y[0], "A");
                    return Relations{{"A", "1 / (R C)", A, filled(A.shape, 1 / static_cast<double>(cells))}};
                }};
        }};
}

/// f(3 x) - 3 f(2 x) + 3 f(x) = 0 for each product and each sum of products of x and x x, and for nothing that is
/// larger: x = N, or x = D.
Property quadratic_at_most(const std::string& letter) {
    return {"quadratic_in_" + letter,
            "operations and memory of 1, 2 and 3 times " + letter + " lie on a parabola through 0",
            [letter](const Arrays& inputs, Random&) {
                const double x = option_of(inputs, letter);
                const auto times = [&](double factor) { return with_option(inputs, letter, factor * x); };
                return Experiment{
                    {times(1), times(2), times(3)}, [letter](const Outputs& y) {
                        Relations all;
                        for (const char* name : {"operations", "memory"})
                            all.push_back({std::string(name) + " of 3 " + letter,
                                           "3 times that of 2 " + letter + " less 3 times that of " + letter,
                                           by_name(y[2], name),
                                           combined(3, by_name(y[1], name), -3, by_name(y[0], name))});
                        return all;
                    }};
            }};
}

/// How many layers a number takes over N - 1 places, if each takes it over `reach` places.
int layers_walked(int N, int reach) {
    int layers = 0;
    for (int place = 0; place < N - 1; place += reach) ++layers;
    return layers;
}

Property path_is_walked() {
    return {"path_is_walked", "path is what it takes to walk from the first place to the last",
            [](const Arrays& inputs, Random&) {
                const int N = static_cast<int>(option_of(inputs, "N")),
                          K = static_cast<int>(option_of(inputs, "K"));
                return Experiment{
                    {with_option(inputs, "kind", kCentred), with_option(inputs, "kind", kCausal)},
                    [N, K](const Outputs& y) {
                        Relations all;
                        for (std::size_t kind : {0U, 1U}) {
                            Array walked = filled({3}, 1);
                            walked.as<double>()[0] = layers_walked(N, 1);
                            walked.as<double>()[1] = layers_walked(N, kind == 0 ? (K - 1) / 2 : K - 1);
                            all.push_back({kind == 0 ? "path, centred" : "path, causal",
                                           "the layers of a walk", by_name(y[kind], "path"), walked});
                        }
                        return all;
                    }};
            }};
}

Property only_the_path_knows_the_kind() {
    return {"only_the_path_knows_the_kind", "centred or causal, operations, steps and memory are the same",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, "kind", kCentred), with_option(inputs, "kind", kCausal)},
                    [](const Outputs& y) {
                        Relations all;
                        for (const char* name : {"operations", "steps", "memory"})
                            all.push_back({std::string(name) + ", centred", std::string(name) + ", causal",
                                           by_name(y[0], name), by_name(y[1], name)});
                        return all;
                    }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"batch_norm",
         {beta_and_gamma(), unit_does_not_matter(), vectors_permute(), features_do_not_mix(),
          momentum_is_a_share(), inference_learns_nothing(),
          with_option(batches_do_not_mix({"X"}), "training", 0)}},
        {"conv1d",
         {moves_along(),
          unseen_vectors("later_vectors_change_nothing",
                         "if causal, later vectors change no output, bit for bit", kCausal,
                         [](int from, int) { return from; }),
          unseen_vectors("far_vectors_change_nothing",
                         "if centred, vectors that the kernel does not reach change no output, bit for bit",
                         kCentred, [](int from, int K) { return from - (K - 1) / 2; }),
          impulse_gives_the_kernel(), reversed_together(), linear_in("W"), batches_do_not_mix({"X"})}},
        {"image_self_attention",
         {rows_sum_to_one("A"), cells_permute(), gamma_0_is_X(), gamma_weighs_o(), equal_cells(),
          linear_in("W_v"), batches_do_not_mix({"X"})}},
        {"costs",
         {quadratic_at_most("N"), quadratic_at_most("D"), path_is_walked(), only_the_path_knows_the_kind()}},
    };
}

}  // namespace attn::ask::convolution_attention
