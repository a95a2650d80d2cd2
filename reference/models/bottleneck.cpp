#include <string>

#include "reference/models/tasks.h"
#include "reference/models/translator.h"

namespace attn::training {
namespace {

/// Digits in reverse order: "2 7 1 8" is "8 1 7 2". Each digit of the source is needed once, and nothing about it can
/// be guessed, so a longer sentence is more to remember and nothing else.
class Bottleneck : public Task {
  public:
    explicit Bottleneck(bool attention)
        : attention_(attention), model_(layout_, {kDigits, kDigits, 64, 16, 64, 64}, attention) {}

    std::string name() const override { return attention_ ? "bottleneck" : "bottleneck_without_attention"; }
    Settings settings() const override {
        Settings settings{.steps = 1500, .rate = 0.004F, .warm_up = 50};
        settings.decay = 0.001F;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 32;
        return model_.gradients(modules, layout_, gradient.data(), theta.data(),
                                sentences(random, kBatch, 1 + random.below(kLongest)));
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        constexpr int kSentences = 8;
        double loss = 0;
        int right = 0;
        for (int length = 1; length <= kLongest; ++length) {
            Random random(kFreshSeed, static_cast<std::uint64_t>(kLongest + length));
            const Pairs fresh = sentences(random, kSentences, length);
            Numbers unused(theta.size());
            loss += model_.gradients(modules, layout_, unused.data(), theta.data(), fresh) / kLongest;
            const auto said = model_.translate(modules, layout_, theta.data(), fresh.source, length);
            right += whole_sentences(said, fresh.target);
        }
        return {{"Loss on sentences of all lengths", "nats", "fresh", loss},
                {"Share of sentences with every digit right", "share", "fresh",
                 static_cast<double>(right) / (kSentences * kLongest)}};
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        constexpr int kSentences = 100;
        Series whole{"Sentences with every digit right", "digits of the sentence", "share", {}, {}};
        double sum = 0;
        for (int length = 1; length <= kLongest; ++length) {
            // A stream that no step of a training draws from.
            Random random(kFreshSeed, static_cast<std::uint64_t>(length));
            const Pairs fresh = sentences(random, kSentences, length);
            const auto said = model_.translate(modules, layout_, theta.data(), fresh.source, length);
            whole.x.push_back(length);
            whole.y.push_back(static_cast<double>(whole_sentences(said, fresh.target)) / kSentences);
            sum += whole.y.back();
            if (length % 4 != 0) continue;
            trained.samples.push_back({text(fresh.source[0]), text(said[0]), text(fresh.target[0])});
            const Read3 A = model_.alignment();
            trained.pictures.push_back({"alignment." + std::to_string(trained.samples.size() - 1),
                                        Shape{A.size(1), A.size(2)},
                                        Numbers(A[0].data(), A[0].data() + A[0].count())});
        }
        trained.figures.push_back({"share of fresh sentences of 1 to " + std::to_string(kLongest) +
                                       " digits with every digit right",
                                   sum / kLongest, attention_ ? kLeastShare : 0, 1});
        trained.series = {whole};
    }

  private:
    static constexpr int kDigits = 10, kLongest = 16;
    static constexpr std::uint64_t kFreshSeed = 0x62f7;
    static constexpr double kLeastShare = 0.95;

    /// Equally long ones, because a batch of the decoder has one number of steps.
    static Pairs sentences(Random& random, int count, int length) {
        Pairs result;
        for (int k = 0; k < count; ++k) {
            std::vector<int>& source = result.source.emplace_back();
            for (int i = 0; i < length; ++i) source.push_back(random.below(kDigits));
            result.target.emplace_back(source.rbegin(), source.rend());
        }
        return result;
    }
    static std::string text(const std::vector<int>& digits) {
        std::string result;
        for (const int digit : digits) result += static_cast<char>('0' + digit);
        return result;
    }

    bool attention_;
    Layout layout_;
    Translator model_;
};

}  // namespace

std::unique_ptr<Task> bottleneck() {
    return std::make_unique<Bottleneck>(true);
}

std::unique_ptr<Task> bottleneck_without_attention() {
    return std::make_unique<Bottleneck>(false);
}

}  // namespace attn::training
