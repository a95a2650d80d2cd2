// Assignment 18: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/digits.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::co_attention {
namespace {

/// Boxes in pixels inside of images of whole sizes, each with two edges of different lengths.
void add_boxes(Arrays& inputs, Random& random) {
    if (!has(inputs, "boxes")) return;
    constexpr int kLeast = 30, kMore = 90;
    const auto width = by_name(inputs, "width").view<float, 1>(),
               height = by_name(inputs, "height").view<float, 1>();
    const auto boxes = by_name(inputs, "boxes").view<float, 3>();
    for (int b = 0; b < boxes.size(0); ++b) {
        width(b) = static_cast<float>(kLeast + random.below(kMore));
        height(b) = static_cast<float>(kLeast + random.below(kMore));
        for (int i = 0; i < boxes.size(1); ++i)
            for (const int axis : {0, 1}) {
                const float side = axis == 0 ? width(b) : height(b);
                const float first = side * static_cast<float>(0.6 * random.uniform());
                boxes(b, i, axis) = first;
                boxes(b, i, axis + 2) = first + (side - first) * static_cast<float>(random.uniform());
            }
    }
}

/// Images have a width and a height above 0.
Arrays with_sides_above_0(Arrays inputs) {
    for (Array& array : inputs)
        if (array.name == "width" || array.name == "height")
            for (float& side : array.as<float>())
                if (!(side > 0)) side = 1;
    return inputs;
}

/// In three of four places 1. Of three or more pairs, the last one may attend to no region, and the one before it to no word.
Array stream_mask(const std::string& name, const Shape& shape, Random& random) {
    Array mask = random_mask(name, shape, random);
    const auto M = mask.view<std::uint8_t, 2>();
    const int B = M.size(0), closed = B - (name == "mask_w" ? 2 : 1);
    for (int j = 0; j < M.size(1) && B > 2; ++j) M(closed, j) = 0;
    return mask;
}

/// Normal numbers, with weights that keep every sum near 1.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        const auto times = [&](double factor, double shift = 0) {
            return scaled(normal(spec.name, shape, random), factor, shift);
        };
        if (spec.type == ElementType::u8)
            inputs.push_back(stream_mask(spec.name, shape, random));
        else if (spec.type == ElementType::i32)
            inputs.push_back(random_tokens(spec.name, shape, sizes.at("V"), random));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(times(0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(times(1.5 / std::sqrt(*(shape.end() - 2))));
        else
            inputs.push_back(times(spec.name.starts_with("b") ? 0.5 : 1));
    }
    add_boxes(inputs, random);
    return inputs;
}

using Make = std::function<Arrays(const Function&, const Sizes&, Random&)>;

/// The plain inputs with f of each number of the arrays whose names begin with one of these texts.
Make changed(std::vector<std::string> beginnings, std::function<double(double)> f) {
    return [beginnings = std::move(beginnings), f = std::move(f)](const Function& function,
                                                                  const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        for (Array& array : inputs)
            for (const std::string& beginning : beginnings)
                if (array.name.starts_with(beginning)) array = map(array, f);
        return inputs;
    };
}

/// Scores near +-1000, with gaps over which exp is 0 in double, too, and masks that hide many of the largest.
Arrays loud(const Function& function, const Sizes& sizes, Random& random) {
    constexpr double kLoudness = 1000;
    return changed({"W_Q", "b_Q", "W_K", "b_K"}, [](double x) { return std::sqrt(kLoudness) * x; })(
        function, sizes, random);
}

/// All boxes are the whole image.
Arrays whole_image(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    const auto boxes = by_name(inputs, "boxes").view<float, 3>();
    for (int b = 0; b < boxes.size(0); ++b)
        for (int i = 0; i < boxes.size(1); ++i) {
            boxes(b, i, 0) = boxes(b, i, 1) = 0;
            boxes(b, i, 2) = by_name(inputs, "width").view<float, 1>()(b);
            boxes(b, i, 3) = by_name(inputs, "height").view<float, 1>()(b);
        }
    return inputs;
}

/// The last token is this one, or the one after the last.
Make with_last_token(bool beyond) {
    return [beyond](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        by_name(inputs, "tokens").as<std::int32_t>().back() = beyond ? sizes.at("V") : -1;
        return inputs;
    };
}

