#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/ask/module.h"
#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/guide.h"
#include "grader/cli/options.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNewUsage =
    "usage: grader new NUMBER NAME [--into FOLDER]\n"
    "Writes the files of a new assignment: a small complete one, in which one function takes the mean over "
    "a\n"
    "sequence. It builds, the stub gets 0 points, and the proof of its one mistake holds. Change it to your "
    "own.\n"
    "  grader new 20 mean_pooling\n"
    "  grader new 21 rotary_embedding --into ../another_clone\n"
    "Exit code: 0 the files are written, 2 usage, or the number or the name is taken.\n";

int number_of(const std::string& word) {
    const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    const int number = digits && word.size() <= 2 ? std::stoi(word) : 0;
    if (number == 0)
        throw UsageError(fmt::format("'{}' is no number of an assignment: expected 1 to 99", word));
    return number;
}

void require_name(const std::string& name) {
    const bool good = !name.empty() &&
                      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos &&
                      name.front() != '_' && name.back() != '_';
    if (!good)
        throw UsageError(fmt::format(
            "'{}' is no name of an assignment: expected small letters and underscores, such as mean_pooling",
            name));
}

/// Nothing that is there is written over, and no two assignments share a number, a name or a function.
void require_free(int number, const std::string& name, const fs::path& project,
                  const std::vector<GuideFile>& files) {
    for (const auto& entry : fs::directory_iterator(project / "assignments")) {
        const std::string folder = entry.path().filename().string();
        if (!entry.is_directory() || folder.find('_') == std::string::npos) continue;
        if (folder.starts_with(fmt::format("{:02}_", number)))
            throw UserError(fmt::format("number {} is taken: {}", number, entry.path().string()));
        if (folder.substr(folder.find('_') + 1) == name)
            throw UserError(fmt::format("the name {} is taken: {}", name, entry.path().string()));
    }
    if (const ask::Module* module = ask::module_of(name))
        throw UserError(
            fmt::format("assignment {} has a function {} already; take another name", module->name, name));
    for (const GuideFile& file : files)
        if (fs::exists(project / file.path))
            throw UserError(
                fmt::format("{} is there already; take another name", (project / file.path).string()));
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    data::write_file(file, text);
}

/// Adds the folder of the header to the flags with which editors read student/. Returns whether there are such
/// flags.
bool let_editors_find(const fs::path& project, int number, const std::string& name) {
    const fs::path file = project / "student/compile_flags.txt";
    if (!fs::exists(file)) return false;
    data::write_file(
        file, data::read_file(file.string()) + fmt::format("-I../assignments/{:02}_{}\n", number, name));
    return true;
}

}  // namespace

int new_command(const Words& words) {
    const Installation installation;
    std::string into = installation.sources.string();
    po::options_description options("options");
    options.add_options()("into", po::value(&into), "the project's folder; that of this build");
    const auto values = parse(words, kNewUsage, options, "words");
    if (!values) return kAllPassed;
    const Words given =
        arguments_of(*values, "words", 2, std::string("give a number and a name\n") + kNewUsage);
    const int number = number_of(given[0]);
    const std::string& name = given[1];
    require_name(name);
    if (into.empty() || !fs::is_directory(fs::path(into) / "assignments"))
        throw UserError(
            fmt::format("'{}' is no clone of the project: there is no folder assignments in it", into));
    const auto files =
        renamed(files_of_guide(data::read_file(installation.assignments / "README.md")), number, name);
    require_free(number, name, into, files);
    for (const GuideFile& file : files) {
        write(fs::path(into) / file.path, file.text);
        std::cout << "wrote " << file.path << '\n';
    }
    if (let_editors_find(into, number, name)) std::cout << "added a line to student/compile_flags.txt\n";
    std::cout << fmt::format(
        "\nA small complete assignment: the mean over a sequence. It builds as it is:\n"
        "  make grade A={0}          the stub gets 0 of 100 points\n"
        "  make selfcheck A={0}      the one mistake is caught and named\n"
        "Now make it your own, in this order: the contract, the reference with its test, the questions, the\n"
        "proof, the stub, the rubric, the handout. assignments/README.md, \"Adding an assignment\", says "
        "how.\n",
        number);
    return kAllPassed;
}

}  // namespace attn::cli
