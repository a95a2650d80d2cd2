// Assignment 12: the properties.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/assignments/masked_language_model/helpers.h"

namespace attn::ask::masked_language_model {
namespace {

int length(const Arrays& inputs, const char* name, std::size_t axis) {
    return by_name(inputs, name).shape[axis];
}

/// An array of float [1, n] with the numbers of f.
Array row_of(const std::string& name, int n, double (*f)(int k, int n)) {
    Array row = Array::zeros<float>(name, {1, n});
    for (int k = 0; k < n; ++k) row.as<float>()[static_cast<std::size_t>(k)] = static_cast<float>(f(k, n));
    return row;
}

/// Between 0 and 1, at the middle of piece k of n.
double middle(int k, int n) {
    return (k + 0.5) / n;
}

/// A long sequence of the same word, with u_place at 0: all are chosen.
Arrays one_word_chosen(const Arrays& inputs, int word, int n) {
    Arrays given = with_option(inputs, "share", 0.5);
    Array tokens = Array::zeros<std::int32_t>("tokens", {1, n});
    for (std::int32_t& token : tokens.as<std::int32_t>()) token = word;
    given = with(given, "tokens", tokens);
    for (const char* name : {"u_place", "u_kind", "u_word"})
        given = with(given, name, row_of(name, n, [](int, int) { return 0.25; }));
    return given;
}

/// How many numbers of an array of double are this one.
double count_of(const Array& array, double number) {
    return static_cast<double>(std::ranges::count(array.as<double>(), number));
}

Array as_array(const std::vector<double>& numbers) {
    Array array = filled({static_cast<int>(numbers.size())}, 0);
    std::ranges::copy(numbers, array.as<double>().begin());
    return array;
}

Property unchosen_stay() {
    return {"unchosen_stay",
            "a place without a target keeps its token, and a target is the token of its place",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, "share", 0.5)},
                    [tokens = by_name(inputs, "tokens").cast<double>()](const Outputs& y) {
                        Array hidden = by_name(y[0], "hidden"), targets = by_name(y[0], "targets"),
                              kept = tokens, named = tokens;
                        for (std::size_t k = 0; k < tokens.count(); ++k) {
                            const bool chosen = targets.as<double>()[k] != -1;
                            if (chosen) kept.as<double>()[k] = hidden.as<double>()[k];
                            if (!chosen) named.as<double>()[k] = -1;
                        }
                        return Relations{{"hidden", "the token where there is no target", hidden, kept, true},
                                         {"a target", "the token of its place", targets, named, true}};
                    }};
            }};
}

Property special_stay() {
    return {"special_stay", "special tokens are never hidden, whatever the share",
            [](const Arrays& inputs, Random&) {
                Array tokens = by_name(inputs, "tokens");
                for (std::size_t k = 0; k < tokens.count(); ++k)
                    tokens.as<std::int32_t>()[k] = static_cast<std::int32_t>(k % kSpecial);
                return Experiment{
                    {with_option(with(inputs, "tokens", tokens), "share", 1)},
                    [tokens = tokens.cast<double>()](const Outputs& y) {
                        return Relations{
                            {"hidden", "the special token", by_name(y[0], "hidden"), tokens, true},
                            {"targets", "-1", by_name(y[0], "targets"), filled(tokens.shape, -1), true}};
                    }};
            }};
}

/// u_kind on a grid: of 40 chosen places 32 are <mask>, 4 get word 5 + 0 and 4 keep theirs.
Property eighty_ten_ten() {
    return {
        "eighty_ten_ten", "of the chosen places 80 % become <mask>, 10 % another word, 10 % stay",
        [](const Arrays& inputs, Random&) {
            constexpr int kPlaces = 40;
            const int last = static_cast<int>(option_of(inputs, "V")) - 1;
            Arrays given = one_word_chosen(inputs, last, kPlaces);
            given = with(given, "u_kind", row_of("u_kind", kPlaces, middle));
            given = with(given, "u_word", row_of("u_word", kPlaces, [](int, int) { return 0.0; }));
            return Experiment{
                {given}, [last](const Outputs& y) {
                    const Array& hidden = by_name(y[0], "hidden");
                    return Relations{
                        {"the number of places with <mask> (0), word 5 (1) or their word (2)",
                         "the wanted number",
                         as_array({count_of(hidden, 4), count_of(hidden, kSpecial), count_of(hidden, last)}),
                         as_array({32, 4, 4}), true}};
                }};
        }};
}

