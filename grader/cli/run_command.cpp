#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>

#include <fmt/format.h>

#include "datasets/file_error.h"
#include "datasets/npy.h"
#include "grader/base/installation.h"
#include "grader/build/builds.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/intake/intake.h"
#include "grader/judge/answer.h"
#include "grader/report/numbers.h"
#include "grader/report/text.h"

namespace attn::cli {
namespace {

constexpr const char* kRunUsage =
    "usage: grader run FUNCTION --in NAME=FILE.npy .. [--out NAME=FILE.npy ..] [options]\n"
    "Runs a function on your own arrays and prints its outputs. `grader list` shows the functions and their "
    "arguments.\n"
    "  grader run softmax --in X=x.npy\n"
    "  grader run scaled_dot_product_attention --impl student --in Q=q.npy --in K=k.npy --in V=v.npy --out "
    "Y=y.npy --out A=a.npy\n";

struct Target {
    const ask::Function* function;
    const submission::Rubric* rubric;
};

Target find_function(const std::vector<submission::Rubric>& rubrics, const std::string& name) {
    std::string known;
    for (const submission::Rubric& rubric : rubrics) {
        if (const ask::Function* function = rubric.module->find_function(name)) return {function, &rubric};
        for (const ask::Function& function : rubric.module->functions) known += "\n  " + function.signature();
    }
    throw UsageError("there is no function '" + name + "'; the functions are" + known);
}

/// The NAME=VALUE arguments of an option as a map.
std::map<std::string, std::string> pairs(const po::variables_map& values, const char* option) {
    std::map<std::string, std::string> result;
    if (values.count(option) == 0) return result;
    for (const std::string& word : values[option].as<Words>()) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
            throw UsageError(fmt::format("--{} {}: expected NAME=VALUE", option, word));
        if (!result.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
            throw UsageError(fmt::format("--{} {}: {} is given twice", option, word, word.substr(0, equals)));
    }
    return result;
}

template <class T>
std::vector<std::string> names(const std::vector<T>& parameters) {
    std::vector<std::string> all;
    for (const T& parameter : parameters) all.push_back(parameter.name);
    return all;
}

/// Throws UsageError for a name that the function does not have.
void require_known(const ask::Function& function, const std::vector<std::string>& known, const char* what,
                   const std::map<std::string, std::string>& given) {
    for (const auto& [name, value] : given) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw UsageError(
            fmt::format("{} has no {} {}; it takes {}", function.name, what, name, function.signature()));
    }
}

/// The value of an option: the index of an enumerator's name, or a number.
double read_option(const ask::OptionSpec& spec, const std::string& text) {
    const auto choice = std::find(spec.choices.begin(), spec.choices.end(), text);
    if (choice != spec.choices.end()) return static_cast<double>(choice - spec.choices.begin());
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value) || !spec.choices.empty())
        throw UsageError(fmt::format(
            "--set {}={}: expected {}", spec.name, text,
            spec.choices.empty() ? "a number" : fmt::format("one of {}", fmt::join(spec.choices, ", "))));
    return value;
}

Arrays read_options(const ask::Function& function, const std::map<std::string, std::string>& given) {
    require_known(function, names(function.options), "option", given);
    Arrays options;
    for (const ask::OptionSpec& spec : function.options)
        if (const auto text = given.find(spec.name); text != given.end())
            options.push_back(ask::option(spec.name, read_option(spec, text->second)));
    return options;
}

/// Reads an input array. Its type must be that of the parameter: float32, uint8 for a mask, int32 for
/// lengths.
Array read_input(const ask::TensorSpec& spec, const std::string& file) {
    Array array = data::read_npy(file);
    if (type_of(array) != spec.type) {
        const std::string_view wanted = name_of(spec.type);
        throw UsageError(fmt::format("{}: {} must be of type {}; in numpy: np.save(f, a.astype(np.{}))", file,
                                     spec.name, wanted, wanted));
    }
    array.name = spec.name;
    return array;
}

/// The inputs and options of a call. Optional inputs may be left out.
Arrays read_inputs(const ask::Function& function, const std::map<std::string, std::string>& files,
                   const std::map<std::string, std::string>& options) {
    require_known(function, names(function.inputs), "input", files);
    Arrays inputs;
    for (const ask::TensorSpec& spec : function.inputs) {
        const auto given = files.find(spec.name);
        if (given != files.end())
            inputs.push_back(read_input(spec, given->second));
        else if (!spec.optional)
            throw UsageError(fmt::format("input {} is missing: --in {}=FILE.npy; {} takes {}", spec.name,
                                         spec.name, function.name, function.signature()));
    }
    for (Array& option : read_options(function, options)) inputs.push_back(std::move(option));
    ask::sizes_of(function, inputs);  // throws for shapes that do not match
    return inputs;
}

/// Whether the function has to refuse these inputs. Prints the reason if so.
bool refuses(const ask::Function& function, const Arrays& inputs) {
    const std::string why = function.refusal(ask::sizes_of(function, inputs));
    if (!why.empty())
        std::cerr << fmt::format("{}: refuses these inputs, as required: {}.\n", function.name, why);
    return !why.empty();
}

