// Assignment 12: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/masked_language_model/helpers.h"

namespace attn::ask::masked_language_model {
namespace {

/// The words of a vocabulary. A call may be made smaller until there is none.
int words_of(const Sizes& sizes) {
    return std::max(1, sizes.at("V") - kSpecial);
}

/// A number 0 .. 1 that lies clearly beside every border: between kinds, and between words if there are `words`.
double clear_uniform(int words, Random& random) {
    constexpr double kMargin = 1e-3;
    for (;;) {
        const double u = random.uniform();
        const double part = u * words - std::floor(u * words);
        if (std::abs(u - 0.8) > kMargin && std::abs(u - 0.9) > kMargin && part > kMargin &&
            part < 1 - kMargin)
            return u;
    }
}

/// Uniform numbers are 0 .. 1 without 1. A 1 or 2 that makes a case simple becomes a place that is not chosen, the kind of
/// another word, or the word in the middle.
Arrays with_uniforms_below_1(Arrays inputs) {
    for (Array& array : inputs) {
        if (!array.name.starts_with("u_")) continue;
        const float inside = array.name == "u_kind" ? 0.875F : array.name == "u_word" ? 0.5F : 0.75F;
        for (float& u : array.as<float>())
            if (u < 0 || u >= 1) u = inside;
    }
    return inputs;
}

/// Whole numbers: tokens, targets of which some count, and lengths.
Array whole_numbers(const TensorSpec& spec, const Sizes& sizes, Random& random) {
    const Shape shape = shape_of(spec, sizes);
    if (!spec.name.starts_with("lengths")) return random_tokens(spec.name, shape, sizes.at("V"), random);
    const std::string letter = spec.name == "lengths" ? "N" : "N_" + spec.name.substr(8);
    Array lengths = Array::zeros<std::int32_t>(spec.name, shape);
    for (std::int32_t& length : lengths.as<std::int32_t>()) length = 1 + random.below(sizes.at(letter));
    return lengths;
}

/// The tensors of a function: weights with which every sum stays near 1.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32)
            inputs.push_back(whole_numbers(spec, sizes, random));
        else if (spec.name.starts_with("u_"))
            inputs.push_back(map(normal(spec.name, shape, random), [&](double) {
                return clear_uniform(spec.name == "u_word" ? words_of(sizes) : 1, random);
            }));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 1.5 / std::sqrt(*(shape.end() - 2))));
        else
            inputs.push_back(normal(spec.name, shape, random));
    }
    return inputs;
}

using Change = std::function<double(int k, double x, const Sizes& sizes)>;
using Make = std::function<Arrays(const Function&, const Sizes&, Random&)>;

/// The plain inputs with arrays changed: element k of the array of this name from x to change(k, x, sizes).
Make with_changed(std::map<std::string, Change> changes) {
    return [changes = std::move(changes)](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        for (Array& array : inputs)
            if (const auto change = changes.find(array.name); change != changes.end())
                array = map(array, [&, k = 0](double x) mutable { return change->second(k++, x, sizes); });
        return inputs;
    };
}

/// The last number of the array of this name is this one.
Make with_last(const std::string& name, std::function<int(const Sizes&)> number) {
    return [name, number = std::move(number)](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        by_name(inputs, name).as<std::int32_t>().back() = number(sizes);
        return inputs;
    };
}

/// Tokens of D2's sentence "take a seat , have a drink" between <s> and </s>: its words in the order of the alphabet from token 5 on.
/// The words "take" and "," and the last word are chosen, and replaced by <mask>, as on the slide.
constexpr int kSeatPlaces = 9, kSeatTokens = 11;

const std::vector<std::string>& seat_vocabulary() {
    static const std::vector<std::string> kWords = [] {
        std::vector<std::string> words = data::lecture_tokens("seat");
        std::ranges::sort(words);
        words.erase(std::unique(words.begin(), words.end()), words.end());
        const std::vector<std::string> special = {"<pad>", "<s>", "</s>", "<sep>", "<mask>"};
        words.insert(words.begin(), special.begin(), special.end());
        return words;
    }();
    return kWords;
}

std::vector<std::int32_t> numbers_in(const std::vector<std::string>& vocabulary,
                                     const std::vector<std::string>& words) {
    std::vector<std::int32_t> numbers;
    for (const std::string& word : words)
        numbers.push_back(
            static_cast<std::int32_t>(std::ranges::find(vocabulary, word) - vocabulary.begin()));
    return numbers;
}

