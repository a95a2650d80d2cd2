#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "grader/base/errors.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/late_rules.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/csv_table.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

CsvCell export_cell(std::string_view text) {
    return {without_formula(tidy_name(text)), false};
}

std::vector<CsvCell> export_row(std::initializer_list<std::string_view> texts) {
    std::vector<CsvCell> row;
    for (const std::string_view text : texts) row.push_back({std::string(text), false});
    return row;
}

const AttemptView* attempt_that_counts(const StudentView& student) {
    const auto found = std::find_if(student.attempts.begin(), student.attempts.end(),
                                    [](const AttemptView& attempt) { return attempt.counts; });
    return found == student.attempts.end() ? nullptr : &*found;
}

/// The functions of the exercise, as anybody's attempt has them.
std::vector<std::string> functions_of(const ClassView& view) {
    std::vector<std::string> functions;
    for (const StudentView& student : view.students)
        for (const FunctionPoints& each : student.functions)
            if (std::ranges::count(functions, each.function) == 0) functions.push_back(each.function);
    return functions;
}

/// A row for each student, also for those without a mark.
CsvTable grades_table(const ClassView& view, const ExportOptions& options, Exported& result) {
    CsvTable table;
    table.line_end = "\r\n";
    table.rows.push_back(
        options.anonymous
            ? export_row({"pseudonym", "attempts", "raw", "out_of", "penalty", "final", "overridden"})
            : export_row({"name", "email", "id", "login", "section", "pseudonym", "on_roster", "attempts",
                          "handed_in", "raw", "out_of", "days_late", "penalty", "final", "overridden",
                          "explanation"}));
    const std::vector<std::string> functions = functions_of(view);
    for (const std::string& function : functions)
        table.rows.front().push_back({"points of " + function, false});
    for (const StudentView& student : view.students) {
        if (student.mark && student.mark->held) continue;
        std::vector<CsvCell> row;
        const auto add = [&row](std::string_view text) { row.push_back(export_cell(text)); };
        const auto add_number = [&row](double value) { row.push_back({grade_text(value), false}); };
        const Person& person = student.person;
        if (!options.anonymous) {
            for (const std::string* text :
                 {&person.name, &person.email, &person.key, &person.login, &person.section})
                add(*text);
            add(student.pseudonym);
            add(student.on_roster ? "yes" : "no");
        } else {
            add(student.pseudonym);
        }
        add_number(static_cast<double>(student.attempts.size()));
        const AttemptView* attempt = attempt_that_counts(student);
        if (!options.anonymous) add(attempt != nullptr ? when_text(*attempt) : "");
        if (student.mark) {
            const Mark& mark = *student.mark;
            add_number(mark.raw);
            add_number(mark.out_of);
            if (!options.anonymous) add_number(mark.days_late);
            add_number(mark.penalty);
            add_number(mark.final);
            add(mark.overridden ? "yes" : "no");
            if (!options.anonymous) add(mark.explanation);
            ++result.written;
        }
        row.resize(table.rows.front().size() - functions.size());
        for (const std::string& function : functions) {
            const auto found = std::ranges::find(student.functions, function, &FunctionPoints::function);
            row.push_back({found == student.functions.end() ? "" : grade_text(found->points), false});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string grades_json(const ClassView& view, const ExportOptions& options, Exported& result) {
    using nlohmann::json;
    json students = json::array();
    for (const StudentView& student : view.students) {
        if (student.mark && student.mark->held) continue;
        const Person& person = student.person;
        json one = {{"pseudonym", student.pseudonym}};
        if (!options.anonymous)
            one.update({{"name", tidy_name(person.name)},
                        {"email", tidy_name(person.email)},
                        {"id", tidy_name(person.key)},
                        {"login", tidy_name(person.login)},
                        {"section", tidy_name(person.section)},
                        {"on_roster", student.on_roster}});
        json attempts = json::array();
        for (const AttemptView& attempt : student.attempts) {
            json each = {{"number", attempt.number}, {"counts", attempt.counts}, {"graded", attempt.graded}};
            if (!options.anonymous)
                each["handed_in"] = when_text(attempt).empty() ? json() : json(when_text(attempt));
            attempts.push_back(std::move(each));
        }
        one["attempts"] = std::move(attempts);
        json functions = json::array();
        for (const FunctionPoints& each : student.functions)
            functions.push_back({{"function", each.function},
                                 {"points", rounded_mark(each.points)},
                                 {"max_points", rounded_mark(each.max_points)}});
        one["functions"] = std::move(functions);
        one["mark"] = nullptr;
        if (student.mark) {
            const Mark& mark = *student.mark;
            one["mark"] = {{"raw", mark.raw},
                           {"out_of", mark.out_of},
                           {"penalty", mark.penalty},
                           {"final", mark.final},
                           {"overridden", mark.overridden}};
            if (!options.anonymous)
                one["mark"].update({{"days_late", mark.days_late}, {"explanation", mark.explanation}});
            ++result.written;
        }
        students.push_back(std::move(one));
    }
    const json all = {{"schema_version", 1},
                      {"title", view.title},
                      {"made_at", moment_text(view.made_at)},
                      {"anonymous", options.anonymous},
                      {"students", std::move(students)}};
    return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// The columns of Gradescope's "Download Grades".
CsvTable gradescope_table(const ClassView& view, Exported& result) {
    CsvTable table;
    table.rows.push_back(export_row({"Name", "SID", "Email", "Sections", "Total Score", "Max Points",
                                     "Status", "Submission Time", "Lateness (H:M:S)", "Submission Count"}));
    for (const StudentView& student : view.students) {
        if (student.mark && student.mark->held) continue;
        const AttemptView* attempt = attempt_that_counts(student);
        std::vector<CsvCell> row;
        for (const std::string* text :
             {&student.person.name, &student.person.key, &student.person.email, &student.person.section})
            row.push_back(export_cell(*text));
        row.push_back({student.mark ? grade_text(student.mark->final) : "", false});
        row.push_back({student.mark ? grade_text(student.mark->out_of) : "", false});
        row.push_back({student.mark ? "Graded" : student.attempts.empty() ? "Missing" : "Ungraded", false});
        row.push_back({attempt != nullptr ? when_text(*attempt) : "", false});
        Moment late = attempt != nullptr && attempt->when_by != TimeSource::unknown && view.due
                          ? std::max<Moment>(0, attempt->when - *view.due)
                          : 0;
        row.push_back({fmt::format("{:02}:{:02}:{:02}", late / 3600, late / 60 % 60, late % 60), false});
        row.push_back({std::to_string(student.attempts.size()), false});
        table.rows.push_back(std::move(row));
        if (student.mark) ++result.written;
    }
    result.notes.emplace_back(
        "Gradescope has no upload for such a list; it has the columns of its \"Download Grades\".");
    return table;
}

/// Autolab takes no header, an e-mail address that it knows, and a number for each problem. One bad row makes
/// it refuse the whole file.
CsvTable autolab_table(const ClassView& view, Exported& result) {
    CsvTable table;
    for (const StudentView& student : view.students) {
        if (!has_published_mark(student)) continue;
        const std::string email = tidy_name(student.person.email);
        if (email.empty() || !student.on_roster || without_formula(email) != email) {
            result.notes.push_back(
                fmt::format("Left out, because Autolab refuses the whole file for one unknown address: {}.",
                            shown_name(view, student)));
            continue;
        }
        table.rows.push_back(export_row({email, grade_text(student.mark->final)}));
        ++result.written;
    }
    result.notes.emplace_back(
        "The file has one score for each student: upload it to an assessment with one problem, and let "
        "Autolab take no late "
        "penalty of its own.");
    return table;
}

void note_held(const ClassView& view, const ExportOptions& options, Exported& result) {
    std::vector<std::string> held;
    for (const StudentView& student : view.students)
        if (student.mark && student.mark->held)
            held.push_back(options.anonymous ? student.pseudonym : shown_name(view, student));
    if (!held.empty())
        result.notes.push_back(fmt::format("Held, and not in the file: {}.", fmt::join(held, ", ")));
}

}  // namespace

const std::vector<std::string>& known_grade_formats() {
    static const std::vector<std::string> kFormats = {"moodle",  "canvas", "gradescope",
                                                      "autolab", "csv",    "json"};
    return kFormats;
}

Exported write_grades(const ClassView& view, const std::string& platform,
                      const std::filesystem::path& teachers_file, const std::filesystem::path& out,
                      const ExportOptions& options) {
    const auto& known = known_grade_formats();
    if (std::find(known.begin(), known.end(), platform) == known.end())
        throw UserError(
            fmt::format("there is no format '{}'; there are {}", platform, fmt::join(known, ", ")));
    if (options.anonymous && platform != "csv" && platform != "json")
        throw UserError(
            fmt::format("{} needs to know whose a mark is, so an anonymous export is csv or json", platform));
    Exported result;
    if (platform == "moodle" || platform == "canvas") {
        if (teachers_file.empty())
            throw UserError(fmt::format("{} takes its own file back with the marks filled in; give {}",
                                        platform,
                                        platform == "moodle" ? "the grading worksheet that you downloaded"
                                                             : "the gradebook that you exported"));
        std::error_code error;
        if (std::filesystem::equivalent(teachers_file, out, error))
            throw UserError(fmt::format(
                "{}: this is the teacher's file itself; name another file for the marks", out.string()));
        CsvTable table = read_csv(teachers_file);
        const auto fill = platform == "moodle" ? fill_moodle_worksheet : fill_canvas_gradebook;
        result = fill(view, table, teachers_file.string(), options);
        write_private_file(out, csv_text(table));
        return result;
    }
    std::string text;
    if (platform == "json") text = grades_json(view, options, result);
    if (platform == "csv") text = csv_text(grades_table(view, options, result));
    if (platform == "gradescope") text = csv_text(gradescope_table(view, result));
    if (platform == "autolab") text = csv_text(autolab_table(view, result));
    note_held(view, options, result);
    write_private_file(out, text);
    return result;
}

}  // namespace attn::classes
