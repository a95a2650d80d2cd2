// A captioner learns on a tiny canvas, and the canvases of the training are what their captions say.

#include "reference/models/captioner.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/models/captions.h"
#include "reference/models/training_loop.h"

namespace attn::training {
namespace {

BOOST_AUTO_TEST_SUITE(captioner)

constexpr int kTiny = 8, kWords = 3;

/// One bright pixel of two kinds on a canvas of 8 x 8. The captions say its kind, of which only the cells around it know.
class Tiny : public Task {
  public:
    explicit Tiny(bool attention) : model_(layout_, {kTiny, 2, {{8, 1}}, kWords, 2, 8, 8}, attention) {}

    std::string name() const override { return "tiny"; }
    Settings settings() const override {
        Settings settings{.steps = 150, .rate = 0.01F, .warm_up = 10};
        return settings;
    }
    const Layout& layout() const override { return layout_; }
    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        draw(random);
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), images(), captions(), 0);
    }
    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        Random random(77, 0);
        draw(random);
        const auto said = model_.say(modules, layout_, theta.data(), images(), 2);
        double right = 0, mass = 0;
        for (int b = 0; b < kBatch; ++b) {
            const auto at = static_cast<std::size_t>(b);
            right += said[at][0] == words_[2 * at] ? 1.0 / kBatch : 0;
            for (int place = 0; place < kTiny * kTiny; ++place)
                if (std::abs(place / kTiny - places_[at] / kTiny) <= 1 &&
                    std::abs(place % kTiny - places_[at] % kTiny) <= 1)
                    mass += double{model_.maps()(b, 0, place)} / kBatch;
        }
        trained.figures = {{"right", right, 0.9, 1}, {"mass", mass, 0.7, 1}};
    }

  private:
    static constexpr int kBatch = 32;
    Read4 images() const { return {pixels_.data(), kBatch, kTiny, kTiny, 2}; }
    TensorView<const int, 2> captions() const { return {words_.data(), kBatch, 2}; }
    void draw(Random& random) {
        pixels_.assign(std::size_t{kBatch} * kTiny * kTiny * 2, 0);
        words_.clear();
        places_.clear();
        for (int b = 0; b < kBatch; ++b) {
            const int place = random.below(kTiny * kTiny), kind = random.below(2);
            pixels_[static_cast<std::size_t>(2 * (b * kTiny * kTiny + place) + kind)] = 1;
            // The second word does not count in half of the captions.
            words_.insert(words_.end(), {kind, kind == 0 ? 2 : -1});
            places_.push_back(place);
        }
    }

    Layout layout_;
    Captioner model_;
    Numbers pixels_;
    std::vector<int> words_, places_;
};

Trained tiny_training(bool attention, int steps) {
    Tiny task(attention);
    const auto modules = fast_modules();
    Settings settings = task.settings();
    settings.steps = steps;
    Training training(task, *modules, 1, settings);
    while (!training.done()) training.step();
    return trained_by(training, task, *modules);
}

BOOST_AUTO_TEST_CASE(it_learns_what_to_say_and_where_to_look) {
    const Trained before = tiny_training(true, 1), after = tiny_training(true, 150);
    BOOST_TEST(!before.figures[1].reached(), before.figures[1].value);
    BOOST_TEST(after.figures[0].reached(), after.figures[0].value);
    BOOST_TEST(after.figures[1].reached(), after.figures[1].value);
}

BOOST_AUTO_TEST_CASE(without_attention_it_looks_nowhere) {
    const Trained blind = tiny_training(false, 150);
    BOOST_TEST(blind.figures[1].value == 0);
}

