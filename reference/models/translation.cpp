#include <algorithm>
#include <string>
#include <utility>

#include "datasets/alphabet.h"
#include "datasets/dates.h"
#include "reference/models/tasks.h"
#include "reference/models/transformer.h"
#include "reference/models/translator.h"

namespace attn::training {
namespace {

/// How a model writes characters as numbers: that of the alphabet, and `first` more.
struct Language {
    data::Alphabet alphabet;
    int first;

    std::vector<int> numbers(const std::string& text) const {
        std::vector<int> result = alphabet.numbers(text);
        for (int& number : result) number += first;
        return result;
    }
    /// The characters up to a number that is none.
    std::string text(const std::vector<int>& numbers) const {
        std::string result;
        for (const int number : numbers) {
            if (number < first) break;
            result += alphabet.text({number - first});
        }
        return result;
    }
};

/// A translation of dates by some model.
class Translation : public Task {
  public:
    std::string name() const override { return name_; }
    Settings settings() const override { return settings_; }
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
        return gradients_of(modules, gradient.data(), theta.data(), batch);
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        constexpr std::size_t kDates = 40;
        std::vector<Measured> all;
        for (const auto& [data, pairs] : {std::pair{"training", &training_}, {"held out", &held_out_}}) {
            const std::size_t count = std::min(kDates, pairs->source.size());
            const auto last = static_cast<std::ptrdiff_t>(count);
            const Pairs some{{pairs->source.begin(), pairs->source.begin() + last},
                             {pairs->target.begin(), pairs->target.begin() + last}};
            Numbers unused(theta.size());
            all.push_back(
                {"Loss on dates", "nats", data, gradients_of(modules, unused.data(), theta.data(), some)});
            const auto said =
                translate(modules, theta.data(), some.source, static_cast<int>(pairs->target[0].size()));
            all.push_back({"Share of dates with every character right", "share", data,
                           whole_sentences(said, some.target) / static_cast<double>(count)});
        }
        return all;
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        const int length = static_cast<int>(held_out_.target[0].size());
        const auto said = translate(modules, theta.data(), held_out_.source, length);
        trained.figures.push_back(
            {"share of " + std::to_string(said.size()) + " held-out dates with every character right",
             whole_sentences(said, held_out_.target) / static_cast<double>(said.size()), least_, 1});
        constexpr std::size_t kShown = 6;
        for (std::size_t k = 0; k < kShown; ++k) {
            trained.samples.push_back({dates_[k].written, target_.text(said[k]), dates_[k].iso});
            translate(modules, theta.data(), {held_out_.source[k]}, length);
            trained.pictures.push_back(alignment("alignment." + std::to_string(k), theta.data()));
        }
    }

  protected:
    /// `least`: the share of dates that it should translate. `end`: the number behind each target, -1 if
    /// there is none.
    Translation(std::string name, Settings settings, double least, Language source, Language target, int end)
        : name_(std::move(name)),
          settings_(settings),
          least_(least),
          source_(std::move(source)),
          target_(std::move(target)) {
        const data::Dates dates = data::dates_to_translate(1);
        training_ = pairs(dates.training, end);
        held_out_ = pairs(dates.held_out, end);
        dates_ = dates.held_out;
    }

    virtual double gradients_of(Modules& modules, float* gradient, const float* theta,
                                const Pairs& batch) = 0;
    virtual std::vector<std::vector<int>> translate(Modules& modules, const float* theta,
                                                    const std::vector<std::vector<int>>& source,
                                                    int length) = 0;
    /// Of the first sentence in the last translate(): [10, T].
    virtual Array alignment(const std::string& name, const float* theta) = 0;

    Layout layout_;

  private:
    Pairs pairs(const std::vector<data::WrittenDate>& dates, int end) const {
        Pairs result;
        for (const data::WrittenDate& date : dates) {
            result.source.push_back(source_.numbers(date.written));
            result.target.push_back(target_.numbers(date.iso));
            if (end >= 0) result.target.back().push_back(end);
        }
        return result;
    }

    std::string name_;
    Settings settings_;
    double least_;
    Language source_, target_;
    Pairs training_, held_out_;
    std::vector<data::WrittenDate> dates_;
};

Settings settings_with(int steps, float rate, int warm_up) {
    Settings settings{.steps = steps, .rate = rate, .warm_up = warm_up};
    settings.decay = 0.001F;
    return settings;
}

constexpr double kLeastShare = 0.995;

/// A translation by a model: Translator or Transformer.
template <class Model>
class TranslationBy : public Translation {
  public:
    /// `sizes`: what the model's constructor takes after the layout.
    template <class... Sizes>
    TranslationBy(const char* name, Settings settings, double least_share, Language source, Language target,
                  int end, Sizes... sizes)
        : Translation(name, settings, least_share, std::move(source), std::move(target), end),
          model_(layout_, sizes...) {}

  protected:
    Model model_;

  private:
    double gradients_of(Modules& modules, float* gradient, const float* theta, const Pairs& batch) override {
        return model_.gradients(modules, layout_, gradient, theta, batch);
    }
    std::vector<std::vector<int>> translate(Modules& modules, const float* theta,
                                            const std::vector<std::vector<int>>& source,
                                            int length) override {
        return model_.translate(modules, layout_, theta, source, length);
    }
};

class RecurrentTranslation : public TranslationBy<Translator> {
  public:
    /// Without attention nothing is asked: its number is there to be compared.
    explicit RecurrentTranslation(bool attention)
        : TranslationBy(attention ? "translation" : "translation_without_attention",
                        settings_with(500, 0.004F, 50), attention ? kLeastShare : 0,
                        {data::Alphabet(data::kWrittenCharacters), 0},
                        {data::Alphabet(data::kIsoCharacters), 0}, -1,
                        TranslatorSizes{data::Alphabet(data::kWrittenCharacters).size(),
                                        data::Alphabet(data::kIsoCharacters).size(), 64, 16, 64, 64},
                        attention) {}

  private:
    Array alignment(const std::string& name, const float* /*theta*/) override {
        const Read3 A = model_.alignment();
        return {name, Shape{A.size(1), A.size(2)}, Numbers(A.data(), A.data() + A.count())};
    }
};

class TransformerTranslation : public TranslationBy<Transformer> {
  public:
    TransformerTranslation()
        : TranslationBy("transformer", settings_with(1000, 0.004F, 100), kLeastShare, language(), language(),
                        kEndWord, language().first + language().alphabet.size(), StackSizes{2, 32, 4, 64}) {}

  private:
    static Language language() { return {data::Alphabet(data::kDateCharacters), kEndWord + 1}; }

    /// Without the row that said the end.
    Array alignment(const std::string& name, const float* theta) override {
        Array A = model_.alignment(name, layout_, theta, 0);
        --A.shape[0];
        A.as<float>().resize(A.count());
        return A;
    }
};

}  // namespace

std::unique_ptr<Task> translation() {
    return std::make_unique<RecurrentTranslation>(true);
}

std::unique_ptr<Task> translation_without_attention() {
    return std::make_unique<RecurrentTranslation>(false);
}

std::unique_ptr<Task> transformer() {
    return std::make_unique<TransformerTranslation>();
}

}  // namespace attn::training
