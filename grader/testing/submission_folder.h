#pragma once
/// For tests that compile submissions: a temporary folder with a submission and a copy of the assignments.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/compile/build.h"
#include "grader/grading/grade.h"
#include "grader/testing/broken_rubric.h"

namespace attn::compile {

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A source with an error at 3:18.
inline const std::string kBroken = "#include \"self_attention.h\"\n\nint f() { return nobody; }\n";

inline std::string solution() {
    return proof::solution("self_attention");
}

/// A temporary folder with a submission, and a copy of the assignments that a test may change.
struct TestFolder {
    data::TemporaryDirectory folder;
    std::filesystem::path submission = folder / "submission", assignments = folder / "assignments";

    explicit TestFolder(const std::vector<proof::Edit>& edits = {}) {
        std::filesystem::create_directories(submission);
        std::filesystem::copy(rubric::kAssignments, assignments, std::filesystem::copy_options::recursive);
        folder.write("assignments/02_self_attention/rubric.toml",
                     proof::edited(rubric::shipped_text(), edits));
    }
    std::string write(const std::string& name, const std::string& text) const {
        return folder.write("submission/" + name, text).string();
    }
    Build build() const {
        return build_submission(submission, rubric::read_rubric(assignments / "02_self_attention"),
                                Installation());
    }
    /// `parts`: grades only these functions; empty: all of them.
    report::Report grade(std::vector<std::string> parts = {}) const {
        GradeOptions options;
        options.parts = std::move(parts);
        options.submission = submission;
        options.assignment = 2;
        options.speed = false;
        options.installation.assignments = assignments;
        return attn::grade(options);
    }
};

}  // namespace attn::compile
