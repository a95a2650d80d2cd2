#pragma once
/// For tests of commands: runs the built grader from the command line.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "datasets/npy.h"
#include "grader/testing/built.h"
#include "grader/worker/process.h"

namespace attn::cli {

using Words = std::vector<std::string>;

struct Run {
    int exit_code = -1;
    std::string text;
};

/// No limits: the grader limits its own children.
inline constexpr worker::Limits kNoLimits{0, 0, 0, 0, 0, 0};

/// Runs the grader with these arguments, in the project's folder.
inline Run run_grader(const Words& words, const worker::Limits& limits = kNoLimits) {
    worker::Command command;
    command.argv = {testing::built_grader().string()};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = testing::environment();
    command.directory = testing::built().sources;
    command.confinement.limits = limits;
    constexpr double kTimeLimit_s = 120;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_REQUIRE(!result.timed_out);
    BOOST_REQUIRE(result.ending.signal == 0);
    return {result.ending.exit_code, result.printed};
}

/// Runs a program in this folder. The exit code is -1 if a signal ended it.
inline Run run_in(const std::filesystem::path& directory, const Words& argv) {
    worker::Command command;
    command.argv = argv;
    command.environment = testing::environment();
    command.directory = directory;
    command.confinement.limits = kNoLimits;
    constexpr double kTimeLimit_s = 300;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_REQUIRE(!result.timed_out);
    return {result.ending.signal == 0 ? result.ending.exit_code : -1, result.printed};
}

/// Runs a command of `grader class` in this folder, as run_in() does.
inline Run run_class(const Words& words, const std::filesystem::path& directory) {
    Words argv = {testing::built_grader().string(), "class"};
    argv.insert(argv.end(), words.begin(), words.end());
    return run_in(directory, argv);
}

/// The text with each run of spaces replaced by one space, to compare texts without their layout.
inline std::string squeezed(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' || result.empty() || result.back() != ' ') result += c;
    return result;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Checks the exit code of a run, and that its output contains each of `parts`.
inline void check_run(const Words& words, int exit_code, const std::vector<std::string>& parts) {
    const Run run = run_grader(words);
    BOOST_TEST_CONTEXT("it says: " << run.text) {
        BOOST_TEST(run.exit_code == exit_code);
        for (const std::string& part : parts)
            BOOST_TEST(contains(run.text, part), "it does not say: " << part);
    }
}

/// A temporary folder for array files and a submission.
struct TestFolder {
    data::TemporaryDirectory folder;

    std::string file(const std::string& name) const { return (folder / name).string(); }
    /// Writes an array to a file; returns "X=FILE", the argument of --in.
    template <class T>
    std::string in(const std::string& name, const Shape& shape, std::vector<T> values) const {
        data::write_npy(file(name + ".npy"), Array(name, shape, std::move(values)));
        return name + "=" + file(name + ".npy");
    }
    /// Writes the submission's file; returns the submission's folder.
    std::string submission(const std::string& text) const {
        std::filesystem::create_directories(folder / "mine");
        folder.write("mine/self_attention.cpp", text);
        return file("mine");
    }
};

inline const std::string kSoftmax = "softmax: Y [N, D] from X [N, D]";
inline const std::string kAttention =
    "scaled_dot_product_attention: Y [B, N_q, D_v], A [B, N_q, N_k] (on request) from Q [B, N_q, D_q], "
    "K [B, N_k, D_q], V [B, N_k, D_v]";

}  // namespace attn::cli
