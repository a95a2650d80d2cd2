#include "grader/classes/commands/session.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include "grader/classes/late_rules.h"
#include "grader/classes/marks.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

std::optional<std::string> option_text(const po::variables_map& values, const char* name) {
    return values.count(name) != 0 ? std::optional(values[name].as<std::string>()) : std::nullopt;
}

ClassFolder found_folder(const po::variables_map& values) {
    ClassFolder folder = ClassFolder::find(option_text(values, "class"));
    if (!folder.mended().empty()) std::cerr << "note: " << folder.mended() << '\n';
    return folder;
}

}  // namespace

std::filesystem::path grader_program(const po::variables_map& values) {
    if (const auto given = option_text(values, "grader")) return std::filesystem::absolute(*given);
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "grader";
}

void add_class_options(po::options_description& options, bool of_exercises) {
    options.add_options()("class", po::value<std::string>()->value_name("DIR"),
                          "the folder of the class; by default the nearest one upwards from here")(
        "grader", po::value<std::string>()->value_name("FILE"),
        "grade with this program instead of the one beside this");
    if (of_exercises)
        options.add_options()("assignment,a", po::value<int>()->value_name("N"),
                              "the exercise, by its assignment's number");
}

Session::Session(const po::variables_map& values, Database::Access access)
    : folder_(found_folder(values)),
      rules_(read_class_file(folder_.path())),
      grader_(grader_program(values)),
      lock_(access == Database::Access::write ? std::make_optional<ClassLock>(folder_) : std::nullopt),
      gradebook_(open_gradebook(folder_.gradebook(), access)) {
    if (values.count("assignment") != 0) {
        assignment_ = values["assignment"].as<int>();
        static_cast<void>(rules_.exercise(*assignment_));
    }
    if (!std::filesystem::exists(grader_))
        throw UserError(fmt::format("{}: there is no such program; expected the grader; type make grader",
                                    grader_.string()));
}

std::vector<int> Session::exercises() const {
    if (assignment_) return {*assignment_};
    std::vector<int> all;
    for (const ExerciseRules& each : rules_.exercises) all.push_back(each.assignment);
    return all;
}

int Session::exercise() const {
    const std::vector<int> all = exercises();
    if (all.size() != 1)
        throw cli::UsageError(fmt::format(
            "this class has the exercises {}; say which one with --assignment N", fmt::join(all, ", ")));
    return all.front();
}

Exercise Session::open(int assignment) {
    std::vector<Person> people;
    for (const Student& student : gradebook_.students()) people.push_back(student.person);
    require_known_extensions(rules_.exercise(assignment), people);
    return {folder_, rules_, assignment, installation_, grader_};
}

void Session::require_same_grader(Exercise& exercise, bool may_ask) {
    const GraderChange change = grader_change(gradebook_, exercise, grader_version());
    if (change.again == 0) return;
    const std::string text = change.text(exercise.number());
    if (may_ask && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0) {
        std::cerr << "In this class " << text << ".\nGo on with this version? [y/N] ";
        std::string answer;
        std::getline(std::cin, answer);
        if (answer == "y" || answer == "Y" || answer == "yes") return;
    }
    throw UserError(
        fmt::format("{}: {}; nothing was changed. To go on with this version, type grader class grade "
                    "--with-this-version. To keep the marks as they are, use the version that graded them "
                    "(CHANGES.md says how, and what differs)",
                    folder_.path().string(), text));
}

Student Session::student_named(const std::string& word) {
    std::vector<Student> found;
    for (const Student& student : gradebook_.students()) {
        const Person& person = student.person;
        for (const std::string* text :
             {&person.key, &person.email, &person.login, &person.name, &student.pseudonym})
            if (!word.empty() && *text == word) {
                found.push_back(student);
                break;
            }
    }
    if (found.empty())
        throw UserError(fmt::format(
            "there is no student '{}' in this class; expected a key, an e-mail address, a login, a "
            "pseudonym or a whole name; `grader class status --students` lists them",
            word));
    if (found.size() > 1) {
        std::vector<std::string> pseudonyms;
        for (const Student& each : found) pseudonyms.push_back(each.pseudonym);
        throw UserError(fmt::format("'{}' may be {} students; name one of them by the pseudonym: {}", word,
                                    found.size(), fmt::join(pseudonyms, ", ")));
    }
    return found.front();
}

Version Session::version(int assignment, bool last) {
    if (auto version = gradebook_.last_version(assignment, !last)) return std::move(*version);
    throw UserError(
        last ? fmt::format("assignment {} has no marks yet; type grader class grade", assignment)
             : fmt::format("no marks of assignment {} are published; look at them (grader class grade shows "
                           "them), then type grader class publish --assignment {}",
                           assignment, assignment));
}

std::string author_of(const po::variables_map& values) {
    if (const auto given = option_text(values, "author")) return *given;
    const passwd* user = getpwuid(geteuid());
    return user != nullptr ? user->pw_name : fmt::format("user {}", geteuid());
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) std::cout << "  note: " << report::one_line(note) << '\n';
}

Words arguments_of(const po::variables_map& values, std::size_t least, std::size_t most,
                   const std::string& usage) {
    Words words = values.count(kArguments) != 0 ? values[kArguments].as<Words>() : Words();
    if (words.size() < least || words.size() > most) {
        const std::string expected = least == most ? fmt::format("{}", least)
                                     : most == std::numeric_limits<std::size_t>::max()
                                         ? fmt::format("at least {}", least)
                                         : fmt::format("{} to {}", least, most);
        throw cli::UsageError(
            fmt::format("there are {} arguments; expected {}\n{}", words.size(), expected, usage));
    }
    return words;
}

}  // namespace attn::classes
