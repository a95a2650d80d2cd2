// The page that explains the grader names files and functions that exist, and folders that include each other
// as it says.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/base/installation.h"
#include "grader/testing/workflow.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(documents)

namespace fs = std::filesystem;

/// The texts between single backticks. Blocks of code are left out.
std::set<std::string> quoted_words(const std::string& text) {
    const std::string fence = "```";
    std::set<std::string> words;
    for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
        if (text.compare(at, fence.size(), fence) == 0) {
            at = text.find(fence, at + fence.size());
            if (at == std::string::npos) break;
            at += fence.size() - 1;
            continue;
        }
        const std::size_t end = text.find('`', at + 1);
        if (end == std::string::npos) break;
        words.insert(text.substr(at + 1, end - at - 1));
        at = end;
    }
    return words;
}

/// A path with an assignment's name in place of NAME. Not every assignment has every file.
bool exists_for_some_assignment(const fs::path& folder, const std::string& path) {
    const std::size_t name = path.find("NAME");
    if (name == std::string::npos) return fs::exists(folder / path);
    for (const fs::directory_entry& each : fs::directory_iterator(folder / "assignments")) {
        std::string filled = path;
        filled.replace(name, 4, each.path().filename().string());
        if (fs::exists(folder / filled)) return true;
    }
    return false;
}

BOOST_AUTO_TEST_CASE(every_file_and_function_of_the_graders_page_exists) {
    const fs::path grader = Installation().sources / "grader";
    std::string sources;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(grader))
        if (each.path().extension() == ".cpp" || each.path().extension() == ".h")
            sources += data::read_file(each.path());
    int files = 0, functions = 0;
    for (const std::string& word : quoted_words(data::read_file(grader / "README.md"))) {
        if (word.ends_with(".cpp") || word.ends_with(".h")) {
            ++files;
            BOOST_TEST(exists_for_some_assignment(grader, word), word);
        } else if (word.ends_with("()")) {
            ++functions;
            const std::string name = word.substr(word.rfind(':') + 1, word.size() - 1);
            BOOST_TEST(sources.find(name.substr(0, name.size() - 1)) != std::string::npos, word);
        }
    }
    BOOST_TEST(files > 30);
    BOOST_TEST(functions > 25);
}

BOOST_AUTO_TEST_CASE(the_emulators_page_has_a_row_for_each_file_of_its_runtime) {
    const fs::path emulator = Installation().sources / "grader/emulator";
    std::set<std::string> names, rows;
    for (const fs::directory_entry& each : fs::directory_iterator(emulator / "runtime"))
        names.insert(each.path().stem().string());
    std::string page = data::read_file(emulator / "README.md");
    page = page.substr(page.find("| file in `runtime/` |"));
    page.resize(page.find("\n## "));
    static const std::regex kRow("\n\\| `([a-z_]+)` \\|");
    for (std::sregex_iterator each(page.begin(), page.end(), kRow), end; each != end; ++each)
        rows.insert((*each)[1]);
    BOOST_TEST(rows == names, boost::test_tools::per_element());
}

using Folders = std::map<std::string, std::set<std::string>>;

/// The words of a list such as "judge, ask".
std::set<std::string> listed_words(const std::string& list) {
    static const std::regex kWord("[a-z]+");
    return {std::sregex_token_iterator(list.begin(), list.end(), kWord), {}};
}

/// From each folder, those to which the arrows of the page lead: "judge  ->  ask, report  (a remark)".
Folders arrows_of(const std::string& page) {
    Folders to;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t arrow = line.find("  ->  ");
        if (arrow == std::string::npos || line.starts_with("all of them")) continue;
        const std::size_t start = arrow + 6;
        for (const std::string& from : listed_words(line.substr(0, arrow)))
            to[from].merge(listed_words(line.substr(start, line.find('(') - start)));
    }
    for (std::size_t round = 0; round < to.size(); ++round)
        for (auto& [from, reached] : to)
            for (const std::string& next : std::set(reached))
                reached.insert(to[next].begin(), to[next].end());
    return to;
}

/// The folders of the grader whose headers a file includes.
std::set<std::string> included_folders(const fs::path& file) {
    static const std::regex kInclude("#include \"grader/([a-z_]+)/");
    const std::string text = data::read_file(file);
    std::set<std::string> folders;
    for (std::sregex_iterator each(text.begin(), text.end(), kInclude), end; each != end; ++each)
        folders.insert((*each)[1]);
    return folders;
}

BOOST_AUTO_TEST_CASE(folders_include_each_other_as_the_graders_page_says) {
    const fs::path grader = Installation().sources / "grader";
    Folders arrows = arrows_of(data::read_file(grader / "README.md"));
    BOOST_TEST_REQUIRE(arrows["cli"].count("ask") == 1U);
    BOOST_TEST_REQUIRE(arrows["report"].empty());
    int files = 0;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(grader)) {
        const fs::path path = fs::relative(each.path(), grader);
        const std::string folder = path.begin()->string(), name = path.stem();
        const bool source = path.extension() == ".cpp" || path.extension() == ".h";
        const bool for_tests = folder == "testing" || path.string().find("/testing/") != std::string::npos ||
                               name.ends_with("_test") || name.ends_with("_bench") ||
                               path.string().starts_with("emulator/kernels/");
        if (!source || for_tests || !path.has_parent_path()) continue;
        ++files;
        for (const std::string& other : included_folders(each.path()))
            BOOST_TEST(
                (other == folder || other == "base" || arrows[folder].count(other) == 1),
                path << " includes a header of " << other << "; the arrows of grader/README.md forbid it");
    }
    BOOST_TEST(files > 200);
}

/// The project's own workflow cannot run here: its commands are those of the Makefile, and its systems those that the
/// README promises.
BOOST_AUTO_TEST_CASE(the_workflow_types_the_commands_of_the_readme) {
    const fs::path sources = Installation().sources;
    const std::string workflow = data::read_file(sources / ".github/workflows/ci.yml");
    const std::string readme = data::read_file(sources / "README.md");
    const std::string makefile = data::read_file(sources / "Makefile");
    const auto actions = used_actions(workflow);
    BOOST_TEST(actions.size() == 1U);
    for (const UsedAction& action : actions) BOOST_TEST(action.is_pinned(), action.name);
    const std::regex command("- run: (make [a-z-]+)");
    std::set<std::string> commands;
    for (std::sregex_iterator each(workflow.begin(), workflow.end(), command), end; each != end; ++each)
        commands.insert((*each)[1]);
    BOOST_TEST(commands == (std::set<std::string>{"make grade", "make test-unit"}),
               boost::test_tools::per_element());
    for (const std::string& each : commands) {
        BOOST_TEST(readme.find("`" + each + "`") != std::string::npos, each);
        BOOST_TEST(makefile.find("\n##   " + each + " ") != std::string::npos, each);
    }
    const std::regex system("(debian|ubuntu):([0-9.]+)");
    std::set<std::string> systems;
    for (std::sregex_iterator each(workflow.begin(), workflow.end(), system), end; each != end; ++each)
        systems.insert(((*each)[1] == "debian" ? "Debian " : "Ubuntu ") + (*each)[2].str());
    BOOST_TEST(systems.size() == 3U);
    for (const std::string& each : systems) BOOST_TEST(readme.find(each) != std::string::npos, each);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
