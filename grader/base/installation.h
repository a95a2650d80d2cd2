#pragma once
/// The paths of the grader's files. There are two kinds of installation, and the linker chooses one: a build
/// (installation/built.cpp) knows the paths of its own folders; a kit (installation/in_a_kit.cpp) finds
/// everything below the folder into which it was unpacked.

#include <filesystem>
#include <string>
#include <vector>

namespace attn {

struct Installation {
    /// The installation of this program. Throws std::runtime_error if a kit is incomplete.
    Installation();

    std::string version;                ///< the number of the release, "1.0.0": see base/version.h
    std::filesystem::path commit_file;  ///< has the commit in words; may be missing
    std::filesystem::path assignments;
    std::filesystem::path datasets;  ///< see data::set_shipped_folder
    std::filesystem::path worker;    ///< the worker's executable
    std::filesystem::path reader;    ///< the reader's executable: see compile/reader_main.cpp
    // Libraries that the worker loads, each with the functions of all assignments.
    std::filesystem::path exports;         ///< see worker/exports.h
    std::filesystem::path kernel_exports;  ///< see gpu/device/kernel_exports.h
    // The code that a submission's speed is compared with.
    std::filesystem::path plain;      ///< the plain loops, compiled with timed_flags
    std::filesystem::path yardstick;  ///< attn::fast
    std::string with_yardstick;       ///< the assignments whose functions it has: "multi_head masking"
    /// Whether an assignment has a yardstick of speed. A build may not have compiled it yet.
    bool has_yardstick(const std::string& module) const {
        return (" " + with_yardstick + " ").find(" " + module + " ") != std::string::npos;
    }
    /// The libraries with one function of the reference each, a folder or an archive: see compile/stand_ins.h
    std::filesystem::path stand_ins;
    std::filesystem::path cuda_headers;  ///< MODULE_cuda.h; empty if they are beside the contracts
    std::string timed_level;         ///< the instruction set of timed code, as -march names it: "x86-64-v3"
    std::string timed_flags;         ///< compiler flags for speed measurements: "-O3 -march=x86-64-v3"
    std::string no_speed;            ///< why this machine cannot measure speed; empty if it can
    std::filesystem::path preludes;  ///< precompiled headers: see compile/prelude.h
    std::string compiler;            ///< path of the compiler for submissions
    // The emulator of CUDA kernels: the headers for a student's source, and the library to link. The library
    // is empty where there is no emulator: it needs g++ and an x86-64 processor.
    std::filesystem::path emulator_headers;
    std::filesystem::path emulator_library;
    // Parts of the source tree, for the proofs of the grader; all empty in a kit.
    std::filesystem::path sources;
    std::filesystem::path proof;  ///< demo/ and hostile/
    /// The folder with the correct and wrong submissions that prove how an assignment is graded.
    std::filesystem::path proof_of(const std::string& module) const {
        return sources / "grader/assignments" / module / "proof";
    }
    std::filesystem::path reference;  ///< the plain loops, as an archive of object files
    /// MODULE_plain.cpp: the functions of the contract, which call the plain loops.
    std::filesystem::path adapters;
    std::filesystem::path reference_submission(const std::string& module) const {
        return adapters / (module + "_plain.cpp");
    }
    /// Flags for compiling that file.
    std::vector<std::string> reference_flags() const {
        return {"-I" + sources.string(), "-I" + adapters.parent_path().string()};
    }
};

/// Throws UserError if the file is not there. `make grade` builds what measures speed and what runs kernels
/// only when a submission needs it. `what`: the file in words, "the emulator of kernels".
void require_built(const std::filesystem::path& file, const std::string& what);

}  // namespace attn
