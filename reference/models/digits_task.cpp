#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/shipped.h"
#include "reference/models/tasks.h"
#include "reference/models/vision.h"
#include "reference/models/written_digits.h"

namespace attn::training {
namespace {

class ReadDigits : public Task {
  public:
    ReadDigits() : model_(layout_, kDigitSide, 2, 10, {2, 32, 4, 64}) {
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
        Numbers pixels(std::size_t{kBatch} * kDigitPixels);
        std::vector<int> labels(kBatch);
        for (int b = 0; b < kBatch; ++b) {
            const int which = random.below(train_.count());
            distort(pixels.data() + std::ptrdiff_t{b} * kDigitPixels, train_.image(which), random);
            labels[static_cast<std::size_t>(b)] = train_.labels[static_cast<std::size_t>(which)];
        }
        return model_.gradients(modules, layout_, gradient.data(), theta.data(),
                                {pixels.data(), kBatch, 1, kDigitSide, kDigitSide}, {labels.data(), kBatch},
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
        const Read2 logits =
            model_.logits(modules, layout_, theta.data(), {images, count, 1, kDigitSide, kDigitSide});
        std::vector<int> answers;
        for (int b = 0; b < count; ++b) answers.push_back(largest(logits[b]));
        return answers;
    }

    /// The mean loss and the share of right answers, of the first `count` images.
    std::pair<double, double> measure(Modules& modules, const Numbers& theta, const WrittenDigits& part,
                                      int count) {
        const Read2 logits = model_.logits(modules, layout_, theta.data(),
                                           {part.pixels.data(), count, 1, kDigitSide, kDigitSide});
        double right = 0;
        for (int b = 0; b < count; ++b)
            right += largest(logits[b]) == part.labels[static_cast<std::size_t>(b)] ? 1 : 0;
        const double loss = modules.cross_entropy({logits.data(), 1, count, logits.size(1)},
                                                  {part.labels.data(), 1, count}, 0);
        return {loss, right / count};
    }

    double right(Modules& modules, const Numbers& theta, const WrittenDigits& part) {
        const std::vector<int> answers = read(modules, theta, part.pixels.data(), part.count());
        int count = 0;
        for (std::size_t k = 0; k < answers.size(); ++k) count += answers[k] == part.labels[k] ? 1 : 0;
        return static_cast<double>(count) / part.count();
    }

    /// The picture `shown` of the page is the image k.
    void add_picture(Modules& modules, const Numbers& theta, Trained& trained, int k, std::size_t shown) {
        const int answer = read(modules, theta, last_.image(k), 1)[0];
        const std::string number = std::to_string(shown);
        trained.pictures.emplace_back("image." + number, Shape{kDigitSide, kDigitSide},
                                      Numbers(last_.image(k), last_.image(k) + kDigitPixels));
        trained.pictures.push_back(attention_map("attention." + number, model_.stack(), layout_, theta.data(),
                                                 model_.stack().sizes().L - 1, 0, false));
        trained.samples.push_back({"image " + number, std::to_string(answer),
                                   std::to_string(last_.labels[static_cast<std::size_t>(k)])});
    }

    Layout layout_;
    VisionTransformer model_;
    WrittenDigits train_, random_, last_;
};

}  // namespace

std::unique_ptr<Task> digits() {
    return std::make_unique<ReadDigits>();
}

}  // namespace attn::training
