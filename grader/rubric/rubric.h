#pragma once
/// rubric.toml: what an assignment asks, at which sizes, for how many points. An instructor edits it;
/// whatever does not fit is refused with file, line, what was found and what was expected.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/check.h"
#include "grader/base/errors.h"
#include "grader/report/check_kind.h"
#include "grader/rubric/cuda_rubric.h"
#include "grader/rubric/disclosure_rubric.h"
#include "grader/rubric/speed_rubric.h"
#include "grader/worker/launch.h"

namespace attn::submission {

struct CaseRubric : ask::CallSpec {
    std::string name;
    std::string why;                               ///< it stays although no known mistake needs it
    std::optional<report::Disclosure> disclosure;  ///< its own, whatever the seed
};

struct PartRubric {
    const ask::Function* function = nullptr;
    std::string source;  ///< the student's file that defines the function
    int step = 0;        ///< of the handout
    double numeric_points = 0, property_points = 0;
    /// Of the cases and these, asked of its kernels.
    double cuda_points = 0;
    std::vector<CaseRubric> cuda_cases;
    std::vector<CaseRubric> cases;
    std::vector<const ask::Property*> properties;
    ask::CallSpec property_call;  ///< the inputs that the properties are checked on
    std::optional<SpeedRubric> speed;
    std::optional<GrowthRubric> growth;
    /// Earlier functions that this one may call, of whatever assignment. Where it fails only because one of
    /// them is wrong, it is graded again with the reference's in its place.
    std::vector<std::string> builds_on;
    DisclosureRubric disclosure;

    /// For all checks of a kind together.
    double points_of(report::CheckKind kind) const;
    /// Of a check by its name: a case's own word, or the part's.
    report::Disclosure disclosure_of(std::string_view check, bool secret_seed) const;
};

struct Rubric {
    std::filesystem::path folder;
    const ask::Module* module = nullptr;
    int number = 0;
    std::string title;
    std::vector<std::string> sources;
    std::optional<CudaRubric> cuda;
    worker::WorkerLimits limits;
    double allowed_yardsticks = 20;
    DisclosureRubric disclosure;  ///< of parts that do not say otherwise
    bool total_always = true;     ///< points are shown even while checks that they count are kept back
    std::vector<PartRubric> parts;

    double points() const;
};

/// Whether FOLDER/secret.toml is read, too: see secret_cases.h.
enum class SecretCases { left_out, added };

/// Reads FOLDER/rubric.toml. The module's name is the folder's without its number: 02_self_attention.
Rubric read_rubric(const std::filesystem::path& folder, SecretCases secret = SecretCases::left_out);

/// All assignments below `folder`, by number.
std::vector<Rubric> read_rubrics(const std::filesystem::path& folder,
                                 SecretCases secret = SecretCases::left_out);

}  // namespace attn::submission
