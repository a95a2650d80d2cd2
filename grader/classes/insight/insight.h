#pragma once
/// What an instructor wants to know about one exercise of a class, as plain values. The page, the CSV table
/// and the JSON file are written from this, and hold no logic of their own. Students are numbered in the
/// order in which they are added.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/insight/distribution.h"
#include "grader/classes/records.h"

namespace attn::classes {

struct InsightAttempt {
    int number = 0;
    std::optional<Moment> when;  ///< none: not known
    TimeSource when_by = TimeSource::platform;
    bool counts = false;
    std::optional<double> points;  ///< none: it could not be graded
    std::string problem;
};

struct InsightStudent {
    std::string pseudonym;
    std::string name;     ///< empty if names may not be shown
    std::string section;  ///< of the course
    bool on_roster = true;
    bool graded = false;  ///< there is a report of the attempt that counts
    std::string problem;  ///< why not, if something was handed in
    double points = 0, max_points = 0;
    std::optional<Mark> mark;
    std::vector<InsightAttempt> attempts;
    std::vector<std::optional<double>> parts;  ///< points, by number of the part; none: the report lacks it
    std::string report;                        ///< the report's page, relative to the insight's folder
};

/// A function of an assignment.
struct InsightPart {
    int assignment = 0, step = 0;
    std::string function;
    double max_points = 0;
    Distribution shares;
    std::vector<int> not_written, not_compiled;
    /// By outcome, the students of whom at least one check of the part ended so: "wrong", "crashed".
    std::map<std::string, std::vector<int>> failed;
    /// Students with wrong numbers here for which no mistake was named.
    std::vector<int> unnamed;
};

struct InsightCheck {
    std::string id, name, about;
    report::CheckKind kind = report::CheckKind::numeric;
    std::size_t part = 0;
    int passed = 0;           ///< students
    std::vector<int> failed;  ///< students whose function ran and failed the check
    double lost = 0;          ///< points, of all students
};

/// A submission that shows a misconception.
struct InsightExample {
    int student = 0;
    std::string check;  ///< the check that names the mistake
    std::string place;  ///< "self_attention.cpp:41"; without a line if it is not known
};

/// A named mistake, or several that the numbers do not tell apart.
struct Misconception {
    int assignment = 0;
    std::vector<std::string> mistakes;
    std::string cause;  ///< "the scores are not divided by sqrt(D_q)"
    std::string hint;
    std::vector<std::size_t> parts;
    std::vector<int> students;
    std::vector<InsightExample> examples;  ///< at most two, from the students with the fewest other mistakes
};

/// Two misconceptions that the same students have more often than by chance.
struct MisconceptionPair {
    std::size_t first = 0, second = 0;
    std::vector<int> students;
    double expected = 0;  ///< how many students would have both if the two were independent
    double lift = 0;      ///< students.size() / expected
    double chance = 0;    ///< the probability of at least as many by chance
};

struct SpeedEntry {
    int student = 0;
    double times_plain = 0, times_yardstick = 0, share = 0;
    bool settled = true;
};

/// The measured speed of one part, the fastest first.
struct SpeedBoard {
    std::size_t part = 0;
    std::string sizes;
    std::vector<SpeedEntry> entries;
};

struct Outlier {
    int student = 0;
    std::string rule;  ///< the key of a rule in `Insight::rules`
    std::string what;  ///< "12.5 of 100 points; the lower fence is at 31"
};

struct Insight {
    std::string title;
    Moment made_at = 0;
    std::optional<Moment> due;
    bool names = false;
    std::vector<InsightStudent> students;
    std::vector<int> graded, ungraded, missing;  ///< `missing` are those on the roster who handed in nothing
    double max_points = 0;                       ///< the largest of all reports
    Distribution total;
    std::vector<InsightPart> parts;
    std::optional<std::size_t> hardest;         ///< the part with the smallest mean share of its points
    std::vector<InsightCheck> checks;           ///< that failed at least once, the most frequent first
    std::vector<Misconception> misconceptions;  ///< the most frequent first
    std::vector<MisconceptionPair> pairs;       ///< the largest lift first
    std::vector<SpeedBoard> speed;
    std::vector<Outlier> outliers;
    std::map<std::string, std::string> rules;  ///< how pairs and outliers are found, as sentences
};

/// The rules by which pairs and outliers are found, as sentences by key.
std::map<std::string, std::string> insight_rules();

// What follows from the collected numbers of a class. Each function fills one member of the insight.
// insight_rules() states the rules, and the pages show them.

void find_hardest_part(Insight& insight);
void find_pairs(Insight& insight);
void find_outliers(Insight& insight);

}  // namespace attn::classes
