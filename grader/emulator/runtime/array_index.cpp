#include "device.h"
#include "modules.h"
#include "report.h"

namespace attn::emulator {
namespace {

struct PendingIndex {
    bool waiting = false;
    std::uintptr_t pc = 0;
    std::string text;
};
// Kept until the end, as a launch may be left at any moment.
PendingIndex& pending() {
    static auto* const kept = new PendingIndex;
    return *kept;
}

}  // namespace

void report_array_index(const std::string& text, std::uintptr_t pc) {
    pending() = {true, pc, text};
    device.attention = true;
}

void settle_array_index(std::uintptr_t address) {
    if (!pending().waiting) return;
    pending().waiting = false;
    const Module* const module = device.launch.module;
    const bool shared = module != nullptr && address - module->shared < module->shared_size;
    end_launch(shared ? "shared_out_of_bounds" : "out_of_bounds", std::to_string(pending().pc),
               pending().text, cudaErrorIllegalAddress);
}

}  // namespace attn::emulator
