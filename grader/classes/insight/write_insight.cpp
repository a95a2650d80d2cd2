#include "grader/classes/insight/write_insight.h"

#include <algorithm>
#include <stdexcept>

#include "datasets/files/replacement.h"
#include "grader/base/errors.h"
#include "grader/report/html.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

/// Pseudonyms become file names and links.
void require_file_name(const std::string& pseudonym) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || report::is_digit(c) || c == '-'; };
    if (pseudonym.empty() || !std::ranges::all_of(pseudonym, plain))
        throw std::invalid_argument("the pseudonym '" + report::one_line(pseudonym) +
                                    "' has other characters than a-z, 0-9 and -");
}

}  // namespace

InsightWriter::InsightWriter(const ClassView& head, std::filesystem::path folder,
                             std::filesystem::path class_folder)
    : collector_(head, std::move(class_folder)), folder_(std::move(folder)) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (!error) fs::permissions(folder_, fs::perms::owner_all, error);
    if (!error) fs::remove_all(folder_ / "reports", error);
    if (!error) fs::create_directory(folder_ / "reports", error);
    if (error)
        throw UserError(folder_.string() + ": the folder for the class's page cannot be made (" +
                        error.message() + "); name a folder that you may write");
}

void InsightWriter::add(const StudentView& student) {
    for (const AttemptView& attempt : student.attempts) {
        if (!attempt.counts || !attempt.report) continue;
        require_file_name(student.pseudonym);
        report::Report shown = *attempt.report;
        shown.submission = student.pseudonym;
        data::write_file(folder_ / "reports" / (student.pseudonym + ".html"), report::to_html(shown));
    }
    collector_.add(student);
}

Insight InsightWriter::finish() {
    Insight insight = collector_.finish();
    data::write_file(folder_ / "insight.json", to_json(insight));
    data::write_file(folder_ / "insight.csv", to_csv(insight));
    data::write_file(folder_ / "index.html", to_html(insight));
    return insight;
}

Insight write_insight(const ClassView& view, const std::filesystem::path& folder) {
    InsightWriter writer(view, folder);
    for (const StudentView& student : view.students) writer.add(student);
    return writer.finish();
}

std::string to_html(const Insight& insight) {
    return report::kInsightPage.with(to_json(insight));
}

}  // namespace attn::classes
