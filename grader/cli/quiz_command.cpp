#include <algorithm>
#include <iostream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/least_lengths.h"
#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/quiz.h"
#include "grader/cli/run_function.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/text.h"

namespace attn::cli {
namespace {

constexpr const char* kQuizUsage =
    "usage: grader quiz [FUNCTION] [options]\n"
    "Dimensions? Asks for the shapes of arrays, each twice, and ends with what was wrong. It costs no "
    "points.\n"
    "  grader quiz --assignment 2\n"
    "  grader quiz multi_head_attention\n";

std::string shape_text(const std::vector<std::string>& dims) {
    return fmt::format("[{}]", fmt::join(dims, ", "));
}

/// The words between brackets, commas and blanks.
std::vector<std::string> dims_in(const std::string& typed) {
    std::string text = typed;
    std::ranges::replace_if(
        text, [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

std::vector<const ask::TensorSpec*> arrays_of(const ask::Function& function) {
    std::vector<const ask::TensorSpec*> arrays;
    for (const auto* list : {&function.outputs, &function.inputs})
        for (const ask::TensorSpec& array : *list) arrays.push_back(&array);
    return arrays;
}

std::set<std::string> letters_in(const ask::TensorSpec& array) {
    std::set<std::string> letters;
    for (const std::string& dim : array.dims)
        for (const std::string& letter : ask::letters_of(dim)) letters.insert(letter);
    return letters;
}

/// The letters that the other arrays and the lengths of the function show.
std::set<std::string> letters_besides(const ask::Function& function, const ask::TensorSpec& hidden) {
    std::set<std::string> letters;
    for (const ask::TensorSpec* other : arrays_of(function))
        if (other != &hidden) letters.merge(letters_in(*other));
    for (const ask::OptionSpec& option : function.options)
        if (option.length) letters.insert(option.name);
    return letters;
}

std::vector<ShapeQuestion> shuffled(std::vector<ShapeQuestion> questions, unsigned seed) {
    std::mt19937 random(seed);
    std::shuffle(questions.begin(), questions.end(), random);
    return questions;
}

}  // namespace

std::vector<ShapeQuestion> shape_questions(const std::vector<const rubric::PartRubric*>& parts) {
    std::vector<ShapeQuestion> questions;
    for (const rubric::PartRubric* part : parts)
        for (const ask::TensorSpec* array : arrays_of(*part->function))
            if (!array->dims.empty() &&
                std::ranges::includes(letters_besides(*part->function, *array), letters_in(*array)))
                questions.push_back({part, array});
    return questions;
}

std::string question_text(const ShapeQuestion& question) {
    const ask::Function& function = *question.part->function;
    const auto in_words = [&](const std::vector<ask::TensorSpec>& arrays) {
        std::vector<std::string> words;
        for (const ask::TensorSpec& array : arrays)
            words.push_back(array.name + ' ' + (&array == question.hidden ? "[?]" : shape_text(array.dims)));
        return fmt::format("{}", fmt::join(words, ", "));
    };
    std::string text = fmt::format("{}: {}", function.name, in_words(function.outputs));
    if (!function.inputs.empty()) text += " from " + in_words(function.inputs);
    for (const ask::OptionSpec& option : function.options)
        if (option.length) text += ", " + option.name;
    return text;
}

std::string shape_mistake(const ShapeQuestion& question, const std::string& typed) {
    const std::vector<std::string> given = dims_in(typed), &right = question.hidden->dims;
    if (given.size() != right.size())
        return fmt::format("{} has {} {}, you typed {}", question.hidden->name, right.size(),
                           right.size() == 1 ? "axis" : "axes", given.size());
    auto known = letters_besides(*question.part->function, *question.hidden);
    for (const std::string& dim : given) {
        std::vector<std::string> letters;
        try {
            letters = ask::letters_of(dim);
            for (const std::string& letter : letters)
                if (!known.contains(letter))
                    return fmt::format("{} is none of the lengths here: {}", letter, fmt::join(known, ", "));
            ask::Sizes ones;
            for (const std::string& letter : letters) ones[letter] = 1;
            ask::length_of(dim, ones);
        } catch (const std::invalid_argument&) {
            return fmt::format("{} is no length; expected letters such as {}, or D/H", dim, *known.begin());
        }
    }
    for (std::size_t axis = 0; axis < right.size(); ++axis)
        for (const rubric::CaseRubric& asked : question.part->cases)
            if (given[axis] != right[axis] && ask::accepts(*question.part->function, asked.sizes) &&
                ask::length_of(given[axis], asked.sizes) != ask::length_of(right[axis], asked.sizes))
                return "no";
    return {};
}

int ask_shapes(const std::vector<ShapeQuestion>& questions, unsigned seed, std::istream& in,
               std::ostream& out, std::size_t width) {
    std::vector<ShapeQuestion> order = shuffled(questions, seed);
    for (const ShapeQuestion& again : shuffled(questions, seed + 1)) order.push_back(again);
    out << "Dimensions? Type the shape that is missing, for example B N D. An empty line shows it; q ends.\n";
    std::vector<std::string> wrong;
    std::size_t answered = 0;
    for (const ShapeQuestion& question : order) {
        out << '\n'
            << report::wrapped(fmt::format("{}/{}  {}", answered + 1, order.size(), question_text(question)),
                               width)
            << '\n'
            << "   " << question.hidden->name << " = " << std::flush;
        std::string typed;
        if (!std::getline(in, typed) || typed == "q") break;
        ++answered;
        const std::string mistake = shape_mistake(question, typed);
        if (mistake.empty()) {
            out << "   right\n";
            continue;
        }
        const std::string right =
            fmt::format("{} is {}", question.hidden->name, shape_text(question.hidden->dims));
        const bool asked = dims_in(typed).empty();
        out << fmt::format("   {}: {}\n", asked ? "not answered" : mistake, right);
        wrong.push_back(fmt::format("   {}: {}{}", question.part->function->name, right,
                                    asked ? "" : ", you typed " + shape_text(dims_in(typed))));
    }
    out << fmt::format("\n{} of {} right.\n", answered - wrong.size(), answered);
    for (const std::string& line : wrong) out << report::wrapped(line, width) << '\n';
    return static_cast<int>(wrong.size());
}

int quiz_command(const Words& words) {
    unsigned seed = std::random_device()();
    po::options_description options("options");
    add_assignment_option(options, "only the assignment with this number");
    options.add_options()("seed", po::value(&seed),
                          "a number that chooses the order; without it each run has another one");
    add_course_option(options);
    const auto values = parse(words, kQuizUsage, options, "function");
    if (!values) return kAllPassed;
    const auto rubrics = rubric::read_rubrics(Installation().assignments);
    std::vector<const rubric::PartRubric*> parts;
    for (const Target& target : targets_in(*values, rubrics))
        parts.push_back(
            &*std::ranges::find(target.rubric->parts, target.function, &rubric::PartRubric::function));
    const std::vector<ShapeQuestion> questions = shape_questions(parts);
    if (questions.empty())
        throw UserError(
            "no array of these functions has a shape that follows from the others; choose other "
            "functions or an assignment");
    ask_shapes(questions, seed, std::cin, std::cout, terminal_width());
    return kAllPassed;
}

}  // namespace attn::cli
