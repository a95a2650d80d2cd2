#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "datasets/file_error.h"
#include "datasets/npy.h"
#include "grader/base/installation.h"
#include "grader/build/builds.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/run_inputs.h"
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
    "  grader run padding_mask --in lengths=l.npy --set N_q=5 --set N_k=7\n"
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
    options.add_options()(
        "impl", po::value(&implementation)->default_value(implementation),
        "reference (the truth, computed in double), plain (the same loops in float), fast (the "
        "yardstick for speed) or student")("submission", po::value(&folder)->default_value(folder),
                                           "the student's folder or archive")(
        "in", po::value<Words>(), "NAME=FILE.npy, an input, at most 1 GiB")(
        "out", po::value<Words>(), "NAME=FILE.npy, the file for an output")(
        "set", po::value<Words>(),
        "NAME=VALUE, an option of the function; `grader list` shows them with their defaults");
    const auto values = parse(words, kRunUsage, options, "function");
    if (!values) return kAllPassed;
    if (values->count("function") == 0 || (*values)["function"].as<Words>().size() != 1)
        throw UsageError(std::string("give one function to run\n") + kRunUsage);
    if (!std::set<std::string>{"reference", "plain", "fast", "student"}.contains(implementation))
        throw UsageError(
            fmt::format("--impl {}: expected reference, plain, fast or student", implementation));

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
    for (const std::string& note : notes_on(inputs)) std::cerr << "note: " << note << '\n';

    std::optional<Arrays> outputs;
    if ((implementation == "reference" || implementation == "plain") && !refuses(function, inputs))
        outputs =
            evaluate(function, inputs, implementation == "plain" ? ask::Precision::f32 : ask::Precision::f64);
    else if (implementation == "fast")
        outputs = run_fast(target, inputs, wanted);
    else if (implementation == "student")
        outputs = run_student(target, rubrics, folder, inputs, wanted);
    if (!outputs) return kSomethingFailed;
    for (const Array& output : *outputs) {
        if (std::find(wanted.begin(), wanted.end(), output.name) == wanted.end()) continue;
        const Array rounded = type_of(output) == ElementType::f64 ? output.cast<float>() : output;
        print(rounded);
        if (const auto file = files.find(output.name); file != files.end())
            data::write_npy(file->second, rounded);
    }
    return kAllPassed;
}

}  // namespace attn::cli
