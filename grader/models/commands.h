#pragma once
/// The commands `show` and `train`. They are programs of their own in a build, and commands of the grader in a kit.

#include <functional>
#include <set>
#include <string>

#include "grader/cli/program.h"
#include "grader/judge/student.h"

namespace attn::trained {

/// Draws a page of a trained model whose functions are the student's. `make show A=6` runs it.
int show_command(const cli::Words& words);

/// Whose functions `--modules student` takes.
struct TrainingStudent {
    judge::CallFunction call;
    std::set<std::string> functions;  ///< those to ask for
    std::function<int(const std::string& function)> assignment_of;
};

/// Makes the student of a folder or archive.
using TakeIn = std::function<TrainingStudent(const std::string& submission)>;

/// A submission that is compiled for speed and called in sandboxed workers.
TrainingStudent take_in_submission(const std::string& submission);

/// Trains a model of the course, also on a student's functions, and draws a page about it. `make train MODEL=digits` runs
/// it. `values` holds the program's name and its arguments. Returns the exit code: that of
/// training::train_program, where a wrong gradient of the student's functions counts like a missed figure.
int train_command(int count, char** values, const TakeIn& take_in);

}  // namespace attn::trained
