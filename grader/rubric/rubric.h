#pragma once
/// rubric.toml: the parts of an assignment with their cases, sizes and points. Instructors edit this file. An
/// error message about it names file and line, what was found and what was expected.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/module.h"
#include "grader/base/errors.h"
#include "grader/report/report.h"
#include "grader/rubric/cuda_rubric.h"
#include "grader/rubric/disclosure_rubric.h"
#include "grader/rubric/speed_rubric.h"
#include "grader/worker/launch.h"

namespace attn::rubric {

struct CaseRubric : ask::CallSpec {
    std::string name;
    std::string accepted_at;  ///< see judge::Question
    std::string why;          ///< why the case is kept although no known mistake needs it
    std::optional<report::Disclosure> disclosure;  ///< replaces that of the part, for any seed
    std::vector<std::string> pictures;             ///< shown even if right: see judge::Question
    std::string look;                              ///< what to look at in the first of them
};

struct PartRubric {
    const ask::Function* function = nullptr;
    std::string source;  ///< the student's file that defines the function
    int step = 0;        ///< number of the step in the handout
    double numeric_points = 0, property_points = 0;
    double cuda_points = 0;
    std::vector<CaseRubric> cuda_cases;       ///< the cases for the kernels: those of `cases` and more
    std::optional<ask::CallSpec> cuda_timed;  ///< the call whose time on a GPU gpu_check takes
    std::vector<CaseRubric> cases;
    std::vector<const ask::Property*> properties;
    ask::CallSpec property_call;  ///< the inputs that the properties are checked on
    std::optional<SpeedRubric> speed;
    std::optional<GrowthRubric> growth;
    /// Earlier functions, of any assignment, that a usual solution calls.
    std::vector<std::string> builds_on;
    /// These, and all other functions that the handout allows. If this part fails only because one of them is
    /// wrong, it is graded again with the reference implementation of that one.
    std::vector<std::string> may_call;
    DisclosureRubric disclosure;

    /// The points for all checks of a kind together.
    double points_of(report::CheckKind kind) const;
    /// The disclosure of the check of this name: that of its case, or else that of the part.
    report::Disclosure disclosure_of(std::string_view check, bool secret_seed) const;
};

struct Rubric {
    std::filesystem::path folder;
    const ask::Module* module = nullptr;
    int number = 0;
    std::string title;
    std::string about;  ///< what students write, in a few words
    std::vector<std::string> sources;
    std::vector<const ask::Module*> may_call;  ///< the assignments whose functions all parts may call
    std::optional<CudaRubric> cuda;
    worker::WorkerLimits limits;
    double budget_s = 300;  ///< time for all that a submission does in this assignment
    double allowed_yardsticks = 20;
    DisclosureRubric disclosure;                ///< the default for parts
    bool total_always = true;                   ///< whether the total includes hidden checks
    report::Hints hints = report::Hints::name;  ///< how much is told of a mistake that is not listed
    std::vector<PartRubric> parts;

    double points() const;
    /// The points of one of its parts.
    double points_of(const PartRubric& part) const;
};

/// Whether FOLDER/secret.toml is read as well: see secret_cases.h.
enum class SecretCases { left_out, added };

/// Reads FOLDER/rubric.toml. The name of the module is the folder's name without its number: self_attention
/// for 02_self_attention.
Rubric read_rubric(const std::filesystem::path& folder, SecretCases secret = SecretCases::left_out);

/// Reads the rubrics of all assignments in `folder`, sorted by number. The folder `courses` is no assignment.
std::vector<Rubric> read_rubrics(const std::filesystem::path& folder,
                                 SecretCases secret = SecretCases::left_out);

}  // namespace attn::rubric
