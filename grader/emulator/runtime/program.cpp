#include "program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

#include "allocations.h"
#include "attn_emulator.h"
#include "copies.h"
#include "device_api.h"
#include "findings.h"
#include "heap.h"
#include "scheduler.h"
#include "stops.h"
#include "streams.h"

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

const void* required = nullptr;
bool graded = false;

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
    graded = false;
}

bool is_graded() {
    return graded;
}

void require_stream(const void* stream) {
    required = stream;
}

void check_stream(const std::string& work, cudaStream_t stream, const std::string& write) {
    if (required == nullptr || stream == required) return;
    const bool is_default = stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    note("wrong_stream", work,
         work + " is on " + (is_default ? "the default stream" : "another stream") +
             ". The function has to queue all of its work on the stream that it was given: write " + write +
             ".");
}

DeviceWrite::DeviceWrite() {
    attribute_changes(false);
}

DeviceWrite::~DeviceWrite() {
    attribute_changes(true);
}

void watch_output(const void* data, std::size_t bytes) {
    const auto* start = static_cast<const unsigned char*>(data);
    graded = true;
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
