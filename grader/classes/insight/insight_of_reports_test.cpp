// The page's data from reports of the grader itself, for classes of several sizes: its files, its schema, and
// no names.

#include <map>
#include <set>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/classes/insight/write_insight.h"
#include "grader/testing/graded_reports.h"
#include "grader/testing/schemas.h"

namespace attn::classes {
namespace {

using nlohmann::json;

BOOST_AUTO_TEST_SUITE(insight_of_reports, *boost::unit_test::label("long"))

Insight collected(const ClassView& view) {
    InsightCollector collector(view, testing::built().sources);
    for (const StudentView& student : view.students) collector.add(student);
    return collector.finish();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(the_mistakes_of_real_submissions_are_named_with_a_place) {
    const Insight found = collected(drawn_class(graded_reports(), 60));
    std::map<std::string, const Misconception*> by_name;
    for (const Misconception& each : found.misconceptions) by_name[each.mistakes.front()] = &each;
    BOOST_TEST_REQUIRE(by_name.contains("no_scale"));
    const Misconception& scale = *by_name.at("no_scale");
    BOOST_TEST(scale.cause == "the scores are not divided by sqrt(D_q)");
    BOOST_TEST(contains(scale.hint, "D_q"));
    BOOST_TEST_REQUIRE(scale.examples.size() == 2U);
    BOOST_TEST(scale.examples.front().check.starts_with("2.scaled_dot_product_attention."));
    BOOST_TEST(contains(scale.examples.front().place, "self_attention.cpp:"));
    BOOST_TEST(!found.parts.front().shares.bins.back().empty());
    // Every graded student is in one bin of every part.
    for (const InsightPart& part : found.parts) {
        std::set<int> students;
        for (const std::vector<int>& bin : part.shares.bins) students.insert(bin.begin(), bin.end());
        BOOST_TEST(students.size() == found.graded.size(), part.function);
    }
}

BOOST_AUTO_TEST_CASE(the_json_follows_its_schema) {
    for (const int students : {0, 1, 3, 300}) {
        const std::string text = to_json(collected(drawn_class(graded_reports(), students, true)));
        BOOST_TEST(report::json_complaints("insight", text) == "", students << " students");
        BOOST_TEST(!contains(text, "<"));
    }
    ClassView unknown = drawn_class(graded_reports(), 3);
    unknown.due.reset();
    BOOST_TEST(report::json_complaints("insight", to_json(collected(unknown))) == "");
}

BOOST_AUTO_TEST_CASE(the_schema_refuses_other_texts) {
    const json right = json::parse(to_json(collected(drawn_class(graded_reports(), 300))));
    const auto complaints_after = [&](const char* place, const json& value) {
        json changed = right;
        BOOST_TEST_REQUIRE(changed.contains(json::json_pointer(place)), place);
        changed[json::json_pointer(place)] = value;
        return report::json_complaints("insight", changed.dump());
    };
    BOOST_TEST(complaints_after("/title", "Another") == "");
    const std::pair<const char*, json> wrong[] = {{"/schema_version", 2},
                                                  {"/made_at", "yesterday"},
                                                  {"/total/mean", 1.5},
                                                  {"/total/bins", json::array()},
                                                  {"/parts/0/failed", {{"wrong", {-1}}}},
                                                  {"/misconceptions/0/examples", json::array()},
                                                  {"/misconceptions/0/cause", ""},
                                                  {"/checks/0/kind", "guess"},
                                                  {"/outliers/0/rule", "other"},
                                                  {"/students/0/report", "../../etc/passwd"},
                                                  {"/students/0/state", "lost"},
                                                  {"/students/0/attempts/0/when", 12},
                                                  {"/students/0/mark/held", nullptr},
                                                  {"/students/0", {{"pseudonym", "a"}}}};
    for (const auto& [place, value] : wrong) BOOST_TEST(complaints_after(place, value) != "", place);
}

BOOST_AUTO_TEST_CASE(names_appear_only_where_they_may) {
    const ClassView hidden = drawn_class(graded_reports(), 100),
                    shown = drawn_class(graded_reports(), 100, true);
    const Insight without = collected(hidden), with = collected(shown);
    const std::string all = to_json(without) + to_csv(without) + to_html(without);
    for (const StudentView& student : hidden.students)
        for (const std::string& secret :
             {student.person.name, student.person.email, student.person.login, student.label})
            BOOST_TEST(!contains(all, secret), secret);
    for (const char* secret : {"Lovelace", "Paddy", "Bold", "evil", "Monday"})
        BOOST_TEST(!contains(all, secret), secret);
    BOOST_TEST(contains(to_json(with), "0 Ada Lovelace"));
    BOOST_TEST(contains(to_json(with), "Monday"));
    BOOST_TEST(!contains(to_json(with), "secret0"));  // e-mail and login are in no figure
    BOOST_TEST(!contains(to_csv(with), "Lovelace"));  // pseudonyms, so that the table can be shared
}

BOOST_AUTO_TEST_CASE(the_table_has_equal_rows_and_no_formulas) {
    const Insight found = collected(drawn_class(graded_reports(), 300));
    std::istringstream lines(to_csv(found));
    std::map<std::string, int> rows;
    for (std::string line; std::getline(lines, line);) {
        BOOST_TEST_REQUIRE(line.ends_with('\r'));
        line.pop_back();
        int commas = 0;
        bool quoted = false, begins = true;
        for (const char c : line) {
            if (begins && !quoted) BOOST_TEST(!contains("=+-@", std::string(1, c)), line);
            quoted ^= c == '"';
            begins = c == ',' && !quoted;
            commas += begins ? 1 : 0;
        }
        BOOST_TEST(commas == 6, line);
        ++rows[line.substr(0, line.find(','))];
    }
    BOOST_TEST(rows["student"] == 300);
    BOOST_TEST(rows["misconception"] == static_cast<int>(found.misconceptions.size()));
    BOOST_TEST(rows["check"] == static_cast<int>(found.checks.size()));
    BOOST_TEST(rows["points"] == static_cast<int>(13 * (1 + found.parts.size())));
}

BOOST_AUTO_TEST_CASE(every_report_that_the_page_links_is_there) {
    namespace fs = std::filesystem;
    const data::TemporaryDirectory folder;
    const fs::path place = folder / "insight";
    write_insight(drawn_class(graded_reports(), 8), place);
    const Insight found = write_insight(drawn_class(graded_reports(), 3), place);
    std::set<std::string> linked, there;
    for (const InsightStudent& student : found.students)
        if (!student.report.empty()) linked.insert(student.report);
    for (const auto& entry : fs::directory_iterator(place / "reports"))
        there.insert("reports/" + entry.path().filename().string());
    BOOST_TEST(linked.size() == 3U);
    BOOST_TEST(linked == there, "of the first class nothing is left");
    BOOST_TEST((fs::status(place).permissions() == fs::perms::owner_all));
    BOOST_TEST(data::read_file(place / "insight.json") == to_json(found));
    BOOST_TEST(data::read_file(place / "insight.csv") == to_csv(found));
    BOOST_TEST(data::read_file(place / "index.html") == to_html(found));
    // A link leads to a check of the report's page.
    const std::string page = data::read_file(place / *linked.begin());
    BOOST_TEST(contains(page, "2.softmax.ragged"));
    BOOST_TEST(!contains(page, "/proof/"), "the page does not say where the submission lies");
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_and_a_pseudonym_that_is_no_file_name_are_refused) {
    const data::TemporaryDirectory folder;
    folder.write("file", "");
    BOOST_CHECK_THROW(write_insight(drawn_class(graded_reports(), 1), folder / "file/insight"), UserError);
    ClassView strange = drawn_class(graded_reports(), 1);
    strange.students.front().pseudonym = "../up";
    BOOST_CHECK_THROW(write_insight(strange, folder / "insight"), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
