#pragma once
/// A CUDA program of one source, compiled for the emulator and run as people run programs.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/emulator/compile.h"

namespace attn::cli {

struct ProgramFinding {
    std::string kind, text;
};

struct ProgramRun {
    int exit_code = 0;  ///< where it ended by itself and signal is 0
    int signal = 0;
    bool overdue = false;  ///< it was killed after the time limit
    bool whole = false;    ///< it came to its end, and so `findings` are all
    std::vector<ProgramFinding> findings;

    bool failed() const { return exit_code != 0 || signal != 0 || overdue; }
};

/// How one run goes.
struct Running {
    std::vector<std::string> arguments;
    std::uint64_t seed = 1;
    double limit_s = 60;
    bool quiet = false;   ///< findings are only collected
    bool silent = false;  ///< what the program prints is dropped
};

class EmulatedProgram {
  public:
    /// Compiles it. Throws UsageError with what g++ says, or for what cannot be emulated; data::FileError.
    EmulatedProgram(const std::filesystem::path& source, emulator::Mode mode,
                    const std::vector<std::string>& include_folders, const Installation& installation);

    /// What g++ warned of.
    const std::string& warnings() const { return warnings_; }

    /// Throws worker::Interrupted.
    ProgramRun run(const Running& how) const;

    /// What addr2line says about a place.
    static std::string frames_at(const std::string& module, const std::string& offset);

  private:
    data::TemporaryDirectory folder_;
    std::string warnings_;
};

}  // namespace attn::cli
