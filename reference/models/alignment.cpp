#include "reference/models/alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "datasets/shipped.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

constexpr int kLeftWord = kDigitWords, kOfWord = kLeftWord + 1, kAboveWord = kOfWord + 1, kShares = 5;

/// The places of the two digits in a caption: "three left of five" has them at 0 and 3.
std::pair<std::size_t, std::size_t> digits_in(const std::vector<int>& words) {
    return {0, words[1] == kAboveWord ? 2 : 3};
}

}  // namespace

AlignerSizes aligner_sizes() {
    return {kDigitPixels, kSentenceStart + 1, kSentenceWords, 2, 20, 2, 32, 16};
}

CanvasRegions regions_of(const CaptionedImages& images, Random& random) {
    CanvasRegions result;
    constexpr float kSide = kCanvasSide;
    for (int b = 0; b < images.count(); ++b) {
        std::array<NamedDigit, 2> digits = images.named[static_cast<std::size_t>(b)];
        if (random.below(2) == 1) std::swap(digits[0], digits[1]);
        const std::size_t first = result.features.size();
        result.features.resize(first + std::size_t{kRegions} * kDigitPixels);
        float* const mean = result.features.data() + first;
        result.boxes.insert(result.boxes.end(), {0, 0, kSide, kSide});
        for (std::size_t n = 0; n < digits.size(); ++n) {
            const auto [word, y, x] = digits[n];
            float* const own = mean + (n + 1) * kDigitPixels;
            for (int k = 0; k < kDigitPixels; ++k) {
                own[k] = images.canvases()(b, y + k / kDigitSide, x + k % kDigitSide, 0);
                mean[k] += own[k] / 2;
            }
            for (const int edge : {x, y, x + kDigitSide, y + kDigitSide})
                result.boxes.push_back(static_cast<float>(edge));
        }
    }
    return result;
}

std::vector<int> wrong_caption(const int* words, Wrong how, Random& random) {
    std::vector<int> changed(words, words + kCaptionWords);
    const auto [first, second] = digits_in(changed);
    switch (how) {
        case Wrong::digit: {
            int& digit = changed[random.below(2) == 0 ? first : second];
            digit = (digit + 1 + random.below(kDigitWords - 1)) % kDigitWords;
            return changed;
        }
        case Wrong::order:
            std::swap(changed[first], changed[second]);
            return changed;
        case Wrong::relation:
            if (changed[1] == kAboveWord)
                changed = {changed[first], kLeftWord, kOfWord, changed[second], kCaptionEnd};
            else
                changed = {changed[first], kAboveWord, changed[second], kCaptionEnd, -1};
            return changed;
    }
    return changed;
}

void PairList::add(const CanvasRegions& regions, int canvas, const int* caption) {
    const auto copy = [canvas](Numbers& to, const Numbers& from, int count) {
        const auto first = from.begin() + std::ptrdiff_t{canvas} * count;
        to.insert(to.end(), first, first + count);
    };
    copy(features_, regions.features, kRegions * kDigitPixels);
    for (int i = 0; i < kRegions; ++i) {
        const float* const box = regions.boxes.data() + 4 * (canvas * kRegions + i);
        for (int k = 0; k < 4; ++k) five_.push_back(box[k] / kCanvasSide);
        five_.push_back((box[2] - box[0]) * (box[3] - box[1]) / (kCanvasSide * kCanvasSide));
    }
    tokens_.push_back(kSentenceStart);
    is_word_.push_back(1);
    for (int t = 0; t < kCaptionWords; ++t) {
        tokens_.push_back(std::max(caption[t], 0));
        is_word_.push_back(caption[t] >= 0 ? 1 : 0);
    }
    ++count_;
}

ScoredPairs PairList::pairs() const {
    return {{features_.data(), count_, kRegions, kDigitPixels},
            {five_.data(), count_, kRegions, kShares},
            {tokens_.data(), count_, kSentenceWords},
            is_word_};
}

namespace {

constexpr Wrong kWrongs[] = {Wrong::digit, Wrong::order, Wrong::relation};

/// Says whether "three left of five" belongs to a canvas.
class Alignment : public Task {
  public:
    Alignment()
        : model_(layout_, aligner_sizes()),
          split_(data::split_at_random(data::read_digits(data::shipped("digits.csv.gz")))) {
        train_.add(split_.training);
        held_out_.add(split_.held_out);
    }

