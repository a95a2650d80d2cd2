#include "grader/diagnosis/failure_pattern.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/diagnosis/failure_place.h"

namespace attn::diagnosis {
namespace {

/// A sentence, and for which calls it says that the function is right.
struct Claim {
    std::string sentence;
    std::function<bool(const judge::Question&)> right;
    std::vector<judge::Question> probes;  ///< further calls that have to agree
};

double option_of(const judge::Question& question, const ask::OptionSpec& option) {
    const auto given = question.setting.options.find(option.name);
    return given == question.setting.options.end() ? option.default_value : given->second;
}

bool is_absent(const judge::Question& question, const std::string& input) {
    return std::ranges::find(question.setting.absent, input) != question.setting.absent.end();
}

judge::Question with_sizes(judge::Question question, const ask::Sizes& changed) {
    for (const auto& [letter, length] : changed) question.sizes[letter] = length;
    return question;
}

class Pattern {
  public:
    Pattern(std::span<const Evidence> answers, const judge::Question& failed,
            const std::optional<ask::Sizes>& smallest, const judge::CallFunction& call)
        : answers_(answers), failed_(failed), smallest_(smallest), call_(call) {}

    std::string text() {
        const FailurePlace place = failure_place(answers_, *failed_.function);
        place_letter_ = place.letter;
        std::string text = setting_in_words();
        const std::string more = place.text.empty() ? right_outputs_in_words(answers_) : place.text;
        if (!more.empty()) text += (text.empty() ? "" : " ") + more;
        return text;
    }

  private:
    bool passes(const judge::Question& question) {
        constexpr int kMostCalls = 80;
        if (calls_ >= kMostCalls) return gave_up_ = true, false;
        ++calls_;
        const judge::Verdict verdict = answer(question, call_);
        // A crash or an endless loop takes long, and says nothing about numbers.
        gave_up_ = gave_up_ || verdict.got.empty();
        return verdict.outcome == Outcome::passed;
    }

    static bool can_be_asked(const judge::Question& question) { return question.refusal().empty(); }

    /// Whether all answers and probes agree, with right and wrong ones among them.
    bool holds(const Claim& claim, bool same_recipe) {
        int right = 0, wrong = 0;
        for (const Evidence& evidence : answers_) {
            if (same_recipe && evidence.question->recipe != failed_.recipe) continue;
            if (claim.right(*evidence.question) != passed(evidence)) return false;
            (passed(evidence) ? right : wrong) += 1;
        }
        for (const judge::Question& probe : claim.probes) {
            if (!can_be_asked(probe)) continue;
            const bool is_right = passes(probe);
            if (gave_up_ || is_right != claim.right(probe)) return false;
            (is_right ? right : wrong) += 1;
        }
        return right > 0 && wrong > 0;
    }

    std::string setting_in_words() {
        std::vector<Claim> claims;
        add_options(claims);
        add_absent(claims);
        add_wanted(claims);
        if (failed_.recipe->fixed.empty()) {
            if (!has_words_only()) add_relations(claims);
            add_lengths(claims);
        }
        for (const Claim& claim : claims)
            if (holds(claim, false)) return claim.sentence;
        if (std::string recipe = recipe_in_words(); !recipe.empty()) return recipe;
        if (std::string zero = zero_inputs_in_words(); !zero.empty()) return zero;
        // Extreme numbers can hide a mistake, so the other inputs are left out at last.
        for (const Claim& claim : claims)
            if (holds(claim, true))
                return fmt::format("With inputs of this kind: {}{}",
                                   claim.sentence.starts_with("Right") ? 'r' : 'w', claim.sentence.substr(1));
        return "";
    }

    void add_options(std::vector<Claim>& claims) const {
        for (const ask::OptionSpec& option : failed_.function->options) {
            const double wrong_value = option_of(failed_, option);
            for (std::size_t k = 0; k < option.choices.size(); ++k) {
                const auto value = static_cast<double>(k);
                if (value == wrong_value) continue;
                judge::Question probe = failed_;
                probe.setting.options[option.name] = value;
                claims.push_back(
                    {fmt::format("Right with {0} = {1}, wrong with {0} = {2}.", option.name,
                                 option.choices[k], option.choices[static_cast<std::size_t>(wrong_value)]),
                     [&option, value](const judge::Question& q) { return option_of(q, option) == value; },
                     {probe}});
            }
        }
    }

