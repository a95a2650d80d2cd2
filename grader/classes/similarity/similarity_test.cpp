#include "grader/classes/similarity/similarity.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <regex>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/classes/run_tool.h"
#include "grader/testing/hostile_text.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(similarity)

namespace fs = std::filesystem;

boost::test_tools::assertion_result tool_is_there(boost::unit_test::test_unit_id) {
    if (run_tool({"sim_c++", "-v"})) return true;
    std::cout << "skipped: no similarity-tester\n";
    return false;
}
const boost::unit_test::precondition kNeedsTool{tool_is_there};

fs::path of_project(const std::string& file) {
    return Installation().sources / file;
}

const std::string kProof = "grader/assignments/self_attention/proof/";

std::string replaced(std::string text, const std::map<std::string, std::string>& words) {
    for (const auto& [from, to] : words)
        text = std::regex_replace(text, std::regex("\\b" + from + "\\b"), to);
    return text;
}

/// Hand-ins in a temporary folder.
struct HandIns {
    data::TemporaryDirectory temporary;
    std::vector<SimilarityInput> inputs;

    void add(const std::string& name, const std::string& text, int student = -1) {
        const std::string folder = std::to_string(inputs.size());
        fs::create_directories(temporary / folder);
        temporary.write(folder + "/self_attention.cpp", text);
        inputs.push_back({name, temporary / folder, student < 0 ? static_cast<int>(inputs.size()) : student});
    }
    Similarity compare(double least = 0.3, const std::string& folder = "02_self_attention") const {
        const std::string name = folder.substr(folder.find('_') + 1);
        SimilarityOptions options;
        options.given = {of_project("student/" + name + ".cpp"),
                         of_project("assignments/" + folder + "/" + name + ".h"),
                         of_project("assignments/" + folder + "/README.md")};
        options.least_share = least;
        return find_similar(inputs, options);
    }
};

double share_of(const Similarity& found, const HandIns& work, const std::string& a, const std::string& b) {
    for (const SimilarPair& pair : found.pairs) {
        const std::set<std::string> names = {work.inputs[pair.a].name, work.inputs[pair.b].name};
        if (names == std::set<std::string>{a, b}) return pair.share;
    }
    return 0;
}

BOOST_AUTO_TEST_CASE(copies_are_found_and_independent_solutions_are_not, *kNeedsTool) {
    HandIns work;
    const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    work.add("solution", solution);
    work.add("online", data::read_file(of_project(kProof + "right_online.cpp")));
    work.add("renamed",
             replaced(solution, {{"b", "batch"}, {"i", "row"}, {"j", "col"}, {"sum", "total"}, {"d", "k"}}));
    work.add("stub", data::read_file(of_project("student/self_attention.cpp")));
    work.add("edited stub",
             replaced(data::read_file(of_project("student/self_attention.cpp")), {{"X", "input"}}));
    const Similarity found = work.compare(0);
    BOOST_TEST(found.missing == "");
    BOOST_TEST(share_of(found, work, "solution", "renamed") > 0.95);
    BOOST_TEST(share_of(found, work, "solution", "online") < 0.3);
    for (const SimilarPair& pair : found.pairs)
        for (const std::size_t one : {pair.a, pair.b})
            BOOST_TEST(work.inputs[one].name.find("stub") == std::string::npos);
    BOOST_TEST(found.compared == 10);
    for (const SimilarPair& pair : found.pairs)
        BOOST_TEST_MESSAGE(work.inputs[pair.a].name << " and " << work.inputs[pair.b].name << ": "
                                                    << pair.share);
}

/// One of the test solutions contains most of another one.
bool is_built_on(const std::string& a, const std::string& b) {
    return std::set<std::string>{a, b} == std::set<std::string>{"right_blocked", "right_quick_tanh"};
}

