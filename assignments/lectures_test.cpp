// The page that leads from the lectures' slides to assignments has parts that exist for every row, and knows every slide
// that a handout names.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/rubric/course.h"
#include "grader/testing/built.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(lectures)

namespace fs = std::filesystem;
using rubric::Rubric;

struct MapRow {
    std::string deck;                               ///< "D0"
    std::string text;                               ///< the whole line, for messages
    std::set<std::string> slides;                   ///< without quotes
    std::map<int, std::vector<std::string>> parts;  ///< by assignment
    bool no_system = false;
};

const std::vector<Rubric>& rubrics_of_lectures() {
    static const auto kAll = rubric::read_rubrics(testing::built().assignments);
    return kAll;
}

const Rubric* rubric_of(int number) {
    const auto found = std::ranges::find(rubrics_of_lectures(), number, &Rubric::number);
    return found == rubrics_of_lectures().end() ? nullptr : &*found;
}

std::set<std::string> matches_in(const std::string& text, const std::regex& pattern) {
    std::set<std::string> found;
    for (std::sregex_iterator each(text.begin(), text.end(), pattern), end; each != end; ++each)
        found.insert((*each)[1]);
    return found;
}

/// The titles in quotes, without the marks that differ from text to text.
std::set<std::string> titles_in(const std::string& text) {
    static const std::regex kQuoted("\"([^\"]+)\"");
    return matches_in(text, kQuoted);
}

/// The cells of a table's line; empty if it is none.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    if (!line.starts_with("| ")) return cells;
    std::istringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
    return cells;
}

/// Reads "no system", or "[1](01_rnn_attention/README.md): `decode`; [7](07_seq2seq/README.md): `encode`".
void read_places(const std::string& cell, MapRow& row) {
    static const std::regex kParts(
        R"( *\[([0-9]+)\]\(([0-9a-z_]+)/README\.md\): (`[a-z_0-9]+`(, `[a-z_0-9]+`)*) *)"),
        kPart("`([a-z_0-9]+)`");
    row.no_system = cell == " no system ";
    if (row.no_system) return;
    std::istringstream pieces(cell);
    for (std::string piece; std::getline(pieces, piece, ';');) {
        std::smatch found;
        if (std::regex_match(piece, found, kParts)) {
            const std::string parts = found[3];
            const auto names = matches_in(parts, kPart);
            row.parts[std::stoi(found[1])].assign(names.begin(), names.end());
            BOOST_TEST(fs::exists(testing::built().assignments / found[2].str() / "README.md"), row.text);
        } else {
            BOOST_TEST(false, "no parts: '" << piece << "' in " << row.text);
        }
    }
}

const std::vector<MapRow>& rows_of_map() {
    static const auto kRows = [] {
        std::vector<MapRow> rows;
        std::istringstream page(data::read_file(testing::built().assignments / "lectures.md"));
        std::string deck;
        for (std::string line; std::getline(page, line);) {
            if (line.starts_with("## D")) deck = line.substr(3, 2);
            const auto cells = cells_of(line);
            if (cells.size() != 3 || cells[0] == " what ") continue;
            MapRow row{deck, line, titles_in(cells[1]), {}};
            read_places(cells[2], row);
            rows.push_back(std::move(row));
        }
        return rows;
    }();
    return kRows;
}

BOOST_AUTO_TEST_CASE(every_row_names_slides_and_parts_that_exist) {
    std::set<std::string> decks;
    int parts = 0;
    for (const MapRow& row : rows_of_map()) {
        decks.insert(row.deck);
        BOOST_TEST_CONTEXT(row.text) {
            BOOST_TEST(!row.slides.empty());
            BOOST_TEST((row.no_system || !row.parts.empty()));
            for (const auto& [number, names] : row.parts) {
                const Rubric* rubric = rubric_of(number);
                BOOST_TEST_REQUIRE(rubric != nullptr);
                for (const std::string& name : names) {
                    ++parts;
                    BOOST_TEST(
                        std::ranges::any_of(rubric->parts,
                                            [&](const auto& part) { return part.function->name == name; }),
                        "assignment " << number << " has no part " << name);
                }
            }
        }
    }
    BOOST_TEST(decks.size() == 5U);
    BOOST_TEST(rows_of_map().size() >= 85U);
    // Hardly any slide with content is about no system.
    BOOST_TEST(std::ranges::count_if(rows_of_map(), &MapRow::no_system) <= 5);
    BOOST_TEST(parts >= 100);
}

/// The decks of a row of a handout's table: "(D2) and CS 8803-VLM *Transformers* (D3)".
std::set<std::string> decks_in(const std::string& cell) {
    static const std::regex kDeck("\\((D[0-4])\\)");
    return matches_in(cell, kDeck);
}

BOOST_AUTO_TEST_CASE(every_slide_that_a_handout_names_is_on_the_page_with_this_assignment) {
    int slides = 0;
    for (const Rubric& rubric : rubrics_of_lectures()) {
        std::istringstream handout(data::read_file(rubric.folder / "README.md"));
        for (std::string line; std::getline(handout, line);) {
            const auto cells = cells_of(line);
            // A line without a title only says something about a lecture.
            if (cells.size() != 2 || titles_in(cells[1]).empty()) continue;
            for (const std::string& deck : decks_in(cells[0])) {
                std::set<std::string> known;
                for (const MapRow& row : rows_of_map())
                    if (row.deck == deck && row.parts.contains(rubric.number))
                        known.insert(row.slides.begin(), row.slides.end());
                BOOST_TEST(!known.empty(), deck << " has no row with assignment " << rubric.number);
                for (const std::string& slide : titles_in(cells[1])) {
                    ++slides;
                    BOOST_TEST(known.contains(slide), "assignments/lectures.md, "
                                                          << deck << ": no row with assignment "
                                                          << rubric.number << " names the slide \"" << slide
                                                          << "\"");
                }
            }
        }
    }
    BOOST_TEST(slides >= 60);
}

BOOST_AUTO_TEST_CASE(every_assignment_on_a_lectures_page_is_in_its_course_and_the_other_way_round) {
    static const std::regex kCourse("COURSE=([a-z0-9]+)`");
    const std::string page = data::read_file(testing::built().assignments / "lectures.md");
    std::map<std::string, std::string> course_of;
    std::istringstream lines(page);
    std::string deck;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## D")) deck = line.substr(3, 2);
        if (std::smatch found; !deck.empty() && std::regex_search(line, found, kCourse))
            course_of[deck] = found[1];
    }
    BOOST_TEST(course_of.size() == 5U);
    for (const auto& [name, file] : course_of) {
        const auto course = rubric::read_course(rubrics_of_lectures(), testing::built().assignments, file);
        std::set<int> on_page, in_course;
        for (const MapRow& row : rows_of_map()) {
            if (row.deck != name) continue;
            for (const auto& [number, ignored] : row.parts) on_page.insert(number);
        }
        for (const auto& step : course.steps) in_course.insert(step.number);
        BOOST_TEST(on_page == in_course, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
