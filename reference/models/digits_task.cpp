#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "datasets/digits.h"
#include "datasets/shipped.h"
#include "reference/models/tasks.h"
#include "reference/models/vision.h"

namespace attn::training {
namespace {

constexpr int kSide = 8, kPixels = kSide * kSide;

/// A pixel of an image, 0 outside.
float pixel(const float* image, int y, int x) {
    return y < 0 || x < 0 || y >= kSide || x >= kSide ? 0 : image[y * kSide + x];
}

/// The image as if it had been written a little turned, larger or smaller, and elsewhere.
void distort(float* to, const float* from, Random& random) {
    constexpr float kMostTurn = 12 * std::numbers::pi_v<float> / 180, kMostScale = 0.1F, kMostShift = 1,
                    kCentre = (kSide - 1) / 2.0F;
    const float turn = random.uniform(-kMostTurn, kMostTurn),
                scale = 1 / random.uniform(1 - kMostScale, 1 + kMostScale),
                shift_y = random.uniform(-kMostShift, kMostShift),
                shift_x = random.uniform(-kMostShift, kMostShift);
    const float c = scale * std::cos(turn), s = scale * std::sin(turn);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const float v = static_cast<float>(y) - kCentre - shift_y,
                        u = static_cast<float>(x) - kCentre - shift_x;
            const float from_y = c * v - s * u + kCentre, from_x = s * v + c * u + kCentre;
            const float floor_y = std::floor(from_y), floor_x = std::floor(from_x);
            const float down = from_y - floor_y, right = from_x - floor_x;
            const int top = static_cast<int>(floor_y), left = static_cast<int>(floor_x);
            to[y * kSide + x] =
                (1 - down) * ((1 - right) * pixel(from, top, left) + right * pixel(from, top, left + 1)) +
                down * ((1 - right) * pixel(from, top + 1, left) + right * pixel(from, top + 1, left + 1));
        }
}

struct Examples {
    Numbers pixels;
    std::vector<int> labels;

    int count() const { return static_cast<int>(labels.size()); }
    const float* image(int k) const { return pixels.data() + std::ptrdiff_t{k} * kPixels; }
    void add(const data::Digits& digits) {
        constexpr float kMostInk = 16;
        for (const float ink : digits.pixels.as<float>()) pixels.push_back(ink / kMostInk);
        for (const std::uint8_t label : digits.labels.as<std::uint8_t>()) labels.push_back(label);
    }
};

class ReadDigits : public Task {
  public:
    ReadDigits() : model_(layout_, kSide, 2, 10, {2, 32, 4, 64}) {
        const data::DigitsSplit by_writer =
                                    data::split_off_last(data::read_digits(data::shipped("digits.csv.gz"))),
                                by_chance = data::split_at_random(by_writer.training);
        train_.add(by_chance.training);
        random_.add(by_chance.held_out);
        last_.add(by_writer.held_out);
    }

    std::string name() const override { return "digits"; }
    Settings settings() const override {
        Settings settings{.steps = 4000, .rate = 0.004F, .warm_up = 100};
        settings.decay = 0.05F;
        settings.average = 0.998F;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 64;
        constexpr float kSmoothing = 0.1F;
        Numbers pixels(std::size_t{kBatch} * kPixels);
        std::vector<int> labels(kBatch);
        for (int b = 0; b < kBatch; ++b) {
            const int which = random.below(train_.count());
            distort(pixels.data() + std::ptrdiff_t{b} * kPixels, train_.image(which), random);
            labels[static_cast<std::size_t>(b)] = train_.labels[static_cast<std::size_t>(which)];
        }
        return model_.gradients(modules, layout_, gradient.data(), theta.data(),
                                {pixels.data(), kBatch, 1, kSide, kSide}, {labels.data(), kBatch},
                                kSmoothing);
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        std::vector<Measured> all;
        for (const auto& [data, part] : {std::pair{"training", &train_}, {"held out", &random_}}) {
            const auto [loss, right] = measure(modules, theta, *part, random_.count());
            all.push_back({"Loss on whole images", "nats", data, loss});
            all.push_back({"Share of images read right", "share", data, right});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        constexpr double kRandom = 0.97, kLast = 0.94;
        trained.lines = {{"the same probability for all digits", std::log(10)}};
        trained.figures.push_back(
            {"share of 360 random images read right", right(modules, theta, random_), kRandom, 1});
        trained.figures.push_back(
            {"share of 360 images by other people read right", right(modules, theta, last_), kLast, 1});
        // Some that are read wrong come first.
        constexpr std::size_t kShown = 12, kWrong = 6;
        const std::vector<int> answers = read(modules, theta, last_.pixels.data(), last_.count());
        std::vector<int> wrong, right_ones;
        for (int k = 0; k < last_.count(); ++k) {
            const auto at = static_cast<std::size_t>(k);
            (answers[at] == last_.labels[at] ? right_ones : wrong).push_back(k);
        }
        wrong.resize(std::min(wrong.size(), kWrong));
        wrong.insert(wrong.end(), right_ones.begin(), right_ones.end());
        for (std::size_t k = 0; k < kShown; ++k) add_picture(modules, theta, trained, wrong[k], k);
    }

  private:
    std::vector<int> read(Modules& modules, const Numbers& theta, const float* images, int count) {
        const Read2 logits = model_.logits(modules, layout_, theta.data(), {images, count, 1, kSide, kSide});
        std::vector<int> answers;
        for (int b = 0; b < count; ++b) answers.push_back(largest(logits[b]));
        return answers;
    }

    /// The mean loss and the share of right answers, of the first `count` images.
    std::pair<double, double> measure(Modules& modules, const Numbers& theta, const Examples& part,
                                      int count) {
        const Read2 logits =
            model_.logits(modules, layout_, theta.data(), {part.pixels.data(), count, 1, kSide, kSide});
        double right = 0;
        for (int b = 0; b < count; ++b)
            right += largest(logits[b]) == part.labels[static_cast<std::size_t>(b)] ? 1 : 0;
        const double loss = modules.cross_entropy({logits.data(), 1, count, logits.size(1)},
                                                  {part.labels.data(), 1, count}, 0);
        return {loss, right / count};
    }

    double right(Modules& modules, const Numbers& theta, const Examples& part) {
        const std::vector<int> answers = read(modules, theta, part.pixels.data(), part.count());
        int count = 0;
        for (std::size_t k = 0; k < answers.size(); ++k) count += answers[k] == part.labels[k] ? 1 : 0;
        return static_cast<double>(count) / part.count();
    }

    /// The picture `shown` of the page is the image k.
    void add_picture(Modules& modules, const Numbers& theta, Trained& trained, int k, std::size_t shown) {
        const int answer = read(modules, theta, last_.image(k), 1)[0];
        const std::string number = std::to_string(shown);
        trained.pictures.emplace_back("image." + number, Shape{kSide, kSide},
                                      Numbers(last_.image(k), last_.image(k) + kPixels));
        trained.pictures.push_back(attention_map("attention." + number, model_.stack(), layout_, theta.data(),
                                                 model_.stack().sizes().L - 1, 0, false));
        trained.samples.push_back({"image " + number, std::to_string(answer),
                                   std::to_string(last_.labels[static_cast<std::size_t>(k)])});
    }

    Layout layout_;
    VisionTransformer model_;
    Examples train_, random_, last_;
};

}  // namespace

std::unique_ptr<Task> digits() {
    return std::make_unique<ReadDigits>();
}

}  // namespace attn::training
