#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "datasets/npy.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/grading/replay.h"
#include "grader/judge/locate.h"
#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/html.h"
#include "grader/report/numbers.h"
#include "grader/report/speed_text.h"
#include "grader/report/text.h"

namespace attn::cli {
namespace {

constexpr const char* kExplainUsage =
    "usage: grader explain ID [options]\n"
    "Runs one check of the last report again and shows all its numbers: inputs, your outputs, expected\n"
    "outputs, the difference, and the outputs with the named mistake. Wrong numbers are marked with *.\n"
    "For speed and growth it shows the measurements.\n"
    "  grader explain 2.softmax.ragged\n"
    "  grader explain 2.softmax.ragged --rows 40 --columns 20 --save /tmp/ragged\n"
    "  grader explain 2.softmax.ragged --html ragged.html\n"
    "  grader explain 2.scaled_dot_product_attention.speed\n"
    "Exit code: 0 it passes now, 1 it fails, 2 invalid usage or no such check, 3 a fault of the grader.\n";

report::Tensor shown(const Array& array) {
    return {array.name, array.shape, array.cast<double>().as<double>()};
}

/// Prints text wrapped to the terminal. Wrapping can bring a command for a build server to the begin of a
/// line.
void print_prose(const std::string& text, std::size_t width) {
    std::cout << report::without_commands(report::wrapped_prose(text, width));
}

/// The columns of a matrix that fit into a terminal.
int columns_within(std::size_t width) {
    constexpr std::size_t kColumn = 11, kBeside = 7, kMost = 8;
    return static_cast<int>(std::clamp<std::size_t>((width - kBeside) / kColumn, 1, kMost));
}

/// The student's output minus the expected output. NaN if either is not a number.
report::Tensor difference(const Sides& sides) {
    report::Tensor result = shown(sides.yours);
    for (std::size_t k = 0; k < result.values.size(); ++k) result.values[k] -= number_at(sides.expected, k);
    return result;
}

/// Prints the inputs and outputs of a replayed check.
class ReplayPrinter {
  public:
    ReplayPrinter(const Replay& replay, int rows, int columns, std::size_t width)
        : replay_(replay), rows_(rows), columns_(columns), width_(width) {
        for (const Sides& sides : replay.sides) {
            if (sides.comparison.ok) continue;
            centre_on_worst(sides);
            break;
        }
    }

    void inputs() const {
        for (std::size_t run = 0; run < replay_.runs.size(); ++run) {
            std::vector<report::NumberBlock> blocks;
            std::string options;
            for (const Array& input : replay_.runs[run]) {
                if (run > 0 && same_as_before(input)) continue;
                if (input.shape.empty())
                    options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", input.name,
                                           option_in_words(input));
                else
                    blocks.push_back(report::matrix_of(shown(input), input.name, window(input)));
            }
            std::cout << (run == 0 ? "\ninputs\n"
                                   : fmt::format("\ninputs of call {}, where they differ\n", run + 1));
            if (!options.empty()) std::cout << report::wrapped(options, width_) << '\n';
            std::cout << report::side_by_side(blocks, width_);
        }
    }

    void outputs() const {
        if (!replay_.mistake.empty())
            std::cout << '\n'
                      << report::wrapped("the named mistake: the outputs when " + replay_.mistake, width_)
                      << '\n';
        for (const Sides& sides : replay_.sides) {
            const report::Window at = window(sides.yours, &sides);
            if (replay_.outcome == Outcome::not_implemented) {  // yours has no numbers
                std::cout << '\n'
                          << report::side_by_side({report::matrix_of(shown(sides.expected), sides.right, at)},
                                                  width_);
                continue;
            }
            std::vector<report::NumberBlock> below = {
                report::matrix_of(difference(sides), "difference", at, sides.comparison.wrong)};
            if (sides.mistaken)
                below.push_back(report::matrix_of(shown(*sides.mistaken), "with the mistake", at));
            std::cout << '\n'
                      << report::side_by_side(
                             {report::matrix_of(shown(sides.yours), sides.left, at, sides.comparison.wrong),
                              report::matrix_of(shown(sides.expected), sides.right, at)},
                             width_)
                      << report::side_by_side(below, width_);
        }
    }

