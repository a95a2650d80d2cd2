#pragma once
/// Where a slow function spends its time: in a line, or in calls of the C library.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "grader/compile/builds.h"
#include "grader/judge/answer.h"

namespace attn::speed {

/// The line of the submission that takes most of the time of a call, and why the compiler did not vectorise
/// its loop: "82 % of the time goes into softmax.cpp:38: `sum += Q(i, d) * K(j, d);`. It adds ..". Empty if
/// no line takes much, or if it cannot be found. `sampled`: Builds::sampled() of the submission.
std::string hot_line(compile::Builds& sampled, const rubric::Rubric& rubric, const judge::Question& question);

/// Why these instructions of a loop handle one number at a time, as a sentence. Empty if they handle several
/// at a time, or if they do not compute with floats.
std::string one_at_a_time(const std::map<std::uint64_t, std::string>& instructions);

/// The name by which a compiled library calls `function` ("exp", "tanh" or "erf"): "expf" in float, or "exp".
/// Empty if it does not call it.
std::string called_in(const std::filesystem::path& library, std::string_view function);

/// The processor time of one call, in nanoseconds. `name`: as called_in() returns it.
double call_ns(std::string_view name);

}  // namespace attn::speed
