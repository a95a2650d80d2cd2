#include "grader/grading/crash_lines.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/text_lines.h"
#include "grader/compile/address_lines.h"
#include "grader/worker/protocol.h"

namespace attn {
namespace {

constexpr int kMostRepeated = 12, kMostNothingNew = 2;  ///< calls of a function
constexpr double kMostShare = 0.2;                      ///< of the assignment's time, for repeated calls
constexpr std::size_t kMostLines = 3;                   ///< of a failure

constexpr double kLongEnough_s = 0.75;  ///< before the looks at a call that does not come back

/// Whether a result says that something happened at a line.
bool has_a_line(Outcome outcome) {
    static constexpr std::array kOutcomes = {
        Outcome::crashed,       Outcome::out_of_bounds,   Outcome::threw,
        Outcome::changed_input, Outcome::out_of_memory,   Outcome::exited,
        Outcome::timed_out,     Outcome::too_much_output, Outcome::forbidden};
    return std::ranges::find(kOutcomes, outcome) != kOutcomes.end();
}

/// The lines to show, without repetitions: a recursion repeats its lines, and a lambda has the line of its
/// call.
std::vector<SourceLine> shown(const std::vector<SourceLine>& lines) {
    std::vector<SourceLine> some;
    for (const SourceLine& each : lines) {
        if (some.size() == kMostLines) break;
        if (some.empty() || some.back().file != each.file || some.back().line != each.line)
            some.push_back(each);
    }
    return some;
}

/// A look at a call that does not come back.
struct Look {
    std::vector<SourceLine> lines;   ///< innermost first
    std::vector<std::string> calls;  ///< the numbers of the calls, outermost first
};

/// The numbers behind a trace, "..#1,7,8".
std::vector<std::string> calls_in(const std::string& trace) {
    std::vector<std::string> calls;
    std::istringstream numbers(trace.substr(std::min(trace.find('#'), trace.size() - 1) + 1));
    for (std::string number; std::getline(numbers, number, ',');) calls.push_back(number);
    return calls;
}

/// The loop that does not end is in the innermost call that did not return between the first look and the
/// last.
SourceTrace endless_loop(const std::vector<Look>& looks) {
    const auto &first = looks.front().calls, &last = looks.back().calls;
    const auto common =
        std::ranges::mismatch(first, last).in1 - first.begin();  // the same call has the same number
    std::vector<std::vector<SourceLine>> there;                  // from this call on
    for (const Look& look : looks)
        if (common > 0 && look.lines.size() == look.calls.size() &&
            std::ssize(look.lines) >= common)  // else the stack is too deep for a message
            there.emplace_back(look.lines.end() - common, look.lines.end());
    if (there.empty())
        return {"After a second it was here. Perhaps a loop around this line does not end:",
                shown(looks.back().lines)};
    const auto line = [](const auto& lines) { return lines.front().line; };
    const auto [least, most] = std::ranges::minmax_element(there, {}, line);
    const SourceLine& from = least->front();
    return {
        line(*least) == line(*most)
            ? fmt::format("It was in line {} of {} for a second. Perhaps a loop there does not end:",
                          from.line, from.file)
            : fmt::format("It was in lines {} to {} of {} for a second. Perhaps a loop there does not end:",
                          from.line, line(*most), from.file),
        shown(*least)};
}

}  // namespace

std::vector<std::vector<SourceLine>> CrashLines::lines_of(const std::vector<std::filesystem::path>& libraries,
                                                          const std::vector<std::string>& traces) {
    std::map<std::size_t, std::set<std::string>> of_library;
    for (const std::string& trace : traces)
        for (const compile::Address& each : compile::addresses_in(trace))
            // Library 0 is the grader's table of the functions.
            if (each.library > 0 && each.library < libraries.size())
                of_library[each.library].insert(each.address);
    std::map<std::size_t, std::map<std::string, std::string>> printed;
    for (const auto& [library, some] : of_library)
        if (auto lines = compile::lines_of(libraries[library], some, watched_.layers(),
                                           compile::Frames::functions_and_places))
            printed[library] = std::move(*lines);
    std::vector<std::vector<SourceLine>> all;
    std::map<std::string, std::set<int>> numbers;
    for (const std::string& trace : traces) {
        all.emplace_back();
        for (const compile::Address& each : compile::addresses_in(trace))
            for (const auto& frame : compile::own_frames(printed[each.library][each.address])) {
                all.back().push_back({frame.file, frame.line, frame.function, {}});
                numbers[frame.file].insert(frame.line);
            }
    }
    std::map<std::string, compile::Lines> texts;
    for (const auto& [file, some] : numbers)
        if (watched_.has(file)) texts[file] = watched_.reader().lines(watched_.folder() / file, some);
    for (auto& lines : all) {
        for (SourceLine& line : lines) line.text = compile::shown_line(texts[line.file][line.line]);
        std::erase_if(lines, [](const SourceLine& line) { return line.text.empty(); });
    }
    return all;
}

SourceTrace CrashLines::resolved(const std::vector<std::filesystem::path>& libraries,
                                 const worker::CallResult& result) {
    if (const auto known = known_.find(result.trace); known != known_.end())
        return {result.detail, known->second};
    const std::vector<std::string> traces = lines_in(result.trace);
    if (traces.empty()) return {};
    const auto lines = lines_of(libraries, traces);
    if (result.outcome != Outcome::timed_out) {
        known_[result.trace] = shown(lines.front());
        return {result.detail, known_[result.trace]};
    }
    std::vector<Look> looks;
    for (std::size_t k = 0; k < traces.size(); ++k) looks.push_back({lines[k], calls_in(traces[k])});
    return endless_loop(looks);
}

std::optional<SourceTrace> CrashLines::repeat(const rubric::PartRubric& part,
                                              const std::vector<std::string>& stand_ins,
                                              const ask::Function& function, const Arrays& inputs,
                                              const std::vector<std::string>& wanted,
                                              worker::Placement placement, Outcome failed_with) {
    const std::string repeated_function = fmt::format("{} {}", function.name, fmt::join(stand_ins, " "));
    if (std::exchange(function_, repeated_function) != repeated_function) repeated_ = nothing_new_ = 0;
    if (repeated_++ >= kMostRepeated || nothing_new_ >= kMostNothingNew ||
        time_s_ >= kMostShare * rubric_.budget_s)
        return std::nullopt;
    SourceTrace trace;
    // Also a call that now returns, or that is ended before it says where it is, tells nothing new.
    bool is_new = false;
    const auto repeated = [&](const ask::Function&, const Arrays&, const std::vector<std::string>&,
                              worker::Placement) {
        if (watched_.of(rubric_).library.empty()) return worker::CallResult{};
        worker::Worker worker = watched_.worker_for(rubric_, part, stand_ins);
        if (failed_with == Outcome::timed_out) worker.limit_time(kLongEnough_s);
        const auto start = worker::Clock::now();
        worker::CallResult result = worker.call(judge::make_call(function, inputs, wanted, placement));
        time_s_ += std::chrono::duration<double>(worker::Clock::now() - start).count();
        is_new = !known_.contains(result.trace);
        // Watched code is slow, so a call that fails otherwise may still be on its way.
        const bool is_slow = result.outcome == Outcome::timed_out && failed_with != Outcome::timed_out;
        if (has_a_line(result.outcome) && !is_slow) trace = resolved(worker.libraries(), result);
        return result;
    };
    budget_.limited(repeated, "calls repeated to find a line")(function, inputs, wanted, placement);
    if (trace.lines.empty() || !is_new) ++nothing_new_;
    if (trace.lines.empty()) return std::nullopt;
    return trace;
}

judge::CallFunction CrashLines::with_lines(judge::CallFunction call, const rubric::PartRubric& part,
                                           std::vector<std::string> stand_ins) {
    return [this, call = std::move(call), &part, stand_ins = std::move(stand_ins)](
               const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
               worker::Placement placement) {
        worker::CallResult result = call(function, inputs, wanted, placement);
        const bool must_refuse =
            result.refused && !function.refusal(ask::sizes_of(function, inputs), inputs).empty();
        if (!has_a_line(result.outcome) || must_refuse) return result;
        result.lines = repeat(part, stand_ins, function, inputs, wanted, placement, result.outcome);
        if (result.lines && result.lines->what == result.detail) result.lines->what.clear();
        return result;
    };
}

void CrashLines::add_silent_error(const rubric::PartRubric& part, const std::vector<std::string>& stand_ins,
                                  diagnosis::NumericResult& judged) {
    for (std::size_t k = 0; k < judged.checks.size() && !looked_for_silent_error_; ++k) {
        report::Check& check = judged.checks[k];
        const judge::Question& question = judged.questions[k];
        const bool wrong = check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite ||
                           check.outcome == Outcome::not_deterministic;
        if (!wrong || check.diagnosis || !question.refusal().empty()) continue;
        looked_for_silent_error_ = true;
        check.lines = repeat(part, stand_ins, *question.function, judged.verdicts[k].inputs, question.wanted,
                             worker::Placement::ends_at_guard, check.outcome);
    }
}

}  // namespace attn
