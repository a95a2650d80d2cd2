// Assignment 11: the recipes of inputs and the properties.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contracts/language_model_functions.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/ask/three_sentences.h"

namespace attn::ask::language_model {
namespace {

Array scaled(const Array& array, double factor, double shift = 0) {
    return map(array, [=](double x) { return shift + factor * x; });
}

int vocabulary(const Sizes& sizes) {
    constexpr int kWithoutLogits = 9;  // for functions that know only tokens
    return sizes.contains("V") ? sizes.at("V") : kWithoutLogits;
}

/// Tokens 0 .. V - 1, or targets, of which every fifth does not count.
Array random_tokens(const std::string& name, const Shape& shape, int V, Random& random) {
    Array tokens = Array::zeros<std::int32_t>(name, shape);
    for (std::int32_t& token : tokens.as<std::int32_t>())
        token = name == "targets" && random.below(5) == 0 ? -1 : random.below(V);
    return tokens;
}

/// Probabilities that differ clearly and are multiples of 1/4096, so that sums are exact in any order.
Array random_probabilities(const Shape& shape, Random& random) {
    constexpr int kParts = 4096;
    Array P = Array::zeros<float>("P", shape);
    const int V = shape[1], step = std::max(1, 2 * kParts / (V * V + V) - 1);
    for (int b = 0; b < shape[0]; ++b) {
        const std::vector<int> order = random.permutation(V);
        int rest = kParts;
        for (int rank = 0; rank < V; ++rank) {
            const int parts = rank + 1 == V ? rest : rank * step + 1 + random.below(step);
            rest -= parts;
            P.view<float, 2>()(b, order[static_cast<std::size_t>(rank)]) =
                static_cast<float>(parts) / static_cast<float>(kParts);
        }
    }
    return P;
}

/// Whether u is far from every place at which the drawn token changes, if the `kept` most probable tokens are.
bool is_clear(const std::vector<double>& P, int kept, double u, double margin) {
    std::vector<double> sorted = P;
    std::ranges::sort(sorted, std::greater());
    const double least = sorted[static_cast<std::size_t>(kept) - 1];
    const double all = std::accumulate(sorted.begin(), sorted.begin() + kept, 0.0);
    double sum = 0;
    for (const double p : P) {
        sum += p >= least ? p / all : 0;
        if (std::abs(sum - u) < margin && sum < 1 - margin) return false;
    }
    return true;
}

/// Random numbers that are clear for any number of kept tokens.
Array clear_uniforms(const Array& P, Random& random) {
    const int V = P.shape[1];
    const double margin = 0.1 / (V * V);
    Array u = Array::zeros<float>("u", {P.shape[0]});
    for (int b = 0; b < P.shape[0]; ++b) {
        std::vector<double> row;
        for (int v = 0; v < V; ++v) row.push_back(static_cast<double>(P.view<float, 2>()(b, v)));
        bool clear = false;
        while (!clear) {
            const double drawn = random.uniform();
            u.as<float>()[static_cast<std::size_t>(b)] = static_cast<float>(drawn);
            clear = true;
            for (int kept = 1; kept <= V && clear; ++kept) clear = is_clear(row, kept, drawn, margin);
        }
    }
    return u;
}

/// The tensors of a function: weights whose blocks change their inputs a lot, so that every token counts.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    const bool samples = function.name.starts_with("sample");
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32)
            inputs.push_back(random_tokens(spec.name, shape, vocabulary(sizes), random));
        else if (samples)
            inputs.push_back(spec.name == "P" ? random_probabilities(shape, random)
                                              : clear_uniforms(inputs.front(), random));
        else if (spec.name == "u")
            inputs.push_back(map(normal("u", shape, random), [&](double) { return random.uniform(); }));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 2 / std::sqrt(*(shape.end() - 2))));
        else
            inputs.push_back(scaled(normal(spec.name, shape, random), spec.name == "logits" ? 1 : 0.5));
    }
    return inputs;
}

/// How `generate` draws its tokens.
struct Drawing {
    int k;
    double temperature;
    int eos;
};

