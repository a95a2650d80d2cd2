#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/insight/write_insight.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/report_queries.h"

namespace attn::classes {
namespace {

class InsightTable {
  public:
    explicit InsightTable(const Insight& insight) : insight_(insight) {}

    void row(const std::string& figure, const std::string& part, const std::string& item,
             const std::vector<int>& students, std::size_t of, std::optional<double> value) {
        std::vector<std::string> who;
        for (const int student : students)
            who.push_back(insight_.students[static_cast<std::size_t>(student)].pseudonym);
        text_ +=
            fmt::format("{},{},{},{},{},{},{}\r\n", figure, report::csv_cell(part), report::csv_cell(item),
                        students.size(), of, value ? fmt::format("{}", report::finite(*value)) : "",
                        report::csv_cell(fmt::format("{}", fmt::join(who, " "))));
    }

    void distribution(const std::string& part, const Distribution& shares, const std::vector<int>& graded) {
        for (std::size_t k = 0; k < kShareBins; ++k)
            row("points", part, words_of_bin(k), shares.bins[k], static_cast<std::size_t>(shares.count), {});
        row("points", part, "mean", graded, static_cast<std::size_t>(shares.count), shares.mean);
        row("points", part, "median", graded, static_cast<std::size_t>(shares.count), shares.median);
    }

    std::string part(std::size_t number) const {
        const InsightPart& found = insight_.parts[number];
        return fmt::format("{}.{}", found.assignment, found.function);
    }

    std::string text_ = "figure,part,item,students,of,value,who\r\n";

  private:
    const Insight& insight_;
};

std::vector<int> students_in(const Distribution& shares) {
    std::vector<int> students;
    for (const std::vector<int>& bin : shares.bins) students.insert(students.end(), bin.begin(), bin.end());
    return students;
}

}  // namespace

std::string to_csv(const Insight& insight) {
    InsightTable table(insight);
    const std::size_t graded = insight.graded.size();
    const auto mistakes = [&](std::size_t number) {
        return fmt::format("{}", fmt::join(insight.misconceptions[number].mistakes, " or "));
    };
    table.distribution("total", insight.total, students_in(insight.total));
    for (std::size_t k = 0; k < insight.parts.size(); ++k)
        table.distribution(table.part(k), insight.parts[k].shares, students_in(insight.parts[k].shares));
    for (std::size_t k = 0; k < insight.misconceptions.size(); ++k) {
        const Misconception& each = insight.misconceptions[k];
        std::vector<std::string> parts;
        for (const std::size_t part : each.parts) parts.push_back(table.part(part));
        table.row("misconception", fmt::format("{}", fmt::join(parts, " ")), mistakes(k), each.students,
                  graded, static_cast<double>(each.students.size()) / static_cast<double>(graded));
    }
    for (const MisconceptionPair& pair : insight.pairs)
        table.row("pair", "", mistakes(pair.first) + " and " + mistakes(pair.second), pair.students, graded,
                  pair.lift);
    for (const InsightCheck& check : insight.checks)
        table.row("check", table.part(check.part), check.id, check.failed,
                  check.failed.size() + static_cast<std::size_t>(check.passed), check.lost);
    for (std::size_t k = 0; k < insight.parts.size(); ++k) {
        const InsightPart& part = insight.parts[k];
        const auto outcome = [&](const std::string& name, const std::vector<int>& students) {
            if (!students.empty()) table.row("outcome", table.part(k), name, students, graded, {});
        };
        outcome("not_written", part.not_written);
        outcome("not_compiled", part.not_compiled);
        for (const auto& [name, students] : part.failed) outcome(name, students);
        outcome("wrong without a named mistake", part.unnamed);
    }
    for (const SpeedBoard& board : insight.speed)
        for (const SpeedEntry& entry : board.entries)
            table.row("speed", table.part(board.part), board.sizes, {entry.student}, board.entries.size(),
                      entry.times_plain);
    for (const Outlier& outlier : insight.outliers)
        table.row("outlier", "", outlier.rule + ": " + outlier.what, {outlier.student}, graded, {});
    for (std::size_t k = 0; k < insight.students.size(); ++k) {
        const InsightStudent& student = insight.students[k];
        const char* state = student.graded ? "graded" : student.attempts.empty() ? "missing" : "ungraded";
        table.row("student", "", state, {static_cast<int>(k)}, insight.students.size(),
                  student.graded ? std::optional(student.points) : std::nullopt);
    }
    return table.text_;
}

}  // namespace attn::classes
