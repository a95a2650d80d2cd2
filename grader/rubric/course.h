#pragma once
/// A course: which assignments it has, in which order, and what it calls them. The file is optional; without
/// it a course has all assignments (whole_course()). Commands, files and gradebooks use the numbers of the
/// assignments' folders in every course.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn::rubric {

struct CourseStep : report::PathStep {
    std::string name;                ///< the folder's name: "05_transformer_block"; empty if it comes later
    std::string whole_title;         ///< of the whole assignment, also where only some of its steps stand
    std::string about;               ///< what students write; empty if it comes later
    std::vector<std::string> notes;  ///< where this course's slides differ from the handout
    std::vector<int> left_out;      ///< assignments whose functions it calls, but which are not in the course
    std::vector<int> called_early;  ///< assignments whose functions it calls, but which stand after it
};

struct Course {
    std::filesystem::path file;  ///< empty: no file was read
    std::string title;           ///< empty if no file was read
    std::vector<std::string> notes;
    std::vector<CourseStep> steps;

    /// The first place of an assignment that can be worked on; null if the course has none of this number.
    const CourseStep* find(int number) const;
    /// The same. Throws UserError, which names those that the course has.
    const CourseStep& at(int number) const;
    std::vector<report::PathStep> path() const;
};

/// The numbers of the other assignments whose functions the parts of this one call, in ascending order. With
/// `steps`, only the parts of these steps.
std::vector<int> builds_on(const Rubric& rubric, const std::vector<Rubric>& all,
                           const std::vector<int>& steps = {});

/// All assignments in the order of their numbers, but each after those that it builds on.
Course whole_course(const std::vector<Rubric>& rubrics);

/// The folder of the courses that are shipped, below that of the assignments.
inline constexpr const char* kCoursesFolder = "courses";

/// Reads the course that `wanted` names: a file, or NAME of ASSIGNMENTS/courses/NAME.toml. If it is empty,
/// reads ASSIGNMENTS/course.toml; if there is no such file, the course is the whole one. Throws UserError.
Course read_course(const std::vector<Rubric>& rubrics, const std::filesystem::path& assignments,
                   const std::string& wanted = {});

/// The rubrics of the course, in its order, or only that of one assignment. Throws UserError if the course
/// does not have it.
std::vector<const Rubric*> rubrics_of(const Course& course, const std::vector<Rubric>& rubrics,
                                      std::optional<int> assignment = {});

/// The assignments that are not part of the course, but whose functions its assignments call, directly or
/// not.
std::vector<const Rubric*> called_besides(const Course& course, const std::vector<Rubric>& rubrics);

}  // namespace attn::rubric
