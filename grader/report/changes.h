#pragma once
/// Compares two reports: which checks got better or worse, and how the points changed.

#include <ostream>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

struct Change {
    enum class Direction { better, worse, other } direction = Direction::other;
    std::string what;  ///< "2.softmax.tall: wrong -> passed"
};

/// The points of an assignment or a part in both reports.
struct PointsChange {
    std::string name;
    bool of_assignment = false;
    double before = 0, after = 0, max_points = 0;
};

struct Changes {
    std::vector<std::string> notes;  ///< reasons why the reports may not be comparable
    std::vector<PointsChange> points;
    /// In the order of the later report; checks that only the earlier report has come last.
    std::vector<Change> checks;

    bool any(Change::Direction direction) const;
};

/// Compares the checks with equal ids. A speed has changed if the two confidence intervals of its ratio to
/// the plain loops do not overlap. A check that only one report has is neither better nor worse.
Changes changes(const Report& before, const Report& after);

/// "+14.3 points, 7 checks better, 1 worse": how the numeric checks, properties and kernels that both reports
/// have changed. Speed is left out, because it changes by itself. "nothing changed" if nothing did, and no text
/// if the reports cannot be compared: other submissions, other seeds or no check in common.
std::string gains(const Report& before, const Report& after);

/// Writes the changes as text: points, then better, worse and other changes.
void write_changes(std::ostream& out, const Changes& changes, bool colour);

}  // namespace attn::report
