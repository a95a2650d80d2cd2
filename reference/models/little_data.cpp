#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "datasets/shipped.h"
#include "datasets/shuffled.h"
#include "reference/models/convolutional.h"
#include "reference/models/tasks.h"
#include "reference/models/vision.h"
#include "reference/models/written_digits.h"

namespace attn::training {
namespace {

constexpr int kClasses = 10;

/// A model that learns from the first images of a random order.
class Learner {
  public:
    explicit Learner(WrittenDigits images) : images_(std::move(images)) {}
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;
    virtual ~Learner() = default;

    const Layout& layout() const { return layout_; }

    double gradients(Modules& modules, float* gradient, const float* theta, Random& random) {
        constexpr int kBatch = 32;
        constexpr float kSmoothing = 0.1F;
        const int B = std::min(kBatch, images_.count());
        Numbers pixels;
        std::vector<int> labels;
        for (int b = 0; b < B; ++b) {
            const int which = random.below(images_.count());
            pixels.insert(pixels.end(), images_.image(which), images_.image(which) + kDigitPixels);
            labels.push_back(images_.labels[static_cast<std::size_t>(which)]);
        }
        return gradients_of(modules, gradient, theta, as_images(pixels), {labels.data(), B}, kSmoothing);
    }

    struct Measure {
        double loss = 0, right = 0;  ///< right: the share of images that it reads right
    };
    Measure measure(Modules& modules, const float* theta, const WrittenDigits& images) {
        const Read2 logits = logits_of(modules, theta, as_images(images_.pixels), as_images(images.pixels));
        const int count = images.count();
        int right = 0;
        for (int b = 0; b < count; ++b)
            right += largest(logits[b]) == images.labels[static_cast<std::size_t>(b)] ? 1 : 0;
        return {
            modules.cross_entropy({logits.data(), 1, count, kClasses}, {images.labels.data(), 1, count}, 0),
            static_cast<double>(right) / count};
    }
    const WrittenDigits& images() const { return images_; }

  protected:
    Layout layout_;

  private:
    static Read4 as_images(const Numbers& pixels) {
        return {pixels.data(), static_cast<int>(pixels.size()) / kDigitPixels, 1, kDigitSide, kDigitSide};
    }
    virtual double gradients_of(Modules& modules, float* gradient, const float* theta, Read4 images,
                                TensorView<const int, 1> labels, float smoothing) = 0;
    virtual Read2 logits_of(Modules& modules, const float* theta, Read4 learned, Read4 images) = 0;

    WrittenDigits images_;
};

class ConvolutionLearner : public Learner {
  public:
    explicit ConvolutionLearner(WrittenDigits images)
        : Learner(std::move(images)), network_(layout_, kDigitSide, kClasses, {{16, 1}, {32, 2}, {32, 1}}) {}

  private:
    double gradients_of(Modules& modules, float* gradient, const float* theta, Read4 images,
                        TensorView<const int, 1> labels, float smoothing) override {
        return network_.gradients(modules, layout_, gradient, theta, images, labels, smoothing);
    }
    Read2 logits_of(Modules& modules, const float* theta, Read4 learned, Read4 images) override {
        network_.measure(modules, layout_, theta, learned);
        return network_.logits(modules, layout_, theta, images);
    }

    ConvolutionalNetwork network_;
};

/// The model of `digits`.
class TransformerLearner : public Learner {
  public:
    explicit TransformerLearner(WrittenDigits images)
        : Learner(std::move(images)), model_(layout_, kDigitSide, 2, kClasses, {2, 32, 4, 64}) {}

  private:
    double gradients_of(Modules& modules, float* gradient, const float* theta, Read4 images,
                        TensorView<const int, 1> labels, float smoothing) override {
        return model_.gradients(modules, layout_, gradient, theta, images, labels, smoothing);
    }
    Read2 logits_of(Modules& modules, const float* theta, Read4 /*learned*/, Read4 images) override {
        return model_.logits(modules, layout_, theta, images);
    }

    VisionTransformer model_;
};

/// Two kinds of models, each on seven amounts of data, three times. They learn side by side: in the layout one follows
/// the other, and AdamW treats each number on its own.
class LittleData : public Task {
  public:
    LittleData() {
        const data::DigitsSplit split =
            data::split_off_last(data::read_digits(data::shipped("digits.csv.gz")));
        held_out_.add(split.held_out);
        for (int draw = 0; draw < kDraws; ++draw) {
            std::vector<int> order =
                data::shuffled(split.training.labels.shape[0], static_cast<std::uint64_t>(draw));
            for (const int count : kCounts) {
                WrittenDigits images;
                images.add(data::chosen(split.training, {order.begin(), order.begin() + count}));
                const std::string of = fmt::format("{}_images.{}.", count, draw);
                add(std::make_unique<ConvolutionLearner>(images), "convolutions." + of);
                add(std::make_unique<TransformerLearner>(images), "transformer." + of);
            }
        }
    }

