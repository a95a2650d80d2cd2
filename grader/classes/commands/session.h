#pragma once
/// What all commands of `grader class` begin with.

#include <optional>
#include <string>
#include <vector>

#include "grader/classes/class_file.h"
#include "grader/classes/class_folder.h"
#include "grader/classes/exercise.h"
#include "grader/classes/gradebook/database.h"
#include "grader/classes/grader_version.h"
#include "grader/cli/options.h"

namespace attn::classes {

namespace po = boost::program_options;
using cli::Words;

/// Adds --class, --grader and, where a command is about exercises, --assignment.
void add_class_options(po::options_description& options, bool of_exercises = true);

/// The program that grades: --grader, or the one beside this program.
std::filesystem::path grader_program(const po::variables_map& values);

/// The class that a command works on. A reader needs no lock.
class Session {
  public:
    Session(const po::variables_map& values, Database::Access access);

    const ClassFolder& folder() const { return folder_; }
    const ClassRules& rules() const { return rules_; }
    const Installation& installation() const { return installation_; }
    const std::filesystem::path& grader() const { return grader_; }
    Gradebook& gradebook() { return gradebook_; }

    /// The exercises that a command is about: --assignment, or all of the class.
    std::vector<int> exercises() const;
    /// The one exercise that a command is about. Throws UsageError if there are several and none was named.
    int exercise() const;

    /// Throws UserError if class.toml gives an extension to a person who is not in the class.
    Exercise open(int assignment);

    /// The version of the program that grades, as it says it.
    std::string grader_version() const { return version_of_program(grader_); }
    /// Throws UserError if another version of the grader has graded an exercise, so that this one would grade hand-ins
    /// again. `may_ask`: asks first, if a person is there to answer.
    void require_same_grader(Exercise& exercise, bool may_ask);

    /// The one student that the word means: key, e-mail, login, pseudonym or name. Throws UserError if there
    /// is none, or more than one.
    Student student_named(const std::string& word);

    /// The version that is shown: the published one, or with `last` the last one. Throws UserError if there
    /// is none.
    Version version(int assignment, bool last);

  private:
    ClassFolder folder_;
    ClassRules rules_;
    Installation installation_;
    std::filesystem::path grader_;
    std::optional<int> assignment_;
    std::optional<ClassLock> lock_;
    Gradebook gradebook_;
};

/// The name of the user who types the commands, for the record.
std::string author_of(const po::variables_map& values);

/// The positional arguments. Throws UsageError if there are fewer than `least` or more than `most`.
Words arguments_of(const po::variables_map& values, std::size_t least, std::size_t most,
                   const std::string& usage);

/// Prints a line for each note.
void print_notes(const std::vector<std::string>& notes);

inline constexpr const char* kArguments = "arguments";

}  // namespace attn::classes
