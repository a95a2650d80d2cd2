#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/ask/edited.h"
#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/run_function.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/numbers.h"
#include "grader/report/text.h"

namespace attn::cli {
namespace {

constexpr const char* kExampleUsage =
    "usage: grader example [FUNCTION] [options]\n"
    "Shows a small worked example of each function: inputs, the steps in between, the right outputs.\n"
    "  grader example --assignment 2\n"
    "  grader example softmax\n"
    "  grader example softmax --impl student     with what your function gives for the same numbers\n"
    "Exit code: 0 all functions answered, 1 one of them did not.\n";

/// Prints blocks of numbers side by side.
class ExamplePrinter {
  public:
    explicit ExamplePrinter(std::size_t width) : width_(width) {}

    void heading(const ask::Function& function, const Arrays& inputs) const {
        std::cout << report::wrapped(function.signature(), width_) << '\n';
        std::string setting = ask::to_string(ask::sizes_of(function, inputs), function.letters());
        for (const ask::OptionSpec& option : function.options) {
            if (option.length) continue;
            const double value = function.option_value(inputs, option.name);
            setting += fmt::format(", {}={}", option.name, option.in_words(value));
        }
        for (const ask::TensorSpec& input : function.inputs)
            if (input.optional) setting += ", without " + input.name;
        std::cout << report::wrapped("   " + setting, width_) << "\n\n";
    }

    /// One block for each array, after `title`. `name` is added to the arrays' names.
    void show(const Arrays& arrays, const std::string& title, const std::string& name = "") const {
        std::vector<report::NumberBlock> blocks;
        for (const Array& array : arrays)
            if (!array.shape.empty()) blocks.push_back(block(array, array.name + name, kDigits));
        if (!blocks.empty()) print(title, blocks);
    }

    /// The student's outputs and the right ones, with so many digits that all but rounding shows.
    void both(const Arrays& yours, const Arrays& right) const {
        for (std::size_t k = 0; k < right.size(); ++k) {
            const int digits =
                report::digits_that_differ(tensor_of(yours.at(k)), tensor_of(right[k]), kDigits);
            const int shown = digits > kMostDigits ? kDigits : digits;
            print(k == 0 ? "out" : "",
                  {block(yours[k], right[k].name + " yours", shown), block(right[k], "expected", shown)});
        }
    }

  private:
    static constexpr int kDigits = 4, kMostDigits = 6;

    static report::Tensor tensor_of(const Array& array) {
        return {array.name, array.shape, array.cast<double>().as<double>()};
    }
    report::NumberBlock block(const Array& array, const std::string& name, int digits) const {
        return report::narrow_block_of(tensor_of(array), name, digits, report::room_for_blocks(width_));
    }
    void print(const std::string& title, const std::vector<report::NumberBlock>& blocks) const {
        std::string text = report::side_by_side(blocks, width_);
        for (std::size_t line = 0, first = 0; line < text.size(); first = line) {
            line = text.find('\n', line) + 1;
            const std::string numbers = text.substr(first, line - first);
            std::cout << (numbers == "\n" ? "" : fmt::format("   {:<7}", first == 0 ? title : "")) << numbers;
        }
        std::cout << '\n';
    }

    std::size_t width_;
};

/// Prints the example of one function. Returns whether the student's function answered, if it was asked.
bool show_example(const ExamplePrinter& printer, const Target& target, const Implementation& implementation,
                  const std::vector<rubric::Rubric>& rubrics) {
    const ask::Function& function = *target.function;
    const Arrays inputs = example_inputs(*target.rubric->module, function);
    printer.heading(function, inputs);
    printer.show(inputs, "in");
    constexpr std::size_t kMostNumbers = 200;
    printer.show(ask::intermediates(function, inputs, kMostNumbers), "steps");
    const auto right = run_function({}, target, rubrics, inputs, {});
    if (!right) throw std::runtime_error("the reference refuses its own example of " + function.name);
    if (implementation.name == "reference") {
        printer.show(*right, "out");
        return true;
    }
    const auto yours = run_function(implementation, target, rubrics, inputs, {});
    if (yours)
        printer.both(*yours, *right);
    else
        printer.show(*right, "out", " expected");
    return yours.has_value();
}

}  // namespace

int example_command(const Words& words) {
    Implementation implementation;
    po::options_description options("options");
    add_assignment_option(options, "only the assignment with this number");
    options.add_options()("impl", po::value(&implementation.name)->default_value(implementation.name),
                          "reference; or student (plain, fast): its outputs beside the right ones")(
        "submission", po::value(&implementation.submission)->default_value(implementation.submission),
        "the student's folder or archive");
    add_course_option(options);
    const auto values = parse(words, kExampleUsage, options, "function");
    if (!values) return kAllPassed;
    const auto rubrics = rubric::read_rubrics(Installation().assignments);
    const std::vector<Target> targets = targets_in(*values, rubrics);
    for (const Target& target : targets) require_offered(implementation, target);

    const ExamplePrinter printer(terminal_width());
    bool answered = true;
    for (const Target& target : targets)
        answered = show_example(printer, target, implementation, rubrics) && answered;
    return answered ? kAllPassed : kSomethingFailed;
}

}  // namespace attn::cli
