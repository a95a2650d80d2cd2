#include "grader/report/json.h"

#include <cmath>

#include "grader/report/clean.h"
#include "grader/report/findings.h"
#include "grader/report/json_text.h"

namespace attn::report {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values) array.push_back(number(value));
    return array;
}

// Declared before the template list(), which calls them.
Json to_json_value(const std::string& text);
Json to_json_value(const Tensor& tensor);
Json to_json_value(const ScaleStep& step);
Json to_json_value(const Growth& growth);
Json to_json_value(const Picture& picture);
Json to_json_value(const Check& check);
Json to_json_value(const AddedBarrier& barrier);
Json to_json_value(const Part& part);
Json to_json_value(const SourceFile& source);
Json to_json_value(const Assignment& assignment);
Json to_json_value(const Finding& finding);
Json to_json_value(const PathStep& step);

template <class T>
Json list(const std::vector<T>& items) {
    Json array = Json::array();
    for (const T& item : items) array.push_back(to_json_value(item));
    return array;
}

Json to_json_value(const std::string& text) {
    return text;
}

Json to_json_value(const Tensor& tensor) {
    return {{"name", tensor.name}, {"shape", tensor.shape}, {"values", numbers(tensor.values)}};
}

Json with_interval(const Interval& interval) {
    return {
        {"value", number(interval.value)}, {"low", number(interval.low)}, {"high", number(interval.high)}};
}

Json to_json_value(const ScaleStep& step) {
    return {{"times_plain", number(step.times_plain)}, {"share", number(step.share)}};
}

Json of_speed(const Speed& speed) {
    return {{"sizes", speed.sizes},
            {"threads", speed.threads},
            {"yours_ms", number(speed.yours_ms)},
            {"plain_ms", number(speed.plain_ms)},
            {"yardstick_ms", number(speed.yardstick_ms)},
            {"gflop", number(speed.gflop)},
            {"times_plain", with_interval(speed.times_plain)},
            {"times_yardstick", with_interval(speed.times_yardstick)},
            {"scale", list(speed.scale)},
            {"share", number(speed.share)},
            {"settled", speed.settled},
            {"workers", speed.workers},
            {"hint", speed.hint},
            {"build",
             {{"command", speed.build.command},
              {"vector_unit", speed.build.vector_unit},
              {"allowed", speed.build.allowed}}}};
}

Json to_json_value(const Growth& growth) {
    Json json{{"what", growth.what},
              {"length", growth.length},
              {"lengths", growth.lengths},
              {"values", numbers(growth.values)},
              {"exponent", with_interval(growth.exponent)},
              {"allowed", number(growth.allowed)}};
    if (const auto& plain = growth.plain)
        json["plain"] = {{"values", numbers(plain->values)},
                         {"exponent", with_interval(plain->exponent)},
                         {"above", with_interval(plain->above)},
                         {"times_plain", with_interval(plain->times_plain)},
                         {"most_times", number(plain->most_times)}};
    if (const auto& plain = growth.plain_memory)
        json["plain_memory"] = {{"values", numbers(plain->values)},
                                {"more", with_interval(plain->more)},
                                {"most_more", number(plain->most_more)}};
    return json;
}

Json to_json_value(const Picture& picture) {
    const ErrorMap& map = picture.map;
    Json json = {{"array", picture.array},
                 {"letters", list(picture.letters)},
                 {"shape", picture.shape},
                 {"slice", picture.slice},
                 {"first_row", picture.first_row},
                 {"first_column", picture.first_column},
                 {"yours", to_json_value(picture.yours)},
                 {"expected", to_json_value(picture.expected)},
                 {"row_words", list(picture.row_words)},
                 {"column_words", list(picture.column_words)},
                 {"map",
                  {{"slices", map.slices},
                   {"rows", map.rows},
                   {"columns", map.columns},
                   {"rows_per_cell", map.rows_per_cell},
                   {"columns_per_cell", map.columns_per_cell},
                   {"errors", numbers(map.errors)}}}};
    if (picture.curve) {
        json["curve"] = {{"levels", Json::array()}};
        for (const Level& level : picture.curve->levels)
            json["curve"]["levels"].push_back({{"value", number(level.value)}, {"name", level.name}});
    }
    if (!picture.sentences.empty()) json["sentences"] = list(picture.sentences);
    return json;
}

Json of_photograph(const Photograph& photograph) {
    return {{"pixels", to_json_value(photograph.pixels)},
            {"patch", photograph.patch},
            {"array", photograph.array},
            {"errors", numbers(photograph.errors)}};
}

