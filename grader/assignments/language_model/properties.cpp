// Assignment 11: properties of right answers.

#include <algorithm>
#include <cmath>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::language_model {
namespace {

int length(const Arrays& inputs, const char* name, std::size_t axis) {
    return by_name(inputs, name).shape[axis];
}

/// Other tokens everywhere but in the first `count` places.
Array with_other_tokens(Array tokens, int count, int V) {
    const int columns = tokens.shape[1];
    for (int k = 0; k < static_cast<int>(tokens.count()); ++k)
        if (k % columns >= count) {
            std::int32_t& token = tokens.as<std::int32_t>()[static_cast<std::size_t>(k)];
            token = (token + 1 + k % 2) % V;
        }
    return tokens;
}

Property sequences_do_not_mix(const std::string& tokens, const std::string& output) {
    return slices_do_not_mix(
        "sequences_do_not_mix", "a sequence's output does not depend on the other sequences", "sequence",
        {{tokens, 0}}, {output, 0}, [tokens](const Arrays& inputs, Random&) {
            return with(inputs, tokens,
                        with_other_tokens(by_name(inputs, tokens), 0, length(inputs, "table", 0)));
        });
}

/// The tokens get other numbers, and the rows of the table move with them.
Property vocabulary_permutes(const std::string& output, bool by_token) {
    return {
        "vocabulary_permutes", "numbering the tokens in another way changes nothing but the numbers",
        [=](const Arrays& inputs, Random& random) {
            const int V = length(inputs, "table", 0);
            const std::vector<int> order = random.permutation(V);
            Arrays changed = with(inputs, "table", permuted(by_name(inputs, "table"), 0, order));
            by_name(changed, "tokens") = map(by_name(inputs, "tokens"), [&](double token) {
                return static_cast<double>(std::ranges::find(order, static_cast<int>(token)) - order.begin());
            });
            return Experiment{
                {inputs, changed}, [=](const Outputs& y) {
                    const Array& before = by_name(y[0], output);
                    return Relations{{output, output + " with other numbers of the tokens",
                                      by_token ? permuted(before, 2, order) : before, by_name(y[1], output)}};
                }};
        }};
}

Property uniform_gives(const std::string& output, const std::string& statement, double (*of)(double)) {
    return {"uniform_model", statement, [=](const Arrays& inputs, Random&) {
                const double wanted = of(length(inputs, "logits", 2));
                const Arrays flat =
                    with(inputs, "logits", map(by_name(inputs, "logits"), [](double) { return 0.75; }));
                return Experiment{
                    {flat}, [=](const Outputs& y) {
                        return Relations{{output, statement, by_name(y[0], output), filled({1}, wanted)}};
                    }};
            }};
}

Property constant_changes_nothing(const std::string& output) {
    return unchanged(
        "constant_changes_nothing", "the same number added to all logits changes nothing",
        "with 3 added to all logits",
        [](const Arrays& inputs, Random&) {
            return with(inputs, "logits", scaled(by_name(inputs, "logits"), 1, 3));
        },
        output);
}

/// Logits are replaced where `replaced` says so.
std::function<Arrays(const Arrays&, Random&)> other_logits(
    std::function<bool(const Arrays&, int b, int i)> replaced) {
    return [replaced = std::move(replaced)](const Arrays& inputs, Random& random) {
        Array logits = by_name(inputs, "logits");
        const auto X = logits.view<float, 3>();
        for (int b = 0; b < X.size(0); ++b)
            for (int i = 0; i < X.size(1); ++i)
                for (int v = 0; v < X.size(2) && replaced(inputs, b, i); ++v) X(b, i, v) = random.normal();
        return with(inputs, "logits", logits);
    };
}

/// The most probable token of each row, as double.
Array argmax(const Array& P) {
    Array best = Array::zeros<double>("", {P.shape[0]});
    for (int b = 0; b < P.shape[0]; ++b) {
        const float* const row =
            &P.as<float>()[static_cast<std::size_t>(b) * static_cast<std::size_t>(P.shape[1])];
        best.as<double>()[static_cast<std::size_t>(b)] =
            static_cast<double>(std::max_element(row, row + P.shape[1]) - row);
    }
    return best;
}

/// With this option only the most probable token is kept.
Property greedy(const std::string& name, double value) {
    return {"greedy", "if one token is kept, it is the most probable one, whatever u is",
            [=](const Arrays& inputs, Random&) {
                const Array best = argmax(by_name(inputs, "P"));
                return Experiment{{with_option(inputs, name, value)}, [best](const Outputs& y) {
                                      return Relations{{"tokens", "the most probable token",
                                                        by_name(y[0], "tokens"), best, true}};
                                  }};
            }};
}

/// One draw for each u of a grid, with all tokens kept: each token is drawn as often as its probability says.
Property counts_follow_P(const std::string& name) {
    return {"counts_follow_P", "if all tokens are kept, each is drawn as often as its probability says",
            [=](const Arrays& inputs, Random&) {
                constexpr int kGrid = 4096;
                const Array row = leading(by_name(inputs, "P"), 0, 1);
                const int V = row.shape[1];
                Array u = Array::zeros<float>("u", {kGrid});
                for (int g = 0; g < kGrid; ++g)
                    u.as<float>()[static_cast<std::size_t>(g)] = (static_cast<float>(g) + 0.5F) / kGrid;
                Arrays many = with(inputs, "P", permuted(row, 0, std::vector<int>(kGrid, 0)));
                many = with(with(many, "u", u), name, option(name, name == "k" ? V : 1));
                return Experiment{{many}, [row, V](const Outputs& y) {
                                      Array counts = filled({V}, 0);
                                      for (const double token : by_name(y[0], "tokens").as<double>())
                                          if (token >= 0 && token < V)
                                              counts.as<double>()[static_cast<std::size_t>(token)] +=
                                                  1.0 / kGrid;
                                      return Relations{{"the share of draws", "P", counts,
                                                        reshaped(row.cast<double>(), {V}), true}};
                                  }};
            }};
}

Property begins_with_start() {
    return of_output("shifted", "tokens begin with start, and then the targets follow", "tokens",
                     [](const Array& tokens, const Arrays& inputs) {
                         const double start = number_at(by_name(inputs, "start"), 0);
                         Array wanted = by_name(inputs, "targets").cast<double>();
                         for (int k = static_cast<int>(wanted.count()) - 1; k >= 0; --k) {
                             const auto at = static_cast<std::size_t>(k);
                             const double before =
                                 k % wanted.shape[1] == 0 ? -1 : wanted.as<double>()[at - 1];
                             wanted.as<double>()[at] = before == -1 ? start : before;
                         }
                         return Relations{{"tokens", "the shifted target", tokens, wanted, true}};
                     });
}

std::vector<Property> probability_properties() {
    return {
        rows_sum_to_one("P"),
        constant_changes_nothing("P"),
        unchanged("only_the_last_place", "the logits of earlier places change nothing",
                  "with other logits at earlier places", other_logits([](const Arrays& inputs, int, int i) {
                      return i + 1 < length(inputs, "logits", 1);
                  }),
                  "P"),
        {"cold_is_greedy", "at a low temperature the largest logit gets the probability 1",
         [](const Arrays& inputs, Random&) {
             const Array& logits = by_name(inputs, "logits");
             Array last = slices(logits, 1, logits.shape[1] - 1, 1);
             last.shape = {last.shape[0], last.shape[2]};
             const Array best = argmax(last);
             return Experiment{
                 {with(inputs, "temperature", option("temperature", 1e-4))}, [best](const Outputs& y) {
                     return Relations{
                         {"the most probable token", "the largest logit",
                          argmax(by_name(y[0], "P").cast<float>()), best, true},
                         {"the largest number of a row", "1",
                          folded(by_name(y[0], "P"), 0, [](double a, double p) { return std::max(a, p); }),
                          filled(best.shape, 1)}};
                 }};
         }},
        unchanged(
            "temperature_scales", "logits and temperature twice as large change nothing",
            "with logits and temperature twice as large",
            [](const Arrays& inputs, Random&) {
                return with(with(inputs, "logits", scaled(by_name(inputs, "logits"), 2)), "temperature",
                            option("temperature", 2 * number_at(by_name(inputs, "temperature"), 0)));
            },
            "P")};
}

Property later_tokens() {
    const auto change = [](const Arrays& inputs, int from, Random&) {
        return with(inputs, "tokens",
                    with_other_tokens(by_name(inputs, "tokens"), from, length(inputs, "table", 0)));
    };
    return later_change_nothing("later_change_nothing", "a later token changes no earlier logit",
                                {.array = "tokens",
                                 .outputs = {"logits"},
                                 .in_words = "before other tokens",
                                 .change = change,
                                 .exact = false});
}

/// The prompt with the first tokens of the text after it.
Property continues_itself() {
    return {"continues_itself", "a prompt with the first tokens of its text gives the rest of the text",
            [](const Arrays& inputs, Random&) {
                constexpr int kTaken = 2;
                const Arrays endless = with(inputs, "eos", option("eos", -1));
                const Array text = evaluate(*module_of("generate")->find_function("generate"), endless,
                                            Precision::f64)[0],
                            &prompt = by_name(inputs, "prompt");
                const int B = prompt.shape[0], N = prompt.shape[1], rest = text.shape[1] - kTaken;
                Array longer = Array::zeros<std::int32_t>("prompt", {B, N + kTaken});
                for (int b = 0; b < B; ++b)
                    for (int i = 0; i < N + kTaken; ++i)
                        longer.view<int, 2>()(b, i) =
                            i < N ? prompt.view<int, 2>()(b, i) : text.view<int, 2>()(b, i - N);
                const Arrays changed =
                    with(with(endless, "prompt", longer), "u", slices(by_name(inputs, "u"), 1, kTaken, rest));
                return Experiment{{endless, changed}, [rest](const Outputs& y) {
                                      return Relations{{"tokens", "the text of the longer prompt",
                                                        slices(by_name(y[0], "tokens"), 1, kTaken, rest),
                                                        by_name(y[1], "tokens")}};
                                  }};
            }};
}

Property ends_at_eos() {
    return of_output("ends_at_eos", "after the first eos there are only further ones", "tokens",
                     [](const Array& tokens, const Arrays& inputs) {
                         const double eos = number_at(by_name(inputs, "eos"), 0);
                         Array wanted = tokens;
                         for (int k = 1; k < static_cast<int>(tokens.count()); ++k)
                             if (const auto at = static_cast<std::size_t>(k);
                                 k % tokens.shape[1] != 0 && wanted.as<double>()[at - 1] == eos)
                                 wanted.as<double>()[at] = eos;
                         return Relations{{"tokens", "eos after eos", tokens, wanted, true}};
                     });
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    const auto ignored = [](const Arrays& inputs, int b, int i) {
        return by_name(inputs, "targets").view<int, 2>()(b, i) == -1;
    };
    return {
        {"embed_tokens",
         {equivariant("tokens_permute", "tokens in another order give their vectors in that order",
                      {"tokens"}, 1),
          linear_in("table"), vocabulary_permutes("Y", false)}},
        {"shift_right", {begins_with_start()}},
        {"cross_entropy",
         {uniform_gives("loss", "ln V", [](double V) { return std::log(V); }),
          constant_changes_nothing("losses"),
          unchanged("ignored_change_nothing", "logits at places that do not count change nothing",
                    "with other logits where the target is -1", other_logits(ignored), "loss"),
          equivariant("places_permute", "places in another order have their losses in that order",
                      {"logits", "targets"}, 1, "losses")}},
        {"perplexity",
         {uniform_gives("ppl", "V", [](double V) { return V; }), constant_changes_nothing("ppl")}},
        {"next_token_probabilities", probability_properties()},
        {"sample_top_k", {rows_sum_to_one("Q"), greedy("k", 1), counts_follow_P("k")}},
        {"sample_top_p", {rows_sum_to_one("Q"), greedy("p", 1e-6), counts_follow_P("p")}},
        {"language_model",
         {later_tokens(), vocabulary_permutes("logits", true), sequences_do_not_mix("tokens", "logits")}},
        {"generate",
         {continues_itself(), ends_at_eos(),
          unchanged(
              "greedy_ignores_u", "the most probable token does not depend on u", "with other u",
              [](const Arrays& inputs, Random& random) {
                  return with(inputs, "u",
                              map(by_name(inputs, "u"), [&](double) { return random.uniform(); }));
              },
              "tokens"),
          sequences_do_not_mix("prompt", "tokens")}},
    };
}

}  // namespace attn::ask::language_model
