#pragma once
/// Asks kernels as a student's functions are asked: compares their answers with the truth, and times one call.

#include <functional>
#include <string>
#include <vector>

#include "grader/gpu/on_device.h"
#include "grader/judge/answer.h"
#include "grader/judge/student.h"

namespace attn::gpu {

struct Agreement {
    int asked = 0, passed = 0;
    double worst_yardsticks = 0;  ///< the largest error of any output; infinite if an output is not finite
    std::vector<std::string> failures;  ///< "ragged (normal numbers, N=5 D=7): wrong: .."

    /// False if no question was asked.
    bool all_passed() const { return asked > 0 && passed == asked && failures.empty(); }
};

/// Asks every question twice. The numbers must agree with the truth, and both answers bit by bit.
Agreement agree(const std::vector<judge::Question>& questions, const judge::CallFunction& ask);

/// Calls the implementation that `find` returns for a function's name; an empty one means that the function
/// is missing. As in a worker, outputs hold the poison before the call, and an output that is not wanted is
/// an empty view. Throws CallError if the arguments do not fit, which is a fault of ours.
judge::CallFunction ask_in_process(std::function<ask::Implementation(const std::string& function)> find);

/// Calls the kernels on this machine's GPU. Without a GPU every answer is "skipped", with the reason.
judge::CallFunction ask_kernels();

/// Times of one call, taken in the same run.
struct Times {
    std::string call;      ///< the sizes: "B=1 N=256"
    double call_ms = 0;    ///< the whole call, by the host's clock
    double device_ms = 0;  ///< its kernels, by the device's clock
    double plain_ms = 0;
    double gflop = 0;   ///< floating-point operations of a direct computation, in 1e9; 0: not counted
    double gbytes = 0;  ///< the bytes of all its arrays, in 1e9: the least that it has to read and write

    double ratio() const { return plain_ms / device_ms; }
    double tflops() const { return gflop / device_ms; }
    double gbytes_per_s() const { return 1e3 * gbytes / device_ms; }
};

/// Returns the time of each of `repetitions` calls in milliseconds.
using Timer = std::function<std::vector<double>(const Argument* arguments, int count, int repetitions)>;

/// Does so for kernels.
using KernelTimer = std::function<Timings(const Argument* arguments, int count, int repetitions)>;

/// Times the kernels and then the plain loops on the question's arrays. Each result is a median.
Times take_times(const judge::Question& question, const KernelTimer& kernels, const Timer& plain_loops);

/// Times the function's plain loops on this processor, after one call that does not count.
Timer plain_loops_timer(const ask::Function& function);

}  // namespace attn::gpu
