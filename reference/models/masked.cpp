#include "reference/models/masked.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "contracts/masked_language_model_reference.h"
#include "datasets/prose.h"
#include "reference/models/language.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

constexpr int kOrders = 2;

std::vector<int> joined(const Lines& lines) {
    std::vector<int> text;
    for (const std::vector<int>& line : lines) text.insert(text.end(), line.begin(), line.end());
    return text;
}

std::vector<int> numbers_below(int count) {
    std::vector<int> numbers;
    for (int k = 0; k < count; ++k) numbers.push_back(k);
    return numbers;
}

/// Fine-tuning of all weights on lines with labels.
class LineOrder : public Task {
  public:
    LineOrder(const MaskedPlan& plan, int V, LabelledLines lines, float rate)
        : plan_(plan),
          rate_(rate),
          lines_(std::move(lines)),
          model_(layout_, V, kMostTokens, kOrders, plan.sizes) {}

    std::string name() const override { return "line_order"; }
    Settings settings() const override {
        Settings settings{.steps = plan_.tuning_steps, .rate = rate_, .warm_up = 20};
        settings.decay = 0.01F;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        constexpr int kBatch = 32;
        std::vector<int> which, labels;
        for (int b = 0; b < kBatch; ++b) {
            which.push_back(random.below(lines_.count()));
            labels.push_back(lines_.labels[static_cast<std::size_t>(which.back())]);
        }
        return model_.class_gradients(modules, layout_, gradient.data(), theta.data(),
                                      lines_.sequences(numbers_, which), {labels.data(), kBatch});
    }

    /// The share of lines that it calls what they are.
    double right(Modules& modules, const Numbers& theta, const LabelledLines& lines) {
        constexpr int kAtATime = 128;
        int right = 0;
        for (int first = 0; first < lines.count(); first += kAtATime) {
            std::vector<int> which = numbers_below(std::min(kAtATime, lines.count() - first));
            for (int& k : which) k += first;
            const Read2 logits =
                model_.classes(modules, layout_, theta.data(), lines.sequences(numbers_, which));
            for (int b = 0; b < logits.size(0); ++b)
                right += largest(logits[b]) == lines.labels[static_cast<std::size_t>(first + b)] ? 1 : 0;
        }
        return static_cast<double>(right) / lines.count();
    }

    void report(Modules& /*modules*/, const Numbers& /*theta*/, Trained& /*trained*/) override {}

  private:
    const MaskedPlan& plan_;
    float rate_;
    LabelledLines lines_;
    Layout layout_;
    MaskedLanguageModel model_;
    std::vector<int> numbers_;
};

class Masked : public Task {
  public:
    Masked(MaskedPlan plan, const std::string& text)
        : plan_(std::move(plan)),
          book_(text),
          learned_(joined(book_.learned)),
          held_out_(joined(book_.held_out)),
          model_(layout_, book_.vocabulary.size(), kMostTokens, kOrders, plan_.sizes) {}

