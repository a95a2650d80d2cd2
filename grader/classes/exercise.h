#pragma once
/// One exercise of a class while a command works on it: its rules, its rubric as it is now, and the keys that
/// results for it have.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/classes/assembled.h"
#include "grader/classes/class_file.h"
#include "grader/classes/class_folder.h"
#include "grader/classes/digests.h"
#include "grader/classes/engine/engine.h"
#include "grader/classes/gradebook/gradebook.h"

namespace attn::classes {

class Exercise {
  public:
    /// Reads the rubrics and the seed file. Throws UserError for a mistake in them, before anything is
    /// graded.
    Exercise(const ClassFolder& folder, const ClassRules& rules, int assignment,
             const Installation& installation, const std::filesystem::path& grader);

    int number() const { return rules_.assignment; }
    const ExerciseRules& rules() const { return rules_; }
    const rubric::Rubric& rubric() const { return *scoring().rubric; }
    bool secret() const { return !seed_file_.empty(); }
    bool speed() const { return speed_; }
    Scoring scoring() const;
    /// The digest of the grader's programs, libraries and compiler.
    const std::string& grader_digest() const { return grader_digest_; }

    /// The texts of rubric.toml and secret.toml (empty if there is none or the seed is public).
    const std::string& rubric_text() const { return rubric_text_; }
    const std::string& secret_text() const { return secret_text_; }

    /// The result that an attempt should have, without what grading would find. `numbers`: its report, for a
    /// speed result.
    Result wanted_numbers(const Attempt& attempt);
    Result wanted_speed(const Attempt& attempt, const report::Report& numbers);

    /// The job that makes a result. `base`: an earlier result for the same files, from which parts can be
    /// taken.
    struct Planned {
        Job job;
        Result wanted;
        std::optional<std::string> base;  ///< the key of that result; only the other parts are graded
    };
    Planned plan(const Attempt& attempt, const Result& wanted, const std::optional<Result>& base) const;

    /// Throws UserError if the rubric or the grader's program is no longer what it was when this object was
    /// made.
    void require_unchanged() const;

  private:
    std::string state_of_files() const;
    const std::string& content_of(const Attempt& attempt);
    bool has_kernels(const Attempt& attempt) const;

    ClassFolder folder_;
    ExerciseRules rules_;
    std::vector<rubric::Rubric> rubrics_;
    std::size_t index_ = 0;
    std::filesystem::path seed_file_, grader_;
    bool speed_ = false;
    std::string course_;
    std::vector<report::PathStep> path_;
    std::string rubric_text_, secret_text_, state_, grader_digest_, seed_digest_;
    RubricDigests digests_;
    std::vector<std::string> unused_;
    std::map<Id, std::string> contents_;
};

}  // namespace attn::classes
