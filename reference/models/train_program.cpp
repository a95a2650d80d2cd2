#include "reference/models/train_program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "datasets/files/replacement.h"
#include "datasets/safetensors.h"
#include "reference/fast/threads.h"
#include "reference/models/checkpoint.h"
#include "reference/models/progress.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

namespace options = boost::program_options;

constexpr int kGood = 0, kNotGood = 1, kWrongUsage = 2, kInterrupted = 130;

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int /*signal*/) {
    interrupted = 1;
    std::signal(SIGINT, SIG_DFL);  // a second one ends the program at once
}

struct Wishes {
    Origin origin;
    std::string save, load, resume, beside;
    int threads = 0;  ///< 0: as suits the model
};

options::options_description described(const Extension& extension) {
    std::string names, others;
    for (const std::string& name : task_names()) names += (names.empty() ? "" : ", ") + name;
    for (const auto& [name, made] : extension.modules) others += ", or " + name;
    const std::string modules = "fast (the default), or plain: plain loops" + others;
    options::options_description all("Options", 100);
    all.add_options()                                                                                 //
        ("help", "show this help")                                                                    //
        ("model", options::value<std::string>(), names.c_str())                                       //
        ("modules", options::value<std::string>(), modules.c_str())                                   //
        ("seed", options::value<std::uint64_t>(), "another seed, another training (default: 1)")      //
        ("steps", options::value<int>(), "the number of steps (default: the model's own)")            //
        ("save", options::value<std::string>(), "where the weights go (default: MODEL.safetensors)")  //
        ("load", options::value<std::string>(), "begin with the weights of this file")                //
        ("resume", options::value<std::string>(), "go on with an interrupted training")               //
        ("beside", options::value<std::string>(),
         "a second model, trained in the same way after the first")  //
        ("threads", options::value<int>(), "threads (default: 1 for small models, the processors for text)");
    all.add(extension.options);
    return all;
}

void print_help(const Extension& extension) {
    std::cout << "Trains a model of the course and says how well it learned.\n\n"
                 "  train MODEL [options]\n  train --resume FILE\n\n"
              << described(extension)
              << "\nCtrl-C ends a training after the step that it is at, and saves it. A training that is "
                 "resumed comes to\n"
                 "the same weights, to the bit, as one that was not interrupted.\n\nExamples:\n"
                 "  train three_sentences\n"
                 "  train digits --save digits.safetensors\n"
                 "  train --resume digits.safetensors\n"
                 "  train translation --steps 100 --seed 2\n"
                 "  train three_sentences --modules plain\n"
              << extension.examples;
}

std::unique_ptr<Modules> modules_named(const std::string& name, const Extension& extension) {
    if (name == "fast") return fast_modules();
    if (name == "plain") return plain_modules();
    std::string known = "fast, plain";
    for (const auto& [other, make] : extension.modules) {
        if (name == other) return make();
        known += ", " + other;
    }
    throw std::invalid_argument("there are no modules \"" + name + "\"; there are " + known);
}

/// Throws std::exception for wrong options.
Wishes read_wishes(const options::variables_map& given) {
    const auto text = [&](const char* name, const std::string& otherwise) {
        return given.count(name) ? given[name].as<std::string>() : otherwise;
    };
    Wishes wishes;
    wishes.threads = given.count("threads") ? given["threads"].as<int>() : 0;
    if (given.count("threads") && wishes.threads < 1) throw std::invalid_argument("--threads: at least 1");
    wishes.resume = text("resume", "");
    wishes.load = text("load", "");
    wishes.beside = text("beside", "");
    if (!wishes.resume.empty()) {
        // The same model may be named, as `make train` does.
        wishes.origin.model = text("model", "");
        for (const char* name : {"modules", "seed", "steps", "load"})
            if (given.count(name))
                throw std::invalid_argument(std::string("with --resume, ") + name +
                                            " is that of the interrupted training: leave it out");
        wishes.save = text("save", wishes.resume);
        return wishes;
    }
    if (!given.count("model")) throw std::invalid_argument("which model? Type train --help");
    wishes.origin = {text("model", ""), text("modules", "fast"),
                     given.count("seed") ? given["seed"].as<std::uint64_t>() : 1,
                     given.count("steps") ? given["steps"].as<int>() : 0};
    if (given.count("steps") && wishes.origin.steps < 1) throw std::invalid_argument("--steps: at least 1");
    wishes.save = text("save", wishes.origin.model + ".safetensors");
    return wishes;
}

void print_report(const Trained& trained) {
    for (const auto& [what, value] : trained.lines) fmt::print("{:.4f} nats: {}\n", value, what);
    for (const Figure& figure : trained.figures) {
        fmt::print("{}: {:.4f}\n", figure.what, figure.value);
        if (figure.least > 0 || figure.most < 1)  // else nothing is asked
            fmt::print("  ({}: {:.4f} to {:.4f} was the aim)\n", figure.reached() ? "reached" : "missed",
                       figure.least, figure.most);
    }
    for (const Series& series : trained.series) {
        if (series.x_name == "step") {
            fmt::print("{}, {}: {:.4f} at first, {:.4f} at last\n", series.what, series.data,
                       series.y.front(), series.y.back());
            continue;
        }
        fmt::print("{}{}{} ({}: {})\n ", series.what, series.data.empty() ? "" : ", ", series.data,
                   series.x_name, series.y_name);
        for (std::size_t k = 0; k < series.x.size(); ++k)
            fmt::print(" {:.0f}: {:.2f}", series.x[k], series.y[k]);
        fmt::print("\n");
    }
    for (const Sample& sample : trained.samples)
        fmt::print(
            "  {} -> {}{}\n", sample.given, sample.said,
            sample.right.empty() || sample.right == sample.said ? "" : "   (right: " + sample.right + ")");
}

