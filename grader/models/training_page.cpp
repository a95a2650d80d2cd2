#include "grader/models/training_page.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attn::trained {
namespace {

using training::Figure;
using training::Trained;

const Array* picture(const Trained& trained, const std::string& name) {
    for (const Array& array : trained.pictures)
        if (array.name == name) return &array;
    return nullptr;
}

std::vector<double> numbers(const Array& array, std::size_t first, std::size_t count) {
    const auto begin = array.as<float>().begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Where the last losses lie among the levels: what the curve says.
std::string side_of_lines(const Trained& trained) {
    if (trained.lines.empty() || trained.losses.empty()) return "";
    constexpr std::size_t kLast = 20;
    const std::size_t count = std::min(kLast, trained.losses.size());
    double end = 0;
    for (std::size_t k = trained.losses.size() - count; k < trained.losses.size(); ++k)
        end += trained.losses[k] / static_cast<double>(count);
    std::string text = fmt::format("The last {} losses are {:.4f} nats on average.", count, end);
    for (const auto& [what, value] : trained.lines)
        text +=
            fmt::format(" That is {} {:.4f} (\u201c{}\u201d).", end < value ? "below" : "above", value, what);
    return text;
}

Chart chart_of(const std::vector<Trained>& all) {
    constexpr std::size_t kMostPoints = 300;
    Chart chart{"Loss of the batches", "step", "nats", {}, {}};
    for (const Trained& trained : all)
        chart.curves.push_back(smoothed(trained.model, trained.losses, kMostPoints));
    for (const auto& [what, value] : all.at(0).lines)
        chart.levels.push_back({value, fmt::format("{:.4f}: {}", value, what)});
    return chart;
}

/// Each series in one chart for all trainings.
std::vector<Chart> charts_of_series(const std::vector<Trained>& all) {
    std::vector<Chart> charts;
    for (const Trained& trained : all)
        for (const training::Series& series : trained.series) {
            auto chart = std::find_if(charts.begin(), charts.end(),
                                      [&](const Chart& other) { return other.title == series.what; });
            if (chart == charts.end())
                chart = charts.insert(chart, {series.what, series.x_name, series.y_name, {}, {}});
            const std::string whose = series.data.empty() ? trained.model
                                      : all.size() == 1   ? series.data
                                                          : trained.model + ", " + series.data;
            chart->curves.push_back({whose, series.x, series.y});
        }
    return charts;
}

/// What the curves of training and held-out data say, or why there are none of held-out data.
std::string about_data(const Trained& trained) {
    const auto has = [&](const char* data) {
        return std::ranges::find(trained.series, data, &training::Series::data) != trained.series.end();
    };
    if (has("held out"))
        return "Measured while it learned. Where the curve of the held-out data is worse than that of the "
               "training data, the model knows the training data by heart.";
    if (has("fresh"))
        return "Measured while it learned. Each batch has new sentences, and so have these curves: there are "
               "no training data that the model could know by heart, and so none are held out.";
    if (has("training"))
        return "Measured while it learned. The model is to learn all the data that there are, so none are "
               "held out. The curves do not show what it would do with others.";
    return "";
}

/// Samples of texts. What has pictures of its own is drawn there.
Section samples_of(const Trained& trained, const std::string& title) {
    Section section{title, {}};
    for (const training::Sample& sample : trained.samples) {
        const bool right = sample.right.empty() || sample.right == sample.said;
        section.samples.push_back({sample.given, (sample.given.ends_with(' ') ? "" : " ") + sample.said,
                                   right ? "" : sample.right + " is right", right});
    }
    return section;
}

/// The digits with the class token's attention, a mean over the heads.
void add_images(const Trained& trained, Section& section) {
    for (std::size_t k = 0; k < trained.samples.size(); ++k) {
        const Array* const image = picture(trained, fmt::format("image.{}", k));
        const Array* const attention = picture(trained, fmt::format("attention.{}", k));
        if (image == nullptr || attention == nullptr) continue;
        ReadImage read{image->shape[0], image->shape[1], numbers(*image, 0, image->count()), 1, {}, {}, true};
        const int H = attention->shape[0], N = attention->shape[1];
        int patches_in_a_row = 1;
        while (patches_in_a_row * patches_in_a_row < N - 1) ++patches_in_a_row;
        read.patch = read.width / patches_in_a_row;
        for (int j = 1; j < N; ++j) {
            double sum = 0;
            for (int h = 0; h < H; ++h) sum += double{attention->view<float, 3>()(h, 0, j)};
            read.looked.push_back(sum / H);
        }
        const training::Sample& sample = trained.samples[k];
        read.right = sample.said == sample.right;
        read.caption = "read " + sample.said + ", written " + sample.right;
        section.images.push_back(read);
    }
}

/// Each captioned image in a row of its own, once for each word that was said about it, with where that word looked.
void add_captions(const Trained& trained, Section& section) {
    for (std::size_t k = 0; k < trained.samples.size(); ++k) {
        const Array* const image = picture(trained, fmt::format("image.{}", k));
        const Array* const maps = picture(trained, fmt::format("words.{}", k));
        if (image == nullptr || maps == nullptr) continue;
        const training::Sample& sample = trained.samples[k];
        const auto cells =
            static_cast<std::size_t>(maps->shape[1]) * static_cast<std::size_t>(maps->shape[2]);
        const std::vector<std::string> said = words_of(sample.said), right = words_of(sample.right);
        for (std::size_t t = 0; t < said.size(); ++t)
            section.images.push_back({image->shape[0], image->shape[1], numbers(*image, 0, image->count()),
                                      image->shape[1] / maps->shape[2], numbers(*maps, t * cells, cells),
                                      said[t], t < right.size() && said[t] == right[t], t == 0});
        section.columns = std::max(section.columns, static_cast<int>(said.size()));
    }
}

void add_maps(const Trained& trained, Section& section) {
    for (std::size_t k = 0; k < trained.samples.size(); ++k) {
        const training::Sample& sample = trained.samples[k];
        if (const Array* const A = picture(trained, fmt::format("alignment.{}", k)))
            if (static_cast<std::size_t>(A->shape[1]) == sample.given.size())
                section.maps.push_back(
                    {sample.given + " \u2192 " + sample.said +
                         (sample.said == sample.right ? "" : " \u2717 right: " + sample.right),
                     letters_of(sample.said), letters_of(sample.given), numbers(*A, 0, A->count())});
        const Array* const A = picture(trained, fmt::format("attention.{}", k));
        if (A == nullptr || picture(trained, fmt::format("image.{}", k)) != nullptr) continue;
        std::vector<std::string> words = {"START"};
        for (const std::string& word : words_of(sample.given + " " + sample.said)) words.push_back(word);
        // No row of a picture asks with the last word, if the model ends with it.
        if (A->shape[1] + 1 == static_cast<int>(words.size())) words.pop_back();
        if (A->shape[1] != static_cast<int>(words.size())) continue;
        const std::size_t size = words.size() * words.size();
        for (int h = 0; h < A->shape[0]; ++h)
            section.maps.push_back({fmt::format("{} ..: head {}", sample.given, h), words, words,
                                    numbers(*A, static_cast<std::size_t>(h) * size, size)});
    }
}

/// Whose forwards and backwards the training called.
std::string functions_in_words(const std::string& modules) {
    return modules == "fast"      ? "the course's fast functions"
           : modules == "plain"   ? "the course's plain loops"
           : modules == "student" ? "your functions"
                                  : modules;
}

std::string in_words(const Figure& figure) {
    return fmt::format("{}: {:.4f}", figure.what, figure.value);
}

}  // namespace

Curve smoothed(const std::string& name, const std::vector<double>& losses, std::size_t most) {
    Curve curve{name, {}, {}};
    const std::size_t pieces = std::min(most, losses.size());
    for (std::size_t k = 0; k < pieces; ++k) {
        const std::size_t begin = k * losses.size() / pieces, end = (k + 1) * losses.size() / pieces;
        double sum = 0;
        for (std::size_t step = begin; step < end; ++step) sum += losses[step];
        curve.x.push_back(static_cast<double>(end));
        curve.y.push_back(sum / static_cast<double>(end - begin));
    }
    return curve;
}

std::string curves_to_json(const ModelPage& page, const std::string& name) {
    nlohmann::ordered_json charts = nlohmann::ordered_json::array();
    for (const Section& section : page.sections)
        for (const Chart& chart : section.charts) {
            nlohmann::ordered_json curves = nlohmann::ordered_json::array();
            for (const Curve& curve : chart.curves)
                curves.push_back({{"name", curve.name}, {"x", curve.x}, {"y", curve.y}});
            charts.push_back({{"title", chart.title}, {"curves", curves}});
        }
    return nlohmann::ordered_json{{"training", name}, {"charts", charts}}.dump() + "\n";
}

void add_curves(ModelPage& page, const std::string& json, const std::string& name) {
    const auto run = nlohmann::json::parse(json);
    for (const auto& old : run.at("charts"))
        for (Section& section : page.sections)
            for (Chart& chart : section.charts)
                if (chart.title == old.at("title").get<std::string>())
                    for (const auto& curve : old.at("curves"))
                        chart.curves.push_back({name + ": " + curve.at("name").get<std::string>(),
                                                curve.at("x").get<std::vector<double>>(),
                                                curve.at("y").get<std::vector<double>>()});
}

ModelPage page_of(const std::vector<Trained>& all) {
    const Trained& first = all.at(0);
    ModelPage page;
    page.title = "A training: " + first.model;
    for (const Trained& trained : all)
        for (const Figure& figure : trained.figures) {
            page.verdict += (page.verdict.empty() ? "" : "; ") +
                            (all.size() > 1 ? trained.model + ", " : "") + in_words(figure);
            if (figure.reached()) continue;
            page.good = false;
            page.verdict += fmt::format(" (expected {:.4f} to {:.4f})", figure.least, figure.most);
        }
    page.verdict += ".";

    Section losses{"How it learned", {}};
    if (const std::string text = side_of_lines(first); !text.empty()) losses.text.push_back(text);
    losses.text.push_back(
        fmt::format("It stopped after {} steps, as many as it was given. The learning rate has fallen to a "
                    "tenth of its largest value by "
                    "then. --steps N gives it another number.",
                    first.steps));
    losses.charts = {chart_of(all)};
    page.sections = {losses};
    if (const std::vector<Chart> charts = charts_of_series(all); !charts.empty()) {
        Section learned{.title = "What it has learned", .text = {}, .charts = charts};
        if (const std::string text = about_data(first); !text.empty()) learned.text = {text};
        page.sections.push_back(learned);
    }
    for (const Trained& trained : all) {
        const std::string behind = all.size() > 1 ? " (" + trained.model + ")" : "";
        Section looks{"Where it looks" + behind, {}};
        add_images(trained, looks);
        if (!looks.images.empty())
            looks.text = {
                "The more orange a patch, the more the class token attends to it in the last block."};
        add_captions(trained, looks);
        if (looks.text.empty() && !looks.images.empty())
            looks.text = {
                "Each row is one image, each column a word that the model says about it. The more orange a "
                "cell "
                "of the grid, the more the decoder attended to it when it said this word."};
        add_maps(trained, looks);
        if (!looks.images.empty() || !looks.maps.empty()) page.sections.push_back(looks);
        if (looks.images.empty() && !trained.samples.empty())
            page.sections.push_back(samples_of(trained, "What it says" + behind));
        page.notes.push_back(fmt::format("{}: {} steps with {} in {:.1f} s, seed {}, {} thread{}",
                                         trained.model, trained.steps, functions_in_words(trained.modules),
                                         trained.seconds, trained.seed, trained.threads,
                                         trained.threads == 1 ? "" : "s"));
    }
    return page;
}

}  // namespace attn::trained
