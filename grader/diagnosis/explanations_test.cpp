// A mistake is named only if there is evidence for it.

#include "grader/diagnosis/explanations.h"

#include <map>

#include <boost/test/unit_test.hpp>

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(explanations)

constexpr int kLeftOut = 0, kTransposed = 1, kDoubled = 2;

/// How often a mistake was made for inputs of so many numbers.
std::map<std::size_t, int>& calls_by_size() {
    static std::map<std::size_t, int> calls;
    return calls;
}

/// The truth is Y = 2 X + 1. The mistakes: Y = X; Y = 2 X^T + 1, which square arrays allow; Y = 4 X + 1.
std::optional<Arrays> with_mistakes(std::span<const int> made, const Arrays& inputs,
                                    ask::Precision precision) {
    const auto is_made = [made](int one) { return std::find(made.begin(), made.end(), one) != made.end(); };
    const Array& X = inputs.front();
    ++calls_by_size()[X.count()];
    if (is_made(kTransposed) && X.shape[0] != X.shape[1]) return std::nullopt;
    const int rows = X.shape[0], columns = X.shape[1];
    const auto x = X.view<float, 2>();
    Array Y = Array::zeros<double>("Y", X.shape);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const auto weighed = static_cast<double>(is_made(kTransposed) ? x(j, i) : x(i, j));
            Y.view<double, 2>()(i, j) =
                is_made(kLeftOut) ? static_cast<double>(x(i, j)) : (is_made(kDoubled) ? 4 : 2) * weighed + 1;
        }
    return Arrays{precision == ask::Precision::f64 ? Y : Y.cast<float>()};
}

ask::MistakenCall mistaken(const ask::Function&, const Arrays& inputs, ask::Precision precision) {
    return [inputs, precision](std::span<const int> made) { return with_mistakes(made, inputs, precision); };
}

const ask::Module& module() {
    static const ask::Module kModule{"fake",
                                     {{"f",
                                       {{"Y", {"N", "D"}}},
                                       {{"X", {"N", "D"}}},
                                       {ask::choice_option("norm", {"pre", "post"})},
                                       {},
                                       {}}},
                                     {},
                                     {},
                                     {{"left_out", "", ""}, {"transposed", "", ""}, {"doubled", "", ""}},
                                     mistaken};
    return kModule;
}

using Named = std::vector<Made>;

/// Questions and verdicts of a student whose output is `y` of the case's shape and inputs.
class Answers {
  public:
    void add(const Shape& shape, const std::function<double(const Array& X, int i, int j)>& y,
             double norm = 0) {
        Array X = Array::zeros<float>("X", shape), Y = X, truth = Array::zeros<double>("Y", shape);
        Y.name = "Y";
        for (std::size_t k = 0; k < X.count(); ++k)
            X.as<float>()[k] = static_cast<float>(k * k) + 0.25F * static_cast<float>(questions_.size());
        for (std::size_t k = 0; k < X.count(); ++k)
            truth.as<double>()[k] = 2 * static_cast<double>(X.as<float>()[k]) + 1;
        for (int i = 0; i < shape[0]; ++i)
            for (int j = 0; j < shape[1]; ++j) Y.view<float, 2>()(i, j) = static_cast<float>(y(X, i, j));
        judge::Question question;
        question.module = &module();
        question.function = &module().functions.front();
        question.setting.options["norm"] = norm;
        judge::Verdict verdict;
        verdict.inputs = {X};
        verdict.got = {Y};
        verdict.truth_f64 = {truth};
        verdict.truth_f32 = {truth.cast<float>()};
        verdict.units = {judge::yardstick_of(truth, verdict.truth_f32[0])};
        verdict.comparison = judge::compare(Y, truth, verdict.units[0], question.allowed_yardsticks);
        verdict.outcome = verdict.comparison.ok ? Outcome::passed : Outcome::wrong;
        questions_.push_back(std::move(question));
        verdicts_.push_back(std::move(verdict));
    }

    std::vector<Evidence> evidence() const {
        std::vector<Evidence> all;
        for (std::size_t k = 0; k < questions_.size(); ++k) all.push_back({&questions_[k], &verdicts_[k]});
        return all;
    }
    Named diagnosis() const {
        const std::vector<Evidence> all = evidence();
        return Explanations(all).of_all();
    }
    /// What explains the first answer, where no mistake explains all.
    Named of_first() const {
        const std::vector<Evidence> all = evidence();
        return Explanations(all).of(0);
    }

    /// What explains all answers of the branches that fail.
    Named of_branches() const {
        const std::vector<Evidence> all = evidence();
        return Explanations(in_failing_branches(all).answers).single_of_all();
    }

