#include "grader/diagnosis/failure_pattern.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "grader/diagnosis/failure_claims.h"
#include "grader/diagnosis/failure_place.h"

namespace attn::diagnosis {
namespace {

/// Whether all numbers are right with room to spare. Near to the tolerance a small mistake can pass.
bool clearly_right(const Evidence& answer) {
    constexpr double kPart = 0.1;
    const judge::Verdict& verdict = *answer.verdict;
    for (std::size_t k = 0; k < verdict.got.size(); ++k)
        if (!judge::compare(verdict.got[k], verdict.truth_f64[k], verdict.units[k],
                            kPart * answer.question->allowed_yardsticks)
                 .ok)
            return false;
    return passed(answer);
}

class Pattern {
  public:
    Pattern(std::span<const Evidence> answers, const Evidence& failed, const Evidence* smallest,
            const judge::CallFunction& call)
        : answers_(answers.begin(), answers.end()), failed_(failed), call_(call) {
        if (smallest == nullptr) return;
        smallest_sizes_ = smallest->question->sizes;
        answers_.push_back(*smallest);
    }

    std::string text(bool named) {
        const FailurePlace place = failure_place(answers_, *failed_.question->function);
        place_letter_ = place.letter;
        const std::string more = place.text.empty() ? right_outputs_in_words(answers_) : place.text;
        std::string text = named ? "" : setting_in_words();
        if (!more.empty()) text += (text.empty() ? "" : " ") + more;
        return text;
    }

  private:
    /// A call that was asked because of a claim. Every claim has to agree with it.
    struct Probe {
        judge::Question question;
        judge::Verdict verdict;
        Evidence evidence() const { return {&question, &verdict}; }
    };

    /// Null if the call tells nothing: too many were asked already, or its numbers are too close for a decision.
    const Probe* ask(const judge::Question& question) {
        const std::string key = question.name + question.about();
        if (question.given.empty())
            if (const auto known = known_.find(key); known != known_.end()) return known->second;
        constexpr int kMostCalls = 120;
        if (calls_++ >= kMostCalls) return gave_up_ = true, nullptr;
        std::optional<judge::Verdict> verdict = outcome_if_decided(question, call_);
        if (!verdict) return nullptr;
        probes_.push_back(std::make_unique<Probe>(Probe{question, std::move(*verdict)}));
        const Probe* const probe = probes_.back().get();
        // A crash or an endless loop takes long, and says nothing about numbers.
        gave_up_ = gave_up_ || probe->verdict.got.empty();
        if (question.given.empty()) known_[key] = probe;
        return probe;
    }

    bool passes(const judge::Question& question) {
        const Probe* const probe = ask(question);
        return probe != nullptr && passed(probe->evidence());
    }

    /// Masks that allow everything come first: another mask can hide a mistake, and so says nothing of a length.
    bool passes_with_all_masks(judge::Question question) {
        if (const auto all_words = with_full_masks(question); all_words && !passes(*all_words)) return false;
        if (!passes(question)) return false;
        question.name += " again";
        return passes(question);
    }

    /// Whether all calls that were asked agree, with right and wrong ones among them.
    bool agree_with(const Claim& claim, bool same_recipe) const {
        bool any_right = false, any_wrong = false;
        const auto agrees = [&](const Evidence& each) {
            if (refutes(each, claim, same_recipe)) return false;
            if (is_left_out(each, same_recipe)) return true;
            const auto said = claim.right(*each.question, each.verdict->inputs);
            if (!said) return true;
            if (!*said) any_wrong = true;
            if (*said && has_lengths_over_1(each, claim)) any_right = true;
            return true;
        };
        return std::ranges::all_of(answers_, agrees) &&
               std::ranges::all_of(probes_, [&](const auto& probe) { return agrees(probe->evidence()); }) &&
               any_right && any_wrong;
    }

    static bool has_lengths_over_1(const Evidence& answer, const Claim& claim) {
        return std::ranges::all_of(
            claim.over_1, [&](const std::string& letter) { return answer.question->sizes.at(letter) > 1; });
    }

    bool is_left_out(const Evidence& answer, bool same_recipe) const {
        return same_recipe && answer.question->recipe != failed_.question->recipe;
    }

    /// An answer that is left out can still be wrong where the claim says right: its inputs hide mistakes, but make none.
    bool refutes(const Evidence& answer, const Claim& claim, bool same_recipe) const {
        const std::optional<bool> said = claim.right(*answer.question, answer.verdict->inputs);
        if (is_left_out(answer, same_recipe))
            return said && *said && answer.verdict->outcome == Outcome::wrong;
        return said && (*said && claim.clearly ? !clearly_right(answer) : *said != passed(answer));
    }

