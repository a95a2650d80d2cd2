#pragma once
/// Options of a call on the GPU emulator. The parent appends them to the function's arguments, and the worker
/// reads them from there.

#include <cstdint>
#include <vector>

#include "assignments/call.h"

namespace attn::worker {

/// What the device memory of an output holds before the call. `as_on_host`: the host's bytes, so that
/// elements that are not written keep them. `nothing`: uninitialised memory, so that the emulator finds reads
/// of it.
enum class OutputsBefore { as_on_host, nothing };

struct EmulatedOptions {
    static constexpr int kCount = 3;

    std::uint64_t seed = 1;  ///< draws the order of blocks and threads
    OutputsBefore before = OutputsBefore::as_on_host;
    double launch_s = 1;  ///< a launch is endless if no thread returns for so much processor time

    void append_to(std::vector<double>& options) const {
        options.push_back(static_cast<double>(seed));
        options.push_back(static_cast<double>(before));
        options.push_back(launch_s);
    }
    static EmulatedOptions read(const Argument* options) {
        return {static_cast<std::uint64_t>(options[0].number),
                options[1].number != 0 ? OutputsBefore::nothing : OutputsBefore::as_on_host,
                options[2].number};
    }
};

}  // namespace attn::worker
