#pragma once
/// The report: all results of grading as plain values. grade.cpp and the judge fill it, and the writers print
/// it; they do not depend on each other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/outcome.h"
#include "grader/report/measurement_data.h"
#include "grader/report/picture_data.h"

namespace attn::report {

/// The points of a part are given for all checks of a kind together.
enum class CheckKind {
    numeric,   ///< the numbers of one case
    property,  ///< what holds between outputs of the same function
    speed,
    growth,  ///< how time and memory grow with a length
    cuda     ///< the numbers of one case, computed by the part's kernels
};

inline constexpr std::array kCheckKinds{CheckKind::numeric, CheckKind::property, CheckKind::speed,
                                        CheckKind::growth, CheckKind::cuda};
inline constexpr std::array kCheckKindNames{"numeric", "property", "speed", "growth", "cuda"};

static_assert(kCheckKinds.size() == kCheckKindNames.size());

/// "numeric": the name in files.
constexpr std::string_view name_of(CheckKind kind) {
    return kCheckKindNames[static_cast<std::size_t>(kind)];
}

/// How much of a check a student sees, and when.
enum class Disclosure {
    full,
    category,           ///< outcome, named mistake and hint; no inputs, no numbers, no printed text
    after_deadline,     ///< everything, once the deadline has passed
    after_publication,  ///< everything, once marks are published
    never,              ///< nothing; its points still count in the total
};

inline constexpr std::array<std::string_view, 5> kDisclosureNames{"full", "category", "after_deadline",
                                                                  "after_publication", "never"};

static_assert(kDisclosureNames.size() == static_cast<std::size_t>(Disclosure::never) + 1);

/// The name in rubrics and reports: "after_deadline".
constexpr std::string_view name_of(Disclosure disclosure) {
    return kDisclosureNames[static_cast<std::size_t>(disclosure)];
}

/// How much a report tells of the edit of the plain loops that explains a wrong answer.
enum class Hints {
    question,  ///< the equation, and a question
    place,     ///< also what kind of thing differs there
    name       ///< what differs, in words
};

inline constexpr std::array<std::string_view, 3> kHintsNames{"question", "place", "name"};

inline constexpr int kSchemaVersion = 2;

/// The largest difference between an output and the expected values.
struct Difference {
    std::string where;  ///< a sentence: "Only rows >= 32 of Y are wrong."
    std::string array;
    std::vector<int> index;
    double yours = 0, expected = 0;
    double error_yardsticks = 0;  ///< the error, in multiples of the rounding error of a plain float loop
    double allowed_yardsticks = 0;
};

/// The smallest inputs on which the function still fails.
struct SmallestCase {
    std::string sizes;
    std::vector<Tensor> inputs, yours, expected;  ///< empty if even the smallest case is too large to print
    std::vector<Tensor> intermediates = {};       ///< what a right solution computes on its way: "E", "A"
    std::vector<Tensor> wrong = {};  ///< for each of `yours`: 1 at every element that is wrong, else 0
    std::string printed = {};        ///< by the student's function, for these inputs
};

/// The mistakes that produce exactly these wrong numbers. If there are several, the numbers do not
/// distinguish them.
struct Diagnosis {
    std::vector<std::string> mistakes;  ///< names; "a+b" means that both were made
    std::string sentence;
    std::vector<std::string> hints;
};

struct Check {
    std::string id;  ///< "2.softmax.ragged"
    std::string name;
    CheckKind kind = CheckKind::numeric;
    std::string about;  ///< "normal numbers, N=5 D=7"; a property's statement
    Outcome outcome = Outcome::skipped;
    double points = 0, max_points = 0;
    Disclosure disclosure = Disclosure::full;
    std::string message;  ///< if it failed: what happened, in one or two sentences
    std::optional<Difference> difference;
    std::string
        pattern;  ///< where the function is right and where it is wrong: "In the cases shown here, and in calls like them: right with L = 1, .."
    std::optional<SmallestCase> smallest;
    std::optional<Diagnosis> diagnosis;
    std::string question = {};  ///< what to look for, if the mistake has no name
    std::optional<Speed> speed;
    std::vector<Growth> growth;
    std::vector<Tensor> inputs;     ///< of the call, if shown in full; a tensor without values is too large
    std::vector<Picture> pictures;  ///< of outputs with wrong numbers
    std::optional<Photograph> photograph;
    std::string printed;               ///< text that the student's function printed, shortened
    std::optional<SourceTrace> lines;  ///< where it failed, in the student's files
    /// For a platform's board, where `speed` is not shown: the multiple of the plain loops' speed, with two digits.
    std::optional<double> board_speed = {};
};

/// A __syncthreads() that was added to a copy of a .cu file: in front of a line, or in front of it within
/// braces around it.
struct AddedBarrier {
    int line = 0;
    bool braces = false;
    std::string file = {};
    friend bool operator==(const AddedBarrier&, const AddedBarrier&) = default;
};

struct Part {
    std::string function;
    int step = 0;  ///< the step of the handout
    double points = 0, max_points = 0;
    std::vector<Check> checks;
    /// Earlier functions that the reference replaced, because the student's are wrong or missing.
    std::vector<std::string> stand_ins = {};
    /// The functions that lose points for this, "assignment 3" if they belong to another assignment.
    std::vector<std::string> charged_at = {};
    /// The earlier function whose kernels lack a barrier, which was added to grade this part's kernels;
    /// "assignment 5" if they belong to another assignment.
    std::string race_charged_at = {};
    /// The earlier function that has the same mistake in the same helper, and loses the points for it.
    std::string mistake_charged_at = {};
    /// Other functions that lose points for what may be one mistake, in words.
    std::string costs_elsewhere = {};
    std::vector<AddedBarrier> added_barriers = {};
    std::vector<std::string> builds_on = {};  ///< earlier functions that this one may call
    /// Where the student's .cpp and .cu file define the function; line 0 if that is not known. Not written as JSON.
    SourceLine defined_at = {}, kernels_defined_at = {};
};

struct SourceFile {
    std::string name;
    bool exists = true;
    bool compiled = false;
    std::string messages;  ///< the compiler's messages, shortened
};

struct Assignment {
    int number = 0;
    std::string name, title, handout;
    double points = 0, max_points = 0;
    /// Whether the points include checks that are still kept back.
    bool total_always = true;
    std::vector<SourceFile> sources;
    std::vector<Part> parts;
};

/// An assignment on the path of a course, or some steps of its handout, whether a report grades it or not.
struct PathStep {
    int number = 0;
    std::string title;                ///< as the course calls it: "Homework 3: Transformer block"
    std::string handout = {};         ///< empty if the assignment comes later
    std::vector<int> builds_on = {};  ///< the assignments whose functions this one calls
    bool later = false;               ///< the course names it, but it cannot be worked on yet
    std::vector<int> steps = {};      ///< the steps of the handout that stand here; empty: all
    friend bool operator==(const PathStep&, const PathStep&) = default;
};

struct Report {
    std::string submission;
    std::optional<std::uint64_t> seed = 0;  ///< empty if it is secret
    std::string isolation;
    std::string grader;              ///< which grader made this: see base/version.h
    std::vector<std::string> notes;  ///< what was left out of the submission or the grading, and why
    std::vector<Assignment> assignments;
    std::vector<PathStep> path;  ///< the whole course; empty if it is not known
    std::string next;            ///< the next step for the student, with the command to type
    double duration_s = 0;
};

/// Whether a check is about correct results, not about speed or growth. Speed and growth are measured only if
/// the results are correct.
inline bool is_correctness_check(const Check& check) {
    return check.kind != CheckKind::speed && check.kind != CheckKind::growth;
}

/// Whether a check is about the part's CUDA kernels: the same function, written for a GPU.
inline bool is_kernel_check(const Check& check) {
    return check.kind == CheckKind::cuda;
}

/// So begins the sentence of a diagnosis that explains all numbers of an output.
inline constexpr std::string_view kExactly = "Your output is exactly what comes out ";

/// So ends the sentence of a diagnosis that explains the numbers of one case, but not those of another.
inline constexpr std::string_view kNotInOthers = " Not all cases are wrong in this way.";

/// What a right refusal says while no case with other inputs is right, so that it earns nothing.
inline constexpr std::string_view kRefusesEverything =
    "Not counted yet: it refuses these inputs, as it must, but no case with other inputs is right.";

/// What the message of a call says that had to be refused and was not.
inline constexpr std::string_view kMustThrow = "it must throw std::invalid_argument.";

/// The name of a kernel check is this prefix and the name of the case.
inline constexpr std::string_view kKernelsCase = "cuda_";

/// Whether a check is about the results of the C++ function itself, not about its kernels or its speed.
inline bool is_function_check(const Check& check) {
    return is_correctness_check(check) && !is_kernel_check(check);
}

/// Whether a check was neither run nor counted.
inline bool is_left_out(const Check& check) {
    return check.outcome == Outcome::skipped && check.max_points == 0;
}

/// Whether a check is shown only later: see disclosed.h.
inline bool is_kept_back(const Check& check) {
    return is_left_out(check) && (check.disclosure == Disclosure::after_deadline ||
                                  check.disclosure == Disclosure::after_publication);
}

inline bool all_passed(const Part& part) {
    for (const Check& check : part.checks)
        if (check.outcome != Outcome::passed && !is_left_out(check)) return false;
    return true;
}

/// True if all results of the C++ function are correct; speed and kernels do not matter.
inline bool all_correct(const Part& part) {
    for (const Check& check : part.checks)
        if (is_function_check(check) && !is_kept_back(check) && check.outcome != Outcome::passed)
            return false;
    return true;
}

/// True if every check of the C++ function, and of its kernels if there are any, left its output untouched.
inline bool not_started(const Part& part) {
    bool checked = false;
    for (const Check& check : part.checks) {
        if (!is_correctness_check(check) || is_kept_back(check)) continue;
        if (is_kernel_check(check) && is_left_out(check)) continue;
        if (check.outcome != Outcome::not_implemented) return false;
        checked = true;
    }
    return checked;
}

/// True if all checks of a part are kept back, or it has none.
inline bool nothing_shown(const Part& part) {
    for (const Check& check : part.checks)
        if (!is_kept_back(check)) return false;
    return true;
}

/// True if none of the assignment's files was handed in.
inline bool not_handed_in(const Assignment& assignment) {
    for (const SourceFile& source : assignment.sources)
        if (source.exists) return false;
    return true;
}

/// True if the student has not written anything for the assignment.
inline bool not_begun(const Assignment& assignment) {
    if (not_handed_in(assignment)) return true;
    for (const Part& part : assignment.parts)
        if (!not_started(part)) return false;
    return !assignment.parts.empty();
}

inline bool all_passed(const Report& report) {
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            if (!all_passed(part)) return false;
    return true;
}

}  // namespace attn::report
