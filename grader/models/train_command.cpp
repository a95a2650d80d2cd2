#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/models/commands.h"
#include "grader/models/student_modules.h"
#include "grader/models/submission_workers.h"
#include "grader/models/training_page.h"
#include "reference/models/tasks.h"
#include "reference/models/train_program.h"

namespace attn::trained {
namespace {

/// The gradients of the first step with some of the student's functions, compared with right ones.
GradientCheck check_first_step(const training::Trained& trained, const TrainingStudent& student,
                               const std::set<std::string>& asked) {
    const auto task = training::task_named(trained.model);
    StudentOrReference functions(student.call, asked);
    const auto yours = student_modules(functions, training::fast_modules()), right = training::fast_modules();
    return compare_gradients(*task, task->layout().initial(trained.seed), *yours, *right);
}

/// What is wrong with the gradients of the first step, in sentences; empty if they are right.
std::string wrong_gradient(const training::Trained& trained, const TrainingStudent& student,
                           const std::vector<UsedFunction>& origins) {
    const GradientCheck check = check_first_step(trained, student, student.functions);
    if (check.good()) return "";
    const std::string error = std::isfinite(check.difference)
                                  ? fmt::format("its error is {:.0f} % of it", 100 * check.difference)
                                  : "it has values that are not finite";
    const std::string text =
        fmt::format("In the first step, the gradient of {} is wrong: {}.", check.weight, error);
    for (const UsedFunction& origin : origins)
        if (origin.students && !check_first_step(trained, student, {origin.function}).good())
            return fmt::format("{} Your {} makes it wrong: `make grade A={}` says more.", text,
                               origin.function, origin.assignment);
    return text + " `make grade` says more.";
}

void add_run(ModelPage& drawn, const std::string& file) {
    try {
        add_curves(drawn, data::read_file(file), std::filesystem::path(file).stem().string());
    } catch (const nlohmann::json::exception&) {
        throw data::FileError(file, "it holds no curves of a training",
                              "a file that train --json wrote was expected", "give --compare such a file");
    }
}

void write_page(const ModelPage& drawn, const std::string& html) {
    const std::string page = to_html(drawn);
    data::Replacement file(html);
    file.write(page.data(), page.size());
    file.commit();
    std::cout << "The page with the loss and the pictures: " << html << '\n';
}

}  // namespace

TrainingStudent take_in_submission(const std::string& submission) {
    const auto rubrics = rubrics_for_training();
    const auto functions =
        std::make_shared<SubmissionWorkers>(submission, rubrics, SubmissionWorkers::Compiled::for_speed);
    return {[functions](const ask::Function& function, const Arrays& inputs,
                        const std::vector<std::string>& wanted, worker::Placement placement) {
                return (*functions)(function, inputs, wanted, placement);
            },
            all_functions(rubrics),
            [functions](const std::string& name) { return functions->assignment_of(name); }};
}

int train_command(int count, char** values, const TakeIn& take_in) {
    data::set_shipped_folder(Installation().datasets);
    namespace po = boost::program_options;
    std::string html, json, submission = "student";
    std::vector<std::string> earlier;
    std::optional<TrainingStudent> student;
    std::unique_ptr<StudentOrReference> functions;
    training::Extension extension;
    extension.options.add_options()("html", po::value(&html), "draw a page about the training")(
        "json", po::value(&json), "write the curves of the page to this file")(
        "compare", po::value(&earlier)->composing(),
        "draw the curves of an earlier training beside these: a file of --json; may be repeated")(
        "submission", po::value(&submission), "whose functions --modules student takes (default: student)");
    extension.examples =
        "  train digits --html digits.html\n"
        "  train translation --beside translation_without_attention --html dates.html\n"
        "  train three_sentences --modules student\n"
        "  train digits --seed 2 --html digits.html --compare seed_1.json\n";
    extension.modules["student"] = [&] {
        if (!functions) {  // it is the same student for a second model
            student = take_in(submission);
            functions = std::make_unique<StudentOrReference>(student->call, student->functions);
        }
        return student_modules(*functions, training::fast_modules());
    };
    extension.ended = [&](const std::vector<training::Trained>& trained) {
        ModelPage drawn = page_of(trained);
        std::string wrong;
        if (functions) {
            drawn.origins = origins_with_assignments(*functions, student->assignment_of);
            print(drawn.origins);
            wrong = wrong_gradient(trained.at(0), *student, drawn.origins);
            const std::string right = "In the first step, the gradients of your functions are right.";
            drawn.sections.at(0).text.push_back(wrong.empty() ? right : wrong);
            if (wrong.empty()) {
                std::cout << right << '\n';
            } else {
                drawn.good = false;
                drawn.verdict += " " + wrong;
            }
        }
        // Before the curves of others are added.
        if (!json.empty()) data::write_file(json, curves_to_json(drawn, trained.at(0).model));
        for (const std::string& file : earlier) add_run(drawn, file);
        if (!html.empty()) write_page(drawn, html);
        // The last line, because the exit code says the same.
        if (!wrong.empty()) std::cout << wrong << '\n';
        return wrong.empty();
    };
    return training::train_program(count, values, extension);
}

}  // namespace attn::trained
