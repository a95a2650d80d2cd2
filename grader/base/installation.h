#pragma once
/// Where the grader finds what belongs to it. There are two kinds of installation, and the linker chooses:
/// the build (installation/built.cpp), which knows where its own folders are, and a kit
/// (installation/in_a_kit.cpp), which finds everything below the folder that it was unpacked in.

#include <filesystem>
#include <string>

namespace attn {

struct Installation {
    /// This program's. Throws std::runtime_error where a kit is not whole.
    Installation();

    std::filesystem::path assignments;
    std::filesystem::path datasets;  ///< see data::set_shipped_folder
    std::filesystem::path worker;    ///< the worker's program
    std::filesystem::path exports;   ///< MODULE.so: see worker/exports.h
    std::filesystem::path exports_of(const std::string& module) const { return exports / (module + ".so"); }
    std::filesystem::path kernel_exports;  ///< MODULE.so: see worker/kernel_exports.h
    std::filesystem::path kernel_exports_of(const std::string& module) const {
        return kernel_exports / (module + ".so");
    }
    std::filesystem::path stand_ins;     ///< of the reference's functions: see build/stand_ins.h
    std::filesystem::path cuda_headers;  ///< MODULE_cuda.h; empty where they lie beside the contracts
    // What speed is held against, compiled for this machine: MODULE.so with all functions of an assignment.
    std::filesystem::path yardsticks;  ///< attn::fast
    std::filesystem::path yardstick_of(const std::string& module) const {
        return yardsticks / (module + ".so");
    }
    std::filesystem::path plain;  ///< the plain loops, compiled with timed_flags
    std::filesystem::path plain_of(const std::string& module) const { return plain / (module + ".so"); }
    std::string timed_flags;         ///< of a build whose speed is judged: "-O3 -march=native"
    std::string no_speed;            ///< why speed cannot be measured on this machine; empty where it can
    std::filesystem::path preludes;  ///< headers compiled ahead: see submission/prelude.h
    std::string compiler;            ///< compiles submissions: its path
    // The emulator of CUDA kernels: headers for a student's source, and what it is linked to; the latter is
    // empty on machines that it is not made for.
    std::filesystem::path emulator_headers;
    std::filesystem::path emulator_library;
    // Of the project's sources, for what the grader proves about itself; all empty in a kit.
    std::filesystem::path sources;
    std::filesystem::path proof;  ///< demo/ and hostile/
    /// The folder with the right and wrong submissions that prove how an assignment is graded.
    std::filesystem::path proof_of(const std::string& module) const {
        return sources / "grader/assignments" / module / "proof";
    }
    std::filesystem::path reference;  ///< the plain loops, as an archive
    std::filesystem::path
        adapters;  ///< MODULE_plain.cpp: the contract's functions, answered by the plain loops
    std::filesystem::path reference_submission(const std::string& module) const {
        return adapters / (module + "_plain.cpp");
    }
};

}  // namespace attn