/// A canvas of 20 x 20 pixels with a 3 on the left and a 5 on the right. Its regions are the canvas and both digits; the
/// features of a digit are its 8 x 8 pixels, and those of the canvas their mean.
constexpr int kPixels = 64, kRegions = 3, kCanvas = 20, kDigitSide = 8, kWords = 4, kVocabulary = 14;
constexpr int kLeft = 10, kOf = 11;
struct Placed {
    int digit, x, y;
};
constexpr Placed kPlaced[] = {{3, 1, 5}, {5, 11, 7}};

const data::Digits& all_digits() {
    static const data::Digits kDigits = data::read_digits(data::shipped("digits.csv.gz"));
    return kDigits;
}

/// The ink of an image, 0 .. 1.
float ink(int image, int pixel) {
    return all_digits().pixels.as<float>()[static_cast<std::size_t>(image * kPixels + pixel)] / 16;
}

/// The first image of this digit.
int first_of(int digit) {
    const auto& labels = all_digits().labels.as<std::uint8_t>();
    return static_cast<int>(std::find(labels.begin(), labels.end(), digit) - labels.begin());
}

void set_features(Array& features) {
    const auto to = features.view<float, 3>();
    for (int k = 0; k < kPixels; ++k) {
        to(0, 1, k) = ink(first_of(kPlaced[0].digit), k);
        to(0, 2, k) = ink(first_of(kPlaced[1].digit), k);
        to(0, 0, k) = (to(0, 1, k) + to(0, 2, k)) / 2;
    }
}

/// W_Q [V, D]: the query of the word for a digit is the mean of many pictures of this digit, less the mean of all. Other
/// words ask for nothing.
void set_queries(Array& W_Q) {
    const auto W = W_Q.view<float, 2>();
    const auto& labels = all_digits().labels.as<std::uint8_t>();
    std::vector<float> mean(kPixels);
    std::vector<int> count(10);
    for (float& w : W_Q.as<float>()) w = 0;
    for (const std::uint8_t label : labels) ++count[label];
    for (std::size_t n = 0; n < labels.size(); ++n)
        for (int k = 0; k < kPixels; ++k) {
            const float x = ink(static_cast<int>(n), k);
            W(labels[n], k) += x / static_cast<float>(count[labels[n]]);
            mean[static_cast<std::size_t>(k)] += x / static_cast<float>(labels.size());
        }
    constexpr float kSharpness = 6;
    for (int digit = 0; digit < 10; ++digit)
        for (int k = 0; k < kPixels; ++k)
            W(digit, k) = kSharpness * (W(digit, k) - mean[static_cast<std::size_t>(k)]);
}

/// "three left of five" and its canvas. In co_attention the words ask the regions with weights made by hand.
Arrays canvas(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    const int said[] = {kPlaced[0].digit, kLeft, kOf, kPlaced[1].digit};
    for (Array& array : inputs) {
        if (array.name == "width" || array.name == "height" || array.name == "mask_r" ||
            array.name == "mask_w" || array.name == "mask")
            array = map(array, [&](double) { return array.name.starts_with("mask") ? 1 : kCanvas; });
        if (array.name == "features" || array.name == "X_kv") set_features(array);
        if (array.name == "boxes") {
            const auto boxes = array.view<float, 3>();
            for (int k = 0; k < 4; ++k) boxes(0, 0, k) = k < 2 ? 0 : kCanvas;
            for (int i = 0; i < 2; ++i)
                for (int k = 0; k < 4; ++k)
                    boxes(0, i + 1, k) = static_cast<float>((k % 2 == 0 ? kPlaced[i].x : kPlaced[i].y) +
                                                            (k < 2 ? 0 : kDigitSide));
        }
        if (array.name == "X_q") {
            array = zeros_like(array);
            for (int i = 0; i < kWords; ++i) array.view<float, 3>()(0, i, said[i]) = 1;
        }
        if (array.name == "W_Q") set_queries(array);
        if (array.name == "b_Q" || array.name == "b_K") array = zeros_like(array);
        if (array.name == "W_K") {
            array = zeros_like(array);
            for (int k = 0; k < kPixels; ++k) array.view<float, 2>()(k, k) = 4;
        }
    }
    return inputs;
}

