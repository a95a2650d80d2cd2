#pragma once
/// rubric.toml: what an assignment asks, at which sizes, for how many points. An instructor edits it;
/// whatever does not fit is refused with file, line, what was found and what was expected.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/checks/check.h"
#include "grader/submission/speed_rubric.h"
#include "grader/worker/launch.h"

namespace attn::submission {

class RubricError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct CaseRubric {
    std::string name;
    const checks::Recipe* recipe = nullptr;
    checks::Sizes sizes;
    checks::Setting setting;
    std::vector<std::string> outputs;  ///< asked for; empty means all
    std::string why;                   ///< it stays although no known mistake needs it
};

struct PartRubric {
    const checks::Function* function = nullptr;
    std::string source;  ///< the student's file that defines the function
    int step = 0;        ///< of the handout
    double numeric_points = 0, property_points = 0;
    std::vector<CaseRubric> cases;
    std::vector<const checks::Property*> properties;
    checks::Sizes property_sizes;
    checks::Setting property_setting;
    std::optional<SpeedRubric> speed;
    std::optional<GrowthRubric> growth;
    /// Earlier functions that this one may call, of whatever assignment. Where it fails only because one of
    /// them is wrong, it is graded again with the reference's in its place.
    std::vector<std::string> builds_on;
};

struct Rubric {
    std::filesystem::path folder;
    const checks::Module* module = nullptr;
    int number = 0;
    std::string title;
    std::vector<std::string> sources;
    worker::WorkerLimits limits;
    double allowed_yardsticks = 20;
    std::vector<PartRubric> parts;

    double points() const;
};

/// Reads FOLDER/rubric.toml. The module's name is the folder's without its number: 02_self_attention.
Rubric read_rubric(const std::filesystem::path& folder);

/// All assignments below `folder`, by number.
std::vector<Rubric> read_rubrics(const std::filesystem::path& folder);

}  // namespace attn::submission
