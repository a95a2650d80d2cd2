#include "reference/models/training_loop.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>

#include "reference/fast/threads.h"

namespace attn::training {
namespace {

template <class T>
const std::vector<T>& numbers_named(const Arrays& arrays, std::string_view name) {
    for (const Array& array : arrays)
        if (array.name == name && std::holds_alternative<std::vector<T>>(array.values)) return array.as<T>();
    throw std::invalid_argument("there is no " + std::string(name));
}

}  // namespace

void add(const std::vector<Measured>& measured, int step, std::vector<Series>& series) {
    for (const Measured& each : measured) {
        auto same = std::find_if(series.begin(), series.end(), [&each](const Series& other) {
            return other.what == each.what && other.data == each.data;
        });
        if (same == series.end())
            same = series.insert(same, {each.what, "step", each.y_name, {}, {}, each.data});
        same->x.push_back(step);
        same->y.push_back(each.value);
    }
}

float rate_factor(const Settings& settings, int step) {
    if (step <= settings.warm_up) return static_cast<float>(step) / static_cast<float>(settings.warm_up);
    constexpr double kLast = 0.1;
    const double done =
        static_cast<double>(step - settings.warm_up) / std::max(1, settings.steps - settings.warm_up);
    return static_cast<float>(kLast + (1 - kLast) * (1 + std::cos(std::numbers::pi * done)) / 2);
}

double clip_to_norm(Numbers& gradient, float most) {
    double squares = 0;
    for (const float g : gradient) squares += double{g} * g;
    const double norm = std::sqrt(squares);
    if (norm > double{most}) {
        const auto factor = static_cast<float>(double{most} / norm);
        for (float& g : gradient) g *= factor;
    }
    return norm;
}

Training::Training(Task& task, Modules& modules, std::uint64_t seed, const Settings& settings)
    : task_(task),
      modules_(modules),
      seed_(seed),
      settings_(settings),
      theta_(task.layout().initial(seed)),
      m_(theta_.size()),
      v_(theta_.size()),
      average_(theta_),
      gradient_(theta_.size()) {}

double Training::step() {
    Random random(seed_, static_cast<std::uint64_t>(step_));
    std::fill(gradient_.begin(), gradient_.end(), 0.0F);
    const double loss = task_.gradients(modules_, gradient_, theta_, random);
    clip_to_norm(gradient_, settings_.clip);
    update(gradient_);
    losses_.push_back(loss);
    return loss;
}

/// m = beta_1 m + (1 - beta_1) g,  v = beta_2 v + (1 - beta_2) g^2,
/// theta -= rate ((m / (1 - beta_1^t)) / (sqrt(v / (1 - beta_2^t)) + eps) + decay theta)
void Training::update(const Numbers& gradient) {
    ++step_;
    const float rate = settings_.rate * rate_factor(settings_, step_);
    const auto unbiased = [this](float beta) {
        return static_cast<float>(1 / (1 - std::pow(double{beta}, step_)));
    };
    const float m_factor = unbiased(settings_.beta_1), v_factor = unbiased(settings_.beta_2);
    for (const Layout::Entry& entry : task_.layout().entries()) {
        const float decay = entry.decays ? settings_.decay : 0;
        for (std::size_t k = entry.first; k < entry.first + entry.count; ++k) {
            const float g = gradient[k];
            m_[k] = settings_.beta_1 * m_[k] + (1 - settings_.beta_1) * g;
            v_[k] = settings_.beta_2 * v_[k] + (1 - settings_.beta_2) * g * g;
            theta_[k] -=
                rate * (m_[k] * m_factor / (std::sqrt(v_[k] * v_factor) + settings_.eps) + decay * theta_[k]);
        }
    }
    if (settings_.average > 0) {
        // A short memory at first: else the weights before the first step would weigh long.
        const float keep =
            std::min(settings_.average, static_cast<float>(step_) / static_cast<float>(step_ + 9));
        for (std::size_t k = 0; k < theta_.size(); ++k)
            average_[k] = keep * average_[k] + (1 - keep) * theta_[k];
    }
}

Arrays Training::state() const {
    Arrays arrays;
    const auto add = [&](const Numbers& numbers, const char* prefix) {
        for (Array& array : to_arrays(task_.layout(), numbers, prefix)) arrays.push_back(std::move(array));
    };
    add(theta_, "theta.");
    add(m_, "m.");
    add(v_, "v.");
    if (settings_.average > 0) add(average_, "average.");
    arrays.emplace_back("step", Shape{1}, std::vector<std::int32_t>{step_});
    arrays.emplace_back("losses", Shape{step_}, losses_);
    return arrays;
}

void Training::restore(const Arrays& arrays) {
    const Layout& layout = task_.layout();
    const std::vector<std::int32_t>& step = numbers_named<std::int32_t>(arrays, "step");
    const std::vector<double>& losses = numbers_named<double>(arrays, "losses");
    if (step.size() != 1 || step[0] < 0 || step[0] > settings_.steps ||
        losses.size() != static_cast<std::size_t>(step[0]))
        throw std::invalid_argument("the number of steps and of losses do not fit each other");
    Numbers theta = from_arrays(layout, arrays, "theta."), m = from_arrays(layout, arrays, "m."),
            v = from_arrays(layout, arrays, "v.");
    if (settings_.average > 0) average_ = from_arrays(layout, arrays, "average.");
    theta_ = std::move(theta);
    m_ = std::move(m);
    v_ = std::move(v);
    step_ = step[0];
    losses_ = losses;
}

void Training::start_from(const Arrays& weights) {
    theta_ = from_arrays(task_.layout(), weights);
    average_ = theta_;
}

Trained trained_by(const Training& training, Task& task, Modules& modules, const Shown& shown) {
    Trained trained;
    trained.model = task.name();
    trained.modules = modules.name();
    trained.seed = training.seed();
    trained.steps = training.steps_made();
    trained.losses = training.losses();
    trained.weights = to_arrays(task.layout(), training.weights());
    task.go_on(modules, training.weights(), training.seed(), shown);
    task.report(modules, training.weights(), trained);
    return trained;
}

void for_each_model(const Modules& modules, int count, const std::function<void(int model)>& f) {
    if (modules.name() == "fast")
        fast::parallel_for(count, f);
    else
        for (int k = 0; k < count; ++k) f(k);
}

}  // namespace attn::training