  private:
    /// "post", "0.25"
    std::string option_in_words(const Array& input) const {
        const double value = number_at(input, 0);
        const auto option = std::ranges::find(replay_.options, input.name, &ask::OptionSpec::name);
        return option == replay_.options.end() ? fmt::format("{:g}", value) : option->in_words(value);
    }

    bool same_as_before(const Array& input) const {
        for (const Array& first : replay_.runs.front())
            if (first.name == input.name) return first.shape == input.shape && first.values == input.values;
        return false;
    }

    /// Stores the index of the worst element by letter. Arrays with the same letters are shown around it.
    void centre_on_worst(const Sides& sides) {
        const auto index = judge::index_of(sides.comparison.worst, sides.yours.shape);
        const auto letters = replay_.letters.find(sides.yours.name);
        if (letters == replay_.letters.end() || letters->second.size() != index.size()) return;
        for (std::size_t axis = 0; axis < index.size(); ++axis) place_[letters->second[axis]] = index[axis];
    }

    report::Window window(const Array& array, const Sides* own = nullptr) const {
        report::Window window{{}, rows_, columns_};
        if (own != nullptr && !own->comparison.ok) {
            window.centre = judge::index_of(own->comparison.worst, own->yours.shape);
            return window;
        }
        const auto letters = replay_.letters.find(array.name);
        window.centre.resize(array.shape.size());
        if (letters == replay_.letters.end() || letters->second.size() != array.shape.size()) return window;
        for (std::size_t axis = 0; axis < array.shape.size(); ++axis)
            if (const auto at = place_.find(letters->second[axis]); at != place_.end())
                window.centre[axis] = std::min(at->second, array.shape[axis] - 1);
        return window;
    }

    const Replay& replay_;
    int rows_, columns_;
    std::size_t width_;
    std::map<std::string, int> place_;  ///< index of the worst element, by letter of the axis
};

/// The smallest case that the report found for this check.
void print_smallest(const report::Check& recorded, std::size_t width) {
    const report::Check check = report::cleaned(recorded);
    std::string text;
    if (!check.pattern.empty()) text += '\n' + report::without_commands(check.pattern) + '\n';
    if (check.smallest) text += '\n' + report::plain_text(report::describe(*check.smallest, width));
    // The outputs of a listed mistake stand above. Of a change that was found there is only the sentence.
    if (check.diagnosis && check.diagnosis->mistakes.empty()) {
        text += '\n' + report::without_commands(check.diagnosis->sentence) + '\n';
        for (const std::string& hint : check.diagnosis->hints)
            text += "Think: " + report::without_commands(hint) + '\n';
    }
    print_prose(text, width);
}

/// Saves the inputs of the first call and the compared outputs as .npy files.
void save(const Replay& replay, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw data::FileError(folder, "the folder cannot be created (" + error.message() + ")",
                              "a folder for .npy files was expected", "choose another");
    for (const Array& input : replay.runs.front()) data::write_npy(folder / (input.name + ".npy"), input);
    for (std::size_t k = 0; k < replay.sides.size(); ++k) {
        const Sides& sides = replay.sides[k];
        const std::string name = sides.yours.name.empty() ? fmt::format("side_{}", k) : sides.yours.name;
        data::write_npy(folder / (name + "_yours.npy"), sides.yours);
        data::write_npy(folder / (name + "_expected.npy"), sides.expected);
    }
    std::cout << "\nsaved as .npy files: " << folder.string() << '\n';
}

void write_page(const po::variables_map& values, const report::Report& report) {
    if (values.count("html") == 0) return;
    const auto& path = values["html"].as<std::string>();
    data::write_file(path, report::to_html(report));
    std::cout << "page: " << path << '\n';
}

/// Shows the recorded measurements. Speed is not measured again.
int show_measured(const report::Check& check, std::size_t width) {
    print_prose(report::measurement_text(report::cleaned(check)), width);
    if (!std::cout.flush())
        throw std::runtime_error("the measurements could not be written to standard output");
    return check.outcome == Outcome::passed ? kAllPassed : kSomethingFailed;
}

}  // namespace

