// Assignment 7: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <set>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::ask::seq2seq {
namespace {

/// How many words each sentence has. The sentences of a batch go through all kinds.
enum Sentence { padded, full, one_word, empty };

Array* find(Arrays& arrays, const std::string& name) {
    const auto found = std::ranges::find(arrays, name, &Array::name);
    return found == arrays.end() ? nullptr : &*found;
}

int words_in(int b, int N, Sentence first, Random& random) {
    const int some = std::max(1, N - 1 - random.below(std::max(1, N / 3)));
    const int kinds[] = {some, N, 1, 0};
    return kinds[(static_cast<int>(first) + b) % 4];
}

/// Normal numbers. Weights are small enough that tanh and sigma are not saturated everywhere.
Arrays batch_of(Sentence first, const Function& function, const Sizes& sizes, Random& random) {
    static const std::set<std::string> kWeights = {"W_x", "W_h", "W_s", "W_0", "W",   "W_c",
                                                   "W_r", "V_x", "V_u", "W_q", "W_k", "W_v"};
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32) {
            std::vector<std::int32_t> lengths;
            for (int b = 0; b < shape[0]; ++b) lengths.push_back(words_in(b, sizes.at("T"), first, random));
            inputs.emplace_back(spec.name, shape, lengths);
            continue;
        }
        if (spec.type == ElementType::u8) {
            std::vector<std::uint8_t> mask;
            for (int b = 0; b < shape[0]; ++b)
                for (int j = 0, n = words_in(b, shape[1], first, random); j < shape[1]; ++j)
                    mask.push_back(j < n ? 1 : 0);
            inputs.emplace_back(spec.name, shape, mask);
            continue;
        }
        double size = spec.name == "v" ? 1.5 : 1;
        if (kWeights.count(spec.name) != 0)
            size = 1.5 / std::sqrt(static_cast<double>(shape[shape.size() - 2]));
        inputs.push_back(map(normal(spec.name, shape, random), [size](double x) { return x * size; }));
    }
    return inputs;
}

template <Sentence First>
Arrays batch(const Function& function, const Sizes& sizes, Random& random) {
    return batch_of(First, function, sizes, random);
}

/// The last sentence has one word more than its row, or one less than none.
template <bool TooLong>
Arrays bad_length(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<padded>(function, sizes, random);
    if (Array* lengths = find(inputs, "lengths"))
        lengths->as<std::int32_t>().back() = TooLong ? sizes.at("T") + 1 : -1;
    return inputs;
}

/// Each mask has a gap, and a word after it where there is room.
Arrays gaps(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<full>(function, sizes, random);
    Array* given = find(inputs, "mask");
    if (given == nullptr) return inputs;
    const auto mask = given->view<std::uint8_t, 2>();
    for (int b = 0; b < mask.size(0); ++b)
        for (int j = 0; j < mask.size(1); ++j) mask(b, j) = j % 3 == (b + 1) % 3 && mask.size(1) > 1 ? 0 : 1;
    return inputs;
}

/// Arguments of tanh and sigma are so large that these are at their bounds.
Arrays saturated(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<padded>(function, sizes, random);
    for (Array& array : inputs)
        if (array.name[0] == 'b' || array.name[0] == 'W')
            array = map(array, [](double x) { return 100 * x; });
    return inputs;
}

/// The scores of hard_attention are whole numbers, of which several are the largest.
Arrays ties(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<padded>(function, sizes, random);
    if (Array* e = find(inputs, "e")) *e = map(*e, [&random](double) { return random.below(3) - 1.0; });
    return inputs;
}

/// All words have scores near -100000, and pads have higher ones.
Arrays loud_pads(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = gaps(function, sizes, random);
    if (find(inputs, "e") == nullptr) return inputs;
    const auto e = by_name(inputs, "e").view<float, 2>();
    const auto mask = by_name(inputs, "mask").view<std::uint8_t, 2>();
    for (int b = 0; b < e.size(0); ++b)
        for (int j = 0; j < e.size(1); ++j) e(b, j) += mask(b, j) != 0 ? -100000.0F : 10.0F;
    return inputs;
}

std::vector<std::string> words(const std::string& name) {
    return data::lecture_tokens(name);
}

/// "The agreement on the European Economic Area ..", as the words of an encoder.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    static const auto kEnglish = words("agreement_en");
    Arrays inputs = batch<full>(function, sizes, random);
    if (Array* X = find(inputs, "X")) *X = with({*X}, "X", data::embed(kEnglish, X->shape[2])).front();
    return inputs;
}

/// The English word that each word of the French translation stands for.
constexpr int kPartners[] = {1, 2, 3, 6, 5, 4, 7, 7, 8, 9, 10, 11, 12};

/// A translation with weights made by hand: step t is given the vector of the English word whose translation
/// it should say, and W_x turns this vector into the question.
Arrays translation(const Function& function, const Sizes& sizes, Random& random) {
    static const auto kEnglish = words("agreement_en");
    Arrays inputs = batch<full>(function, sizes, random);
    if (function.name != "luong_decode") return inputs;
    const Array h = data::embed(kEnglish, sizes.at("D")), vectors = data::embed(kEnglish, sizes.at("D_y"));
    inputs = with(std::move(inputs), "h", h);
    Array& y = by_name(inputs, "y");
    for (int t = 0; t + 1 < y.shape[1]; ++t)
        for (int d = 0; d < y.shape[2]; ++d)
            y.view<float, 3>()(0, t, d) = vectors.view<float, 3>()(0, kPartners[t], d);
    for (const char* name : {"W_x", "W_s", "W"}) {
        Array& weights = by_name(inputs, name);
        weights = map(weights, [](double x) { return x / 16; });
        for (int d = 0; name != std::string("W_s") && d < std::min(weights.shape[1], y.shape[2]); ++d)
            weights.view<float, 2>()(d, d) += 1.5F;
    }
    return inputs;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {{"normal", "random numbers; sentences of different lengths", {}, batch<padded>},
            {"empty_sentence", "the first sentence without words", {}, batch<empty>},
            {"full_rows", "random numbers; every sentence fills its row", {}, batch<full>},
            {"gaps", "masks with gaps", {}, gaps},
            {"too_long", "a sentence with one word too many for its row", {}, bad_length<true>},
            {"negative_length", "a sentence of -1 words", {}, bad_length<false>},
            {"saturated", "sums so large that tanh and sigma are at their bounds", {}, saturated},
            {"ties", "several largest scores", {}, ties},
            {"loud_pads", "scores of words near -100000, those of pads higher", {}, loud_pads},
            {"sentence",
             "\"The agreement on the European Economic Area was signed in August 1992.\"",
             {{"B", 1}, {"T", 13}},
             sentence,
             [] {
                 return Scene{{{"T", {words("agreement_en")}}}};
             }},
            {"translation",
             "\"The agreement on the European Economic Area ..\" and its French translation, with weights "
             "made by "
             "hand",
             {{"B", 1}, {"T", 13}, {"L", 13}},
             translation,
             [] {
                 return Scene{{{"T", {words("agreement_en")}}, {"L", {words("agreement_fr")}}}};
             }}};
}

}  // namespace attn::ask::seq2seq
