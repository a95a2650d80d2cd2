#pragma once
/// The fields of a report's values: the one list that the writer and the reader of JSON (json.cpp), the cleaner
/// (clean.cpp) and the test of the schema (platforms/schemas_test.cpp) follow. A new field needs an entry here
/// and one in platforms/schemas/report.schema.json.

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "grader/report/report.h"

namespace attn::report {

/// How a field is cleaned, if it is text, and when it is written.
enum FieldRules : unsigned {
    kName = 0,           ///< one short line
    kSentence = 1 << 0,  ///< a message of the grader that may quote text of the student
    kText = 1 << 1,      ///< text of several lines
    kUnlessEmpty = 1 << 2,
    kNewer = 1 << 3,  ///< always written, but reports of earlier versions lack it
    kOrNull =
        1 << 4,  ///< an optional that is written as null if it is empty; other empty ones are not written
};

constexpr FieldRules operator|(FieldRules a, FieldRules b) {
    return static_cast<FieldRules>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// A field: its name as JSON, and the member. T is const for a writer.
template <class T>
struct Field {
    const char* name;
    T& value;
    FieldRules rules = kName;

    Field(const char* a_name, T& a_value, FieldRules some = kName)
        : name(a_name), value(a_value), rules(some) {}
};

template <class U, class T>
concept Some = std::same_as<std::remove_const_t<U>, T>;

// fields_of(value): a tuple of the value's fields, in the order of the JSON.

auto fields_of(Some<Tensor> auto& tensor) {
    return std::tuple{Field("name", tensor.name), Field("shape", tensor.shape),
                      Field("values", tensor.values)};
}

auto fields_of(Some<Interval> auto& interval) {
    return std::tuple{Field("value", interval.value), Field("low", interval.low),
                      Field("high", interval.high)};
}

auto fields_of(Some<ScaleStep> auto& step) {
    return std::tuple{Field("times_plain", step.times_plain), Field("share", step.share)};
}

auto fields_of(Some<TimedBuild> auto& build) {
    return std::tuple{Field("command", build.command, kText), Field("vector_unit", build.vector_unit),
                      Field("allowed", build.allowed, kText)};
}

auto fields_of(Some<Speed> auto& s) {
    return std::tuple{Field("sizes", s.sizes),
                      Field("threads", s.threads),
                      Field("yours_ms", s.yours_ms),
                      Field("plain_ms", s.plain_ms),
                      Field("yardstick_ms", s.yardstick_ms),
                      Field("gflop", s.gflop),
                      Field("times_plain", s.times_plain),
                      Field("times_yardstick", s.times_yardstick),
                      Field("scale", s.scale),
                      Field("share", s.share),
                      Field("settled", s.settled),
                      Field("workers", s.workers),
                      Field("hint", s.hint, kSentence),
                      Field("build", s.build, kNewer)};
}

auto fields_of(Some<PlainGrowth> auto& plain) {
    return std::tuple{Field("values", plain.values), Field("exponent", plain.exponent),
                      Field("above", plain.above), Field("times_plain", plain.times_plain),
                      Field("most_times", plain.most_times)};
}

auto fields_of(Some<PlainMemory> auto& plain) {
    return std::tuple{Field("values", plain.values), Field("more", plain.more),
                      Field("most_more", plain.most_more)};
}

auto fields_of(Some<Growth> auto& growth) {
    return std::tuple{Field("what", growth.what),         Field("length", growth.length),
                      Field("lengths", growth.lengths),   Field("values", growth.values),
                      Field("exponent", growth.exponent), Field("allowed", growth.allowed),
                      Field("plain", growth.plain),       Field("plain_memory", growth.plain_memory)};
}

auto fields_of(Some<ErrorMap> auto& map) {
    return std::tuple{Field("slices", map.slices),
                      Field("rows", map.rows),
                      Field("columns", map.columns),
                      Field("rows_per_cell", map.rows_per_cell),
                      Field("columns_per_cell", map.columns_per_cell),
                      Field("errors", map.errors)};
}

auto fields_of(Some<Level> auto& level) {
    return std::tuple{Field("value", level.value), Field("name", level.name)};
}

auto fields_of(Some<Curve> auto& curve) {
    return std::tuple{Field("levels", curve.levels)};
}

auto fields_of(Some<Picture> auto& p) {
    return std::tuple{Field("array", p.array),
                      Field("letters", p.letters),
                      Field("shape", p.shape),
                      Field("slice", p.slice),
                      Field("first_row", p.first_row),
                      Field("first_column", p.first_column),
                      Field("yours", p.yours),
                      Field("expected", p.expected),
                      Field("row_words", p.row_words),
                      Field("column_words", p.column_words),
                      Field("map", p.map),
                      Field("curve", p.curve),
                      Field("sentences", p.sentences, kText | kUnlessEmpty)};
}

auto fields_of(Some<Photograph> auto& photograph) {
    return std::tuple{Field("pixels", photograph.pixels), Field("patch", photograph.patch),
                      Field("array", photograph.array), Field("errors", photograph.errors),
                      Field("weights", photograph.weights, kUnlessEmpty)};
}

auto fields_of(Some<SourceLine> auto& line) {
    return std::tuple{Field("file", line.file), Field("line", line.line), Field("function", line.function),
                      Field("text", line.text)};
}

auto fields_of(Some<SourceTrace> auto& trace) {
    return std::tuple{Field("what", trace.what, kSentence), Field("places", trace.lines)};
}

auto fields_of(Some<Difference> auto& d) {
    return std::tuple{Field("where", d.where, kText),
                      Field("array", d.array),
                      Field("index", d.index),
                      Field("yours", d.yours),
                      Field("expected", d.expected),
                      Field("error_yardsticks", d.error_yardsticks),
                      Field("allowed_yardsticks", d.allowed_yardsticks)};
}

auto fields_of(Some<SmallestCase> auto& smallest) {
    return std::tuple{Field("sizes", smallest.sizes),
                      Field("inputs", smallest.inputs),
                      Field("yours", smallest.yours),
                      Field("expected", smallest.expected),
                      Field("intermediates", smallest.intermediates, kUnlessEmpty),
                      Field("wrong", smallest.wrong, kUnlessEmpty),
                      Field("printed", smallest.printed, kText | kUnlessEmpty)};
}

auto fields_of(Some<Diagnosis> auto& diagnosis) {
    return std::tuple{Field("mistakes", diagnosis.mistakes, kText),
                      Field("sentence", diagnosis.sentence, kText), Field("hints", diagnosis.hints, kText)};
}

/// Without board_speed, which only a platform's board shows.
auto fields_of(Some<Check> auto& c) {
    return std::tuple{Field("id", c.id),
                      Field("name", c.name),
                      Field("kind", c.kind),
                      Field("about", c.about),
                      Field("outcome", c.outcome),
                      Field("points", c.points),
                      Field("max_points", c.max_points),
                      Field("disclosure", c.disclosure),
                      Field("message", c.message, kSentence | kUnlessEmpty),
                      Field("lines", c.lines),
                      Field("difference", c.difference),
                      Field("pattern", c.pattern, kSentence | kUnlessEmpty),
                      Field("smallest", c.smallest),
                      Field("diagnosis", c.diagnosis),
                      Field("question", c.question, kUnlessEmpty),
                      Field("speed", c.speed),
                      Field("growth", c.growth, kUnlessEmpty),
                      Field("inputs", c.inputs, kUnlessEmpty),
                      Field("pictures", c.pictures, kUnlessEmpty),
                      Field("photograph", c.photograph),
                      Field("printed", c.printed, kText | kUnlessEmpty)};
}

auto fields_of(Some<AddedBarrier> auto& barrier) {
    return std::tuple{Field("file", barrier.file), Field("line", barrier.line),
                      Field("braces", barrier.braces)};
}

/// Without the lines where the functions are defined.
auto fields_of(Some<Part> auto& part) {
    return std::tuple{
        Field("function", part.function), Field("step", part.step), Field("points", part.points),
        Field("max_points", part.max_points), Field("stand_ins", part.stand_ins),
        Field("charged_at", part.charged_at), Field("checks", part.checks),
        Field("race_charged_at", part.race_charged_at, kUnlessEmpty),
        Field("mistake_charged_at", part.mistake_charged_at, kUnlessEmpty),
        Field("costs_elsewhere", part.costs_elsewhere, kUnlessEmpty),
        // An empty list beside the function that is charged: the lines are not shown.
        Field("added_barriers", part.added_barriers, part.race_charged_at.empty() ? kUnlessEmpty : kNewer),
        Field("builds_on", part.builds_on, kUnlessEmpty)};
}

auto fields_of(Some<SourceFile> auto& source) {
    return std::tuple{Field("name", source.name), Field("exists", source.exists),
                      Field("compiled", source.compiled), Field("messages", source.messages, kText)};
}

auto fields_of(Some<Assignment> auto& a) {
    return std::tuple{Field("number", a.number),
                      Field("name", a.name),
                      Field("title", a.title),
                      Field("handout", a.handout),
                      Field("points", a.points),
                      Field("max_points", a.max_points),
                      Field("total_always", a.total_always),
                      Field("sources", a.sources),
                      Field("parts", a.parts)};
}

auto fields_of(Some<PathStep> auto& step) {
    return std::tuple{Field("number", step.number),   Field("title", step.title),
                      Field("handout", step.handout), Field("builds_on", step.builds_on),
                      Field("later", step.later),     Field("steps", step.steps, kUnlessEmpty)};
}

/// Its JSON also has the version and the findings, which follow from the rest.
auto fields_of(Some<Report> auto& report) {
    return std::tuple{Field("submission", report.submission),   Field("seed", report.seed, kOrNull),
                      Field("isolation", report.isolation),     Field("grader", report.grader, kUnlessEmpty),
                      Field("notes", report.notes, kSentence),  Field("duration_s", report.duration_s),
                      Field("assignments", report.assignments), Field("next", report.next),
                      Field("path", report.path, kUnlessEmpty)};
}

template <class T>
concept HasFields = requires(T& value) {
    fields_of(value);
};

template <class T, class Visit>
void for_each_field(T& value, Visit&& visit) {
    std::apply([&visit](auto... field) { (visit(field), ...); }, fields_of(value));
}

}  // namespace attn::report
