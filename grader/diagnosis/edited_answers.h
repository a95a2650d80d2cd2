#pragma once
/// Compares a student's answers with those of edited loops.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "grader/ask/edited.h"
#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// An answer, and the calls that compute it with edits.
class EditedAnswer {
  public:
    explicit EditedAnswer(const Evidence& evidence) : evidence_(evidence) {}

    bool possible() { return call(ask::Precision::f32).possible(); }
    /// The outputs in float, until the next call. Null if the edits give none.
    const Arrays* outputs(const edits::EditedFunctions& edited) {
        return call(ask::Precision::f32).outputs(edited.replacements());
    }
    /// Iterations of the loops without edits.
    std::int64_t steps();
    /// Whether these outputs are nearly the student's. A quick test before the exact one.
    bool is_similar(const Arrays& outputs) const;
    Explains explained_by(const edits::EditedFunctions& edited);

    Outcome outcome() const { return evidence_.verdict->outcome; }
    bool crashed() const { return evidence_.verdict->got.empty(); }
    bool was_wrong() const { return outcome() != Outcome::passed; }

  private:
    /// Is made when it is asked for, because most edits are contradicted by a smaller answer.
    ask::EditedCall& call(ask::Precision precision);

    Evidence evidence_;
    std::optional<ask::EditedCall> f32_, f64_;
    std::int64_t steps_ = 0;
};

using EditedAnswers = std::vector<std::unique_ptr<EditedAnswer>>;
/// Small answers first, because most edits are contradicted by one of them.
EditedAnswers edited_answers(std::span<const Evidence> answers);

/// Whether the edits give the numbers of every answer, and those of at least one wrong answer are finite. Code
/// that leaves its arrays or does not end gives no numbers, so edits of this kind explain none. An answer for which the plain
/// loops need too many iterations themselves says nothing. `known`: another function has this mistake, so it may be the
/// same where no wrong answer is finite.
bool explains_every(EditedAnswers& answers, const edits::EditedFunctions& edited, bool known = false);

/// Answers of the student to other inputs of the same kinds.
class FreshAnswers {
  public:
    FreshAnswers(std::span<const Evidence> answers, const judge::CallFunction& call, int count);
    EditedAnswers asked;

  private:
    std::vector<std::unique_ptr<judge::Question>> questions_;
    std::vector<std::unique_ptr<judge::Verdict>> verdicts_;
};

}  // namespace attn::diagnosis
