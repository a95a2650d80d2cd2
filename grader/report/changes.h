#pragma once
/// What got better and what worse from one report to the next.

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
    std::vector<std::string> notes;  ///< why the two may not be comparable
    std::vector<PointsChange> points;
    std::vector<Change> checks;  ///< in the order of the later report; then those that are gone

    bool any(Change::Direction direction) const;
};

/// Compares check by check, by their ids. A speed has changed where the intervals of the ratio to the plain
/// loops do not meet. What only one of the reports asked counts neither as better nor as worse.
Changes changes(const Report& before, const Report& after);

/// For people: what got better, what got worse, the points.
void write_changes(std::ostream& out, const Changes& changes, bool colour);

}  // namespace attn::report
