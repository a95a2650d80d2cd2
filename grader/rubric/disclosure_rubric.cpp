#include "grader/rubric/disclosure_rubric.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/rubric/toml_reader.h"

namespace attn::rubric {
namespace {

/// The index of the word under `key` among `words`.
std::size_t read_word(TableReader& reader, const char* key, std::span<const std::string_view> words) {
    const std::string word = reader.text(key);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        reader.refuse(key,
                      fmt::format("'{}' is '{}'; expected one of {}", key, word, fmt::join(words, ", ")));
    return static_cast<std::size_t>(found - words.begin());
}

}  // namespace

report::Disclosure read_disclosure(TableReader& reader, const char* key) {
    return static_cast<report::Disclosure>(read_word(reader, key, report::kDisclosureNames));
}

DisclosureRubric read_disclosures(TableReader& reader, DisclosureRubric defaults) {
    if (reader.has("public")) defaults.with_public_seed = read_disclosure(reader, "public");
    if (reader.has("secret")) defaults.with_secret_seed = read_disclosure(reader, "secret");
    return defaults;
}

report::Hints read_hint_level(TableReader& reader) {
    if (!reader.has("hints")) return report::Hints::name;
    return static_cast<report::Hints>(read_word(reader, "hints", report::kHintsNames));
}

bool read_total_always(TableReader& reader) {
    constexpr std::array<std::string_view, 2> kTotals{"always", "with_checks"};
    return !reader.has("total") || read_word(reader, "total", kTotals) == 0;
}

}  // namespace attn::rubric
