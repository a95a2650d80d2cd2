#pragma once
/// Functions that make and change arrays. Recipes and properties are made of them.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/ask/module.h"

namespace attn::ask {

/// Nearly normal numbers with mean 0 and standard deviation 1, different at every index.
Array normal(const std::string& name, const Shape& shape, Random& random);

/// A mask in which three of four entries are 1, on average.
Array random_mask(const std::string& name, const Shape& shape, Random& random);

/// The same for [B, N_q, N_k] with N_q > 2. In each batch one query may not attend to any key.
Array holed_mask(const std::string& name, const Shape& shape, Random& random);

/// A mask for each of B batches: query i may attend to the keys j <= i + N_k - N_q.      [B, N_q, N_k]
Array causal_masks(int B, int N_q, int N_k);

/// Tokens 0 .. V - 1. If they are `targets`, every fifth does not count, on average.
Array random_tokens(const std::string& name, const Shape& shape, int V, Random& random);

/// All tensors of a function: normal numbers, and random masks.
Arrays normal_inputs(const Function& function, const Sizes& sizes, Random& random);

/// The recipe "normal". Every module has it, and properties are checked on its inputs.
const Recipe& normal_recipe();

/// The words of a lecture's sentence, "the person ate a fish", and the recipe of one batch of their N = 6 embeddings.
const std::vector<std::string>& person_words();
Recipe person_recipe(
    std::function<Arrays(const Function& function, const Sizes& sizes, Random& random)> make);

/// The array of this name. Throws std::invalid_argument if there is none.
Array& by_name(Arrays& arrays, std::string_view name);
const Array& by_name(const Arrays& arrays, std::string_view name);

/// The number of an option, or a length.
double option_of(const Arrays& inputs, std::string_view name);

/// Whether no number is infinite or NaN.
bool all_finite(const Array& array);

/// f of every element. The element type stays the same.
Array map(const Array& array, const std::function<double(double)>& f);

/// shift + factor * array
Array scaled(const Array& array, double factor, double shift = 0);

/// Zeros with the name, type and shape of this array.
Array zeros_like(const Array& array);

/// Calls f for each row of an array of float, with the number of the row.
void change_rows(Array& X, const std::function<void(std::span<float> row, std::size_t number)>& f);

/// X [B, N, D] of float with other normal numbers in the rows first .. end - 1 of each batch, by default to the last one.
Array with_other_rows(Array X, int first, Random& random, std::optional<int> end = {});

/// Slices along `axis`, selected by `order`: result[.., k, ..] = array[.., order[k], ..].
Array permuted(const Array& array, int axis, const std::vector<int>& order);

/// The same for all arrays with these names.
Arrays permuted(Arrays inputs, const std::vector<std::string>& names, int axis,
                const std::vector<int>& order);

/// Sum, maximum, .. along the last axis: folded[..] = f(f(start, a_0), a_1) ..
Array folded(const Array& array, double start, const std::function<double(double, double)>& f);

/// Sums along the last axis.
Array row_sums(const Array& array);

/// a x + b y, element by element.
Array combined(double a, const Array& x, double b, const Array& y);

/// The product X W of [B, N, D_in] or [N, D_in] with [D_in, D_out], summed in double.
Array product(const Array& x, const Array& w);

/// The products of all pairs of rows, X X^T: [.., N, N] of [.., N, D], summed in double.
Array products(const Array& x);
/// "X X^T", the name of products(X) in a rubric.
std::string name_of_products(const std::string& name);

/// The inputs with the array `name` replaced. The new array gets this name.
Arrays with(Arrays inputs, const std::string& name, Array replacement);

/// The inputs with zeros in these arrays.
Arrays with_zeros(Arrays inputs, const std::vector<std::string>& names);

/// The arrays of these names, in this order.
Arrays only(const Arrays& inputs, const std::vector<std::string>& names);

/// Whether there is an array of this name.
bool has(const Arrays& arrays, std::string_view name);

/// The arrays without the one of this name, if there is one.
Arrays without(Arrays inputs, std::string_view name);

/// The arrays with this one at the end, in place of one of the same name, if there is one.
Arrays in_place_of(Arrays inputs, Array replacement);

/// The inputs with this value of an option, which they may lack.
Arrays with_option(Arrays inputs, const std::string& name, double value);

}  // namespace attn::ask
