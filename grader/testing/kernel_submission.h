#pragma once
/// For tests: a submission of kernels, graded like a student's.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/testing/built.h"

namespace attn::proof {

inline const std::filesystem::path kSources = testing::built().sources;

/// A submission with the .cu files of a folder.
struct KernelSubmission {
    data::TemporaryDirectory folder;

    explicit KernelSubmission(const std::filesystem::path& from) {
        for (const auto& entry : std::filesystem::directory_iterator(from))
            if (entry.path().extension() == ".cu")
                folder.write(entry.path().filename().string(), data::read_file(entry.path()));
    }
    /// `parts`: grades only these functions of the assignment; empty: all of them. The builds are kept from one
    /// test to the next, because most of them are those of the reference's kernels; the key of a build holds
    /// everything that determines it.
    report::Report grade(std::optional<int> assignment = {},
                         const std::vector<std::string>& parts = {}) const {
        GradeOptions options;
        options.submission = folder.path();
        options.assignment = assignment;
        options.parts = parts;
        options.speed = false;
        options.jobs = 2;
        options.extra.cache = testing::built().worker.parent_path() / "kernel_cache";
        return attn::grade(options);
    }
};

inline std::vector<const report::Check*> kernel_checks_of(const report::Part& part) {
    std::vector<const report::Check*> checks;
    for (const report::Check& check : part.checks)
        if (report::is_kernel_check(check)) checks.push_back(&check);
    return checks;
}

/// Also called before main(). The reader of a rubric makes the inputs of some cases, so it needs the data sets.
inline const std::vector<rubric::Rubric>& rubrics() {
    static const auto kAll = [] {
        data::set_shipped_folder(Installation().datasets);
        return rubric::read_rubrics(Installation().assignments);
    }();
    return kAll;
}

}  // namespace attn::proof
