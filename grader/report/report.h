#pragma once
/// The report: all that is known after grading, as plain values. grade.cpp and the judge fill it, writers
/// print it, and neither knows the other.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/outcome.h"
#include "grader/report/check_kind.h"
#include "grader/report/disclosure.h"
#include "grader/report/picture.h"
#include "grader/report/speed.h"

namespace attn::report {

inline constexpr int kSchemaVersion = 2;

/// Where an output differs most, and by how much.
struct Difference {
    std::string where;  ///< a sentence: "Only rows >= 32 of Y are wrong."
    std::string array;
    std::vector<int> index;
    double yours = 0, expected = 0;
    double error_yardsticks = 0;  ///< error in rounding errors of a plain float loop
    double allowed_yardsticks = 0;
};

/// The smallest inputs that still fail.
struct SmallestCase {
    std::string sizes;
    std::vector<Tensor> inputs, yours, expected;  ///< empty where even the smallest is too large to print
};

/// Mistakes whose consequence is exactly what was seen. Several: these numbers do not tell them apart.
struct Diagnosis {
    std::vector<std::string> mistakes;  ///< names; "a+b" where both were made
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
    std::string message;  ///< of a failure: what happened, in one or two sentences
    std::optional<Difference> difference;
    std::optional<SmallestCase> smallest;
    std::optional<Diagnosis> diagnosis;
    std::optional<Speed> speed;
    std::vector<Growth> growth;
    std::vector<Tensor> inputs;  ///< of the call, where it is told in full; one without numbers is too large
    std::vector<Picture> pictures;  ///< of outputs with wrong numbers
    std::optional<Photograph> photograph;
    std::string printed;  ///< by the student's function, cut
};

struct Part {
    std::string function;
    int step = 0;  ///< of the handout
    double points = 0, max_points = 0;
    std::vector<Check> checks;
    /// Earlier functions that the reference's stood in for, because the student's are wrong or not there.
    std::vector<std::string> stand_ins = {};
    /// The functions that lose points for that, "multi_head_attention (assignment 3)" where it is another's.
    std::vector<std::string> charged_at = {};
};

struct SourceFile {
    std::string name;
    bool exists = true;
    bool compiled = false;
    std::string messages;  ///< of the compiler, cut to what matters
};

struct Assignment {
    int number = 0;
    std::string name, title, handout;
    double points = 0, max_points = 0;
    /// Whether these are shown even while checks are kept back that are part of them.
    bool total_always = true;
    std::vector<SourceFile> sources;
    std::vector<Part> parts;
};

struct Report {
    std::string submission;
    std::optional<std::uint64_t> seed = 0;  ///< nothing where it is secret
    std::string isolation;
    std::vector<std::string> notes;  ///< on what was left out, of the submission or of the grading, and why
    std::vector<Assignment> assignments;
    std::string next;  ///< what to do now, with the command to type
    double duration_s = 0;
};

/// Whether a check is about numbers. Those of speed are asked only where these are right.
inline bool is_of_numbers(const Check& check) {
    return check.kind != CheckKind::speed && check.kind != CheckKind::growth;
}

/// Whether it is about the part's kernels: the same function, written once more for a GPU.
inline bool is_of_kernels(const Check& check) {
    return check.kind == CheckKind::cuda;
}

/// The check of a part's kernels in a case has this in front of the case's name.
inline constexpr std::string_view kKernelsCase = "cuda_";

/// Whether it says if the function itself is right, whatever its speed and whatever its kernels do.
inline bool is_of_function(const Check& check) {
    return is_of_numbers(check) && !is_of_kernels(check);
}

/// Neither run nor counted.
inline bool is_left_out(const Check& check) {
    return check.outcome == Outcome::skipped && check.max_points == 0;
}

/// Shown later: see disclosed.h.
inline bool is_kept_back(const Check& check) {
    return is_left_out(check) && (check.disclosure == Disclosure::after_deadline ||
                                  check.disclosure == Disclosure::after_publication);
}

inline bool all_passed(const Part& part) {
    for (const Check& check : part.checks)
        if (check.outcome != Outcome::passed && !is_left_out(check)) return false;
    return true;
}

/// True where the numbers are right, whatever their speed.
inline bool all_right(const Part& part) {
    for (const Check& check : part.checks)
        if (is_of_function(check) && !is_kept_back(check) && check.outcome != Outcome::passed) return false;
    return true;
}

/// True where no check of the part ran into anything but an untouched output.
inline bool not_started(const Part& part) {
    bool asked = false;
    for (const Check& check : part.checks) {
        if (!is_of_function(check) || is_kept_back(check)) continue;
        if (check.outcome != Outcome::not_implemented) return false;
        asked = true;
    }
    return asked;
}

/// True where a part has no check that its reader may know of yet.
inline bool nothing_shown(const Part& part) {
    for (const Check& check : part.checks)
        if (!is_kept_back(check)) return false;
    return true;
}

/// True where none of the assignment's files was handed in.
inline bool not_handed_in(const Assignment& assignment) {
    for (const SourceFile& source : assignment.sources)
        if (source.exists) return false;
    return true;
}

/// True where there is nothing of the student's in an assignment.
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
