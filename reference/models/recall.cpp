#include "datasets/recall.h"

#include <algorithm>

#include "datasets/surprise.h"
#include "reference/models/language.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

/// Every word counts in the loss, not only the answer: a model that has learned what each place needs to know of
/// the others finds the answer sooner.
class Recall : public Task {
  public:
    std::string name() const override { return "recall"; }
    Settings settings() const override {
        Settings settings{.steps = 600, .rate = 0.004F, .warm_up = 20};
        settings.decay = 0;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        const Batch batch([&](int) { return random.below(static_cast<int>(world_.sentences.size())); },
                          kBatch, world_);
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), Batch::view(batch.tokens),
                                Batch::view(batch.targets));
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        Batch all([](int k) { return k; }, static_cast<int>(world_.sentences.size()), world_);
        const Read3 logits = model_.logits(modules, layout_, theta.data(), Batch::view(all.tokens));
        const double loss = modules.cross_entropy(logits, Batch::view(all.targets), 0);
        all.keep_answers();
        return {{"Loss", "nats", "training", loss},
                {"Share of answers that are right", "share", "training",
                 share_right(logits, Batch::view(all.targets))}};
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        using enum data::Known;
        const auto floor = [&](data::Known known) { return data::least_surprise(world_.sentences, known); };
        trained.lines = {
            {"the least possible", floor(everything)},
            {"which words stand before, but not which value follows which key", floor(words_before)},
            {"without attention", floor(last_word_and_place)}};
        Batch all([](int k) { return k; }, static_cast<int>(world_.sentences.size()), world_);
        const Read3 logits = model_.logits(modules, layout_, theta.data(), Batch::view(all.tokens));
        for (const std::size_t k : {std::size_t{4}, std::size_t{43}, std::size_t{107}})
            add_sample(trained, theta, static_cast<int>(k),
                       largest(logits[static_cast<int>(k)][kPlaces - 1]));
        all.keep_answers();
        constexpr double kMost = 0.02;
        trained.figures.push_back(
            {"mean surprise at the answer in nats (0 with attention, ln 3 = 1.0986 without)",
             modules.cross_entropy(logits, Batch::view(all.targets), 0), 0, kMost});
    }

  private:
    static constexpr int kPairs = 3, kBatch = 48, kPlaces = 2 * kPairs + 2;

    /// Some sentences of the world.
    struct Batch {
        template <class Which>
        Batch(Which which, int count, const data::Recall& world) {
            for (int k = 0; k < count; ++k) {
                const std::vector<int>& sentence = world.sentences[static_cast<std::size_t>(which(k))];
                targets.insert(targets.end(), sentence.begin(), sentence.end());
                tokens.push_back(0);
                tokens.insert(tokens.end(), sentence.begin(), sentence.end() - 1);
            }
        }
        /// Leaves the last word of each sentence as the only one that counts.
        void keep_answers() {
            for (std::size_t k = 0; k < targets.size(); ++k)
                if (k % kPlaces != kPlaces - 1) targets[k] = -1;
        }
        static TensorView<const int, 2> view(const std::vector<int>& numbers) {
            return {numbers.data(), static_cast<int>(numbers.size()) / kPlaces, kPlaces};
        }
        std::vector<int> tokens, targets;
    };

    /// Sentence b of the last logits.
    void add_sample(Trained& trained, const Numbers& theta, int b, int answer) const {
        const std::vector<int>& sentence = world_.sentences[static_cast<std::size_t>(b)];
        const auto word = [&](int number) { return world_.words[static_cast<std::size_t>(number)]; };
        Sample sample{"", word(answer), word(sentence.back())};
        for (int i = 0; i + 1 < kPlaces; ++i)
            sample.given += (i == 0 ? "" : " ") + word(sentence[static_cast<std::size_t>(i)]);
        trained.pictures.push_back(attention_map("attention." + std::to_string(trained.samples.size()),
                                                 model_.stack(), layout_, theta.data(),
                                                 model_.stack().sizes().L - 1, b, true));
        trained.samples.push_back(sample);
    }

    data::Recall world_ = data::recall(kPairs);
    Layout layout_;
    LanguageModel model_{layout_, static_cast<int>(world_.words.size()), kPlaces, StackSizes{2, 64, 16, 32}};
};

}  // namespace

std::unique_ptr<Task> recall() {
    return std::make_unique<Recall>();
}

}  // namespace attn::training