/// u_word on a grid, and u_kind at 0.85.
Property words_are_equally_likely() {
    return {"words_are_equally_likely",
            "each word is the random word equally often, and no special token ever is",
            [](const Arrays& inputs, Random&) {
                const int V = static_cast<int>(option_of(inputs, "V")), words = V - kSpecial;
                constexpr int kEach = 4;
                Arrays given = one_word_chosen(inputs, kSpecial, kEach * words);
                given = with(given, "u_kind", row_of("u_kind", kEach * words, [](int, int) { return 0.85; }));
                given = with(given, "u_word", row_of("u_word", kEach * words, middle));
                return Experiment{
                    {given}, [V](const Outputs& y) {
                        const Array& hidden = by_name(y[0], "hidden");
                        std::vector<double> counts, wanted;
                        for (int v = 0; v < V; ++v) {
                            counts.push_back(count_of(hidden, v));
                            wanted.push_back(v < kSpecial ? 0 : kEach);
                        }
                        return Relations{{"the number of draws of this token", "the wanted number",
                                          as_array(counts), as_array(wanted), true}};
                    }};
            }};
}

Property uniform_model() {
    return {"uniform_model", "a model that finds all tokens equally likely has the loss ln V",
            [](const Arrays& inputs, Random&) {
                const double V = length(inputs, "logits", 2);
                Arrays flat =
                    with(inputs, "logits", map(by_name(inputs, "logits"), [](double) { return 0.75; }));
                return Experiment{
                    {flat}, [V](const Outputs& y) {
                        return Relations{{"loss", "ln V", by_name(y[0], "loss"), filled({1}, std::log(V))}};
                    }};
            }};
}

Property constant_changes_nothing() {
    return unchanged(
        "constant_changes_nothing", "the same number added to all logits changes no loss",
        "with 3 added to all logits",
        [](const Arrays& inputs, Random&) {
            return with(inputs, "logits", scaled(by_name(inputs, "logits"), 1, 3));
        },
        "loss");
}

/// Other logits where there is no target.
Property unhidden_change_nothing() {
    return {"unhidden_change_nothing", "logits of places without a target change nothing",
            [](const Arrays& inputs, Random& random) {
                Array logits = by_name(inputs, "logits");
                const auto X = logits.view<float, 3>();
                const auto targets = by_name(inputs, "targets").view<int, 2>();
                for (int b = 0; b < X.size(0); ++b)
                    for (int i = 0; i < X.size(1); ++i)
                        for (int v = 0; v < X.size(2) && targets(b, i) == -1; ++v)
                            X(b, i, v) = random.normal();
                return Experiment{{inputs, with(inputs, "logits", logits)}, [](const Outputs& y) {
                                      return Relations{{"loss", "loss with other logits there",
                                                        by_name(y[0], "loss"), by_name(y[1], "loss")},
                                                       {"right", "right with other logits there",
                                                        by_name(y[0], "right"), by_name(y[1], "right")}};
                                  }};
            }};
}

/// The logit of each target becomes 100 for every second place, and -100 for the others.
Property right_is_counted() {
    return {"right_is_counted", "right is the share of targets whose logit is raised above the others",
            [](const Arrays& inputs, Random&) {
                Array logits = by_name(inputs, "logits");
                const auto X = logits.view<float, 3>();
                const auto targets = by_name(inputs, "targets").view<int, 2>();
                double counted = 0, raised = 0;
                for (int b = 0; b < X.size(0); ++b)
                    for (int i = 0; i < X.size(1); ++i) {
                        if (targets(b, i) == -1) continue;
                        const bool up = static_cast<int>(counted) % 3 != 0;
                        X(b, i, targets(b, i)) = up ? 100.0F : -100.0F;
                        ++counted;
                        raised += up ? 1 : 0;
                    }
                return Experiment{{with(inputs, "logits", logits)},
                                  [share = raised / counted](const Outputs& y) {
                                      return Relations{{"right", "the share of raised targets",
                                                        by_name(y[0], "right"), filled({1}, share)}};
                                  }};
            }};
}

/// Rows of the table and their biases in another order: the logits follow.
Property vocabulary_permutes() {
    return {
        "vocabulary_permutes", "words in another order have their logits in that order",
        [](const Arrays& inputs, Random& random) {
            const auto order = random.permutation(length(inputs, "table", 0));
            return Experiment{
                {inputs, permuted(inputs, {"table", "bias"}, 0, order)}, [order](const Outputs& y) {
                    return Relations{{"logits in this order", "logits of words in this order",
                                      permuted(by_name(y[0], "logits"), 2, order), by_name(y[1], "logits")}};
                }};
        }};
}

