// Assignment 9: the properties.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/ask/laws.h"

namespace attn::ask::positional_encoding {
namespace {

std::vector<int> counted(int first, int count) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), first);
    return order;
}

/// p / 10000^(2i/D)
double angle(double p, int i, int D) {
    return p / std::pow(10000.0, 2.0 * i / D);
}

/// Every diagonal of the matrices E [.., N, N] holds the same number.
Relation alike_on_diagonals(std::string left, std::string right, const Array& E) {
    const int last = static_cast<int>(E.shape.size()) - 1, N = E.shape.back();
    const auto part = [&](int first) {
        return slices(slices(E, last - 1, first, N - 1), last, first, N - 1);
    };
    return {std::move(left), std::move(right), part(0), part(1)};
}

Property first_row(double even, double odd, const std::string& statement) {
    return of_output("position_0", statement, "P", [=](const Array& P, const Arrays&) {
        const Array row = slices(P, 0, 0, 1);
        Array wanted = row;
        for (std::size_t d = 0; d < wanted.count(); ++d) wanted.as<double>()[d] = d % 2 == 0 ? even : odd;
        return Relations{{"row 0 of P", "the number that belongs there", row, wanted}};
    });
}

Property columns_are_equal() {
    return of_output("columns_are_equal", "every column is the same", "P", [](const Array& P, const Arrays&) {
        const std::vector<int> first(static_cast<std::size_t>(P.shape[1]), 0);
        return Relations{{"P", "column 0", P, permuted(P, 1, first)}};
    });
}

/// Row p + 3 is row p with each pair turned by the angle of 3.
Property shift_is_rotation() {
    return of_output(
        "shift_is_rotation",
        "row p + 3 is row p with every pair turned by an angle that does not depend on p", "P",
        [](const Array& P, const Arrays&) {
            constexpr int kShift = 3;
            const int N = P.shape[0], D = P.shape[1];
            const Array from = slices(P, 0, 0, N - kShift);
            Array turned = from;
            const auto x = from.view<double, 2>();
            const auto y = turned.view<double, 2>();
            for (int p = 0; p < N - kShift; ++p)
                for (int i = 0; i < D / 2; ++i) {
                    const double c = std::cos(angle(kShift, i, D)), s = std::sin(angle(kShift, i, D));
                    y(p, 2 * i) = x(p, 2 * i) * c + x(p, 2 * i + 1) * s;
                    y(p, 2 * i + 1) = x(p, 2 * i + 1) * c - x(p, 2 * i) * s;
                }
            return Relations{{"row p + 3 of P", "row p, turned,", slices(P, 0, kShift, N - kShift), turned}};
        });
}

/// The distance to the nearest other row, cut at 1/4.
Property rows_differ() {
    return of_output("rows_differ", "no two positions are nearer to each other than 1/4", "P",
                     [](const Array& P, const Arrays&) {
                         constexpr double kLeast = 0.25;
                         const int N = P.shape[0];
                         Array nearest = filled({N}, kLeast);
                         const auto x = P.view<double, 2>();
                         for (int p = 0; p < N; ++p)
                             for (int q = 0; q < N; ++q) {
                                 double square = 0;
                                 for (int d = 0; d < P.shape[1]; ++d)
                                     square += (x(p, d) - x(q, d)) * (x(p, d) - x(q, d));
                                 double& least = nearest.as<double>()[static_cast<std::size_t>(p)];
                                 if (p != q) least = std::min(least, std::sqrt(square));
                             }
                         return Relations{{"the distance to the nearest row, cut at 0.25,", "0.25", nearest,
                                           filled({N}, kLeast)}};
                     });
}

/// Vectors and positions in another order give the outputs in this order.
Property tokens_permute() {
    return {"tokens_permute", "vectors and positions in another order give outputs in this order",
            [](const Arrays& inputs, Random& random) {
                const Array &X = by_name(inputs, "X"), &P = by_name(inputs, "P");
                const auto order = random.permutation(X.shape[1]);
                const Arrays changed =
                    with(with(inputs, "X", permuted(X, 1, order)), "P", permuted(P, 0, order));
                return Experiment{
                    {inputs, changed}, [order](const Outputs& y) {
                        return Relations{{"Y in this order", "Y of vectors in this order",
                                          permuted(by_name(y[0], "Y"), 1, order), by_name(y[1], "Y")}};
                    }};
            }};
}

