#include "grader/classes/roster/match.h"

#include <boost/test/unit_test.hpp>

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(match)

/// The rows that people get who claim them together: "2 0 - ?", "-" for nobody and "?" where it cannot be told.
std::string rows_of(const std::vector<Person>& roster, const std::vector<Person>& people,
                    const ClaimRules& rules = {}) {
    std::vector<Claimant> claimants;
    for (const Person& person : people) claimants.push_back({person, person.key + person.name});
    std::string rows;
    for (const Claim& claim : settle_claims(roster, claimants, rules))
        rows += (rows.empty() ? "" : " ") + (claim.row       ? std::to_string(*claim.row)
                                             : claim.unclear ? "?"
                                                             : "-");
    return rows;
}

const std::vector<Person> kRoster = {{"12", "Jane Doe", "jane@u.edu", "jdoe", ""},
                                     {"13", "Twin One", "t1@u.edu", "", ""},
                                     {"14", "Twin One", "t2@u.edu", "", ""},
                                     {"", "Ann Lee", "", "ann-lee", ""},
                                     {"", "Lee Wu", "", "lee", ""}};

BOOST_AUTO_TEST_CASE(people_are_found_by_address_id_login_and_name) {
    const auto row = [](const Person& person) { return rows_of(kRoster, {person}, {.endings = true}); };
    BOOST_TEST(row({"12", "", "", "", ""}) == "0");
    BOOST_TEST(row({"12", "doejane", "", "", ""}) == "0");  // Canvas' file names
    BOOST_TEST(row({"12", "Doe", "", "", ""}) == "0");
    BOOST_TEST(row({"12", "12", "", "12", ""}) == "0");  // a folder that is called by the number
    BOOST_TEST(row({"55", "Someone", "JANE@u.edu", "", ""}) == "0");
    BOOST_TEST(row({"", "", "", "jdoe", ""}) == "0");
    BOOST_TEST(row({"99", "Doe Jane", "", "", ""}) == "0");
    BOOST_TEST(row({"14", "Twin One", "", "", ""}) == "2");
    BOOST_TEST(row({"hw-2-ann-lee", "", "", "2-ann-lee", ""}) == "3");
    BOOST_TEST(row({"hw2-ann-lee", "", "", "lee", ""}) == "3");  // the exercise is not called "hw2-ann"
    BOOST_TEST(row({"", "twin one", "", "", ""}) == "?");
    // Moodle numbers its participants for each exercise: the same number may be another person's.
    BOOST_TEST(row({"12", "Paul Poe", "", "", ""}) == "-");
    BOOST_TEST(row({"12", "John Doe", "", "", ""}) == "-");
    BOOST_TEST(settle_claims(kRoster, {{{"12", "Paul Poe", "", "", ""}, ""}})
                   .front()
                   .note.find("same id 12, but another name") != std::string::npos);
    BOOST_TEST(completed(kRoster[3], {"99", "leeann", "", "", "B"}).section == "B");
}

BOOST_AUTO_TEST_CASE(names_that_may_be_one_persons) {
    for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
             {"Jane Doe", "Doe, Jane Maria"}, {"doejane", "Jane Doe"}, {"", "Jane"}, {"J\u00f6rg", "jorg m"}})
        BOOST_TEST((names_agree(one, other) && names_agree(other, one)), one << " and " << other);
    for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
             {"Zed Good", "Ben Good"}, {"goodzed", "Ben Good"}, {"Jane", "John"}, {"Jane Doe", "Jane Poe"}})
        BOOST_TEST(!(names_agree(one, other) || names_agree(other, one)), one << " and " << other);
}

BOOST_AUTO_TEST_CASE(no_row_is_given_twice_whatever_the_order) {
    const Person ann{"", "Ann Lee", "", "ann-lee", ""}, by_name{"77", "Ann Lee", "", "", ""},
        by_ending{"x-ann-lee", "x-ann-lee", "", "x-ann-lee", ""};
    const ClaimRules endings{.endings = true};
    BOOST_TEST(rows_of(kRoster, {ann, by_name, by_ending}, endings) == "3 - -");
    BOOST_TEST(rows_of(kRoster, {by_ending, by_name, ann}, endings) == "- - 3");
    BOOST_TEST(rows_of(kRoster, {by_ending, by_name}, endings) == "- 3");
    BOOST_TEST(rows_of(kRoster, {by_ending}, endings) == "3");
    BOOST_TEST(rows_of(kRoster, {by_ending}) == "-");
    // Two equal claims are nobody's.
    BOOST_TEST(rows_of(kRoster, {{"a", "", "jane@u.edu", "", ""}, {"b", "", "", "jdoe", ""}}) == "? ?");
    BOOST_TEST(rows_of(kRoster, {by_name, {"78", "Lee, Ann", "", "", ""}}) == "? ?");
    BOOST_TEST(rows_of(kRoster, {by_ending, {"y_ann-lee", "", "", "", ""}}, endings) == "? ?");
    // The other of two namesakes is left.
    BOOST_TEST(rows_of(kRoster, {{"98", "Twin One", "", "", ""}, {"13", "Twin One", "", "", ""}}) == "2 1");
}

BOOST_AUTO_TEST_CASE(namesakes_of_two_rosters_are_no_new_people) {
    const ClaimRules roster{.of_roster = true};
    const Person bare{"", "A K", "", "", ""}, with_id{"12", "A K", "", "", ""},
        other_id{"13", "A K", "", "", ""}, address{"", "A K", "a@u.edu", "", ""},
        other_address{"", "A K", "b@u.edu", "", ""};
    BOOST_TEST(rows_of({bare, bare}, {with_id, other_id}, roster) == "0 1");
    BOOST_TEST(rows_of({with_id, other_id}, {bare, bare}, roster) == "0 1");
    BOOST_TEST(rows_of({address, other_address}, {with_id, other_id}, roster) == "? ?");
    BOOST_TEST(rows_of({bare}, {with_id, other_id}, roster) == "0 -");
    BOOST_TEST(rows_of({address}, {other_address}, roster) == "-");
    BOOST_TEST(rows_of({address, bare}, {other_address}, roster) == "1");
    BOOST_TEST(rows_of({with_id}, {address, other_address}, roster) == "- -");
    // Of a download nothing but a roster that knows no more than the names leaves the order to decide.
    BOOST_TEST(rows_of({bare, bare}, {with_id, other_id}) == "0 1");
    BOOST_TEST(rows_of({bare}, {with_id, other_id}) == "? ?");
    BOOST_TEST(rows_of({address, other_address}, {with_id}) == "?");
}

BOOST_AUTO_TEST_SUITE_END()