Scene canvas_and_caption() {
    return {{{"N_q", {{"three", "left", "of", "five"}}}, {"N_k", {{"canvas", "the 3", "the 5"}}}}};
}
Scene canvas_alone() {
    return {{{"N_r", {{"canvas", "the 3", "the 5"}}}}};
}

constexpr int kLongest = 11, kKnown = 20;  ///< of the lecture's captions, with START

/// The words of the lecture's captions after START.
const std::vector<std::vector<std::string>>& lecture_captions() {
    static const auto kCaptions = [] {
        std::vector<std::vector<std::string>> all;
        for (const char* name : {"artist", "debris", "sofa"}) {
            all.push_back(data::lecture_tokens(name));
            all.back().insert(all.back().begin(), "START");
        }
        return all;
    }();
    return kCaptions;
}

/// The three captions on the slide about ViLBERT. What follows a short one is masked.
Arrays lecture(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    std::vector<std::string> known;
    const auto tokens = by_name(inputs, "tokens").view<int, 2>();
    const auto mask = by_name(inputs, "mask_w").view<std::uint8_t, 2>();
    for (int b = 0; b < tokens.size(0); ++b) {
        const auto& caption = lecture_captions()[static_cast<std::size_t>(b)];
        for (int i = 0; i < kLongest; ++i) {
            const bool is_word = i < static_cast<int>(caption.size());
            const std::string& word = caption[is_word ? static_cast<std::size_t>(i) : 0];
            const auto found = std::find(known.begin(), known.end(), word);
            tokens(b, i) = static_cast<int>(found - known.begin());
            mask(b, i) = is_word ? 1 : 0;
            if (found == known.end()) known.push_back(word);
        }
    }
    return inputs;
}

Scene words_of_captions() {
    auto words = lecture_captions();
    for (auto& caption : words) caption.resize(kLongest, ".");
    return {{{"N_w", words}}};
}

}  // namespace

std::vector<Recipe> recipes() {
    std::vector<Recipe> all{
        {"normal",
         "normal numbers; boxes inside of their image; masks that hide one in four",
         {},
         plain_inputs},
        {"loud", "scores near +-1000, the largest often masked", {}, loud},
        {"all_masked", "all vectors masked", {}, changed({"mask"}, [](double) { return 0.0; })},
        {"whole_image", "regions that are the whole image", {}, whole_image},
        {"large_image",
         "boxes and images of some ten thousand pixels",
         {},
         changed({"boxes", "width", "height"}, [](double x) { return 256 * x; })},
        {"no_area", "regions without an area", {}, changed({"boxes"}, [](double) { return 0.0; })},
        {"far_from_0",
         "vectors far from 0",
         {},
         changed({"X_", "features", "table"}, [](double x) { return 30 * x + 100; })},
        {"low_variance",
         "layer norms of numbers that hardly differ",
         {},
         changed({"X_", "W_O", "b_O"}, [](double x) { return x / 300; })},
        {"token_V", "a token V, which does not exist", {}, with_last_token(true)},
        {"negative_token", "a negative token", {}, with_last_token(false)},
        {"canvas",
         "a canvas with a handwritten 3 left of a 5: its regions",
         {{"B", 1}, {"N_r", kRegions}, {"D_f", kPixels}},
         canvas,
         canvas_alone},
        {"words_on_canvas",
         "the words \"three left of five\" ask the regions of a canvas with a handwritten 3 left of a 5",
         {{"B", 1},
          {"N_q", kWords},
          {"N_k", kRegions},
          {"D_q", kVocabulary},
          {"D_k", kPixels},
          {"D", kPixels},
          {"H", 1}},
         canvas,
         canvas_and_caption},
        {"captions",
         "the captions of a lecture, about an artist, debris and a sofa, beside regions",
         {{"B", 3}, {"N_w", kLongest}, {"V", kKnown}},
         lecture,
         words_of_captions},
    };
    for (Recipe& recipe : all) recipe.consistent = with_sides_above_0;
    return all;
}

}  // namespace attn::ask::co_attention