    std::string name() const override { return "masked"; }
    Settings settings() const override {
        Settings settings{.steps = plan_.steps, .rate = plan_.rate, .warm_up = 100};
        settings.decay = 0.01F;
        settings.average = 0.99F;
        settings.large = true;
        return settings;
    }
    const Layout& layout() const override { return layout_; }

    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        std::vector<int> starts;
        for (int b = 0; b < plan_.batch; ++b)
            starts.push_back(random.below(static_cast<int>(learned_.size()) - kWordsAtMost));
        const Hidden batch = hide(learned_, starts, random, true);
        return model_.word_gradients(modules, layout_, gradient.data(), theta.data(), batch.hidden(),
                                     batch.targets());
    }

    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        std::vector<Measured> all;
        for (const auto& [data, text] : {std::pair{"training", &learned_}, {"held out", &held_out_}}) {
            const Judged judged = judge(modules, theta, *text);
            all.push_back({"Loss at hidden words", "nats", data, judged.loss});
            all.push_back({"Share of hidden words that are right", "share", data, judged.right});
        }
        return all;
    }

    void go_on(Modules& modules, const Numbers& theta, std::uint64_t seed, const Shown& shown) override {
        const LabelledLines judged_lines = both_orders(book_.held_out, kFreshSeed);
        std::vector<std::unique_ptr<LineOrder>> tasks;
        std::vector<std::unique_ptr<Training>> trainings;
        for (const int labels : plan_.labels)
            for (int draw = 0; draw < plan_.draws; ++draw)
                for (const bool pretrained : {true, false}) {
                    const std::uint64_t own =
                        Random(seed, static_cast<std::uint64_t>(draw * 1000 + labels)).next();
                    tasks.push_back(std::make_unique<LineOrder>(
                        plan_, book_.vocabulary.size(), draw_labels(book_.learned, labels, own),
                        pretrained ? plan_.tuned_rate : plan_.new_rate));
                    LineOrder& task = *tasks.back();
                    trainings.push_back(std::make_unique<Training>(task, modules, own, task.settings()));
                    if (pretrained)
                        trainings.back()->start_from(to_arrays(layout_, pretrained_weights(theta, own)));
                }
        const auto for_each_of = [&](auto f) { for_each_model(modules, static_cast<int>(tasks.size()), f); };
        for (int step = 1; step <= plan_.tuning_steps; ++step) {
            std::vector<double> losses(tasks.size());
            for_each_of([&](int k) {
                const auto at = static_cast<std::size_t>(k);
                losses[at] = trainings[at]->step();
            });
            double sum = 0;
            for (const double loss : losses) sum += loss / static_cast<double>(losses.size());
            if (shown) shown(step, plan_.tuning_steps, sum);
        }
        rights_.assign(tasks.size(), 0);
        for_each_of([&](int k) {
            const auto at = static_cast<std::size_t>(k);
            rights_[at] = tasks[at]->right(modules, trainings[at]->weights(), judged_lines);
        });
        judged_lines_ = judged_lines.count();
    }

    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        report_words(modules, theta, trained);
        report_lines(trained);
        add_samples(modules, theta, trained);
    }

  private:
    static constexpr std::uint64_t kFreshSeed = 0x3a5c;

    /// Sequences as the model reads them, and what was hidden.
    struct Hidden {
        int B = 0;
        std::vector<int> read, right;
        TensorView<const int, 2> hidden() const { return {read.data(), B, kMostTokens}; }
        TensorView<const int, 2> targets() const { return {right.data(), B, kMostTokens}; }
    };

    /// From each start on: <s>, kWordsAtMost words of the text, </s>. Unknown words are never hidden. For a training some of the
    /// hidden words are not <mask>, as mask_tokens does it.
    Hidden hide(const std::vector<int>& text, const std::vector<int>& starts, Random& random,
                bool training) const {
        const int B = static_cast<int>(starts.size());
        std::vector<int> tokens;
        for (const int start : starts) {
            tokens.push_back(kStart);
            tokens.insert(tokens.end(), text.begin() + start, text.begin() + start + kWordsAtMost);
            tokens.push_back(kEnd);
        }
        // Whatever the share in training, it is judged at BERT's.
        const float share = training ? plan_.share : 0.15F;
        Numbers place, kind, word;
        for (const int token : tokens) {
            const float u = random.uniform();
            place.push_back(token == Vocabulary::kUnknown ? std::max(u, share) : u);
            kind.push_back(training ? random.uniform() : 0);
            word.push_back(random.uniform());
        }
        Hidden result{B, std::vector<int>(tokens.size()), std::vector<int>(tokens.size())};
        const auto of = [B](const Numbers& u) { return Read2(u.data(), B, kMostTokens); };
        cpu::mask_tokens<float>({result.read.data(), B, kMostTokens}, {result.right.data(), B, kMostTokens},
                                {tokens.data(), B, kMostTokens}, of(place), of(kind), of(word),
                                book_.vocabulary.size(), share);
        return result;
    }

    struct Judged {
        double loss = 0, right = 0;
    };
    /// mlm_loss of pieces of the text, at most 64 of them, evenly spread. Always the same words are hidden, all by <mask>.
    Judged judge(Modules& modules, const Numbers& theta, const std::vector<int>& text) {
        const Hidden batch = pieces_of(text, 64);
        const auto [logits, words] =
            model_.guesses(modules, layout_, theta.data(), batch.hidden(), batch.targets());
        float loss = 0, right = 0;
        cpu::mlm_loss<float>({&loss, 1}, {&right, 1}, logits, words);
        return {double{loss}, double{right}};
    }
    Hidden pieces_of(const std::vector<int>& text, int most) const {
        const int pieces = static_cast<int>(text.size()) / kWordsAtMost, count = std::min(most, pieces);
        std::vector<int> starts;
        for (int k = 0; k < count; ++k) starts.push_back(k * pieces / count * kWordsAtMost);
        Random random(kFreshSeed, 0);
        return hide(text, starts, random, false);
    }

    /// Those of the pretraining, but for the head of the sequence, which has learned nothing.
    Numbers pretrained_weights(const Numbers& theta, std::uint64_t seed) const {
        Numbers start = layout_.initial(seed);
        for (const Layout::Entry& entry : layout_.entries())
            if (entry.name.rfind("sentence.", 0) != 0)
                std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(entry.first), entry.count,
                            start.begin() + static_cast<std::ptrdiff_t>(entry.first));
        return start;
    }

    void report_words(Modules& modules, const Numbers& theta, Trained& trained) {
        const NeighbourTable table(learned_);
        const int V = book_.vocabulary.size();
        const Hidden batch = pieces_of(held_out_, static_cast<int>(held_out_.size()));
        double surprise = 0, frequent = 0, between = 0;
        int count = 0;
        for (int b = 0; b < batch.B; ++b)
            for (int i = 1; i + 1 < kMostTokens; ++i) {
                const int word = batch.targets()(b, i);
                if (word < 0) continue;
                ++count;
                surprise += table.surprise(word, V);
                frequent += word == table.most_frequent() ? 1 : 0;
                const auto at = static_cast<std::size_t>(b * kWordsAtMost + i - 1);
                between += word == table.between(at > 0 ? held_out_[at - 1] : kStart,
                                                 at + 1 < held_out_.size() ? held_out_[at + 1] : kEnd)
                               ? 1
                               : 0;
            }
        const auto [logits, words] =
            model_.guesses(modules, layout_, theta.data(), batch.hidden(), batch.targets());
        trained.lines = {{"the same probability for all tokens", std::log(V)},
                         {"how frequent each word is, on held-out chapters", surprise / count}};
        trained.figures = {
            {fmt::format("share of {} hidden words of held-out chapters that are right", count),
             share_right(logits, words), 0, 1},
            {"the same by a table of the words between two neighbours", between / count, 0, 1},
            {"the same if it is always the most frequent word", frequent / count, 0, 1}};
    }

    void report_lines(Trained& trained) const {
        const std::string what =
            fmt::format("Share of {} held-out lines called right (chance: 0.5): the mean of {} draws",
                        judged_lines_, plan_.draws);
        for (const bool pretrained : {true, false}) {
            const char* const whose = pretrained ? "pretrained" : "not pretrained";
            Series mean{what, "labelled lines", "share", {}, {}, whose};
            std::size_t at = pretrained ? 0 : 1;
            for (const int labels : plan_.labels) {
                double sum = 0, least = 1, most = 0;
                for (int draw = 0; draw < plan_.draws; ++draw, at += 2) {
                    sum += rights_.at(at);
                    least = std::min(least, rights_[at]);
                    most = std::max(most, rights_[at]);
                }
                mean.x.push_back(labels);
                mean.y.push_back(sum / plan_.draws);
                trained.figures.push_back({fmt::format("share of lines called right after {} labels, {} (the "
                                                       "draws: {:.3f} to {:.3f})",
                                                       labels, whose, least, most),
                                           sum / plan_.draws, 0, 1});
            }
            trained.series.push_back(mean);
        }
    }

    /// Lines of the held-out chapters with a hidden word, at even distances.
    void add_samples(Modules& modules, const Numbers& theta, Trained& trained) {
        constexpr int kShown = 8, kGuesses = 3;
        const Lines lines = long_ones(book_.held_out);
        const Vocabulary& vocabulary = book_.vocabulary;
        Random random(kFreshSeed, 1);
        for (int k = 0; k < kShown; ++k) {
            const std::vector<int>& line = lines[static_cast<std::size_t>(k) * lines.size() / kShown];
            std::vector<int> known;
            for (std::size_t i = 0; i < line.size(); ++i)
                if (vocabulary.word(line[i]).size() > 1 && line[i] != Vocabulary::kUnknown)
                    known.push_back(static_cast<int>(i));
            if (known.empty()) continue;
            const auto gap = static_cast<std::size_t>(
                known[static_cast<std::size_t>(random.below(static_cast<int>(known.size())))]);
            std::string given;
            std::vector<int> read = {kStart}, targets(line.size() + 2, -1);
            for (std::size_t i = 0; i < line.size(); ++i) {
                read.push_back(i == gap ? kMask : line[i]);
                given += (i > 0 ? " " : "") + vocabulary.word(read.back());
            }
            read.push_back(kEnd);
            targets[gap + 1] = line[gap];
            const int N = static_cast<int>(read.size());
            const Read1 logits =
                model_.guesses(modules, layout_, theta.data(), {read.data(), 1, N}, {targets.data(), 1, N})
                    .logits[0][0];
            trained.samples.push_back(guessed(given, logits, line[gap], kGuesses));
        }
    }

    Sample guessed(const std::string& given, Read1 logits, int right, int guesses) const {
        const int V = logits.size(0);
        double total = 0;
        std::vector<std::pair<double, int>> words;
        const float most = logits(largest(logits));
        for (int v = 0; v < V; ++v) total += std::exp(double{logits(v) - most});
        for (int v = 0; v < V; ++v) words.emplace_back(std::exp(double{logits(v) - most}) / total, v);
        const double of_right = words[static_cast<std::size_t>(right)].first;
        std::stable_sort(words.begin(), words.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::string said;
        for (int k = 0; k < guesses; ++k) {
            const auto& [share, v] = words[static_cast<std::size_t>(k)];
            said += fmt::format("{}{} {:.0f} %", k > 0 ? ", " : "", book_.vocabulary.word(v), 100 * share);
        }
        return {given, said,
                words[0].second == right
                    ? ""
                    : fmt::format("{} {:.0f} %", book_.vocabulary.word(right), 100 * of_right)};
    }

    MaskedPlan plan_;
    MaskedBook book_;
    std::vector<int> learned_, held_out_;
    Layout layout_;
    MaskedLanguageModel model_;
    std::vector<double> rights_;  ///< of each fine-tuned model: labels, then draws, then pretrained or not
    int judged_lines_ = 0;
};

}  // namespace

std::unique_ptr<Task> masked_by_plan(const MaskedPlan& plan, const std::string& text) {
    return std::make_unique<Masked>(plan, text);
}

std::unique_ptr<Task> masked() {
    return masked_by_plan({}, data::shipped_text());
}

}  // namespace attn::training
