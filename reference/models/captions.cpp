#include "reference/models/captions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "datasets/shipped.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

constexpr int kPadding = -1;
constexpr int kFurthest = kCanvasSide - kDigitSide;  // of a digit's corner

/// Where a digit stands: its upper left corner.
struct Place {
    int y = 0, x = 0;
};

/// One in ten pairs, so that each digit stands first in one of them and second in one.
bool is_new_pair(int first, int second) {
    constexpr int kAfter = 3;
    return (second - first + kDigitWords) % kDigitWords == kAfter;
}

/// One in five places.
bool is_new_place(Place place) {
    constexpr int kEvery = 5;
    return (place.y + 2 * place.x) % kEvery == 0;
}

/// The second digit is right of the first one or below it; in the other direction they differ by at most half a digit.
bool is_beside(int before, int after, int across) {
    return after - before >= kDigitSide && std::abs(across) <= kDigitSide / 2;
}

}  // namespace

const std::vector<std::string>& caption_words() {
    static const std::vector<std::string> words = {"zero",  "one",   "two",  "three", "four", "five",  "six",
                                                   "seven", "eight", "nine", "left",  "of",   "above", "END"};
    return words;
}

std::string caption_text(const int* words) {
    std::string text;
    for (int t = 0; t < kCaptionWords && words[t] != kPadding && words[t] != kCaptionEnd; ++t) {
        const bool known = words[t] >= 0 && words[t] < kCaptionEnd;
        text += (t > 0 ? " " : "") + (known ? caption_words()[static_cast<std::size_t>(words[t])] : "?");
    }
    return text;
}

CaptionerSizes caption_sizes() {
    return {kCanvasSide, kCanvasNumbers, {{16, 1}, {32, 2}, {64, 1}}, kCaptionEnd + 1, 16, 128, 32};
}

DigitsOnCanvas::DigitsOnCanvas(const WrittenDigits& digits) : digits_(digits), of_digit_(kDigitWords) {
    for (int k = 0; k < digits.count(); ++k)
        of_digit_[static_cast<std::size_t>(digits.labels[static_cast<std::size_t>(k)])].push_back(k);
}

CaptionedImages DigitsOnCanvas::draw(Random& random, int count, Novelty novelty, bool distorted) const {
    CaptionedImages result;
    for (int k = 0; k < count; ++k) add(result, random, novelty, distorted);
    return result;
}

void DigitsOnCanvas::add(CaptionedImages& images, Random& random, Novelty novelty, bool distorted) const {
    int first = 0, second = 0;
    do {
        first = random.below(kDigitWords);
        second = random.below(kDigitWords);
    } while (is_new_pair(first, second) != novelty.pairs);
    Place a, b;
    bool left = false, above = false;
    do {
        a = {random.below(kFurthest + 1), random.below(kFurthest + 1)};
        b = {random.below(kFurthest + 1), random.below(kFurthest + 1)};
        left = is_beside(a.x, b.x, b.y - a.y);
        above = is_beside(a.y, b.y, b.x - a.x);
    } while (!(left || above) || is_new_place(a) != novelty.places || is_new_place(b) != novelty.places);

    const std::size_t start = images.pixels.size();
    images.pixels.resize(start + std::size_t{kCanvasSide} * kCanvasSide * kCanvasNumbers);
    float* const canvas = images.pixels.data() + start;
    for (int y = 0; y < kCanvasSide; ++y)
        for (int x = 0; x < kCanvasSide; ++x) {
            const auto from_middle = [](int at) {
                return 2 * static_cast<float>(at) / static_cast<float>(kCanvasSide - 1) - 1;
            };
            float* const pixel = canvas + std::ptrdiff_t{y * kCanvasSide + x} * kCanvasNumbers;
            pixel[1] = from_middle(y);
            pixel[2] = from_middle(x);
        }
    for (const auto& [digit, place] : {std::pair{first, a}, {second, b}}) {
        const std::vector<int>& written = of_digit_[static_cast<std::size_t>(digit)];
        const float* ink =
            digits_.image(written[static_cast<std::size_t>(random.below(static_cast<int>(written.size())))]);
        std::array<float, kDigitPixels> changed{};
        constexpr float kMostShift = 0.5F;
        if (distorted) {
            distort(changed.data(), ink, random, kMostShift);
            ink = changed.data();
        }
        for (int y = 0; y < kDigitSide; ++y)
            for (int x = 0; x < kDigitSide; ++x)
                canvas[std::ptrdiff_t{(place.y + y) * kCanvasSide + place.x + x} * kCanvasNumbers] +=
                    ink[y * kDigitSide + x];
    }
    constexpr int kLeft = kDigitWords, kOf = kLeft + 1, kAbove = kOf + 1;
    std::vector<int> words = {first};
    if (left)
        words.insert(words.end(), {kLeft, kOf});
    else
        words.push_back(kAbove);
    words.insert(words.end(), {second, kCaptionEnd});
    images.named.push_back(
        {NamedDigit{0, a.y, a.x}, NamedDigit{static_cast<int>(words.size()) - 2, b.y, b.x}});
    words.resize(kCaptionWords, kPadding);
    images.words.insert(images.words.end(), words.begin(), words.end());
}

double share_on_digit(Read2 map, const NamedDigit& digit) {
    const int cells = map.size(0), side = kCanvasSide / cells;
    double sum = 0;
    for (int y = 0; y < kDigitSide; ++y)
        for (int x = 0; x < kDigitSide; ++x)
            sum += double{map((digit.y + y) / side, (digit.x + x) / side)} / (side * side);
    return sum;
}

