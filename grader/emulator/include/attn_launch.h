#pragma once
/// What a rewritten launch calls: prepare(.., kernel, config(grid, block))(arguments). It lies before the
/// launch of attn_emulator.h so that arguments are converted as the kernel's parameters ask for: {1, 2}, 0
/// for a pointer.

#include <utility>

#include "cuda_runtime.h"

namespace attn::emulator {

/// Takes what is one kernel.
struct Select {
    template <class... P>
    auto kernel(void (*which)(P...)) const {
        return which;
    }
};

/// A launch without its arguments. Of a kernel that its arguments choose: a template's, an overload.
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