int explain_command(const Words& words) {
    int rows = 0, columns = 0;
    std::string report;
    const std::size_t width = terminal_width();
    po::options_description options("options");
    options.add_options()("report", po::value(&report)->default_value("build/report.json"),
                          "the report that `grader grade --json` wrote")(
        "submission", po::value<std::string>(), "folder or archive to check; by default that of the report")(
        "rows", po::value(&rows)->default_value(10),
        "number of rows of a matrix to show, around the worst element")(
        "columns", po::value(&columns)->default_value(columns_within(width)),
        "number of columns of a matrix to show; by default as many as fit, at most 8")(
        "save", po::value<std::string>(), "write all arrays to this folder as .npy files")(
        "html", po::value<std::string>()->value_name("FILE"), "write a page with pictures of the check");
    const auto values = parse(words, kExplainUsage, options, "id");
    if (!values) return kAllPassed;
    const std::string id =
        arguments_of(*values, "id", 1,
                     std::string("give the ID of one check, as shown in the report\n") + kExplainUsage)
            .front();
    if (rows < 1 || columns < 1) throw UsageError("--rows and --columns have to be 1 or more");

    const report::RecordedCheck recorded = report::recorded_check_in(report, id);
    if (values->count("html") != 0) remove_earlier_file((*values)["html"].as<std::string>());
    if (!report::is_correctness_check(recorded.check)) {
        write_page(*values, explained(recorded));
        return show_measured(recorded.check, width);
    }
    const std::string submission =
        values->count("submission") != 0 ? (*values)["submission"].as<std::string>() : recorded.submission;
    const Replay found = replay(recorded, submission, Installation());

    std::string text = fmt::format("{}, {}: {}\n{}\n", recorded.check.id, name_of(recorded.check.kind),
                                   in_words(found.outcome), found.about);
    if (!found.message.empty()) text += report::one_line(found.message) + '\n';
    if (found.lines && !found.lines->what.empty()) text += report::one_line(found.lines->what) + '\n';
    print_prose(text, width);
    if (found.lines) std::cout << report::in_words(*found.lines, width);
    text.clear();
    if (found.outcome == Outcome::passed && !recorded.check.message.empty())
        text +=
            "Run alone, the check passes now. The report said: " + report::one_line(recorded.check.message) +
            '\n';
    for (const std::string& function : recorded.stand_ins)
        text += "tested with the course's " + function +
                ", because yours, or what it calls, is wrong, too slow or not begun\n";
    for (const report::AddedBarrier& barrier : recorded.added_barriers)
        text +=
            fmt::format("a __syncthreads() is added in front of line {} of {}\n", barrier.line, barrier.file);
    print_prose(text, width);
    const ReplayPrinter printer(found, rows, columns, width);
    printer.inputs();
    printer.outputs();
    const report::Report page = explained(recorded, &found);
    std::cout << report::without_commands(
        report::drawing_text(report::cleaned(page.assignments.at(0).parts.at(0).checks.at(0)), width));
    if (found.outcome == recorded.check.outcome) print_smallest(recorded.check, width);
    if (!found.printed.empty()) std::cout << "\nit printed:\n" << report::quote_lines(found.printed);
    if (values->count("save") != 0) save(found, (*values)["save"].as<std::string>());
    write_page(*values, page);
    if (!std::cout.flush()) throw std::runtime_error("the numbers could not be written to standard output");
    return found.outcome == Outcome::passed ? kAllPassed : kSomethingFailed;
}

}  // namespace attn::cli
