// The program `train`: trains a model of the course and draws a page about it.
// `make train MODEL=digits` runs it.

#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "datasets/replacement.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/training/gradient_check.h"
#include "grader/training/model_page_json.h"
#include "grader/training/origins.h"
#include "grader/training/student_modules.h"
#include "grader/training/training_page.h"
#include "reference/training/tasks.h"
#include "reference/training/train_program.h"

namespace attn::trained {
namespace {

/// Says on the page whether the student's gradients are right.
void add_gradient_check(ModelPage& page, const training::Trained& trained, Functions& functions) {
    const auto task = training::task_named(trained.model);
    const auto yours = student_modules(functions, training::fast_modules()), right = training::fast_modules();
    const GradientCheck check =
        compare_gradients(*task, task->layout().initial(trained.seed), *yours, *right);
    const std::string text = check.good() ? "In the first step, the gradients of your functions are right."
                                          : fmt::format(
                                                "In the first step, the gradient of {} is wrong: its error "
                                                "is {:.0f} % of it. `make grade A=13` says more.",
                                                check.weight, 100 * check.difference);
    std::cout << text << '\n';
    page.sections.at(0).text.push_back(text);
    if (check.good()) return;
    page.good = false;
    page.verdict += " " + text;
}

int main_of_training(int argc, char** argv) {
    data::set_shipped_folder(Installation().datasets);
    namespace po = boost::program_options;
    std::string html, submission = "student";
    std::unique_ptr<SubmissionFunctions> students;
    std::unique_ptr<Functions> functions;
    training::Extension extension;
    extension.options.add_options()("html", po::value(&html), "draw a page about the training")(
        "submission", po::value(&submission), "whose functions --modules student takes (default: student)");
    extension.examples =
        "  train digits --html digits.html\n"
        "  train translation --beside translation_without_attention --html dates.html\n"
        "  train three_sentences --modules student\n";
    extension.modules["student"] = [&] {
        const auto rubrics = submission::read_rubrics(Installation().assignments);
        students = std::make_unique<SubmissionFunctions>(submission, rubrics,
                                                         SubmissionFunctions::Compiled::for_speed);
        functions = std::make_unique<Functions>(std::ref(*students), all_functions(rubrics));
        return student_modules(*functions, training::fast_modules());
    };
    extension.ended = [&](const std::vector<training::Trained>& trained) {
        ModelPage drawn = page_of(trained);
        if (functions) drawn.origins = origins_with_assignments(*functions, *students);
        if (functions) add_gradient_check(drawn, trained.at(0), *functions);
        print(drawn.origins);
        if (html.empty()) return;
        const std::string page = to_html(drawn);
        data::Replacement file(html);
        file.write(page.data(), page.size());
        file.commit();
        std::cout << "The page with the loss and the pictures: " << html << '\n';
    };
    return training::train_program(argc, argv, extension);
}

}  // namespace
}  // namespace attn::trained

int main(int argc, char** argv) {
    return attn::trained::main_of_training(argc, argv);
}
