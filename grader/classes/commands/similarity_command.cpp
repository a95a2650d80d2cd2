#include <iostream>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/marks.h"
#include "grader/classes/similarity/similarity.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSimilarityUsage =
    "usage: grader class similarity FOLDER [options]\n"
    "Writes FOLDER/index.html: pairs of submissions that look alike, with the lines side by side. Code that "
    "every student was\n"
    "given is left out. A pair is a hint to look at, never a verdict. Needs Debian's similarity-tester.\n"
    "  grader class similarity alike\n"
    "  grader class similarity alike --names\n";

/// What every student was given: the stubs, the contract's headers and the handout.
std::vector<fs::path> given_code(const Exercise& exercise, const Installation& installation) {
    std::vector<fs::path> given;
    const auto add_all = [&given](const fs::path& folder) {
        if (!fs::is_directory(folder)) return;
        for (const fs::directory_entry& each : fs::directory_iterator(folder))
            for (const char* ending : {".cpp", ".cu", ".h", ".md"})
                if (each.path().extension() == ending) given.push_back(each.path());
    };
    if (!installation.sources.empty()) add_all(installation.sources / "student");
    add_all(installation.assignments);
    add_all(exercise.rubric().folder);
    return given;
}

}  // namespace

int similarity_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("names", "show names instead of pseudonyms");
    add_class_options(options);
    const auto values = cli::parse(words, kSimilarityUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const std::string folder = arguments_of(*values, 1, 1, kSimilarityUsage).front();
    Session session(*values, Database::Access::read);
    const Exercise exercise = session.open(session.exercise());
    std::map<Id, std::string> names;
    for (const Student& student : session.gradebook().students())
        names[student.id] = values->count("names") != 0 ? shown_name(student.person) : student.pseudonym;
    std::vector<SimilarityInput> inputs;
    for (const Attempt& attempt : session.gradebook().attempts(exercise.number())) {
        if (!attempt.problem.empty() || attempt.students.empty()) continue;
        std::string name;
        for (const Id student : attempt.students) name += (name.empty() ? "" : ", ") + names.at(student);
        inputs.push_back(
            {name, session.folder().attempt(attempt.number), static_cast<int>(attempt.students.front())});
    }
    SimilarityOptions how;
    how.given = given_code(exercise, session.installation());
    const Similarity found = find_similar(inputs, how);
    if (!found.missing.empty()) throw UserError(found.missing);
    write_similarity(found, inputs, folder);
    std::cout << fmt::format("{} pairs of {} compared are alike enough to look at. Open {}/index.html\n",
                             found.alike, found.compared, folder);
    print_notes(found.notes);
    return cli::kAllPassed;
}

}  // namespace attn::classes
