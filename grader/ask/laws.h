#pragma once
/// Properties that several modules share, and functions that make such properties.

#include <functional>
#include <string>
#include <vector>

#include "grader/ask/inputs.h"

namespace attn::ask {

using Outputs = std::vector<Arrays>;  ///< one entry for each run of an Experiment
using Relations = std::vector<Relation>;

/// An array of double with the same value everywhere.
Array filled(const Shape& shape, double value);

/// The first `count` slices along `axis`.
Array leading(const Array& array, int axis, int count);

/// Slices first .. first + count - 1 along `axis`.
Array slices(const Array& array, int axis, int first, int count);

/// Slices first, first + 1, .. along `axis`.
Array slices_from(const Array& array, int axis, int first);

/// All slices along `axis`, from the last to the first.
Array in_reverse(const Array& array, int axis);

/// Rows and columns exchanged: axes `axis` and axis + 1.
Array turned(const Array& array, std::size_t axis);

/// The property, asked of inputs that are changed first.
Property asked_of(Property property, std::function<Arrays(const Arrays&)> change);

/// The same of inputs with this option.
Property with_option(Property property, const std::string& name, double value);

/// Adds the same number to all elements of a row of X, a different one for each row: a multiple of `step` up to
/// 20 times as large.
Arrays shift_rows(const Arrays& inputs, double step, Random& random);

/// Shifted rows of X do not change Y.
Property shift_invariant(std::string statement, double step = 1);

/// Every row of `output` sums to 1 and its numbers lie in 0 .. 1.
Property rows_sum_to_one(const std::string& output);

/// Relations between `output` and the inputs of one call.
Property of_output(std::string name, std::string statement, std::string output,
                   std::function<Relations(const Array& output, const Arrays& inputs)> relate);

/// A change of some inputs must not change `output`. `changed_name` continues "Y ..", for example "with K and
/// V permuted".
Property unchanged(std::string name, std::string statement, std::string changed_name,
                   std::function<Arrays(const Arrays&, Random&)> change, const std::string& output = "Y");

/// A permutation of the slices of the inputs permutes the slices of `output`: f(P X) = P f(X), along the same
/// axis. All of `inputs` are permuted together.
Property equivariant(std::string name, std::string statement, std::vector<std::string> inputs, int axis,
                     const std::string& output = "Y");

/// An array, and one of its axes.
struct Along {
    std::string array;
    int axis;
};

/// The inputs with slice 0, 1, .. alone of the first axis of these arrays. An array that a call lacks is left out.
std::vector<Arrays> one_by_one(const Arrays& inputs, const std::vector<std::string>& names);

/// This output of the runs from `first` on, one after the other along the first axis.
Array joined(const Outputs& runs, std::size_t first, const std::string& output);

/// The inputs with other numbers in these arrays: normal ones, and masks with 0 and 1 exchanged.
Arrays with_other_numbers(Arrays inputs, const std::vector<std::string>& names, Random& random);

/// A slice of `output` depends on its own slices of `inputs` alone: batches, rows, windows, features. `slice`
/// names one, "batch". An input that a call lacks is left out. `other` gives inputs of which every slice is
/// another one. Every slice is asked about every other one: in n + 2 calls for up to 2^n slices, each of which
/// mixes the slices of two calls in another way.
Property slices_do_not_mix(std::string name, std::string statement, const std::string& slice,
                           std::vector<Along> inputs, const Along& output,
                           std::function<Arrays(const Arrays&, Random&)> other, bool exact = false);

/// The same with other numbers in the inputs.
Property slices_do_not_mix(std::string name, std::string statement, const std::string& slice,
                           std::vector<Along> inputs, const Along& output, bool exact = false);

/// The same along the first axis. `batched`: inputs of float and masks.
Property batches_do_not_mix(const std::vector<std::string>& batched, const std::string& output = "Y");

/// The same for rows.
Property rows_do_not_mix(std::string statement, const std::vector<std::string>& inputs,
                         const std::string& output = "Y");

/// Other inputs from a place of a sequence on.
struct LaterPlaces {
    std::string array;                 ///< whose axis 1 has the places
    std::vector<std::string> outputs;  ///< that must not change before the place, along axis 1
    std::string in_words;              ///< "before other words"
    bool last_only = false;            ///< the last place alone becomes another one
    /// By default the rows of `array` from there on are other ones.
    std::function<Arrays(const Arrays& inputs, int from, Random& random)> change = {};
    /// How many slices of the outputs do not see place `from` and later ones; by default `from`.
    std::function<int(const Arrays& inputs, int from)> unseen = {};
    bool exact = true;
};

/// Whatever stands from a place on changes no output before it. Every place is asked that leaves an output unseen, so that
/// each output is compared while all that comes after it changes.
Property later_change_nothing(std::string name, std::string statement, LaterPlaces later);

/// Decoders that read y [B, L + 1, D_y], of which y_L is not fed.
Property words_to_come(std::vector<std::string> outputs);
Property last_word_is_not_fed(std::vector<std::string> outputs);

/// f(3/4 X + 1/4 X') = 3/4 f(X) + 1/4 f(X') for one input X.
Property linear_in(const std::string& input, const std::string& output = "Y");

/// For each element of Y [B, N_q, D], folds f over its column of V [B, N_k, D], starting with `start`.
Array over_columns(const Array& Y, const Array& V, double start,
                   const std::function<double(double, double)>& f);

/// Every element of Y [B, N_q, D] lies between the minimum and the maximum of its column of V [B, N_k, D].
Relation in_the_hull_of(const Array& Y, const Array& V);

/// The same for each call. `values`: V in double, of the inputs; without it their array V.
Property in_the_hull_of_V(const std::function<Array(const Arrays& inputs)>& values = {});

}  // namespace attn::ask
