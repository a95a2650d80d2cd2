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
    std::string compiler = ATTN_STUDENT_CXX;  ///< compiles submissions
};

}  // namespace attn
