#include "grader/diagnosis/failure_place.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "grader/judge/locate.h"

namespace attn::diagnosis {
namespace {

/// The indices along an axis at which an output is wrong, for each batch where the output has batches.
std::vector<std::vector<bool>> wrong_along(const std::vector<bool>& wrong, const Shape& shape,
                                           std::size_t axis, bool has_batches) {
    const bool each_batch = has_batches && axis > 0;
    std::vector<std::vector<bool>> marks(each_batch ? static_cast<std::size_t>(shape[0]) : 1U,
                                         std::vector<bool>(static_cast<std::size_t>(shape[axis])));
    for (std::size_t k = 0; k < wrong.size(); ++k) {
        const auto index = judge::index_of(k, shape);
        if (wrong[k])
            marks[each_batch ? static_cast<std::size_t>(index[0]) : 0U]
                 [static_cast<std::size_t>(index[axis])] = true;
    }
    return marks;
}

std::string word_of(const ask::TensorSpec& output, std::size_t axis) {
    const std::size_t rank = output.dims.size();
    if (output.dims[axis] == "B") return "batch";
    if (std::string word = judge::word_in_grid(axis, output.dims); !word.empty()) return word;
    if (output.dims[axis] == "H")  // heads, or the height of an image
        return axis + 1 < rank && output.dims[axis + 1] != "W" ? "head" : "row";
    if (rank > 1 && axis + 1 == rank) return "column";
    if (axis + 2 == rank) return "row";
    // An axis whose length is a number has no letter.
    const bool letter = std::isalpha(static_cast<unsigned char>(output.dims[axis].front())) != 0;
    if (letter) return "element along " + output.dims[axis];
    return rank == 1 ? "element" : "element along axis " + std::to_string(axis);
}

/// What an output holds along an axis instead of the expected values: those of other indices, or their mean.
struct Other {
    const char* text;
    int (*index)(int at, int length);  ///< outside of the axis: nothing is said of this place
    bool is_mean = false;
};
const std::vector<Other>& others() {
    static const std::vector<Other> all{
        {"{0} is the expected one, moved by one {1}: what belongs to each {1} stands in the one before.",
         [](int at, int) { return at + 1; }},
        {"{0} is the expected one, moved by one {1}: what belongs to each {1} stands in the one after.",
         [](int at, int) { return at - 1; }},
        {"{0} is the expected one in reverse: what belongs to the first {1} stands in the last, and so on.",
         [](int at, int length) { return length - 1 - at; }},
        {"Every {1} of {0} is the mean of all that are expected.", nullptr, true}};
    return all;
}

/// Whether `got` is near to the expected values with other indices along this axis.
bool is_other(const Array& got, const Array& truth, std::size_t axis, const Other& other) {
    constexpr double kShare = 1e-4;
    const int length = got.shape[axis];
    std::size_t stride = 1;
    for (std::size_t k = axis + 1; k < got.shape.size(); ++k)
        stride *= static_cast<std::size_t>(got.shape[k]);
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < got.count(); ++k) {
        largest = std::max(largest, std::abs(number_at(truth, k)));
        const auto at = static_cast<std::size_t>(judge::index_of(k, got.shape)[axis]);
        const std::size_t first = k - at * stride;
        double wanted = 0;
        if (other.is_mean) {
            for (int n = 0; n < length; ++n)
                wanted += number_at(truth, first + static_cast<std::size_t>(n) * stride) / length;
        } else {
            const int from = other.index(static_cast<int>(at), length);
            if (from < 0 || from >= length) continue;
            wanted = number_at(truth, first + static_cast<std::size_t>(from) * stride);
        }
        if (!std::isfinite(number_at(got, k)) || !std::isfinite(wanted)) return false;
        error = std::max(error, std::abs(number_at(got, k) - wanted));
    }
    return error <= kShare * largest;
}

/// The same for all answers, of which more than one is wrong and long.
bool holds_for_all(std::span<const Evidence> answers, const ask::TensorSpec& output, std::size_t axis,
                   const Other& other) {
    constexpr int kLong = 3;
    int wrong = 0;
    for (const Evidence& evidence : answers) {
        const judge::Verdict& verdict = *evidence.verdict;
        const auto found = std::ranges::find(verdict.got, output.name, &Array::name);
        if (found == verdict.got.end()) {
            if (!verdict.got.empty() || passed(evidence)) continue;
            return false;
        }
        if (!is_other(*found, verdict.truth_f64[static_cast<std::size_t>(found - verdict.got.begin())], axis,
                      other))
            return false;
        wrong += !passed(evidence) && found->shape[axis] >= kLong ? 1 : 0;
    }
    return wrong > 1;
}

/// Whether the output is wrong at exactly these indices of an axis, in every batch of a wrong answer, and in more than
/// one answer.
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
        const std::vector<bool> marked =
            compared(evidence, static_cast<std::size_t>(found - got.begin())).wrong;
        for (const auto& marks : wrong_along(marked, found->shape, axis, output.dims[0] == "B"))
            for (std::size_t at = 0; at < marks.size(); ++at)
                if (marks[at] != is_wrong(at, marks.size())) return false;
        if (std::ranges::find(marked, true) == marked.end()) continue;
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
        {"{0} is right in the first {1} and has errors in every other.",
         [](std::size_t at, std::size_t) { return at > 0; }},
        {"{0} is wrong in the first {1} and right in every other.",
         [](std::size_t at, std::size_t) { return at == 0; }},
        {"{0} is right in the last {1} and has errors in every other.",
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
    for (const ask::TensorSpec& output : function.outputs)
        for (std::size_t axis = 0; output.type == ElementType::f32 && axis < output.dims.size(); ++axis)
            for (const Other& other : others())
                if (holds_for_all(answers, output, axis, other))
                    return {fmt::format(fmt::runtime(other.text), output.name, word_of(output, axis)), {}};
    return {};
}

std::string right_outputs_in_words(std::span<const Evidence> answers) {
    // Of each output: wrong ones, and right ones in wrong answers.
    std::map<std::string, std::pair<int, int>> counts;
    for (const Evidence& evidence : answers) {
        const Arrays& got = evidence.verdict->got;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const bool is_wrong = !compared(evidence, k).ok;
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
