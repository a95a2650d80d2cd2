#include <iostream>

#include <fmt/format.h>

#include "datasets/npy.h"
#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/run_function.h"
#include "grader/report/numbers.h"

namespace attn::cli {
namespace {

constexpr const char* kRunUsage =
    "usage: grader run FUNCTION --in NAME=ARRAY .. [--out NAME=FILE.npy ..] [options]\n"
    "Runs a function on your own arrays and prints its outputs. `grader list` shows the functions and their\n"
    "arguments. An array is a numpy file or its numbers in brackets, a pair of brackets for each axis.\n"
    "  grader run softmax --in X='[[1, 2, 3], [0, 0, 0]]'\n"
    "  grader run softmax --in X=x.npy --out Y=y.npy --impl student\n"
    "  grader run padding_mask --in lengths='[3, 2]' --set N_q=5 --set N_k=7\n"
    "  grader run scaled_dot_product_attention --in Q=q.npy --in K=k.npy --in V=v.npy --out A\n";

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
    Implementation implementation;
    po::options_description options("options");
    options.add_options()(
        "impl", po::value(&implementation.name)->default_value(implementation.name),
        "reference (the truth, computed in double), plain (the same loops in float), fast (the "
        "yardstick for speed) or student")(
        "submission", po::value(&implementation.submission)->default_value(implementation.submission),
        "the student's folder or archive")(
        "in", po::value<Words>(), "NAME=FILE.npy, an input, at most 1 GiB; or NAME='[1, 2]', its numbers")(
        "out", po::value<Words>(),
        "NAME=FILE.npy, the file for an output; or NAME, an optional output to print")(
        "set", po::value<Words>(),
        "NAME=VALUE, an option of the function; `grader list` shows them with their defaults");
    const auto values = parse(words, kRunUsage, options, "function");
    if (!values) return kAllPassed;
    const std::string name =
        arguments_of(*values, "function", 1, std::string("give one function to run\n") + kRunUsage).front();
    const auto rubrics = rubric::read_rubrics(Installation().assignments);
    const Target target = find_function(rubrics, name);
    const ask::Function& function = *target.function;
    require_offered(implementation, target);
    const auto files = pairs(*values, "out", true);
    require_known(function, names(function.outputs), "output", files);
    // An optional output is computed only on request.
    std::vector<std::string> wanted;
    for (const ask::TensorSpec& output : function.outputs)
        if (!output.optional || files.contains(output.name)) wanted.push_back(output.name);
    const Arrays inputs = read_inputs(function, pairs(*values, "in"), pairs(*values, "set"));
    for (const std::string& note : notes_on(inputs)) std::cerr << "note: " << note << '\n';

    const auto outputs = run_function(implementation, target, rubrics, inputs, wanted);
    if (!outputs) return kSomethingFailed;
    for (const Array& output : *outputs) {
        print(output);
        if (const auto file = files.find(output.name); file != files.end() && !file->second.empty())
            data::write_npy(file->second, output);
    }
    return kAllPassed;
}

}  // namespace attn::cli
