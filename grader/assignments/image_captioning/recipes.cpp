// Assignment 8: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "datasets/digits.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::image_captioning {
namespace {

constexpr int kEos = 1;

/// Captions that end at different places, with any tokens after the end. Every third has no end.
Array captions(const Shape& shape, int V, Random& random) {
    Array y = random_tokens("y", shape, V, random);
    const auto tokens = y.view<int, 2>();
    const int L = tokens.size(1);
    for (int b = 0; b < tokens.size(0); ++b) {
        const int end = b % 3 == 2 ? L : b % 3 == 1 ? std::max(L - 2, 0) : L - 1 - random.below((L + 1) / 2);
        for (int t = 0; t < L; ++t)
            if (V > kEos && t <= end && (t == end || tokens(b, t) == kEos))
                tokens(b, t) = t == end ? kEos : V - 1;
    }
    return y;
}

/// Normal numbers. Weights are divided by the root of the number of their terms.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32) {
            const int V = sizes.at("V");
            inputs.push_back(shape.size() == 2 ? captions(shape, V, random)
                                               : random_tokens(spec.name, shape, V, random));
            continue;
        }
        double terms = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) terms *= shape[axis];
        const bool weights = spec.name[0] == 'W';
        const double size = weights ? 1.5 / std::sqrt(terms) : spec.name == "v" ? 2 / std::sqrt(shape[0]) : 1;
        inputs.push_back(scaled(normal(spec.name, shape, random), spec.name[0] == 'b' ? 0.5 : size));
    }
    return inputs;
}

const Function& function_of(const std::string& name) {
    return *module_of(name)->find_function(name);
}

/// Whether every word that caption_greedy says has a logit clearly above the others. Rounding could turn any other
/// decision.
bool is_decided(const Arrays& inputs, const Array& y, int eos) {
    constexpr double kMargin = 1e-3;
    Arrays step = in_place_of(inputs, named("s_prev", output_of("first_state", inputs, "s_0")));
    const auto said = y.view<int, 2>();
    Array words = Array::zeros<std::int32_t>("y_prev", {said.size(0)});
    std::set<int> ended;
    for (int t = 0; t < said.size(1); ++t) {
        for (int b = 0; t > 0 && b < said.size(0); ++b) words.view<int, 1>()(b) = said(b, t - 1);
        const Arrays out = evaluate(function_of("caption_step"), in_place_of(step, words), Precision::f64);
        step = in_place_of(step, named("s_prev", out[0].cast<float>()));
        const auto logits = out[2].view<double, 2>();
        for (int b = 0; b < logits.size(0); ++b) {
            int near = 0;
            for (int v = 0; v < logits.size(1); ++v)
                near += logits(b, v) > logits(b, said(b, t)) - kMargin ? 1 : 0;
            if (near > 1 && !ended.contains(b)) return false;
            if (said(b, t) == eos) ended.insert(b);
        }
    }
    return true;
}

/// Whether one caption ends after its first word and before its last step, and another one does not.
bool is_varied(const Array& y, int eos) {
    const auto said = y.view<int, 2>();
    int early = 0, late = 0;
    for (int b = 0; b < said.size(0); ++b) {
        const bool at_once = said(b, 0) == eos, at_the_end = said(b, said.size(1) - 2) == eos;
        early += at_the_end && !at_once ? 1 : 0;
        late += at_the_end ? 0 : 1;
    }
    return early > 0 && late > 0;
}

/// Inputs for which every right caption_greedy says the same words, and not all captions are of the same length.
template <int Start, int Eos>
Arrays decided(const Function& function, const Sizes& sizes, Random& random) {
    constexpr int kTries = 10000, kSmall = 10;
    Arrays inputs = plain_inputs(function, sizes, random);
    if (function.name != "caption_greedy" || Start >= sizes.at("V")) return inputs;
    const bool varied = sizes.at("B") > 1 && sizes.at("L") > 2 && sizes.at("V") > 2 && sizes.at("V") < kSmall;
    for (int tries = 0; tries < kTries; ++tries) {
        const Arrays given = in_place_of(in_place_of(inputs, option("start", Start)), option("eos", Eos));
        const Array y = evaluate(function, in_place_of(given, option("L", sizes.at("L"))), Precision::f64)[0];
        if ((!varied || is_varied(y, Eos)) && is_decided(given, y, Eos)) return inputs;
        inputs = plain_inputs(function, sizes, random);
    }
    throw std::logic_error("no inputs of caption_greedy are decided: " +
                           to_string(sizes, function.letters()));
}

using Change = std::function<double(double x)>;