BOOST_AUTO_TEST_CASE(a_renamed_copy_stands_out_in_every_assignment, *kNeedsTool) {
    double most = 0;
    for (const auto& folder : fs::directory_iterator(of_project("assignments"))) {
        const std::string contract = folder.path().filename().string();
        const fs::path proof =
            of_project("grader/assignments/" + contract.substr(contract.find('_') + 1) + "/proof");
        if (!fs::exists(proof / "solution.cpp")) continue;
        HandIns work;
        for (const auto& file : fs::directory_iterator(proof))
            if (file.path().extension() == ".cpp") work.add(file.path().stem(), data::read_file(file.path()));
        work.add("renamed",
                 replaced(data::read_file(proof / "solution.cpp"),
                          {{"b", "batch"}, {"i", "row"}, {"j", "col"}, {"sum", "total"}, {"d", "k"}}));
        const Similarity found = work.compare(0, contract);
        BOOST_REQUIRE(!found.pairs.empty());
        BOOST_TEST(share_of(found, work, "solution", "renamed") > 0.95, contract);
        for (const SimilarPair& pair : found.pairs) {
            const std::string &a = work.inputs[pair.a].name, &b = work.inputs[pair.b].name;
            BOOST_TEST_MESSAGE(contract << ": " << a << " and " << b << ": " << pair.share);
            if (b != "renamed" && a != "renamed" && !is_built_on(a, b)) most = std::max(most, pair.share);
        }
    }
    BOOST_TEST(most < 0.6);
    BOOST_TEST_MESSAGE("the most similar pair of different solutions: " << most);
}

BOOST_AUTO_TEST_CASE(attempts_of_one_student_are_not_compared, *kNeedsTool) {
    HandIns work;
    const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    work.add("first", solution, 1);
    work.add("second", solution, 1);
    BOOST_TEST(work.compare().pairs.empty());
    work.add("other", solution, 2);
    BOOST_TEST(work.compare().pairs.size() == 2);
}

BOOST_AUTO_TEST_CASE(what_many_share_is_common_unless_all_is_the_same, *kNeedsTool) {
    HandIns work;
    const std::string loop =
        "float largest(const float* x, int n) { float m = x[0]; for (int j = 1; j < n; j++) m = m < x[j] ? "
        "x[j] : m; "
        "return m; }\n";
    for (int k = 0; k < 8; ++k) {
        std::string own = loop;
        for (int line = 0; line < 12; ++line)
            own += "x" + std::string(static_cast<std::size_t>(line * 7 + k) % 11 + 1, '+') + "y" +
                   std::string(static_cast<std::size_t>(line * 5 + k * 3) % 7 + 1, '*') + "z;\n";
        work.add("student " + std::to_string(k), own);
    }
    work.add("copy", data::read_file(work.inputs[0].folder / "self_attention.cpp"));
    const Similarity found = work.compare(0);
    BOOST_TEST(share_of(found, work, "student 1", "student 2") == 0);
    BOOST_TEST(share_of(found, work, "student 0", "copy") > 0.5);
    bool common = false;
    for (const SimilarPair& pair : found.pairs)
        for (const SimilarRun& run : pair.runs) common |= run.common;
    BOOST_TEST(common);
}

BOOST_AUTO_TEST_CASE(pages_show_the_lines_and_say_that_they_are_a_hint, *kNeedsTool) {
    HandIns work;
    std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    solution.insert(solution.find("for ("), "// </pre><script>alert(1)</script>\n    ");
    work.add("quiet-otter", solution);
    work.add("<b>sly-fox</b>", solution);
    write_similarity(work.compare(), work.inputs, work.temporary / "pages");
    const std::string index = data::read_file(work.temporary / "pages/index.html");
    const std::string pair = data::read_file(work.temporary / "pages/pair_001.html");
    for (const std::string* page : {&index, &pair}) {
        BOOST_TEST(page->find("This is a hint, never a verdict.") != std::string::npos);
        BOOST_TEST(page->find("<b>") == std::string::npos);
        BOOST_TEST(page->find("<script>") == std::string::npos);
        BOOST_TEST(page->find("--accent") != std::string::npos);  // the report's style
    }
    BOOST_TEST(index.find("pair_001.html") != std::string::npos);
    BOOST_TEST(pair.find("self_attention.cpp, line") != std::string::npos);
    BOOST_TEST(pair.find("class=\"given\"") != std::string::npos);
    BOOST_CHECK_THROW(write_similarity({}, {}, work.temporary / "pages"), UserError);
}

/// Nine hand-ins with a renamed variable each, two others that are equal, and one of its own.
HandIns nine_and_two() {
    HandIns work;
    const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    for (int k = 0; k < 9; ++k)
        work.add(fmt::format("copy-{}", k), replaced(solution, {{"sum", fmt::format("sum_{}", k)}}));
    const std::string online = data::read_file(of_project(kProof + "right_online.cpp"));
    work.add("pair-1", online);
    work.add("pair-2", online);
    work.add("alone", "int f(int a) { return a; }\n");
    return work;
}

