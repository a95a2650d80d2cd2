#pragma once
/// What is asked of a student: the vocabulary. A Module says, for one assignment, which functions there are
/// and which reference function is the truth of each, how inputs are made (Recipe), what must hold for any
/// inputs (Property), and what is usually got wrong (Mistake). How answers are judged stands in judge/.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/ask/dims.h"
#include "grader/ask/random.h"
#include "grader/base/errors.h"

namespace attn::ask {

/// "B=2 N_q=5", in the order of the letters in `order` and only those.
std::string to_string(const Sizes& sizes, const std::vector<std::string>& order);

/// A parameter of a function, with the letters of its shape (or what follows from letters: see dims.h).
struct TensorSpec {
    std::string name;
    std::vector<std::string> dims;
    bool optional = false;  ///< an output that a caller may not want; an input that he may not have
    ElementType type = ElementType::f32;
};

Shape shape_of(const TensorSpec& tensor, const Sizes& sizes);

/// A number that belongs to a call beside its tensors. Among a call's inputs it is an array of shape [] with
/// this name; absent, it has its default.
struct OptionSpec {
    std::string name;
    double otherwise = 0;
    std::vector<std::string> choices = {};  ///< of an enum: the enumerators' names, in order from 0
    bool length = false;  ///< a length, given among the sizes; shapes may follow from it. No default
    bool passed = true;   ///< the function takes it by value; if not, it reads it off an output's shape
};
/// H: the function takes it after its tensors.
OptionSpec length_option(const std::string& name);
/// A length that is found in no input, only in an output's shape.
OptionSpec output_length(const std::string& name);
/// eps: a number.
OptionSpec number_option(const std::string& name, double otherwise);
/// pre or post: an enum.
OptionSpec choice_option(const std::string& name, std::vector<std::string> choices, int otherwise = 0);

/// The array among a call's inputs that holds an option.
Array option(const std::string& name, double value);

enum class Precision { f32, f64 };
using Implementation = std::function<void(const Argument* arguments, int count)>;

/// A function of the contract and its truth: the plain loops, in the student's precision and in double.
struct Function {
    std::string name;
    std::vector<TensorSpec> outputs, inputs;
    std::vector<OptionSpec> options;
    Implementation truth_f32, truth_f64;
    /// {"H", "D"}: H has to divide D. Of other sizes the function throws std::invalid_argument.
    std::vector<std::pair<std::string, std::string>> divides = {};
    /// Floating-point operations of a call, as flop.h counts them; empty where nobody has counted.
    std::function<double(const Sizes&)> flop = {};

    /// The letters of its shapes: batches, then lengths N, then the others, as they first appear in the
    /// inputs; at last the options that are lengths.
    std::vector<std::string> letters() const;
    /// "softmax: Y [N, D] from X [N, D]"
    std::string signature() const;
    /// The value of one option, as `given` or by default.
    double option_value(const Arrays& given, const std::string& option) const;
    /// The values of the options that the function takes, in order.
    std::vector<double> option_values(const Arrays& given) const;
    /// Why it has to refuse these sizes: "H = 3 does not divide D = 7"; empty where it has not.
    std::string refusal(const Sizes& sizes) const;
};

/// A function of the contract's kind, to be called with arguments known at run time.
template <class... P>
Implementation implementation(void (*f)(P...)) {
    return [f](const Argument* arguments, int count) { call(f, arguments, count); };
}

/// A Function whose truth are the two instances of one reference function.
template <class F32, class F64>
Function make_function(std::string name, std::vector<TensorSpec> outputs, std::vector<TensorSpec> inputs,
                       F32 f32, F64 f64) {
    return {std::move(name),     std::move(outputs), std::move(inputs), {},
            implementation(f32), implementation(f64)};
}

/// Says how many floating-point operations the function of this name makes: see flop.h.
void count_operations(std::vector<Function>& functions, const std::string& name,
                      double (*flop)(const Sizes&));

/// The letters' lengths that these inputs imply. Throws UserError where a rank is wrong, two arrays disagree
/// about a letter, or an input is missing that is not optional.
Sizes sizes_of(const Function& function, const Arrays& inputs);

/// All outputs of an implementation of `function` (nothing: its truth) for these inputs, in this precision.
/// Whole numbers stay what they are; an optional input that is not there reaches it as an empty view.
Arrays evaluate(const Function& function, const Arrays& inputs, Precision precision,
                const Implementation& implementation = {});

/// What inputs are of, where people would know it: for pictures of wrong answers.
struct Scene {
    /// The words along an axis, by its letter: those of each batch, or one list for all of them.
    std::map<std::string, std::vector<std::vector<std::string>>> words = {};
    /// An array [B, C, H, W] of pictures, 0 .. 1, that are cut into patches; empty where there are none.
    std::string image = {};
    std::string patch_side = {}, patches = {};  ///< the lengths that say how: "P" and "H/P*W/P"
};

/// A way to make inputs. The rubric names it and gives the sizes.
struct Recipe {
    std::string name;
    std::string about;  ///< for people: "scores near +-1000"
    Sizes fixed;        ///< lengths that real data has
    /// Makes the function's tensors; options are added by who asks.
    std::function<Arrays(const Function& function, const Sizes& sizes, Random& random)> make;
    std::function<Scene()> scene = {};  ///< empty where there is nothing to know again
};

/// What an instructor may say about a case beyond its recipe and sizes.
struct Setting {
    std::map<std::string, double> options;  ///< in place of the defaults
    std::vector<std::string> absent;        ///< optional inputs that are left out
};

/// The inputs of a call: the recipe's tensors less those left out, and every option.
Arrays make_inputs(const Function& function, const Recipe& recipe, const Sizes& sizes, const Setting& setting,
                   Random& random);

/// Two arrays that must agree, and what to call them.
struct Relation {
    std::string left, right;
    Array left_values, right_values;  ///< of double, equal shapes
    bool exact = false;               ///< bit for bit: no rounding is allowed
};

/// Inputs to run, and what must hold between the outputs, which come in the order of the runs.
struct Experiment {
    std::vector<Arrays> runs;
    std::function<std::vector<Relation>(const std::vector<Arrays>& outputs)> relate;
};

/// Something that holds for every right answer, whatever the inputs.
struct Property {
    std::string name;
    std::string statement;  ///< "every row of A sums to 1"
    std::function<Experiment(const Arrays& inputs, Random& random)> design;
};

/// A misconception, known by its consequences.
struct Mistake {
    std::string name;
    std::string when;  ///< completes "Your output is exactly what comes out when .."
    std::string hint;  ///< leads to the cause without giving the line away
};

struct Module {
    std::string name;
    std::vector<Function> functions;
    std::vector<Recipe> recipes;
    std::map<std::string, std::vector<Property>> properties;  ///< by function
    std::vector<Mistake> mistakes;
    /// Outputs of `function` for one who makes these mistakes (numbers of `mistakes`); nothing where they
    /// exclude each other or need other shapes.
    std::function<std::optional<Arrays>(const Function& function, std::span<const int> made,
                                        const Arrays& inputs, Precision precision)>
        mistaken;

    const Function* find_function(const std::string& wanted) const;
    const Recipe* find_recipe(const std::string& wanted) const;
    const Property* find_property(const std::string& function, const std::string& wanted) const;
};

/// Modules register themselves: `static const Registration kRegistered(make_module());`
struct Registration {
    explicit Registration(Module module);
};
const std::vector<Module>& modules();
/// Null where there is none of this name.
const Module* find_module(const std::string& name);
/// The module that has a function of this name, or null.
const Module* module_of(const std::string& function);

}  // namespace attn::ask
