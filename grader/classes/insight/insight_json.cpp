#include "grader/classes/insight/write_insight.h"
#include "grader/classes/moments.h"
#include "grader/report/json_text.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kInsightSchemaVersion = 1;

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json json_of(const std::optional<Moment>& moment) {
    return moment ? Json(moment_text(*moment)) : Json(nullptr);
}

Json json_of(const Distribution& shares) {
    Json bins = Json::array();
    for (std::size_t k = 0; k < kShareBins; ++k)
        bins.push_back({{"share", words_of_bin(k)}, {"students", shares.bins[k]}});
    return {{"count", shares.count},
            {"mean", or_null(shares.mean)},
            {"lower_quartile", or_null(shares.lower_quartile)},
            {"median", or_null(shares.median)},
            {"upper_quartile", or_null(shares.upper_quartile)},
            {"bins", std::move(bins)}};
}

Json json_of(const Mark& mark) {
    return {{"final", mark.final},           {"raw", mark.raw},
            {"out_of", mark.out_of},         {"days_late", mark.days_late},
            {"penalty", mark.penalty},       {"explanation", report::one_line(mark.explanation)},
            {"overridden", mark.overridden}, {"held", mark.held}};
}

Json json_of(const InsightStudent& student) {
    Json attempts = Json::array(), parts = Json::array();
    for (const InsightAttempt& attempt : student.attempts)
        attempts.push_back({{"number", attempt.number},
                            {"when", json_of(attempt.when)},
                            {"when_by", name_of(attempt.when_by)},
                            {"counts", attempt.counts},
                            {"points", or_null(attempt.points)},
                            {"problem", attempt.problem}});
    for (const std::optional<double>& points : student.parts) parts.push_back(or_null(points));
    const char* state = student.graded ? "graded" : student.attempts.empty() ? "missing" : "ungraded";
    return {{"pseudonym", student.pseudonym},
            {"name", student.name},
            {"section", student.section},
            {"on_roster", student.on_roster},
            {"state", state},
            {"problem", student.problem},
            {"points", student.graded ? Json(student.points) : Json(nullptr)},
            {"max_points", student.graded ? Json(student.max_points) : Json(nullptr)},
            {"mark", student.mark ? json_of(*student.mark) : Json(nullptr)},
            {"attempts", std::move(attempts)},
            {"parts", std::move(parts)},
            {"report", student.report.empty() ? Json(nullptr) : Json(student.report)}};
}

Json json_of(const InsightPart& part) {
    Json failed = Json::object();
    for (const auto& [outcome, students] : part.failed) failed[outcome] = students;
    return {{"assignment", part.assignment},
            {"function", part.function},
            {"step", part.step},
            {"max_points", part.max_points},
            {"shares", json_of(part.shares)},
            {"not_written", part.not_written},
            {"not_compiled", part.not_compiled},
            {"failed", std::move(failed)},
            {"unnamed", part.unnamed}};
}

Json json_of(const InsightCheck& check) {
    return {{"id", check.id},         {"name", check.name},
            {"about", check.about},   {"kind", name_of(check.kind)},
            {"part", check.part},     {"passed", check.passed},
            {"failed", check.failed}, {"lost", check.lost}};
}

Json json_of(const Misconception& each) {
    Json examples = Json::array();
    for (const InsightExample& example : each.examples)
        examples.push_back(
            {{"student", example.student}, {"check", example.check}, {"place", example.place}});
    return {{"assignment", each.assignment},
            {"mistakes", each.mistakes},
            {"cause", each.cause},
            {"hint", each.hint},
            {"parts", each.parts},
            {"students", each.students},
            {"examples", std::move(examples)}};
}

Json json_of(const SpeedBoard& board) {
    Json entries = Json::array();
    for (const SpeedEntry& entry : board.entries)
        entries.push_back({{"student", entry.student},
                           {"times_plain", entry.times_plain},
                           {"times_yardstick", entry.times_yardstick},
                           {"share", entry.share},
                           {"settled", entry.settled}});
    return {{"part", board.part}, {"sizes", board.sizes}, {"entries", std::move(entries)}};
}

Json json_of(const MisconceptionPair& pair) {
    return {{"first", pair.first},       {"second", pair.second}, {"students", pair.students},
            {"expected", pair.expected}, {"lift", pair.lift},     {"chance", pair.chance}};
}

Json json_of(const Outlier& outlier) {
    return {{"student", outlier.student}, {"rule", outlier.rule}, {"what", outlier.what}};
}

template <class T>
Json list_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json_of(value));
    return list;
}

}  // namespace

std::string to_json(const Insight& insight) {
    Json json = {{"schema_version", kInsightSchemaVersion},
                 {"title", insight.title},
                 {"made_at", moment_text(insight.made_at)},
                 {"due", json_of(insight.due)},
                 {"zone", course_zone().empty() ? "UTC" : course_zone()},
                 {"names", insight.names},
                 {"max_points", insight.max_points},
                 {"graded", insight.graded},
                 {"ungraded", insight.ungraded},
                 {"missing", insight.missing},
                 {"total", json_of(insight.total)},
                 {"hardest", insight.hardest ? Json(*insight.hardest) : Json(nullptr)},
                 {"parts", list_of(insight.parts)},
                 {"misconceptions", list_of(insight.misconceptions)},
                 {"pairs", list_of(insight.pairs)},
                 {"checks", list_of(insight.checks)},
                 {"speed", list_of(insight.speed)},
                 {"outliers", list_of(insight.outliers)},
                 {"rules", insight.rules},
                 {"students", list_of(insight.students)}};
    return report::json_text(json, false) + "\n";
}

}  // namespace attn::classes
