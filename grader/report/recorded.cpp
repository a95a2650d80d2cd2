#include "grader/report/recorded.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "grader/report/report.h"

namespace attn::report {
namespace {

using nlohmann::json;

/// "no_scale+V_is_K": two at once.
std::vector<std::string> at_once(const std::string& names) {
    std::vector<std::string> result;
    std::size_t from = 0, plus = 0;
    for (; (plus = names.find('+', from)) != std::string::npos; from = plus + 1)
        result.push_back(names.substr(from, plus - from));
    result.push_back(names.substr(from));
    return result;
}

Recorded recorded(const json& report, const json& assignment, const json& part, const json& check) {
    Recorded result;
    result.submission = report.at("submission");
    result.seed = report.at("seed");
    result.assignment = assignment.at("number");
    result.function = part.at("function");
    result.stand_ins = part.at("stand_ins").get<std::vector<std::string>>();
    result.id = check.at("id");
    result.name = check.at("name");
    result.kind = check.at("kind");
    result.message = check.value("message", "");
    if (check.contains("diagnosis"))
        for (const json& names : check.at("diagnosis").at("mistakes"))
            result.mistakes.push_back(at_once(names));
    return result;
}

Recorded find(const json& report, const std::string& id) {
    if (const int version = report.at("schema_version"); version != kSchemaVersion)
        throw NotRecorded(
            fmt::format("this report has version {}, this grader writes version {}; grade again", version,
                        kSchemaVersion));
    std::string failed;
    for (const json& assignment : report.at("assignments")) {
        for (const json& part : assignment.at("parts")) {
            for (const json& check : part.at("checks")) {
                if (check.at("id") == id) return recorded(report, assignment, part, check);
                if (check.at("outcome") != "passed" && check.at("outcome") != "not_compiled" &&
                    check.at("outcome") != "not_implemented")
                    failed += "\n  " + check.at("id").get<std::string>();
            }
        }
    }
    throw NotRecorded(fmt::format(
        "there is no check '{}' in this report; {}", id,
        failed.empty() ? "nothing in it failed that could be shown" : "those that failed are" + failed));
}

}  // namespace

Recorded find_recorded(const std::string& text, const std::string& id) {
    const json report = json::parse(text, nullptr, false);
    if (report.is_discarded())
        throw NotRecorded("this is no JSON; a report is made by `grader grade DIR --json FILE`");
    try {
        return find(report, id);
    } catch (const json::exception&) {
        throw NotRecorded("this JSON is no report; one is made by `grader grade DIR --json FILE`");
    }
}

}  // namespace attn::report
