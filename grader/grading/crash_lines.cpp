#include "grader/grading/crash_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/build/address_lines.h"
#include "grader/worker/protocol.h"

namespace attn {
namespace {

constexpr int kMostRepeated = 12, kMostNothingNew = 2;  ///< calls of a function
constexpr std::size_t kMostLines = 3;                   ///< of a failure
constexpr std::size_t kLongestLine = 160;

constexpr double kLongEnough_s = 1;  ///< to see where a call is that did not come back

/// Whether a result says that something happened at a line.
bool has_a_line(Outcome outcome) {
    static constexpr std::array kOutcomes = {
        Outcome::crashed,       Outcome::out_of_bounds,   Outcome::threw,
        Outcome::changed_input, Outcome::out_of_memory,   Outcome::exited,
        Outcome::timed_out,     Outcome::too_much_output, Outcome::forbidden};
    return std::ranges::find(kOutcomes, outcome) != kOutcomes.end();
}

/// What is told beside the lines of a repeated call.
std::string about_lines(const worker::CallResult& repeated) {
    if (repeated.outcome == Outcome::timed_out)
        return fmt::format("After {:g} s it was at this line. Perhaps a loop around it does not end:",
                           kLongEnough_s);
    return repeated.detail;
}

/// A place of a trace, "@{/proc/self/fd/8+0x1a2b}": the library's number and the address in it.
struct Address {
    std::size_t library;
    std::string address;
};

std::vector<Address> addresses_in(std::string_view trace) {
    constexpr std::string_view kOpen = "@{/proc/self/fd/";
    std::vector<Address> all;
    for (std::size_t at = 0; (at = trace.find(kOpen, at)) != std::string_view::npos;) {
        at += kOpen.size();
        const std::size_t plus = trace.find("+0x", at), close = trace.find('}', at);
        if (close == std::string_view::npos || plus > close) continue;
        const std::string number(trace.substr(at, plus - at)),
            address(trace.substr(plus + 1, close - plus - 1));
        if (number.empty() || number.size() > 3 || address.size() > 18 ||
            number.find_first_not_of("0123456789") != std::string::npos ||
            address.find_first_not_of("0123456789abcdefx") != std::string::npos)
            continue;
        const int descriptor = std::stoi(number);
        if (descriptor >= worker::kFirstLibrary)
            all.push_back({static_cast<std::size_t>(descriptor - worker::kFirstLibrary), address});
    }
    return all;
}

/// The line of a text without the white space around it; empty if there is no such line.
std::string line_of(const std::string& text, int number) {
    std::size_t start = 0;
    for (; number > 1 && start != std::string::npos; --number) {
        start = text.find('\n', start);
        if (start != std::string::npos) ++start;
    }
    if (start == std::string::npos) return {};
    std::string line = text.substr(start, text.find('\n', start) - start);
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.size() > kLongestLine) line = line.substr(0, kLongestLine) + " ..";
    return line;
}

}  // namespace

SourceTrace CrashLines::resolved(const std::vector<std::filesystem::path>& libraries,
                                 const worker::CallResult& result) {
    if (const auto known = known_.find(result.trace); known != known_.end()) {
        ++nothing_new_;
        return {about_lines(result), known->second};
    }
    const std::vector<Address> addresses = addresses_in(result.trace);
    std::map<std::size_t, std::set<std::string>> of_library;
    // Library 0 is the grader's table of the functions.
    for (const Address& each : addresses)
        if (each.library > 0 && each.library < libraries.size())
            of_library[each.library].insert(each.address);
    std::map<std::size_t, std::map<std::string, std::string>> printed;
    for (const auto& [library, some] : of_library)
        if (auto lines = submission::lines_of(libraries[library], some, watched_.layers(),
                                              submission::Frames::functions_and_places))
            printed[library] = std::move(*lines);
    SourceTrace trace{about_lines(result), {}};
    for (const Address& each : addresses) {
        for (const submission::Frame& frame : submission::own_frames(printed[each.library][each.address])) {
            if (trace.lines.size() == kMostLines) break;
            const std::string text = line_of(watched_.text_of(frame.file), frame.line);
            // A recursion repeats its lines, and a lambda has the line of its call.
            const bool again = !trace.lines.empty() && trace.lines.back().file == frame.file &&
                               trace.lines.back().line == frame.line;
            if (!text.empty() && !again)
                trace.lines.push_back({frame.file, frame.line, frame.function, text});
        }
    }
    known_[result.trace] = trace.lines;
    return trace;
}

std::optional<SourceTrace> CrashLines::repeat(const submission::PartRubric& part,
                                              const std::vector<std::string>& stand_ins,
                                              const ask::Function& function, const Arrays& inputs,
                                              const std::vector<std::string>& wanted,
                                              worker::Placement placement, Outcome failed_with) {
    const std::string repeated_function = fmt::format("{} {}", function.name, fmt::join(stand_ins, " "));
    if (std::exchange(function_, repeated_function) != repeated_function) repeated_ = nothing_new_ = 0;
    if (repeated_++ >= kMostRepeated || nothing_new_ >= kMostNothingNew) return std::nullopt;
    SourceTrace trace;
    const auto repeated = [&](const ask::Function&, const Arrays&, const std::vector<std::string>&,
                              worker::Placement) {
        if (watched_.of(rubric_).library.empty()) return worker::CallResult{};
        worker::Worker worker = watched_.worker_for(rubric_, part, stand_ins);
        if (failed_with == Outcome::timed_out) worker.limit_time(kLongEnough_s);
        worker::CallResult result = worker.call(judge::make_call(function, inputs, wanted, placement));
        // Watched code is slow, so a call that fails otherwise may still be on its way.
        const bool is_slow = result.outcome == Outcome::timed_out && failed_with != Outcome::timed_out;
        if (has_a_line(result.outcome) && !is_slow) trace = resolved(worker.libraries(), result);
        return result;
    };
    budget_.limited(repeated, "calls repeated to find a line")(function, inputs, wanted, placement);
    if (trace.lines.empty()) return std::nullopt;
    return trace;
}

judge::CallFunction CrashLines::with_lines(judge::CallFunction call, const submission::PartRubric& part,
                                           std::vector<std::string> stand_ins) {
    return [this, call = std::move(call), &part, stand_ins = std::move(stand_ins)](
               const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
               worker::Placement placement) {
        worker::CallResult result = call(function, inputs, wanted, placement);
        const bool must_refuse = result.refused && !function.refusal(ask::sizes_of(function, inputs)).empty();
        if (!has_a_line(result.outcome) || must_refuse) return result;
        result.lines = repeat(part, stand_ins, function, inputs, wanted, placement, result.outcome);
        if (result.lines && result.lines->what == result.detail) result.lines->what.clear();
        return result;
    };
}

void CrashLines::add_silent_error(const submission::PartRubric& part,
                                  const std::vector<std::string>& stand_ins, judge::NumericResult& judged) {
    for (std::size_t k = 0; k < judged.checks.size() && !looked_for_silent_error_; ++k) {
        report::Check& check = judged.checks[k];
        const judge::Question& question = judged.questions[k];
        const bool wrong = check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite ||
                           check.outcome == Outcome::not_deterministic;
        if (!wrong || check.diagnosis || !question.function->refusal(question.sizes).empty()) continue;
        looked_for_silent_error_ = true;
        check.lines = repeat(part, stand_ins, *question.function, judged.verdicts[k].inputs, question.wanted,
                             worker::Placement::ends_at_guard, check.outcome);
    }
}

}  // namespace attn