namespace {

/// Writes "three left of five" under a canvas with two handwritten digits.
class Captions : public Task {
  public:
    explicit Captions(bool attention)
        : attention_(attention),
          model_(layout_, caption_sizes(), attention),
          split_(data::split_at_random(data::read_digits(data::shipped("digits.csv.gz")))),
          train_(all_of(split_.training)),
          held_out_(all_of(split_.held_out)) {}

    std::string name() const override { return attention_ ? "captions" : "captions_without_attention"; }
    Settings settings() const override {
        Settings settings{.steps = 4000, .rate = 0.004F, .warm_up = 100};
        settings.decay = 0.01F;
        settings.average = 0.995F;
        settings.large = true;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 64;
        const CaptionedImages batch = DigitsOnCanvas(train_).draw(random, kBatch, {}, true);
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), batch.canvases(),
                                batch.captions(), kSmoothing);
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        constexpr int kImages = 100;
        std::vector<Measured> all;
        for (const auto& [data, digits] : {std::pair{"training", &train_}, {"held out", &held_out_}}) {
            Random random(kFreshSeed, 0);
            const CaptionedImages images = DigitsOnCanvas(*digits).draw(random, kImages, {}, false);
            all.push_back(
                {"Loss on captions", "nats", data,
                 model_.loss(modules, layout_, theta.data(), images.canvases(), images.captions(), 0)});
            all.push_back({"Share of captions with every word right", "share", data,
                           judge(modules, theta, images).whole});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        constexpr int kImages = 1000;
        constexpr double kLeastWhole = 0.97, kLeastMass = 0.9;
        struct Kind {
            const char* what;
            Novelty novelty;
            double least;
        };
        double mass = 0;
        for (const auto& [what, novelty, least] :
             {Kind{"of digits never seen", {}, kLeastWhole},
              {"of digits never seen, in pairs never seen", {true, false}, 0},
              {"of digits never seen, at places never seen", {false, true}, 0},
              {"with all three", {true, true}, 0}}) {
            Random random(kFreshSeed, 1);
            const Judged judged =
                judge(modules, theta, DigitsOnCanvas(held_out_).draw(random, kImages, novelty, false));
            trained.figures.push_back({std::string("share of 1,000 captions whole, ") + what, judged.whole,
                                       attention_ ? least : 0, 1});
            if (trained.figures.size() == 1) mass = judged.mass;
        }
        if (attention_)
            trained.figures.push_back(
                {"share of the attention on the digit that a word names", mass, kLeastMass, 1});
        add_pictures(modules, theta, trained);
    }

  private:
    static constexpr float kSmoothing = 0.1F;
    static constexpr std::uint64_t kFreshSeed = 0x8c4b;

    struct Judged {
        double whole = 0, mass = 0;
    };

    static WrittenDigits all_of(const data::Digits& digits) {
        WrittenDigits result;
        result.add(digits);
        return result;
    }

    /// Some images at a time.
    Judged judge(Modules& modules, const Numbers& theta, const CaptionedImages& images) {
        constexpr int kAtATime = 100;
        Judged judged;
        for (int first = 0; first < images.count(); first += kAtATime) {
            const int count = std::min(kAtATime, images.count() - first);
            const auto said =
                model_.say(modules, layout_, theta.data(), images.canvases(first, count), kCaptionWords);
            for (int b = 0; b < count; ++b) {
                const int* const right = images.captions()[first + b].data();
                if (caption_text(said[static_cast<std::size_t>(b)].data()) == caption_text(right))
                    judged.whole += 1.0 / images.count();
                for (const NamedDigit& digit : images.named[static_cast<std::size_t>(first + b)])
                    judged.mass += share_on_digit(map_of(b, digit.word), digit) / (2 * images.count());
            }
        }
        return judged;
    }

    /// Where word t of image b looked      [R, C]
    Read2 map_of(int b, int t) const { return {model_.maps()[b][t].data(), model_.cells(), model_.cells()}; }

    void add_pictures(Modules& modules, const Numbers& theta, Trained& trained) {
        constexpr int kShown = 6;
        Random random(kFreshSeed, 2);
        const CaptionedImages images = DigitsOnCanvas(held_out_).draw(random, kShown, {true, true}, false);
        const auto said = model_.say(modules, layout_, theta.data(), images.canvases(), kCaptionWords);
        for (int b = 0; b < kShown; ++b) {
            const std::string number = std::to_string(b);
            const int* const words = said[static_cast<std::size_t>(b)].data();
            trained.samples.push_back(
                {"image " + number, caption_text(words), caption_text(images.captions()[b].data())});
            Numbers ink;
            const Read4 canvases = images.canvases();
            for (int y = 0; y < kCanvasSide; ++y)
                for (int x = 0; x < kCanvasSide; ++x) ink.push_back(canvases(b, y, x, 0));
            trained.pictures.emplace_back("image." + number, Shape{kCanvasSide, kCanvasSide}, ink);
            if (!attention_) continue;
            int count = 0;
            while (count < kCaptionWords && words[count] != kCaptionEnd) ++count;
            const float* const maps = map_of(b, 0).data();
            trained.pictures.emplace_back(
                "words." + number, Shape{count, model_.cells(), model_.cells()},
                Numbers(maps, maps + std::ptrdiff_t{count} * model_.cells() * model_.cells()));
        }
    }

    bool attention_;
    Layout layout_;
    Captioner model_;
    data::DigitsSplit split_;
    WrittenDigits train_, held_out_;
};

}  // namespace

std::unique_ptr<Task> captions() {
    return std::make_unique<Captions>(true);
}

std::unique_ptr<Task> captions_without_attention() {
    return std::make_unique<Captions>(false);
}

}  // namespace attn::training
