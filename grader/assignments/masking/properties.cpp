// Assignment 4: the properties of masks. Those of masked softmax and attention are in
// properties_of_attention.cpp.

#include <algorithm>

#include "grader/ask/laws.h"
#include "grader/assignments/masking/helpers.h"

namespace attn::ask::masking {
namespace {

/// The mask [N_q, N_k], repeated for B batches: [B, N_q, N_k].
Array for_each_batch(const Array& mask, int B) {
    Array result = Array::zeros<std::uint8_t>(mask.name, {B, mask.shape[0], mask.shape[1]});
    auto to = result.as<std::uint8_t>().begin();
    for (int b = 0; b < B; ++b)
        to = std::copy(mask.as<std::uint8_t>().begin(), mask.as<std::uint8_t>().end(), to);
    return result;
}

/// f of each pair of elements of two arrays of equal shape.
Array pairwise(const Array& a, const Array& b, double (*f)(double, double)) {
    Array result = a.cast<double>();
    const Array other = b.cast<double>();
    for (std::size_t k = 0; k < result.count(); ++k)
        result.as<double>()[k] = f(result.as<double>()[k], other.as<double>()[k]);
    return result;
}

double least(double a, double b) {
    return std::min(a, b);
}

Array without_last(const Array& array, int axis) {
    return leading(array, axis, array.shape[static_cast<std::size_t>(axis)] - 1);
}

Relation exactly(std::string left, std::string right, Array left_values, Array right_values) {
    return {std::move(left), std::move(right), std::move(left_values), std::move(right_values), true};
}

/// A property of one output, the mask M.
Property of_the_mask(std::string name, std::string statement,
                     std::function<Relations(const Array& M, const Arrays& inputs)> relate) {
    return of_output(std::move(name), std::move(statement), "M", std::move(relate));
}

Property zero_or_one() {
    return of_the_mask("zero_or_one", "a mask holds zeros and ones, nothing else",
                       [](const Array& M, const Arrays&) {
                           const Array nearest = map(M, [](double m) { return m > 0 ? 1.0 : 0.0; });
                           return Relations{exactly("M", "the nearest of 0 and 1", M, nearest)};
                       });
}

Property last_row_of_ones() {
    return of_the_mask("last_query_sees_all", "the last query may attend to every key",
                       [](const Array& M, const Arrays&) {
                           const Array last = slices_from(M, 0, M.shape[0] - 1);
                           return Relations{exactly("the last row of M", "1", last, filled(last.shape, 1))};
                       });
}

Property one_more_than_above() {
    return of_the_mask(
        "one_more_than_above", "each query may attend to one key more than the query before it",
        [](const Array& M, const Arrays&) {
            // If there are more queries than keys, the first rows are all 0.
            const Array sums = row_sums(M), above = without_last(sums, 0), below = slices_from(sums, 0, 1);
            const Array expected =
                pairwise(above, below, [](double a, double b) { return a == 0 && b == 0 ? 0.0 : a + 1; });
            return Relations{exactly("the number of ones in row i + 1 of M", "one more than that of row i",
                                     below, expected)};
        });
}

Property alike_on_diagonals() {
    return of_the_mask("alike_on_diagonals", "M(i + 1, j + 1) = M(i, j)", [](const Array& M, const Arrays&) {
        return Relations{exactly("M(i + 1, j + 1)", "M(i, j)", slices_from(slices_from(M, 0, 1), 1, 1),
                                 without_last(without_last(M, 0), 1))};
    });
}

Property rows_alike() {
    return of_the_mask("rows_alike", "all queries of a sequence see the same keys",
                       [](const Array& M, const Arrays&) {
                           const std::vector<int> first(static_cast<std::size_t>(M.shape[1]), 0);
                           return Relations{exactly("M", "its first row", M, permuted(M, 1, first))};
                       });
}

Property sums_are_lengths() {
    return of_the_mask("row_sums_are_lengths", "every row of batch b has lengths[b] ones",
                       [](const Array& M, const Arrays& inputs) {
                           const Array sums = row_sums(M),
                                       lengths = by_name(inputs, "lengths").cast<double>();
                           Array expected = sums;
                           const auto N_q = static_cast<std::size_t>(sums.shape[1]);
                           for (std::size_t k = 0; k < expected.count(); ++k)
                               expected.as<double>()[k] = lengths.as<double>()[k / N_q];
                           return Relations{exactly("the ones in a row of M", "lengths[b]", sums, expected)};
                       });
}

Property ones_first() {
    return of_the_mask("ones_first", "no key after a forbidden one is allowed",
                       [](const Array& M, const Arrays&) {
                           const Array next = slices_from(M, 2, 1);
                           return Relations{exactly("M(b, i, j + 1)", "at most M(b, i, j)", next,
                                                    pairwise(next, without_last(M, 2), least))};
                       });
}

Property at_most_either() {
    return of_the_mask("at_most_either", "nothing is allowed that one of the masks forbids",
                       [](const Array& M, const Arrays& inputs) {
                           const Array& padding = by_name(inputs, "padding");
                           const Array spread = for_each_batch(by_name(inputs, "causal"), M.shape[0]);
                           return Relations{exactly("M", "the minimum of causal and padding", M,
                                                    pairwise(M, pairwise(spread, padding, least), least))};
                       });
}

Array with_value(const Array& mask, double value) {
    return map(mask, [value](double) { return value; });
}

/// combine(ones, padding) = padding, combine(causal, ones) = causal.
Property ones_are_neutral() {
    return {"ones_are_neutral", "a mask of ones leaves the other as it is",
            [](const Arrays& inputs, Random&) {
                const Array &causal = by_name(inputs, "causal"), &padding = by_name(inputs, "padding");
                return Experiment{{with(inputs, "causal", with_value(causal, 1)),
                                   with(inputs, "padding", with_value(padding, 1))},
                                  [causal, padding](const Outputs& y) {
                                      const Array spread = for_each_batch(causal, padding.shape[0]);
                                      return Relations{
                                          exactly("M", "padding", by_name(y[0], "M"), padding.cast<double>()),
                                          exactly("M", "causal", by_name(y[1], "M"), spread.cast<double>())};
                                  }};
            }};
}

Property either_order() {
    return {"either_order", "two masks combine to the same in either order",
            [](const Arrays& inputs, Random&) {
                const Array &causal = by_name(inputs, "causal"), &padding = by_name(inputs, "padding");
                Array first = leading(padding, 0, 1);
                first.shape.erase(first.shape.begin());
                const int B = padding.shape[0];
                const auto combined = [&](const Array& one, const Array& other) {
                    return with(with(inputs, "causal", one), "padding", for_each_batch(other, B));
                };
                return Experiment{{combined(causal, first), combined(first, causal)}, [](const Outputs& y) {
                                      return Relations{exactly("M", "M of the masks in the other order",
                                                               by_name(y[0], "M"), by_name(y[1], "M"))};
                                  }};
            }};
}

Property twice_is_once() {
    return {"twice_is_once", "a mask combined with itself is itself", [](const Arrays& inputs, Random&) {
                const Array& causal = by_name(inputs, "causal");
                const Array spread = for_each_batch(causal, by_name(inputs, "padding").shape[0]);
                return Experiment{{with(inputs, "padding", spread)}, [spread](const Outputs& y) {
                                      return Relations{exactly("M", "the mask itself", by_name(y[0], "M"),
                                                               spread.cast<double>())};
                                  }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"causal_mask", {zero_or_one(), last_row_of_ones(), one_more_than_above(), alike_on_diagonals()}},
        {"padding_mask",
         {zero_or_one(), rows_alike(), sums_are_lengths(), ones_first(),
          equivariant("batches_permute", "permuted lengths give permuted masks", {"lengths"}, 0, "M")}},
        {"combine_masks",
         {zero_or_one(), at_most_either(), ones_are_neutral(), either_order(), twice_is_once(),
          equivariant("batches_permute", "permuted batches give permuted masks", {"padding"}, 0, "M")}},
        {"masked_softmax", masked_softmax_properties()},
        {"masked_attention", masked_attention_properties()},
    };
}

}  // namespace attn::ask::masking
