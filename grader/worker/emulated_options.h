#pragma once
/// What a call of kernels on the emulator is told besides the function's arguments, as options behind them:
/// how the parent writes it and the worker reads it.

#include <cstdint>
#include <vector>

#include "assignments/call.h"

namespace attn::worker {

/// What an output's memory on the device holds before the call: the host's bytes, so that an element that
/// nobody writes keeps them; or nothing, so that who reads it is found.
enum class OutputsBefore { as_on_host, nothing };

struct EmulatedOptions {
    static constexpr int kCount = 2;

    std::uint64_t seed = 1;  ///< draws the order of blocks and threads
    OutputsBefore before = OutputsBefore::as_on_host;

    void append_to(std::vector<double>& options) const {
        options.push_back(static_cast<double>(seed));
        options.push_back(static_cast<double>(before));
    }
    static EmulatedOptions read(const Argument* options) {
        return {static_cast<std::uint64_t>(options[0].number),
                options[1].number != 0 ? OutputsBefore::nothing : OutputsBefore::as_on_host};
    }
};

}  // namespace attn::worker
