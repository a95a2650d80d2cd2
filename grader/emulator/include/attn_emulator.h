#pragma once
/// The emulator of CUDA kernels, as the grader and a submission's own headers see it: what it found, and how
/// to start afresh. A `.cu` file itself includes cuda_runtime.h, as ever.

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace attn::emulator {

/// What was found, in the order found; the same kind at the same place is told once.
struct Finding {
    std::string kind;  // a slug: out_of_bounds, race_in_block, ..
    std::string text;  // one or two sentences; places as @{MODULE+0xHEX} where `hosted`, else file:line
};

/// Forgets everything on the device: memory, errors, findings, queues; orders are drawn from `seed` from now
/// on. `hosted`: places stay @{..} for somebody else to resolve (a sandboxed worker can start no addr2line),
/// and nothing is printed.
void begin(std::uint64_t seed, bool hosted);

const std::vector<Finding>& findings();

/// CPU time that one launch may take before it counts as endless.
void set_time_limit(double seconds);

/// True while a kernel runs: on the device, so to say.
bool in_kernel();

/// For TensorView: an element outside of its shape was asked for. In a kernel makes a finding and ends the
/// launch; on the host it returns, and the caller throws.
void index_error(const int* index, const int* shape, int rank, const void* data);

}  // namespace attn::emulator

#pragma GCC visibility pop
