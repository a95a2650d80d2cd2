#pragma once
/// For a program that `grader emulate` runs, included before the program's text. The environment sets the
/// file that the findings are written to (ATTN_EMULATOR_REPORT) and whether the program itself prints nothing
/// (ATTN_EMULATOR_HOSTED).

#include <cstdio>
#include <cstdlib>

#include "cuda_runtime.h"

namespace attn::emulator {

inline struct Program {
    Program() {
        const char* seed = std::getenv("ATTN_EMULATOR_SEED");
        if (std::getenv("ATTN_EMULATOR_HOSTED") != nullptr)
            begin(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1, true);
    }
    /// Runs after the program's own destructors. It first waits for launches that the program has not waited
    /// for.
    ~Program() {
        const char* report = std::getenv("ATTN_EMULATOR_REPORT");
        if (report == nullptr) return;
        cudaDeviceSynchronize();
        std::FILE* file = std::fopen(report, "w");
        if (file == nullptr) return;
        for (const Finding& finding : findings())
            std::fprintf(file, "%s\t%s\n", finding.kind.c_str(), finding.text.c_str());
        std::fclose(file);
    }
} program;

}  // namespace attn::emulator
