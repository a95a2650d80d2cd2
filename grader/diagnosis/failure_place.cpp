#include "grader/diagnosis/failure_place.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "grader/judge/locate.h"

namespace attn::diagnosis {
namespace {

/// The indices along an axis at which an output is wrong.
std::vector<bool> wrong_along(const std::vector<bool>& wrong, const Shape& shape, std::size_t axis) {
    std::vector<bool> marks(static_cast<std::size_t>(shape[axis]));
    for (std::size_t k = 0; k < wrong.size(); ++k)
        if (wrong[k]) marks[static_cast<std::size_t>(judge::index_of(k, shape)[axis])] = true;
    return marks;
}

std::vector<bool> wrong_marks(const Evidence& evidence, std::size_t k) {
    const judge::Verdict& verdict = *evidence.verdict;
    return judge::compare(verdict.got[k], verdict.truth_f64[k], verdict.units[k],
                          evidence.question->allowed_yardsticks)
        .wrong;
}

std::string word_of(const ask::TensorSpec& output, std::size_t axis) {
    const std::size_t rank = output.dims.size();
    if (output.dims[axis] == "B") return "batch";
    if (output.dims[axis] == "H") return rank == 4 && axis == 1 ? "head" : "row";
    if (rank > 1 && axis + 1 == rank) return "column";
    return axis + 2 == rank ? "row" : "element along " + output.dims[axis];
}

/// Whether the output is wrong at exactly these indices of an axis, in more than one answer.
bool holds_along(std::span<const Evidence> answers, const ask::TensorSpec& output, std::size_t axis,
                 bool (*is_wrong)(std::size_t at, std::size_t length)) {
    constexpr int kLong = 3;  // a shorter axis does not tell the first from the last
    int wrong = 0, longest = 0;
    for (const Evidence& evidence : answers) {
        const Arrays& got = evidence.verdict->got;
        const auto found = std::ranges::find(got, output.name, &Array::name);
        if (found == got.end()) {
            if (!got.empty() || passed(evidence)) continue;
            return false;
        }
        const auto marks = wrong_along(wrong_marks(evidence, static_cast<std::size_t>(found - got.begin())),
                                       found->shape, axis);
        for (std::size_t at = 0; at < marks.size(); ++at)
            if (marks[at] != is_wrong(at, marks.size())) return false;
        if (std::ranges::find(marks, true) == marks.end()) continue;
        ++wrong;
        longest = std::max(longest, found->shape[axis]);
    }
    return wrong > 1 && longest >= kLong;
}

}  // namespace

bool passed(const Evidence& evidence) {
    return evidence.verdict->outcome == Outcome::passed;
}

bool is_constant(const Array& array) {
    constexpr double kPart = 1e-3;
    double least = number_at(array, 0), most = least;
    for (std::size_t k = 1; k < array.count(); ++k) {
        least = std::min(least, number_at(array, k));
        most = std::max(most, number_at(array, k));
    }
    return most - least <= kPart * std::max(std::abs(least), std::abs(most));
}

FailurePlace failure_place(std::span<const Evidence> answers, const ask::Function& function) {
    struct Place {
        const char* text;
        bool (*is_wrong)(std::size_t at, std::size_t length);
    };
    static constexpr Place kPlaces[] = {
        {"{0} is right in the first {1} and wrong in every other.",
         [](std::size_t at, std::size_t) { return at > 0; }},
        {"{0} is wrong in the first {1} and right in every other.",
         [](std::size_t at, std::size_t) { return at == 0; }},
        {"{0} is right in the last {1} and wrong in every other.",
         [](std::size_t at, std::size_t length) { return at + 1 < length; }},
        {"{0} is wrong in the last {1} and right in every other.",
         [](std::size_t at, std::size_t length) { return at + 1 == length; }}};
    for (const ask::TensorSpec& output : function.outputs) {
        for (std::size_t axis = 0; axis < output.dims.size(); ++axis) {
            for (const Place& place : kPlaces) {
                if (!holds_along(answers, output, axis, place.is_wrong)) continue;
                return {fmt::format(fmt::runtime(place.text), output.name, word_of(output, axis)),
                        output.dims[axis]};
            }
        }
    }
    return {};
}

std::string right_outputs_in_words(std::span<const Evidence> answers) {
    // Of each output: wrong ones, and right ones in wrong answers.
    std::map<std::string, std::pair<int, int>> counts;
    for (const Evidence& evidence : answers) {
        const Arrays& got = evidence.verdict->got;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto marks = wrong_marks(evidence, k);
            const bool is_wrong = std::ranges::find(marks, true) != marks.end();
            auto& [wrong, right] = counts[got[k].name];
            wrong += is_wrong ? 1 : 0;
            right += !is_wrong && !passed(evidence) && !is_constant(got[k]) ? 1 : 0;
        }
        if (got.empty() && !passed(evidence)) return "";
    }
    std::string right;
    int wrong_outputs = 0;
    for (const auto& [name, count] : counts) {
        if (count.first > 0) ++wrong_outputs;
        if (count.first == 0 && count.second > 0) right += (right.empty() ? "" : ", ") + name;
    }
    const bool one = right.find(',') == std::string::npos;
    return right.empty() || wrong_outputs == 0
               ? ""
               : fmt::format("{} {} right in every case.", right, one ? "is" : "are");
}

}  // namespace attn::diagnosis
