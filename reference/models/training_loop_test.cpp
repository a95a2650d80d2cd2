#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/training_reference.h"
#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "reference/models/checkpoint.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

BOOST_AUTO_TEST_SUITE(training_loop)

/// The loss is slopes . theta: so the gradient is known.
class Slope : public Task {
  public:
    Slope() {
        layout_.add("shrinks", {2}, {3, 0}, true);
        layout_.add("stays", {1}, {3, 0}, false);
    }
    std::string name() const override { return "slope"; }
    Settings settings() const override {
        Settings settings{.steps = 4, .rate = 0.5F, .warm_up = 2};
        settings.clip = 1000;
        settings.decay = 0.25F;
        return settings;
    }
    const Layout& layout() const override { return layout_; }
    double gradients(Modules& /*modules*/, Numbers& gradient, const Numbers& theta,
                     Random& /*random*/) override {
        double loss = 0;
        for (std::size_t k = 0; k < theta.size(); ++k) {
            gradient[k] = slopes[k];
            loss += double{slopes[k]} * theta[k];
        }
        return loss;
    }
    void report(Modules& /*modules*/, const Numbers& /*theta*/, Trained& /*trained*/) override {}

    Numbers slopes = {4, -0.01F, 0};

  private:
    Layout layout_;
};

/// With a constant gradient, m / (1 - beta_1^t) is the gradient and v / (1 - beta_2^t) its square, from the
/// first step on: each step is rate sign(gradient), whatever the gradient's size, and rate decay theta
/// besides.
BOOST_AUTO_TEST_CASE(a_constant_gradient_gives_steps_of_the_rate) {
    Slope task;
    const auto modules = plain_modules();
    Training training(task, *modules, 1, task.settings());
    double first = 3, second = 3;
    for (int step = 1; step <= 4; ++step) {
        // warm-up over two steps, then a cosine from 1 to 0.1: its middle and its end
        const double factors[] = {0.5, 1, 0.55, 0.1};
        const double rate = 0.5 * factors[step - 1];
        BOOST_TEST(training.step() == 4 * first - 0.01 * second, boost::test_tools::tolerance(1e-5));
        first -= rate * (1 + 0.25 * first);
        second -= rate * (-1 + 0.25 * second);
        BOOST_TEST(double{training.weights()[0]} == first, boost::test_tools::tolerance(1e-5));
        BOOST_TEST(double{training.weights()[1]} == second, boost::test_tools::tolerance(1e-5));
        BOOST_TEST(training.weights()[2] == 3.0F);
    }
    BOOST_TEST(training.done());
}

/// The optimiser is that of assignment 14.
BOOST_AUTO_TEST_CASE(a_step_is_the_adamw_step_of_assignment_14) {
    Slope task;
    const auto modules = plain_modules();
    const Settings settings = task.settings();
    Training training(task, *modules, 1, settings);
    const std::vector<std::uint8_t> decays = {1, 1, 0};
    std::vector<double> theta = {3, 3, 3}, m(3), v(3), gradient(3), theta_new(3), m_new(3), v_new(3);
    const auto view = [](auto& numbers) {
        return TensorView<std::remove_reference_t<decltype(numbers[0])>, 1>(numbers.data(), 3);
    };
    for (int t = 1; t <= 4; ++t) {
        const auto step = static_cast<float>(t);
        task.slopes = {4 - 3 * step, 0.01F * step * step, 5 / step};
        gradient.assign(task.slopes.begin(), task.slopes.end());
        training.step();
        cpu::adamw_step<double>(view(theta_new), view(m_new), view(v_new), view(theta), view(gradient),
                                view(m), view(v), view(decays), t,
                                double{settings.rate * rate_factor(settings, t)}, double{settings.beta_1},
                                double{settings.beta_2}, double{settings.eps}, double{settings.decay});
        theta = theta_new;
        m = m_new;
        v = v_new;
        for (std::size_t k = 0; k < 3; ++k)
            BOOST_TEST(double{training.weights()[k]} == theta[k], boost::test_tools::tolerance(1e-5));
    }
}