    std::string name() const override { return "alignment"; }
    Settings settings() const override {
        Settings settings{.steps = 4000, .rate = 0.004F, .warm_up = 100};
        settings.decay = 0.01F;
        settings.average = 0.995F;
        settings.large = true;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    /// Each canvas with its caption, and with a wrong one of each kind.
    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 32;
        const Batch batch = made_of(DigitsOnCanvas(train_).draw(random, kBatch, {}, true), random);
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), batch.list.pairs(),
                                batch.together);
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        constexpr int kImages = 100;
        std::vector<Measured> all;
        for (const auto& [data, digits] : {std::pair{"training", &train_}, {"held out", &held_out_}}) {
            Random random(kFreshSeed, 0);
            const Batch batch = made_of(DigitsOnCanvas(*digits).draw(random, kImages, {}, false), random);
            all.push_back({"Loss on pairs", "nats", data,
                           model_.loss(modules, layout_, theta.data(), batch.list.pairs(), batch.together)});
            all.push_back({"Share of pairs judged right", "share", data, judge(modules, theta, batch)[3]});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        constexpr int kImages = 1000;
        constexpr double kLeast = 0.95;
        struct Kind {
            const char* what;
            Novelty novelty;
        };
        for (const auto& [what, novelty] :
             {Kind{"digits never seen", {}}, Kind{"digits, pairs and places never seen", {true, true}}}) {
            Random random(kFreshSeed, 1);
            const Batch batch =
                made_of(DigitsOnCanvas(held_out_).draw(random, kImages, novelty, false), random);
            const auto shares = judge(modules, theta, batch);
            const double least = novelty.pairs ? 0 : kLeast;
            const char* const against[] = {"another digit", "the digits exchanged", "the other relation"};
            for (std::size_t k = 0; k < 3; ++k)
                trained.figures.push_back(
                    {std::string("share of right captions above those with ") + against[k] + ", " + what,
                     shares[k], least, 1});
            trained.figures.push_back(
                {std::string("share of pairs judged right, ") + what, shares[3], least, 1});
        }
    }

  private:
    static constexpr std::uint64_t kFreshSeed = 0x8c4b;

    struct Batch {
        PairList list;
        std::vector<int> together;
        std::vector<int> differs;  ///< whether the wrong caption is another one than the right one
    };

    static Batch made_of(const CaptionedImages& images, Random& random) {
        Batch batch;
        const CanvasRegions regions = regions_of(images, random);
        for (int b = 0; b < images.count(); ++b) {
            const int* const right = images.captions()[b].data();
            batch.list.add(regions, b, right);
            batch.together.push_back(1);
            batch.differs.push_back(1);
            for (const Wrong how : kWrongs) {
                const std::vector<int> wrong = wrong_caption(right, how, random);
                const bool differs = !std::equal(wrong.begin(), wrong.end(), right);
                batch.list.add(regions, b, wrong.data());
                batch.together.push_back(differs ? 0 : 1);
                batch.differs.push_back(differs ? 1 : 0);
            }
        }
        return batch;
    }

    /// Against each kind of wrong caption, how often the right one has the larger score; and how often a score has the right sign.
    std::array<double, 4> judge(Modules& modules, const Numbers& theta, const Batch& batch) {
        const Read1 score = model_.scores(modules, layout_, theta.data(), batch.list.pairs());
        std::array<double, 4> right{}, all{};
        const auto count = [&](std::size_t what, bool is_right) {
            ++all[what];
            if (is_right) ++right[what];
        };
        constexpr int kEach = 4;
        for (int n = 0; n < batch.list.count(); ++n) {
            const auto at = static_cast<std::size_t>(n);
            count(3, (score(n) > 0) == (batch.together[at] == 1));
            const int kind = n % kEach - 1;
            if (kind >= 0 && batch.differs[at] == 1)
                count(static_cast<std::size_t>(kind), score(n / kEach * kEach) > score(n));
        }
        for (std::size_t k = 0; k < right.size(); ++k) right[k] /= std::max(1.0, all[k]);
        return right;
    }

    Layout layout_;
    Aligner model_;
    data::DigitsSplit split_;
    WrittenDigits train_, held_out_;
};

}  // namespace

std::unique_ptr<Task> alignment() {
    return std::make_unique<Alignment>();
}

}  // namespace attn::training
