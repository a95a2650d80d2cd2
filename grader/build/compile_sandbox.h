#pragma once
/// Where the compiler works: what it sees, and where it may write.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/build/build.h"
#include "grader/worker/process.h"

namespace attn::submission {

inline constexpr double kCompileTime_s = 60;
inline constexpr std::size_t kCompilerOutput = 64 << 10;

/// What every file of a submission is compiled with, and so the headers that are compiled ahead.
std::vector<std::string> compiler_flags();
/// The same where the clock is to judge: no checks of bounds, no warnings.
std::vector<std::string> timed_flags(const Installation& installation);

/// For the headers of the contract, which lie below `contract`: of every assignment, and tensor.h.
std::vector<std::string> include_flags(const std::string& contract, const Installation& installation);

/// Whether a submission is confined. Whose libraries are linked are our own submissions: the reference.
inline bool confined(const Extra& extra) {
    return extra.libraries.empty();
}

/// Throws std::runtime_error where the compiler is not there.
void require_compiler(const Installation& installation);

/// So that nobody can read what root has written, whatever the mask.
void open_to_all(const std::filesystem::path& path);

/// A folder with copies of a submission and of the contract's headers.
class CompileSandbox {
  public:
    CompileSandbox(const std::filesystem::path& root, const std::filesystem::path& submission,
                   const Installation& installation, const Extra& extra);

    /// Where the headers are: the reference's files, which a submission may not see, include those in place.
    std::string contract() const;

    /// Where NAME_cuda.h is of each contract; only of a build of kernels.
    std::string cuda_headers() const;

    /// Where those are that a .cu file finds on the emulator; only of a build of kernels.
    std::string emulator_headers() const;

    /// A file beside the headers.
    void provide(const std::string& name, const std::string& text) const;

    /// The copy of the submission.
    std::filesystem::path sources() const { return root_ / "source"; }

    std::filesystem::path built(const std::string& name) const { return root_ / "build" / name; }

    /// Runs the compiler in the folder of the sources; names of files are relative to it. `beside`: a folder
    /// that it may read besides, if any.
    worker::CommandResult compile(const std::vector<std::string>& arguments,
                                  const std::filesystem::path& beside = {}) const;

    /// Nobody can write to what was built any more, and everybody can read it.
    void close() const;

  private:
    std::filesystem::path root_;
    const Installation& installation_;
    const Extra& extra_;
};

}  // namespace attn::submission