/// The inputs of "normal" with f of each number of these arrays.
std::function<Arrays(const Function&, const Sizes&, Random&)> changed(std::vector<std::string> names,
                                                                      Change f) {
    return [names = std::move(names), f = std::move(f)](const Function& function, const Sizes& sizes,
                                                        Random& random) {
        Arrays inputs = decided<0, kEos>(function, sizes, random);
        for (Array& array : inputs)
            if (std::ranges::find(names, array.name) != names.end()) array = map(array, f);
        return inputs;
    };
}

/// The last caption's first word, or the last of the words before, is this one, or that far above the last token. `AtEnd`: the
/// last caption's last word, which may stand behind its end.
template <int Word, bool AboveV, bool AtEnd = false>
Arrays bad_word(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "y" || array.name == "y_prev")
            *(array.as<std::int32_t>().end() - (array.name == "y" && !AtEnd ? array.shape[1] : 1)) =
                Word + (AboveV ? sizes.at("V") : 0);
    return inputs;
}

/// Captions of one word and of none but EOS.
Arrays short_captions(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    const auto y = by_name(inputs, "y").view<int, 2>();
    for (int b = 0; b < y.size(0); ++b) y(b, std::min(b % 2, y.size(1) - 1)) = kEos;
    return inputs;
}

/// Logits that are whole numbers, whatever the state, of which several are the largest.
Arrays ties(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = with_zeros(plain_inputs(function, sizes, random), {"W_o"});
    Array& b_o = by_name(inputs, "b_o");
    const int V = static_cast<int>(b_o.count()), first = V / 2;
    for (int v = 0; v < V; ++v)
        b_o.as<float>()[static_cast<std::size_t>(v)] = v < first || v % 3 == 2 ? 1 : 2;
    return inputs;
}

/// One word is certain, and it is not always the right one: the first of two, or the last of more.
Arrays certain(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    auto& b_o = by_name(inputs, "b_o").as<float>();
    for (std::size_t v = 0; v < b_o.size(); ++v)
        b_o[v] = v == (b_o.size() == 2 ? 0 : b_o.size() - 1) ? 9000 : -9000;
    return inputs;
}

/// So far apart that the softmax of every second word is 0 in float, but so small that exp of them is not infinite.
Arrays far_apart(const Function& function, const Sizes& sizes, Random& random) {
    constexpr float kSize = 57;
    Arrays inputs = plain_inputs(function, sizes, random);
    auto& b_o = by_name(inputs, "b_o").as<float>();
    for (std::size_t v = 0; v < b_o.size(); ++v) b_o[v] += v % 2 == 0 ? kSize : -kSize;
    return inputs;
}

constexpr int kSide = 8;

const data::Digits& all_digits() {
    static const data::Digits kDigits = data::read_digits(data::shipped("digits.csv.gz"));
    return kDigits;
}

/// A handwritten 0, and two kernels that find edges: below minus above, right minus left.
Arrays digit(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = with_zeros(plain_inputs(function, sizes, random), {"bias"});
    const auto X = by_name(inputs, "X").view<float, 4>(), W = by_name(inputs, "W").view<float, 4>();
    for (int r = 0; r < kSide; ++r)
        for (int k = 0; k < kSide; ++k) X(0, r, k, 0) = all_digits().pixels.view<float, 3>()(0, r, k) / 16;
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) {
            W(p, q, 0, 0) = static_cast<float>((p - 1) * (q == 1 ? 2 : 1)) / 4;
            W(p, q, 0, 1) = static_cast<float>((q - 1) * (p == 1 ? 2 : 1)) / 4;
        }
    return inputs;
}

/// The maps of both kernels.
std::optional<Drawing> edges(const Arrays& inputs, const Arrays& outputs) {
    const Array &X = by_name(inputs, "X"), &Y = by_name(outputs, "Y");
    Drawing drawn;
    drawn.matrices = Array::zeros<double>("", {3, kSide, kSide});
    const auto to = drawn.matrices.view<double, 3>();
    for (int r = 0; r < kSide; ++r)
        for (int k = 0; k < kSide; ++k)
            for (int map = 0; map < 3; ++map) {
                const int cell = r * kSide + k;
                to(map, r, k) = map == 0 ? number_at(X, static_cast<std::size_t>(cell))
                                         : number_at(Y, static_cast<std::size_t>(2 * cell + map - 1));
            }
    drawn.letters = {"map", "R", "C"};
    drawn.sentences = {
        "A handwritten 0; what the first kernel finds, which takes the row above from the row below; and "
        "what the "
        "second kernel finds, which takes the left column from the right one. Upper edges of a stroke are "
        "positive "
        "in the second map, left edges in the third."};
    return drawn;
}