/// The outputs of a function in a worker. Returns nothing if there are none, after printing the reason.
std::optional<Arrays> run_in(worker::Worker& worker, const Target& target, const Arrays& inputs,
                             const std::vector<std::string>& wanted) {
    worker::CallResult result =
        worker.call(judge::make_call(*target.function, inputs, wanted, worker::Placement::ends_at_guard));
    // For a missing function, the message below is clearer than the loader's message.
    if (result.outcome != Outcome::missing) std::cout << report::quote_lines(result.printed);
    if (result.outcome == Outcome::passed) {
        const Outcome seen = judge::inspect(result.outputs, result.detail);
        if (seen == Outcome::passed || seen == Outcome::not_finite) return std::move(result.outputs);
        result.outcome = seen;
    }
    if (result.refused && refuses(*target.function, inputs)) return std::nullopt;
    std::cerr << fmt::format("{}: {}. {}\n", target.function->name, in_words(result.outcome),
                             report::one_line(result.detail));
    return std::nullopt;
}

/// Throws UserError if the assignment has no yardstick.
void require_yardstick(const Target& target) {
    const std::string& module = target.rubric->module->name;
    if (!std::filesystem::exists(Installation().yardstick_of(module)))
        throw UserError(
            fmt::format("--impl fast is not offered: assignment {} has no yardstick (reference/fast/{}.h)",
                        target.rubric->number, module));
}

/// The outputs of the yardstick, the fast reference.
std::optional<Arrays> run_fast(const Target& target, const Arrays& inputs,
                               const std::vector<std::string>& wanted) {
    const Installation installation;
    const std::string& module = target.rubric->module->name;
    worker::Worker worker({.program = installation.worker,
                           .library = installation.yardstick_of(module),
                           .exports = installation.exports_of(module)},
                          target.rubric->limits);
    return run_in(worker, target, inputs, wanted);
}

/// The outputs of the student's function. Returns nothing if there are none, after printing the reason.
std::optional<Arrays> run_student(const Target& target, const std::vector<submission::Rubric>& rubrics,
                                  const std::filesystem::path& folder, const Arrays& inputs,
                                  const std::vector<std::string>& wanted) {
    const submission::Intake taken = submission::take_in(folder);
    for (const std::string& note : taken.notes) std::cerr << "note: " << report::one_line(note) << '\n';
    submission::Builds builds(taken.folder, rubrics, Installation());
    const submission::Build& build = builds.of(*target.rubric);
    if (build.library.empty()) {
        for (const auto& source : build.sources)
            std::cerr << source.name << (source.exists ? " does not compile:\n" : " is missing:\n")
                      << report::quote_lines(source.messages);
        return std::nullopt;
    }
    worker::Worker worker = builds.worker_for(*target.rubric);
    return run_in(worker, target, inputs, wanted);
}

void print(const Array& array) {
    constexpr std::size_t kPrintable = 256;
    if (array.count() > kPrintable) {
        std::cout << fmt::format("{} {}\n", array.name, to_string(array.shape));
    } else {
        std::cout << report::side_by_side(
            {report::block_of({array.name, array.shape, array.cast<double>().as<double>()}, array.name, 6)});
    }
}

}  // namespace

int run_command(const Words& words) {
    std::string implementation = "reference", folder = "student";
    po::options_description options("options");
    options.add_options()("impl", po::value(&implementation)->default_value(implementation),
                          "reference, fast (the yardstick for speed) or student")(
        "submission", po::value(&folder)->default_value(folder), "the student's folder or archive")(
        "in", po::value<Words>(), "NAME=FILE.npy, an input")("out", po::value<Words>(),
                                                             "NAME=FILE.npy, the file for an output")(
        "set", po::value<Words>(), "NAME=VALUE, an option of the function");
    const auto values = parse(words, kRunUsage, options, "function");
    if (!values) return kAllPassed;
    if (values->count("function") == 0 || (*values)["function"].as<Words>().size() != 1)
        throw UsageError(std::string("give one function to run\n") + kRunUsage);
    if (implementation != "reference" && implementation != "fast" && implementation != "student")
        throw UsageError(fmt::format("--impl {}: expected reference, fast or student", implementation));

    const auto rubrics = submission::read_rubrics(Installation().assignments);
    const Target target = find_function(rubrics, (*values)["function"].as<Words>().front());
    const ask::Function& function = *target.function;
    if (implementation == "fast") require_yardstick(target);
    const auto files = pairs(*values, "out");
    require_known(function, names(function.outputs), "output", files);
    // An optional output is computed only if a file for it is given.
    std::vector<std::string> wanted;
    for (const ask::TensorSpec& output : function.outputs)
        if (!output.optional || files.contains(output.name)) wanted.push_back(output.name);
    const Arrays inputs = read_inputs(function, pairs(*values, "in"), pairs(*values, "set"));

    std::optional<Arrays> outputs;
    if (implementation == "reference" && !refuses(function, inputs))
        outputs = evaluate(function, inputs, ask::Precision::f32);
    else if (implementation == "fast")
        outputs = run_fast(target, inputs, wanted);
    else if (implementation == "student")
        outputs = run_student(target, rubrics, folder, inputs, wanted);
    if (!outputs) return kSomethingFailed;
    for (const Array& output : *outputs) {
        if (std::find(wanted.begin(), wanted.end(), output.name) == wanted.end()) continue;
        print(output);
        if (const auto file = files.find(output.name); file != files.end())
            data::write_npy(file->second, output);
    }
    return kAllPassed;
}

}  // namespace attn::cli
