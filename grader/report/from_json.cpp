#include "grader/report/from_json.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attn::report {
namespace {

using Parsed = nlohmann::json;

/// Reads one value of type T. Specialised below, from the leaves up.
template <class T>
T read(const Parsed& from) {
    return from.get<T>();
}

template <>
double read<double>(const Parsed& from) {
    return from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
}

template <class T>
std::vector<T> list(const Parsed& from) {
    std::vector<T> items;
    for (const Parsed& item : from) items.push_back(read<T>(item));
    return items;
}

template <class T>
std::optional<T> optional(const Parsed& from, const char* key) {
    return from.contains(key) ? std::optional(read<T>(from.at(key))) : std::nullopt;
}

/// The enumerator with this name.
template <class Enum, class Names>
Enum named(const Parsed& from, const Names& names) {
    const auto found = std::find(names.begin(), names.end(), from.get<std::string>());
    if (found == names.end())
        throw UserError(
            fmt::format("this report has an unknown value, '{}'; grade again", from.get<std::string>()));
    return static_cast<Enum>(found - names.begin());
}

template <>
Tensor read<Tensor>(const Parsed& from) {
    return {from.at("name"), from.at("shape"), list<double>(from.at("values"))};
}

template <>
Interval read<Interval>(const Parsed& from) {
    return {read<double>(from.at("value")), read<double>(from.at("low")), read<double>(from.at("high"))};
}

template <>
ScaleStep read<ScaleStep>(const Parsed& from) {
    return {read<double>(from.at("times_plain")), read<double>(from.at("share"))};
}

template <>
Speed read<Speed>(const Parsed& from) {
    Speed speed;
    speed.sizes = from.at("sizes");
    speed.threads = from.at("threads");
    speed.yours_ms = read<double>(from.at("yours_ms"));
    speed.plain_ms = read<double>(from.at("plain_ms"));
    speed.yardstick_ms = read<double>(from.at("yardstick_ms"));
    speed.gflop = read<double>(from.at("gflop"));
    speed.times_plain = read<Interval>(from.at("times_plain"));
    speed.times_yardstick = read<Interval>(from.at("times_yardstick"));
    speed.scale = list<ScaleStep>(from.at("scale"));
    speed.share = read<double>(from.at("share"));
    speed.settled = from.at("settled");
    speed.workers = from.at("workers");
    speed.hint = from.at("hint");
    if (from.contains("build")) {
        const Parsed& build = from.at("build");
        speed.build = {build.at("command"), build.at("vector_unit"), build.at("allowed")};
    }
    return speed;
}

template <>
PlainGrowth read<PlainGrowth>(const Parsed& from) {
    return {list<double>(from.at("values")), read<Interval>(from.at("exponent")),
            read<Interval>(from.at("above")), read<Interval>(from.at("times_plain")),
            read<double>(from.at("most_times"))};
}

template <>
PlainMemory read<PlainMemory>(const Parsed& from) {
    return {list<double>(from.at("values")), read<Interval>(from.at("more")),
            read<double>(from.at("most_more"))};
}

template <>
Growth read<Growth>(const Parsed& from) {
    return {from.at("what"),
            from.at("length"),
            from.at("lengths"),
            list<double>(from.at("values")),
            read<Interval>(from.at("exponent")),
            read<double>(from.at("allowed")),
            optional<PlainGrowth>(from, "plain"),
            optional<PlainMemory>(from, "plain_memory")};
}

template <>
ErrorMap read<ErrorMap>(const Parsed& from) {
    return {from.at("slices"),           from.at("rows"),
            from.at("columns"),          from.at("rows_per_cell"),
            from.at("columns_per_cell"), list<double>(from.at("errors"))};
}

template <>
Level read<Level>(const Parsed& from) {
    return {from.at("value"), from.at("name")};
}

template <>
Picture read<Picture>(const Parsed& from) {
    Picture picture;
    picture.array = from.at("array");
    picture.letters = list<std::string>(from.at("letters"));
    picture.shape = list<int>(from.at("shape"));
    picture.slice = list<int>(from.at("slice"));
    picture.first_row = from.at("first_row");
    picture.first_column = from.at("first_column");
    picture.yours = read<Tensor>(from.at("yours"));
    picture.expected = read<Tensor>(from.at("expected"));
    picture.row_words = list<std::string>(from.at("row_words"));
    picture.column_words = list<std::string>(from.at("column_words"));
    picture.map = read<ErrorMap>(from.at("map"));
    if (from.contains("curve")) picture.curve = Curve{list<Level>(from.at("curve").at("levels"))};
    if (from.contains("sentences")) picture.sentences = list<std::string>(from.at("sentences"));
    return picture;
}

template <>
Photograph read<Photograph>(const Parsed& from) {
    return {read<Tensor>(from.at("pixels")), from.at("patch"), from.at("array"),
            list<double>(from.at("errors"))};
}

template <>
Difference read<Difference>(const Parsed& from) {
    return {from.at("where"),
            from.at("array"),
            from.at("index"),
            read<double>(from.at("yours")),
            read<double>(from.at("expected")),
            read<double>(from.at("error_yardsticks")),
            read<double>(from.at("allowed_yardsticks"))};
}

template <>
SmallestCase read<SmallestCase>(const Parsed& from) {
    return {from.at("sizes"), list<Tensor>(from.at("inputs")), list<Tensor>(from.at("yours")),
            list<Tensor>(from.at("expected")),
            from.contains("intermediates") ? list<Tensor>(from.at("intermediates")) : std::vector<Tensor>{}};
}

template <>
Diagnosis read<Diagnosis>(const Parsed& from) {
    return {list<std::string>(from.at("mistakes")), from.at("sentence"), list<std::string>(from.at("hints"))};
}

template <>
Check read<Check>(const Parsed& from) {
    Check check;
    check.id = from.at("id");
    check.name = from.at("name");
    check.kind = named<CheckKind>(from.at("kind"), kCheckKindNames);
    check.about = from.at("about");
    check.outcome = named<Outcome>(from.at("outcome"), kOutcomeNames);
    check.points = read<double>(from.at("points"));
    check.max_points = read<double>(from.at("max_points"));
    check.disclosure = named<Disclosure>(from.at("disclosure"), kDisclosureNames);
    check.message = from.value("message", "");
    if (from.contains("lines")) {
        check.lines = SourceTrace{from.at("lines").at("what"), {}};
        for (const Parsed& each : from.at("lines").at("places"))
            check.lines->lines.push_back(
                {each.at("file"), each.at("line"), each.at("function"), each.at("text")});
    }
    check.difference = optional<Difference>(from, "difference");
    check.pattern = from.value("pattern", "");
    check.smallest = optional<SmallestCase>(from, "smallest");
    check.diagnosis = optional<Diagnosis>(from, "diagnosis");
    check.speed = optional<Speed>(from, "speed");
    if (from.contains("growth")) check.growth = list<Growth>(from.at("growth"));
    if (from.contains("inputs")) check.inputs = list<Tensor>(from.at("inputs"));
    if (from.contains("pictures")) check.pictures = list<Picture>(from.at("pictures"));
    check.photograph = optional<Photograph>(from, "photograph");
    check.printed = from.value("printed", "");
    return check;
}

template <>
AddedBarrier read<AddedBarrier>(const Parsed& from) {
    return {from.at("line"), from.at("braces"), from.at("file")};
}

template <>
Part read<Part>(const Parsed& from) {
    Part part;
    part.function = from.at("function");
    part.step = from.at("step");
    part.points = read<double>(from.at("points"));
    part.max_points = read<double>(from.at("max_points"));
    part.checks = list<Check>(from.at("checks"));
    part.stand_ins = list<std::string>(from.at("stand_ins"));
    part.charged_at = list<std::string>(from.at("charged_at"));
    part.race_charged_at = from.value("race_charged_at", "");
    if (from.contains("added_barriers")) part.added_barriers = list<AddedBarrier>(from.at("added_barriers"));
    if (from.contains("builds_on")) part.builds_on = list<std::string>(from.at("builds_on"));
    return part;
}

template <>
SourceFile read<SourceFile>(const Parsed& from) {
    return {from.at("name"), from.at("exists"), from.at("compiled"), from.at("messages")};
}

template <>
Assignment read<Assignment>(const Parsed& from) {
    Assignment assignment;
    assignment.number = from.at("number");
    assignment.name = from.at("name");
    assignment.title = from.at("title");
    assignment.handout = from.at("handout");
    assignment.points = read<double>(from.at("points"));
    assignment.max_points = read<double>(from.at("max_points"));
    assignment.total_always = from.at("total_always");
    assignment.sources = list<SourceFile>(from.at("sources"));
    assignment.parts = list<Part>(from.at("parts"));
    return assignment;
}

template <>
PathStep read<PathStep>(const Parsed& from) {
    return {from.at("number"), from.at("title"), from.at("handout"), list<int>(from.at("builds_on")),
            from.at("later")};
}

Report read_report(const Parsed& from) {
    if (const int version = from.at("schema_version"); version != kSchemaVersion)
        throw UserError(fmt::format("this report has version {}, this grader writes version {}; grade again",
                                    version, kSchemaVersion));
    Report report;
    report.submission = from.at("submission");
    report.seed =
        from.at("seed").is_null() ? std::nullopt : std::optional(from.at("seed").get<std::uint64_t>());
    report.isolation = from.at("isolation");
    report.notes = list<std::string>(from.at("notes"));
    report.duration_s = read<double>(from.at("duration_s"));
    report.assignments = list<Assignment>(from.at("assignments"));
    if (from.contains("path")) report.path = list<PathStep>(from.at("path"));
    report.next = from.at("next");
    return report;
}

}  // namespace

Report from_json(const std::string& text) {
    const Parsed report = Parsed::parse(text, nullptr, false);
    if (report.is_discarded())
        throw UserError("this is no JSON; `grader grade DIR --json FILE` writes a report");
    try {
        return read_report(report);
    } catch (const Parsed::exception&) {
        throw UserError("this JSON is no report; `grader grade DIR --json FILE` writes one");
    }
}

}  // namespace attn::report
