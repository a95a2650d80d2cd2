#include "grader/diagnosis/failure_claims.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/base/listed_in_words.h"
#include "grader/diagnosis/failure_place.h"

namespace attn::diagnosis {
namespace {

using Right = decltype(Claim::right);

judge::Question with_sizes(judge::Question question, const ask::Sizes& changed) {
    for (const auto& [letter, length] : changed) question.sizes[letter] = length;
    return question;
}

Right right_where(std::function<bool(const judge::Question&)> holds) {
    return [holds = std::move(holds)](const judge::Question& question, const Arrays&) {
        return std::optional(holds(question));
    };
}

Right right_for_sizes(std::function<bool(const ask::Sizes&)> holds) {
    return right_where(
        [holds = std::move(holds)](const judge::Question& question) { return holds(question.sizes); });
}

/// Whether all outputs are whole numbers. A wrong function then writes some right answers by chance, so that a
/// relation of lengths may hold for all calls and mean nothing.
bool has_words_only(const judge::Question& question) {
    return std::ranges::all_of(question.function->outputs,
                               [](const ask::TensorSpec& output) { return output.type == ElementType::i32; });
}

void add_choices(const judge::Question& failed, const ask::OptionSpec& option, std::vector<Claim>& claims) {
    const double wrong = option_of(failed, option);
    std::vector<judge::Question> probes;
    for (std::size_t k = 0; k < option.choices.size(); ++k) {
        probes.push_back(failed);
        probes.back().setting.options[option.name] = static_cast<double>(k);
    }
    // One choice is wrong, or one is right.
    for (const bool one_is_right : {false, true}) {
        for (std::size_t k = 0; k < option.choices.size(); ++k) {
            const auto value = static_cast<double>(k);
            if ((value == wrong) == one_is_right || (one_is_right && option.choices.size() == 2)) continue;
            std::vector<std::string> others = option.choices;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
            const std::string rest = fmt::format("{}", fmt::join(others, " or "));
            claims.push_back({fmt::format("Right with {0} = {1}, wrong with {0} = {2}.", option.name,
                                          one_is_right ? option.choices[k] : rest,
                                          one_is_right ? rest : option.choices[k]),
                              right_where([&option, value, one_is_right](const judge::Question& q) {
                                  return (option_of(q, option) == value) == one_is_right;
                              }),
                              probes});
        }
    }
}

/// The call with its numbers in another unit.
judge::Question scaled(judge::Question question, float factor) {
    question.given = question.make_inputs();
    for (Array& input : question.given)
        if (auto* const numbers = std::get_if<std::vector<float>>(&input.values))
            for (float& number : *numbers) number *= factor;
    if (question.recipe->consistent) question.given = question.recipe->consistent(std::move(question.given));
    return question;
}

/// A number that is not the default, such as eps = 0.25. What is right with the default only because the inputs are as large as
/// they are, such as most = 1 for long gradients, is found by inputs in another unit.
void add_number(const judge::Question& failed, const ask::OptionSpec& option, std::vector<Claim>& claims) {
    const double wrong = option_of(failed, option);
    if (option.length || wrong == option.default_value) return;
    judge::Question probe = failed;
    probe.setting.options.erase(option.name);
    std::vector<judge::Question> probes{probe};
    if (probe.is_accepted())
        for (const float factor : {0.01F, 100.0F}) probes.push_back(scaled(probe, factor));
    claims.push_back({fmt::format("Right with {0} = {1:g}, wrong with {0} = {2:g}.", option.name,
                                  option.default_value, wrong),
                      [&option, wrong](const judge::Question& q, const Arrays&) -> std::optional<bool> {
                          const double value = option_of(q, option);
                          if (value == wrong) return false;
                          return value == option.default_value ? std::optional(true) : std::nullopt;
                      },
                      std::move(probes), true});  // the error may only be smaller with this number
}

void add_relations(const judge::Question& failed, std::vector<Claim>& claims) {
    const std::vector<std::string> letters = failed.function->letters();
    for (const std::string& a : letters) {
        for (const std::string& b : letters) {
            const int m = failed.sizes.at(a), n = failed.sizes.at(b);
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
                probes.push_back(with_sizes(failed, {{a, first}, {b, second}}));
            // It may be another length that has to be equal to the second one.
            for (const std::string& c : letters)
                if (c != a && c != b && c != "B")
                    for (const int twice : {2 * n, 2 * m})
                        probes.push_back(with_sizes(failed, {{a, twice}, {b, twice / 2}, {c, twice / 2}}));
            const auto equal = [a, b](const ask::Sizes& sizes) { return sizes.at(a) == sizes.at(b); };
            if (a < b) {
                claims.push_back({fmt::format("Right where {} = {}, wrong where they differ.", a, b),
                                  right_for_sizes(equal),
                                  probes,
                                  false,
                                  {a, b}});
                claims.push_back({fmt::format("Wrong where {} = {}, right where they differ.", a, b),
                                  right_for_sizes(std::not_fn(equal)), probes});
            }
            claims.push_back(
                {fmt::format("Right where {0} <= {1}, wrong where {0} > {1}.", a, b),
                 right_for_sizes([a, b](const ask::Sizes& sizes) { return sizes.at(a) <= sizes.at(b); }),
                 probes,
                 false,
                 {a, b}});
        }
    }
}

/// Kinds of lengths that code with whole numbers may get right: the root of a square is one, for example.
struct Kind {
    const char* words;
    bool (*holds)(int);
    std::vector<int> tried;
};
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"a square",
         [](int n) {
             const int root = static_cast<int>(std::lround(std::sqrt(n)));
             return root * root == n;
         },
         {2, 3, 4, 5, 9}},
        {"even", [](int n) { return n % 2 == 0; }, {2, 3, 4, 5, 6}},
        {"a power of 2", [](int n) { return (n & (n - 1)) == 0; }, {2, 3, 4, 6, 8, 12, 16}}};
    return all;
}

