// What the pages say is there: files, functions, options, commands, and where links lead. Folders include each other as the
// grader's page says.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "grader/base/installation.h"
#include "grader/cli/outputs.h"
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

/// The words of a list such as "all help test-unit".
std::set<std::string> listed_targets(const std::string& list) {
    static const std::regex kTarget("[a-z][a-z0-9-]*");
    return {std::sregex_token_iterator(list.begin(), list.end(), kTarget), {}};
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
        BOOST_TEST(makefile.find("#   " + each + " ") != std::string::npos, each);
    }
    const std::regex system("(debian|ubuntu):([0-9.]+)");
    std::set<std::string> systems;
    for (std::sregex_iterator each(workflow.begin(), workflow.end(), system), end; each != end; ++each)
        systems.insert(((*each)[1] == "debian" ? "Debian " : "Ubuntu ") + (*each)[2].str());
    BOOST_TEST(systems.size() == 3U);
    for (const std::string& each : systems) BOOST_TEST(readme.find(each) != std::string::npos, each);
}

/// The pages of the project. What a kit puts in front of students is tested where kits are.
std::set<fs::path> pages() {
    const fs::path sources = Installation().sources;
    std::set<fs::path> found = {sources / "README.md", sources / ".github/CONTRIBUTING.md"};
    for (const char* folder : {"assignments", "datasets", "grader", "reference"})
        for (const fs::directory_entry& each : fs::recursive_directory_iterator(sources / folder))
            if (each.path().extension() == ".md") found.insert(each.path());
    BOOST_TEST(found.erase(sources / "grader/kits/handout/README.md") == 1U);
    BOOST_TEST_REQUIRE(found.size() > 20U);
    return found;
}

/// The words of a page outside of its blocks of code.
std::string without_blocks(const std::string& page) {
    std::istringstream lines(page);
    std::string text;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) inside = !inside;
        if (!inside && !line.starts_with("```")) text += line + "\n";
    }
    return text;
}

/// The names under which links reach the headings of a page: "Building and testing" is building-and-testing.
std::set<std::string> anchors_of(const fs::path& page) {
    std::istringstream lines(without_blocks(data::read_file(page)));
    std::set<std::string> anchors;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("#")) continue;
        std::string anchor;
        for (const char c : line.substr(line.find(' ') + 1)) {
            const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
            if (c == ' ') anchor += '-';
            if (kept) anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
        anchors.insert(anchor);
    }
    return anchors;
}

BOOST_AUTO_TEST_CASE(every_link_leads_to_a_file_and_a_heading) {
    const std::regex link(R"(\]\(([^):#]*)(#[^)]*)?\))");
    int links = 0;
    for (const fs::path& page : pages()) {
        const std::string text = without_blocks(data::read_file(page));
        for (std::sregex_iterator each(text.begin(), text.end(), link), end; each != end; ++each, ++links) {
            const std::string file = (*each)[1], heading = (*each)[2];
            const fs::path target = file.empty() ? page : page.parent_path() / file;
            BOOST_TEST_CONTEXT(page << ": " << each->str()) {
                BOOST_TEST(fs::exists(target));
                if (!heading.empty() && fs::exists(target))
                    BOOST_TEST(anchors_of(target).contains(heading.substr(1)));
            }
        }
    }
    BOOST_TEST(links > 200);
}

BOOST_AUTO_TEST_CASE(every_make_command_of_a_page_is_one_of_the_makefile) {
    const std::string makefile = data::read_file(Installation().sources / "Makefile");
    const std::set<std::string> targets = listed_targets(makefile.substr(makefile.find(".PHONY:")));
    const std::regex command("[`\n]make ([a-z][a-z0-9-]*)");
    int commands = 0;
    for (const fs::path& page : pages()) {
        const std::string text = data::read_file(page);
        for (std::sregex_iterator each(text.begin(), text.end(), command), end; each != end;
             ++each, ++commands)
            BOOST_TEST(targets.contains((*each)[1]), page << ": make " << (*each)[1]);
    }
    BOOST_TEST(commands > 100);
}

BOOST_AUTO_TEST_CASE(every_format_has_a_row_on_the_page_of_reports) {
    const std::string page = data::read_file(Installation().sources / "grader/report/README.md");
    boost::program_options::options_description options;
    cli::add_output_options(options);
    for (const auto& option : options.options()) {
        const std::string name = "`--" + option->long_name();
        BOOST_TEST((page.find(name + "`") != std::string::npos || page.find(name + " ") != std::string::npos),
                   "grader/report/README.md has no row for --" << option->long_name());
    }
    BOOST_TEST(options.options().size() > 10U);
}

/// The functions that a file declares or defines at the beginning of a line.
std::vector<std::string> functions_of(const fs::path& file) {
    static const std::regex kFunction("\nvoid ([a-z_0-9]+)\\(");
    const std::string text = data::read_file(file);
    std::vector<std::string> names;
    for (std::sregex_iterator each(text.begin(), text.end(), kFunction), end; each != end; ++each)
        names.push_back((*each)[1]);
    return names;
}

std::string link_to(const std::string& file) {
    return "[`" + file + "`](" + file + ")";
}

/// Links to the files of the yardstick that have one of the functions.
std::string yardstick_of(const std::set<std::string>& functions) {
    std::set<std::string> links;
    for (const auto& each : fs::directory_iterator(Installation().sources / "reference/fast"))
        if (each.path().extension() == ".cpp")
            for (const std::string& name : functions_of(each.path()))
                if (functions.contains(name))
                    links.insert(link_to("fast/" + each.path().filename().string()));
    return fmt::format("{}", fmt::join(links, ", "));
}

/// A row of the index for each assignment. The plain loops of a function have the name of its header.
std::string index_of_functions() {
    const fs::path reference = Installation().sources / "reference";
    std::set<std::string> folders;
    for (const fs::directory_entry& each : fs::directory_iterator(Installation().assignments))
        if (fs::exists(each.path() / "rubric.toml")) folders.insert(each.path().filename());
    std::string table = "| functions | contract | truth | kernels | yardstick |\n|---|---|---|---|---|\n";
    for (const std::string& folder : folders) {
        const std::string name = folder.substr(3), header = folder + "/" + name + ".h";
        const auto functions = functions_of(Installation().assignments / header);
        for (const std::string& file : {name + ".cpp", name + ".cu"}) {
            if (!fs::exists(reference / file)) continue;
            const auto defined = functions_of(reference / file);
            for (const std::string& each : functions)
                BOOST_TEST(std::ranges::count(defined, each) == 1, "reference/" << file << " lacks " << each);
        }
        table += fmt::format("| `{}` | [`{}.h`](../assignments/{}) | {} | {} | {} |\n",
                             fmt::join(functions, "`, `"), name, header, link_to(name + ".cpp"),
                             fs::exists(reference / (name + ".cu")) ? link_to(name + ".cu") : "",
                             yardstick_of({functions.begin(), functions.end()}));
    }
    return table;
}

BOOST_AUTO_TEST_CASE(the_index_of_functions_is_what_the_sources_define) {
    const std::string page = data::read_file(Installation().sources / "reference/README.md");
    const std::string index = index_of_functions();
    BOOST_TEST(index.find("`softmax`") != std::string::npos);
    BOOST_TEST(page.find("\n" + index + "\n") != std::string::npos,
               "the index of functions in reference/README.md has to be:\n"
                   << index);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
