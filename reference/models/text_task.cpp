#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "datasets/alphabet.h"
#include "datasets/prose.h"
#include "reference/models/language.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

class Text : public Task {
  public:
    Text()
        : text_(data::shipped_text()),
          alphabet_(text_),
          characters_(alphabet_.numbers(text_)),
          known_(characters_.size() * 9 / 10),
          model_(layout_, alphabet_.size(), kLength, {4, 128, 4, 512}) {}

    std::string name() const override { return "text"; }
    Settings settings() const override {
        Settings settings{.steps = 2000, .rate = 0.001F, .warm_up = 100};
        settings.decay = 0.1F;
        settings.large = true;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        std::vector<int> starts;
        for (int b = 0; b < kBatch; ++b) starts.push_back(random.below(static_cast<int>(known_) - kLength));
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), piece(read_, starts, 0),
                                piece(said_, starts, 1));
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        constexpr int kWindows = 16;
        std::vector<int> read, held_out;
        for (int k = 0; k < kWindows; ++k) {
            read.push_back(k * kLength);
            held_out.push_back(static_cast<int>(known_) + k * kLength);
        }
        std::vector<Measured> all;
        for (const auto& [data, starts] : {std::pair{"training", &read}, {"held out", &held_out}}) {
            const Read3 logits = model_.logits(modules, layout_, theta.data(), piece(read_, *starts, 0));
            const TensorView<const int, 2> next = piece(said_, *starts, 1);
            all.push_back({"Loss on 1,024 characters", "nats", data, modules.cross_entropy(logits, next, 0)});
            all.push_back(
                {"Share of next characters that are right", "share", data, share_right(logits, next)});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        trained.lines = {{"the same probability for all characters", std::log(alphabet_.size())}};
        // The last tenth of the book, window by window.
        double sum = 0;
        int windows = 0;
        for (auto from = static_cast<int>(known_); from + kLength < static_cast<int>(characters_.size());
             from += kLength, ++windows) {
            const Read3 logits = model_.logits(modules, layout_, theta.data(), piece(read_, {from}, 0));
            sum += modules.cross_entropy(logits, piece(said_, {from}, 1), 0);
        }
        constexpr double kMost = 1.6;
        trained.figures.push_back(
            {"mean loss in nats on the last tenth of the book", sum / windows, 0, kMost});
        const std::string given = "Alice ";
        trained.samples.push_back({given, continued(modules, theta, given, 400), ""});
    }

  private:
    static constexpr int kBatch = 12, kLength = 64;

    /// kLength characters from each start + shift on.
    TensorView<const int, 2> piece(std::vector<int>& numbers, const std::vector<int>& starts,
                                   int shift) const {
        numbers.clear();
        for (const int start : starts)
            numbers.insert(numbers.end(), characters_.begin() + start + shift,
                           characters_.begin() + start + shift + kLength);
        return {numbers.data(), static_cast<int>(starts.size()), kLength};
    }

    /// What the model writes on; it reads its last kLength characters.
    std::string continued(Modules& modules, const Numbers& theta, const std::string& given, int length) {
        constexpr float kTemperature = 0.8F;
        std::vector<int> characters = alphabet_.numbers(given);
        const auto first = static_cast<std::ptrdiff_t>(characters.size());
        Random random(1, 0);
        for (int k = 0; k < length; ++k) {
            const int N = std::min(kLength, static_cast<int>(characters.size()));
            const Read3 logits = model_.logits(modules, layout_, theta.data(),
                                               {characters.data() + characters.size() - N, 1, N});
            characters.push_back(draw(logits[0][N - 1], kTemperature, random));
        }
        return alphabet_.text({characters.begin() + first, characters.end()});
    }

    std::string text_;
    data::Alphabet alphabet_;
    std::vector<int> characters_, read_, said_;
    std::size_t known_;
    Layout layout_;
    LanguageModel model_;
};

}  // namespace

std::unique_ptr<Task> text() {
    return std::make_unique<Text>();
}

}  // namespace attn::training
