#pragma once
/// Libraries with the reference's version of one function and nothing else to call: each stands in for a
/// student's function that is wrong (grading/carry_forward.h).

#include <filesystem>
#include <string>

#include "grader/base/installation.h"

namespace attn::compile {

/// The library for a function of the contract. It is linked when it is first needed, from the plain loops,
/// and once more when these have changed; a kit has all of them in an archive. Throws std::runtime_error where
/// it cannot be linked or read.
std::filesystem::path stand_in_for(const std::string& function, const Installation& installation);

/// Links all of them ahead, for a kit, and copies them into a folder that has nothing else afterwards.
void make_stand_ins(const Installation& installation, const std::filesystem::path& folder);

}  // namespace attn::compile
