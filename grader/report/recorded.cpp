#include "grader/report/recorded.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

/// null stands for what is no number.
double number(const json& value) {
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Interval interval(const json& value) {
    return {number(value.at("value")), number(value.at("low")), number(value.at("high"))};
}

Speed speed(const json& from) {
    Speed result;
    result.sizes = from.at("sizes");
    result.threads = from.at("threads");
    result.yours_ms = number(from.at("yours_ms"));
    result.plain_ms = number(from.at("plain_ms"));
    result.yardstick_ms = number(from.at("yardstick_ms"));
    result.gflop = number(from.at("gflop"));
    result.times_plain = interval(from.at("times_plain"));
    result.times_yardstick = interval(from.at("times_yardstick"));
    for (const json& step : from.at("scale"))
        result.scale.push_back({number(step.at("times_plain")), number(step.at("share"))});
    result.share = number(from.at("share"));
    result.settled = from.at("settled");
    result.workers = from.at("workers");
    result.hint = from.at("hint");
    return result;
}

Growth growth(const json& from) {
    Growth result;
    result.what = from.at("what");
    result.length = from.at("length");
    result.lengths = from.at("lengths").get<std::vector<int>>();
    for (const json& value : from.at("values")) result.values.push_back(number(value));
    result.exponent = interval(from.at("exponent"));
    result.allowed = number(from.at("allowed"));
    return result;
}

Outcome outcome(const json& name) {
    const auto* const found = std::find(kOutcomeNames.begin(), kOutcomeNames.end(), name.get<std::string>());
    if (found == kOutcomeNames.end()) throw NotRecorded("this report has an unknown outcome; grade again");
    return static_cast<Outcome>(found - kOutcomeNames.begin());
}

Check measured(const json& from) {
    Check check;
    check.id = from.at("id");
    check.name = from.at("name");
    check.kind = from.at("kind");
    check.about = from.at("about");
    check.outcome = outcome(from.at("outcome"));
    check.points = number(from.at("points"));
    check.max_points = number(from.at("max_points"));
    check.message = from.value("message", "");
    if (from.contains("speed")) check.speed = speed(from.at("speed"));
    if (from.contains("growth"))
        for (const json& each : from.at("growth")) check.growth.push_back(growth(each));
    return check;
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
    if (result.kind == "speed" || result.kind == "growth") result.measured = measured(check);
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
                const bool counts = check.at("outcome") != "skipped" || check.at("max_points") != 0;
                if (counts && check.at("outcome") != "passed" && check.at("outcome") != "not_compiled" &&
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
