#include <algorithm>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "datasets/files/replacement.h"
#include "grader/base/installation.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/models/commands.h"
#include "grader/models/shows.h"
#include "grader/models/submission_workers.h"
#include "grader/report/text.h"
#include "grader/rubric/course.h"

namespace attn::trained {
namespace {

constexpr const char* kShowUsage =
    "usage: show --assignment N [SUBMISSION] [options]\n"
    "Runs a trained model with your functions, and draws what it reads, where it looks and what it writes.\n"
    "  show --assignment 6                       your vision transformer reads digits\n"
    "  show --assignment 6 work.zip --html x.html\n"
    "  show --list                               the course's assignments with a show, and their weights\n"
    "A function that is not written yet is the reference's; the page says which are yours.\n"
    "Exit code: 0 the model does what it learned, 1 a function of yours spoils it or is not written yet.\n";

/// The shows of the course's assignments.
std::vector<Show> shows_of(const rubric::Course& course) {
    std::vector<Show> found;
    for (const Show& show : shows())
        if (course.find(show.assignment) != nullptr) found.push_back(show);
    return found;
}

std::string assignments_of(const std::vector<Show>& all) {
    std::string text;
    for (const Show& show : all) text += (text.empty() ? "" : ", ") + std::to_string(show.assignment);
    return text.empty() ? "none, because this course has no assignment with a show" : text;
}

void print_show(const ModelPage& page, const std::string& file) {
    std::cout << page.title << '\n' << report::wrapped(page.verdict, cli::terminal_width()) << "\n\n";
    print(page.origins);
    std::cout << "\nThe page with the pictures: " << file << '\n';
}

}  // namespace

int show_command(const cli::Words& words) {
    cli::po::options_description options("options");
    std::string html = "build/show.html", weights_folder;
    cli::add_assignment_option(options, "the number of the assignment");
    options.add_options()("html", cli::po::value(&html)->default_value(html), "the page to write")(
        "weights", cli::po::value(&weights_folder), "a folder with other trained weights")(
        "list", "print the course's assignments with a show, each with its file of weights");
    cli::add_course_option(options);
    const auto values = cli::parse(words, kShowUsage, options, "submission");
    if (!values) return cli::kAllPassed;
    const int assignment = cli::assignment_in(*values).value_or(0);
    const Installation installation;
    const auto rubrics = rubric::read_rubrics(installation.assignments);
    const std::vector<Show> all =
        shows_of(rubric::read_course(rubrics, installation.assignments, cli::course_in(*values)));
    if (values->count("list") != 0) {
        for (const Show& each : all) std::cout << each.assignment << ' ' << each.weights << '\n';
        return cli::kAllPassed;
    }
    const auto show =
        std::find_if(all.begin(), all.end(), [&](const Show& each) { return each.assignment == assignment; });
    if (show == all.end())
        throw cli::UsageError(fmt::format("there is no trained model for assignment {}; there is one for {}",
                                          assignment, assignments_of(all)));
    const cli::Words given =
        values->count("submission") != 0 ? (*values)["submission"].as<cli::Words>() : cli::Words{"student"};
    if (given.size() != 1) throw cli::UsageError("give one submission");

    const std::filesystem::path folder =
        weights_folder.empty() ? installation.datasets / "weights" : std::filesystem::path(weights_folder);
    const Weights weights(folder / show->weights);
    cli::remove_earlier_file(html);
    const auto progress = cli::progress_line();
    progress("compiling, and running the model");
    SubmissionWorkers students(given[0], rubrics);
    StudentOrReference yours(std::ref(students), all_functions(rubrics), StudentOrReference::Checked::yes),
        reference({}, {});
    const ModelPage page = page_of(*show, {weights, yours, reference}, [&](const std::string& function) {
        return students.assignment_of(function);
    });
    progress("");
    data::write_file(html, to_html(page));
    print_show(page, html);
    return page.good ? cli::kAllPassed : cli::kSomethingFailed;
}

}  // namespace attn::trained
