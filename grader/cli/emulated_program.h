#pragma once
/// A CUDA program of one or several source files, compiled for the emulator and run as an ordinary program.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/emulator/compile.h"

namespace attn::cli {

struct ProgramFinding {
    std::string kind, text;
};

struct ProgramRun {
    int exit_code = 0;  ///< valid if it ended by itself and signal is 0
    int signal = 0;
    bool overdue = false;  ///< it was ended after the time limit
    std::string progress;  ///< if overdue: "kernel softmax had run 3 of 64 blocks", or empty
    std::vector<ProgramFinding> findings;

    bool failed() const { return exit_code != 0 || signal != 0 || overdue; }
};

/// Options of one run.
struct RunOptions {
    std::vector<std::string> arguments;
    std::uint64_t seed = 1;
    double limit_s = 60;
    int memory_mib = 256;  ///< of the device
    bool leaks = false;    ///< memory that is not freed is a finding
    bool quiet = false;    ///< findings are collected, not printed
    bool silent = false;   ///< the program's output is discarded
};

class EmulatedProgram {
  public:
    /// Compiles the program. Throws UsageError if g++ reports an error or the program cannot be emulated, and
    /// data::FileError if a file cannot be read.
    EmulatedProgram(const std::vector<std::filesystem::path>& files, emulator::Mode mode,
                    const std::vector<std::string>& include_folders, const Installation& installation);

    /// The warnings of g++.
    const std::string& warnings() const { return warnings_; }

    /// Runs the program. Throws worker::Interrupted if the user interrupts it.
    ProgramRun run(const RunOptions& options) const;

    /// The output of addr2line for an address: functions and source lines.
    static std::string frames_at(const std::string& module, const std::string& offset);

  private:
    data::TemporaryDirectory folder_;
    std::string warnings_;
};

}  // namespace attn::cli
