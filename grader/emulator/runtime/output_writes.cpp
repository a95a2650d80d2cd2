#include "output_writes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "attn_emulator.h"
#include "findings.h"

namespace attn::emulator {
namespace {

using Bytes = std::vector<unsigned char>;

struct Watched {
    const unsigned char* data;
    Bytes at_first, seen;  // the contents when watching began, and after the last write that was noticed
    std::vector<bool> by_device;  // for each byte: the last change was the device's
};

std::vector<Watched>& watched() {
    static auto* const instance = new std::vector<Watched>;
    return *instance;
}

/// Attributes what has changed since the last time to the device or to the host.
void attribute_changes(bool to_device) {
    for (Watched& output : watched())
        for (std::size_t k = 0; k < output.seen.size(); ++k)
            if (output.data[k] != output.seen[k]) {
                output.seen[k] = output.data[k];
                output.by_device[k] = to_device;
            }
}

}  // namespace

DeviceWrite::DeviceWrite() {
    attribute_changes(false);
}

DeviceWrite::~DeviceWrite() {
    attribute_changes(true);
}

void watch_output(const void* data, std::size_t bytes) {
    const auto* start = static_cast<const unsigned char*>(data);
    watched().push_back({start, {start, start + bytes}, {start, start + bytes}, std::vector<bool>(bytes)});
}

void forget_outputs() {
    watched().clear();
}

void check_outputs() {
    attribute_changes(false);
    for (const Watched& output : watched()) {
        std::size_t by_host = 0;
        for (std::size_t k = 0; k < output.seen.size(); ++k)
            by_host += output.seen[k] != output.at_first[k] && !output.by_device[k] ? 1 : 0;
        if (by_host == 0) continue;
        note("written_by_host", "",
             "No kernel wrote " + std::to_string(by_host) + " of the " + std::to_string(output.seen.size()) +
                 " bytes of an output; the host did, by a copy or directly.");
    }
    forget_outputs();
}

}  // namespace attn::emulator
