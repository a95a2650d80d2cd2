#include "grader/classes/roster/match.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

/// "Jane Doe" -> "Doe Jane", "Doe, Jane" -> "Jane Doe".
std::string match_turned(const std::string& name) {
    const std::size_t comma = name.find(',');
    if (comma != std::string::npos) return name.substr(comma + 1) + " " + name.substr(0, comma);
    const std::size_t space = name.rfind(' ');
    return space == std::string::npos ? name : name.substr(space + 1) + " " + name.substr(0, space);
}

bool match_share_a_word(const std::string& one, const std::string& other) {
    std::istringstream words(one);
    const std::string padded = " " + other + " ";
    for (std::string word; words >> word;)
        if (padded.find(" " + word + " ") != std::string::npos) return true;
    return false;
}

bool match_equal_ignoring_case(std::string_view one, std::string_view other) {
    return !one.empty() && std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

/// A name for a sentence.
std::string match_shown(const Person& person) {
    const std::string& name = !person.name.empty()    ? person.name
                              : !person.email.empty() ? person.email
                              : !person.login.empty() ? person.login
                                                      : person.key;
    return "\"" + tidy_name(name) + "\"";
}

}  // namespace

RosterIndex::RosterIndex(std::vector<Person> roster) : roster_(std::move(roster)) {
    for (const Person& person : roster_)
        spellings_.push_back(
            {name_words(person.name), name_letters(person.name), name_letters(match_turned(person.name))});
}

std::vector<std::size_t> RosterIndex::rows_with(bool (*same)(const Person&, const Person&),
                                                const Person& person) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < roster_.size(); ++row)
        if (same(roster_[row], person)) rows.push_back(row);
    return rows;
}

RosterMatch RosterIndex::find(const Person& person) const {
    const std::string words = name_words(person.name), letters = name_letters(person.name);
    std::string doubt;
    for (const std::size_t row :
         rows_with([](const Person&a, const Person&b) { return match_equal_ignoring_case(a.key, b.key); },
                   person)) {
        // Canvas' file names have names without spaces.
        const Spelling& spelling = spellings_[row];
        if (words.empty() || spelling.words.empty() || match_share_a_word(words, spelling.words) ||
            letters == spelling.letters || letters == spelling.letters_turned)
            return {row, ""};
        doubt = fmt::format(" (the roster's {} has the same id {}, but another name)",
                            match_shown(roster_[row]), tidy_name(person.key));
    }
    const auto by_email = rows_with(
        [](const Person& a, const Person& b) { return match_equal_ignoring_case(a.email, b.email); }, person);
    if (by_email.size() == 1) return {by_email.front(), ""};
    const auto by_login = rows_with(
        [](const Person& a, const Person& b) {
            return match_equal_ignoring_case(a.login, b.login) ||
                   match_equal_ignoring_case(a.login, b.email) ||
                   (b.key.empty() && match_equal_ignoring_case(a.key, b.login));
        },
        person);
    if (by_login.size() == 1) return {by_login.front(), ""};
    std::vector<std::size_t> by_name;
    for (std::size_t row = 0; row < roster_.size() && !letters.empty(); ++row) {
        const Spelling& spelling = spellings_[row];
        if (words == spelling.words || letters == spelling.letters || letters == spelling.letters_turned)
            by_name.push_back(row);
    }
    if (by_name.size() == 1) return {by_name.front(), ""};
    // A repository "exercise-login", or a folder "name-login", whose beginning is not known.
    std::optional<std::size_t> by_ending;
    for (std::size_t row = 0; row < roster_.size(); ++row) {
        const std::string& login = roster_[row].login;
        const std::string& whole = person.key.empty() ? person.name : person.key;
        if (login.empty() || whole.size() <= login.size() + 1) continue;
        const std::size_t begin = whole.size() - login.size();
        if (std::string_view("-_ ").find(whole[begin - 1]) == std::string_view::npos ||
            !match_equal_ignoring_case(std::string_view(whole).substr(begin), login))
            continue;
        if (!by_ending || roster_[*by_ending].login.size() < login.size()) by_ending = row;
    }
    if (by_ending) return {by_ending, ""};
    if (by_name.size() > 1 || by_email.size() > 1 || by_login.size() > 1)
        return {
            std::nullopt,
            fmt::format(
                "{} could be any of {} people on the roster, so it is not matched{}; add the platform's id "
                "or the e-mail address to the roster.",
                match_shown(person), std::max({by_name.size(), by_email.size(), by_login.size()}), doubt)};
    return {std::nullopt, fmt::format("{} is not on the roster{}.", match_shown(person), doubt)};
}

Person RosterIndex::completed(const Person& person, const RosterMatch& match) const {
    if (!match.row) return person;
    Person result = roster_[*match.row];
    const auto fill = [](std::string& field, const std::string& other) {
        if (field.empty()) field = other;
    };
    fill(result.key, person.key);
    fill(result.name, person.name);
    fill(result.email, person.email);
    fill(result.login, person.login);
    fill(result.section, person.section);
    return result;
}

}  // namespace attn::classes
