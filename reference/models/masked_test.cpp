// The heads' gradients are their slopes, the labels are what they say, and a small model is worth its pretraining.

#include "reference/models/masked.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/masked_language_model_on_arrays.h"
#include "reference/models/masked_gradients.h"
#include "reference/testing/arrays.h"
#include "reference/testing/near.h"
#include "reference/testing/slopes.h"

namespace attn::training {
namespace {

using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(masked)

template <int Rank>
TensorView<const double, Rank> read(const Array& array) {
    return array.view<double, Rank>();
}

Arrays gradients_for(const Arrays& in, std::size_t count) {
    Arrays out;
    for (std::size_t k = 0; k < count; ++k) out.push_back(unwritten<double>("d" + in[k].name, in[k].shape));
    return out;
}

BOOST_AUTO_TEST_CASE(the_gradients_of_the_token_head_are_its_slopes) {
    const Arrays in = {normal<double>("X", {2, 3, 4}), normal<double>("W", {4, 4}),
                       normal<double>("b", {4}),       normal<double>("gamma", {4}),
                       normal<double>("beta", {4}),    normal<double>("table", {7, 4}),
                       normal<double>("bias", {7}),    normal<double>("dlogits", {2, 3, 7})};
    constexpr double kSmall = 1e-5;
    Arrays out = gradients_for(in, 7);
    cpu::token_head_backward<double>(out[0].view<double, 3>(), out[1].view<double, 2>(),
                                     out[2].view<double, 1>(), out[3].view<double, 1>(),
                                     out[4].view<double, 1>(), out[5].view<double, 2>(),
                                     out[6].view<double, 1>(), read<3>(in[7]), read<3>(in[0]), read<2>(in[1]),
                                     read<1>(in[2]), read<1>(in[3]), read<1>(in[4]), read<2>(in[5]), kSmall);
    const Loss loss = [](const Arrays& x) {
        return inner_product(x[7],
                             on_arrays::token_head<double>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], kSmall));
    };
    for (std::size_t k = 0; k < out.size(); ++k) BOOST_TEST(is_near(out[k], slopes(loss, in, k), 1e-6));
}

BOOST_AUTO_TEST_CASE(the_gradients_of_the_sentence_head_are_its_slopes) {
    const Arrays in = {normal<double>("X", {3, 4, 5}), normal<double>("W", {5, 5}),
                       normal<double>("b", {5}),       normal<double>("W_c", {5, 2}),
                       normal<double>("b_c", {2}),     normal<double>("dlogits", {3, 2})};
    const Array some = attn::testing::numbers<int>("lengths", {3}, {2, 4, 1});
    for (const SentenceToken token : {SentenceToken::first, SentenceToken::last}) {
        Arrays out = gradients_for(in, 5);
        cpu::sentence_head_backward<double>(
            out[0].view<double, 3>(), out[1].view<double, 2>(), out[2].view<double, 1>(),
            out[3].view<double, 2>(), out[4].view<double, 1>(), read<2>(in[5]), read<3>(in[0]),
            some.view<int, 1>(), read<2>(in[1]), read<1>(in[2]), read<2>(in[3]), token);
        const Loss loss = [&](const Arrays& x) {
            return inner_product(x[5],
                                 on_arrays::sentence_head<double>(x[0], some, x[1], x[2], x[3], x[4], token));
        };
        for (std::size_t k = 0; k < out.size(); ++k) BOOST_TEST(is_near(out[k], slopes(loss, in, k), 1e-7));
    }
}

