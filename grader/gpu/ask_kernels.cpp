#include "grader/gpu/ask_kernels.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grader/gpu/on_device.h"
#include "grader/worker/bytes_of.h"

namespace attn::gpu {
namespace {

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

}  // namespace attn::gpu