/// Whether every token that `generate` draws follows from numbers that are clearly apart. Rounding could turn any
/// other decision.
bool is_decided(const Function& function, const Arrays& inputs, int H, const Drawing& drawing) {
    constexpr double kMargin = 2e-3;
    const Array &prompt = by_name(inputs, "prompt"), &u = by_name(inputs, "u");
    Arrays given = inputs;
    for (const Array& each : {option("H", H), option("k", drawing.k),
                              option("temperature", drawing.temperature), option("eos", drawing.eos)})
        given.push_back(each);
    const Array drawn = evaluate(function, given, Precision::f64)[0];
    // The logits of all places in one pass.
    const int B = prompt.shape[0], N = prompt.shape[1], N_new = drawn.shape[1], last = N + N_new - 1;
    Array text = Array::zeros<std::int32_t>("tokens", {B, last});
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < last; ++i)
            text.view<int, 2>()(b, i) = i < N ? prompt.view<int, 2>()(b, i) : drawn.view<int, 2>()(b, i - N);
    given = with(with(given, "prompt", text), "P", leading(by_name(inputs, "P"), 0, last));
    by_name(given, "prompt").name = "tokens";
    const Array logits =
        evaluate(*module_of("language_model")->find_function("language_model"), given, Precision::f64)[0];
    const int V = logits.shape[2];
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N_new; ++i) {
            std::vector<double> P(static_cast<std::size_t>(V));
            for (int v = 0; v < V; ++v)
                P[static_cast<std::size_t>(v)] =
                    std::exp(logits.view<double, 3>()(b, N - 1 + i, v) / drawing.temperature);
            std::vector<double> sorted = P;
            std::ranges::sort(sorted, std::greater());
            const auto kept = static_cast<std::size_t>(drawing.k);
            if (drawing.k < V && sorted[kept - 1] < sorted[kept] * (1 + kMargin)) return false;
            if (!is_clear(P, drawing.k, static_cast<double>(u.view<float, 2>()(b, i)), kMargin)) return false;
            if (drawn.view<int, 2>()(b, i) == drawing.eos) break;
        }
    }
    return true;
}

/// Inputs for which every right function draws the same tokens.
std::function<Arrays(const Function&, const Sizes&, Random&)> decided(const Drawing& drawing) {
    return [drawing](const Function& function, const Sizes& sizes, Random& random) {
        constexpr int kTries = 1000;
        Arrays inputs = plain_inputs(function, sizes, random);
        if (function.name != "generate" || !function.refusal(sizes).empty() || drawing.k > sizes.at("V"))
            return inputs;
        for (int tries = 0; !is_decided(function, inputs, sizes.at("H"), drawing); ++tries) {
            if (tries == kTries)
                throw std::logic_error("no inputs of generate are decided: " +
                                       to_string(sizes, function.letters()));
            inputs = plain_inputs(function, sizes, random);
        }
        return inputs;
    };
}

using Change = std::function<double(int k, double x, int V)>;

/// The plain inputs with arrays changed: element k of the array of this name from x to change(k, x, V).
std::function<Arrays(const Function&, const Sizes&, Random&)> with_changed(
    std::map<std::string, Change> changes) {
    return [changes = std::move(changes)](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        for (Array& array : inputs)
            if (const auto change = changes.find(array.name); change != changes.end())
                array = map(array, [&, k = 0](double x) mutable {
                    return change->second(k++, x, vocabulary(sizes));
                });
        return inputs;
    };
}

/// Logits near +-10000. Perplexities would be infinite, so theirs stay as they are.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    const double factor = function.name == "perplexity" ? 1 : 4000;
    return with_changed({{"logits", [=](int, double x, int) { return factor * x; }}})(function, sizes,
                                                                                      random);
}

/// The last token, target or token of the prompt is this one.
std::function<Arrays(const Function&, const Sizes&, Random&)> with_token(int (*token)(int V)) {
    return [token](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        for (Array& array : inputs)
            if (type_of(array) == ElementType::i32)
                array.as<std::int32_t>().back() = token(vocabulary(sizes));
        return inputs;
    };
}

/// The probability of the next token after the first `count` tokens of a sentence, as the three sentences have it.
double probability(const std::vector<int>& sentence, int count, int token) {
    int alike = 0, next = 0;
    for (const std::vector<int>& other : three_sentences().sentences) {
        if (static_cast<int>(other.size()) <= count ||
            !std::equal(other.begin(), other.begin() + count, sentence.begin()))
            continue;
        ++alike;
        next += other[static_cast<std::size_t>(count)] == token ? 1 : 0;
    }
    return alike == 0 ? 0 : static_cast<double>(next) / alike;
}

/// The three sentences: tokens and targets, and logits of a model that knows them nearly by heart. Where there are no
/// targets, the last place is that after START, after "I" and after "I am".
Arrays sentences(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    const int N = sizes.at("N"), V = vocabulary(sizes);
    const bool has_targets = function.inputs.back().name == "targets";
    for (int b = 0; b < 3; ++b) {
        const std::vector<int>& sentence = three_sentences().sentences[static_cast<std::size_t>(b)];
        const auto token = [&](int i) {
            return i >= 0 && i < static_cast<int>(sentence.size()) ? sentence[static_cast<std::size_t>(i)]
                                                                   : -1;
        };
        for (int i = 0; i < N; ++i) {
            const int read = has_targets ? i : i - (N - 1) + b;
            for (Array& array : inputs) {
                if (array.name == "targets") array.view<int, 2>()(b, i) = token(i);
                if (array.name == "tokens")
                    array.view<int, 2>()(b, i) = i == 0 ? 0 : std::max(token(i - 1), 0);
                for (int v = 0; array.name == "logits" && v < V; ++v) {
                    float& x = array.view<float, 3>()(b, i, v);
                    x = static_cast<float>(
                            std::log(0.01 + (token(read) < 0 ? 0 : probability(sentence, read, v)))) +
                        x / 8;
                }
            }
        }
    }
    return inputs;
}

