#include "grader/report/json.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/report/clean.h"
#include "grader/report/fields.h"
#include "grader/report/findings.h"
#include "grader/report/json_text.h"

namespace attn::report {

namespace {

using Json = nlohmann::ordered_json;
using Parsed = nlohmann::json;

const auto& names_of(CheckKind /*kind*/) {
    return kCheckKindNames;
}

const auto& names_of(Outcome /*outcome*/) {
    return kOutcomeNames;
}

const auto& names_of(Disclosure /*disclosure*/) {
    return kDisclosureNames;
}

/// Text, a number or a list of numbers. json_text() writes NaN and infinity as null.
template <class T>
Json written(const T& value) {
    return value;
}

template <class T>
requires std::is_enum_v<T> Json written(const T& value) {
    return name_of(value);
}

Json written(const Finding& finding) {
    return {{"kind", kFindingKindNames.at(static_cast<std::size_t>(finding.kind))},
            {"assignment", finding.assignment},
            {"function", finding.function},
            {"subject", finding.subject},
            {"cost", finding.cost},
            {"what", finding.what},
            {"place", finding.place},
            {"check", finding.check == nullptr ? "" : finding.check->id}};
}

template <HasFields T>
Json written(const T& value);

template <class T>
Json written(const std::vector<T>& items) {
    Json array = Json::array();
    for (const T& item : items) array.push_back(written(item));
    return array;
}

/// Whether a field of this value is left out.
template <class T>
bool is_omitted(const Field<const std::optional<T>>& field) {
    return !field.value && (field.rules & kOrNull) == 0;
}

template <class T>
bool is_omitted(const Field<T>& field) {
    if constexpr (requires { field.value.empty(); })
        return (field.rules & kUnlessEmpty) != 0 && field.value.empty();
    return false;
}

template <class T>
Json written(const std::optional<T>& value) {
    return value ? written(*value) : Json(nullptr);
}

template <HasFields T>
Json written(const T& value) {
    Json json;
    for_each_field(value, [&json](const auto& field) {
        if (!is_omitted(field)) json[field.name] = written(field.value);
    });
    return json;
}

template <class T>
void read(const Parsed& from, T& value) {
    from.get_to(value);
}

void read(const Parsed& from, double& value) {
    value = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
}

template <class T>
requires std::is_enum_v<T>
void read(const Parsed& from, T& value) {
    const auto& names = names_of(value);
    const auto found = std::find(names.begin(), names.end(), from.get<std::string>());
    if (found == names.end())
        throw UserError(
            fmt::format("this report has an unknown value, '{}'; grade again", from.get<std::string>()));
    value = static_cast<T>(found - names.begin());
}

template <HasFields T>
void read(const Parsed& from, T& value);

template <class T>
void read(const Parsed& from, std::vector<T>& items) {
    for (const Parsed& item : from) read(item, items.emplace_back());
}

template <class T>
void read(const Parsed& from, std::optional<T>& value) {
    value.reset();
    if (!from.is_null()) read(from, value.emplace());
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <HasFields T>
void read(const Parsed& from, T& value) {
    for_each_field(value, [&from]<class M>(const Field<M>& field) {
        const bool may_lack =
            (field.rules & (kUnlessEmpty | kNewer)) != 0 || (kIsOptional<M> && (field.rules & kOrNull) == 0);
        if (!may_lack || from.contains(field.name)) read(from.at(field.name), field.value);
    });
}

}  // namespace

std::string to_json(const Report& dirty) {
    const Report report = cleaned(dirty);
    Json json{{"schema_version", kSchemaVersion}};
    for_each_field(report, [&](const auto& field) {
        if (field.name == std::string_view("next")) json["findings"] = written(findings_of(report));
        if (!is_omitted(field)) json[field.name] = written(field.value);
    });
    return json_text(json) + "\n";
}

Report from_json(const std::string& text) {
    const Parsed from = Parsed::parse(text, nullptr, false);
    if (from.is_discarded())
        throw UserError("this is no JSON; `grader grade DIR --json FILE` writes a report");
    try {
        if (const int version = from.at("schema_version"); version != kSchemaVersion)
            throw UserError(
                fmt::format("this report has version {}, this grader writes version {}; grade again", version,
                            kSchemaVersion));
        Report report;
        read(from, report);
        return report;
    } catch (const Parsed::exception&) {
        throw UserError("this JSON is no report; `grader grade DIR --json FILE` writes one");
    }
}

std::string json_text(const nlohmann::ordered_json& json, bool indented) {
    std::string result;
    for (const char c : json.dump(indented ? 2 : -1)) {
        if (c == '<')
            result += "\\u003c";
        else if (c == '#' && result.ends_with('#'))
            result += "\\u0023";
        else
            result += c;
    }
    return result;
}

}  // namespace attn::report