  private:
    std::vector<judge::Question> questions_;
    std::vector<judge::Verdict> verdicts_;
};

double x_at(const Array& X, int i, int j) {
    return static_cast<double>(X.view<float, 2>()(i, j));
}
double copied(const Array& X, int i, int j) {
    return x_at(X, i, j);
}
double something_else(const Array& X, int i, int j) {
    return 3 * x_at(X, i, j) - 7;
}
double doubled(const Array& X, int i, int j) {
    return 4 * x_at(X, i, j) + 1;
}
double doubled_and_transposed(const Array& X, int i, int j) {
    return 4 * x_at(X, j, i) + 1;
}

// An unknown mistake that only copies X if there is one row. Leaving out and transposing together would copy
// X there, too, and cannot be made elsewhere; but transposing changes nothing there.
BOOST_AUTO_TEST_CASE(half_of_a_pair_that_changes_no_answer_is_not_blamed) {
    Answers answers;
    answers.add({1, 1}, copied);
    answers.add({2, 3}, something_else);
    answers.add({3, 2}, something_else);
    BOOST_TEST(answers.diagnosis().empty());
}

BOOST_AUTO_TEST_CASE(a_pair_is_named_where_each_half_changes_an_answer) {
    Answers answers;
    answers.add({2, 2}, doubled_and_transposed);
    answers.add({2, 3}, something_else);
    BOOST_TEST((answers.diagnosis() == Named{{kTransposed, kDoubled}}));
}

BOOST_AUTO_TEST_CASE(too_many_answers_that_a_mistake_cannot_make_leave_it_unnamed) {
    Answers answers;
    answers.add({2, 2}, doubled_and_transposed);
    for (int n = 0; n < 5; ++n) answers.add({2, 3}, something_else);
    BOOST_TEST(answers.diagnosis().empty());
}

BOOST_AUTO_TEST_CASE(a_single_mistake_is_named_and_a_contradiction_clears_it) {
    Answers answers;
    answers.add({2, 2}, doubled);
    answers.add({2, 3}, doubled);
    BOOST_TEST((answers.diagnosis() == Named{{kDoubled}}));
    answers.add({1, 3}, something_else);
    BOOST_TEST(answers.diagnosis().empty());
}

BOOST_AUTO_TEST_CASE(one_answer_is_explained_where_a_large_majority_confirms_it) {
    Answers answers;
    for (int n = 0; n < 4; ++n) answers.add({2, 3}, doubled);
    answers.add({3, 3}, something_else);
    BOOST_TEST(answers.diagnosis().empty());
    BOOST_TEST((answers.of_first() == Named{{kDoubled}}));
    answers.add({3, 2}, something_else);
    BOOST_TEST(answers.of_first().empty());
}

BOOST_AUTO_TEST_CASE(one_answer_is_not_explained_by_what_a_right_answer_contradicts) {
    Answers answers;
    for (int n = 0; n < 9; ++n) answers.add({2, 3}, doubled);
    BOOST_TEST((answers.of_first() == Named{{kDoubled}}));
    answers.add({3, 3}, [](const Array& X, int i, int j) { return 2 * x_at(X, i, j) + 1; });
    BOOST_TEST(answers.of_first().empty());
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_branch_of_one_choice_is_named) {
    const auto right = [](const Array& X, int i, int j) { return 2 * x_at(X, i, j) + 1; };
    Answers answers;
    answers.add({2, 3}, doubled, 1);
    answers.add({3, 2}, doubled, 1);
    answers.add({3, 3}, right, 0);
    BOOST_TEST(answers.diagnosis().empty());
    BOOST_TEST((answers.of_branches() == Named{{kDoubled}}));
    // A right answer of the same branch contradicts the mistake.
    answers.add({2, 4}, right, 1);
    BOOST_TEST(answers.of_branches().empty());
}

BOOST_AUTO_TEST_CASE(a_mistake_is_not_made_for_a_large_answer_after_small_ones_contradict_it) {
    Answers answers;
    answers.add({30, 30}, something_else);
    answers.add({2, 2}, something_else);
    answers.add({2, 2}, something_else);
    calls_by_size().clear();
    BOOST_TEST(answers.diagnosis().empty());
    BOOST_TEST(answers.of_first().empty());
    // Three mistakes alone, in two precisions; each pair once.
    BOOST_TEST(calls_by_size()[4] > 0);
    BOOST_TEST(calls_by_size()[4] <= 2 * 2 * (3 + 3));
    BOOST_TEST(calls_by_size()[900] == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