/// What a canvas shows, found again from the ink.
BOOST_AUTO_TEST_CASE(canvases_are_what_their_captions_say) {
    WrittenDigits digits;
    for (int digit = 0; digit < kDigitWords; ++digit) {
        digits.labels.push_back(digit);
        for (int k = 0; k < kDigitPixels; ++k) digits.pixels.push_back(static_cast<float>(digit + 1) / 10);
    }
    for (const bool pairs : {false, true})
        for (const bool places : {false, true}) {
            Random random(5, pairs + 2 * places);
            constexpr int kImages = 200;
            const CaptionedImages images =
                DigitsOnCanvas(digits).draw(random, kImages, {pairs, places}, false);
            BOOST_REQUIRE(images.count() == kImages);
            std::set<std::string> relations;
            for (int b = 0; b < kImages; ++b) {
                const auto words = images.captions()[b];
                const auto canvas = images.canvases();
                const auto& [one, two] = images.named[static_cast<std::size_t>(b)];
                const auto ink = [&](const NamedDigit& digit) {
                    return canvas(b, digit.y + 3, digit.x + 3, 0);
                };
                const auto is_near = [](float x, float y) { return std::abs(x - y) < 1e-6F; };
                BOOST_TEST(is_near(ink(one), static_cast<float>(words(one.word) + 1) / 10));
                BOOST_TEST(is_near(ink(two), static_cast<float>(words(two.word) + 1) / 10));
                const std::string text = caption_text(words.data());
                const bool left = text.find(" left of ") != std::string::npos;
                relations.insert(left ? "left" : "above");
                BOOST_TEST((left ? two.x - one.x : two.y - one.y) >= kDigitSide);
                BOOST_TEST((left ? text.find("above") : text.find("left")) == std::string::npos);
                BOOST_TEST(((words(two.word) - words(one.word) + 10) % 10 == 3) == pairs);
                for (const NamedDigit& digit : {one, two})
                    BOOST_TEST(((digit.y + 2 * digit.x) % 5 == 0) == places);
                double sum = 0;
                for (int y = 0; y < kCanvasSide; ++y)
                    for (int x = 0; x < kCanvasSide; ++x) sum += double{canvas(b, y, x, 0)};
                BOOST_TEST(std::abs(sum - 6.4 * (words(one.word) + words(two.word) + 2)) < 1e-3);
                BOOST_TEST(canvas(b, 0, 0, 1) == -1);
                BOOST_TEST(canvas(b, kCanvasSide - 1, 0, 1) == 1);
                BOOST_TEST(canvas(b, 0, kCanvasSide - 1, 2) == 1);
            }
            BOOST_TEST(relations.size() == 2U);
        }
}

BOOST_AUTO_TEST_CASE(the_share_on_a_digit_is_that_of_its_pixels) {
    constexpr int kCells = 10;
    std::vector<float> map(kCells * kCells, 0.01F);
    const Read2 view(map.data(), kCells, kCells);
    BOOST_TEST(std::abs(share_on_digit(view, {0, 3, 5}) - 0.16) < 1e-6);
    std::fill(map.begin(), map.end(), 0.0F);
    map[2 * kCells + 3] = 1;  // pixels (4, 6) to (5, 7)
    BOOST_TEST(share_on_digit(view, {0, 4, 6}) == 1);
    BOOST_TEST(share_on_digit(view, {0, 5, 6}) == 0.5);
    BOOST_TEST(share_on_digit(view, {0, 5, 7}) == 0.25);
    BOOST_TEST(share_on_digit(view, {0, 6, 6}) == 0);
}

BOOST_AUTO_TEST_CASE(captions_are_written_up_to_their_end) {
    const int words[] = {3, 10, 11, 5, kCaptionEnd}, shorter[] = {7, 12, 2, kCaptionEnd, -1},
              wrong[] = {99, 12, -7, 2, 2}, nothing[] = {kCaptionEnd, 1, 1, 1, 1};
    BOOST_TEST(caption_text(words) == "three left of five");
    BOOST_TEST(caption_text(shorter) == "seven above two");
    BOOST_TEST(caption_text(wrong) == "? above ? two two");
    BOOST_TEST(caption_text(nothing) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