std::vector<std::string> seat_tokens() {
    std::vector<std::string> words = data::lecture_tokens("seat");
    words.insert(words.begin(), "<s>");
    words.emplace_back("</s>");
    return words;
}

/// Whether the slide hides this place of the sentence between <s> and </s>.
bool is_hidden(int place) {
    return place == 1 || place == 4 || place == 7;
}

/// The sentence, hidden as on the slide. For the loss: logits of a model that likes every word that occurs, and the right one most.
Arrays seat(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    const std::vector<std::int32_t> tokens = numbers_in(seat_vocabulary(), seat_tokens());
    for (Array& array : inputs) {
        for (int i = 0; i < kSeatPlaces; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (array.name == "tokens") array.as<std::int32_t>()[at] = tokens[at];
            if (array.name == "targets") array.as<std::int32_t>()[at] = is_hidden(i) ? tokens[at] : -1;
            if (array.name == "u_place") array.as<float>()[at] = is_hidden(i) ? 0.0625F : 0.75F;
            if (array.name == "u_kind") array.as<float>()[at] = 0.5F;
            for (int v = 0; array.name == "logits" && v < kSeatTokens; ++v)
                array.view<float, 3>()(0, i, v) +=
                    (v >= kSpecial ? 2.0F : 0.0F) + (v == tokens[at] ? 2.0F : 0.0F);
        }
    }
    return inputs;
}

/// The vocabulary of "I am hungry" and "J' ai faim", after the special tokens.
const std::vector<std::string>& hungry_vocabulary() {
    static const std::vector<std::string> kWords = [] {
        std::vector<std::string> words = {"<pad>", "<s>", "</s>", "<sep>", "<mask>"};
        for (const char* name : {"hungry_en", "hungry_fr"})
            for (std::string& word : data::lecture_tokens(name)) words.push_back(std::move(word));
        return words;
    }();
    return kWords;
}

/// "I am <mask>" and "J' <mask> faim", as on D2's slide.
Arrays hungry(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    for (Array& array : inputs) {
        const bool is_first = array.name == "first" || array.name == "premise";
        if (is_first || array.name == "second" || array.name == "hypothesis") {
            std::vector<std::string> words = data::lecture_tokens(is_first ? "hungry_en" : "hungry_fr");
            words[is_first ? 2 : 1] = "<mask>";
            const std::vector<std::int32_t> numbers = numbers_in(hungry_vocabulary(), words);
            std::ranges::copy(numbers, array.as<std::int32_t>().begin());
        }
        if (array.name.starts_with("lengths")) array.as<std::int32_t>()[0] = 3;
    }
    return inputs;
}

Scene scene_of_seat() {
    return {{{"N", {seat_tokens()}}, {"V", {seat_vocabulary()}}}};
}

}  // namespace

