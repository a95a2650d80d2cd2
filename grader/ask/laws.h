#pragma once
/// Properties that more than one module has, and the pieces they are made of.

#include <functional>
#include <string>
#include <vector>

#include "grader/ask/inputs.h"

namespace attn::ask {

using Outputs = std::vector<Arrays>;  ///< of the runs of an Experiment
using Relations = std::vector<Relation>;

/// An array of double, one value everywhere.
Array filled(const Shape& shape, double value);

/// The first `count` slices along `axis`.
Array leading(const Array& array, int axis, int count);

/// Every row of `output` sums to 1 and lies in 0 .. 1.
Property rows_sum_to_one(const std::string& output);

/// f with some inputs changed must give the `output` that f gave. `changed_name` continues "Y ..": "with K
/// and V permuted".
Property unchanged(std::string name, std::string statement, std::string changed_name,
                   std::function<Arrays(const Arrays&, Random&)> change, const std::string& output = "Y");

/// f of slices in another order is the slices of f in that order: f(P X) = P f(X), along the same axis of the
/// input and of `output`. `inputs` are permuted together.
Property equivariant(std::string name, std::string statement, std::vector<std::string> inputs, int axis,
                     const std::string& output = "Y");

/// What is asked of batch 0 must not depend on what stands in the others. `batched`: inputs of float whose
/// first axis is the batch.
Property batches_do_not_mix(std::vector<std::string> batched, const std::string& output = "Y");

/// f(3/4 X + 1/4 X') = 3/4 f(X) + 1/4 f(X') for one input X.
Property linear_in(const std::string& input, const std::string& output = "Y");

/// For each number of Y [B, N_q, D], f over its column of V [B, N_k, D], beginning with `start`.
Array over_columns(const Array& Y, const Array& V, double start,
                   const std::function<double(double, double)>& f);

/// Every number of Y [B, N_q, D] stays between the least and the greatest of its column of V [B, N_k, D].
Relation in_the_hull_of(const Array& Y, const Array& V);

}  // namespace attn::ask