/// Nothing if the training was interrupted.
std::optional<Trained> train(Wishes wishes, const std::string& program, const Extension& extension) {
    Arrays state;
    if (!wishes.resume.empty()) {
        Interrupted before = read_interrupted(wishes.resume);
        if (!wishes.origin.model.empty() && wishes.origin.model != before.origin.model)
            throw std::invalid_argument(fmt::format("{} is a training of {}, not of {}", wishes.resume,
                                                    before.origin.model, wishes.origin.model));
        wishes.origin = before.origin;
        state = std::move(before.state);
    }
    Origin& origin = wishes.origin;
    const auto task = task_named(origin.model);
    const auto modules = modules_named(origin.modules, extension);
    Settings settings = task->settings();
    if (wishes.threads == 0)
        wishes.threads =
            settings.large ? std::max(1, static_cast<int>(std::thread::hardware_concurrency())) : 1;
    fast::set_threads(wishes.threads);
    if (origin.steps > 0) settings.steps = origin.steps;
    origin.steps = settings.steps;
    Training training(*task, *modules, origin.seed, settings);
    if (!state.empty()) training.restore(state);
    if (!wishes.load.empty()) training.start_from(data::read_safetensors(wishes.load).arrays);
    // Whether the weights can be written, before the work rather than after it.
    { const data::Replacement probe(wishes.save); }
    std::signal(SIGINT, on_interrupt);
    fmt::print("{}: {} weights, {} steps, {} modules, seed {}, threads {}\n", origin.model,
               task->layout().count(), settings.steps, origin.modules, origin.seed, wishes.threads);
    if (!wishes.resume.empty()) fmt::print("{} steps are made already\n", training.steps_made());
    std::fflush(stdout);

    Progress progress(std::cout, isatty(STDOUT_FILENO) == 1, settings.steps, training.steps_made());
    const auto start = std::chrono::steady_clock::now();
    constexpr int kTimesMeasured = 16;
    const int steps_between = std::max(1, settings.steps / kTimesMeasured);
    std::vector<Series> series;
    while (!training.done() && interrupted == 0) {
        if (training.steps_made() % steps_between == 0)
            add(task->measured(*modules, training.weights()), training.steps_made(), series);
        const double loss = training.step();
        progress.step(training.steps_made(), loss);
    }
    if (training.done()) add(task->measured(*modules, training.weights()), training.steps_made(), series);
    progress.end();
    write_checkpoint(wishes.save, *task, training, origin);
    if (!training.done()) {
        fmt::print("Interrupted after step {}. To go on:  {} --resume {}\n", training.steps_made(), program,
                   wishes.save);
        return std::nullopt;
    }
    // The weights are saved already, so Ctrl-C may end what follows at once.
    std::signal(SIGINT, SIG_DFL);
    std::optional<Progress> later;
    Trained trained = trained_by(training, *task, *modules, [&](int made, int steps, double loss) {
        if (!later) {
            fmt::print("Further models, {} steps\n", steps);
            std::fflush(stdout);
            later.emplace(std::cout, isatty(STDOUT_FILENO) == 1, steps, 0);
        }
        later->step(made, loss);
        if (made == steps) later->end();
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    trained.series.insert(trained.series.begin(), series.begin(), series.end());
    trained.threads = wishes.threads;
    trained.seconds = seconds;
    print_report(trained);
    fmt::print("{:.1f} s. The weights are in {}\n", seconds, wishes.save);
    return trained;
}

/// Trains one model, or two.
int train_all(Wishes wishes, const std::string& program, const Extension& extension) {
    std::vector<Trained> all;
    const std::filesystem::path folder = std::filesystem::path(wishes.save).parent_path();
    do {
        auto trained = train(wishes, program, extension);
        if (!trained) return kInterrupted;
        all.push_back(std::move(*trained));
        wishes.origin.model = std::exchange(wishes.beside, {});
        wishes.load = wishes.resume = {};
        wishes.save = folder / (wishes.origin.model + ".safetensors");
    } while (!wishes.origin.model.empty());
    bool good = !extension.ended || extension.ended(all);
    for (const Trained& trained : all)
        for (const Figure& figure : trained.figures) good = good && figure.reached();
    return good ? kGood : kNotGood;
}

}  // namespace

int train_program(int count, char** values, Extension& extension) {
    options::variables_map given;
    options::positional_options_description positions;
    positions.add("model", 1);
    Wishes wishes;
    try {
        options::store(options::command_line_parser(count, values)
                           .options(described(extension))
                           .positional(positions)
                           .run(),
                       given);
        if (given.count("help")) {
            print_help(extension);
            return kGood;
        }
        wishes = read_wishes(given);
        options::notify(given);
        return train_all(wishes, values[0], extension);
    } catch (const std::exception& error) {
        std::cerr << "train: " << error.what() << '\n';
        return kWrongUsage;
    }
}

}  // namespace attn::training
