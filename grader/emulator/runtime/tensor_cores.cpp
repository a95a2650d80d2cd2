#include "tensor_cores.h"

#include <cstdint>

#include "access_findings.h"
#include "device_state.h"

namespace attn::emulator {
namespace {

constexpr unsigned kAllLanes = ~0u;

/// Waits for all lanes of the warp and returns what each of them gives.
void meet(std::uint64_t given, std::uint64_t (&of_lanes)[kWarpLanes], const Place& place) {
    if (warp_gather(WarpCall::kReduce, kAllLanes, given, of_lanes, place) == kAllLanes) return;
    end_launch("absent_lane", place_name(place) + device.launch.request.name,
               place_name(place) + ": " + running_thread_name() +
                   " works on a tile for tensor cores, and some lanes of its warp have returned or do not "
                   "exist. All 32 "
                   "lanes have to make this call.",
               cudaErrorLaunchFailure);
}

[[noreturn]] void report_tile(const Place& place, const std::string& what) {
    end_launch("misaligned", place_name(place) + device.launch.request.name,
               place_name(place) + ": " + running_thread_name() + " uses a tile for tensor cores " + what,
               cudaErrorMisalignedAddress);
}

}  // namespace

void multiply_tiles(const TileProduct& product, Place place) {
    if (device.thread == nullptr) return;
    std::uint64_t lanes[kWarpLanes];
    meet(reinterpret_cast<std::uintptr_t>(&product), lanes, place);
    const auto of_lane = [&lanes](unsigned lane) {
        return reinterpret_cast<const TileProduct*>(lanes[lane]);
    };
    const auto [m, n, k, a, b, c, d] = product;
    const auto part = [](int rows, int columns) {
        return static_cast<unsigned>(rows * columns) / kWarpLanes;
    };
    const unsigned in_a = part(m, k), in_b = part(k, n), in_d = part(m, n);
    for (unsigned at = 0; at < in_d; ++at) {
        const unsigned place_in_d = lane() * in_d + at;
        const unsigned row = place_in_d / static_cast<unsigned>(n),
                       column = place_in_d % static_cast<unsigned>(n);
        double sum = c[at];
        for (unsigned p = 0; p < static_cast<unsigned>(k); ++p) {
            const unsigned in_row = row * static_cast<unsigned>(k) + p;
            const unsigned in_column = p * static_cast<unsigned>(n) + column;
            sum += of_lane(in_row / in_a)->a[in_row % in_a] * of_lane(in_column / in_b)->b[in_column % in_b];
        }
        d[at] = sum;
    }
    meet(0, lanes, place);  // the other lanes read this lane's numbers until then
}

void meet_at_tile(const void* tile, std::size_t distance, Place place) {
    if (device.thread == nullptr) return;
    std::uint64_t lanes[kWarpLanes];
    const auto address = reinterpret_cast<std::uintptr_t>(tile);
    meet(address, lanes, place);
    const std::size_t alignment = is_shared(address) ? 16 : 32;
    if (address % alignment != 0)
        report_tile(place, "at " + memory_name(address, 2) + ", whose address is no multiple of " +
                               std::to_string(alignment) + ".");
    if (distance % 16 != 0)
        report_tile(
            place,
            "whose rows lie " + std::to_string(distance) +
                " bytes apart (the leading dimension). That has to be a multiple of 16 bytes: of 8 for "
                "half, of 4 for float.");
}

}  // namespace attn::emulator
