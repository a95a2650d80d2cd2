#include "grader/diagnosis/buffer_sizes.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::diagnosis {
namespace {

constexpr std::string_view kBatches = "B";

/// The letters of the call's lengths, in the order of its arrays: "B", "N_q", ..
std::vector<std::string> letters_of(const ask::CallSpec& call) {
    std::vector<std::string> letters;
    for (const auto* specs : {&call.function->inputs, &call.function->outputs})
        for (const ask::TensorSpec& spec : *specs)
            for (const std::string& letter : spec.dims)
                if (call.sizes.contains(letter) && call.sizes.at(letter) > 1 &&
                    std::ranges::find(letters, letter) == letters.end())
                    letters.push_back(letter);
    std::stable_partition(letters.begin(), letters.end(),
                          [](const std::string& letter) { return letter == kBatches; });
    return letters;
}

}  // namespace

std::string lengths_of_buffer(const std::string& message, const ask::CallSpec& call) {
    constexpr std::string_view kBefore = " past the end of a buffer of ", kAfter = " floats";
    const std::size_t at = message.find(kBefore);
    if (at == std::string::npos) return "";
    char* end = nullptr;
    const std::int64_t count = std::strtoll(message.c_str() + at + kBefore.size(), &end, 10);
    if (!std::string_view(end).starts_with(kAfter) || count < 2) return "";

    const std::vector<std::string> letters = letters_of(call);
    constexpr std::size_t kMostLetters = 12;
    if (letters.size() > kMostLetters) return "";
    std::vector<std::string> factors;
    for (std::uint32_t subset = 1; subset < 1U << letters.size(); ++subset) {
        std::vector<std::string> some;
        std::int64_t product = 1;
        for (std::size_t k = 0; k < letters.size(); ++k) {
            if ((subset >> k & 1U) == 0) continue;
            some.push_back(letters[k]);
            product *= call.sizes.at(letters[k]);
        }
        if (product != count) continue;
        if (!factors.empty()) return "";
        factors = some;
    }
    if (factors.empty()) return "";
    std::string text = fmt::format(" These are {} = {} floats.", fmt::join(factors, " "), count);
    const bool could_lack_batches = letters.front() == kBatches && factors.front() != kBatches;
    if (could_lack_batches)
        text += fmt::format(" Is B missing? B {} = {}.", fmt::join(factors, " "),
                            call.sizes.at(letters.front()) * count);
    return text;
}

}  // namespace attn::diagnosis
