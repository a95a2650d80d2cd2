#pragma once
/// The interface of the CUDA emulator for the grader and for the course's headers: its findings, and a reset.
/// A `.cu` file itself includes cuda_runtime.h, as with nvcc.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace attn::emulator {

/// One error that the emulator found in a program. The same kind at the same place is reported once.
struct Finding {
    std::string kind;  // an identifier: out_of_bounds, race_in_block, ..
    std::string text;  // one or two sentences; places as @{MODULE+0xHEX} where `hosted`, else file:line
};

/// Resets the device: memory, errors, findings, queues. From now on execution orders are drawn from `seed`.
/// `hosted`: another program collects the findings. Then nothing is printed, and places stay @{..} for that
/// program to resolve, because a sandboxed worker cannot start addr2line.
void begin(std::uint64_t seed, bool hosted);

/// All findings since begin(), in the order found.
const std::vector<Finding>& findings();

/// Gets each finding at once, so that code of the same process cannot take it back later. The first receiver
/// stays.
using FindingReceiver = void (*)(const char* kind, const char* text);
/// The program that hosts the emulator looks this function up by its name.
extern "C" void attention_lab_send_findings_to(FindingReceiver receiver);

/// Notes which bytes of this device memory, an output of the call that begins, the host writes from now on.
void watch_output(const void* data, std::size_t bytes);
/// Reports watched outputs that changed without a launch writing them. Ends watching. (What a kernel only
/// copies from memory that the host has filled counts as written by the kernel.)
void check_outputs();
void forget_outputs();

/// From now on, work that the host queues on any other stream than this one is a finding. Null allows all
/// streams again, and so does begin().
void require_stream(const void* stream);

/// Sets the CPU time after which a launch counts as endless.
void set_time_limit(double seconds);

/// True while a kernel runs, that is, in device code.
bool in_kernel();

/// TensorView calls this for an index outside its shape. In a kernel it makes a finding and ends the launch.
/// On the host it returns, and the caller throws.
void index_error(const int* index, const int* shape, int rank, const void* data);

}  // namespace attn::emulator

#pragma GCC visibility pop
