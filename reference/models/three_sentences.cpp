#include <algorithm>
#include <array>
#include <map>

#include "datasets/sentences.h"
#include "datasets/surprise.h"
#include "reference/models/language.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

constexpr int kStart = 0, kEnd = 1;  // as in assignment 11
constexpr std::array kSentences = {"think", "like", "network"};

class ThreeSentences : public Task {
  public:
    ThreeSentences() {
        std::vector<std::vector<std::string>> sentences;
        std::size_t longest = 0;
        for (const char* name : kSentences) {
            sentences.push_back(data::lecture_tokens(name));
            longest = std::max(longest, sentences.back().size());
        }
        N_ = static_cast<int>(longest) + 1;
        const std::size_t count = sentences.size() * static_cast<std::size_t>(N_);
        targets_.assign(count, -1);
        tokens_.assign(count, kStart);
        std::map<std::string, int> numbers;
        for (std::size_t s = 0; s < sentences.size(); ++s) {
            int* const target = targets_.data() + s * static_cast<std::size_t>(N_);
            int* const token = tokens_.data() + s * static_cast<std::size_t>(N_);
            for (std::size_t i = 0; i < sentences[s].size(); ++i) {
                const auto [word, is_new] = numbers.emplace(sentences[s][i], static_cast<int>(words_.size()));
                if (is_new) words_.push_back(sentences[s][i]);
                target[i] = token[i + 1] = word->second;
            }
            target[sentences[s].size()] = kEnd;
            sentences_.emplace_back(target, target + sentences[s].size() + 1);
        }
        model_ = std::make_unique<LanguageModel>(layout_, static_cast<int>(words_.size()), N_,
                                                 StackSizes{1, 32, 2, 64});
    }

    std::string name() const override { return "three_sentences"; }
    Settings settings() const override {
        Settings settings{.steps = 400, .rate = 0.01F, .warm_up = 20};
        settings.decay = 0;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& /*random*/) override {
        return model_->gradients(modules, layout_, gradient.data(), theta.data(), view(tokens_),
                                 view(targets_));
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        const Read3 logits = model_->logits(modules, layout_, theta.data(), view(tokens_));
        return {
            {"Loss", "nats", "training", modules.cross_entropy(logits, view(targets_), 0)},
            {"Share of next words that are right", "share", "training", share_right(logits, view(targets_))}};
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        const double least = data::least_surprise(sentences_, data::Known::everything);
        trained.lines = {{"the least possible", least},
                         {"only the last word", data::least_surprise(sentences_, data::Known::last_word)}};
        const Read3 logits = model_->logits(modules, layout_, theta.data(), view(tokens_));
        constexpr double kShare = 0.01;
        // A float's mean of 19 terms may lie a few roundings below.
        trained.figures.push_back({"mean loss in nats (at best 3 ln 3 / 19)",
                                   modules.cross_entropy(logits, view(targets_), 0), least * (1 - 1e-6),
                                   least * (1 + kShare)});
        for (const char* begin : {"think", "like", "am"}) add_sample(modules, theta, trained, {"I", begin});
    }

  private:
    TensorView<const int, 2> view(const std::vector<int>& numbers) const {
        return {numbers.data(), static_cast<int>(kSentences.size()), N_};
    }

    void add_sample(Modules& modules, const Numbers& theta, Trained& trained,
                    const std::vector<std::string>& given) {
        std::vector<int> tokens = {kStart};
        Sample sample;
        for (const std::string& word : given) {
            tokens.push_back(
                static_cast<int>(std::find(words_.begin(), words_.end(), word) - words_.begin()));
            sample.given += (sample.given.empty() ? "" : " ") + word;
        }
        Random unused(0, 0);
        while (static_cast<int>(tokens.size()) < N_) {
            const int N = static_cast<int>(tokens.size());
            const Read3 logits = model_->logits(modules, layout_, theta.data(), {tokens.data(), 1, N});
            const int word = draw(logits[0][N - 1], 0, unused);
            if (word == kEnd) break;
            sample.said += (sample.said.empty() ? "" : " ") + words_[static_cast<std::size_t>(word)];
            tokens.push_back(word);
        }
        model_->logits(modules, layout_, theta.data(), {tokens.data(), 1, static_cast<int>(tokens.size())});
        trained.pictures.push_back(attention_map("attention." + std::to_string(trained.samples.size()),
                                                 model_->stack(), layout_, theta.data(), 0, 0, true));
        for (const char* name : kSentences) {
            std::string sentence;
            for (const std::string& word : data::lecture_tokens(name))
                sentence += (sentence.empty() ? "" : " ") + word;
            if (sentence.rfind(sample.given + " ", 0) == 0)
                sample.right = sentence.substr(sample.given.size() + 1);
        }
        trained.samples.push_back(sample);
    }

    int N_ = 0;
    std::vector<std::string> words_ = {"<start>", "<end>"};
    std::vector<std::vector<int>> sentences_;  ///< what is to be predicted
    std::vector<int> tokens_, targets_;
    Layout layout_;
    std::unique_ptr<LanguageModel> model_;
};

}  // namespace

std::unique_ptr<Task> three_sentences() {
    return std::make_unique<ThreeSentences>();
}

}  // namespace attn::training
