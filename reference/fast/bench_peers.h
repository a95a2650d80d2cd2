#pragma once
/// Peers as their makers ship them. OpenBLAS, MKL and PyTorch read variables of the environment, some of them when they are
/// loaded, and such a variable can halve a peer's speed. So the benchmarks start themselves again without these variables,
/// and with the core of OpenBLAS (its kernels) that is the fastest on this processor.

#include <string>
#include <vector>

namespace attn::fast {

/// Those names of the environment ("NAME=value") that change how a peer computes: OPENBLAS_CORETYPE, MKL_DEBUG_CPU_TYPE,
/// OMP_NUM_THREADS and the like. `environment` is in the form of environ.
std::vector<std::string> settings_of_peers(const char* const* environment);

/// A core of OpenBLAS and what a product of two 1024 x 1024 matrices reached with it on one thread, in GFLOP/s.
struct CoreSpeed {
    std::string core;
    double gflops = 0;
};

/// The core to compare with. `cores` begins with the one that OpenBLAS chose itself. Another one is taken only if it is more
/// than 3 % faster, which is more than the noise of a quiet machine.
const CoreSpeed& core_to_use(const std::vector<CoreSpeed>& cores);

/// The first line of a process's main. Returns the words that the bench prints about its peers in the process that measures.
/// Before that, it measures the cores and starts the program again in its place, so that it does not return.
std::string with_peers_at_their_best(int count, char** values);

}  // namespace attn::fast