BOOST_AUTO_TEST_CASE(nine_equal_hand_ins_are_one_group, *kNeedsTool) {
    const HandIns work = nine_and_two();
    const Similarity found = work.compare();
    BOOST_TEST(found.alike == 37U);
    BOOST_REQUIRE(found.groups.size() == 1U);
    std::set<std::string> members;
    for (const std::size_t member : found.groups[0].members) members.insert(work.inputs[member].name);
    BOOST_TEST(members.size() == 9U);
    for (const std::string& name : members) BOOST_TEST(name.starts_with("copy-"));
    BOOST_TEST(found.pairs.size() == 9U);  // eight with the first of the group, and the other pair
    BOOST_TEST(std::ranges::count(found.pairs, true, &SimilarPair::in_group) == 8);
    write_similarity(found, work.inputs, work.temporary / "pages");
    const std::string index = data::read_file(work.temporary / "pages/index.html");
    std::size_t rows = 0;
    for (std::size_t at = index.find("<tr><td>"); at != std::string::npos;
         at = index.find("<tr><td>", at + 1))
        ++rows;
    BOOST_TEST(rows == 2U);
    for (const std::string& name : members) BOOST_TEST(index.find(name) != std::string::npos);
    BOOST_TEST(index.find("alone") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(two_students_are_no_group_whatever_they_repeat, *kNeedsTool) {
    HandIns work;
    const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    for (int attempt = 0; attempt < 3; ++attempt) work.add("ann", solution, 1);
    work.add("bob", solution, 2);
    const Similarity found = work.compare();
    BOOST_TEST(found.groups.empty());
    BOOST_TEST(found.pairs.size() == 3U);
}

BOOST_AUTO_TEST_CASE(no_hand_in_makes_the_comparison_long, *kNeedsTool) {
    const std::size_t bytes = std::size_t{250} << 10;
    std::string numbered, nested;
    for (int k = 0; numbered.size() < bytes; ++k)
        numbered += fmt::format("v{} = v{} + f({});\n", k % 999, k % 77, k);
    for (int k = 0; nested.size() < bytes; ++k)
        nested += "x = " + std::string(static_cast<std::size_t>(k % 150), '(') + "x;\n";
    for (const std::string& text : {testing::filled_with("x;", bytes), testing::filled_with("{", bytes),
                                    testing::filled_with("x = x + x;\n", bytes), numbered, nested}) {
        HandIns work;
        work.add("big-1", text);
        work.add("big-2", text);
        const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
        work.add("ann", solution);
        work.add("bob", solution);
        const auto start = std::chrono::steady_clock::now();
        const Similarity found = work.compare();
        BOOST_TEST(share_of(found, work, "ann", "bob") > 0.9);
        write_similarity(found, work.inputs, work.temporary / "pages");
        BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 60);
    }
}

BOOST_AUTO_TEST_CASE(large_sources_are_left_out_and_named, *kNeedsTool) {
    HandIns work;
    const std::string solution = data::read_file(of_project(kProof + "solution.cpp"));
    work.add("ann", solution);
    work.add("bob", solution);
    for (const char* name : {"junk.cpp", "junk.h", "sub.cu"})
        work.temporary.write(std::string("1/") + name,
                             testing::filled_with("int a;\n", std::size_t{1} << 20));
    const Similarity found = work.compare();
    BOOST_TEST(share_of(found, work, "ann", "bob") > 0.9);
    BOOST_REQUIRE(found.notes.size() == 1U);
    BOOST_TEST(found.notes[0].find("bob: junk.cpp, junk.h, sub.cu of more than 256 KiB") !=
               std::string::npos);
    write_similarity(found, work.inputs, work.temporary / "pages");
    BOOST_TEST(data::read_file(work.temporary / "pages/index.html").find("junk.cpp") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_the_tool_a_word_says_so) {
    Similarity none;
    none.missing = "Similar submissions were not looked for: sim_c++ is not installed.";
    const data::TemporaryDirectory folder;
    write_similarity(none, {}, folder / "pages");
    BOOST_TEST(data::read_file(folder / "pages/index.html").find("is not installed") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