/// "D_q = 1, N_q = 1 or N_k = 1"
std::string list_of(const std::vector<std::string>& ones) {
    std::vector<std::string> each;
    for (const std::string& one : ones) each.push_back(one + " = 1");
    return listed_in_words(each, "or");
}

std::string without_full_stop(const std::string& sentence) {
    return sentence.substr(0, sentence.rfind('.'));
}

bool any_is_one(const std::vector<std::string>& letters, const ask::Sizes& sizes) {
    return std::ranges::any_of(letters, [&](const std::string& letter) { return sizes.at(letter) == 1; });
}

/// Of lengths, and of whole quotients of lengths.
void add_kinds(const judge::Question& failed, const std::vector<std::string>& ones,
               std::vector<Claim>& claims) {
    const auto letters = failed.function->letters();
    std::vector<std::pair<std::string, std::string>> lengths;
    for (const auto& [divisor, dividend] : failed.function->divides)
        if (failed.sizes.contains(divisor)) lengths.emplace_back(dividend, divisor);
    for (const std::string& letter : letters)
        if (letter != "B") lengths.emplace_back(letter, "");
    for (const auto& [name, divisor] : lengths) {
        const auto length = [of = name, by = divisor](const ask::Sizes& sizes) {
            return by.empty() ? sizes.at(of) : sizes.at(of) / sizes.at(by);
        };
        for (const Kind& kind : kinds()) {
            std::vector<std::string> others;
            std::string words;
            for (const std::string& one : ones) {
                // A length of 1 is of this kind itself, and so may a length be in the quotient.
                if (one == name || one == divisor) continue;
                others.push_back(one);
                words += fmt::format(" or {} = 1", one);
            }
            std::vector<judge::Question> probes;
            for (const int tried : kind.tried) {
                ask::Sizes sizes{{name, tried * (divisor.empty() ? 1 : failed.sizes.at(divisor))}};
                // What the length has to divide grows with it.
                for (const auto& [small, large] : failed.function->divides)
                    if (small == name && failed.sizes.contains(large)) sizes[large] = 2 * tried;
                for (const std::string& other : others) sizes[other] = std::max(2, failed.sizes.at(other));
                probes.push_back(with_sizes(failed, sizes));
                // What divides the length: with H = 3, D = 3 and 9 say the same of "D is a square" and of D/H.
                if (!divisor.empty()) continue;
                for (const auto& [small, large] : failed.function->divides)
                    if (large == name && failed.sizes.contains(small)) {
                        sizes[small] = 1;
                        probes.push_back(with_sizes(failed, sizes));
                    }
            }
            claims.push_back({fmt::format("Right where {}{}{} is {}{}, wrong otherwise.", name,
                                          divisor.empty() ? "" : "/", divisor, kind.words, words),
                              right_for_sizes([=, holds = kind.holds](const ask::Sizes& sizes) {
                                  return holds(length(sizes)) || any_is_one(others, sizes);
                              }),
                              std::move(probes)});
        }
    }
}

