#include "grader/classes/roster/roster.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/errors.h"
#include "grader/classes/roster/csv_table.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {
namespace roster {

enum class Field { key, name, first_name, last_name, email, login, section, role };
using Columns = std::map<Field, std::size_t>;

/// The names of columns, as name_words() makes them: in lower case, the words sorted.
std::optional<Field> field_of(const std::string& header) {
    using enum Field;
    static const std::map<std::string, Field> kFields = {{"full name", name},
                                                         {"name", name},
                                                         {"student", name},
                                                         {"name student", name},
                                                         {"fullname", name},
                                                         {"first name", first_name},
                                                         {"firstname", first_name},
                                                         {"given name", first_name},
                                                         {"preferred name", first_name},
                                                         {"last name", last_name},
                                                         {"lastname", last_name},
                                                         {"surname", last_name},
                                                         {"family name", last_name},
                                                         {"email", email},
                                                         {"address email", email},
                                                         {"e mail", email},
                                                         {"mail", email},
                                                         {"address e mail", email},
                                                         {"email student", email},
                                                         {"id", key},
                                                         {"identifier", key},
                                                         {"sid", key},
                                                         {"id student", key},
                                                         {"id user", key},
                                                         {"key", key},
                                                         {"id number", login},
                                                         {"login", login},
                                                         {"username", login},
                                                         {"github username", login},
                                                         {"id login sis", login},
                                                         {"user", login},
                                                         {"id username", login},
                                                         {"github login", login},
                                                         {"section", section},
                                                         {"sections", section},
                                                         {"group", section},
                                                         {"groups", section},
                                                         {"role", role},
                                                         {"roles", role}};
    const auto found = kFields.find(header);
    if (found == kFields.end()) return std::nullopt;
    return found->second;
}

Columns columns_by_header(const std::vector<CsvCell>& header) {
    Columns columns;
    for (std::size_t k = 0; k < header.size(); ++k)
        if (const auto field = field_of(name_words(header[k].text))) columns.emplace(*field, k);
    return columns;
}

bool has(const Columns& columns, Field field) {
    return columns.count(field) != 0;
}

bool is_email(std::string_view text) {
    const std::size_t at = text.find('@');
    return at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
           text.find(' ') == std::string_view::npos && text.find('@', at + 1) == std::string_view::npos;
}

/// "Participant 12" -> 12; Moodle writes the word in the site's language.
std::optional<std::string> participant(std::string_view text) {
    static const std::regex form(R"(\s*[^\d]*[^\d\s@]\s*(\d+)\s*)");
    constexpr std::size_t kLongest = 200;  // std::regex needs a stack as deep as its text is long
    std::cmatch found;
    if (text.size() > kLongest || !std::regex_match(text.begin(), text.end(), found, form))
        return std::nullopt;
    return found[1].str();
}

/// How many cells below the header satisfy the condition, in per cent of those that are not empty.
template <class F>
int share(const CsvTable& table, std::size_t column, F condition) {
    int filled = 0, good = 0;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        if (table.at(row, column).empty()) continue;
        ++filled;
        if (condition(table.at(row, column))) ++good;
    }
    return filled == 0 ? 0 : good * 100 / filled;
}

/// Columns whose cells show what they are: e-mail addresses, and Moodle's participants in the first column,
/// which the full name follows.
void columns_by_content(const CsvTable& table, Columns& columns, std::vector<std::string>& notes) {
    using enum Field;
    if (!has(columns, email))
        for (std::size_t k = 0; k < table.columns(); ++k)
            if (share(table, k, is_email) >= 80) {
                columns.emplace(email, k);
                break;
            }
    const bool named = has(columns, name) || has(columns, last_name);
    // Logins may look like participants: "student12".
    const bool other =
        std::ranges::any_of(columns, [](const auto& each) { return each.second == 0 && each.first != key; });
    if (!named && !other &&
        share(table, 0, [](std::string_view text) { return participant(text).has_value(); }) == 100 &&
        table.columns() > 1) {
        columns[key] = 0;
        columns[name] = 1;
        notes.push_back(fmt::format(
            "The first column is taken for Moodle's identifiers and the second (\"{}\") for the full names.",
            tidy_name(table.at(0, 1))));
    }
}

