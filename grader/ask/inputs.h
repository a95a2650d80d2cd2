#pragma once
/// Making and changing arrays: the pieces of recipes and properties.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask {

/// Nearly normal numbers of mean 0 and standard deviation 1, different at every index.
Array normal(const std::string& name, const Shape& shape, Random& random);

/// A mask: three of four entries are 1.
Array random_mask(const std::string& name, const Shape& shape, Random& random);

/// All tensors of a function, normal; its masks at random.
Arrays normal_inputs(const Function& function, const Sizes& sizes, Random& random);

/// The recipe of normal inputs, called "normal". What properties are looked at on, in every module.
const Recipe& normal_recipe();

Array& by_name(Arrays& arrays, std::string_view name);
const Array& by_name(const Arrays& arrays, std::string_view name);

/// f of every element; the element type stays.
Array map(const Array& array, const std::function<double(double)>& f);

/// Slices along `axis`, as many and in the order that `order` names: result[.., k, ..] = array[.., order[k],
/// ..].
Array permuted(const Array& array, int axis, const std::vector<int>& order);

/// Sum, maximum, .. along the last axis: folded[..] = f(f(start, a_0), a_1) ..
Array folded(const Array& array, double start, const std::function<double(double, double)>& f);

/// a x + b y, element by element.
Array combined(double a, const Array& x, double b, const Array& y);

/// The product X W of [B, N, D_in] or [N, D_in] with [D_in, D_out], summed in double.
Array product(const Array& x, const Array& w);

/// Inputs with one array replaced; the new one takes the name.
Arrays with(Arrays inputs, const std::string& name, Array replacement);

}  // namespace attn::ask
