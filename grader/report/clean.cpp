#include "grader/report/clean.h"

#include <algorithm>

#include "grader/report/fields.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::size_t kLongestText = 16 << 10, kLongestSentence = 2000, kLongestName = 300;

void scrub(std::string& text, FieldRules rules) {
    if ((rules & kSentence) != 0) {
        text = cut(one_line(text), kLongestSentence);
    } else if ((rules & kText) != 0) {
        text = cut(clean(text), kLongestText);
    } else {
        text = cut(clean(text), kLongestName);
        std::replace(text.begin(), text.end(), '\n', '?');
    }
}

/// A number needs no cleaning.
template <class T>
void scrub(T& /*number*/, FieldRules /*rules*/) {}

template <HasFields T>
void scrub(T& value, FieldRules rules = kName);

template <class T>
void scrub(std::vector<T>& items, FieldRules rules) {
    if constexpr (HasFields<T> || std::is_same_v<T, std::string>)
        for (T& item : items) scrub(item, rules);
}

template <class T>
void scrub(std::optional<T>& value, FieldRules rules) {
    if (value) scrub(*value, rules);
}

template <HasFields T>
void scrub(T& value, FieldRules /*rules*/) {
    for_each_field(value, [](const auto& field) { scrub(field.value, field.rules); });
}

}  // namespace

Check cleaned(Check check) {
    scrub(check);
    return check;
}

Report cleaned(Report report) {
    scrub(report);
    return report;
}

}  // namespace attn::report
