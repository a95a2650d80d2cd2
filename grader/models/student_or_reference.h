#pragma once
/// The functions of the contract by name, each the student's if it is written, otherwise the reference's.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/student.h"
#include "grader/models/model_page.h"
#include "grader/rubric/rubric.h"

namespace attn::trained {

class StudentOrReference {
  public:
    /// Whether each output of a student's function is held against the reference's on the same inputs.
    enum class Checked { no, yes };

    /// `student` makes the calls of the functions in `asked`; the reference's plain loops, in float, answer
    /// all others. A student's function that writes nothing or fails is replaced by the reference's from then
    /// on.
    StudentOrReference(judge::CallFunction student, std::set<std::string> asked,
                       Checked checked = Checked::no)
        : student_(std::move(student)), asked_(std::move(asked)), checked_(checked) {}

    /// The wanted outputs (empty: all) of a function. A student's outputs are taken as they are, with NaN and
    /// infinity, because a wrong function shall be seen.
    Arrays operator()(const std::string& name, const Arrays& inputs,
                      const std::vector<std::string>& wanted = {});

    /// All outputs of the student's function; nothing if it was not asked for, is not written or failed.
    std::optional<Arrays> of_student(const std::string& name, const Arrays& inputs,
                                     const std::vector<std::string>& wanted = {});

    /// One entry for each function that was called, in the order of the first calls.
    const std::vector<UsedFunction>& origins() const { return origins_; }

    /// Whether the student's version of the function made all of its outputs.
    bool is_students(const std::string& function) const;

    /// The first function whose answer was wrong; null if none was, or if they are not checked.
    const UsedFunction* first_wrong() const;

  private:
    /// The entry of a function, a new one for a first call.
    UsedFunction& origin_of(const std::string& function);

    judge::CallFunction student_;
    std::set<std::string> asked_;
    Checked checked_;
    std::vector<UsedFunction> origins_;
};

/// The names of all functions of the contract.
std::set<std::string> all_functions(const std::vector<rubric::Rubric>& rubrics);

/// The functions that were called, with their assignments.
std::vector<UsedFunction> origins_with_assignments(
    const StudentOrReference& functions, const std::function<int(const std::string&)>& assignment_of);

/// "Your softmax is wrong: Y(0, 1) is .., expected ... Type make grade A=2." of the first wrong function; empty if there is none.
std::string wrong_function(const StudentOrReference& functions,
                           const std::function<int(const std::string&)>& assignment_of);

/// Prints a line for each function.
void print(const std::vector<UsedFunction>& origins);

/// The same numbers in another shape and under another name.
Array reshaped(Array array, Shape shape, const std::string& name);

}  // namespace attn::trained
