#include "grader/classes/roster/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {
namespace match {

/// "Jane Doe" -> "Doe Jane", "Doe, Jane" -> "Jane Doe".
std::string turned(const std::string& name) {
    const std::size_t comma = name.find(',');
    if (comma != std::string::npos) return name.substr(comma + 1) + " " + name.substr(0, comma);
    const std::size_t space = name.rfind(' ');
    return space == std::string::npos ? name : name.substr(space + 1) + " " + name.substr(0, space);
}

std::vector<std::string> words_of(const std::string& name) {
    std::istringstream words(name_words(name));
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    return all;
}

bool equal_ignoring_case(std::string_view one, std::string_view other) {
    return !one.empty() && std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

constexpr const char* kRemedy =
    "Add a roster that has the platform's ids beside the e-mail addresses, and take this in again.";

/// A name for a sentence.
std::string shown(const Person& person) {
    const std::string& name = !person.name.empty()    ? person.name
                              : !person.email.empty() ? person.email
                              : !person.login.empty() ? person.login
                                                      : person.key;
    return "\"" + tidy_name(name) + "\"";
}

/// Whether `whole` is "beginning-login".
bool ends_in(const std::string& whole, const std::string& login) {
    if (login.empty() || whole.size() <= login.size() + 1) return false;
    const std::size_t begin = whole.size() - login.size();
    return std::string_view("-_ ").find(whole[begin - 1]) != std::string_view::npos &&
           equal_ignoring_case(std::string_view(whole).substr(begin), login);
}

/// Whether nothing but the name of a person is known.
bool is_bare(const Person& person) {
    return person.key.empty() && person.email.empty() && person.login.empty();
}

class ClaimSettler {
  public:
    ClaimSettler(const std::vector<Person>& roster, const std::vector<Claimant>& claimants,
                 const ClaimRules& rules)
        : roster_(roster), claimants_(claimants), rules_(rules), claims_(claimants.size()) {
        for (const Person& person : roster_)
            for (const std::string& name : {person.name, turned(person.name)})
                if (const std::string letters = name_letters(name); !letters.empty())
                    by_letters_[letters].insert(&person - roster_.data());
        for (const Person& person : roster_)
            if (const std::string words = name_words(person.name); !words.empty())
                by_words_[words].insert(&person - roster_.data());
    }

    std::vector<Claim> settled() {
        by_identity();
        by_name();
        if (rules_.endings) by_ending();
        for (std::size_t k = 0; k < claims_.size(); ++k)
            if (!claims_[k].row && claims_[k].note.empty())
                claims_[k].note =
                    fmt::format("{} is not on the roster{}.", shown(claimants_[k].person), doubts_[k]);
        return std::move(claims_);
    }

  private:
    using Rows = std::set<std::ptrdiff_t>;

    template <class F>
    std::vector<std::size_t> rows_where(F condition) const {
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < roster_.size(); ++row)
            if (condition(roster_[row])) rows.push_back(row);
        return rows;
    }

    std::optional<std::size_t> identified(std::size_t claimant) {
        const Person& person = claimants_[claimant].person;
        const auto by_email =
            rows_where([&](const Person& p) { return equal_ignoring_case(p.email, person.email); });
        if (by_email.size() == 1) return by_email.front();
        std::vector<std::size_t> by_key;
        for (const std::size_t row :
             rows_where([&](const Person& p) { return equal_ignoring_case(p.key, person.key); })) {
            // A folder's name is both key and name.
            if (person.name == person.key || names_agree(roster_[row].name, person.name))
                by_key.push_back(row);
            else
                doubts_[claimant] = fmt::format(" (the roster's {} has the same id {}, but another name)",
                                                shown(roster_[row]), tidy_name(person.key));
        }
        if (by_key.size() == 1) return by_key.front();
        constexpr int kConfirmed = 2;
        if (is_guess(person) && confirmed_[beginning_of(person)] < kConfirmed) return std::nullopt;
        const auto by_login = rows_where([&](const Person& p) {
            return equal_ignoring_case(p.login, person.login) || equal_ignoring_case(p.login, person.email) ||
                   (person.key.empty() && equal_ignoring_case(person.login, p.key)) ||
                   // A login that begins earlier than was guessed: "hw2-ann-lee", whose exercise is not "hw2-ann".
                   (!person.login.empty() && p.login.size() > person.login.size() &&
                    ends_in(person.key, p.login));
        });
        return longest_login(by_login);
    }

    /// Whether the login is what is left of a name without its beginning, which was guessed.
    bool is_guess(const Person& person) const { return rules_.endings && ends_in(person.key, person.login); }

    static std::string beginning_of(const Person& person) {
        return person.key.substr(0, person.key.size() - person.login.size());
    }

    /// Counts which beginnings leave logins of the roster.
    void confirm_beginnings() {
        for (const Claimant& one : claimants_)
            if (is_guess(one.person) && !rows_where([&](const Person& p) {
                                             return equal_ignoring_case(p.login, one.person.login);
                                         }).empty())
                ++confirmed_[beginning_of(one.person)];
    }

    /// Of these rows the one with the longest login; nothing if there are two.
    std::optional<std::size_t> longest_login(const std::vector<std::size_t>& rows) const {
        std::optional<std::size_t> longest;
        for (const std::size_t row : rows)
            if (!longest || roster_[row].login.size() > roster_[*longest].login.size()) longest = row;
        const bool twice = std::ranges::count_if(rows, [&](std::size_t row) {
                               return roster_[row].login.size() == roster_[*longest].login.size();
                           }) > 1;
        return twice ? std::nullopt : longest;
    }

    void give(std::size_t claimant, std::size_t row, FoundBy by) {
        claims_[claimant] = {row, by, false, ""};
        taken_.insert(static_cast<std::ptrdiff_t>(row));
    }

    void leave_unclear(std::size_t claimant, const std::string& why) {
        claims_[claimant] = {std::nullopt, FoundBy::nothing, true, why};
    }

    /// Gives each row to its only claimant. Several get nothing.
    void give_or_refuse(const std::map<std::size_t, std::vector<std::size_t>>& claimed, FoundBy by) {
        for (const auto& [row, claimants] : claimed) {
            if (claimants.size() == 1)
                give(claimants.front(), row, by);
            else
                leave_all_unclear(row, claimants);
        }
    }

    void leave_all_unclear(std::size_t row, const std::vector<std::size_t>& claimants) {
        taken_.insert(static_cast<std::ptrdiff_t>(row));
        for (const std::size_t one : claimants) {
            std::vector<std::string> others;
            for (const std::size_t other : claimants)
                if (other != one) others.push_back("\"" + tidy_name(claimants_[other].label) + "\"");
            leave_unclear(one, fmt::format("It may be of {} on the roster, and so may {}. {}",
                                           shown(roster_[row]), fmt::join(others, ", "), kRemedy));
        }
    }

    bool is_open(std::size_t claimant) const {
        return !claims_[claimant].row && !claims_[claimant].unclear && claims_[claimant].note.empty();
    }

    void by_identity() {
        doubts_.resize(claimants_.size());
        confirm_beginnings();
        std::map<std::size_t, std::vector<std::size_t>> claimed;
        for (std::size_t k = 0; k < claimants_.size(); ++k)
            if (const auto row = identified(k)) claimed[*row].push_back(k);
        give_or_refuse(claimed, FoundBy::identity);
    }

    Rows namesakes(const Person& person) const {
        Rows rows;
        const auto add = [&rows](const auto& names, const std::string& name) {
            if (const auto found = names.find(name); found != names.end())
                rows.insert(found->second.begin(), found->second.end());
        };
        add(by_letters_, name_letters(person.name));
        add(by_words_, name_words(person.name));
        return rows;
    }

    void by_name() {
        std::map<Rows, std::vector<std::size_t>> groups;
        for (std::size_t k = 0; k < claimants_.size(); ++k)
            if (is_open(k) && !claimants_[k].person.name.empty())
                if (const Rows rows = namesakes(claimants_[k].person); !rows.empty())
                    groups[rows].push_back(k);
        for (const auto& [rows, group] : groups) settle_namesakes(rows, group);
    }

    void settle_namesakes(const Rows& rows, std::vector<std::size_t> group) {
        std::vector<std::size_t> left;
        for (const std::ptrdiff_t row : rows)
            if (!taken_.contains(row)) left.push_back(static_cast<std::size_t>(row));
        // Another address is another person.
        const auto address_of_row = [this](std::size_t row) { return !roster_[row].email.empty(); };
        if (rules_.of_roster &&
            std::ranges::none_of(group, [this](std::size_t k) { return claimants_[k].person.email.empty(); }))
            std::erase_if(left, address_of_row);
        const auto bare_row = [this](std::size_t row) { return is_bare(roster_[row]); };
        const auto bare_claimant = [this](std::size_t k) { return is_bare(claimants_[k].person); };
        const bool alike = std::ranges::all_of(left, bare_row) ||
                           (rules_.of_roster && std::ranges::all_of(group, bare_claimant));
        if ((group.size() == 1 && left.size() == 1) ||
            (alike && (rules_.of_roster || group.size() <= left.size())))
            for (; !left.empty() && !group.empty(); group.erase(group.begin()), left.erase(left.begin()))
                give(group.front(), left.front(), FoundBy::name);
        if (left.empty() || (rules_.of_roster && group.size() > left.size())) {
            for (const std::size_t one : group)
                claims_[one].note =
                    fmt::format("There is another {} already; this one is taken as a student of their own.",
                                shown(claimants_[one].person));
        } else if (left.size() == 1) {
            leave_all_unclear(left.front(), group);
        } else {
            for (const std::size_t one : group)
                leave_unclear(one, fmt::format("{} could be any of {} people on the roster. {}",
                                               shown(claimants_[one].person), left.size(), kRemedy));
        }
    }

    /// A repository "exercise-login", or a folder "name-login", whose beginning is not known.
    void by_ending() {
        std::map<std::size_t, std::vector<std::size_t>> claimed;
        for (std::size_t k = 0; k < claimants_.size(); ++k) {
            if (!is_open(k)) continue;
            const Person& person = claimants_[k].person;
            const std::string& whole = person.key.empty() ? person.name : person.key;
            const auto row =
                longest_login(rows_where([&](const Person& p) { return ends_in(whole, p.login); }));
            if (!row) continue;
            if (!taken_.contains(static_cast<std::ptrdiff_t>(*row)))
                claimed[*row].push_back(k);
            else
                claims_[k].note = fmt::format(
                    "{} ends in the login of {}, who is there under their own name; it is taken as a student "
                    "of their own.",
                    shown(person), shown(roster_[*row]));
        }
        give_or_refuse(claimed, FoundBy::ending);
        for (const auto& [row, claimants] : claimed)
            if (claimants.size() == 1)
                claims_[claimants.front()].note =
                    fmt::format("\"{}\" is taken for {}, because it ends in the login \"{}\".",
                                tidy_name(claimants_[claimants.front()].label), shown(roster_[row]),
                                tidy_name(roster_[row].login));
    }

    const std::vector<Person>& roster_;
    const std::vector<Claimant>& claimants_;
    ClaimRules rules_;
    std::vector<Claim> claims_;
    std::vector<std::string> doubts_;
    std::map<std::string, int> confirmed_;
    Rows taken_;
    std::map<std::string, Rows> by_letters_, by_words_;
};

}  // namespace match
}  // namespace

std::vector<Claim> settle_claims(const std::vector<Person>& roster, const std::vector<Claimant>& claimants,
                                 const ClaimRules& rules) {
    return match::ClaimSettler(roster, claimants, rules).settled();
}

bool names_agree(const std::string& one, const std::string& other) {
    const std::vector<std::string> a = match::words_of(one), b = match::words_of(other);
    if (a.empty() || b.empty()) return true;
    const auto in_letters = [](const std::string& letters, const std::vector<std::string>& words) {
        return std::ranges::all_of(
            words, [&letters](const std::string& word) { return letters.find(word) != std::string::npos; });
    };
    const std::vector<std::string>&shorter = a.size() < b.size() ? a : b,
          &longer = a.size() < b.size() ? b : a;
    return std::ranges::includes(longer, shorter) ||  // both are sorted
           (shorter.size() == 1 && in_letters(shorter.front(), longer));
}

Person completed(Person known, const Person& person) {
    const auto fill = [](std::string& field, const std::string& other) {
        if (field.empty()) field = other;
    };
    fill(known.key, person.key);
    fill(known.name, person.name);
    fill(known.email, person.email);
    fill(known.login, person.login);
    fill(known.section, person.section);
    return known;
}

}  // namespace attn::classes
