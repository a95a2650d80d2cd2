#include "grader/cli/outputs.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "datasets/files/replacement.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/report_queries.h"

namespace attn::cli {
namespace {

using report::Report;

constexpr const char* kHtml = "html";
constexpr const char* kDialect = "junit-dialect";
constexpr const char* kClassroom = "classroom-name";
constexpr const char* kClassroomAssignment = "classroom-assignment";

/// The value of an option, or of an environment variable if the option is not given.
std::string option_or_environment(const po::variables_map& values, const char* option, const char* variable) {
    const char* set = std::getenv(variable);
    const std::string value = text_of(values, option);
    return value.empty() && set != nullptr ? set : value;
}

report::JunitDialect dialect_in(const po::variables_map& values) {
    const auto& names = report::kJunitDialectNames;
    const auto found = std::find(names.begin(), names.end(), text_of(values, kDialect));
    if (found == names.end())
        throw UsageError(fmt::format("--{}: there is no dialect '{}'; there are {}", kDialect,
                                     text_of(values, kDialect), fmt::join(names, ", ")));
    return static_cast<report::JunitDialect>(found - names.begin());
}

/// The names from the options or the environment, the other fields from the environment of Classroom 50.
report::Classroom50 classroom_in(const po::variables_map& values) {
    report::Classroom50 names;
    names.classroom = option_or_environment(values, kClassroom, "CLASSROOM");
    names.assignment = option_or_environment(values, kClassroomAssignment, "ASSIGNMENT");
    if (names.classroom.empty() || names.assignment.empty())
        throw UsageError(fmt::format("--classroom50: which {}? Give --{}, or set {} as Classroom 50 does",
                                     names.classroom.empty() ? "classroom" : "assignment",
                                     names.classroom.empty() ? kClassroom : kClassroomAssignment,
                                     names.classroom.empty() ? "CLASSROOM" : "ASSIGNMENT"));
    names.submission = option_or_environment(values, "", "SUBMISSION_TAG");
    names.commit = option_or_environment(values, "", "COMMIT_URL");
    names.release = option_or_environment(values, "", "RELEASE_URL");
    names.review = option_or_environment(values, "", "REVIEW_URL");
    if (names.review.empty()) names.review = names.commit;
    names.datetime = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return names;
}

/// During its lifetime, new files are readable only for their owner.
class PrivateFiles {
  public:
    PrivateFiles() : before_(umask(S_IRWXG | S_IRWXO)) {}
    ~PrivateFiles() { umask(before_); }
    PrivateFiles(const PrivateFiles&) = delete;
    PrivateFiles& operator=(const PrivateFiles&) = delete;

