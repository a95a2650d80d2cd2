#pragma once
/// The sandbox of the compiler: which files it can read, and where it may write.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/compile/build.h"
#include "grader/worker/process.h"

namespace attn::compile {

/// Limits of processor time. The limit of real time is kPatience times as long, because a busy machine must
/// not cost a right submission its points.
inline constexpr double kCompileTime_s = 60, kReadTime_s = 10, kPatience = 5;
inline constexpr int kCompileMemory_mib = 1536;
inline constexpr std::size_t kCompilerOutput = 64 << 10;

/// What is said about a file that the reader cannot read within its limits.
std::string unreadable(const std::string& name);

/// Compiler flags for every file of a submission, and therefore for precompiled headers too.
std::vector<std::string> compiler_flags();
/// Compiler flags for speed measurements: no bounds checks, no warnings, and no instructions beyond
/// Installation::timed_level.
std::vector<std::string> timed_flags(const Installation& installation);

/// Compiler flags for repeating a call that failed: with debug information, and with a call of the worker
/// before each access to memory (worker/watched/watched_code.h).
std::vector<std::string> watched_flags();

/// Flags that find the headers of the contract (tensor.h and those of every assignment) below `contract`.
std::vector<std::string> include_flags(const std::string& contract, const Installation& installation);

/// Whether to confine the submission. Only the grader's own submissions, such as the reference, link extra
/// libraries; they are not confined.
inline bool is_confined(const BuildOptions& options) {
    return options.libraries.empty();
}

/// Throws std::runtime_error if the compiler does not exist.
void require_compiler(const Installation& installation);

/// Makes a file or folder readable by all users, whatever the umask: root writes it, and the compiler, which
/// runs as the user `nobody`, reads it.
void make_readable_by_all(const std::filesystem::path& path);

/// A folder with copies of a submission's files and of the contract's headers. The compiler can read no other
/// file of the submission, so `files` are all that the library depends on.
class CompileSandbox {
  public:
    /// Makes the folder `root`. All users can read it, because the compiler may run as the user `nobody`, so
    /// its parent folder has to be closed. `files`: the submission's files, relative to its folder.
    CompileSandbox(const std::filesystem::path& root, const std::filesystem::path& submission,
                   const std::vector<std::filesystem::path>& files, const Installation& installation,
                   const BuildOptions& options);

    /// The folder of the contract's headers, as the compiler names it. Unconfined submissions (the reference)
    /// use the original headers.
    std::string contract() const;

    /// The folder of the contracts' NAME_cuda.h; only for a build of kernels.
    std::string cuda_headers() const;

    /// The folder of the emulator's headers for .cu files; only for a build of kernels.
    std::string emulator_headers() const;

    /// Writes a file into the folder of the contract's headers.
    void add_file(const std::string& name, const std::string& text) const;

    /// The copy of the submission.
    std::filesystem::path sources() const { return root_ / "source"; }

    std::filesystem::path built(const std::string& name) const { return root_ / "build" / name; }

    /// Runs the compiler in the folder of the sources; file names are relative to it. `readable`: one more
    /// folder that the compiler may read, or empty.
    worker::CommandResult compile(const std::vector<std::string>& arguments,
                                  const std::filesystem::path& readable = {}) const;

    /// Runs the reader (reader_main.cpp) in the folder of the sources. It may change these and the built
    /// files.
    worker::CommandResult run_reader(const std::vector<std::string>& arguments) const;

    /// Makes the built files readable by all users and writable by the grader only.
    void protect_outputs() const;

  private:
    worker::Command command(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                            double time_s) const;

    std::filesystem::path root_;
    const Installation& installation_;
    const BuildOptions& options_;
};

}  // namespace attn::compile