    std::string name() const override { return "little_data"; }
    Settings settings() const override {
        Settings settings{.steps = 1500, .rate = 0.004F, .warm_up = 100};
        settings.decay = 0.05F;
        settings.average = 0.99F;
        settings.clip =
            std::numeric_limits<float>::infinity();  // each model's gradient is clipped on its own
        settings.large = true;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        const std::uint64_t seed = random.next();
        std::vector<double> losses(learners_.size());
        const auto one = [&](int k) {
            const auto at = static_cast<std::size_t>(k);
            const Layout& layout = learners_[at]->layout();
            // Both kinds see the same batches.
            Random own(seed, at / 2);
            Numbers part(layout.count());
            losses[at] = learners_[at]->gradients(modules, part.data(), theta.data() + first_[at], own);
            clip_to_norm(part, 1);
            std::ranges::copy(part, gradient.begin() + static_cast<std::ptrdiff_t>(first_[at]));
        };
        for_each_model(modules, static_cast<int>(learners_.size()), one);
        double sum = 0;
        for (const double loss : losses) sum += loss;
        return sum / static_cast<double>(losses.size());
    }

    /// Of the models with the fewest images, because these know them by heart.
    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        std::vector<Measured> all;
        for (const char* const data : {"training", "held out"}) {
            Learner::Measure mean;
            for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
                Learner& learner = *learners_[kind];
                const WrittenDigits& images = data == std::string("training") ? learner.images() : held_out_;
                const Learner::Measure one = learner.measure(modules, theta.data() + first_[kind], images);
                mean.loss += one.loss / kKinds.size();
                mean.right += one.right / kKinds.size();
            }
            all.push_back({"Loss of two models that learn from 50 images", "nats", data, mean.loss});
            all.push_back({"Share that these read right", "share", data, mean.right});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        trained.lines = {{"the same probability for all digits", std::log(kClasses)}};
        std::vector<double> right(learners_.size());
        for_each_model(modules, static_cast<int>(learners_.size()), [&](int k) {
            const auto at = static_cast<std::size_t>(k);
            right[at] = learners_[at]->measure(modules, theta.data() + first_[at], held_out_).right;
        });
        for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
            Series mean{"Share of 360 images by other people read right: the mean of three draws",
                        "images that it learned from",
                        "share",
                        {},
                        {},
                        kKinds.at(kind)};
            for (std::size_t c = 0; c < kCounts.size(); ++c) {
                double sum = 0, least = 1, most = 0;
                for (int draw = 0; draw < kDraws; ++draw) {
                    const double each =
                        right.at(2 * (static_cast<std::size_t>(draw) * kCounts.size() + c) + kind);
                    sum += each;
                    least = std::min(least, each);
                    most = std::max(most, each);
                }
                mean.x.push_back(kCounts.at(c));
                mean.y.push_back(sum / kDraws);
                if (c > 0 && c + 1 < kCounts.size()) continue;
                trained.figures.push_back({fmt::format("{}, {} images (the draws: {:.3f} to {:.3f})",
                                                       kKinds.at(kind), kCounts.at(c), least, most),
                                           sum / kDraws, 0, 1});
            }
            trained.series.push_back(mean);
        }
    }

  private:
    static constexpr int kDraws = 3;
    static constexpr std::array kCounts = {50, 100, 200, 400, 700, 1000, 1400};
    static constexpr std::array kKinds = {"convolutional network", "vision transformer"};

    void add(std::unique_ptr<Learner> learner, const std::string& prefix) {
        first_.push_back(layout_.count());
        for (const Layout::Entry& entry : learner->layout().entries())
            layout_.add(prefix + entry.name, entry.shape, entry.start, entry.decays);
        learners_.push_back(std::move(learner));
    }

    Layout layout_;
    WrittenDigits held_out_;
    std::vector<std::unique_ptr<Learner>> learners_;
    std::vector<std::size_t> first_;
};

}  // namespace

std::unique_ptr<Task> little_data() {
    return std::make_unique<LittleData>();
}

}  // namespace attn::training