/// Autolab's roster has no header: Semester, Email, Last Name, First Name, School, Major, Year, Grading
/// Policy, .., Section.
bool is_bare_autolab(const CsvTable& table) {
    return !table.rows.empty() && table.rows.front().size() >= 8 && is_email(table.at(0, 1));
}

/// A bare list "name,email,id" whose first row is a person already.
bool is_bare(const CsvTable& table) {
    if (table.rows.empty()) return false;
    const auto& first = table.rows.front();
    return std::any_of(first.begin(), first.end(), [](const CsvCell& cell) { return is_email(cell.text); });
}

std::string platform_of(const CsvTable& table, const Columns& columns) {
    const std::string first = name_words(table.at(0, 0)), second = name_words(table.at(0, 1));
    if (first == "student" && second == "id") return "canvas";
    for (std::size_t k = 0; k < table.columns(); ++k) {
        const std::string header = name_words(table.at(0, k));
        if (header == "id login sis") return "canvas";
        if (header == "sid") return "gradescope";
        if (header == "github username") return "github";
        if (header == "id number") return "moodle";
        if (header == "grading policy") return "autolab";
    }
    const auto key = columns.find(Field::key);
    if (key != columns.end() && key->second == 0 && table.rows.size() > 1 &&
        share(table, 0, [](std::string_view text) { return participant(text).has_value(); }) == 100 &&
        (first == "identifier" || columns.count(Field::name) != 0))
        return "moodle";
    return "plain";
}

/// Whether a column of roles says that somebody is no student, in English and in German.
bool is_staff(const std::string& role) {
    static const std::set<std::string> kStaff = {"instructor", "teacher",   "ta",       "reader", "grader",
                                                 "tutor",      "assistant", "designer", "staff",  "observer",
                                                 "manager",    "admin",     "trainer",  "lehrer", "dozent"};
    std::istringstream words(name_words(role));
    bool staff = false;
    for (std::string word; words >> word;) {
        if (word == "student") return false;
        staff = staff || kStaff.count(word) != 0;
    }
    return staff;
}

/// Canvas' Test Student, as whom teachers look at their course. Its login is a hash.
bool is_test_student(const Person& person) {
    constexpr std::size_t kHash = 40;
    return name_words(person.name) == "student test" &&
           (person.login.empty() ||
            (person.login.size() == kHash &&
             person.login.find_first_not_of("0123456789abcdef") == std::string::npos));
}

class Reader {
  public:
    Reader(const CsvTable& table, Columns columns, Roster& roster)
        : table_(table), columns_(std::move(columns)), roster_(roster) {}

    void read(std::size_t first_row) {
        for (std::size_t row = first_row; row < table_.rows.size(); ++row) add(row);
        if (repeated_ > 0)
            note(
                fmt::format("{} rows name a person that an earlier row names, and are left out.", repeated_));
        if (!staff_.empty())
            note(fmt::format("Left out, because they are no students: {}.", fmt::join(staff_, ", ")));
        std::string shared;
        for (const auto& [words, count] : names_)
            if (count > 1)
                shared += (shared.empty() ? "" : ", ") + std::to_string(count) + " x \"" + words + "\"";
        if (!shared.empty())
            note(
                "Several people have the same name; the platform's number or the e-mail address tells them "
                "apart: " +
                shared + ".");
    }

  private:
    std::string text(std::size_t row, Field field) const {
        const auto column = columns_.find(field);
        return column == columns_.end() ? "" : tidy_name(table_.at(row, column->second));
    }

    void note(std::string sentence) { roster_.notes.push_back(std::move(sentence)); }

    /// Canvas' rows that are no students.
    bool is_about_columns(std::size_t row) const {
        if (roster_.platform != "canvas") return false;
        const std::string first = name_words(table_.at(row, 0));
        return first.find("points possible") != std::string::npos || first == "possible points" ||
               (text(row, Field::key).empty() && text(row, Field::name).empty());
    }

