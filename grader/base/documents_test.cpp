// The page that explains the grader names files and functions that exist.

#include <filesystem>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/base/installation.h"

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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
