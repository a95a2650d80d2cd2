#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/errors.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/roster/match.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

[[noreturn]] void refuse_table(const std::string& file, const std::string& found, const std::string& remedy) {
    throw UserError(fmt::format("{}: {}; {}", file, found, remedy));
}

/// A few names, and how many more there are.
std::string names_in_short(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 20;
    const std::vector<std::string> first(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
    return fmt::format("{}{}", fmt::join(first, ", "),
                       names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

/// Students by why they are not in the file, in the order of the reasons.
class TableNotes {
  public:
    void add(const std::string& reason, const std::string& name) { names_[reason].push_back(name); }

    std::vector<std::string> sentences() const {
        std::vector<std::string> result;
        for (const auto& [reason, names] : names_)
            result.push_back(fmt::format("{}: {}.", reason, names_in_short(names)));
        return result;
    }

  private:
    std::map<std::string, std::vector<std::string>> names_;
};

/// Where the rows of people are, and who they are.
struct TableRows {
    std::string platform;  ///< whose ids the people have
    std::vector<std::size_t> rows;
    std::vector<Person> people;
};

/// What a row may get; nullopt leaves the cell unchanged and adds the student under `reason`.
struct TableCell {
    std::size_t column;
    double most;        ///< the platform's maximum
    char decimal_mark;  ///< of the file
};

/// The student's points on the platform's scale.
double scaled_mark(const Mark& mark, double most, const std::string& file, const ExportOptions& options) {
    if (std::abs(mark.out_of - most) < 1e-9) return mark.final;
    if (!options.scale)
        refuse_table(file,
                     fmt::format("its maximum is {} points, but the marks are out of {}", grade_text(most),
                                 grade_text(mark.out_of)),
                     "set the same maximum on the platform, or convert the marks with --scale");
    return mark.out_of > 0 ? mark.final * most / mark.out_of : 0;
}

/// Fills one column. `keep` says why a row is left as it is; empty if it may be filled.
template <class Keep>
void fill_column(const ClassView& view, CsvTable& table, const TableRows& people, const TableCell& cell,
                 const std::string& file, const ExportOptions& options, Keep keep, Exported& result) {
    // Students without a mark claim their rows, too.
    std::vector<Claimant> claimants;
    for (const StudentView& student : view.students) {
        claimants.push_back({student.person, shown_name(view, student)});
        if (student.platform == people.platform) claimants.back().person.key = student.platform_id;
    }
    const std::vector<Claim> claims = settle_claims(people.people, claimants);
    TableNotes notes;
    for (std::size_t k = 0; k < claims.size(); ++k) {
        const StudentView& student = view.students[k];
        const std::string& name = claimants[k].label;
        if (student.mark && student.mark->held) notes.add("Held, and not in the file", name);
        if (!has_published_mark(student)) continue;
        if (!claims[k].row) {
            notes.add(claims[k].unclear ? "Left out, because it cannot be told which row is theirs"
                                        : "Not in the teacher's file",
                      name);
            continue;
        }
        const std::size_t row = people.rows[*claims[k].row];
        const double points = scaled_mark(*student.mark, cell.most, file, options);
        if (const std::string why = keep(row, points); !why.empty()) {
            notes.add(why, name);
            continue;
        }
        table.set(row, cell.column, grade_text(points, cell.decimal_mark));
        ++result.written;
    }
    for (std::string& note : notes.sentences()) result.notes.push_back(std::move(note));
}

void neutralise(CsvTable& table, const std::set<std::size_t>& untouched) {
    for (auto& row : table.rows)
        for (std::size_t k = 0; k < row.size(); ++k)
            if (untouched.count(k) == 0) row[k].text = without_formula(row[k].text);
}

bool is_blank_or_number(std::string_view text) {
    return text.empty() || text == "-" || number_in(text).has_value();
}

/// The columns of Moodle's worksheet.
struct MoodleColumns {
    std::size_t id = 0, grade = 0, most = 0;
    std::optional<std::size_t> name, email, changeable, feedback;
    double maximum = 0;
};

bool all_cells(const CsvTable& table, std::size_t column, bool (*good)(std::string_view)) {
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        if (!good(table.at(row, column))) return false;
    return true;
}

std::string moodle_number(std::string_view text) {
    static const std::regex form(R"(\s*[^\d]*[^\d\s@]\s*(\d+)\s*)");
    constexpr std::size_t kLongest = 200;
    std::cmatch found;
    return text.size() <= kLongest && std::regex_match(text.begin(), text.end(), found, form) ? found[1].str()
                                                                                              : "";
}

/// Whether a column holds the maximum grade: one positive number in all rows, after a column of grades.
bool is_maximum_column(const CsvTable& table, std::size_t column) {
    const auto most = number_in(table.at(1, column));
    if (!most || *most <= 0 || column == 0) return false;
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        if (number_in(table.at(row, column)) != most) return false;
    return all_cells(table, column - 1, is_blank_or_number) &&
           all_cells(table, column + 1,
                     [](std::string_view text) { return !text.empty() && !number_in(text); });
}

MoodleColumns moodle_columns(const CsvTable& table, const std::string& file) {
    constexpr const char* kRemedy =
        "download it again: \"Download grading worksheet\" of the assignment, where offline grading is "
        "turned on";
    if (table.rows.size() < 2)
        refuse_table(file, "it has no row of a student; expected Moodle's grading worksheet", kRemedy);
    MoodleColumns columns;
    std::map<std::string, std::size_t> headers;
    for (std::size_t k = 0; k < table.rows.front().size(); ++k) headers.emplace(table.at(0, k), k);
    const auto header = [&](const char* name) -> std::optional<std::size_t> {
        const auto found = headers.find(name);
        return found == headers.end() ? std::nullopt : std::optional(found->second);
    };
    std::optional<std::size_t> id = header("Identifier"), most = header("Maximum Grade");
    // The names are in the site's language, but not the order and the contents.
    for (std::size_t k = 0; !id && k < table.columns(); ++k)
        if (all_cells(table, k, [](std::string_view text) { return !moodle_number(text).empty(); })) id = k;
    for (std::size_t k = 0; !most && k < table.columns(); ++k)
        if (is_maximum_column(table, k)) most = k;
    if (!id)
        refuse_table(
            file, "no column has identifiers such as \"Participant 12\"; expected Moodle's grading worksheet",
            kRemedy);
    if (!most || *most == 0)
        refuse_table(file,
                     "the column of grades was not found; expected a column with the maximum grade and the "
                     "grades before "
                     "it (a scale or advanced grading is not supported)",
                     kRemedy);
    columns.id = *id;
    columns.most = *most;
    columns.grade = header("Grade").value_or(*most - 1);
    columns.changeable = *most + 1;
    columns.feedback = header("Feedback comments");
    for (std::size_t k = *id + 1; k < columns.grade; ++k) {
        const std::string_view text = table.at(1, k);
        if (!columns.email && text.find('@') != std::string_view::npos) columns.email = k;
    }
    columns.name = header("Full name");
    if (!columns.name && !headers.count("Identifier") && *id + 1 < columns.grade && columns.email != *id + 1)
        columns.name = *id + 1;
    const auto maximum = number_in(table.at(1, *most));
    if (!maximum) refuse_table(file, "its maximum grade is no number", "grade by points, not by a scale");
    columns.maximum = *maximum;
    if (headers.count("Identifier") != 0 && !header("Last modified (grade)"))
        refuse_table(file, "it has no column \"Last modified (grade)\", without which Moodle refuses it",
                     kRemedy);
    return columns;
}

/// "No" in the languages that Moodle is used in most. The word says only what is worth a note: Moodle skips
/// such rows itself.
bool is_no(std::string_view text) {
    static const std::set<std::string> kNo = {"no", "nein", "non",    "nao", "nee",    "nej",   "nei",
                                              "ei", "nie",  "ne",     "nu",  "nem",    "hayir", "нет",
                                              "ні", "όχι",  "いいえ", "否",  "아니오", "لا",    "לא"};
    return kNo.count(name_letters(text)) != 0;
}

bool is_person_cell(std::size_t column, const MoodleColumns& columns) {
    return column != columns.id && column != columns.grade && column != columns.feedback;
}

}  // namespace

Exported fill_moodle_worksheet(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options) {
    const MoodleColumns columns = moodle_columns(table, file);
    TableRows people{"moodle", {}, {}};
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        Person person;
        person.key = moodle_number(table.at(row, columns.id));
        if (columns.name) person.name = tidy_name(table.at(row, *columns.name));
        if (columns.email) person.email = tidy_name(table.at(row, *columns.email));
        people.rows.push_back(row);
        people.people.push_back(std::move(person));
    }
    Exported result;
    const bool comma = table.at(1, columns.most).find(',') != std::string_view::npos;
    fill_column(
        view, table, people, {columns.grade, columns.maximum, comma ? ',' : '.'}, file, options,
        [&](std::size_t row, double points) -> std::string {
            if (is_no(table.at(row, *columns.changeable))) return "The grade is locked in Moodle, and kept";
            if (points < 0 || points > columns.maximum)
                return "Outside of Moodle's 0 to maximum, so not written";
            return "";
        },
        result);
    std::set<std::size_t> untouched;
    for (std::size_t k = 0; k < table.columns(); ++k)
        if (!is_person_cell(k, columns) || (!columns.feedback && k + 1 == table.columns()))
            untouched.insert(k);
    neutralise(table, untouched);
    if (table.encoding != "UTF-8")
        result.notes.push_back(fmt::format(
            "The worksheet was {} and is now UTF-8; choose UTF-8 at the upload.", table.encoding));
    result.notes.emplace_back(
        "Moodle skips, without a word, rows that were graded there after this worksheet was downloaded.");
    return result;
}

namespace {

/// The columns of Canvas' gradebook.
struct CanvasColumns {
    std::vector<std::size_t> student;  ///< up to Section
    std::size_t target = 0;
};

/// Columns that Canvas computes and ignores at an upload.
bool is_computed_by_canvas(std::string_view header) {
    static constexpr std::array<std::string_view, 9> kComputed = {
        "Current Score", "Current Points", "Current Grade",  "Final Score",    "Final Points",
        "Final Grade",   "Override Score", "Override Grade", "Override Status"};
    return std::any_of(kComputed.begin(), kComputed.end(),
                       [header](std::string_view one) { return header.find(one) != std::string_view::npos; });
}

CanvasColumns canvas_columns(const CsvTable& table, const std::string& file, const std::string& wanted) {
    constexpr const char* kRemedy = "export it again: Gradebook, Export, Export Entire Gradebook";
    if (table.rows.empty() || table.at(0, 0).find("Student") == std::string_view::npos ||
        table.at(0, 1).find("ID") == std::string_view::npos)
        refuse_table(file, "its first columns are not Student and ID; expected Canvas' gradebook", kRemedy);
    CanvasColumns columns;
    std::size_t section = 0;
    for (std::size_t k = 0; k < table.rows.front().size() && section == 0; ++k)
        if (table.at(0, k).find("Section") != std::string_view::npos) section = k;
    if (section == 0) refuse_table(file, "it has no column Section; expected Canvas' gradebook", kRemedy);
    for (std::size_t k = 0; k <= section; ++k) columns.student.push_back(k);
    static const std::regex form(R"(.+ \(\d+\)\s*)");
    std::vector<std::size_t> found;
    std::vector<std::string> titles;
    for (std::size_t k = section + 1; k < table.rows.front().size(); ++k) {
        const std::string title(table.at(0, k));
        constexpr std::size_t kLongest = 1000;
        if (title.size() > kLongest || is_computed_by_canvas(title) || !std::regex_match(title, form))
            continue;
        titles.push_back(tidy_name(title));
        if (wanted.empty() || title == wanted || title.substr(0, title.rfind(" (")) == wanted)
            found.push_back(k);
    }
    if (found.size() == 1) {
        columns.target = found.front();
        return columns;
    }
    const std::string what =
        titles.empty()   ? "it has no column of an assignment"
        : wanted.empty() ? fmt::format("which of its {} columns gets the marks? There are \"{}\"",
                                       titles.size(), fmt::join(titles, "\", \""))
        : found.empty()
            ? fmt::format(
                  "it has no column \"{}\", of which Canvas would make a new assignment; "
                  "there are \"{}\"",
                  wanted, fmt::join(titles, "\", \""))
            : fmt::format("several columns are called \"{}\"; give the title with its number", wanted);
    refuse_table(file, what, "give --column TITLE, or make the assignment in Canvas and export again");
}

}  // namespace

Exported fill_canvas_gradebook(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options) {
    const CanvasColumns columns = canvas_columns(table, file, options.column);
    std::optional<double> most;
    bool comma = false;
    TableRows people{"canvas", {}, {}};
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        if (table.at(row, 0).find("Points Possible") != std::string_view::npos) {
            const std::string_view cell = table.at(row, columns.target);
            if (cell.find("read only") != std::string_view::npos)
                refuse_table(
                    file,
                    fmt::format("Canvas computes \"{}\" itself", tidy_name(table.at(0, columns.target))),
                    "name the column of an assignment");
            most = number_in(cell);
            comma = cell.find(',') != std::string_view::npos;
            continue;
        }
        Person person;
        person.name = tidy_name(table.at(row, 0));
        person.key = tidy_name(table.at(row, 1));
        if (person.key.empty()) continue;  // "Manual Posting", or no student
        for (const std::size_t k : columns.student)
            if (table.at(0, k) == "SIS Login ID") person.login = tidy_name(table.at(row, k));
        people.rows.push_back(row);
        people.people.push_back(std::move(person));
    }
    if (!most || *most <= 0)
        refuse_table(file, "the row Points Possible has no number for the exercise",
                     "give the assignment points in Canvas, and export again");
    Exported result;
    fill_column(
        view, table, people, {columns.target, *most, comma ? ',' : '.'}, file, options,
        [&](std::size_t row, double) -> std::string {
            return name_letters(table.at(row, columns.target)) == "ex" ? "Excused in Canvas, and kept" : "";
        },
        result);
    std::set<std::size_t> kept(columns.student.begin(), columns.student.end());
    kept.insert(columns.target);
    for (auto& row : table.rows) {
        std::vector<CsvCell> cells;
        for (const std::size_t k : kept) cells.push_back(k < row.size() ? row[k] : CsvCell{});
        row = std::move(cells);
    }
    // The header and the points are Canvas' own, and the ids are what it finds students by.
    neutralise(table, {1, kept.size() - 1});
    table.byte_order_mark = true;  // Canvas' own exports have it, and spreadsheets need it
    result.notes.emplace_back(
        "The columns of other assignments are left out, so that the upload changes no other mark.");
    return result;
}

}  // namespace attn::classes
