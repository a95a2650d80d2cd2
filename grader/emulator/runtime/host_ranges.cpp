#include "host_ranges.h"

#include <algorithm>
#include <string>
#include <vector>

#include "device_state.h"
#include "findings.h"

namespace attn::emulator {
namespace {

std::vector<HostRange>& ranges() {
    static auto* const instance = new std::vector<HostRange>;
    return *instance;
}

}  // namespace

void remember_host_range(const HostRange& range) {
    if (range.size == 0) return;
    ranges().push_back(range);
    device.host_watched = true;
}

void forget_host_range(const HostRange& range) {
    if (range.size == 0) return;
    const auto found = std::find_if(ranges().begin(), ranges().end(), [&](const HostRange& one) {
        return one.start == range.start && one.size == range.size && one.written == range.written;
    });
    if (found != ranges().end()) ranges().erase(found);
    device.host_watched = !ranges().empty();
}

void forget_host_ranges() {
    device.host_watched = false;

    ranges().clear();
}

void check_host_range(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    for (const HostRange& range : ranges()) {
        if (address >= range.start + range.size || address + size <= range.start) continue;
        if (!range.written && access == Access::kRead) continue;
        note("not_synchronised", std::to_string(pc),
             place_of(pc) + ": the host " + (access == Access::kRead ? "reads" : "writes") +
                 " memory that a queued cudaMemcpyAsync still has to " + (range.written ? "fill" : "read") +
                 ". A cudaStreamSynchronize() or cudaDeviceSynchronize() is missing before it.");
    }
}

}  // namespace attn::emulator
