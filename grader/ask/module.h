#pragma once
/// The description of an assignment's checks. A Module lists the functions of one assignment with their
/// reference implementations (Function), how inputs are made (Recipe), what must hold for any inputs
/// (Property), and common misconceptions (Mistake). The folder judge/ compares answers with the truth.

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

/// "B=2 N_q=5": the letters of `order`, in that order. Other letters are left out.
std::string to_string(const Sizes& sizes, const std::vector<std::string>& order);

/// A parameter of a function. Each of its dims is a letter or an expression of letters: see dims.h.
struct TensorSpec {
    std::string name;
    std::vector<std::string> dims;
    bool optional = false;  ///< the caller may leave it out
    ElementType type = ElementType::f32;
};

Shape shape_of(const TensorSpec& tensor, const Sizes& sizes);

/// A number that a call takes in addition to its tensors. Among the inputs of a call it is an array of shape
/// [] with this name. If that array is absent, the option has its default value.
struct OptionSpec {
    std::string name;
    double default_value = 0;
    std::vector<std::string> choices = {};  ///< for an enum: the names of the enumerators, from 0
    bool length = false;  ///< a length, given among the sizes; it has no default. Shapes may depend on it
    bool passed = true;   ///< true: the function takes it by value; false: it reads it from an output's shape

    /// "post", "0.25"
    std::string in_words(double value) const;
};
/// A length that the function takes after its tensors, such as the number of heads H.
OptionSpec length_option(const std::string& name);
/// A length that is in the shape of an output, but not in the shape of any input.
OptionSpec output_length(const std::string& name);
/// A number, such as eps.
OptionSpec number_option(const std::string& name, double default_value);
/// An enum, such as norm = pre or post.
OptionSpec choice_option(const std::string& name, std::vector<std::string> choices, int default_value = 0);

/// The array among a call's inputs that holds an option.
Array option(const std::string& name, double value);

/// Numbers of an input or option that a function must refuse: those outside least .. end - 1.
struct NumberRange {
    std::string input;
    int least = 0;
    std::string
        end;  ///< a letter or an expression of letters: see dims.h; empty: numbers that are not above 0
};

enum class Precision { f32, f64 };
using Implementation = std::function<void(const Argument* arguments, int count)>;

/// A function of the contract and its truth: the plain loops, in float (the student's precision) and in
/// double.
struct Function {
    std::string name;
    std::vector<TensorSpec> outputs, inputs;
    std::vector<OptionSpec> options;
    Implementation truth_f32, truth_f64;
    /// {"H", "D"}: H must divide D; {"2", "D"}: D must be even. For other sizes the function throws std::invalid_argument.
    std::vector<std::pair<std::string, std::string>> divides = {};
    std::vector<NumberRange> ranges = {};
    /// Floating-point operations of a call, counted as in flop.h. Empty if they are not counted.
    std::function<double(const Sizes&)> flop = {};

    /// The letters of the shapes: first batches, then lengths N, then the others, each group in the order of
    /// the inputs. The options that are lengths come last.
    std::vector<std::string> letters() const;
    /// "softmax: Y [N, D] from X [N, D]"
    std::string signature() const;
    /// The value of one option: the given one, or its default.
    double option_value(const Arrays& given, const std::string& option) const;
    /// The values of the options that the function takes, in order.
    std::vector<double> option_values(const Arrays& given) const;
    /// The reason why the function must refuse these sizes: "H = 3 does not divide D = 7". Empty if it must
    /// accept them.
    std::string refusal(const Sizes& sizes) const;
    /// The same for sizes and numbers: "tokens(1, 2) is 9, outside 0 .. 8".
    std::string refusal(const Sizes& sizes, const Arrays& given) const;
};

/// Wraps a function of the contract so that it can be called with arguments known at run time.
template <class... P>
Implementation implementation(void (*f)(P...)) {
    return [f](const Argument* arguments, int count) { call(f, arguments, count); };
}

/// A Function whose truth is one reference function template, instantiated for float and for double.
template <class F32, class F64>
Function make_function(std::string name, std::vector<TensorSpec> outputs, std::vector<TensorSpec> inputs,
                       F32 f32, F64 f64) {
    return {std::move(name),     std::move(outputs), std::move(inputs), {},
            implementation(f32), implementation(f64)};
}

/// The length of each letter, found from the shapes of the inputs. Throws UserError if a rank is wrong, two
/// arrays disagree about a letter, or a required input is missing.
Sizes sizes_of(const Function& function, const Arrays& inputs);

/// Runs an implementation of `function` (by default its truth) in this precision and returns all outputs.
/// Integer arrays keep their type. An optional input that is absent is passed as an empty view.
Arrays evaluate(const Function& function, const Arrays& inputs, Precision precision,
                const Implementation& implementation = {});

/// What is drawn beside the curve of an output: lines across it, each a value and its name, and sentences on what
/// the outputs show.
struct CurveScene {
    std::vector<std::pair<double, std::string>> levels;
    std::function<std::vector<std::string>(const Arrays& outputs)> sentences;
};