const std::vector<std::vector<std::string>>& lecture_captions() {
    static const auto kCaptions = [] {
        std::vector<std::vector<std::string>> all;
        for (const char* name : {"dog", "stop_sign", "boat", "giraffe"}) {
            all.push_back(data::lecture_tokens(name));
            all.back().push_back("EOS");
        }
        return all;
    }();
    return kCaptions;
}

constexpr int kLongest = 15, kWords = 28;  ///< of the captions; with START and EOS

/// The four captions of a lecture. The tokens are START, EOS, and the words in their order.
Arrays lecture(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    std::vector<std::string> known = {"START", "EOS"};
    const auto y = by_name(inputs, "y").view<int, 2>();
    for (std::size_t b = 0; b < lecture_captions().size(); ++b)
        for (int t = 0; t < kLongest; ++t) {
            const auto& caption = lecture_captions()[b];
            const std::string word =
                t < static_cast<int>(caption.size()) ? caption[static_cast<std::size_t>(t)] : "EOS";
            const auto found = std::ranges::find(known, word);
            y(static_cast<int>(b), t) = static_cast<int>(found - known.begin());
            if (found == known.end()) known.push_back(word);
        }
    return inputs;
}

/// The words along the captions, with dots for the padding.
Scene words_of_captions() {
    auto words = lecture_captions();
    for (auto& caption : words) caption.resize(kLongest, ".");
    return {{{"L", words}}};
}

constexpr int kRows = 4, kColumns = 10, kLeft = 12, kOf = 13, kVocabulary = 14;
const char* const kSaid[] = {"START", "EOS", "zero",  "one",   "two",  "three", "four",
                             "five",  "six", "seven", "eight", "nine", "left",  "of"};

/// A 3 on the left of a canvas and a 5 on its right. A cell has 2 x 2 pixels. Its features stand in place of those of a
/// trained network: 1; the ink if it is in the left half; the ink if it is in the right half; the ink of each digit.
Array canvas() {
    Array grid = Array::zeros<float>("grid", {1, kRows, kColumns, 13});
    const auto g = grid.view<float, 4>();
    const auto& labels = all_digits().labels.as<std::uint8_t>();
    const auto pixel = all_digits().pixels.view<float, 3>();
    for (int r = 0; r < kRows; ++r)
        for (int k = 0; k < kColumns; ++k) {
            g(0, r, k, 0) = 1;
            const bool right = k >= 6;
            if (k == 4 || k == 5) continue;
            const int digit = right ? 5 : 3, column = 2 * (right ? k - 6 : k);
            const int image = static_cast<int>(std::ranges::find(labels, digit) - labels.begin());
            float ink = 0;
            for (int p = 0; p < 4; ++p) ink += pixel(image, 2 * r + p / 2, column + p % 2) / 64;
            g(0, r, k, right ? 2 : 1) = g(0, r, k, 3 + digit) = ink;
        }
    return grid;
}

void set(Arrays& inputs, const std::string& name, const std::vector<std::tuple<int, int, double>>& entries) {
    const auto W = by_name(inputs, name).view<float, 2>();
    for (const auto& [row, column, value] : entries) W(row, column) = static_cast<float>(value);
}

/// A captioner made by hand. A state knows the word that was read, the digit that was seen, and whether the second digit
/// has been said. It looks left at first, at both digits for "left", and right after it.
Arrays captioner(const Function& function, const Sizes& sizes, Random& random) {
    constexpr int kSecond = 24;  // units of the state: 14 words, 10 digits, "second"
    Arrays inputs = plain_inputs(function, sizes, random);
    for (Array& array : inputs) array = zeros_like(array);
    by_name(inputs, "grid") = canvas();
    by_name(inputs, "v") = map(by_name(inputs, "v"), [](double) { return 6.0; });
    by_name(inputs, "b_o").as<float>()[kEos] = -5;
    set(inputs, "W_k", {{1, 0, 4}, {2, 1, 4}, {0, 1, -8}});
    set(inputs, "W_q", {{0, 1, 8}, {kOf, 1, 8}, {kLeft, 0, -8}, {kLeft, 1, 8}});
    set(inputs, "W_s", {{kOf, kSecond, 3}});
    set(inputs, "W_o", {{kLeft, kOf, 10}, {kSecond, kEos, 10}});
    for (int word = 0; word < kVocabulary; ++word) {
        set(inputs, "table", {{word, word, 1}});
        set(inputs, "W_x", {{word, word, 3}});
    }
    for (int digit = 0; digit < 10; ++digit) {
        const int word = digit + 2;
        set(inputs, "W_q", {{word, 1, 8}});
        set(inputs, "W_x", {{kVocabulary + 3 + digit, kVocabulary + digit, 3}});
        set(inputs, "W_o", {{kVocabulary + digit, word, 8}, {word, kLeft, 10}, {word, kEos, 10}});
    }
    return inputs;
}

