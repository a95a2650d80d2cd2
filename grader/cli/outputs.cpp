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

#include "grader/cli/options.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/report/platforms/autolab.h"
#include "grader/report/platforms/classroom50.h"
#include "grader/report/platforms/csv.h"
#include "grader/report/platforms/github.h"
#include "grader/report/platforms/gradescope.h"
#include "grader/report/platforms/junit.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/platforms/prairielearn.h"

namespace attn::cli {
namespace {

using report::Report;

constexpr const char* kDialect = "junit-dialect";
constexpr const char* kClassroom = "classroom-name";
constexpr const char* kClassroomAssignment = "classroom-assignment";

std::string told(const po::variables_map& values, const char* option) {
    return values.count(option) != 0 ? values[option].as<std::string>() : "";
}

/// An option's value, or else the environment's.
std::string told_or_set(const po::variables_map& values, const char* option, const char* variable) {
    const char* set = std::getenv(variable);
    const std::string value = told(values, option);
    return value.empty() && set != nullptr ? set : value;
}

report::JunitDialect dialect_in(const po::variables_map& values) {
    const auto& names = report::kJunitDialectNames;
    const auto found = std::find(names.begin(), names.end(), told(values, kDialect));
    if (found == names.end())
        throw UsageError(fmt::format("--{}: there is no dialect '{}'; there are {}", kDialect,
                                     told(values, kDialect), fmt::join(names, ", ")));
    return static_cast<report::JunitDialect>(found - names.begin());
}

/// Names by the options, and all else by the environment that Classroom 50 runs an autograder in.
report::Classroom50 classroom_in(const po::variables_map& values) {
    report::Classroom50 names;
    names.classroom = told_or_set(values, kClassroom, "CLASSROOM");
    names.assignment = told_or_set(values, kClassroomAssignment, "ASSIGNMENT");
    if (names.classroom.empty() || names.assignment.empty())
        throw UsageError(fmt::format("--classroom50: which {}? Give --{}, or set {} as Classroom 50 does",
                                     names.classroom.empty() ? "classroom" : "assignment",
                                     names.classroom.empty() ? kClassroom : kClassroomAssignment,
                                     names.classroom.empty() ? "CLASSROOM" : "ASSIGNMENT"));
    names.submission = told_or_set(values, "", "SUBMISSION_TAG");
    names.commit = told_or_set(values, "", "COMMIT_URL");
    names.release = told_or_set(values, "", "RELEASE_URL");
    names.review = told_or_set(values, "", "REVIEW_URL");
    if (names.review.empty()) names.review = names.commit;
    names.datetime = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return names;
}

/// While it lives, new files are their owner's alone.
class OwnersOnly {
  public:
    OwnersOnly() : before_(umask(S_IRWXG | S_IRWXO)) {}
    ~OwnersOnly() { umask(before_); }
    OwnersOnly(const OwnersOnly&) = delete;
    OwnersOnly& operator=(const OwnersOnly&) = delete;

  private:
    mode_t before_;
};

enum class Place {
    file,
    file_for_people,  ///< somebody will want to open it: the path of the last of these is printed
    stream,           ///< read from a program's standard output, so it may go there, too
};

struct Format {
    const char* option;
    const char* about;
    std::string (*write)(const Report&, const po::variables_map&);
    Place place = Place::file;
    Report Views::*view = &Views::of_student;
};

/// A writer that has to be told nothing.
template <std::string (*write)(const Report&)>
std::string alone(const Report& report, const po::variables_map&) {
    return write(report);
}

constexpr Format kFormats[] = {
    {"json", "the whole report, as far as it is disclosed", alone<report::to_json>, Place::file_for_people},
    {"full-json", "all of it, secret inputs included: for the instructor only", alone<report::to_json>,
     Place::file, &Views::of_instructor},
    {"markdown", "Markdown, as for a step summary of GitHub Actions",
     [](const Report& report, const po::variables_map&) { return report::to_markdown(report); },
     Place::file_for_people},
    {"html", "a page with pictures, for the browser", alone<report::to_html>, Place::file_for_people},
    {"csv", "a table for spreadsheets, a row for each check", alone<report::to_csv>},
    {"junit", "JUnit XML, for Jenkins, GitLab and most others",
     [](const Report& report, const po::variables_map& values) {
         return report::to_junit(report, dialect_in(values));
     }},
    {"gradescope", "Gradescope's results.json", alone<report::to_gradescope>, Place::file,
     &Views::of_platform},
    {"prairielearn", "PrairieLearn's results.json, with heat maps", alone<report::to_prairielearn>},
    {"autolab", "Autolab's last lines of standard output (-: print them)", alone<report::to_autolab>,
     Place::stream},
    {"classroom50", "Classroom 50's result.json",
     [](const Report& report, const po::variables_map& values) {
         return report::to_classroom50(report, classroom_in(values));
     }},
    {"github", "annotations for a step of GitHub Actions (-: print them)", alone<report::to_github>,
     Place::stream},
};

bool wanted(const Format& format, const po::variables_map& values) {
    return values.count(format.option) != 0;
}

bool goes_to_standard_output(const Format& format, const po::variables_map& values) {
    return wanted(format, values) && told(values, format.option) == "-";
}

}  // namespace

Views views_of(report::Report report, report::Viewing viewing) {
    Views views;
    viewing.platform_hides = false;
    views.of_student = report::disclosed(report, viewing);
    viewing.platform_hides = true;
    views.of_platform = report::disclosed(report, viewing);
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
        "of --junit: jenkins takes no more than it knows, gitlab wants each case's file");
    add(kClassroom, "NAME", "of --classroom50, where the environment has no CLASSROOM");
    add(kClassroomAssignment, "NAME", "of --classroom50, where the environment has no ASSIGNMENT");
}

void check_outputs(const po::variables_map& values) {
    dialect_in(values);
    const char* printed = nullptr;
    for (const Format& format : kFormats) {
        if (!goes_to_standard_output(format, values)) continue;
        if (format.place != Place::stream)
            throw UsageError(fmt::format(
                "--{} -: the report for people stands on standard output; name a file", format.option));
        if (printed != nullptr)
            throw UsageError(
                fmt::format("--{} - and --{} -: only one of them can come last on standard output", printed,
                            format.option));
        printed = format.option;
    }
    if (values.count("classroom50") != 0) classroom_in(values);
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
        const std::string path = told(values, format.option);
        std::optional<OwnersOnly> closed;
        if (format.view == &Views::of_instructor) closed.emplace();
        write_file(path, text);
        if (format.place == Place::file_for_people) to_open = path;
    }
    if (!to_open.empty()) std::cout << "Full report: " << to_open << "\n";
    std::cout << last;
}

}  // namespace attn::cli
