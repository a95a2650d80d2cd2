#include "grader/gpu/ask_kernels.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grader/gpu/on_device.h"
#include "grader/speed/statistics.h"
#include "grader/worker/bytes_of.h"

namespace attn::gpu {
namespace {

using judge::Question;
using judge::Verdict;

double worst_error(const Question& question, const Verdict& verdict) {
    double worst = 0;
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        worst = std::max(worst, judge::compare(verdict.got[k], verdict.truth_f64[k], verdict.units[k],
                                               question.allowed_yardsticks)
                                    .error_yardsticks);
    }
    return worst;
}

std::string reason(const Question& question, const Verdict& verdict) {
    if (!verdict.message.empty() || verdict.got.empty()) return verdict.message;
    const Array &got = verdict.got[verdict.output], &truth = verdict.truth_f64[verdict.output];
    const judge::Comparison& comparison = verdict.comparison;
    return fmt::format(
        "{} is {:.6g}, expected {:.6g}: {:.3g} times the rounding error of a plain loop; {:g} are allowed; "
        "{} of {} elements are wrong.",
        judge::name_element(got, comparison.worst), number_at(got, comparison.worst),
        number_at(truth, comparison.worst), comparison.error_yardsticks, question.allowed_yardsticks,
        comparison.wrong_count, got.count());
}

/// The same implementation, with the outputs prepared as a worker prepares them.
ask::Implementation with_outputs_of_a_worker(const ask::Function& function,
                                             const std::vector<std::string>& wanted,
                                             ask::Implementation implementation) {
    return
        [&function, &wanted, implementation = std::move(implementation)](const Argument* given, int count) {
            std::vector<Argument> arguments(given, given + count);
            for (std::size_t k = 0; k < function.outputs.size(); ++k) {
                Argument& output = arguments[k];
                if (judge::is_wanted(wanted, function.outputs[k].name)) {
                    worker::poison({static_cast<std::byte*>(output.data), worker::bytes_of(output)});
                } else {
                    std::fill(std::begin(output.shape), std::end(output.shape), 0);
                    output.data = nullptr;
                }
            }
            implementation(arguments.data(), count);
        };
}

}  // namespace

Agreement agree(const std::vector<Question>& questions, const judge::CallFunction& ask) {
    Agreement agreement;
    for (const Question& question : questions) {
        const Verdict verdict = judge::answer_twice(question, ask);
        ++agreement.asked;
        agreement.worst_yardsticks = std::max(agreement.worst_yardsticks, worst_error(question, verdict));
        if (verdict.outcome == Outcome::passed)
            ++agreement.passed;
        else
            agreement.failures.push_back(fmt::format("{} ({}): {}: {}", question.name, question.about(),
                                                     in_words(verdict.outcome), reason(question, verdict)));
    }
    return agreement;
}

judge::CallFunction ask_in_process(std::function<ask::Implementation(const std::string& function)> find) {
    return [find = std::move(find)](const ask::Function& function, const Arrays& inputs,
                                    const std::vector<std::string>& wanted,
                                    worker::Placement) -> worker::CallResult {
        const ask::Implementation implementation = find(function.name);
        if (!implementation) return worker::failure(Outcome::missing, "There are no kernels of this name.");
        worker::CallResult result;
        try {
            result.outputs = ask::evaluate(function, inputs, ask::Precision::f32,
                                           with_outputs_of_a_worker(function, wanted, implementation));
        } catch (const CallError&) {
            throw;
        } catch (const std::invalid_argument& refusal) {
            result = worker::failure(Outcome::threw, refusal.what());
            result.refused = true;
            return result;
        } catch (const std::bad_alloc&) {
            return worker::failure(Outcome::out_of_memory, "There is not enough memory for the call.");
        } catch (const std::exception& error) {
            return worker::failure(Outcome::kernel_error, error.what());
        }
        std::erase_if(result.outputs,
                      [&wanted](const Array& output) { return !judge::is_wanted(wanted, output.name); });
        return result;
    };
}

judge::CallFunction ask_kernels() {
    if (!device().present())
        return [](const auto&...) { return worker::failure(Outcome::skipped, device().why_not); };
    return ask_in_process(kernels_of);
}

Times take_times(const judge::Question& question, const KernelTimer& kernels, const Timer& plain_loops) {
    constexpr int kKernelCalls = 21, kPlainCalls = 3;
    Times times;
    times.call = question.setting_in_words();
    if (question.function->flop) times.gflop = 1e-9 * question.function->flop(question.sizes);
    ask::evaluate(*question.function, question.make_inputs(), ask::Precision::f32,
                  [&](const Argument* arguments, int count) {
                      const Timings timings = kernels(arguments, count, kKernelCalls);
                      times.call_ms = speed::median(timings.call);
                      times.device_ms = speed::median(timings.kernels);
                      // Each array is read or written at least once.
                      for (int k = 0; k < count; ++k)
                          if (arguments[k].data != nullptr)
                              times.gbytes += 1e-9 * static_cast<double>(worker::bytes_of(arguments[k]));
                      times.plain_ms = speed::median(plain_loops(arguments, count, kPlainCalls));
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