    void add(std::size_t row) {
        if (is_about_columns(row)) return;
        Person person;
        person.name = text(row, Field::name);
        if (person.name.empty()) {
            const std::string first = text(row, Field::first_name), last = text(row, Field::last_name);
            person.name = first + (first.empty() || last.empty() ? "" : " ") + last;
        }
        person.email = text(row, Field::email);
        person.login = text(row, Field::login);
        person.section = text(row, Field::section);
        person.key = text(row, Field::key);
        if (roster_.platform == "moodle")
            if (const auto number = participant(person.key)) person.key = *number;
        // GitHub's identifier is what the teacher made up; its name for the person is the login.
        if (roster_.platform == "github" && person.name.empty()) person.name = person.key;
        if (roster_.platform == "github") person.key = person.login;
        if (person.key.empty() && person.name.empty() && person.email.empty() && person.login.empty()) {
            note(fmt::format("Row {} names nobody and is left out.", row + 1));
            return;
        }
        if (is_staff(text(row, Field::role)) || (roster_.platform == "canvas" && is_test_student(person))) {
            staff_.push_back(person.name.empty() ? person.email : person.name);
            return;
        }
        if (!person.email.empty() && !is_email(person.email)) {
            note(fmt::format("Row {}: \"{}\" is no e-mail address and is not used.", row + 1, person.email));
            person.email.clear();
        }
        const bool known_key = !person.key.empty() && !keys_.insert(person.key).second;
        const bool known_email = !person.email.empty() && !emails_.insert(name_letters(person.email)).second;
        if (known_key || (known_email && person.key.empty())) {
            ++repeated_;
            return;
        }
        if (known_email) note(fmt::format("Row {}: an earlier row has the same e-mail address.", row + 1));
        if (!person.name.empty()) ++names_[tidy_name(person.name)];
        roster_.people.push_back(std::move(person));
        roster_.rows.push_back(row);
    }

    const CsvTable& table_;
    Columns columns_;
    Roster& roster_;
    std::set<std::string> keys_, emails_;
    std::map<std::string, int> names_;
    std::vector<std::string> staff_;
    int repeated_ = 0;
};

}  // namespace roster
}  // namespace

Roster read_roster(const std::filesystem::path& csv) {
    using enum roster::Field;
    const CsvTable table = read_csv(csv);
    Roster roster;
    if (table.rows.empty())
        throw UserError(
            fmt::format("{}: the roster is empty; expected a header and a row for each student; export it "
                        "again",
                        csv.string()));
    if (table.encoding == "Windows-1252")
        roster.notes.emplace_back(
            "The roster is not UTF-8 and is read as Windows-1252; check a name with an accent.");
    roster::Columns columns = roster::columns_by_header(table.rows.front());
    std::size_t first_row = 1;
    if (columns.empty() && roster::is_bare_autolab(table)) {
        columns = {{email, 1}, {last_name, 2}, {first_name, 3}, {section, table.rows.front().size() - 1}};
        roster.platform = "autolab";
        first_row = 0;
    } else if (columns.empty() && roster::is_bare(table)) {
        for (std::size_t k = 0; k < table.rows.front().size(); ++k)
            if (roster::is_email(table.at(0, k))) columns.emplace(email, k);
        if (columns[email] > 0) columns.emplace(name, 0);
        if (table.rows.front().size() > columns[email] + 1) columns.emplace(key, columns[email] + 1);
        roster.platform = "plain";
        roster.notes.emplace_back("The roster has no header: the columns are taken for name, e-mail and id.");
        first_row = 0;
    } else {
        roster::columns_by_content(table, columns, roster.notes);
        roster.platform = roster::platform_of(table, columns);
    }
    if (!roster::has(columns, name) && !roster::has(columns, last_name) && !roster::has(columns, email) &&
        !roster::has(columns, key) && !roster::has(columns, login)) {
        std::vector<std::string> found;
        for (const CsvCell& cell : table.rows.front()) found.push_back(tidy_name(cell.text).substr(0, 40));
        throw UserError(
            fmt::format("{}: no column of names, e-mail addresses or ids was found among \"{}\"; expected "
                        "a header such as name,email,id; rename the columns",
                        csv.string(), fmt::join(found, "\", \"")));
    }
    roster::Reader(table, columns, roster).read(first_row);
    return roster;
}

}  // namespace attn::classes
