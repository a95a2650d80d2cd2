#include "grader/gpu/take_times.h"

#include <chrono>

#include "grader/judge/statistics.h"
#include "grader/worker/bytes_of.h"

namespace attn::gpu {

Times take_times(const judge::Question& question, const KernelTimer& kernels, const Timer& plain_loops) {
    constexpr int kKernelCalls = 21, kPlainCalls = 3;
    Times times;
    times.call = question.setting_in_words();
    if (question.function->flop) times.gflop = 1e-9 * question.function->flop(question.sizes);
    ask::evaluate(*question.function, question.make_inputs(), ask::Precision::f32,
                  [&](const Argument* arguments, int count) {
                      const Timings timings = kernels(arguments, count, kKernelCalls);
                      times.call_ms = judge::median(timings.call);
                      times.device_ms = judge::median(timings.kernels);
                      // Each array is read or written at least once.
                      for (int k = 0; k < count; ++k)
                          if (arguments[k].data != nullptr)
                              times.gbytes += 1e-9 * static_cast<double>(worker::bytes_of(arguments[k]));
                      times.plain_ms = judge::median(plain_loops(arguments, count, kPlainCalls));
                  });
    return times;
}

Timer plain_loops_timer(const ask::Function& function) {
    return [&function](const Argument* arguments, int count, int repetitions) {
        function.truth_f32(arguments, count);
        std::vector<double> milliseconds;
        for (int k = 0; k < repetitions; ++k) {
            const auto start = std::chrono::steady_clock::now();
            function.truth_f32(arguments, count);
            milliseconds.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        return milliseconds;
    };
}

}  // namespace attn::gpu
