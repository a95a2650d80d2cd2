#pragma once
/// Writes the instructor's page and what it links to into a folder:
///   index.html          the page, which loads nothing but itself
///   insight.json, .csv  the same figures
///   reports/NAME.html   the full report of every graded student, by pseudonym
/// The reports show hidden inputs, so the folder is for the instructor alone: it is made with mode 0700.

#include <filesystem>

#include "grader/classes/insight/collector.h"

namespace attn::classes {

/// Takes one student after the other, so that a class need not be in memory at once.
class InsightWriter {
  public:
    /// `head` is the class without its students, `class_folder` as for InsightCollector. Makes the folder;
    /// the reports of an earlier run are removed.
    InsightWriter(const ClassView& head, std::filesystem::path folder,
                  std::filesystem::path class_folder = {});

    /// Writes the student's report page, and keeps what the class's page needs of it.
    void add(const StudentView& student);

    /// Writes the class's page, the JSON and the CSV. Returns what they say.
    Insight finish();

  private:
    InsightCollector collector_;
    std::filesystem::path folder_;
};

/// The same for a class in memory.
Insight write_insight(const ClassView& view, const std::filesystem::path& folder);

/// The page as text.
std::string to_html(const Insight& insight);

}  // namespace attn::classes
