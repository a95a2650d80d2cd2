#pragma once
/// For a program that `grader emulate` runs, included before the program's text. The environment says whether
/// the program itself prints nothing (ATTN_EMULATOR_HOSTED).

#include <cstdlib>

#include "cuda_runtime.h"

namespace attn::emulator {

inline struct Program {
    Program() {
        const char* seed = std::getenv("ATTN_EMULATOR_SEED");
        if (std::getenv("ATTN_EMULATOR_HOSTED") != nullptr)
            begin(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1, true);
    }
    /// Runs after the program's own destructors, and waits for launches that the program has not waited for.
    ~Program() { cudaDeviceSynchronize(); }
} program;

}  // namespace attn::emulator
