#pragma once
/// Training: a task, the optimiser's state, and one step after the other. The same seed, modules and number
/// of threads give the same losses to the bit, also when a training is interrupted and resumed.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/models/layout.h"
#include "reference/models/modules.h"

namespace attn::training {

/// How a model is trained, with AdamW (Loshchilov & Hutter 2019).
struct Settings {
    int steps;
    float rate;           ///< the largest learning rate: after the warm-up, before the cosine
    int warm_up;          ///< steps in which the rate rises in proportion to the step
    float decay = 0.01F;  ///< decoupled: theta -= rate decay theta, for the weights that decay
    float clip = 1;       ///< largest norm of all gradients together
    float beta_1 = 0.9F, beta_2 = 0.99F, eps = 1e-8F;
    float average = 0;  ///< what the weights that are used keep of those before, 1 - average from theta
    /// Whether a step has enough work for several threads. Waking them costs more than a small step.
    bool large = false;
};

/// A number that says how well the model learned.
struct Figure {
    std::string what;
    double value = 0;
    double least = 0, most = 0;  ///< where it should be
    bool reached() const { return least <= value && value <= most; }
};

/// A sample: what the model was given, what it said, and what is right ("" if nothing is).
struct Sample {
    std::string given, said, right;
};

/// A curve for people: what is measured, over what.
struct Series {
    std::string what, x_name, y_name;
    std::vector<double> x, y;
    /// What the curve is of: "training", "held out", or "fresh" where each batch is made anew, or a part of the model; empty if
    /// there is one curve of each model
    std::string data = {};
};

/// A number that is measured again and again while the model learns.
struct Measured {
    std::string what, y_name, data;
    double value = 0;
};

/// What a training leaves, as plain values: for the terminal and for a page.
struct Trained {
    std::string model, modules;
    std::uint64_t seed = 0;
    int threads = 1, steps = 0;  ///< steps that were made
    double seconds = 0;
    std::vector<double> losses;  ///< of each step's batch, before the step
    /// Losses that mean something, such as the least possible one: a name and a value.
    std::vector<std::pair<std::string, double>> lines;
    std::vector<Figure> figures;
    std::vector<Series> series;
    std::vector<Sample> samples;
    /// Images, attention weights, .. by name; what they are says the task (tasks.h).
    Arrays pictures;
    Arrays weights;
};

/// Called after each step: the steps that were made, their number in all, and the loss.
using Shown = std::function<void(int made, int steps, double loss)>;

/// A model with its data.
class Task {
  public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;

    virtual std::string name() const = 0;
    virtual Settings settings() const = 0;
    virtual const Layout& layout() const = 0;
    /// The loss of a batch, and its gradients with respect to all weights; `gradient` holds zeros before.
    virtual double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) = 0;
    /// How well the model does on data that it learns from, and on data that it does not. It draws no random number, so
    /// the training is the same without it. Empty if nothing is measured.
    virtual std::vector<Measured> measured(Modules& /*modules*/, const Numbers& /*theta*/) { return {}; }
    /// Trains others from the weights that the training has left, such as by fine-tuning, before there is a report. `shown` may
    /// be empty.
    virtual void go_on(Modules& /*modules*/, const Numbers& /*theta*/, std::uint64_t /*seed*/,
                       const Shown& /*shown*/) {}
    /// Fills in lines, figures, series, samples and pictures.
    virtual void report(Modules& modules, const Numbers& theta, Trained& trained) = 0;
};

/// Adds the numbers of a step to their series.
void add(const std::vector<Measured>& measured, int step, std::vector<Series>& series);

/// Factor of the learning rate in step `step` = 1 .. settings.steps: warm-up, then a cosine down to a tenth.
float rate_factor(const Settings& settings, int step);

/// Scales the gradient down to the norm `most`. Returns the norm before.
double clip_to_norm(Numbers& gradient, float most);

class Training {
  public:
    Training(Task& task, Modules& modules, std::uint64_t seed, const Settings& settings);

    /// One step. Returns the loss of its batch.
    double step();
    bool done() const { return step_ == settings_.steps; }
    int steps_made() const { return step_; }
    const Settings& settings() const { return settings_; }
    const std::vector<double>& losses() const { return losses_; }
    std::uint64_t seed() const { return seed_; }
    /// The weights to use: averaged, if the settings say so.
    const Numbers& weights() const { return settings_.average > 0 ? average_ : theta_; }

    /// Everything that the next step depends on, but the task, the seed and the settings.
    Arrays state() const;
    /// Throws std::invalid_argument if the arrays are not the state of this task and these settings.
    void restore(const Arrays& arrays);
    /// Starts from these weights.
    void start_from(const Arrays& weights);

  private:
    void update(const Numbers& gradient);

    Task& task_;
    Modules& modules_;
    std::uint64_t seed_;
    Settings settings_;
    int step_ = 0;
    Numbers theta_, m_, v_, average_, gradient_;
    std::vector<double> losses_;
};

/// What the training has left so far, after the task has gone on; the threads and seconds are the caller's to fill in.
Trained trained_by(const Training& training, Task& task, Modules& modules, const Shown& shown = {});

/// f(0) .. f(count - 1), for models that are trained side by side: on threads with the fast modules. A student's functions take
/// one call after the other.
void for_each_model(const Modules& modules, int count, const std::function<void(int model)>& f);

}  // namespace attn::training
