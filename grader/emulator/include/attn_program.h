#pragma once
/// For a program of its own, as `grader emulate` runs it, which says by the environment with which seed,
/// where to list what is found, and whether it tells that itself. Included ahead of the program.

#include <cstdio>
#include <cstdlib>

#include "attn_emulator.h"

namespace attn::emulator {

inline struct Program {
    Program() {
        const char* seed = std::getenv("ATTN_EMULATOR_SEED");
        begin(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1,
              std::getenv("ATTN_EMULATOR_HOSTED") != nullptr);
    }
    /// Behind everything that the program itself does at its end.
    ~Program() {
        const char* report = std::getenv("ATTN_EMULATOR_REPORT");
        std::FILE* file = report != nullptr ? std::fopen(report, "w") : nullptr;
        if (file == nullptr) return;
        for (const Finding& finding : findings())
            std::fprintf(file, "%s\t%s\n", finding.kind.c_str(), finding.text.c_str());
        std::fclose(file);
    }
} program;

}  // namespace attn::emulator