std::vector<Recipe> recipes() {
    const auto whole = [](int number) { return [number](const Sizes&) { return number; }; };
    const auto letter = [](const char* name, int more) {
        return [name, more](const Sizes& sizes) { return sizes.at(name) + more; };
    };
    const auto hardly = [](int, double x, const Sizes&) { return x / 300; };
    // With share = 1/4 and as many words as a power of two, all products are exact.
    const Make borders = with_changed({{"u_place", [](int k, double, const Sizes&) { return k % 3 * 0.125; }},
                                       {"u_word",
                                        [](int k, double, const Sizes& sizes) {
                                            const int words = words_of(sizes);
                                            return static_cast<double>(k % words) / words;
                                        }},
                                       {"u_kind", [](int k, double, const Sizes&) {
                                            constexpr float kKinds[] = {0.875F, 0.8F, 0, 0.9F};
                                            return static_cast<double>(kKinds[k % 4]);
                                        }}});
    // A special token, a word for each of the three kinds, and two that are not chosen
    const Make three_kinds =
        with_changed({{"tokens",
                       [](int k, double x, const Sizes& sizes) {
                           return k % 6 == 0 ? 1 : x < kSpecial ? sizes.at("V") - 1 : x;
                       }},
                      {"u_place", [](int k, double, const Sizes&) { return k % 6 < 4 ? 0.125 : 0.5; }},
                      {"u_kind", [](int k, double, const Sizes&) {
                           return k % 3 == 1 ? 0.25 : k % 3 == 2 ? 0.875 : 0.9375;
                       }}});
    const Make last_word =
        with_changed({{"u_word", [](int, double, const Sizes&) { return std::nextafter(1.0F, 0.0F); }},
                      {"u_kind", [](int, double, const Sizes&) { return 0.85; }}});
    std::vector<Recipe> all = {
        {"normal", "normal numbers", {}, plain_inputs},
        {"example", "a word that is hidden, one that is replaced and one that stays", {}, three_kinds},
        {"words",
         "tokens that are all words",
         {},
         with_changed({{"tokens", [](int, double x,
                                     const Sizes& sizes) { return x < kSpecial ? sizes.at("V") - 1 : x; }}})},
        {"special",
         "tokens that are all special",
         {},
         with_changed({{"tokens", [](int k, double, const Sizes&) { return k % kSpecial; }}})},
        {"borders",
         "numbers on the borders between chosen and not, between kinds, and between words",
         {},
         borders},
        {"last_word", "random words with a number just below 1", {}, last_word},
        {"overflow",
         "logits near +-10000",
         {},
         with_changed({{"logits", [](int, double x, const Sizes&) { return 4000 * x; }}})},
        {"ties",
         "several logits are the largest",
         {},
         with_changed(
             {{"logits", [](int, double x, const Sizes&) { return std::min(0.0, std::round(x)); }}})},
        {"nothing_counts",
         "targets of which none counts",
         {},
         with_changed({{"targets", [](int, double, const Sizes&) { return -1.0; }}})},
        {"loud",
         "vectors that saturate tanh",
         {},
         with_changed({{"X", [](int, double x, const Sizes&) { return 40 * x; }}})},
        {"low_variance",
         "a layer norm of numbers that hardly differ",
         {},
         with_changed({{"W", hardly}, {"b", [](int, double, const Sizes&) { return 1.0; }}})},
        {"quiet",
         "vectors of tokens that hardly vary",
         {},
         with_changed({{"table", hardly}, {"P", hardly}, {"E", hardly}, {"b_V", hardly}, {"b_O", hardly}})},
        {"token_V", "a token V, which does not exist", {}, with_last("tokens", letter("V", 0))},
        {"negative_token", "a negative token", {}, with_last("tokens", whole(-1))},
        {"target_V", "a target V, which does not exist", {}, with_last("targets", letter("V", 0))},
        {"negative_target", "a target -2", {}, with_last("targets", whole(-2))},
        {"no_length", "a length of 0", {}, with_last("lengths", whole(0))},
        {"too_long", "a length above N", {}, with_last("lengths", letter("N", 1))},
        {"first_V", "a word V in the first sentence", {}, with_last("first", letter("V", 0))},
        {"first_negative", "a negative word in the first sentence", {}, with_last("first", whole(-1))},
        {"second_V", "a word V in the second sentence", {}, with_last("second", letter("V", 0))},
        {"second_negative", "a negative word in the second sentence", {}, with_last("second", whole(-1))},
        {"premise_V", "a word V in the premise", {}, with_last("premise", letter("V", 0))},
        {"premise_negative", "a negative word in the premise", {}, with_last("premise", whole(-1))},
        {"hypothesis_V", "a word V in the hypothesis", {}, with_last("hypothesis", letter("V", 0))},
        {"hypothesis_negative", "a negative word in the hypothesis", {}, with_last("hypothesis", whole(-1))},
        {"no_length_1", "a first sentence without words", {}, with_last("lengths_1", whole(0))},
        {"too_long_1", "a first sentence longer than N_1", {}, with_last("lengths_1", letter("N_1", 1))},
        {"no_length_2", "a second sentence without words", {}, with_last("lengths_2", whole(0))},
        {"too_long_2", "a second sentence longer than N_2", {}, with_last("lengths_2", letter("N_2", 1))},
        {"seat",
         "a lecture's sentence \"take a seat , have a drink\", of which it hides three words",
         {{"B", 1}, {"N", kSeatPlaces}, {"V", kSeatTokens}},
         seat,
         scene_of_seat},
        {"hungry",
         "a lecture's sentences \"I am <mask>\" and \"J' <mask> faim\"",
         {{"B", 1}, {"N_1", 3}, {"N_2", 3}, {"V", 11}},
         hungry},
    };
    for (Recipe& recipe : all) recipe.consistent = with_uniforms_below_1;
    return all;
}

}  // namespace attn::ask::masked_language_model
