#pragma once
/// Compares the answers of timed calls. Computing the truth in double for each of them would take too long,
/// so they are compared with the answers of a library of the grader to the same inputs.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/worker/timed.h"

namespace attn::speed {

class TimedAnswers {
  public:
    /// Computes the truth for one set of inputs, and from it the rounding error of the plain loops.
    TimedAnswers(const judge::Question& question, const Arrays& inputs);

    /// Throws std::runtime_error if a library of the grader answered these inputs wrongly: `outputs` are
    /// compared with the truth. `library`: its name in the message.
    void require_right(const char* library, const Arrays& outputs) const;

    /// The first failure of a timed batch: the call itself failed, or an answer differs from the one in
    /// `expected` with the same number. Nothing if all answers are right. `expected`: answers of the grader's
    /// library to the same inputs. They may have errors as well, so the difference may be twice the error of
    /// an ordinary answer.
    std::optional<worker::CallResult> failure_in(const worker::Batch& batch,
                                                 std::span<const Arrays> expected) const;

  private:
    std::string difference(const Arrays& got, const Arrays& expected) const;
    std::string function_;
    double allowed_yardsticks_;
    Arrays truth_;
    std::vector<double> rounding_;  ///< the yardstick of each wanted output
};

}  // namespace attn::speed
