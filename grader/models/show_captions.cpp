// The show of assignment 8: a captioner says which two handwritten digits stand on a canvas, and where.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "datasets/shipped.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/module.h"
#include "grader/models/shows.h"
#include "reference/models/captions.h"

namespace attn::trained {
namespace {

using training::CaptionedImages;
using training::kCaptionWords;

/// Images whose digits, pairs of digits and places the model has never seen.
CaptionedImages new_images() {
    constexpr int kImages = 40;
    constexpr std::uint64_t kStream = 4;
    training::WrittenDigits digits;
    digits.add(data::split_at_random(data::read_digits(data::shipped("digits.csv.gz"))).held_out);
    training::Random random(1, kStream);
    return training::DigitsOnCanvas(digits).draw(random, kImages, {.pairs = true, .places = true}, false);
}

struct Said {
    std::vector<std::string> captions;
    Array A;  ///< [B, L, R, C]: where each word looked

    bool is_right(const CaptionedImages& images, int b) const {
        return captions[static_cast<std::size_t>(b)] == training::caption_text(images.captions()[b].data());
    }
    int count_right(const CaptionedImages& images) const {
        int right = 0;
        for (int b = 0; b < images.count(); ++b) right += is_right(images, b);
        return right;
    }
};

/// W_o and b_o with a column for START, which the model reads and never says: its logit is far below all others.
Arrays with_start(const Array& W_o, const Array& b_o) {
    constexpr float kNever = -1000;
    const int D_s = W_o.shape[0], V = W_o.shape[1];
    Array wider = Array::zeros<float>(W_o.name, {D_s, V + 1}),
          longer = Array::zeros<float>(b_o.name, {V + 1});
    for (int d = 0; d < D_s; ++d)
        std::copy_n(W_o.view<float, 2>()[d].data(), V, wider.view<float, 2>()[d].data());
    std::copy_n(b_o.as<float>().begin(), V, longer.as<float>().begin());
    longer.as<float>().back() = kNever;
    return {wider, longer};
}

Said said_about(const CaptionedImages& images, StudentOrReference& f, const Weights& weights) {
    const training::Read4 canvases = images.canvases();
    Array grid("grid", {canvases.size(0), canvases.size(1), canvases.size(2), canvases.size(3)},
               images.pixels);
    const auto& convolutions = training::caption_sizes().convolutions;
    for (std::size_t l = 0; l < convolutions.size(); ++l) {
        const std::string prefix = fmt::format("conv.{}.", l);
        grid = f("conv2d", {ask::named("X", grid), weights(prefix + "W", "W"), weights(prefix + "b", "bias"),
                            ask::option("S", convolutions[l].S)})
                   .at(0);
        for (float& x : grid.as<float>()) x = std::max(0.0F, x);
    }
    Arrays inputs = with_start(weights("W_out", "W_o"), weights("b_out", "b_o"));
    inputs.push_back(ask::named("grid", grid));
    inputs.push_back(weights("table"));
    for (const char* const name : {"W_q", "W_k", "v", "W_x", "W_s", "b", "W_0", "b_0"})
        inputs.push_back(weights(std::string("decoder.") + name, name));
    inputs.push_back(ask::option("L", kCaptionWords));
    inputs.push_back(ask::option("start", training::caption_sizes().words));
    inputs.push_back(ask::option("eos", training::kCaptionEnd));
    const Arrays outputs = f("caption_greedy", inputs);
    Said said{{}, outputs.at(1)};
    const auto words = outputs.at(0).view<int, 2>();
    for (int b = 0; b < words.size(0); ++b) said.captions.push_back(training::caption_text(words[b].data()));
    return said;
}

/// The share of the attention that lies on the digit, over the words that should name one.
double share_on_digits(const CaptionedImages& images, const Said& said) {
    double sum = 0;
    for (int b = 0; b < images.count(); ++b)
        for (const training::NamedDigit& digit : images.named[static_cast<std::size_t>(b)])
            sum += training::share_on_digit(said.A.view<float, 4>()[b][digit.word], digit);
    return sum / (2 * images.count());
}

/// The first images, those with wrong captions before the others, each in a row of its own.
Section word_by_word(const CaptionedImages& images, const Said& said) {
    constexpr int kImages = 8;
    Section section{
        "Where each word looked",
        {"Each row is one image, each column a word that the model says about it. The more orange a cell of "
         "the grid, the more the decoder attended to it when it said this word. The first ones are wrong, if "
         "any are."}};
    std::vector<int> order;
    for (const bool right : {false, true})
        for (int b = 0; b < images.count(); ++b)
            if (said.is_right(images, b) == right) order.push_back(b);
    const auto A = said.A.view<float, 4>();
    for (int k = 0; k < kImages; ++k) {
        const int b = order[static_cast<std::size_t>(k)];
        std::vector<double> ink;
        for (int y = 0; y < training::kCanvasSide; ++y)
            for (int x = 0; x < training::kCanvasSide; ++x) ink.push_back(images.canvases()(b, y, x, 0));
        const std::vector<std::string> words = words_of(said.captions[static_cast<std::size_t>(b)]),
                                       right = words_of(training::caption_text(images.captions()[b].data()));
        for (std::size_t t = 0; t < words.size(); ++t) {
            const auto map = A[b][static_cast<int>(t)];
            section.images.push_back({training::kCanvasSide, training::kCanvasSide, ink,
                                      training::kCanvasSide / map.size(0),
                                      std::vector<double>(map.data(), map.data() + map.count()), words[t],
                                      t < right.size() && words[t] == right[t], t == 0});
        }
    }
    section.columns = kCaptionWords - 1;
    return section;
}

}  // namespace

ModelPage show_image_captioning(const Shown& shown) {
    const CaptionedImages images = new_images();
    const Said said = said_about(images, shown.yours, shown.weights);
    const std::string function = "caption_greedy";
    ModelPage page = page_about(
        shown, "Assignment 8: your captioner describes images", function,
        fmt::format("{} {} describes {} of {} images right. Their digits, pairs of digits and places it has "
                    "never seen. "
                    "The words that name a digit have {:.0f} % of their attention on it.",
                    whose(shown, function), function, said.count_right(images), images.count(),
                    100 * share_on_digits(images, said)),
        [&] {
            return fmt::format("describe {}",
                               said_about(images, shown.reference, shown.weights).count_right(images));
        });
    page.sections = {word_by_word(images, said)};
    return page;
}

}  // namespace attn::trained