/// With a tiny eps, W and b times 3, and inputs above 0: gelu is not linear, so only gamma and beta are asked.
Property gamma_and_beta() {
    return {"gamma_and_beta", "gamma and beta twice as large double the logits above the bias",
            [](const Arrays& inputs, Random&) {
                Arrays twice = inputs;
                for (const char* name : {"gamma", "beta"})
                    by_name(twice, name) = scaled(by_name(twice, name), 2);
                const Arrays none = with_zeros(inputs, {"gamma", "beta"});
                return Experiment{{inputs, twice, none}, [](const Outputs& y) {
                                      const auto of = [&y](std::size_t run) {
                                          return by_name(y[run], "logits");
                                      };
                                      return Relations{{"logits with gamma and beta twice as large",
                                                        "twice the logits, less the bias", of(1),
                                                        combined(2, of(0), -1, of(2))}};
                                  }};
            }};
}

/// Vectors of the tokens that the head does not read.
Property other_tokens_change_nothing() {
    return {"other_tokens_change_nothing", "only one token of each sequence is read",
            [](const Arrays& inputs, Random& random) {
                const Array lengths = by_name(inputs, "lengths");
                Experiment experiment;
                for (const double token : {0, 1}) {
                    Array X = by_name(inputs, "X");
                    const auto x = X.view<float, 3>();
                    for (int b = 0; b < x.size(0); ++b)
                        for (int i = 0; i < x.size(1); ++i) {
                            const int read =
                                token == 0 ? 0 : lengths.as<std::int32_t>()[static_cast<std::size_t>(b)] - 1;
                            for (int d = 0; d < x.size(2) && i != read; ++d) x(b, i, d) = random.normal();
                        }
                    experiment.runs.push_back(with_option(inputs, "token", token));
                    experiment.runs.push_back(with(experiment.runs.back(), "X", X));
                }
                experiment.relate = [](const Outputs& y) {
                    Relations all;
                    for (std::size_t k : {0U, 2U})
                        all.push_back({k == 0 ? "logits, token = first" : "logits, token = last",
                                       "logits with other vectors of the other tokens",
                                       by_name(y[k], "logits"), by_name(y[k + 1], "logits"), true});
                    return all;
                };
                return experiment;
            }};
}

Property classes_permute() {
    return {
        "classes_permute", "classes in another order have their logits in that order",
        [](const Arrays& inputs, Random& random) {
            const auto order = random.permutation(length(inputs, "b_c", 0));
            Arrays changed = with(inputs, "W_c", permuted(by_name(inputs, "W_c"), 1, order));
            changed = with(changed, "b_c", permuted(by_name(inputs, "b_c"), 0, order));
            return Experiment{
                {inputs, changed}, [order](const Outputs& y) {
                    return Relations{{"logits in this order", "logits of classes in this order",
                                      permuted(by_name(y[0], "logits"), 1, order), by_name(y[1], "logits")}};
                }};
        }};
}

/// tanh is odd.
Property sign_turns() {
    return {"sign_turns", "without biases, -X has the logits with the other sign",
            [](const Arrays& inputs, Random&) {
                const Arrays plain = with_zeros(inputs, {"b", "b_c"});
                return Experiment{
                    {plain, with(plain, "X", scaled(by_name(plain, "X"), -1))}, [](const Outputs& y) {
                        return Relations{{"logits of -X", "-logits of X", by_name(y[1], "logits"),
                                          scaled(by_name(y[0], "logits"), -1)}};
                    }};
            }};
}

/// Words behind the length of each sentence, replaced.
Array with_other_words_behind(Array words, const Array& lengths, int V) {
    const int columns = words.shape[1];
    for (int k = 0; k < static_cast<int>(words.count()); ++k)
        if (k % columns >= lengths.as<std::int32_t>()[static_cast<std::size_t>(k / columns)]) {
            std::int32_t& word = words.as<std::int32_t>()[static_cast<std::size_t>(k)];
            word = (word + 1 + k % 3) % V;
        }
    return words;
}

Property words_behind_change_nothing(const std::string& first, const std::string& second,
                                     const std::string& output) {
    return unchanged(
        "words_behind_change_nothing", "words behind a sentence's length change nothing",
        "with other words behind the lengths",
        [=](const Arrays& inputs, Random&) {
            const int V = length(inputs, "table", 0);
            Arrays changed =
                with(inputs, first,
                     with_other_words_behind(by_name(inputs, first), by_name(inputs, "lengths_1"), V));
            return with(changed, second,
                        with_other_words_behind(by_name(inputs, second), by_name(inputs, "lengths_2"), V));
        },
        output);
}

