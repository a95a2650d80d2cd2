#pragma once
/// Executes `kernel<<<grid, block, shared, stream>>>(arguments)`, which is rewritten to
/// prepare(.., kernel, config(grid, block))(arguments): converts the arguments to the types of the kernel's parameters,
/// so that {1, 2}, or 0 for a pointer, work as in CUDA, copies them, and queues the launch on its stream.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "driver_types.h"
#include "vector_types.h"

#pragma GCC visibility push(default)

/// The name of a kernel that a macro puts together.
#define ATTN_EMULATOR_TEXT(...) #__VA_ARGS__

namespace attn::emulator {

/// The four values between <<< and >>>.
struct Config {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

inline Config config(dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr) {
    return {grid, block, shared, stream};
}

namespace detail {

/// The position of an argument in a call, so that a message can name memory by the argument that points to
/// it.
struct Argument {
    std::size_t offset, size;
    std::size_t element;  ///< the size of what it points to; 0 if it is no pointer
};

template <class T>
constexpr std::size_t element_size() {
    if constexpr (std::is_pointer_v<T>)
        if constexpr (requires { sizeof(std::remove_pointer_t<T>); } &&
                      !std::is_void_v<std::remove_pointer_t<T>>)
            return sizeof(std::remove_pointer_t<T>);
    return 0;
}

/// A requested launch. The run time owns `call`, runs it once for each GPU thread and destroys it.
struct Request {
    const char* name;
    const char* file;
    int line;
    const void* kernel;
    void* call;
    std::size_t call_size;
    const Argument* layout;
    std::size_t argument_count;
    void (*run)(void* call);
    void (*destroy)(void* call);
};

cudaError_t enqueue(const Request& request, const Config& config);

template <class Kernel, class... Arguments>
struct Call {
    Kernel kernel;
    std::tuple<Arguments...> arguments;
    Argument layout[sizeof...(Arguments) + 1];
    static void run(void* self) {
        std::apply(static_cast<Call*>(self)->kernel, static_cast<Call*>(self)->arguments);
    }
    static void destroy(void* self) { delete static_cast<Call*>(self); }
};

template <class... Arguments, class Kernel>
cudaError_t enqueue_call(const char* name, const char* file, int line, Kernel kernel, const void* address,
                         const Config& config, Arguments... arguments) {
    using ThisCall = Call<Kernel, Arguments...>;
    auto* call = new ThisCall{kernel, {arguments...}, {}};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((call->layout[I] = {static_cast<std::size_t>(
                                 reinterpret_cast<const char*>(&std::get<I>(call->arguments)) -
                                 reinterpret_cast<const char*>(call)),
                             sizeof(Arguments), element_size<Arguments>()}),
         ...);
    }
    (std::index_sequence_for<Arguments...>{});
    return enqueue({name, file, line, address, call, sizeof(ThisCall), call->layout, sizeof...(Arguments),
                    &ThisCall::run, &ThisCall::destroy},
                   config);
}

}  // namespace detail

/// A text that a macro has made of its argument, with launches as the program has them.
const char* as_written(const char* text);

/// The names of a kernel's parameters, "x,y,n".
void name_parameters(const char* kernel, const char* names);

/// A launch of exactly one kernel: the arguments are converted to the types of its parameters.
template <class... P>
void launch(const char* name, const char* file, int line, void (*kernel)(P...), const Config& config,
            std::type_identity_t<P>... arguments) {
    detail::enqueue_call<P...>(name, file, line, kernel, reinterpret_cast<const void*>(kernel), config,
                               arguments...);
}

/// A launch of a kernel whose template arguments are deduced, wrapped as `[](auto... arguments) {
/// kernel(arguments...); }`.
template <class F, class... A>
requires std::is_class_v<F>
void launch(const char* name, const char* file, int line, F kernel, const Config& config, A... arguments) {
    detail::enqueue_call<A...>(name, file, line, kernel, nullptr, config, arguments...);
}

/// A kernel, and a function that calls it and may leave out default arguments.
template <class Call, class... P>
struct OneKernel {
    void (*kernel)(P...);
    Call call;
};

/// Accepts a name that denotes exactly one kernel.
struct Select {
    template <class... P>
    void kernel(void (*which)(P...)) const;
    template <class Call, class... P>
    OneKernel<Call, P...> kernel(void (*which)(P...), Call call) const {
        return {which, call};
    }
};

/// A launch that still needs its arguments. This general form is for kernels that the arguments select:
/// templates and overloads.
template <class Kernel, class Config, class Call = void>
struct Prepared {
    const char *name, *file;
    int line;
    Kernel kernel;
    Config config;

    template <class... A>
    void operator()(A... arguments) const {
        launch(name, file, line, kernel, config, std::move(arguments)...);
    }
};

/// Whether `Call` may be called with fewer arguments than there are parameters: those of these indices.
template <class Call, class Parameters, class Indices>
struct AcceptsFirst : std::false_type {};
template <class Call, class Parameters, std::size_t... I>
requires(sizeof...(I) <
         std::tuple_size_v<Parameters>) struct AcceptsFirst<Call, Parameters, std::index_sequence<I...>>
    : std::is_invocable<Call, std::tuple_element_t<I, Parameters>...> {
};

template <class Config, class Call, class... P>
struct Prepared<void (*)(P...), Config, Call> {
    const char *name, *file;
    int line;
    OneKernel<Call, P...> one;
    Config config;

    void operator()(P... arguments) const {
        launch(name, file, line, one.kernel, config, std::forward<P>(arguments)...);
    }
    /// The last parameters have default arguments.
    template <class... A>
    requires(AcceptsFirst<Call, std::tuple<P...>, std::index_sequence_for<A...>>::value) void operator()(
        A&&... arguments) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            detail::enqueue_call<std::tuple_element_t<I, std::tuple<P...>>...>(
                name, file, line, one.call, reinterpret_cast<const void*>(one.kernel), config,
                std::forward<A>(arguments)...);
        }
        (std::index_sequence_for<A...>{});
    }
};

template <class Kernel, class Config>
Prepared<Kernel, Config> prepare(const char* name, const char* file, int line, Kernel kernel, Config config) {
    return {name, file, line, kernel, config};
}
template <class Config, class Call, class... P>
Prepared<void (*)(P...), Config, Call> prepare(const char* name, const char* file, int line,
                                               OneKernel<Call, P...> one, Config config) {
    return {name, file, line, one, config};
}

}  // namespace attn::emulator

/// A launch by function call, for kernels whose type is known.
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared = 0, cudaStream_t stream = nullptr) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return attn::emulator::detail::enqueue_call<P...>(
            "cudaLaunchKernel", "", 0, kernel, reinterpret_cast<const void*>(kernel),
            attn::emulator::config(grid, block, shared, stream), *static_cast<P*>(arguments[I])...);
    }
    (std::index_sequence_for<P...>{});
}

/// The types of the parameters are not known here.
template <class Kernel>
requires std::is_void_v<Kernel>
__attribute__((
    error("the emulator needs the kernel's type: write cudaLaunchKernel(kernel, ..) without a cast to "
          "void*, or kernel<<<grid, block>>>(..)"))) cudaError_t
cudaLaunchKernel(const Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                 cudaStream_t stream = nullptr);

#pragma GCC visibility pop