void add_ones(const judge::Question& failed, const std::vector<std::string>& ones,
              std::vector<Claim>& claims) {
    if (ones.empty()) return;
    std::vector<judge::Question> probes;
    ask::Sizes twos;
    for (const std::string& one : ones) {
        for (const int longer : {2, 3, 4, 5}) probes.push_back(with_sizes(failed, {{one, longer}}));
        twos[one] = 2;
        // Whatever the other lengths are.
        for (const int others : {2, 3}) {
            ask::Sizes sizes = failed.sizes;
            for (auto& [letter, length] : sizes) length = others;
            probes.push_back(with_sizes(failed, sizes));
            sizes[one] = 1;
            probes.push_back(with_sizes(failed, sizes));
        }
    }
    probes.push_back(with_sizes(failed, twos));
    ask::Sizes least = failed.sizes;
    for (auto& [letter, length] : least) length = std::ranges::find(ones, letter) == ones.end() ? 1 : 2;
    probes.push_back(with_sizes(failed, least));
    claims.push_back({ones.size() == 1 ? fmt::format("Right with {0} = 1, wrong from {0} = 2.", ones[0])
                                       : fmt::format("Right with {}, wrong otherwise.", list_of(ones)),
                      right_for_sizes([ones](const ask::Sizes& sizes) { return any_is_one(ones, sizes); }),
                      probes});
}

}  // namespace

std::optional<judge::Question> with_full_masks(judge::Question question) {
    if (!question.refusal().empty()) return std::nullopt;
    question.given = question.make_inputs();
    bool any = false;
    for (Array& input : question.given)
        if (auto* const bytes = std::get_if<std::vector<std::uint8_t>>(&input.values)) {
            any = any || std::ranges::count(*bytes, 0) > 0;
            std::ranges::fill(*bytes, std::uint8_t{1});
        }
    if (!any) return std::nullopt;
    if (question.recipe->consistent) question.given = question.recipe->consistent(std::move(question.given));
    return question;
}

bool is_absent(const judge::Question& question, const std::string& input) {
    return std::ranges::find(question.setting.absent, input) != question.setting.absent.end();
}

double option_of(const judge::Question& question, const ask::OptionSpec& option) {
    const auto given = question.setting.options.find(option.name);
    return given == question.setting.options.end() ? option.default_value : given->second;
}

