#pragma once
/// The program `train`, which trains a model of the course and says how well it learned.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "reference/models/modules.h"
#include "reference/models/training_loop.h"

namespace attn::training {

/// What the grader adds to the program, of which the reference knows nothing.
struct Extension {
    boost::program_options::options_description options;  ///< more options
    std::string examples = {};                            ///< more lines for --help
    /// More modules than fast and plain.
    std::map<std::string, std::function<std::unique_ptr<Modules>()>> modules = {};
    /// Called at the end with the model, and with the one that was trained beside it, if there is one. Returns
    /// whether it found nothing wrong.
    std::function<bool(const std::vector<Trained>& trained)> ended = {};
};

/// Runs the program. Returns its exit code: 0 all figures were reached, 1 one was missed or the extension found
/// something wrong, 2 wrong usage, 130 interrupted.
int train_program(int count, char** values, Extension& extension);

}  // namespace attn::training
