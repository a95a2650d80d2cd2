#include "reset.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "attn_emulator.h"
#include "copies.h"
#include "cuda_errors.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "queue.h"
#include "signals.h"

namespace attn::emulator {
namespace {

constexpr double kTimeLimit = 10;

/// At the end of a program the queued work still runs. If there are findings, a successful program ends with
/// exit code 1.
void end_of_program(int status, void*) {
    if (hosted() && std::getenv("ATTN_EMULATOR_LEAKS") != nullptr) report_leaks();
    if (hosted()) return;
    finish_everything();
    if (std::getenv("ATTN_EMULATOR_LEAKS") != nullptr) report_leaks();
    const std::size_t found = findings().size();
    if (found == 0) return;
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: %zu finding%s\n", found, found == 1 ? "" : "s");
    std::fflush(nullptr);
    if (status == 0) ::_exit(1);
}

}  // namespace

/// Called when the first module is registered. So the work at the end of the program comes after the
/// program's objects are destroyed and before our own are.
void begin_standalone() {
    const char* const seed = std::getenv("ATTN_EMULATOR_SEED");
    const char* const limit = std::getenv("ATTN_EMULATOR_TIME_S");
    seed_order(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
    set_time_limit(limit != nullptr ? std::strtod(limit, nullptr) : kTimeLimit);
    if (const char* const report = std::getenv("ATTN_EMULATOR_REPORT"); report != nullptr) {
        write_findings_to(report);
        report_progress_when_terminated();
    }
    ::on_exit(end_of_program, nullptr);
}

void reset_device() {
    clear_queues();
    clear_events();
    clear_heap();
    forget_all_pinned();
    forget_errors();
}

void begin(std::uint64_t seed, bool hosted) {
    reset_device();
    forget_findings(hosted);
    forget_outputs();
    require_stream(nullptr);
    seed_order(seed);
}

}  // namespace attn::emulator