/// All lengths are those of the arrays.
Arrays with_full_lengths(Arrays inputs) {
    by_name(inputs, "lengths_1") =
        map(by_name(inputs, "lengths_1"),
            [n = length(inputs, "first", 1)](double) { return static_cast<double>(n); });
    by_name(inputs, "lengths_2") =
        map(by_name(inputs, "lengths_2"),
            [n = length(inputs, "second", 1)](double) { return static_cast<double>(n); });
    return inputs;
}

/// The two sentences change places, with their lengths and languages. Words, positions and languages follow.
Property sentences_swap() {
    return {"sentences_swap", "with the sentences exchanged, each keeps its words, positions and language",
            [](const Arrays& inputs, Random&) {
                const Arrays given = with_full_lengths(inputs);
                Array first = by_name(given, "first"), second = by_name(given, "second"),
                      lengths_1 = by_name(given, "lengths_1"), lengths_2 = by_name(given, "lengths_2");
                const int n_1 = first.shape[1], n_2 = second.shape[1];
                Arrays other = with(with(given, "first", second), "second", first);
                other = with(with(other, "lengths_1", lengths_2), "lengths_2", lengths_1);
                other = with_option(with_option(other, "language_1", option_of(given, "language_2")),
                                    "language_2", option_of(given, "language_1"));
                return Experiment{
                    {given, other}, [n_1, n_2](const Outputs& y) {
                        Relations all;
                        for (const char* name : {"tokens", "positions", "languages"}) {
                            const Array &there = by_name(y[0], name), &here = by_name(y[1], name);
                            const std::string what = name;
                            all.push_back({what + " of the first sentence", what + " of it as the second one",
                                           slices(there, 1, 1, n_1), slices(here, 1, n_2 + 2, n_1), true});
                            all.push_back({what + " of the second sentence", what + " of it as the first one",
                                           slices(there, 1, n_1 + 2, n_2), slices(here, 1, 1, n_2), true});
                        }
                        return all;
                    }};
            }};
}

/// Both sentences the same: word k of both has the same position.
Property positions_restart() {
    return {
        "positions_restart", "word k of either sentence has the position k + 1",
        [](const Arrays& inputs, Random&) {
            const Arrays given = with_full_lengths(inputs);
            const int n_1 = length(given, "first", 1), n_2 = length(given, "second", 1);
            return Experiment{
                {given}, [n_1, n_2](const Outputs& y) {
                    const Array& positions = by_name(y[0], "positions");
                    Array wanted = positions;
                    for (int k = 0; k < static_cast<int>(wanted.count()); ++k) {
                        const int i = k % wanted.shape[1];
                        wanted.as<double>()[static_cast<std::size_t>(k)] = i <= n_1 ? i
                                                                           : i - n_1 - 1 <= n_2 + 1
                                                                               ? i - n_1 - 1
                                                                               : 0;
                    }
                    return Relations{{"the position", "the place in its sentence", positions, wanted, true}};
                }};
        }};
}

/// X with E = 0 and with twice E.
Property linear_in_the_vectors() {
    return {"linear_in_the_vectors", "each of the three vectors is added once",
            [](const Arrays& inputs, Random&) {
                Experiment experiment;
                experiment.runs = {inputs};
                for (const char* name : {"table", "P", "E"})
                    experiment.runs.push_back(with_zeros(inputs, {name}));
                experiment.relate = [](const Outputs& y) {
                    const auto X = [&y](std::size_t run) { return by_name(y[run], "X"); };
                    return Relations{{"twice X", "the sum of X without each of its vectors", scaled(X(0), 2),
                                      combined(1, combined(1, X(1), 1, X(2)), 1, X(3))}};
                };
                return experiment;
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"mask_tokens", {unchosen_stay(), special_stay(), eighty_ten_ten(), words_are_equally_likely()}},
        {"mlm_loss",
         {uniform_model(), constant_changes_nothing(), unhidden_change_nothing(), right_is_counted()}},
        {"token_head",
         {equivariant("tokens_permute", "vectors in another order have their logits in that order", {"X"}, 1,
                      "logits"),
          vocabulary_permutes(), gamma_and_beta(), linear_in("table", "logits"),
          batches_do_not_mix({"X"}, "logits")}},
        {"sentence_head",
         {other_tokens_change_nothing(), classes_permute(), sign_turns(), linear_in("W_c", "logits"),
          batches_do_not_mix({"X"}, "logits")}},
        {"tlm_input",
         {words_behind_change_nothing("first", "second", "X"), sentences_swap(), positions_restart(),
          linear_in_the_vectors()}},
        {"nli_logits",
         {words_behind_change_nothing("premise", "hypothesis", "logits"), classes_permute(),
          linear_in("W_c", "logits")}},
    };
}

}  // namespace attn::ask::masked_language_model