/// A captioner that says every word once: after word v comes v + 1, after START word 2, and after the last one EOS.
Arrays counting(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs =
        with_zeros(plain_inputs(function, sizes, random), {"table", "W_x", "W_s", "b", "W_o", "b_o"});
    const int V = sizes.at("V");
    for (int word = 0; word < std::min({V, sizes.at("D_y"), sizes.at("D_s")}); ++word) {
        set(inputs, "table", {{word, word, 1}});
        set(inputs, "W_x", {{word, word, 2}});
        set(inputs, "W_o",
            {{word, word == V - 1 ? std::min(kEos, V - 1) : std::min(word == 0 ? 2 : word + 1, V - 1), 5}});
    }
    return inputs;
}

/// Where each word looked, under the canvas.
std::optional<Drawing> maps(const Arrays& inputs, const Arrays& outputs) {
    if (!has(outputs, "A")) return std::nullopt;
    const Array &A = by_name(outputs, "A"), &y = by_name(outputs, "y"), &grid = by_name(inputs, "grid");
    const int L = A.shape[1], cells = kRows * kColumns;
    Drawing drawn;
    drawn.matrices = Array::zeros<double>("", {L + 1, kRows, kColumns});
    for (int k = 0; k < (L + 1) * cells; ++k)
        drawn.matrices.as<double>()[static_cast<std::size_t>(k)] =
            k < cells ? number_at(grid, static_cast<std::size_t>(13 * k + 1)) +
                            number_at(grid, static_cast<std::size_t>(13 * k + 2))
                      : number_at(A, static_cast<std::size_t>(k - cells));
    drawn.letters = {"map", "R", "C"};
    std::string said;
    for (int t = 0, word = kLeft; t < L && word != kEos; ++t) {
        word = static_cast<int>(number_at(y, static_cast<std::size_t>(t)));
        said += (t > 0 ? ", " : "") + std::to_string(t + 1) + " " +
                (word >= 0 && word < kVocabulary ? kSaid[word] : "no word");
    }
    drawn.sentences = {
        "Map 0 is the canvas, with a 3 on the left and a 5 on the right. The others show where each word "
        "looked: " +
        said +
        ". The digits are read where they stand, and \"left\" looks at both. The weights are made by "
        "hand."};
    return drawn;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "normal numbers, with weights that keep every sum near 1", {}, decided<0, kEos>},
        {"one_token", "the same, for start = eos = 2", {}, decided<2, 2>},
        {"other_tokens", "the same, for start = 4 and eos = 3", {}, decided<4, 3>},
        {"far_from_0", "numbers of X around 300", {}, changed({"X"}, [](double x) { return x + 300; })},
        {"saturated",
         "sums so large that tanh is 1 or -1",
         {},
         changed({"b_0", "b", "W_s", "W_0"}, [](double x) { return 100 * x; })},
        {"overflow", "logits near +-10000", {}, changed({"W_o", "b_o"}, [](double x) { return 7000 * x; })},
        {"certain", "one logit near 9000, the others near -9000", {}, certain},
        {"far_apart", "logits near 57 and -57, by turns", {}, far_apart},
        {"short_captions", "captions of one word, and of none", {}, short_captions},
        {"ties", "several largest logits", {}, ties},
        {"token_V", "a word V, which does not exist", {}, bad_word<0, true>},
        {"negative_token", "a word -1, which does not exist", {}, bad_word<-1, false>},
        {"last_word_V", "a word V, which does not exist, at the last place", {}, bad_word<0, true, true>},
        {"counting", "a captioner made by hand that says every word once", {}, counting},
        {"digit",
         "a handwritten 0 and two kernels that find edges",
         {{"B", 1}, {"R", kSide}, {"C", kSide}, {"S", 1}, {"D_in", 1}, {"D_out", 2}},
         digit,
         {},
         {{"edges", edges}}},
        {"captions",
         "the four captions of a lecture, about a dog, a stop sign, a boat and a giraffe",
         {{"B", 4}, {"L", kLongest}, {"V", kWords}},
         lecture,
         words_of_captions},
        {"canvas",
         "a 3 on the left of a 5, and a captioner made by hand",
         {{"B", 1},
          {"R", kRows},
          {"C", kColumns},
          {"D_h", 13},
          {"V", kVocabulary},
          {"D_y", kVocabulary},
          {"D_s", 25},
          {"D_a", 2}},
         captioner,
         {},
         {{"where each word looked", maps}}},
    };
}

}  // namespace attn::ask::image_captioning