/// With zeros for `zero`, Y is `kept` in every batch.
Property alone(const std::string& zero, const std::string& kept) {
    return {"only_" + kept, zero + " = 0 gives " + kept, [zero, kept](const Arrays& inputs, Random&) {
                return Experiment{{with_zeros(inputs, {zero})},
                                  [kept, given = by_name(inputs, kept).cast<double>()](const Outputs& y) {
                                      const Array& Y = by_name(y[0], "Y");
                                      Array wanted = Y;
                                      for (std::size_t k = 0; k < Y.count(); ++k)
                                          wanted.as<double>()[k] = given.as<double>()[k % given.count()];
                                      return Relations{{"Y", kept, Y, wanted}};
                                  }};
            }};
}

/// The first D columns do not depend on P, the others not on X.
Property parts_stay_apart() {
    return {
        "parts_stay_apart", "the first D columns do not depend on P, the last D_p not on X",
        [](const Arrays& inputs, Random& random) {
            const Array &X = by_name(inputs, "X"), &P = by_name(inputs, "P");
            const Arrays other_P = with(inputs, "P", normal("P", P.shape, random)),
                         other_X = with(inputs, "X", normal("X", X.shape, random));
            return Experiment{
                {inputs, other_P, other_X}, [D = X.shape[2], D_p = P.shape[1]](const Outputs& y) {
                    const auto part = [&y, D, D_p](std::size_t run, bool first) {
                        return slices(by_name(y[run], "Y"), 2, first ? 0 : D, first ? D : D_p);
                    };
                    return Relations{
                        {"a first column of Y", "that of another P", part(0, true), part(1, true), true},
                        {"a last column of Y", "that of another X", part(0, false), part(2, false), true}};
                }};
        }};
}

/// A sequence that begins one position later has the same weights: the last vector comes first, and the
/// weights of the others are compared as shares of their sum.
Property weights_move_along() {
    return {"weights_move_along",
            "the weights depend on distances alone: one position later they are the same",
            [](const Arrays& inputs, Random&) {
                const int N = by_name(inputs, "Q").shape[1];
                std::vector<int> order = counted(-1, N);
                order[0] = N - 1;
                return Experiment{
                    {inputs, permuted(inputs, {"Q", "K", "V"}, 1, order)}, [N](const Outputs& y) {
                        const auto shares = [&y, N](std::size_t run) {
                            const int first = static_cast<int>(run);
                            Array A = slices(slices(by_name(y[run], "A"), 1, first, N - 1), 2, first, N - 1);
                            const Array sums = row_sums(A);
                            for (std::size_t k = 0; k < A.count(); ++k) {
                                const double sum = sums.as<double>()[k / static_cast<std::size_t>(N - 1)];
                                if (sum != 0) A.as<double>()[k] /= sum;  // rows of zeros stay as they are
                            }
                            return A;
                        };
                        return Relations{
                            {"A(i, j)", "A(i + 1, j + 1) of the later sequence", shares(0), shares(1)}};
                    }};
            }};
}

/// Without R_K and R_V the order of the vectors does not matter, with them it does.
Property order_matters() {
    return {"order_matters", "f(P X) = P f(X) where R_K = R_V = 0, and not elsewhere",
            [](const Arrays& inputs, Random&) {
                const int N = by_name(inputs, "Q").shape[1];
                std::vector<int> order = counted(0, N);
                std::reverse(order.begin(), order.end());
                const Arrays none = with_zeros(inputs, {"R_K", "R_V"});
                const auto reversed = [&order](const Arrays& arrays) {
                    return permuted(arrays, {"Q", "K", "V"}, 1, order);
                };
                return Experiment{
                    {none, reversed(none), inputs, reversed(inputs)}, [order](const Outputs& y) {
                        const auto Y = [&y, &order](std::size_t run) {
                            return permuted(by_name(y[run], "Y"), 1, order);
                        };
                        constexpr double kLeast = 0.01;
                        double most = 0;
                        const Array gap = combined(1, Y(2), -1, by_name(y[3], "Y"));
                        for (const double g : gap.as<double>())
                            most = std::max(most, std::min(kLeast, std::abs(g)));
                        return Relations{{"P f(X) without R", "f(P X)", Y(0), by_name(y[1], "Y")},
                                         {"the largest gap between P f(X) and f(P X), cut at 0.01,", "0.01",
                                          filled({1}, most), filled({1}, kLeast)}};
                    }};
            }};
}

/// The sequence from its end, with the rows of R_K and R_V from their end.
Property reversed_together() {
    return {"reversed_together", "vectors and distances in reverse give the outputs in reverse",
            [](const Arrays& inputs, Random&) {
                Arrays changed = inputs;
                for (const char* name : {"Q", "K", "V"})
                    changed = with(std::move(changed), name, in_reverse(by_name(inputs, name), 1));
                for (const char* name : {"R_K", "R_V"})
                    changed = with(std::move(changed), name, in_reverse(by_name(inputs, name), 0));
                return Experiment{
                    {inputs, changed}, [](const Outputs& y) {
                        return Relations{{"Y in reverse", "Y of the reversed sequence",
                                          in_reverse(by_name(y[0], "Y"), 1), by_name(y[1], "Y")}};
                    }};
            }};
}

