#include "grader/speed/hot_line.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/text_lines.h"
#include "grader/compile/address_lines.h"
#include "grader/judge/fresh_inputs.h"
#include "grader/judge/student.h"

namespace attn::speed {

namespace {

using compile::Address;

constexpr double kSampled_s = 0.3, kLongest_s = 3, kHot = 0.25, kWarm = 0.03, kMost = 0.5, kPercent = 100;
constexpr std::ptrdiff_t kEnough = 100;  // a busy machine needs longer for them
constexpr std::size_t kFewest = 50, kCallsAtATime = 8;

struct Sample {
    std::vector<Address> addresses;  ///< innermost first
    bool in_called = false;          ///< it was in a function of another library
};

std::vector<Sample> take_samples(worker::Worker& worker, const judge::Question& question) {
    judge::FreshInputs fresh(question);
    const Arrays inputs = fresh.next();
    const std::vector<worker::Call> calls(
        kCallsAtATime,
        judge::make_call(*question.function, inputs, question.wanted, worker::Placement::ends_at_guard));
    std::string text;
    const auto soon = worker::in_seconds(kSampled_s), end = worker::in_seconds(kLongest_s);
    while (worker::Clock::now() < soon ||
           (std::ranges::count(text, '\n') < kEnough && worker::Clock::now() < end)) {
        if (worker.time(calls).call.outcome != Outcome::passed) return {};
        text += worker.take_samples();
    }
    std::vector<Sample> samples;
    for (const std::string& line : lines_in(text))
        if (Sample sample{compile::addresses_in(line), line.starts_with('!')}; !sample.addresses.empty())
            samples.push_back(std::move(sample));
    return samples;
}

/// The operation of an instruction on floats, without the v of AVX: "addss", "fmadd231ps". Empty for others.
std::string float_operation(const std::string& instruction) {
    std::string name = instruction.substr(0, instruction.find_first_of(" \t"));
    if (name.starts_with('v')) name.erase(0, 1);
    for (const char* operation :
         {"add", "sub", "mul", "div", "max", "min", "sqrt", "fmadd", "fmsub", "fnmadd", "comi", "ucomi"})
        for (const char* type : {"ss", "sd", "ps", "pd"})
            if (name.starts_with(operation) && name.ends_with(type)) return name;
    return {};
}

/// Whether an addition goes into one of its own operands: "vaddss %xmm1,%xmm0,%xmm0".
bool is_of_a_sum(const std::string& operation, const std::string& instruction) {
    if (!operation.starts_with("add") && !operation.starts_with("sub") && !operation.starts_with("f"))
        return false;
    const std::size_t last = instruction.rfind('%');
    if (last == std::string::npos || operation.starts_with("f")) return last != std::string::npos;
    const std::string target = instruction.substr(last, instruction.find_first_of(" \t", last) - last);
    return std::ranges::count(instruction, ',') == 1 || instruction.find(target + ",") != std::string::npos;
}

/// Where most samples are, and which of them.
struct HotLine {
    compile::Frame frame;
    std::vector<const Sample*> samples;
};

std::optional<HotLine> hottest(const std::vector<Sample>& samples,
                               const std::vector<std::filesystem::path>& libraries,
                               const worker::Layers& layers) {
    std::map<std::size_t, std::set<std::string>> of_library;
    for (const Sample& sample : samples)
        for (const Address& each : sample.addresses)
            if (each.library > 0 && each.library < libraries.size())
                of_library[each.library].insert(each.address);
    std::map<std::size_t, std::map<std::string, std::string>> printed;
    for (const auto& [library, some] : of_library)
        if (auto lines =
                compile::lines_of(libraries[library], some, layers, compile::Frames::functions_and_places))
            printed[library] = std::move(*lines);
    std::map<std::pair<std::string, int>, HotLine> lines;
    for (const Sample& sample : samples)
        for (const Address& each : sample.addresses) {
            const auto frames = compile::own_frames(printed[each.library][each.address]);
            if (frames.empty()) continue;
            HotLine& line = lines[{frames.front().file, frames.front().line}];
            line.frame = frames.front();
            line.samples.push_back(&sample);
            break;
        }
    const auto most =
        std::ranges::max_element(lines, {}, [](const auto& line) { return line.second.samples.size(); });
    if (most == lines.end()) return std::nullopt;
    return most->second;
}

/// The instructions between the first and the last that take some of the line's time.
std::map<std::uint64_t, std::string> hot_instructions(const HotLine& line,
                                                      const std::vector<std::filesystem::path>& libraries,
                                                      const worker::Layers& layers) {
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> counts;
    constexpr int kHex = 16;
    for (const Sample* sample : line.samples)
        if (!sample->in_called)
            ++counts[{sample->addresses.front().library,
                      std::stoull(sample->addresses.front().address, nullptr, kHex)}];
    std::erase_if(counts, [&line](const auto& each) {
        return static_cast<double>(each.second) < kWarm * static_cast<double>(line.samples.size());
    });
    if (counts.empty()) return {};
    const auto [library, from] = counts.begin()->first;
    const auto [last_library, to] = counts.rbegin()->first;
    if (library != last_library) return {};
    return compile::instructions_in(libraries[library], from, to + 1, layers);
}

}  // namespace

std::string one_at_a_time(const std::map<std::uint64_t, std::string>& instructions) {
    int one = 0, several = 0;
    bool sums = false, compares = false, calls = false;
    for (const auto& [address, instruction] : instructions) {
        calls |= instruction.starts_with("call");
        const std::string operation = float_operation(instruction);
        if (operation.empty()) continue;
        const bool is_one = operation.ends_with("ss") || operation.ends_with("sd");
        (is_one ? one : several) += 1;
        compares |= is_one && operation.find("comi") != std::string::npos;
        sums |= is_one && is_of_a_sum(operation, instruction);
    }
    if (one <= several) return {};
    if (calls)
        return "It calls a function for one number at a time, so the compiler does not vectorise this loop.";
    if (sums)
        return "It adds one number at a time: the compiler must keep the order of a sum of floats, so it "
               "does "
               "not vectorise this loop.";
    if (compares)
        return "It handles one number at a time: the compiler does not vectorise the condition in this loop.";
    return "It handles one number at a time: the compiler did not vectorise this loop.";
}

std::string hot_line(compile::Builds& sampled, const rubric::Rubric& rubric,
                     const judge::Question& question) {
    if (sampled.of(rubric).library.empty()) return {};
    worker::Worker worker = sampled.worker_for(rubric);
    const std::vector<Sample> samples = take_samples(worker, question);
    if (samples.size() < kFewest) return {};
    const auto libraries = worker.libraries();
    const std::optional<HotLine> line = hottest(samples, libraries, sampled.layers());
    if (!line) return {};
    const auto count = static_cast<double>(line->samples.size());
    const double share = count / static_cast<double>(samples.size());
    if (share < kHot) return {};
    const auto& [function, file, number] = line->frame;
    compile::Lines there;
    if (sampled.has(file)) there = sampled.reader().lines(sampled.folder() / file, {number});
    std::string text = fmt::format("{:.0f} % of the time goes into {}:{}: `{}`.", kPercent * share, file,
                                   number, compile::shown_line(there[number]));
    const auto called = static_cast<double>(
        std::ranges::count_if(line->samples, [](const Sample* sample) { return sample->in_called; }));
    if (called > kMost * count)
        return text + " Most of it is spent in a library function that is called for one number at a time.";
    const std::string why = one_at_a_time(hot_instructions(*line, libraries, sampled.layers()));
    return why.empty() ? text : text + " " + why;
}

namespace {

struct LibraryFunction {
    std::string_view name, in_float;
    float (*call_float)(float);
    double (*call_double)(double);
};

constexpr std::array<LibraryFunction, 3> kFunctions{
    {{"exp", "expf", ::expf, ::exp}, {"tanh", "tanhf", ::tanhf, ::tanh}, {"erf", "erff", ::erff, ::erf}}};

constexpr int kNumbers = 1024, kRepeats = 15;

/// The least time of several runs: other work on the machine only adds to it.
template <class T>
double least_ns(T (*call)(T)) {
    using Clock = std::chrono::steady_clock;
    double least = std::numeric_limits<double>::infinity();
    volatile T sink = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const auto start = Clock::now();
        T sum = 0;
        for (int k = 0; k < kNumbers; ++k) sum += call(static_cast<T>(k % 64) / T(16) - T(2));
        sink = sum;
        const std::chrono::duration<double, std::nano> took = Clock::now() - start;
        least = std::min(least, took.count() / kNumbers);
    }
    static_cast<void>(sink);
    return least;
}

}  // namespace

std::string called_in(const std::filesystem::path& library, std::string_view function) {
    const auto* const known = std::ranges::find(kFunctions, function, &LibraryFunction::name);
    if (known == kFunctions.end())
        throw std::invalid_argument("no library function " + std::string(function));
    // The names of the functions that a library takes from others stand in its table of strings, each between
    // zeros.
    const std::string file = data::read_file(library);
    for (const std::string_view name : {known->in_float, known->name}) {
        const std::string entry = '\0' + std::string(name) + '\0';
        if (file.find(entry) != std::string::npos) return std::string(name);
    }
    return {};
}

double call_ns(std::string_view name) {
    for (const LibraryFunction& each : kFunctions) {
        if (each.in_float == name) return least_ns(each.call_float);
        if (each.name == name) return least_ns(each.call_double);
    }
    throw std::invalid_argument("no library function " + std::string(name));
}

}  // namespace attn::speed
