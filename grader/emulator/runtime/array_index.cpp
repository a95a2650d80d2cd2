#include "access_findings.h"
#include "device_state.h"
#include "modules.h"

namespace attn::emulator {
namespace {

struct PendingIndex {
    bool waiting = false;
    std::uintptr_t pc = 0;
    std::string text;
};
// Never destroyed, because a launch may be abandoned at any moment.
PendingIndex& pending_index() {
    static auto* const instance = new PendingIndex;
    return *instance;
}

}  // namespace

void report_array_index(const std::string& text, std::uintptr_t pc) {
    pending_index() = {true, pc, text};
    device.has_pending_checks = true;
}

void settle_array_index(std::uintptr_t address) {
    if (!pending_index().waiting) return;
    pending_index().waiting = false;
    const Module* const module = device.launch.module;
    const bool shared = module != nullptr && address - module->shared < module->shared_size;
    std::string text = pending_index().text;
    if (shared)
        if (const SharedArray* const array = array_near(*module, address - module->shared); array != nullptr)
            text += " The array near that address is " + array->name + ".";
    end_launch(shared ? "shared_out_of_bounds" : "out_of_bounds", std::to_string(pending_index().pc), text,
               cudaErrorIllegalAddress);
}

}  // namespace attn::emulator
