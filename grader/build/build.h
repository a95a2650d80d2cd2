#pragma once
/// From a student's files to a library that the worker can load.

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"
#include "grader/sandbox/layers.h"

namespace attn::submission {

/// What is built: the functions, or their kernels for the emulator of a GPU, fast or with every access
/// watched.
enum class Kernels { none, fast, watched };

/// What the project's own checks change.
struct Extra {
    std::vector<std::string> flags;      ///< added for each file
    std::vector<std::string> libraries;  ///< added to the link
    worker::Layers layers = {};          ///< that confine the submission
    std::filesystem::path cache = {};    ///< of builds: see BuildCache; none where empty
    bool timed = false;                  ///< compiled for the clock: see timed_flags
    Kernels kernels = Kernels::none;
};

/// The library lives as long as this does.
struct Build {
    data::TemporaryDirectory folder;
    std::filesystem::path library;            ///< of all files that compiled
    std::vector<report::SourceFile> sources;  ///< in the rubric's order
    int with_prelude = 0;                     ///< so many were compiled with headers compiled ahead
    bool from_cache = false;

    const report::SourceFile& source(const std::string& name) const;
};

/// Compiles each source of the rubric on its own, with bounds checks on (of views and of the standard
/// library) and the headers of all assignments on the search path, and links what compiled. The library shows
/// the functions of the contract and nothing else, so that two assignments may have helpers of one name.
/// Headers compiled ahead and a faster linker are used where they are there; whenever one of these runs has
/// anything to say, it is done once more without, so that what the student reads does not depend on them.
/// What was compiled of the same files before is taken from the cache, if there is one.
/// Errors of the student's are in `sources`; throws UserError where `submission` is no folder,
/// std::runtime_error where the compiler cannot be run.
Build build(const std::filesystem::path& submission, const Rubric& rubric, const Installation& installation,
            const Extra& extra = {});

/// What a student needs of a compiler's output: at most `most_lines` lines, from the first error on (in a
/// template: from the line of his own that led there), and a word on how many were left out.
std::string cut_messages(const std::string& messages, std::size_t most_lines);

}  // namespace attn::submission