/// A call with another offset.
Arrays from_offset(const Arrays& inputs, double offset) {
    return with(inputs, "offset", option("offset", offset));
}

std::vector<Property> rotary_properties() {
    return {{"position_0_stays", "the vector of position 0 is not turned",
             [](const Arrays& inputs, Random&) {
                 const Array first = slices(by_name(inputs, "X").cast<double>(), 1, 0, 1);
                 return Experiment{{from_offset(inputs, 0)}, [first](const Outputs& y) {
                                       return Relations{{"row 0 of Y", "row 0 of X",
                                                         slices(by_name(y[0], "Y"), 1, 0, 1), first}};
                                   }};
             }},
            {"products_depend_on_distance",
             "the product of two rows depends on their distance, not on the offset",
             [](const Arrays& inputs, Random& random) {
                 const double offset = 1 + random.below(20);
                 return Experiment{
                     {from_offset(inputs, 0), from_offset(inputs, offset)}, [](const Outputs& y) {
                         return Relations{{"a product of two rows of Y", "that of a later offset",
                                           products(by_name(y[0], "Y")), products(by_name(y[1], "Y"))}};
                     }};
             }},
            of_output("pairs_keep_their_length", "the length of a pair (2i, 2i + 1) stays the same", "Y",
                      [](const Array& Y, const Arrays& inputs) {
                          const auto squares = [](const Array& X) {
                              Array pairs = X.cast<double>();
                              pairs.shape.back() /= 2;
                              pairs.shape.push_back(2);
                              return folded(pairs, 0, [](double total, double x) { return total + x * x; });
                          };
                          return Relations{{"the square of a pair of Y", "that of X", squares(Y),
                                            squares(by_name(inputs, "X"))}};
                      }),
            linear_in("X"),
            batches_do_not_mix({"X"})};
}

std::vector<Property> alibi_properties() {
    return {
        of_output("alike_on_diagonals", "the bias depends on the distance alone", "bias",
                  [](const Array& bias, const Arrays&) {
                      return Relations{alike_on_diagonals("bias(h, i, j)", "bias(h, i + 1, j + 1)", bias)};
                  }),
        of_output("last_slope", "the last head takes 1/256 for each step of distance", "bias",
                  [](const Array& bias, const Arrays&) {
                      const Array row = slices(slices(bias, 0, bias.shape[0] - 1, 1), 1, 0, 1);
                      Array wanted = row;
                      for (std::size_t j = 0; j < row.count(); ++j)
                          wanted.as<double>()[j] = -static_cast<double>(j) / 256;
                      return Relations{{"the first row of the last head", "-j / 256", row, wanted}};
                  }),
        of_output("heads_fall_alike", "from head to head the slope falls by the same factor", "bias",
                  [](const Array& bias, const Arrays&) {
                      const int H = bias.shape[0];
                      const double factor = std::pow(2.0, -8.0 / H);
                      return Relations{{"the next head", "this head times 2^(-8/H)",
                                        slices(bias, 0, 1, H - 1),
                                        scaled(slices(bias, 0, 0, H - 1), factor)}};
                  })};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"naive_positions", {columns_are_equal(), first_row(0, 0, "position 0 is 0 in all four kinds")}},
        {"sinusoidal_positions",
         {first_row(0, 1, "position 0 is 0, 1, 0, 1, .."), shift_is_rotation(), rows_differ(),
          of_output("products_are_a_band", "the product of two rows depends on their distance alone", "P",
                    [](const Array& P, const Arrays&) {
                        return Relations{alike_on_diagonals("the product of rows p and q",
                                                            "that of rows p + 1 and q + 1", products(P))};
                    })}},
        {"add_positions", {tokens_permute(), alone("X", "P"), alone("P", "X"), batches_do_not_mix({"X"})}},
        {"concatenate_positions", {tokens_permute(), parts_stay_apart(), batches_do_not_mix({"X"})}},
        {"relative_attention",
         {rows_sum_to_one("A"), weights_move_along(), order_matters(), reversed_together(),
          batches_do_not_mix({"Q", "K", "V"})}},
        {"rotary_positions", rotary_properties()},
        {"rotary_attention",
         {rows_sum_to_one("A"), weights_move_along(), in_the_hull_of_V(),
          batches_do_not_mix({"Q", "K", "V"})}},
        {"alibi_bias", alibi_properties()},
    };
}

}  // namespace attn::ask::positional_encoding
