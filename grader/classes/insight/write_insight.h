#pragma once
/// Writes the instructor's page and what it links to into a folder:
///   index.html          the page, which loads nothing but itself
///   insight.json, .csv  the same figures
///   reports/NAME.html   the full report of every graded student, by pseudonym
/// The reports show hidden inputs, so the folder is for the instructor alone: it is made with mode 0700.

#include <filesystem>
#include <string>

#include "grader/classes/insight/collector.h"
#include "grader/classes/insight/insight.h"

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

// The insight as one CSV table (RFC 4180), for spreadsheets. No cell is a formula.

/// A row for each figure: `figure,part,item,students,of,value,who`. `who` names the students behind a figure,
/// by pseudonym, with a space between two. What `item` and `value` are depends on the figure:
///   points         item: a bin of shares, or "total"; value of the row "mean": the mean share
///   misconception  item: the mistake's name; value: the share of the graded students
///   pair           item: two mistakes; value: the lift
///   check          item: the check's id; value: the points that it cost the class
///   outcome        item: how functions failed
///   speed          item: the student's pseudonym; value: the speed as a multiple of the plain loops'
///   outlier        item: the rule; value: none
///   student        item: the state; value: the points
std::string to_csv(const Insight& insight);

// The insight as JSON: schemas/insight.schema.json describes it. The page draws the same text.

/// In one line, with a final line feed. It contains no '<', so that a page can hold it.
std::string to_json(const Insight& insight);

}  // namespace attn::classes
