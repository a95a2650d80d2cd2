#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/build/compile_sandbox.h"
#include "grader/grading/speed_checks.h"
#include "reference/fast/vector_unit.h"

namespace attn {
namespace {

/// The name of the vector unit of an instruction set.
std::string vector_unit_of(const std::string& level) {
    return level.starts_with("armv8") ? "NEON" : std::string(fast::name_of(fast::unit_of(level)));
}

}  // namespace

report::TimedBuild timed_build(const Installation& installation, const std::string& source, int threads) {
    const std::string& level = installation.timed_level;
    report::TimedBuild build;
    build.command =
        fmt::format("{} {} -c {}", std::filesystem::path(installation.compiler).filename().string(),
                    fmt::join(build::timed_flags(installation), " "), source);
    build.vector_unit = vector_unit_of(level);
    build.allowed = fmt::format(
        "C++20 with its standard library; intrinsics and vector types of {} ({}), but no wider instructions; "
        "#pragma GCC; #pragma omp simd, but no other OpenMP; {}.",
        level, build.vector_unit, threads == 1 ? "one thread" : fmt::format("up to {} threads", threads));
    return build;
}

}  // namespace attn