Json to_json_value(const Check& check) {
    Json json = {{"id", check.id},
                 {"name", check.name},
                 {"kind", name_of(check.kind)},
                 {"about", check.about},
                 {"outcome", name_of(check.outcome)},
                 {"points", number(check.points)},
                 {"max_points", number(check.max_points)},
                 {"disclosure", name_of(check.disclosure)}};
    if (!check.message.empty()) json["message"] = check.message;
    if (const auto& trace = check.lines) {
        json["lines"] = {{"what", trace->what}, {"places", Json::array()}};
        for (const SourceLine& each : trace->lines)
            json["lines"]["places"].push_back(
                {{"file", each.file}, {"line", each.line}, {"function", each.function}, {"text", each.text}});
    }
    if (const auto& d = check.difference) {
        json["difference"] = {{"where", d->where},
                              {"array", d->array},
                              {"index", d->index},
                              {"yours", number(d->yours)},
                              {"expected", number(d->expected)},
                              {"error_yardsticks", number(d->error_yardsticks)},
                              {"allowed_yardsticks", number(d->allowed_yardsticks)}};
    }
    if (!check.pattern.empty()) json["pattern"] = check.pattern;
    if (const auto& s = check.smallest) {
        json["smallest"] = {{"sizes", s->sizes},
                            {"inputs", list(s->inputs)},
                            {"yours", list(s->yours)},
                            {"expected", list(s->expected)}};
        if (!s->intermediates.empty()) json["smallest"]["intermediates"] = list(s->intermediates);
    }
    if (const auto& d = check.diagnosis) {
        json["diagnosis"] = {
            {"mistakes", list(d->mistakes)}, {"sentence", d->sentence}, {"hints", list(d->hints)}};
    }
    if (check.speed) json["speed"] = of_speed(*check.speed);
    if (!check.growth.empty()) json["growth"] = list(check.growth);
    if (!check.inputs.empty()) json["inputs"] = list(check.inputs);
    if (!check.pictures.empty()) json["pictures"] = list(check.pictures);
    if (check.photograph) json["photograph"] = of_photograph(*check.photograph);
    if (!check.printed.empty()) json["printed"] = check.printed;
    return json;
}

Json to_json_value(const AddedBarrier& barrier) {
    return {{"file", barrier.file}, {"line", barrier.line}, {"braces", barrier.braces}};
}

Json to_json_value(const Part& part) {
    Json json = {{"function", part.function},         {"step", part.step},
                 {"points", number(part.points)},     {"max_points", number(part.max_points)},
                 {"stand_ins", list(part.stand_ins)}, {"charged_at", list(part.charged_at)},
                 {"checks", list(part.checks)}};
    if (!part.race_charged_at.empty()) {
        json["race_charged_at"] = part.race_charged_at;
        json["added_barriers"] = list(part.added_barriers);
    }
    if (!part.builds_on.empty()) json["builds_on"] = list(part.builds_on);
    return json;
}

Json to_json_value(const SourceFile& source) {
    return {{"name", source.name},
            {"exists", source.exists},
            {"compiled", source.compiled},
            {"messages", source.messages}};
}

Json to_json_value(const Assignment& assignment) {
    return {{"number", assignment.number},
            {"name", assignment.name},
            {"title", assignment.title},
            {"handout", assignment.handout},
            {"points", number(assignment.points)},
            {"max_points", number(assignment.max_points)},
            {"total_always", assignment.total_always},
            {"sources", list(assignment.sources)},
            {"parts", list(assignment.parts)}};
}

Json to_json_value(const PathStep& step) {
    return {{"number", step.number},
            {"title", step.title},
            {"handout", step.handout},
            {"builds_on", step.builds_on},
            {"later", step.later}};
}

Json to_json_value(const Finding& finding) {
    return {{"kind", kFindingKindNames.at(static_cast<std::size_t>(finding.kind))},
            {"assignment", finding.assignment},
            {"function", finding.function},
            {"subject", finding.subject},
            {"cost", number(finding.cost)},
            {"what", finding.what},
            {"place", finding.place},
            {"check", finding.check == nullptr ? "" : finding.check->id}};
}

}  // namespace

std::string to_json(const Report& dirty) {
    const Report report = cleaned(dirty);
    Json json = {{"schema_version", kSchemaVersion},
                 {"submission", report.submission},
                 {"seed", report.seed ? Json(*report.seed) : Json(nullptr)},
                 {"isolation", report.isolation},
                 {"notes", list(report.notes)},
                 {"duration_s", number(report.duration_s)},
                 {"assignments", list(report.assignments)},
                 {"findings", list(findings_of(report))},
                 {"next", report.next}};
    if (!report.path.empty()) json["path"] = list(report.path);
    return json_text(json) + "\n";
}

}  // namespace attn::report
