#pragma once
/// Compiles a student's files and links them into a library that the worker can load.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"
#include "grader/sandbox/layers.h"

namespace attn::compile {

class SourceReader;

/// What is built: the functions of the .cpp files, or the kernels of the .cu file for the GPU emulator.
/// Kernels are built twice: `fast`, and `watched`, which checks every memory access.
enum class Kernels { none, fast, watched };

/// Options of a build. Grading sets the cache, and the kind of build; the tests of the grader set the others.
struct BuildOptions {
    std::vector<std::string> flags;      ///< extra compiler flags for each file
    std::vector<std::string> libraries;  ///< extra libraries to link
    worker::Layers layers = {};          ///< sandbox layers for the compiler and the submission
    std::filesystem::path cache = {};    ///< folder of the BuildCache; empty for no cache
    bool timed = false;                  ///< compile for speed measurements: see timed_flags
    bool watched = false;                ///< compile to find the line of a failure: see watched_flags
    bool sampled = false;                ///< compile timed code with debug information
    Kernels kernels = Kernels::none;
    std::shared_ptr<SourceReader> reader =
        {};  ///< shared with other builds; without one the build makes its own
};

/// The result of a build. The library file exists as long as this object.
struct Build {
    data::TemporaryDirectory folder;
    std::filesystem::path library;            ///< linked from all files that compiled; empty if there is none
    std::vector<report::SourceFile> sources;  ///< in the rubric's order
    int compiled_with_prelude = 0;            ///< number of sources compiled with a precompiled header
    bool from_cache = false;

    const report::SourceFile& source(const std::string& name) const;
};

/// Compiles each source of the rubric on its own and links those that compiled. Bounds checks of views and of
/// the standard library are on, and the headers of all assignments are on the search path. The library
/// exports only the functions of the contract, so that two assignments may have helper functions of the same
/// name. Uses a precompiled header and a faster linker where they are available. If such a run prints
/// anything, it is repeated without them, so that the messages for the student do not depend on them. If the
/// same files were built before, the result comes from the cache. Compile errors of the student are in
/// `sources`. Throws UserError if `submission` is not a folder, and std::runtime_error if the compiler cannot
/// be run.
Build build_submission(const std::filesystem::path& submission, const rubric::Rubric& rubric,
                       const Installation& installation, const BuildOptions& options = {});

/// Shortens compiler output to at most `most_lines` lines, starting at the first error. For an error inside a
/// template it starts at the student's line that required the template. Adds how many lines were left out.
std::string cut_messages(const std::string& messages, std::size_t most_lines);

}  // namespace attn::compile
