// Assignment 10: the recipes of inputs and the properties.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "contracts/encoder_decoder_functions.h"
#include "contracts/transformer_block_reference.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::encoder_decoder {
namespace {

Array some_words(const std::string& name, const Shape& shape, int V, Random& random) {
    std::vector<int> words(element_count(shape));
    for (int& word : words) word = random.below(V);
    return {name, shape, words};
}

/// Lengths 1 .. N_s. The first sentence is shorter than N_s if possible, so that padding counts.
Array some_lengths(int B, int N_s, Random& random) {
    std::vector<int> lengths;
    for (int b = 0; b < B; ++b) lengths.push_back(1 + random.below(b == 0 ? std::max(1, N_s - 1) : N_s));
    if (B > 2) lengths.back() = 1;
    return {"lengths", {B}, lengths};
}

/// Gains around 1, shifts and biases that are not 0, matrices that keep the size of their inputs, and an
/// embedding whose words have length sqrt(D) in the stack.
Arrays drawn(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        const auto scaled = [&](double factor, double shift) {
            return map(normal(spec.name, shape, random), [=](double x) { return shift + factor * x; });
        };
        if (spec.name == "lengths")
            inputs.push_back(some_lengths(shape[0], sizes.at("N_s"), random));
        else if (spec.type == ElementType::i32)
            inputs.push_back(some_words(spec.name, shape, sizes.at("V"), random));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(scaled(0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(scaled(1.5 / std::sqrt(*(shape.end() - 2)), 0));
        else if (spec.name == "embedding")
            inputs.push_back(scaled(1 / std::sqrt(shape[1]), 0));
        else
            inputs.push_back(scaled(spec.name == "X" || spec.name == "S" ? 1 : 0.5, 0));
    }
    return inputs;
}

/// Whether rounding decides no word of a greedy translation, with any norm and activation: the best two logits
/// of each step differ by more than a thousandth. `words` gets the words of pre-norm with ReLU.
bool decided(const Function& function, const Sizes& sizes, Arrays inputs, Array& words) {
    constexpr double kMargin = 1e-3;
    for (const char* letter : {"H", "N_t"}) inputs.push_back(option(letter, sizes.at(letter)));
    inputs.push_back(option("end", -1));
    for (const double norm : {1, 0}) {
        for (const double activation : {2, 1, 0}) {
            Arrays asked = inputs;
            asked.push_back(option("norm", norm));
            asked.push_back(option("activation", activation));
            const Arrays outputs = evaluate(function, asked, Precision::f64);
            const auto& logits = by_name(outputs, "logits").as<double>();
            const auto V = static_cast<std::size_t>(sizes.at("V"));
            for (std::size_t row = 0; row < logits.size(); row += V) {
                std::vector<double> best(logits.begin() + static_cast<std::ptrdiff_t>(row),
                                         logits.begin() + static_cast<std::ptrdiff_t>(row + V));
                std::sort(best.rbegin(), best.rend());
                if (V > 1 && !(best[0] - best[1] > kMargin)) return false;
            }
            words = by_name(outputs, "words");
        }
    }
    return true;
}

/// The step at which sentence b of these words ends, or N_t.
int end_of(const Array& words, int b) {
    int t = 0;
    while (t < words.shape[1] && words.view<int, 2>()(b, t) != 1) ++t;
    return t;
}

/// Inputs for which rounding decides nothing. `suits`: what the words of a translation should be like. At some
/// sizes no words are: with D = 1, all steps choose the same word.
Arrays draw_until(const Function& function, const Sizes& sizes, Random& random,
                  const std::function<bool(const Array& words)>& suits) {
    constexpr int kTries = 2000, kTriesToSuit = 60;
    for (int tries = 0; tries < kTries; ++tries) {
        Arrays inputs = drawn(function, sizes, random);
        Array words;
        if (function.name != "translate_greedy" || !function.refusal(sizes).empty()) return inputs;
        if (decided(function, sizes, inputs, words) && (tries > kTriesToSuit || suits(words))) return inputs;
    }
    throw std::logic_error("no inputs of translate_greedy were found in which no word is a near tie");
}

/// The first sentence runs through, and consists of several words.
Arrays normal_numbers(const Function& function, const Sizes& sizes, Random& random) {
    const bool wide = sizes.count("V") != 0 && sizes.at("V") > 4;
    return draw_until(function, sizes, random, [wide](const Array& words) {
        const int N_t = words.shape[1];
        const auto first = words.as<int>().begin();
        const std::set<int> different(first, first + N_t);
        return !wide || (end_of(words, 0) == N_t && different.size() >= (N_t > 3 ? 3U : 1U));
    });
}

/// The first sentence ends early, but not at once.
Arrays early_end(const Function& function, const Sizes& sizes, Random& random) {
    return draw_until(function, sizes, random, [](const Array& words) {
        const int N_t = words.shape[1], end = end_of(words, 0);
        return N_t < 4 || (end > 0 && end < N_t - 2);
    });
}

/// Changes the last number of the first sentence of an input.
std::function<Arrays(const Function&, const Sizes&, Random&)> with_last(
    const std::string& name, const std::function<int(const Sizes&)>& number) {
    return [name, number](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = drawn(function, sizes, random);
        if (has(inputs, name)) {
            Array& array = by_name(inputs, name);
            const std::size_t each = array.count() / static_cast<std::size_t>(array.shape[0]);
            array.as<int>()[each - 1] = number(sizes);
        }
        return inputs;
    };
}

const std::vector<std::vector<std::string>>& pair_of_sentences() {
    static const auto kPair = [] {
        const auto all = data::read_sentences(data::shipped("lecture_sentences.txt"));
        return std::vector<std::vector<std::string>>{data::tokens(data::find_sentence(all, "bread_en")),
                                                     data::tokens(data::find_sentence(all, "bread_es"))};
    }();
    return kPair;
}

/// "we are eating bread" and "estamos comiendo pan" END: the words of a vocabulary START, END, 2 .. 5, 6 .. 8. For
/// cross-attention, a vector of the target is the mean of the words that it translates, and a query finds
/// what is like itself.
Arrays bread(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = drawn(function, sizes, random);
    by_name(inputs, "lengths").as<int>() = {4};
    if (has(inputs, "source")) {
        by_name(inputs, "source").as<int>() = {2, 3, 4, 5};
        if (has(inputs, "target")) by_name(inputs, "target").as<int>() = {6, 7, 8, 1};
        return inputs;
    }
    const Array words = data::embed(pair_of_sentences()[0], sizes.at("D"));
    const double share[4][4] = {{0.5, 0.5, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0.25, 0.25, 0.25, 0.25}};
    Array meant = Array::zeros<float>("X", words.shape);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int d = 0; d < sizes.at("D"); ++d)
                meant.view<float, 3>()(0, i, d) +=
                    static_cast<float>(share[i][j]) * words.view<float, 3>()(0, j, d);
    inputs = with(with(inputs, "S", words), "X", meant);
    return has(inputs, "W_K") ? with(inputs, "W_Q", by_name(inputs, "W_K")) : inputs;
}

std::vector<Recipe> recipes() {
    const auto scene = [] {
        const auto& pair = pair_of_sentences();
        std::vector<std::string> target = pair[1];
        target.emplace_back("END");
        return Scene{{{"N_s", {pair[0]}}, {"N_t", {target}}}};
    };
    return {
        {"normal", "normal numbers, random words, sentences of different lengths", {}, normal_numbers},
        {"early_end", "the first translation ends early", {}, early_end},
        {"bread",
         "\"we are eating bread\" and \"estamos comiendo pan\"",
         {{"B", 1}, {"N_s", 4}, {"N_t", 4}},
         bread,
         scene},
        {"unknown_source_word",
         "the last word of a source sentence is -1",
         {},
         with_last("source", [](const Sizes&) { return -1; })},
        {"unknown_target_word",
         "the last word of a target sentence is V",
         {},
         with_last("target", [](const Sizes& sizes) { return sizes.at("V"); })},
        {"no_word",
         "a source sentence has the length 0",
         {},
         with_last("lengths", [](const Sizes&) { return 0; })},
        {"too_long",
         "a source sentence has the length N_s + 1",
         {},
         with_last("lengths", [](const Sizes& sizes) { return sizes.at("N_s") + 1; })},
    };
}

/// Other vectors, or words, behind the end of each source sentence.
Property padding_unused(const std::string& source, const std::string& output) {
    return unchanged(
        "padding_unused", "what stands behind the end of a source sentence changes nothing",
        "with other padding",
        [source](const Arrays& inputs, Random& random) {
            Arrays changed = inputs;
            Array& array = by_name(changed, source);
            const auto& lengths = by_name(inputs, "lengths").as<int>();
            const std::size_t row = array.shape.size() == 2 ? 1 : static_cast<std::size_t>(array.shape[2]);
            const auto N_s = static_cast<std::size_t>(array.shape[1]);
            for (std::size_t k = 0; k < array.count(); ++k) {
                if (static_cast<int>(k / row % N_s) < lengths[k / row / N_s]) continue;
                if (array.shape.size() == 2)
                    array.as<int>()[k] = random.below(by_name(inputs, "embedding").shape[0]);
                else
                    array.as<float>()[k] = random.normal();
            }
            return changed;
        },
        output);
}

/// Without lengths, the vectors of the source have no order.
Property source_has_no_order() {
    return {"source_has_no_order", "vectors of the source in another order change nothing",
            [](const Arrays& inputs, Random& random) {
                const Arrays all = without(inputs, "lengths");
                const Array& S = by_name(all, "S");
                const Arrays changed = with(all, "S", permuted(S, 1, random.permutation(S.shape[1])));
                return Experiment{{all, changed}, [](const Outputs& y) {
                                      return Relations{{"Y", "Y with S in another order", by_name(y[0], "Y"),
                                                        by_name(y[1], "Y")}};
                                  }};
            }};
}

/// The outputs at the places 0 .. last - 1 of the target with another X or another word at `first` and behind.
Property future_unused(const std::string& target, const std::string& output) {
    const bool words = target == "target";
    return {"future_unused",
            words ? "the logits of a place depend on the words before it alone"
                  : "an output depends on the places up to its own alone",
            [=](const Arrays& inputs, Random& random) {
                const Array& given = by_name(inputs, target);
                std::vector<Arrays> runs{inputs};
                for (int j = 0; j < given.shape[1]; ++j) {
                    Array other = given;
                    for (int b = 0; b < given.shape[0]; ++b) {
                        if (words) {
                            int& word = other.view<int, 2>()(b, j);
                            word = (word + 1) % by_name(inputs, "embedding").shape[0];
                        } else {
                            for (int d = 0; d < given.shape[2]; ++d)
                                other.view<float, 3>()(b, j, d) = random.normal();
                        }
                    }
                    runs.push_back(with(inputs, target, other));
                }
                return Experiment{
                    runs, [=](const Outputs& y) {
                        Relations relations;
                        for (int j = 0; j + 1 < static_cast<int>(y.size()); ++j) {
                            const int until = words ? j + 1 : j;
                            if (until == 0) continue;
                            const std::string place = std::to_string(j);
                            relations.push_back(
                                {output + " up to place " + std::to_string(until - 1),
                                 "the same with another place " + place + " of " + target,
                                 leading(by_name(y[0], output), 1, until),
                                 leading(by_name(y[static_cast<std::size_t>(j) + 1], output), 1, until)});
                        }
                        return relations;
                    }};
            }};
}

Array zeros_like(const Array& array) {
    return map(array, [](double) { return 0.0; });
}

/// With W_O, W_O_c, W_2 and their biases 0, a block only normalises.
Property silent_block(Norm norm) {
    const bool pre = norm == Norm::pre;
    return {
        pre ? "silent_pre_block" : "silent_post_block",
        pre ? "with W_O, W_O_c, W_2 and their biases 0 and norm = pre, Y = X"
            : "with W_O, W_O_c, W_2 and their biases 0 and norm = post, Y = LN_3(LN_2(LN_1(X)))",
        [norm, pre](const Arrays& inputs, Random&) {
            Arrays silent = in_place_of(inputs, option("norm", static_cast<double>(norm)));
            for (const char* name : {"W_O", "b_O", "W_O_c", "b_O_c", "W_2", "b_2"})
                silent = with(silent, name, zeros_like(by_name(silent, name)));
            Array expected = by_name(inputs, "X").cast<double>();
            const int D = expected.shape[2], rows = static_cast<int>(expected.count()) / D;
            for (const char* k : {"_1", "_2", "_3"}) {
                const Array from = expected, gamma = by_name(inputs, std::string("gamma") + k).cast<double>(),
                            beta = by_name(inputs, std::string("beta") + k).cast<double>();
                if (!pre)
                    cpu::layer_norm<double>({expected.as<double>().data(), rows, D},
                                            {from.as<double>().data(), rows, D}, gamma.view<double, 1>(),
                                            beta.view<double, 1>(),
                                            by_name(inputs, "eps").as<double>().at(0));
            }
            return Experiment{
                {silent}, [expected, pre](const Outputs& y) {
                    return Relations{{"Y", pre ? "X" : "LN_3(LN_2(LN_1(X)))", by_name(y[0], "Y"), expected}};
                }};
        }};
}

/// Batch 0 alone gives what it gives among others.
Property batches_stay_apart(const std::vector<std::string>& batched, const std::string& output) {
    return {"batches_stay_apart", "the first sentence alone gives what it gives among others",
            [=](const Arrays& inputs, Random&) {
                Arrays alone = inputs;
                for (const std::string& name : batched)
                    alone = with(std::move(alone), name, leading(by_name(inputs, name), 0, 1));
                return Experiment{
                    {inputs, alone}, [output](const Outputs& y) {
                        return Relations{{output + " of batch 0", output + " of batch 0 alone",
                                          leading(by_name(y[0], output), 0, 1), by_name(y[1], output)}};
                    }};
            }};
}

/// The words in another order in the vocabulary, START apart.
Property words_have_no_order() {
    return {"words_have_no_order", "the words of the vocabulary in another order give logits in this order",
            [](const Arrays& inputs, Random& random) {
                const int V = by_name(inputs, "embedding").shape[0];
                std::vector<int> order{0};  // order[new] = old
                for (const int word : random.permutation(V - 1)) order.push_back(word + 1);
                std::vector<int> renamed(order.size());
                for (std::size_t word = 0; word < order.size(); ++word)
                    renamed[static_cast<std::size_t>(order[word])] = static_cast<int>(word);
                Arrays changed = with(inputs, "embedding", permuted(by_name(inputs, "embedding"), 0, order));
                for (const char* name : {"source", "target"})
                    for (int& word : by_name(changed, name).as<int>())
                        word = renamed[static_cast<std::size_t>(word)];
                return Experiment{{inputs, changed}, [order](const Outputs& y) {
                                      return Relations{{"logits in this order", "logits of the renamed words",
                                                        permuted(by_name(y[0], "logits"), 2, order),
                                                        by_name(y[1], "logits")}};
                                  }};
            }};
}

/// The logits of each step, and those of a whole pass over the words that were written.
Property cached_is_whole() {
    return {"cached_is_whole", "a step gives the logits that a whole pass gives for the words before it",
            [](const Arrays& inputs, Random&) {
                const Arrays endless = in_place_of(inputs, option("end", -1));
                return Experiment{
                    {endless}, [endless](const Outputs& y) {
                        const Function& whole = *module_of("transformer")->find_function("transformer");
                        Arrays asked = endless;
                        Array target = by_name(endless, "source");
                        target.name = "target";
                        target.shape = by_name(y[0], "words").shape;
                        target.values = std::vector<int>(target.count());
                        const int V = by_name(endless, "embedding").shape[0];
                        for (std::size_t k = 0; k < target.count(); ++k)
                            target.as<int>()[k] =
                                std::clamp(static_cast<int>(number_at(by_name(y[0], "words"), k)), 0, V - 1);
                        asked.push_back(target);
                        return Relations{{"the logits of the steps", "those of a whole pass over these words",
                                          by_name(y[0], "logits"),
                                          by_name(evaluate(whole, asked, Precision::f64), "logits")}};
                    }};
            }};
}

/// Fewer steps give the first words.
Property fewer_steps() {
    return {"fewer_steps", "fewer steps give the first words and logits of more steps",
            [](const Arrays& inputs, Random&) {
                const int N_t = static_cast<int>(by_name(inputs, "N_t").as<double>().at(0));
                const Arrays shorter = in_place_of(inputs, option("N_t", N_t - 1));
                return Experiment{{inputs, shorter}, [N_t](const Outputs& y) {
                                      Relations relations;
                                      for (const char* name : {"words", "logits"})
                                          relations.push_back({std::string("the first ") + name,
                                                               std::string(name) + " of a step less",
                                                               leading(by_name(y[0], name), 1, N_t - 1),
                                                               by_name(y[1], name)});
                                      return relations;
                                  }};
            }};
}

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"cross_attention",
         {rows_sum_to_one("A"), padding_unused("S", "Y"), source_has_no_order(),
          equivariant("queries_permute", "places of the target in another order give outputs in this order",
                      {"X"}, 1),
          batches_stay_apart({"X", "S", "lengths"}, "Y")}},
        {"decoder_block",
         {future_unused("X", "Y"), padding_unused("S", "Y"), source_has_no_order(), silent_block(Norm::pre),
          silent_block(Norm::post), batches_stay_apart({"X", "S", "lengths"}, "Y")}},
        {"transformer",
         {future_unused("target", "logits"), padding_unused("source", "logits"), words_have_no_order(),
          batches_stay_apart({"source", "target", "lengths"}, "logits")}},
        {"translate_greedy",
         {cached_is_whole(), padding_unused("source", "logits"), fewer_steps(),
          batches_stay_apart({"source", "lengths"}, "words")}},
    };
}

const Registration kRegistered({"encoder_decoder", contract_functions(), recipes(), properties(), {}, {}});

}  // namespace
}  // namespace attn::ask::encoder_decoder