    /// The same, and the claim's own calls agree.
    bool holds(const Claim& claim, bool same_recipe) {
        for (const Evidence& each : answers_)
            if (refutes(each, claim, same_recipe)) return false;
        for (const judge::Question& question : claim.probes) {
            if (!question.is_accepted()) continue;
            const Probe* const probe = ask(question);
            if (gave_up_) return false;
            if (probe != nullptr && refutes(probe->evidence(), claim, same_recipe)) return false;
        }
        return agree_with(claim, same_recipe);
    }

    /// The letters whose length 1 is right.
    std::vector<std::string> right_ones() {
        std::vector<std::string> ones;
        if (!failed_.question->recipe->fixed.empty()) return ones;
        for (const auto& [letter, length] : failed_.question->sizes) {
            judge::Question one = *failed_.question;
            one.sizes[letter] = 1;
            if (length > 1 && one.is_accepted() && passes_with_all_masks(one)) ones.push_back(letter);
        }
        constexpr std::size_t kFew = 3;
        if (ones.size() > kFew || ones == std::vector{place_letter_}) ones.clear();
        return ones;
    }

    /// The first sentence that holds. One that holds as well follows it: no call that could be asked tells them apart.
    std::string first_of(const std::vector<Claim>& claims, bool same_recipe) {
        std::vector<const Claim*> held;
        for (const Claim& claim : claims) {
            if (gave_up_ || held.size() > 1) break;
            // An exception that is not needed.
            if (!held.empty() && is_exception_of(claim, *held.front())) continue;
            if (holds(claim, same_recipe)) held.push_back(&claim);
            // What was asked since then can refute the first one.
            std::erase_if(held, [&](const Claim* each) { return !agree_with(*each, same_recipe); });
        }
        if (held.empty()) return "";
        std::string said = held.front()->sentence;
        if (held.size() > 1) said += " All calls agree as well with this: " + held.back()->sentence;
        return said;
    }

    std::string setting_in_words() {
        const judge::Question& failed = *failed_.question;
        const std::vector<std::string> ones = right_ones();
        std::vector<Claim> claims;
        const auto add = [&](const std::vector<Claim>& more) {
            for (const Claim& claim : more) {
                claims.push_back(claim);
                if (!ones.empty()) claims.push_back(with_exception(claim, ones));
            }
        };
        add(claims_on_settings(failed));
        add(claims_on_contents(failed_, answers_));
        std::ranges::move(claims_on_sizes(failed, ones, smallest_sizes_), std::back_inserter(claims));
        const std::optional<Claim> recipe = claim_on_recipe(failed, answers_);
        if (recipe) claims.push_back(*recipe);
        // No number of calls proves a sentence for all inputs, so each says that it speaks of those that were tried.
        const auto tried = [](const char* inputs, std::string said) {
            if (!said.empty()) said.front() = static_cast<char>(std::tolower(said.front()));
            return said.empty()
                       ? ""
                       : fmt::format("In the cases shown here{}, and in calls like them: {}", inputs, said);
        };
        if (std::string said = tried("", first_of(claims, false)); !said.empty()) return said;
        // Extreme numbers can hide a mistake, so the other inputs are left out at last.
        if (std::string said = tried(" with inputs of this kind", first_of(claims, true)); !said.empty())
            return said;
        return recipe && !ones.empty() ? tried("", first_of({with_exception(*recipe, ones)}, false)) : "";
    }

    std::vector<Evidence> answers_;
    const Evidence failed_;
    std::optional<ask::Sizes> smallest_sizes_;
    const judge::CallFunction& call_;
    std::string place_letter_;  ///< the axis that is told already
    std::vector<std::unique_ptr<Probe>> probes_;
    std::map<std::string, const Probe*> known_;
    int calls_ = 0;
    bool gave_up_ = false;
};

}  // namespace

std::string failure_pattern(std::span<const Evidence> answers, const Evidence& failed,
                            const Evidence* smallest, const judge::CallFunction& call, bool named) {
    // A refusal has no numbers.
    std::vector<Evidence> with_numbers;
    for (const Evidence& evidence : answers)
        if (evidence.question->refusal().empty()) with_numbers.push_back(evidence);
    return Pattern(with_numbers, failed, smallest, call).text(named);
}

}  // namespace attn::diagnosis