std::vector<Claim> claims_on_settings(const judge::Question& failed) {
    std::vector<Claim> claims;
    for (const ask::OptionSpec& option : failed.function->options)
        option.choices.empty() ? add_number(failed, option, claims) : add_choices(failed, option, claims);
    for (const ask::TensorSpec& input : failed.function->inputs) {
        if (!input.optional) continue;
        const bool absent = is_absent(failed, input.name);
        judge::Question probe = failed;
        if (absent)
            std::erase(probe.setting.absent, input.name);
        else
            probe.setting.absent.push_back(input.name);
        claims.push_back({fmt::format("Right {0} {2}, wrong {1} {2}.", absent ? "with" : "without",
                                      absent ? "without" : "with", input.name),
                          right_where([name = input.name, absent](const judge::Question& q) {
                              return is_absent(q, name) != absent;
                          }),
                          {probe}});
    }
    for (const ask::TensorSpec& output : failed.function->outputs) {
        if (!output.optional) continue;
        const bool wanted = ask::is_wanted(failed.wanted, output.name);
        judge::Question probe = failed;
        probe.wanted.clear();
        for (const ask::TensorSpec& each : failed.function->outputs)
            if (ask::is_wanted(failed.wanted, each.name) != (each.name == output.name))
                probe.wanted.push_back(each.name);
        claims.push_back(
            {fmt::format(fmt::runtime(wanted ? "Right where {} is not asked for, wrong where it is."
                                             : "Right where {} is asked for, wrong where it is not."),
                         output.name),
             right_where([name = output.name, wanted](const judge::Question& q) {
                 return ask::is_wanted(q.wanted, name) != wanted;
             }),
             {probe}});
    }
    return claims;
}

std::vector<Claim> claims_on_sizes(const judge::Question& failed, const std::vector<std::string>& ones,
                                   const std::optional<ask::Sizes>& smallest) {
    std::vector<Claim> claims;
    if (!failed.recipe->fixed.empty()) return claims;
    if (!has_words_only(failed)) {
        add_kinds(failed, ones, claims);
        add_relations(failed, claims);
    }
    add_ones(failed, ones, claims);
    for (const auto& [letter, length] : smallest.value_or(ask::Sizes{})) {
        // Where the contract promises nothing for the length below, nothing is known of it.
        if (length < 3 || !with_sizes(failed, {{letter, length - 1}}).is_accepted()) continue;
        std::vector<judge::Question> probes;
        for (const int tried : {length - 1, length, length + 1, length + 2}) {
            probes.push_back(with_sizes(failed, {{letter, tried}}));
            // Other numbers, and masks that allow everything: with few words much is right by chance.
            probes.push_back(probes.back());
            probes.back().name += " again";
            if (const auto all_words = with_full_masks(probes.back())) probes.push_back(*all_words);
        }
        claims.push_back(
            {fmt::format("Right up to {0} = {1}, wrong from {0} = {2}.", letter, length - 1, length),
             right_for_sizes(
                 [of = letter, most = length](const ask::Sizes& sizes) { return sizes.at(of) < most; }),
             std::move(probes)});
    }
    return claims;
}

std::optional<Claim> claim_on_recipe(const judge::Question& failed, std::span<const Evidence> answers) {
    Claim claim{
        fmt::format("Wrong only with {}.", failed.recipe->about),
        right_where([recipe = failed.recipe](const judge::Question& q) { return q.recipe != recipe; }),
        {}};
    const auto with_recipe = [](judge::Question question, const ask::Recipe* recipe) {
        question.recipe = recipe;
        return with_sizes(std::move(question), recipe->fixed);
    };
    std::set<const ask::Recipe*> others;
    for (const Evidence& evidence : answers) {
        const judge::Question& other = *evidence.question;
        if (other.recipe == failed.recipe) continue;
        if (others.insert(other.recipe).second) claim.probes.push_back(with_recipe(failed, other.recipe));
        claim.probes.push_back(with_recipe(other, failed.recipe));
    }
    return others.empty() ? std::nullopt : std::optional(std::move(claim));
}

Claim with_exception(const Claim& claim, const std::vector<std::string>& ones) {
    return {fmt::format("{}, except with {}, where all is right.", without_full_stop(claim.sentence),
                        list_of(ones)),
            [right = claim.right, ones](const judge::Question& question, const Arrays& inputs) {
                return any_is_one(ones, question.sizes) ? std::optional(true) : right(question, inputs);
            },
            claim.probes, claim.clearly, claim.over_1};
}

bool is_exception_of(const Claim& claim, const Claim& of) {
    return claim.sentence.starts_with(without_full_stop(of.sentence));
}

}  // namespace attn::diagnosis
