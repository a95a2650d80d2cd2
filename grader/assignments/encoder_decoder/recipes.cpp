// Assignment 10: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

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
        const auto times = [&](double factor, double shift = 0) {
            return scaled(normal(spec.name, shape, random), factor, shift);
        };
        if (spec.name == "lengths")
            inputs.push_back(some_lengths(shape[0], sizes.at("N_s"), random));
        else if (spec.type == ElementType::i32)
            inputs.push_back(some_words(spec.name, shape, sizes.at("V"), random));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(times(0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(times(1.5 / std::sqrt(*(shape.end() - 2))));
        else if (spec.name == "embedding")
            inputs.push_back(times(1 / std::sqrt(shape[1])));
        else
            inputs.push_back(times(spec.name == "X" || spec.name == "S" ? 1 : 0.5));
    }
    return inputs;
}

/// How a block is computed.
struct BlockForm {
    double norm, activation;
};

/// The words of a translation with blocks of this form. Nothing if the two largest logits of a step are nearly equal.
std::optional<Array> decided_words(const Function& function, const Sizes& sizes, double eps, Arrays inputs,
                                   const BlockForm& form) {
    constexpr double kMargin = 1e-3;
    for (const char* letter : {"H", "N_t"}) inputs.push_back(option(letter, sizes.at(letter)));
    inputs.push_back(option("end", -1));
    inputs.push_back(option("eps", eps));
    inputs.push_back(option("norm", form.norm));
    inputs.push_back(option("activation", form.activation));
    const Arrays outputs = evaluate(function, inputs, Precision::f64);
    const auto& logits = by_name(outputs, "logits").as<double>();
    const auto V = static_cast<std::size_t>(sizes.at("V"));
    for (std::size_t row = 0; row < logits.size(); row += V) {
        std::vector<double> best(logits.begin() + static_cast<std::ptrdiff_t>(row),
                                 logits.begin() + static_cast<std::ptrdiff_t>(row + V));
        std::sort(best.rbegin(), best.rend());
        if (V > 1 && !(best[0] - best[1] > kMargin)) return std::nullopt;
    }
    return by_name(outputs, "words");
}

/// Whether no step of a translation is a near tie, for blocks of every other form.
bool decided_elsewhere(const Function& function, const Sizes& sizes, double eps, const Arrays& inputs,
                       const BlockForm& known) {
    for (const double norm : {1, 0})
        for (const double activation : {2, 1, 0})
            if ((norm != known.norm || activation != known.activation) &&
                !decided_words(function, sizes, eps, inputs, {norm, activation}))
                return false;
    return true;
}

/// The step at which sentence b of these words ends, or N_t.
int end_of(const Array& words, int b, int end = 1) {
    int t = 0;
    while (t < words.shape[1] && words.view<int, 2>()(b, t) != end) ++t;
    return t;
}

/// Inputs for which rounding decides no word of a greedy translation, with any norm and activation: the best two logits
/// of each step differ by more than a thousandth. `suits`: what the words of a translation with blocks of this form
/// should be like. At some sizes no words are: with D = 1, all steps choose the same word.
Arrays draw_until(const Function& function, const Sizes& sizes, double eps, const BlockForm& form,
                  Random& random, const std::function<bool(const Array& words)>& suits) {
    constexpr int kTries = 2000, kTriesToSuit = 60;
    for (int tries = 0; tries < kTries; ++tries) {
        Arrays inputs = drawn(function, sizes, random);
        if (function.name != "translate_greedy" || !function.refusal(sizes).empty()) return inputs;
        // One form of blocks is enough to refuse most draws.
        const std::optional<Array> words = decided_words(function, sizes, eps, inputs, form);
        if (words && (tries > kTriesToSuit || suits(*words)) &&
            decided_elsewhere(function, sizes, eps, inputs, form))
            return inputs;
    }
    throw std::logic_error("no inputs of translate_greedy were found in which no word is a near tie");
}

constexpr double kSmallEps = 1e-5, kLargeEps = 0.25;  ///< of the layer norms
constexpr BlockForm kPreRelu{0, 0}, kPostGeluTanh{1, 2};

/// The first sentence runs through, and consists of several words.
Arrays normal_numbers(const Function& function, const Sizes& sizes, Random& random) {
    const bool wide = sizes.count("V") != 0 && sizes.at("V") > 4;
    return draw_until(function, sizes, kSmallEps, kPreRelu, random, [wide](const Array& words) {
        const int N_t = words.shape[1];
        const auto first = words.as<int>().begin();
        const std::set<int> different(first, first + N_t);
        return !wide || (end_of(words, 0) == N_t && different.size() >= (N_t > 3 ? 3U : 1U));
    });
}