BOOST_AUTO_TEST_CASE(clipping_keeps_the_direction_of_all_gradients_together) {
    Numbers gradient = {3, 0, -4};
    BOOST_TEST(clip_to_norm(gradient, 2) == 5);
    BOOST_TEST(gradient == Numbers({1.2F, 0, -1.6F}), boost::test_tools::per_element());
    BOOST_TEST(clip_to_norm(gradient, 2.5F) == 2, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(gradient == Numbers({1.2F, 0, -1.6F}), boost::test_tools::per_element());
}

/// The digits' task with few steps: it draws batches, distorts them and averages weights.
struct Short {
    Short() : task(digits()), modules(fast_modules()), settings(task->settings()) {
        settings.steps = 9;
        settings.warm_up = 2;
    }
    Training begin(std::uint64_t seed = 1) const { return {*task, *modules, seed, settings}; }

    std::unique_ptr<Task> task;
    std::unique_ptr<Modules> modules;
    Settings settings;
};

std::vector<double> losses_of(Training training) {
    while (!training.done()) training.step();
    return training.losses();
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_losses_to_the_bit_and_another_one_others) {
    Short x, y;
    const std::vector<double> losses = losses_of(x.begin());
    BOOST_TEST(losses.size() == 9U);
    BOOST_TEST((losses == losses_of(x.begin())));
    BOOST_TEST((losses == losses_of(y.begin())));
    BOOST_TEST((losses != losses_of(x.begin(2))));
}

BOOST_AUTO_TEST_CASE(each_step_has_a_batch_of_its_own) {
    Short x;
    x.settings.rate = 0;  // the weights stay, so losses differ by their batches only
    const std::vector<double> losses = losses_of(x.begin());
    for (std::size_t k = 1; k < losses.size(); ++k) BOOST_TEST(losses[k] != losses[k - 1]);
}

BOOST_AUTO_TEST_CASE(a_training_that_was_interrupted_goes_on_to_the_bit) {
    const data::TemporaryDirectory folder;
    const std::filesystem::path file = folder / "digits.safetensors";
    Short x;
    Training whole = x.begin();
    while (!whole.done()) whole.step();
    for (const int after : {0, 1, 5}) {
        Training interrupted = x.begin();
        for (int k = 0; k < after; ++k) interrupted.step();
        write_checkpoint(file, *x.task, interrupted, {"digits", "fast", 1, 9});
        const Interrupted before = read_interrupted(file);
        BOOST_TEST(before.origin.model == "digits");
        BOOST_TEST(before.origin.steps == 9);
        Short y;
        Training resumed = y.begin(before.origin.seed);
        resumed.restore(before.state);
        BOOST_TEST(resumed.steps_made() == after);
        while (!resumed.done()) resumed.step();
        BOOST_TEST((resumed.losses() == whole.losses()));
        BOOST_TEST((resumed.weights() == whole.weights()));
    }
    // A training that came to its end leaves its weights only.
    write_checkpoint(file, *x.task, whole, {"digits", "fast", 1, 9});
    BOOST_CHECK_THROW(read_interrupted(file), data::FileError);
}

BOOST_AUTO_TEST_CASE(the_state_of_another_training_is_refused) {
    Short x;
    Training training = x.begin();
    training.step();
    const Arrays state = training.state();
    const auto refuses = [&](const Arrays& arrays) {
        Training other = x.begin();
        BOOST_CHECK_THROW(other.restore(arrays), std::invalid_argument);
        BOOST_TEST(other.steps_made() == 0);
    };
    for (std::size_t k = 0; k < state.size(); ++k) {
        Arrays without = state;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
        refuses(without);
    }
    Arrays of_other_shape = state;
    of_other_shape[0] = Array::zeros<float>(state[0].name, {1, 2});
    refuses(of_other_shape);
    Arrays more_steps = state;
    for (Array& array : more_steps)
        if (array.name == "step") array.as<std::int32_t>()[0] = 7;
    refuses(more_steps);
    training.step();
    x.settings.steps = 1;
    refuses(training.state());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
