#include <string>

#include "datasets/alphabet.h"
#include "datasets/dates.h"
#include "reference/training/tasks.h"
#include "reference/training/translator.h"

namespace attn::training {
namespace {

class Translation : public Task {
  public:
    explicit Translation(bool attention)
        : attention_(attention), model_(layout_, {written_.size(), iso_.size(), 64, 16, 64, 64}, attention) {
        const data::Dates dates = data::dates_to_translate(1);
        training_ = pairs(dates.training);
        held_out_ = pairs(dates.held_out);
        dates_ = dates.held_out;
    }

    std::string name() const override { return attention_ ? "translation" : "translation_without_attention"; }
    Settings settings() const override {
        Settings settings{.steps = 500, .rate = 0.004F, .warm_up = 50};
        settings.decay = 0.001F;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 64;
        Pairs batch;
        for (int k = 0; k < kBatch; ++k) {
            const auto which =
                static_cast<std::size_t>(random.below(static_cast<int>(training_.source.size())));
            batch.source.push_back(training_.source[which]);
            batch.target.push_back(training_.target[which]);
        }
        return model_.gradients(modules, layout_, gradient.data(), theta.data(), batch);
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        const int length = static_cast<int>(held_out_.target[0].size());
        const auto said = model_.translate(modules, layout_, theta.data(), held_out_.source, length);
        int right = 0;
        for (std::size_t k = 0; k < said.size(); ++k) right += said[k] == held_out_.target[k] ? 1 : 0;
        // Without attention nothing is asked: its number is there to be compared.
        constexpr double kLeast = 0.995;
        trained.figures.push_back(
            {"share of " + std::to_string(said.size()) + " held-out dates with every character right",
             static_cast<double>(right) / static_cast<double>(said.size()), attention_ ? kLeast : 0, 1});
        constexpr std::size_t kShown = 6;
        for (std::size_t k = 0; k < kShown; ++k) {
            trained.samples.push_back({dates_[k].written, iso_.text(said[k]), dates_[k].iso});
            const auto one = model_.translate(modules, layout_, theta.data(), {held_out_.source[k]}, length);
            const Read3 A = model_.alignment();
            trained.pictures.emplace_back("alignment." + std::to_string(k), Shape{A.size(1), A.size(2)},
                                          Numbers(A.data(), A.data() + A.count()));
        }
    }

  private:
    Pairs pairs(const std::vector<data::WrittenDate>& dates) const {
        Pairs result;
        for (const data::WrittenDate& date : dates) {
            result.source.push_back(written_.numbers(date.written));
            result.target.push_back(iso_.numbers(date.iso));
        }
        return result;
    }

    bool attention_;
    data::Alphabet written_{data::kWrittenCharacters}, iso_{data::kIsoCharacters};
    Layout layout_;
    Translator model_;
    Pairs training_, held_out_;
    std::vector<data::WrittenDate> dates_;
};

}  // namespace

std::unique_ptr<Task> translation() {
    return std::make_unique<Translation>(true);
}

std::unique_ptr<Task> translation_without_attention() {
    return std::make_unique<Translation>(false);
}

}  // namespace attn::training