std::vector<Recipe> recipes() {
    // V is a power of two, so that all sums are exact.
    const auto borders =
        with_changed({{"P", [](int, double, int V) { return 1.0 / V; }},
                      {"u", [](int k, double, int V) { return static_cast<double>(k % V) / V; }}});
    const auto impossible =
        with_changed({{"P",
                       [](int k, double, int V) {
                           return V == 1 || k % V + 1 == V ? (V == 1 ? 1 : 0.75) : k % V + 2 == V ? 0.25 : 0;
                       }},
                      {"u", [](int k, double, int) { return k % 2 == 0 ? 0 : 0.625; }}});
    return {{"normal", "normal numbers", {}, decided({1, 1, 1})},
            {"sampled", "normal numbers, for 3 kept tokens at temperature 0.8", {}, decided({3, 0.8, 1})},
            {"endless", "normal numbers, for a text without an end", {}, decided({1, 1, -1})},
            {"overflow", "logits near +-10000", {}, overflow},
            {"borders", "equal probabilities, with u on the borders between tokens", {}, borders},
            {"impossible", "probabilities of 0, and u at 0", {}, impossible},
            {"nothing_counts",
             "targets of which none counts",
             {},
             with_changed({{"targets", [](int, double, int) { return -1.0; }}})},
            {"token_V", "a token V, which does not exist", {}, with_token([](int V) { return V; })},
            {"negative_token", "a negative token", {}, with_token([](int) { return -2; })},
            {"sentences", "the three sentences of a lecture", {{"B", 3}, {"N", 8}}, sentences, [] {
                 return scene_of_sentences(8);
             }}};
}

int length(const Arrays& inputs, const char* name, std::size_t axis) {
    return by_name(inputs, name).shape[axis];
}

/// Other tokens everywhere but in the first `count` slices along the axis.
Array with_other_tokens(Array tokens, int axis, int count, int V) {
    const int columns = tokens.shape[1];
    for (int k = 0; k < static_cast<int>(tokens.count()); ++k)
        if ((axis == 0 ? k / columns : k % columns) >= count) {
            std::int32_t& token = tokens.as<std::int32_t>()[static_cast<std::size_t>(k)];
            token = (token + 1 + k % 2) % V;
        }
    return tokens;
}

Property sequences_do_not_mix(const std::string& tokens, const std::string& output) {
    return {"sequences_do_not_mix", "the first sequence's output does not depend on the other sequences",
            [=](const Arrays& inputs, Random&) {
                const Arrays changed =
                    with(inputs, tokens,
                         with_other_tokens(by_name(inputs, tokens), 0, 1, length(inputs, "table", 0)));
                return Experiment{{inputs, changed}, [output](const Outputs& y) {
                                      return Relations{{output + " of sequence 0",
                                                        output + " of sequence 0 with other sequences",
                                                        leading(by_name(y[0], output), 0, 1),
                                                        leading(by_name(y[1], output), 0, 1)}};
                                  }};
            }};
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
                return Experiment{{with(inputs, name, option(name, value))}, [best](const Outputs& y) {
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

Property later_change_nothing() {
    return {"later_change_nothing", "a later token changes no earlier logit",
            [](const Arrays& inputs, Random&) {
                const int before = std::max(1, length(inputs, "tokens", 1) - 2);
                const Arrays changed =
                    with(inputs, "tokens",
                         with_other_tokens(by_name(inputs, "tokens"), 1, before, length(inputs, "table", 0)));
                return Experiment{{inputs, changed}, [before](const Outputs& y) {
                                      return Relations{{"an earlier logit", "with other later tokens",
                                                        leading(by_name(y[0], "logits"), 1, before),
                                                        leading(by_name(y[1], "logits"), 1, before)}};
                                  }};
            }};
}

/// The prompt with the first tokens of the text behind it.
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
         {later_change_nothing(), vocabulary_permutes("logits", true),
          sequences_do_not_mix("tokens", "logits")}},
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

/// The calls of smaller functions.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name == "perplexity") return {{"cross_entropy", inputs}};
    if (function.name == "language_model")
        return {{"embed_tokens", {by_name(inputs, "tokens"), by_name(inputs, "table")}}};
    return {};
}

const Registration kRegistered(
    {"language_model", contract_functions(), recipes(), properties(), {}, {}, inner_calls});

}  // namespace
}  // namespace attn::ask::language_model
