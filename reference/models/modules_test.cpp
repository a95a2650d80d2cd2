// The gradients of whole models: plain and fast modules agree, and both are the slope of the loss.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/fast/scoped_unit.h"
#include "reference/models/stack.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

BOOST_AUTO_TEST_SUITE(modules, *boost::unit_test::label("long"))

constexpr std::uint64_t kSeed = 3;

/// Everything that one step computes of a task, at weights that are not those of the start.
struct OneStep {
    OneStep(Task& task_, Modules& modules_)
        : task(task_), modules(modules_), theta(task.layout().initial(kSeed)) {
        // Biases are 0 at the start, and all gains 1: a gradient could miss them unnoticed.
        Random random(kSeed, 1);
        constexpr float kSmall = 0.1F;
        for (float& x : theta) x += kSmall * random.normal();
        gradient.resize(theta.size());
        loss = loss_of(theta, gradient);
    }
    /// The same batch each time.
    double loss_of(const Numbers& weights, Numbers& slope) {
        std::fill(slope.begin(), slope.end(), 0.0F);
        Random random(kSeed, 2);
        return task.gradients(modules, slope, weights, random);
    }

    Task& task;
    Modules& modules;
    Numbers theta, gradient;
    double loss = 0;
};

double norm_of(const Numbers& numbers, const Layout::Entry& entry) {
    double squares = 0;
    for (std::size_t k = entry.first; k < entry.first + entry.count; ++k)
        squares += double{numbers[k]} * numbers[k];
    return std::sqrt(squares);
}

BOOST_AUTO_TEST_CASE(plain_and_fast_modules_have_the_same_losses_and_gradients) {
    const auto plain = plain_modules(), fast = fast_modules();
    for (const std::string name :
         {"three_sentences", "digits", "translation", "translation_without_attention", "transformer",
          "captions", "captions_without_attention", "alignment", "masked"}) {
        const auto task = task_named(name);
        const OneStep a(*task, *plain), b(*task, *fast);
        constexpr double kTolerance = 1e-4;
        BOOST_TEST(std::fabs(a.loss - b.loss) <= kTolerance * a.loss, name);
        for (const Layout::Entry& entry : task->layout().entries()) {
            Numbers difference(a.gradient);
            for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= b.gradient[k];
            // The gradient of b_K is 0 but for rounding: a softmax forgets what is added to all scores.
            const double most = kTolerance * norm_of(a.gradient, entry) + 1e-6;
            BOOST_TEST(norm_of(difference, entry) <= most, name << ", " << entry.name);
        }
    }
}

/// Along any direction the loss rises as fast as the gradient says. The directions are random, so a part
/// of the gradient that is missing is noticed.
BOOST_AUTO_TEST_CASE(gradients_are_the_slopes_of_the_loss) {
    const auto fast = fast_modules();
    for (const std::string name :
         {"three_sentences", "digits", "translation", "translation_without_attention", "transformer",
          "captions", "captions_without_attention", "alignment", "masked"}) {
        const auto task = task_named(name);
        OneStep step(*task, *fast);
        Random random(kSeed, 4);
        for (const Layout::Entry& entry : task->layout().entries()) {
            // The first block of the decoder stands for the others, one matrix of the encoder for the
            // encoder, which is that of other models.
            const bool is_of_encoder = name == "transformer" && entry.name.rfind("blocks.", 0) == 0;
            if (entry.name.rfind("decoder.1.", 0) == 0 || (is_of_encoder && entry.name != "blocks.0.W_V"))
                continue;
            Numbers direction(step.theta.size());
            for (std::size_t k = entry.first; k < entry.first + entry.count; ++k)
                direction[k] = random.normal();
            const double length = norm_of(direction, entry);
            double expected = 0;
            for (std::size_t k = entry.first; k < entry.first + entry.count; ++k)
                expected += double{direction[k]} / length * step.gradient[k];
            const auto loss_at = [&](double distance) {
                Numbers moved = step.theta, unused(moved.size());
                for (std::size_t k = 0; k < moved.size(); ++k)
                    moved[k] += static_cast<float>(distance / length * direction[k]);
                return step.loss_of(moved, unused);
            };
            // The loss of these two is a float's mean of more and larger terms: its rounding needs
            // larger steps.
            const double step_length = name == "transformer" || name == "masked" ? 0.02 : 0.005;
            // The kinks of a captioner's relu lie within a step.
            const double absolute = name.starts_with("captions") ? 6e-4 : 2e-4;
            constexpr double kRelative = 0.01;
            const double slope = (loss_at(step_length) - loss_at(-step_length)) / (2 * step_length);
            BOOST_TEST(std::fabs(slope - expected) <= kRelative * std::fabs(expected) + absolute,
                       name << ", " << entry.name << ": " << slope << ", not " << expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit) {
    const auto modules = fast_modules();
    for (const std::string& name : task_names()) {
        const auto task = task_named(name);
        const OneStep one(*task, *modules);
        const fast::ScopedUnit scope(fast::vector_unit(), 3);
        const OneStep several(*task, *modules);
        BOOST_TEST(one.loss == several.loss, name);
        BOOST_TEST((one.gradient == several.gradient), name);
    }
}

BOOST_AUTO_TEST_CASE(no_number_is_never_the_largest) {
    const float nan = std::nanf("");
    const auto largest_of = [](const Numbers& row) { return largest({row.data(), 3}); };
    BOOST_TEST(largest_of({nan, 1, 2}) == 2);
    BOOST_TEST(largest_of({3, nan, 1}) == 0);
    BOOST_TEST(largest_of({nan, nan, nan}) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