/// The first sentence ends early, but not at once.
Arrays early_end(const Function& function, const Sizes& sizes, Random& random) {
    return draw_until(function, sizes, kSmallEps, kPreRelu, random, [](const Array& words) {
        const int N_t = words.shape[1], end = end_of(words, 0);
        return N_t < 4 || (end > 0 && end < N_t - 2);
    });
}

/// A sentence has another word, and then START as its last word.
Arrays comes_back(const Function& function, const Sizes& sizes, Random& random) {
    return draw_until(function, sizes, kSmallEps, kPreRelu, random, [](const Array& all) {
        const auto words = all.view<int, 2>();
        const int last = words.size(1) - 1;
        for (int b = 0; b < words.size(0); ++b)
            if (last > 0 && end_of(all, b) > last && words(b, last) == 0 && words(b, last - 1) != 0)
                return true;
        return last == 0;
    });
}

/// For a large eps. With post-norm and gelu_tanh, one sentence begins with word 2, and another one has it later.
Arrays large_eps(const Function& function, const Sizes& sizes, Random& random) {
    return draw_until(function, sizes, kLargeEps, kPostGeluTanh, random, [](const Array& words) {
        bool at_once = false, later = false;
        for (int b = 0; b < words.shape[0]; ++b) {
            const int end = end_of(words, b, 2);
            at_once = at_once || end == 0;
            later = later || (end > 0 && end + 1 < words.shape[1]);
        }
        return at_once && later;
    });
}

/// Scores are so large that their exp is infinite or 0. A translation would consist of near ties, so its
/// scores stay as they are.
Arrays large_scores(const Function& function, const Sizes& sizes, Random& random) {
    if (function.name == "translate_greedy") return normal_numbers(function, sizes, random);
    Arrays inputs = drawn(function, sizes, random);
    for (Array& array : inputs)
        if (array.name.starts_with("W_Q")) array = map(array, [](double x) { return 200 * x; });
    return inputs;
}

/// All words have the vector 0. So all logits are exactly 0, in whatever order they are added up.
Arrays equal_words(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = drawn(function, sizes, random);
    Array& embedding = by_name(inputs, "embedding");
    embedding = Array::zeros<float>("embedding", embedding.shape);
    return inputs;
}

/// Changes the last number of the last sentence of an input.
std::function<Arrays(const Function&, const Sizes&, Random&)> with_last(
    const std::string& name, const std::function<int(const Sizes&)>& number) {
    return [name, number](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = drawn(function, sizes, random);
        if (has(inputs, name)) by_name(inputs, name).as<int>().back() = number(sizes);
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

}  // namespace

std::vector<Recipe> recipes() {
    const auto scene = [] {
        const auto& pair = pair_of_sentences();
        std::vector<std::string> target = pair[1];
        target.emplace_back("END");
        return Scene{{{"N_s", {pair[0]}}, {"N_t", {target}}}};
    };
    return {
        {"normal", "normal numbers, sentences of different lengths", {}, normal_numbers},
        {"early_end", "the first translation ends early", {}, early_end},
        {"comes_back", "the last word of a translation is START", {}, comes_back},
        {"large_eps", "normal numbers, for layer norms with an eps of 0.25", {}, large_eps},
        {"equal_words", "words that all have the vector 0, so that all logits are 0", {}, equal_words},
        {"large_scores", "scores far from 0", {}, large_scores},
        {"bread",
         "\"we are eating bread\" and \"estamos comiendo pan\"",
         {{"B", 1}, {"N_s", 4}, {"N_t", 4}},
         bread,
         scene},
        {"unknown_source_word",
         "the last word of a source sentence is -1",
         {},
         with_last("source", [](const Sizes&) { return -1; })},
        {"source_word_V",
         "the last word of a source sentence is V",
         {},
         with_last("source", [](const Sizes& sizes) { return sizes.at("V"); })},
        {"negative_target_word",
         "the last word of a target sentence is -1",
         {},
         with_last("target", [](const Sizes&) { return -1; })},
        {"unknown_target_word",
         "the last word of a target sentence is V",
         {},
         with_last("target", [](const Sizes& sizes) { return sizes.at("V"); })},
        {"no_word",
         "a source sentence has the length 0",
         {},
         with_last("lengths", [](const Sizes&) { return 0; })},
        {"below_0",
         "a source sentence has the length -1",
         {},
         with_last("lengths", [](const Sizes&) { return -1; })},
        {"too_long",
         "a source sentence has the length N_s + 1",
         {},
         with_last("lengths", [](const Sizes& sizes) { return sizes.at("N_s") + 1; })},
    };
}

}  // namespace attn::ask::encoder_decoder
