#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/csv_table.h"
#include "grader/classes/roster/names.h"
#include "grader/classes/roster/roster.h"
#include "grader/classes/times/give_times.h"
#include "grader/classes/times/written_time.h"

namespace attn::classes {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_times(const std::filesystem::path& file, const std::string& found) {
    throw UserError(fmt::format(
        "{}: {}; expected Moodle's grading worksheet, the JSON of Canvas' API "
        "(/api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions), or a table such as\nemail,time\n"
        "anna@example.org,2026-11-20 23:30",
        file.string(), found));
}

bool is_no_time(std::string_view cell) {
    return cell.empty() || cell == "-";
}

/// Whether all cells of a column are times, or say that there is none.
bool is_column_of_times(const CsvTable& table, std::size_t column) {
    bool any = false;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const std::string cell(table.at(row, column));
        if (!is_no_time(cell) && !resembles_time(cell)) return false;
        any |= !cell.empty();
    }
    return any;
}

/// The column that says when people handed in. By its name; otherwise the first one that has times. In Moodle's worksheet
/// the column of the grades' times comes after it.
std::optional<std::size_t> column_of_times(const CsvTable& table) {
    static const std::set<std::string> kNames = {"last modified submission",
                                                 "submission time",
                                                 "submission timestamp",
                                                 "submitted",
                                                 "at submitted",
                                                 "time",
                                                 "handed in",
                                                 "date",
                                                 "timestamp",
                                                 "when"};
    for (std::size_t k = 0; k < table.columns(); ++k)
        if (kNames.contains(name_words(table.at(0, k)))) return k;
    for (std::size_t k = 0; k < table.columns(); ++k)
        if (is_column_of_times(table, k)) return k;
    return std::nullopt;
}

TimesFile times_in_table(const std::filesystem::path& file) {
    const CsvTable table = read_csv(file);
    Roster roster = read_roster(file);
    TimesFile times;
    times.notes = std::move(roster.notes);
    times.name = "the table";
    // The worksheet has the participants' numbers, which Moodle's list of participants has not.
    const bool worksheet =
        roster.platform == "moodle" && !roster.people.empty() && !roster.people[0].key.empty();
    if (worksheet || roster.platform == "gradescope") {
        times.source = TimeSource::platform;
        times.name = worksheet ? "Moodle's worksheet" : "Gradescope's table";
    }
    const auto column = column_of_times(table);
    if (!column) refuse_times(file, "it has no column of times");
    std::vector<std::string> texts;
    for (std::size_t row = 1; row < table.rows.size(); ++row) texts.emplace_back(table.at(row, *column));
    const DateOrder order = date_order_of(texts);
    for (std::size_t k = 0; k < roster.people.size(); ++k) {
        TimesRow& row = times.rows.emplace_back();
        row.person = roster.people[k];
        const std::string text(table.at(roster.rows[k], *column));
        if (is_no_time(text)) continue;
        try {
            row.when = read_written_time(text, order);
        } catch (const UserError& error) {
            throw UserError(fmt::format("{}: row {}, column \"{}\": {}", file.string(), roster.rows[k] + 1,
                                        tidy_name(table.at(0, *column)), error.what()));
        }
    }
    return times;
}

/// The text of a number or a text; empty for anything else.
std::string text_in(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return "";
    if (found->is_string()) return tidy_name(found->get<std::string>());
    return found->is_number_integer() ? found->dump() : "";
}

TimesFile times_in_json(const std::filesystem::path& file, const std::string& text) {
    const json all = json::parse(text, nullptr, false);
    if (!all.is_array()) refuse_times(file, "it is no list of Canvas' submissions");
    TimesFile times;
    times.source = TimeSource::platform;
    times.name = "Canvas' submissions";
    for (const json& each : all) {
        TimesRow& row = times.rows.emplace_back();
        if (each.is_object())
            row.person.key = text_in(each, each.contains("user_id") ? "user_id" : "anonymous_id");
        if (row.person.key.empty() || !each.contains("submitted_at"))
            refuse_times(file,
                         fmt::format("its element {} has no user_id and submitted_at", times.rows.size()));
        if (const auto user = each.find("user"); user != each.end() && user->is_object()) {
            row.person.name = text_in(*user, "name");
            row.person.login = text_in(*user, "login_id");
        }
        if (const std::string when = text_in(each, "submitted_at"); !when.empty()) try {
                row.when = read_moment(when);
            } catch (const UserError& error) {
                refuse_times(file, fmt::format("its element {}: {}", times.rows.size(), error.what()));
            }
    }
    return times;
}

}  // namespace

TimesFile read_times_file(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) refuse_times(file, "this is no file");
    constexpr std::uintmax_t kMost = std::uintmax_t{64} << 20;
    if (std::filesystem::file_size(file, error) > kMost) refuse_times(file, "it has more than 64 MiB");
    const std::string text = data::read_file(file);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const bool is_json = begin != std::string::npos && (text[begin] == '[' || text[begin] == '{');
    return is_json ? times_in_json(file, text) : times_in_table(file);
}

}  // namespace attn::classes
