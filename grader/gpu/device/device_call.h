#pragma once
/// Calls a function on views of GPU memory, with arrays in host memory: copies the inputs to the device, runs
/// the function, waits and copies the outputs back. Uses the CUDA run time that it is compiled for: a real
/// one or the emulator's.

#include <cstddef>
#include <list>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "assignments/call.h"
#include "assignments/device.h"
#include "grader/gpu/device/padded_memory.h"
#include "grader/worker/bytes_of.h"
#include "grader/worker/emulated_options.h"

namespace attn {

/// The stream that a function of attn::cuda gets as its last argument in a call of call_on_device().
inline cudaStream_t& stream_of_call() {
    static cudaStream_t stream = nullptr;
    return stream;
}

namespace detail {

/// The stream is not one of the caller's arguments: it is always stream_of_call().
template <>
struct Convert<cudaStream_t> {
    static void describe(std::vector<Parameter>&) {}
    static cudaStream_t read(Reader&) { return stream_of_call(); }
};

}  // namespace detail

namespace worker {

/// Creates the stream of one call, and destroys it at the end. It does not wait for the default stream, so
/// work that a function queues there has no order with the rest.
class CallStream {
  public:
    CallStream() {
        // A copy from pageable memory may end after cudaMemcpy has returned.
        cuda::check(cudaDeviceSynchronize(), "copying the arguments");
        cuda::check(cudaStreamCreateWithFlags(&stream_of_call(), cudaStreamNonBlocking),
                    "cudaStreamCreateWithFlags");
    }
    ~CallStream() { static_cast<void>(cudaStreamDestroy(stream_of_call())); }
    CallStream(const CallStream&) = delete;
    CallStream& operator=(const CallStream&) = delete;
};

/// Device memory of an output.
struct DeviceOutput {
    const void* data;
    std::size_t bytes;
};

/// A function of attn::cuda, without its type.
struct DeviceFunction {
    void (*function)();
    void (*invoke)(void (*function)(), const Argument* arguments, int count);
    std::vector<Parameter> parameters;
};
template <class... P>
DeviceFunction device_function(void (*f)(P...)) {
    return {reinterpret_cast<void (*)()>(f),
            [](void (*erased)(), const Argument* arguments, int count) {
                call(reinterpret_cast<void (*)(P...)>(erased), arguments, count);
            },
            parameters_of(f)};
}

/// The default of call_on_device(): runs the call once between the copies.
struct Once {
    template <class Call>
    void operator()(const Call& call, const std::vector<Argument>& arguments,
                    const std::vector<DeviceOutput>&) const {
        call(arguments);
    }
};

/// Calls f(arguments), where f takes views of device memory and a stream. `before`: what the memory of the
/// outputs holds at first. `run` runs the call, once or repeatedly, with the arguments that it gets or with
/// others in device memory. `Memory` is PlainMemory or PaddedMemory.
/// Throws what f throws; CallError as call() does; std::bad_alloc if the arrays do not fit into device
/// memory; cuda::DeviceError if CUDA reports an error, also of a kernel that f started without checking it.
template <class Memory = PlainMemory, class Run = Once>
void call_on_device(const DeviceFunction& f, const Argument* arguments, int count, OutputsBefore before,
                    const Run& run = {}) {
    const std::vector<Parameter>& parameters = f.parameters;
    if (count != static_cast<int>(parameters.size()))
        throw CallError("the function takes " + std::to_string(parameters.size()) + " arguments, " +
                        std::to_string(count) + " were given");
    std::vector<Argument> on_device(arguments, arguments + count);
    std::list<Memory> buffers;
    std::vector<DeviceOutput> outputs;
    for (Argument& argument : on_device) {
        if (argument.data == nullptr) continue;
        const bool output = parameters[static_cast<std::size_t>(&argument - on_device.data())].output;
        // An array without elements gets memory too, because a null pointer means that it is not wanted.
        const std::size_t bytes = bytes_of(argument);
        try {
            buffers.emplace_back(bytes > 0 ? bytes : 1);
        } catch (const cuda::DeviceError&) {
            // After a kernel has failed, every CUDA call fails. Only this error code means that memory is
            // full.
            if (cudaGetLastError() == cudaErrorMemoryAllocation) throw std::bad_alloc();
            throw;
        }
        if (bytes > 0 && (!output || before == OutputsBefore::as_on_host))
            cuda::check(cudaMemcpy(buffers.back().data(), argument.data, bytes, cudaMemcpyHostToDevice),
                        "cudaMemcpy of an argument");
        argument.data = buffers.back().data();
        if (output) outputs.push_back({argument.data, bytes});
    }
    {
        const CallStream stream;
        run([&](const std::vector<Argument>& given) { f.invoke(f.function, given.data(), count); }, on_device,
            outputs);
        cuda::check(cudaDeviceSynchronize(), "running the kernels");
        cuda::check(cudaGetLastError(), "starting the kernels");
    }
    std::size_t number = 0;
    for (const Memory& buffer : buffers) buffer.require_intact("array " + std::to_string(++number));
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::size_t bytes = parameters[k].output ? bytes_of(arguments[k]) : 0;
        if (arguments[k].data != nullptr && bytes > 0)
            cuda::check(cudaMemcpy(arguments[k].data, on_device[k].data, bytes, cudaMemcpyDeviceToHost),
                        "cudaMemcpy of an output");
    }
}

}  // namespace worker
}  // namespace attn