/// Both losses of a small model, with a sequence that ends early, through plain and fast modules.
BOOST_AUTO_TEST_CASE(the_gradients_of_the_model_are_the_slopes_of_its_losses) {
    Layout layout;
    MaskedLanguageModel model(layout, 9, 5, 2, {2, 8, 2, 16});
    const std::vector<int> read = {1, 6, 4, 7, 2, 1, 4, 8, 2, 0},
                           hidden = {-1, -1, 5, 7, -1, -1, 8, -1, -1, -1}, labels = {1, 0};
    const TensorView<const int, 2> tokens(read.data(), 2, 5), targets(hidden.data(), 2, 5);
    Numbers theta = layout.initial(3);
    Random random(3, 1);
    for (float& x : theta) x += 0.1F * random.normal();
    const auto plain = plain_modules(), fast = fast_modules();
    for (const bool words : {true, false}) {
        const auto loss_of = [&](Modules& modules, const Numbers& weights, Numbers& gradient) {
            gradient.assign(weights.size(), 0);
            return words ? model.word_gradients(modules, layout, gradient.data(), weights.data(), tokens,
                                                targets)
                         : model.class_gradients(modules, layout, gradient.data(), weights.data(), tokens,
                                                 {labels.data(), 2});
        };
        Numbers of_plain, of_fast, unused;
        const double loss = loss_of(*plain, theta, of_plain);
        BOOST_TEST(std::abs(loss - loss_of(*fast, theta, of_fast)) < 1e-5);
        for (const Layout::Entry& entry : layout.entries()) {
            Numbers direction(theta.size());
            double slope = 0, other = 0, length = 0;
            for (std::size_t k = entry.first; k < entry.first + entry.count; ++k) {
                direction[k] = random.normal();
                length += double{direction[k]} * direction[k];
                slope += double{direction[k]} * of_plain[k];
                other += double{direction[k]} * of_fast[k];
            }
            length = std::sqrt(length);
            const auto loss_at = [&](double distance) {
                Numbers moved = theta;
                for (std::size_t k = 0; k < moved.size(); ++k)
                    moved[k] += static_cast<float>(distance / length * direction[k]);
                return loss_of(*plain, moved, unused);
            };
            constexpr double kStep = 0.01;
            const double found = (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
            BOOST_TEST(std::abs(found - slope / length) <= 0.01 * std::abs(found) + 2e-4,
                       entry.name << ": " << found << ", not " << slope / length);
            BOOST_TEST(std::abs(slope - other) / length <= 1e-4, entry.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_stands_after_the_end_of_a_sequence_changes_nothing) {
    Layout layout;
    MaskedLanguageModel model(layout, 9, 6, 2, {1, 8, 2, 16});
    const Numbers theta = layout.initial(1);
    const auto modules = fast_modules();
    const auto logit = [&](std::vector<int> tokens) {
        return model.classes(*modules, layout, theta.data(),
                             {tokens.data(), 1, static_cast<int>(tokens.size())})(0, 0);
    };
    BOOST_TEST(std::abs(logit({1, 6, 7, 2}) - logit({1, 6, 7, 2, 0, 0})) < 1e-5F);
    BOOST_TEST(std::abs(logit({1, 6, 7, 2}) - logit({1, 7, 6, 2})) > 1e-4F);
    BOOST_CHECK_THROW(logit({1, 9, 2}), std::invalid_argument);
    BOOST_CHECK_THROW(logit({1, 6, 6, 6, 6, 6, 2}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_line_is_cut_into_words_and_signs) {
    const Words found = words_of_line("  `I'll daisy-chain--she' o'");
    BOOST_TEST((found == Words{"`", "i'll", "daisy-chain", "-", "-", "she", "'", "o", "'"}));
    BOOST_TEST(words_of_line(" ").empty());
}

/// Twelve chapters in which the words go round in a circle. Chapter c has a word of its own, "ca", "cb" ..
std::string circle_book(int chapters = kChapters) {
    std::string text = "Before the first chapter\n";
    Random random(7, 0);
    for (int c = 0; c < chapters; ++c) {
        text += "CHAPTER " + std::to_string(c + 1) + "\n\n";
        for (int line = 0; line < 60; ++line) {
            const int start = random.below(10);
            for (int k = 0; k < 8; ++k)
                text += std::string(k > 0 ? " " : "") + "w" + static_cast<char>('a' + (start + k) % 10);
            text += std::string(" c") + static_cast<char>('a' + c) + "\n";
        }
    }
    return text;
}

BOOST_AUTO_TEST_CASE(chapters_are_held_out_whole) {
    const MaskedBook book(circle_book());
    const auto own = [&](int chapter) {
        return book.vocabulary.token(std::string("c") + static_cast<char>('a' + chapter));
    };
    const auto lasts = [](const std::vector<std::vector<int>>& lines) {
        std::set<int> words;
        for (const std::vector<int>& line : lines) words.insert(line.back());
        return words;
    };
    std::set<int> expected;
    for (int c = 0; c < 9; ++c) expected.insert(own(c));
    BOOST_TEST(expected.size() == 9U);
    BOOST_TEST((lasts(book.learned) == expected));
    // Words that only later chapters have are unknown.
    for (int c = 9; c < kChapters; ++c) BOOST_TEST(own(c) == Vocabulary::kUnknown);
    BOOST_TEST((lasts(book.held_out) == std::set<int>{Vocabulary::kUnknown}));
    BOOST_TEST(book.learned.size() == 540U);
    BOOST_TEST(book.between.size() == 60U);
    BOOST_TEST(book.held_out.size() == 120U);
    BOOST_TEST(book.vocabulary.size() == 6 + 10 + 9);
    BOOST_CHECK_EXCEPTION(
        MaskedBook(circle_book(11)), std::invalid_argument, [](const std::invalid_argument& error) {
            return std::string(error.what()).find("the text has 11 chapters, but 12 are needed") == 0;
        });
}

BOOST_AUTO_TEST_CASE(half_of_the_labelled_lines_are_in_disorder) {
    const MaskedBook book(circle_book());
    const std::set<std::vector<int>> as_written(book.learned.begin(), book.learned.end());
    const auto sorted = [](std::vector<int> line) {
        std::sort(line.begin(), line.end());
        return line;
    };
    std::set<std::vector<int>> bags;
    for (const std::vector<int>& line : book.learned) bags.insert(sorted(line));
    const LabelledLines drawn = draw_labels(book.learned, 50, 3);
    BOOST_REQUIRE(drawn.count() == 50);
    BOOST_TEST(std::count(drawn.labels.begin(), drawn.labels.end(), 1) == 25);
    for (std::size_t k = 0; k < 50; ++k) {
        BOOST_TEST(bags.count(sorted(drawn.lines[k])) == 1U);
        BOOST_TEST(as_written.count(drawn.lines[k]) == (drawn.labels[k] == 1 ? 1U : 0U));
    }
    BOOST_TEST((draw_labels(book.learned, 50, 3).lines == drawn.lines));
    BOOST_TEST((draw_labels(book.learned, 50, 4).lines != drawn.lines));
    BOOST_CHECK_EXCEPTION(
        draw_labels(book.held_out, 121, 1), std::invalid_argument, [](const std::invalid_argument& error) {
            return std::string(error.what()) == "there are 120 lines for 121 labels: take fewer";
        });
    const LabelledLines both = both_orders(book.held_out, 1);
    BOOST_TEST(both.count() == 240);
    for (std::size_t k = 0; k < 240; k += 2) {
        BOOST_TEST((both.lines[k] == book.held_out[k / 2]));
        BOOST_TEST((both.lines[k + 1] != both.lines[k]));
        BOOST_TEST((sorted(both.lines[k + 1]) == sorted(both.lines[k])));
        BOOST_TEST(both.labels[k] - both.labels[k + 1] == 1);
    }
    std::vector<int> numbers;
    const LabelledLines two = {{{6, 7, 8}, {9}}, {1, 0}};
    const auto sequences = two.sequences(numbers, {1, 0});
    BOOST_TEST(sequences.size(1) == 5);
    BOOST_TEST((numbers == std::vector<int>{1, 9, 2, 0, 0, 1, 6, 7, 8, 2}));
}

BOOST_AUTO_TEST_CASE(a_table_knows_the_words_between_two_neighbours) {
    const NeighbourTable table({6, 7, 8, 6, 7, 8, 6, 9, 8, 5, 7});
    BOOST_TEST(table.between(6, 8) == 7);
    BOOST_TEST(table.between(6, 20) == 7);   // after 6
    BOOST_TEST(table.between(20, 21) == 6);  // the most frequent one with the smallest number
    BOOST_TEST(table.surprise(6, 10) == -std::log(4.0 / 20), boost::test_tools::tolerance(1e-12));
    BOOST_TEST(table.surprise(4, 10) == -std::log(1.0 / 20), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(words_in_disorder_are_never_in_order_unless_all_are_alike) {
    Random random(1, 0);
    for (int k = 0; k < 20; ++k) BOOST_TEST((in_disorder({6, 7}, random) == std::vector<int>{7, 6}));
    BOOST_TEST((in_disorder({6, 6}, random) == std::vector<int>{6, 6}));
}

Trained small_training(const std::string& text, int steps) {
    MaskedPlan plan;
    plan.sizes = {2, 32, 4, 64};
    plan.steps = steps;
    plan.batch = 32;
    plan.labels = {20, 40};
    plan.draws = 2;
    plan.tuning_steps = 40;
    const auto task = masked_by_plan(plan, text);
    const auto modules = fast_modules();
    Training training(*task, *modules, 1, task->settings());
    while (!training.done()) training.step();
    int shown = 0;
    Trained trained = trained_by(training, *task, *modules, [&](int made, int of, double loss) {
        BOOST_TEST(made == ++shown);
        BOOST_TEST(of == 40);
        BOOST_TEST(loss > 0);
    });
    BOOST_TEST(shown == 40);
    return trained;
}

BOOST_AUTO_TEST_CASE(a_circle_of_words_is_learned_and_the_same_seed_gives_the_same_bits) {
    const Trained before = small_training(circle_book(), 1), after = small_training(circle_book(), 300);
    // A neighbour tells each word, but the chapter's own ones.
    BOOST_TEST(after.losses.front() > 2.5, after.losses.front());
    BOOST_TEST(after.losses.back() < 0.5 * after.lines.at(1).second, after.losses.back());
    BOOST_TEST(before.figures.at(0).value < 0.3, before.figures[0].value);
    BOOST_TEST(after.figures.at(0).value > 0.75, after.figures[0].value);
    BOOST_TEST(after.figures.at(1).value > 0.9, after.figures[1].value);
    BOOST_TEST(after.figures.at(2).value < 0.3, after.figures[2].value);
    BOOST_REQUIRE(after.series.size() == 2U);
    BOOST_TEST((after.series[0].x == std::vector<double>{20, 40}));
    BOOST_TEST(after.series[0].data == "pretrained");
    BOOST_TEST(after.series[0].y[1] > after.series[1].y[1] + 0.1,
               after.series[0].y[1] << " and " << after.series[1].y[1]);
    BOOST_TEST(after.series[0].y[1] > 0.7, after.series[0].y[1]);
    // The other model has not seen the pretraining.
    BOOST_TEST((after.series[1].y == before.series[1].y));
    BOOST_TEST((small_training(circle_book(), 300).series[0].y == after.series[0].y));
    BOOST_REQUIRE(after.samples.size() == 8U);
    int right = 0;
    for (const Sample& sample : after.samples) {
        BOOST_TEST(sample.given.find("<mask>") != std::string::npos);
        right += sample.right.empty() ? 1 : 0;
    }
    BOOST_TEST(right >= 6);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
