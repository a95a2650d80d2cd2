#pragma once
/// Files of trained weights (datasets/safetensors.h): the weights by their names. The file of a training that
/// was interrupted also has what the next step needs, by names that begin with "state.".

#include <filesystem>

#include "reference/models/training_loop.h"

namespace attn::training {

/// Which training it was.
struct Origin {
    std::string model, modules;
    std::uint64_t seed = 0;
    int steps = 0;  ///< of the whole training
};

/// Throws FileError if the file cannot be written.
void write_checkpoint(const std::filesystem::path& path, const Task& task, const Training& training,
                      const Origin& origin);

/// A training that was interrupted.
struct Interrupted {
    Origin origin;
    Arrays state;
};

/// Throws FileError if the file cannot be read or has no state, as that of a training that came to its end.
Interrupted read_interrupted(const std::filesystem::path& path);

}  // namespace attn::training
