#include "grader/rubric/speed_rubric.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "grader/rubric/call_reader.h"
#include "grader/rubric/toml_reader.h"

namespace attn::rubric {
namespace {

constexpr double kMostPoints = 10000, kShortestBudget_s = 0.5, kLongestBudget_s = 600;

/// What a hint can ask about: see speed/hot_line.h.
constexpr std::array<std::string_view, 3> kLibraryFunctions{"exp", "tanh", "erf"};

/// Reads [{ plain = 1, share = 0.2 }, ..]. Both numbers must increase.
std::vector<ask::Scale::Step> read_steps(TableReader& reader) {
    constexpr double kSlowest = 1e-3, kFastest = 1e4;
    std::vector<ask::Scale::Step> steps;
    for (TableReader& each : reader.tables("steps")) {
        const ask::Scale::Step step{each.number("plain", kSlowest, kFastest), each.number("share", 0, 1)};
        each.done();
        if (!steps.empty() && !(step.times_plain > steps.back().times_plain))
            each.refuse("plain", fmt::format("'plain' is {:g} after {:g}; expected more from step to step",
                                             step.times_plain, steps.back().times_plain));
        if (!steps.empty() && !(step.share > steps.back().share))
            each.refuse("share", fmt::format("'share' is {:g} after {:g}; expected more from step to step",
                                             step.share, steps.back().share));
        steps.push_back(step);
    }
    return steps;
}

/// Reads [{ below = 1.2, try = "..." }, ..]. `below` must increase, because the first hint that applies is
/// shown. After a hint with a condition it may stay the same.
std::vector<Hint> read_hints(TableReader& reader, const ask::Sizes& sizes) {
    constexpr double kSlowest = 1e-3, kFastest = 1e6;
    std::vector<Hint> hints;
    for (TableReader& each : reader.tables("hints")) {
        Hint hint{each.number("below", kSlowest, kFastest), each.text("try")};
        if (each.has("library")) {
            hint.library = each.text("library");
            if (std::ranges::find(kLibraryFunctions, hint.library) == kLibraryFunctions.end())
                each.refuse("library", fmt::format("'library' is \"{}\"; expected one of {}", hint.library,
                                                   fmt::join(kLibraryFunctions, ", ")));
            hint.each = each.texts("each");
            for (const std::string& letter : hint.each)
                if (!sizes.contains(letter))
                    each.refuse("each", fmt::format("'each' names {}, which 'sizes' does not give", letter));
        }
        each.done();
        const bool after_condition = !hints.empty() && !hints.back().library.empty();
        if (!hints.empty() && !(hint.below > hints.back().below) &&
            !(after_condition && hint.below == hints.back().below))
            each.refuse("below", fmt::format("'below' is {:g} after {:g}, so this hint would never be shown; "
                                             "expected more from hint to hint",
                                             hint.below, hints.back().below));
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<std::string> read_letters(TableReader& reader, const ask::Function& function,
                                      const ask::Sizes& sizes) {
    const auto known = function.letters();
    auto letters = reader.texts("letters");
    for (const std::string& letter : letters) {
        if (std::find(known.begin(), known.end(), letter) == known.end())
            reader.refuse("letters", fmt::format("{} has no length {}; it has {}", function.name, letter,
                                                 fmt::join(known, ", ")));
        if (sizes.contains(letter))
            reader.refuse("sizes", fmt::format("'sizes' gives {}, which is among the 'letters' that grow; "
                                               "expected the others",
                                               letter));
    }
    return letters;
}

std::vector<int> read_lengths(TableReader& reader) {
    constexpr int kLongest = 1 << 20, kFewest = 3;
    auto lengths = reader.growing("lengths", 1, kLongest);
    if (lengths.size() < kFewest)
        reader.refuse("lengths", fmt::format("'lengths' holds {}; expected at least {}, so that the "
                                             "growth can be measured",
                                             lengths.size(), kFewest));
    return lengths;
}

/// The exponents that are allowed.
void read_exponents(TableReader& reader, GrowthRubric& rules) {
    // Half a power is in the middle between a right function and one that grows one power faster.
    constexpr double kLeastAbove = 0.25, kMostAbove = 0.75, kLeastExponent = 0.1, kMostExponent = 10;
    if (reader.has("time"))
        reader.refuse("time",
                      "[growth] has 'time'; expected 'time_above_plain', because time is judged beside the "
                      "plain loops in the same run: time_above_plain = 0.5 allows an exponent that is 0.5 "
                      "larger than theirs");
    if (reader.has("time_above_plain"))
        rules.time_above_plain = reader.number("time_above_plain", kLeastAbove, kMostAbove);
    if (reader.has("memory")) rules.memory = reader.number("memory", kLeastExponent, kMostExponent);
    if (rules.time_above_plain == 0 && rules.memory == 0)
        reader.refuse("time_above_plain",
                      "[growth] has neither 'time_above_plain' nor 'memory'; expected at least one, such as "
                      "time_above_plain = 0.5");
    const int span = rules.time_above_plain > 0 ? ask::kLeastSpanOfTime : ask::kLeastSpanOfMemory;
    if (rules.lengths.back() / span < rules.lengths.front())
        reader.refuse("lengths", fmt::format("'lengths' go from {} to {}; expected the last to be at least "
                                             "{} times the first",
                                             rules.lengths.front(), rules.lengths.back(), span));
}

}  // namespace

SpeedRubric read_speed(TableReader reader, const ask::Module& module, const ask::Function& function) {
    constexpr int kMostThreads = 64;
    constexpr double kSlowestFull = 0.01, kFastestFull = 10;
    SpeedRubric result;
    result.points = reader.number("points", 0, kMostPoints);
    static_cast<ask::CallSpec&>(result) = read_call(reader, module, function);
    check_sizes_of(reader, "sizes", function, *result.recipe, result.sizes);
    check_accepted(reader, "sizes", function, result.sizes);
    if (reader.has("steps")) result.scale.steps = read_steps(reader);
    result.scale.yardstick = reader.number("yardstick", kSlowestFull, kFastestFull, result.scale.yardstick);
    result.threads = reader.whole("threads", 1, kMostThreads, result.threads);
    result.budget_s = reader.number("budget_s", kShortestBudget_s, kLongestBudget_s, result.budget_s);
    if (reader.has("hints")) result.hints = read_hints(reader, result.sizes);
    reader.done();
    return result;
}

GrowthRubric read_growth(TableReader reader, const ask::Module& module, const ask::Function& function) {
    GrowthRubric result;
    result.points = reader.number("points", 0, kMostPoints);
    static_cast<ask::CallSpec&>(result) = read_call(reader, module, function);
    result.letters = read_letters(reader, function, result.sizes);
    result.lengths = read_lengths(reader);
    for (const int length : result.lengths) {
        // A missing or unknown letter shows at the first length, arrays that are too large at a later one.
        const char* key = length == result.lengths.front() ? "sizes" : "lengths";
        const ask::Sizes sizes = result.sizes_at(result.sizes, length);
        check_sizes_of(reader, key, function, *result.recipe, sizes);
        check_accepted(reader, "lengths", function, sizes);
    }
    read_exponents(reader, result);
    result.budget_s = reader.number("budget_s", kShortestBudget_s, kLongestBudget_s, result.budget_s);
    reader.done();
    return result;
}

}  // namespace attn::rubric
