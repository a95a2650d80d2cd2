#pragma once
/// Says whether a mistake has exactly the numbers of a student's answer.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::diagnosis {

/// Whether a mistake, or two at once, explains one answer.
enum class Explains {
    yes,        ///< the answer has the numbers of the mistake, and these are wrong
    harmless,   ///< the answer has the numbers of the mistake, and these are right here
    no,         ///< the answer has other numbers, or none because the call crashed
    cannot_say  ///< the mistake cannot be made at these shapes, or there is no answer
};

/// A question with the verdict on the student's answer.
struct Evidence {
    const judge::Question* question;
    const judge::Verdict* verdict;
};
/// How long it takes to compute an answer, roughly: the number of its inputs, times the lengths that only outputs have, such
/// as the words of a translation.
std::size_t work_of(const Evidence& answer);

/// An output of an answer beside the right one.
judge::Comparison compared(const Evidence& answer, std::size_t output);

/// Asks many mistakes about one answer.
class Explainer {
  public:
    explicit Explainer(const Evidence& evidence) : evidence_(evidence) {}
    /// `made`: indices into the mistakes of the module.
    Explains operator()(std::span<const int> made);

  private:
    Evidence evidence_;
    ask::MistakenCall f32_, f64_;
};

/// The same for one mistake, or two.
Explains explains(const judge::Question& question, const judge::Verdict& verdict, std::span<const int> made);

/// The same for numbers that were computed already. Null: they cannot be computed at these shapes.
Explains explains_numbers(const judge::Question& question, const judge::Verdict& verdict,
                          const Arrays* wrong_f64, const Arrays* wrong_f32);

/// What a mistake says about several answers.
struct Counts {
    int yes = 0, no = 0;
    int unsaid = 0;  ///< wrong answers about which the mistake cannot say anything

    void add(Explains said, Outcome outcome);
    /// Whether a mistake, or two (`made`), may be named: it explains four times as many answers as it
    /// contradicts. Two mistakes have to explain at least one answer for every four wrong ones about which
    /// they cannot say anything, because there are so many pairs.
    bool enough(std::span<const int> made) const;
    /// Whether this is possible when so many answers have not been asked about yet.
    bool can_be_enough(int open) const;

  private:
    static constexpr int kMajority = 4;
};

/// What an array of T holds along its last axis.
template <class T>
std::vector<std::span<const T>> rows_of(const Array& array) {
    const std::vector<T>& numbers = array.as<T>();
    const auto columns = static_cast<std::size_t>(array.shape.back());
    std::vector<std::span<const T>> rows;
    for (std::size_t at = 0; columns > 0 && at < numbers.size(); at += columns)
        rows.push_back(std::span(numbers).subspan(at, columns));
    return rows;
}

/// Describes the candidates in a sentence, with a hint for each mistake.
report::Diagnosis describe(const ask::Module& module, const std::vector<std::vector<int>>& candidates);

}  // namespace attn::diagnosis
