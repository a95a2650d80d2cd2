#pragma once
/// Where the grader finds what belongs to it. The build fills this in.

#include <filesystem>
#include <string>

namespace attn {

struct Installation {
    std::filesystem::path assignments = ATTN_ASSIGNMENTS_DIR;
    std::filesystem::path worker = ATTN_WORKER;        ///< the worker's program
    std::filesystem::path exports = ATTN_EXPORTS_DIR;  ///< MODULE.so: see worker/exports.h
    std::filesystem::path exports_of(const std::string& module) const { return exports / (module + ".so"); }
    std::filesystem::path stand_ins =
        ATTN_STAND_INS_DIR;  ///< FUNCTION.so: the reference's, see carry_forward
    std::filesystem::path stand_in_for(const std::string& function) const {
        return stand_ins / (function + ".so");
    }
    // What speed is held against, compiled for this machine: MODULE.so with all functions of an assignment.
    std::filesystem::path yardsticks = ATTN_YARDSTICKS_DIR;  ///< attn::fast
    std::filesystem::path yardstick_of(const std::string& module) const {
        return yardsticks / (module + ".so");
    }
    std::filesystem::path plain = ATTN_PLAIN_DIR;  ///< the plain loops, compiled with timed_flags
    std::filesystem::path plain_of(const std::string& module) const { return plain / (module + ".so"); }
    std::string timed_flags = ATTN_TIMED_FLAGS;  ///< of a build whose speed is judged: "-O3 -march=native"
    std::filesystem::path preludes = ATTN_PRELUDES_DIR;  ///< headers compiled ahead: see submission/prelude.h
    // Of the project's sources, where they are: for what the grader proves about itself.
    std::filesystem::path sources = ATTN_SOURCES_DIR;
    std::filesystem::path impostors = sources / "grader/impostors";
    std::filesystem::path reference = ATTN_REFERENCE;  ///< the plain loops, as an archive
    std::string compiler = ATTN_STUDENT_CXX;           ///< compiles submissions
};

}  // namespace attn
