#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/insight/write_insight.h"
#include "grader/classes/view.h"

namespace attn::classes {
namespace {

constexpr const char* kExportUsage =
    "usage: grader class export --to FORMAT (--grades FILE | --feedback FOLDER_OR_ZIP) [options]\n"
    "Writes the published marks, or what students get back, in the form of a course platform. A held mark is "
    "left out and\n"
    "named. Moodle and Canvas fill in the table that you exported there: give it with --table.\n"
    "  grader class export --to moodle --table worksheet.csv --grades upload.csv\n"
    "  grader class export --to moodle --feedback feedback.zip\n"
    "  grader class export --to csv --grades marks.csv --anonymous\n";

constexpr const char* kReportUsage =
    "usage: grader class report FOLDER [options]\n"
    "Writes the instructor's page, FOLDER/index.html, and the same as CSV and JSON: distributions, which "
    "checks fail most,\n"
    "which misconceptions the class has, with the submissions behind every figure. It shows pseudonyms "
    "unless you ask for\n"
    "names, and hidden inputs: it is for you alone.\n"
    "  grader class report insight\n"
    "  grader class report insight --names --last\n";

void print_exported(const std::string& what, const std::string& place, const Exported& exported) {
    std::cout << fmt::format("{}: {} of {} students\n", place, what, exported.written);
    print_notes(exported.notes);
}

}  // namespace

int export_command(const Words& words) {
    po::options_description options("options");
    const std::string formats = fmt::format("the form: {}", fmt::join(known_grade_formats(), ", "));
    options.add_options()("to", po::value<std::string>()->value_name("FORMAT"), formats.c_str())(
        "grades", po::value<std::string>()->value_name("FILE"), "write the marks to this file")(
        "feedback", po::value<std::string>()->value_name("PLACE"),
        "write students' feedback to this folder or .zip")(
        "table", po::value<std::string>()->value_name("FILE"),
        "moodle, canvas: the table that you exported there")(
        "column", po::value<std::string>()->value_name("TITLE"), "canvas: the column of the exercise")(
        "scale", "convert marks to the platform's maximum, where that is another")(
        "anonymous", "csv, json: pseudonyms in place of people")(
        "last", "the last marks, although they are not published")(
        "after-deadline", "feedback: also the checks that rubrics keep back until the deadline")(
        "published", "feedback: also the checks that rubrics keep back until marks are published");
    add_class_options(options);
    const auto values = cli::parse(words, kExportUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    arguments_of(*values, 0, 0, kExportUsage);
    const std::string format = cli::text_of(*values, "to"), grades = cli::text_of(*values, "grades"),
                      feedback = cli::text_of(*values, "feedback");
    if (format.empty() || (grades.empty() && feedback.empty()))
        throw cli::UsageError(
            std::string("say what to write: --to FORMAT, and --grades FILE or --feedback PLACE\n") +
            kExportUsage);
    Session session(*values, Database::Access::read);
    const Version version = session.version(session.exercise(), values->count("last") != 0);
    const bool anonymous = values->count("anonymous") != 0;
    ViewReader reader(session.gradebook(), session.rules(), version, session.installation(), !anonymous);
    if (!grades.empty()) {
        const ClassView view =
            view_of(reader, format == "csv" || format == "json" ? Reports::points : Reports::none);
        const ExportOptions how{anonymous, values->count("scale") != 0, cli::text_of(*values, "column")};
        print_exported("marks", grades,
                       write_grades(view, format, cli::text_of(*values, "table"), grades, how));
    }
    if (!feedback.empty()) {
        const ClassView view = view_of(reader, Reports::of_counting);
        print_exported(
            "feedback", feedback,
            write_feedback(view, format, feedback,
                           {values->count("after-deadline") != 0, values->count("published") != 0, false}));
    }
    return cli::kAllPassed;
}

int report_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("names", "show names beside the pseudonyms")(
        "last", "the last marks, although they are not published");
    add_class_options(options);
    const auto values = cli::parse(words, kReportUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const std::string folder = arguments_of(*values, 1, 1, kReportUsage).front();
    Session session(*values, Database::Access::read);
    const Version version = session.version(session.exercise(), values->count("last") != 0);
    ViewReader reader(session.gradebook(), session.rules(), version, session.installation(),
                      values->count("names") != 0);
    InsightWriter writer(reader.head(), folder, session.folder().path());
    for (const Student& student : reader.students()) writer.add(reader.student(student, Reports::of_all));
    const Insight insight = writer.finish();
    std::cout << fmt::format("{}: {} students, {} graded. Open {}/index.html\n", insight.title,
                             insight.students.size(), insight.graded.size(), folder);
    return cli::kAllPassed;
}

}  // namespace attn::classes