    void add_absent(std::vector<Claim>& claims) const {
        for (const ask::TensorSpec& input : failed_.function->inputs) {
            if (!input.optional) continue;
            judge::Question probe = failed_;
            const bool absent = is_absent(failed_, input.name);
            if (absent)
                std::erase(probe.setting.absent, input.name);
            else
                probe.setting.absent.push_back(input.name);
            claims.push_back(
                {fmt::format(fmt::runtime(absent ? "Right with {0}, wrong without {0}."
                                                 : "Right without {0}, wrong with {0}."),
                             input.name),
                 [&input, absent](const judge::Question& q) { return is_absent(q, input.name) != absent; },
                 {probe}});
        }
    }

    void add_wanted(std::vector<Claim>& claims) const {
        for (const ask::TensorSpec& output : failed_.function->outputs) {
            if (!output.optional) continue;
            const bool wanted = ask::is_wanted(failed_.wanted, output.name);
            judge::Question probe = failed_;
            probe.wanted.clear();
            for (const ask::TensorSpec& other : failed_.function->outputs)
                if (other.name == output.name ? !wanted : ask::is_wanted(failed_.wanted, other.name))
                    probe.wanted.push_back(other.name);
            if (probe.wanted.empty()) continue;
            claims.push_back(
                {fmt::format(fmt::runtime(wanted ? "Right where {} is not asked for, wrong where it is."
                                                 : "Right where {} is asked for, wrong where it is not."),
                             output.name),
                 [&output, wanted](const judge::Question& q) {
                     return ask::is_wanted(q.wanted, output.name) != wanted;
                 },
                 {probe}});
        }
    }

    /// Where two lengths are equal, or one is not larger than the other.
    /// Whether all outputs are whole numbers. A wrong function then writes some right answers by chance, so that a
    /// relation of two lengths may hold for all calls and mean nothing.
    bool has_words_only() const {
        return std::ranges::all_of(failed_.function->outputs, [](const ask::TensorSpec& output) {
            return output.type == ElementType::i32;
        });
    }

    void add_relations(std::vector<Claim>& claims) const {
        const std::vector<std::string> letters = failed_.function->letters();
        for (const std::string& a : letters) {
            for (const std::string& b : letters) {
                const int m = failed_.sizes.at(a), n = failed_.sizes.at(b);
                if (a == b || a == "B" || b == "B") continue;
                const int other = m == n ? m + 1 : n, more = std::max(m, other) + 1;
                std::vector<judge::Question> probes;
                for (const auto& [first, second] : {std::pair(other, m),
                                                    {m, other},
                                                    {m, m},
                                                    {other, other},
                                                    {more, more},
                                                    {more, m},
                                                    {m, more}})
                    probes.push_back(with_sizes(failed_, {{a, first}, {b, second}}));
                if (a < b) {
                    claims.push_back(
                        {fmt::format("Right where {} = {}, wrong where they differ.", a, b),
                         [a, b](const judge::Question& q) { return q.sizes.at(a) == q.sizes.at(b); },
                         probes});
                    claims.push_back(
                        {fmt::format("Wrong where {} = {}, right where they differ.", a, b),
                         [a, b](const judge::Question& q) { return q.sizes.at(a) != q.sizes.at(b); },
                         probes});
                }
                claims.push_back({fmt::format("Right where {0} <= {1}, wrong where {0} > {1}.", a, b),
                                  [a, b](const judge::Question& q) { return q.sizes.at(a) <= q.sizes.at(b); },
                                  probes});
            }
        }
    }

