// The show of assignment 18: which caption belongs to which canvas with two handwritten digits?

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "datasets/shipped.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/module.h"
#include "grader/models/shows.h"
#include "reference/models/alignment.h"

namespace attn::trained {
namespace {

using training::CaptionedImages;
using training::kRegions;
using training::kSentenceWords;

constexpr int kShown = 6, kCanvases = 60;

/// Images of digits that the model has never seen.
CaptionedImages unseen_canvases() {
    constexpr std::uint64_t kStream = 5;
    training::WrittenDigits digits;
    digits.add(data::split_at_random(data::read_digits(data::shipped("digits.csv.gz"))).held_out);
    training::Random random(1, kStream);
    return training::DigitsOnCanvas(digits).draw(random, kCanvases, {}, false);
}

/// Arrays of pairs: each canvas of a group of kShown with each caption of the group, canvas by canvas.
struct Asked {
    Array features, boxes, width, height, tokens, mask_w;
};

Asked all_pairs(const CaptionedImages& images) {
    training::Random random(1, 6);
    const training::CanvasRegions regions = training::regions_of(images, random);
    training::PairList list;
    training::Numbers boxes;
    for (int canvas = 0; canvas < images.count(); ++canvas)
        for (int k = 0; k < kShown; ++k) {
            list.add(regions, canvas, images.captions()[canvas / kShown * kShown + k].data());
            const auto first = regions.boxes.begin() + std::ptrdiff_t{canvas} * kRegions * 4;
            boxes.insert(boxes.end(), first, first + kRegions * 4);
        }
    const training::ScoredPairs pairs = list.pairs();
    const int B = pairs.count();
    const training::Read3 features = pairs.features;
    return {Array("features", {B, kRegions, training::kDigitPixels},
                  training::Numbers(features.data(), features.data() + features.count())),
            Array("boxes", {B, kRegions, 4}, boxes),
            Array("width", {B}, training::Numbers(static_cast<std::size_t>(B), training::kCanvasSide)),
            Array("height", {B}, training::Numbers(static_cast<std::size_t>(B), training::kCanvasSide)),
            Array("tokens", {B, kSentenceWords},
                  std::vector<int>(pairs.tokens.data(), pairs.tokens.data() + pairs.tokens.count())),
            Array("mask_w", {B, kSentenceWords}, pairs.is_word)};
}

/// The scores of all pairs, by the functions f.
std::vector<float> scores_of(const CaptionedImages& images, StudentOrReference& f, const Weights& weights) {
    const Asked asked = all_pairs(images);
    Arrays inputs = weights.co_blocks();
    for (const Array& each : {asked.features, asked.boxes, asked.width, asked.height, asked.tokens,
                              asked.mask_w, weights("regions.W_f", "W_f"), weights("regions.b_f", "b_f"),
                              weights("regions.W_p", "W_p"), weights("regions.b_p", "b_p"), weights("table"),
                              weights("P"), ask::option("H", training::aligner_sizes().H)})
        inputs.push_back(each);
    const Arrays encoded = f("vision_language_encode", inputs);
    const Array v = weights("score.v", "v");
    const Arrays scored =
        f("alignment_score",
          {ask::named("X_r", encoded.at(0)), ask::named("X_w", encoded.at(1)), weights("score.W_r", "W_r"),
           weights("score.b_r", "b_r"), weights("score.W_w", "W_w"), weights("score.b_w", "b_w"),
           ask::reshaped(v, {static_cast<int>(v.count())}), weights("score.c", "c")});
    return scored.at(0).as<float>();
}

/// The score of canvas and caption k of its group.
float score_in(const std::vector<float>& scores, int canvas, int k) {
    return scores[static_cast<std::size_t>(canvas * kShown + k)];
}

/// The caption with the largest score; NaN is never the largest.
int chosen_caption(const std::vector<float>& scores, int canvas) {
    int best = 0;
    for (int k = 1; k < kShown; ++k) {
        const float most = score_in(scores, canvas, best), score = score_in(scores, canvas, k);
        if (score > most || (std::isnan(most) && !std::isnan(score))) best = k;
    }
    return best;
}

double sigmoid(double score) {
    return 1 / (1 + std::exp(-score));
}

std::string caption_of(const CaptionedImages& images, int canvas) {
    return training::caption_text(images.captions()[canvas].data());
}

/// Whether the caption with the largest score says what the canvas shows. Two of a group may say the same.
bool is_found(const CaptionedImages& images, const std::vector<float>& scores, int canvas) {
    const int chosen = chosen_caption(scores, canvas);
    return !std::isnan(score_in(scores, canvas, chosen)) &&
           caption_of(images, canvas / kShown * kShown + chosen) == caption_of(images, canvas);
}

int count_found(const CaptionedImages& images, const std::vector<float>& scores) {
    int found = 0;
    for (int canvas = 0; canvas < kCanvases; ++canvas) found += is_found(images, scores, canvas) ? 1 : 0;
    return found;
}

/// The canvases of the first group, each with the caption that has the largest score.
Section chosen_for_each(const CaptionedImages& images, const std::vector<float>& scores) {
    Section section{"The canvases",
                    {"Under each canvas stands the one of the six captions that has the largest score."}};
    for (int canvas = 0; canvas < kShown; ++canvas) {
        std::vector<double> ink;
        for (int y = 0; y < training::kCanvasSide; ++y)
            for (int x = 0; x < training::kCanvasSide; ++x) ink.push_back(images.canvases()(canvas, y, x, 0));
        const int chosen = chosen_caption(scores, canvas);
        const std::vector<double> looked(ink.size(), 0);
        section.images.push_back({training::kCanvasSide, training::kCanvasSide, ink, 1, looked,
                                  fmt::format("{} {}", canvas + 1, caption_of(images, chosen)),
                                  is_found(images, scores, canvas), false});
    }
    return section;
}

/// The probabilities of all pairs of the first group.
Section matrix_of_scores(const CaptionedImages& images, const std::vector<float>& scores) {
    Section section{"Canvases by captions",
                    {"Each row is one canvas and each column one caption: the darker, the more probable it "
                     "is that they belong "
                     "together, sigmoid(score). Caption 1 belongs to canvas 1, and so on, so that the "
                     "diagonal should be dark."}};
    WeightMap map{"sigmoid(score)", {}, {}, {}};
    for (int canvas = 0; canvas < kShown; ++canvas) {
        map.rows.push_back(fmt::format("canvas {}", canvas + 1));
        map.columns.push_back(fmt::format("{} {}", canvas + 1, caption_of(images, canvas)));
        for (int k = 0; k < kShown; ++k) map.weights.push_back(sigmoid(score_in(scores, canvas, k)));
    }
    section.maps.push_back(std::move(map));
    return section;
}

}  // namespace

ModelPage show_co_attention(const Shown& shown) {
    const CaptionedImages images = unseen_canvases();
    const std::vector<float> scores = scores_of(images, shown.yours, shown.weights);
    const std::string function = "vision_language_encode";
    ModelPage page = page_about(
        shown, "Assignment 18: which caption belongs to which canvas?", function,
        fmt::format("{} {} finds the caption of {} of {} canvases among six. Their digits it has never seen.",
                    whose(shown, function), function, count_found(images, scores), kCanvases),
        [&] {
            return fmt::format("find {}",
                               count_found(images, scores_of(images, shown.reference, shown.weights)));
        });
    page.sections = {chosen_for_each(images, scores), matrix_of_scores(images, scores)};
    return page;
}

}  // namespace attn::trained