/// What the inputs of a recipe show (words or images), so that pictures of wrong answers can show it, too.
struct Scene {
    /// The words along an axis, by the letter of the axis: one list for each batch, or one list for all.
    std::map<std::string, std::vector<std::vector<std::string>>> words = {};
    /// The name of the array [B, C, H, W] of images with values 0 .. 1 that are cut into patches. Empty if
    /// there is none.
    std::string image = {};
    std::string patch_side = {}, patches = {};  ///< side of a patch and number of patches: "P" and "H/P*W/P"
    std::map<std::string, CurveScene> curves = {};  ///< by the name of the output
    /// The output [B, R, C] of weights on the cells of a photograph, and the photograph, as an image [1, 3, H, W] of
    /// which each cell has the same number of pixels. Empty if there is none.
    std::string looked_at = {};
    std::function<Array()> photograph = {};
};

/// Matrices that are computed from a call's inputs and outputs only to be looked at: they are no check.
struct Drawing {
    Array matrices;                      ///< [.., rows, columns]
    std::vector<std::string> letters;    ///< of the axes
    std::vector<std::string> words;      ///< along both sides of each matrix, or empty
    std::vector<std::string> sentences;  ///< what is drawn, and what to look at
};

/// A drawing that rubrics can ask for, such as the attention weights of a trained model.
struct DrawingRecipe {
    std::string name;
    /// Nothing if the outputs do not allow a drawing.
    std::function<std::optional<Drawing>(const Arrays& inputs, const Arrays& outputs)> make;
};

/// A way to make inputs. The rubric names it and gives the sizes.
struct Recipe {
    std::string name;
    std::string about;  ///< a description for readers: "scores near +-1000"
    Sizes fixed;        ///< lengths that the data prescribes
    /// Makes the tensors of the function. make_inputs() adds the options.
    std::function<Arrays(const Function& function, const Sizes& sizes, Random& random)> make;
    std::function<Scene()> scene = {};  ///< empty if the inputs show nothing
    std::vector<DrawingRecipe> drawings = {};
    /// After one input was replaced: makes those again that follow from it. Empty if none does.
    std::function<Arrays(Arrays inputs)> consistent = {};
};

/// What a case prescribes in addition to its recipe and sizes.
struct Setting {
    std::map<std::string, double> options;  ///< these values replace the defaults
    std::vector<std::string> absent;        ///< optional inputs that are left out
};

/// The inputs of a call: the tensors of the recipe without the absent ones, and every option.
Arrays make_inputs(const Function& function, const Recipe& recipe, const Sizes& sizes, const Setting& setting,
                   Random& random);

/// Two arrays that must agree, with their names for messages.
struct Relation {
    std::string left, right;
    Array left_values, right_values;  ///< arrays of double, of equal shape
    bool exact = false;               ///< must agree bit for bit; no rounding error is allowed
};

/// Inputs of several calls, and the relations that must hold between their outputs. The outputs are in the
/// order of the runs.
struct Experiment {
    std::vector<Arrays> runs;
    std::function<std::vector<Relation>(const std::vector<Arrays>& outputs)> relate;
};

/// A law that every right answer obeys, for any inputs.
struct Property {
    std::string name;
    std::string statement;  ///< "every row of A sums to 1"
    std::function<Experiment(const Arrays& inputs, Random& random)> design;
};

/// A misconception. It is recognised by the numbers that it leads to.
struct Mistake {
    std::string name;
    std::string when;  ///< completes "Your output is exactly what comes out when .."
    std::string hint;  ///< leads to the cause without naming the line
};

/// A call of a function with fixed inputs, in which mistakes can be made. Gives the outputs with the mistakes
/// `made` (indices into the mistakes of the module), or nothing if they exclude each other or need other
/// shapes.
using MistakenCall = std::function<std::optional<Arrays>(std::span<const int> made)>;

struct Module {
    std::string name;
    std::vector<Function> functions;
    std::vector<Recipe> recipes;
    std::map<std::string, std::vector<Property>> properties;  ///< by function
    /// The listed mistakes, which modules() adds.
    std::vector<Mistake> mistakes = {};
    /// Calls `function` with mistakes. The inputs need not outlive this call. modules() adds it, too.
    std::function<MistakenCall(const Function& function, const Arrays& inputs, Precision precision)>
        mistaken = {};

    const Function* find_function(const std::string& wanted) const;
    const Recipe* find_recipe(const std::string& wanted) const;
    const Property* find_property(const std::string& function, const std::string& wanted) const;
};

/// Registers a module at program start. The build writes it for each assignment, from its contract, recipes()
/// and properties(): grader/contract/module_unit.cpp.
struct Registration {
    explicit Registration(Module module);
};
const std::vector<Module>& modules();
/// Null if there is no module of this name.
const Module* find_module(const std::string& name);
/// The module with a function of this name, or null.
const Module* module_of(const std::string& function);

}  // namespace attn::ask