  private:
    mode_t before_;
};

enum class Destination {
    file,
    file_for_people,  ///< a file that people open: the grader prints the path of the last of these
    stream,           ///< may also be written to standard output, where the platform reads it
};

struct Format {
    const char* option;
    const char* about;
    std::string (*write)(const Report&, const po::variables_map&);
    Destination destination = Destination::file;
    Report Views::*view = &Views::of_student;
};

/// Adapts a writer that needs no options.
template <std::string (*write)(const Report&)>
std::string without_options(const Report& report, const po::variables_map&) {
    return write(report);
}

constexpr Format kFormats[] = {
    {"json", "the report as JSON, without what is not disclosed", without_options<report::to_json>,
     Destination::file_for_people},
    {"full-json", "the whole report with secret inputs, only for the instructor",
     without_options<report::to_json>, Destination::file, &Views::of_instructor},
    {"markdown", "Markdown, for example for a step summary of GitHub Actions",
     [](const Report& report, const po::variables_map&) { return report::to_markdown(report); },
     Destination::file_for_people},
    {kHtml, "a page with pictures, for the browser", without_options<report::to_html>,
     Destination::file_for_people},
    {"csv", "a table for spreadsheets, a row for each check", without_options<report::to_csv>},
    {"junit", "JUnit XML, for Jenkins, GitLab and most others",
     [](const Report& report, const po::variables_map& values) {
         return report::to_junit(report, dialect_in(values));
     }},
    {"gradescope", "Gradescope's results.json", without_options<report::to_gradescope>, Destination::file,
     &Views::of_platform},
    {"prairielearn", "PrairieLearn's results.json, with heat maps", without_options<report::to_prairielearn>},
    {"autolab", "Autolab's last lines of standard output (-: print them)",
     without_options<report::to_autolab>, Destination::stream},
    {"classroom50", "Classroom 50's result.json",
     [](const Report& report, const po::variables_map& values) {
         return report::to_classroom50(report, classroom_in(values));
     }},
    {"github", "annotations for a step of GitHub Actions (-: print them)", without_options<report::to_github>,
     Destination::stream},
};

bool wanted(const Format& format, const po::variables_map& values) {
    return values.count(format.option) != 0;
}

/// Of the report of one assignment: where the page has the pictures that its handout promises.
void name_pictures(const std::string& page, const Report& report) {
    if (report.assignments.size() != 1) return;
    for (const report::Part& part : report.assignments.front().parts)
        for (const report::Check& check : part.checks)
            if (report::is_to_be_seen(check)) {
                const std::string what = fmt::format("  A picture of {}, {}:", part.function, check.name),
                                  where = fmt::format("{}#check-{}", page, check.id);
                const bool fits = what.size() + 1 + where.size() <= terminal_width();
                std::cout << what << (fits ? " " : "\n    ") << where << '\n';
            }
}

bool goes_to_standard_output(const Format& format, const po::variables_map& values) {
    return wanted(format, values) && text_of(values, format.option) == "-";
}

}  // namespace

Views views_of(report::Report report, report::ViewOptions view) {
    Views views;
    view.platform_hides = false;
    views.of_student = report::disclosed(report, view);
    view.platform_hides = true;
    views.of_platform = report::disclosed(report, view);
    views.of_instructor = std::move(report);
    return views;
}

void add_output_options(po::options_description& options) {
    const auto add = [&options](const char* name, const char* value, const std::string& about) {
        options.add_options()(name, po::value<std::string>()->value_name(value), about.c_str());
    };
    for (const Format& format : kFormats)
        add(format.option, "FILE", fmt::format("write to this file: {}", format.about));
    options.add_options()(
        kDialect, po::value<std::string>()->value_name("NAME")->default_value(report::kJunitDialectNames[0]),
        "of --junit: jenkins rejects unknown attributes, gitlab expects the file of each test case");
    add(kClassroom, "NAME", "of --classroom50, if the environment has no CLASSROOM");
    add(kClassroomAssignment, "NAME", "of --classroom50, if the environment has no ASSIGNMENT");
}

void check_outputs(const po::variables_map& values) {
    dialect_in(values);
    const char* printed = nullptr;
    for (const Format& format : kFormats) {
        if (!goes_to_standard_output(format, values)) continue;
        if (format.destination != Destination::stream)
            throw UsageError(
                fmt::format("--{} -: standard output has the report as text; name a file", format.option));
        if (printed != nullptr)
            throw UsageError(
                fmt::format("--{} - and --{} -: only one of them can come last on standard output", printed,
                            format.option));
        printed = format.option;
    }
    if (values.count("classroom50") != 0) classroom_in(values);
}

void remove_earlier_outputs(const po::variables_map& values) {
    for (const Format& format : kFormats)
        if (wanted(format, values) && !goes_to_standard_output(format, values))
            remove_earlier_file(text_of(values, format.option));
}

void write_outputs(const po::variables_map& values, const Views& views) {
    std::string last, to_open;
    for (const Format& format : kFormats) {
        if (!wanted(format, values)) continue;
        const std::string text = format.write(views.*format.view, values);
        if (goes_to_standard_output(format, values)) {
            last = text;
            continue;
        }
        const std::string path = text_of(values, format.option);
        std::optional<PrivateFiles> closed;
        if (format.view == &Views::of_instructor) closed.emplace();
        data::write_file(path, text);
        if (format.destination == Destination::file_for_people) to_open = path;
    }
    if (!to_open.empty()) std::cout << "Full report: " << to_open << "\n";
    if (values.count(kHtml) != 0) name_pictures(text_of(values, kHtml), views.of_student);
    std::cout << last;
}

}  // namespace attn::cli
