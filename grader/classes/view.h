#pragma once
/// An exercise of a class as pages and exports show it.

#include <map>
#include <vector>

#include "grader/classes/exercise.h"
#include "grader/classes/records.h"

namespace attn::classes {

/// What a page or an export needs of the attempts: `points` are those of each function of the attempt that counts.
enum class Reports { of_all, of_counting, points, none };

/// Reads a stored version, one student after the other, so that a class need not be in memory at once.
/// Reports are scored with the rubric of that version.
class ViewReader {
  public:
    /// `names`: whether names may be shown. The gradebook has to stay.
    ViewReader(Gradebook& gradebook, const ClassRules& rules, const Version& version,
               const Installation& installation, bool names);

    /// The class without its students.
    const ClassView& head() const { return head_; }
    const std::vector<Student>& students() const { return students_; }
    StudentView student(const Student& student, Reports reports);

  private:
    AttemptView attempt(const Attempt& attempt, bool with_report);

    Gradebook& gradebook_;
    Version version_;
    std::vector<rubric::Rubric> rubrics_;
    Scoring scoring_;
    ClassView head_;
    std::vector<Student> students_;
    std::vector<Attempt> attempts_;
    std::vector<Fault> faults_;
    std::map<Id, Decision> holds_;
};

/// The whole class.
ClassView view_of(ViewReader& reader, Reports reports);

}  // namespace attn::classes