    /// Where one of some lengths is 1, or a length is below the smallest that fails.
    void add_lengths(std::vector<Claim>& claims) {
        std::vector<std::string> ones;
        ask::Sizes twos;
        std::vector<judge::Question> probes;
        for (const auto& [letter, length] : failed_.sizes) {
            const judge::Question one = with_sizes(failed_, {{letter, 1}});
            if (length < 2 || !can_be_asked(one) || !passes(one)) continue;
            ones.push_back(letter);
            twos[letter] = 2;
            probes.push_back(with_sizes(failed_, {{letter, 2}}));
        }
        constexpr std::size_t kFew = 3;
        if (!ones.empty() && ones.size() <= kFew && ones != std::vector{place_letter_}) {
            std::string list;
            for (std::size_t k = 0; k < ones.size(); ++k)
                list += (k == 0 ? "" : k + 1 == ones.size() ? " or " : ", ") + ones[k] + " = 1";
            probes.push_back(with_sizes(failed_, twos));
            claims.push_back(
                {ones.size() == 1 ? fmt::format("Right with {0} = 1, wrong from {0} = 2.", ones[0])
                                  : fmt::format("Right with {}, wrong otherwise.", list),
                 [ones](const judge::Question& q) {
                     return std::ranges::any_of(
                         ones, [&](const std::string& letter) { return q.sizes.at(letter) == 1; });
                 },
                 probes});
        }
        for (const auto& [letter, length] : smallest_.value_or(ask::Sizes{})) {
            if (length < 3) continue;
            claims.push_back(
                {fmt::format("Right up to {0} = {1}, wrong from {0} = {2}.", letter, length - 1, length),
                 [name = letter, least = length](const judge::Question& q) {
                     return q.sizes.at(name) < least;
                 },
                 {with_sizes(failed_, {{letter, length - 1}}), with_sizes(failed_, {{letter, length}}),
                  with_sizes(failed_, {{letter, length + 1}}), with_sizes(failed_, {{letter, length + 2}})}});
        }
    }

    std::string recipe_in_words() const {
        const auto fails = [this](const Evidence& evidence) {
            return evidence.question->recipe == failed_.recipe;
        };
        bool any_right = false;
        for (const Evidence& evidence : answers_) {
            if (fails(evidence) == passed(evidence)) return "";
            any_right = any_right || passed(evidence);
        }
        if (!any_right) return "";
        return fmt::format("Wrong only with {}.", failed_.recipe->about);
    }

    /// An input that makes every failing answer right when it is 0.
    std::string zero_inputs_in_words() {
        constexpr std::size_t kMostCases = 3;
        for (const ask::TensorSpec& input : failed_.function->inputs) {
            // Where a matrix is 0, nearly everything is right, so only vectors such as biases tell something.
            if (input.dims.size() != 1 || input.type != ElementType::f32 || is_absent(failed_, input.name))
                continue;
            std::size_t cases = 0;
            bool all = true;
            for (const Evidence& evidence : answers_) {
                if (passed(evidence) || cases == kMostCases) continue;
                all = all && is_right_with_zero(*evidence.question, evidence.verdict->inputs, input.name);
                if (!all) break;
                ++cases;
            }
            if (all && cases > 0) return fmt::format("Right if {} is 0, wrong otherwise.", input.name);
        }
        return "";
    }

    bool is_right_with_zero(judge::Question question, const Arrays& inputs, const std::string& name) {
        if (is_absent(question, name)) return false;
        question.given = inputs;
        Array& array = ask::by_name(question.given, name);
        const bool was_zero = std::ranges::all_of(array.as<float>(), [](float x) { return x == 0; });
        std::ranges::fill(array.as<float>(), 0.0F);
        const Arrays truth = evaluate(*question.function, question.given, ask::Precision::f64);
        for (const Array& output : truth)
            if (ask::is_wanted(question.wanted, output.name) && is_constant(output)) return false;
        return !was_zero && passes(question) && !gave_up_;
    }

    std::span<const Evidence> answers_;
    const judge::Question& failed_;
    const std::optional<ask::Sizes>& smallest_;
    const judge::CallFunction& call_;
    std::string place_letter_;  ///< the axis that is told already
    int calls_ = 0;
    bool gave_up_ = false;
};

}  // namespace

std::string failure_pattern(std::span<const Evidence> answers, const judge::Question& failed,
                            const std::optional<ask::Sizes>& smallest, const judge::CallFunction& call) {
    // A refusal has no numbers.
    std::vector<Evidence> with_numbers;
    for (const Evidence& evidence : answers)
        if (evidence.question->refusal().empty()) with_numbers.push_back(evidence);
    return Pattern(with_numbers, failed, smallest, call).text();
}

}  // namespace attn::diagnosis
