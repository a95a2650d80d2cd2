// Assignment 11: the recipes of inputs.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "datasets/alphabet.h"
#include "datasets/prose.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/ask/three_sentences.h"

namespace attn::ask::language_model {
namespace {

int vocabulary(const Sizes& sizes) {
    constexpr int kWithoutLogits = 9;  // for functions that know only tokens
    return sizes.contains("V") ? sizes.at("V") : kWithoutLogits;
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

/// A uniform number is below 1.
Arrays with_uniforms_below_1(Arrays inputs) {
    if (has(inputs, "u"))
        for (float& u : by_name(inputs, "u").as<float>())
            if (u >= 1) u = 0.5F;
    return inputs;
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

constexpr int kLineLetters = 48, kPageLetters = 26;  // no word of the page has a z

/// The small letters of the page, with one blank between words.
const std::string& letters_of_page() {
    static const std::string kLetters = [] {
        std::string letters;
        for (const char c : data::page_of_text()) {
            const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
            if (is_letter)
                letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (!letters.ends_with(' '))
                letters += ' ';
        }
        return letters;
    }();
    return kLetters;
}

/// The page as numbers of an alphabet, and how often letter v follows letter w on it: [w][v].
struct Page {
    Page() : alphabet(letters_of_page()), letters(alphabet.numbers(letters_of_page())) {
        const auto V = static_cast<std::size_t>(alphabet.size());
        follows.assign(V, std::vector<int>(V));
        for (std::size_t k = 1; k < letters.size(); ++k)
            ++follows[static_cast<std::size_t>(letters[k - 1])][static_cast<std::size_t>(letters[k])];
    }
    data::Alphabet alphabet;
    std::vector<std::int32_t> letters;
    std::vector<std::vector<int>> follows;
};

const Page& page() {
    static const Page kPage;
    return kPage;
}

/// Place i has read the letters before targets[i]; behind the last target, next_token_probabilities reads
/// all.
Arrays line_of_page(const Function& function, const Sizes& sizes, Random& random) {
    const bool has_targets = function.inputs.back().name == "targets";
    Arrays inputs = plain_inputs(function, sizes, random);
    for (int i = 0; i < kLineLetters; ++i) {
        const int read = has_targets ? i - 1 : i;
        // A blank stands in front of the line.
        const auto last =
            static_cast<std::size_t>(read < 0 ? 0 : page().letters[static_cast<std::size_t>(read)]);
        for (Array& array : inputs) {
            if (array.name == "targets")
                array.view<int, 2>()(0, i) = page().letters[static_cast<std::size_t>(i)];
            for (int v = 0; array.name == "logits" && v < kPageLetters; ++v) {
                float& x = array.view<float, 3>()(0, i, v);
                constexpr double kNever = 0.1;  // so that no probability is 0
                x = static_cast<float>(std::log(kNever + page().follows[last][static_cast<std::size_t>(v)])) +
                    x / 8;
            }
        }
    }
    return inputs;
}

Scene scene_of_line() {
    const auto drawn = [](char letter) {
        return letter == ' ' ? std::string("\u2423") : std::string{letter};
    };
    std::vector<std::string> line, alphabet;
    for (int i = 0; i < kLineLetters; ++i)
        line.push_back(drawn(letters_of_page()[static_cast<std::size_t>(i)]));
    for (const char letter : page().alphabet.characters()) alphabet.push_back(drawn(letter));
    return {{{"N", {line}}, {"V", {alphabet}}}};
}

}  // namespace

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
    // The exact sum of a row is above every u, but the sum of rounded probabilities may not be.
    const auto nearly_1 =
        with_changed({{"P", [](int k, double x, int V) { return V > 1 && k % V + 1 == V ? 0 : x; }},
                      {"u", [](int, double, int) { return std::nextafter(1.0F, 0.0F); }}});
    std::vector<Recipe> all = {
        {"normal", "normal numbers", {}, decided({1, 1, 1})},
        {"sampled", "normal numbers, for 3 kept tokens at temperature 0.8", {}, decided({3, 0.8, 1})},
        {"endless", "normal numbers, for a text without an end", {}, decided({1, 1, -1})},
        {"overflow", "logits near +-10000", {}, overflow},
        {"borders", "equal probabilities, with u on the borders between tokens", {}, borders},
        {"impossible", "probabilities of 0, and u at 0", {}, impossible},
        {"nearly_1", "u just below 1, and a last token of probability 0", {}, nearly_1},
        {"nothing_counts",
         "targets of which none counts",
         {},
         with_changed({{"targets", [](int, double, int) { return -1.0; }}})},
        {"token_V", "a token V, which does not exist", {}, with_token([](int V) { return V; })},
        {"negative_token", "a negative token", {}, with_token([](int) { return -2; })},
        {"sentences",
         "the three sentences of a lecture",
         {{"B", 3}, {"N", 8}},
         sentences,
         [] { return scene_of_sentences(8); }},
        {"page",
         "a line of a book, and a model that knows which letter follows which",
         {{"B", 1}, {"N", kLineLetters}, {"V", kPageLetters}},
         line_of_page,
         scene_of_line}};
    for (Recipe& recipe : all) recipe.consistent = with_uniforms_below_1;
    return all;
}

}  // namespace attn::ask::language_model
