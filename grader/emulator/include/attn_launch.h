#pragma once
/// The functions that a rewritten launch calls: prepare(.., kernel, config(grid, block))(arguments). The call
/// converts the arguments to the types of the kernel's parameters, so {1, 2}, or 0 for a pointer, work as in
/// CUDA. It then calls launch() of kernel_launch.h.

#include <utility>

#include "cuda_runtime.h"

namespace attn::emulator {

/// Accepts a name that denotes exactly one kernel.
struct Select {
    template <class... P>
    auto kernel(void (*which)(P...)) const {
        return which;
    }
};

/// A launch that still needs its arguments. This general form is for kernels that the arguments select:
/// templates and overloads.
template <class Kernel, class Config>
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

template <class Config, class... P>
struct Prepared<void (*)(P...), Config> {
    const char *name, *file;
    int line;
    void (*kernel)(P...);
    Config config;

    void operator()(P... arguments) const {
        launch(name, file, line, kernel, config, std::forward<P>(arguments)...);
    }
};

template <class Kernel, class Config>
Prepared<Kernel, Config> prepare(const char* name, const char* file, int line, Kernel kernel, Config config) {
    return {name, file, line, kernel, config};
}

}  // namespace attn::emulator
