#include <string>

#include "reference/models/language.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

/// "7 8" is followed by 5, the last digit of their sum. The model learns all hundred pairs, so what it gets wrong is
/// what its functions cannot express or its training does not find.
class Sums : public Task {
  public:
    /// `blocks` blocks with one head. `least`: the share of sums that it should get right.
    Sums(int blocks, double least) : least_(least), model_(layout_, kDigits, kPlaces, {blocks, 16, 1, 64}) {
        for (int a = 0; a < kDigits; ++a)
            for (int b = 0; b < kDigits; ++b) {
                tokens_.insert(tokens_.end(), {a, b});
                targets_.insert(targets_.end(), {-1, (a + b) % kDigits});
            }
    }

    std::string name() const override { return "sums"; }
    Settings settings() const override {
        Settings settings{.steps = 500, .rate = 0.01F, .warm_up = 20};
        settings.decay = 0;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& /*random*/) override {
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), view(tokens_),
                                view(targets_));
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        const Read3 logits = model_.logits(modules, layout_, theta.data(), view(tokens_));
        return {{"Loss", "nats", "training", modules.cross_entropy(logits, view(targets_), 0)},
                {"Share of sums that are right", "share", "training", share_right(logits, view(targets_))}};
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        const Read3 logits = model_.logits(modules, layout_, theta.data(), view(tokens_));
        for (int k = kDigits / 2; k < kPairs; k += kDigits + 1)
            trained.samples.push_back(
                {std::to_string(view(tokens_)(k, 0)) + " " + std::to_string(view(tokens_)(k, 1)),
                 std::to_string(largest(logits[k][1])), std::to_string(view(targets_)(k, 1))});
        trained.figures.push_back(
            {"share of the 100 sums that are right", share_right(logits, view(targets_)), least_, 1});
    }

  private:
    static constexpr int kDigits = 10, kPlaces = 2, kPairs = kDigits * kDigits;

    static TensorView<const int, 2> view(const std::vector<int>& numbers) {
        return {numbers.data(), kPairs, kPlaces};
    }

    double least_;
    std::vector<int> tokens_, targets_;
    Layout layout_;
    LanguageModel model_;
};

std::unique_ptr<Task> attention_alone(const char* name, int blocks) {
    return with_zeros(std::make_unique<Sums>(blocks, 0), name, {".W_1", ".b_1", ".W_2", ".b_2"});
}

}  // namespace

std::unique_ptr<Task> sums() {
    constexpr double kLeastShare = 0.99;
    return std::make_unique<Sums>(1, kLeastShare);
}

std::unique_ptr<Task> sums_without_feed_forward() {
    return attention_alone("sums_without_feed_forward", 1);
}

std::unique_ptr<Task> deep_sums_without_feed_forward() {
    return attention_alone("deep_sums_without_feed_forward", 3);
}

}  // namespace attn::training
