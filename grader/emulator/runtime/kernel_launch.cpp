#include "kernel_launch.h"

#include <cstring>
#include <memory>

#include "access_findings.h"
#include "device_api.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "ordering.h"
#include "program.h"
#include "scheduler.h"
#include "stops.h"
#include "streams.h"

namespace attn::emulator {
namespace {

std::string launch_name(const detail::Request& request) {
    return "The launch of " + std::string(request.name) + " in " + place_name(request.file, request.line);
}

/// Returns cudaSuccess, or the error with which a device refuses the launch.
cudaError_t refuse(const detail::Request& request, const Config& config) {
    const dim3 &grid = config.grid, &block = config.block;
    const auto bad = [&](const char* kind, const std::string& why, cudaError_t error) {
        note(kind, place_name(request.file, request.line) + request.name, launch_name(request) + " " + why);
        return error;
    };
    const std::string sizes =
        "(grid " + triple(grid.x, grid.y, grid.z) + ", block " + triple(block.x, block.y, block.z) + ").";
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
        return bad("bad_launch", "has a dimension of zero " + sizes, cudaErrorInvalidConfiguration);
    if (static_cast<std::uint64_t>(block.x) * block.y > kMaxThreads ||
        static_cast<std::uint64_t>(block.x) * block.y * block.z > kMaxThreads || block.z > kMaxBlockZ)
        return bad(
            "bad_launch",
            block.z > kMaxBlockZ
                ? "requests " + std::to_string(block.z) + " threads along z; a block has at most " +
                      std::to_string(kMaxBlockZ) + " " + sizes
                : "requests " + std::to_string(static_cast<std::uint64_t>(block.x) * block.y * block.z) +
                      " threads a block; a block has at most " + std::to_string(kMaxThreads) + " " + sizes,
            cudaErrorInvalidConfiguration);
    if (grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ)
        return bad("bad_launch",
                   "has too large a grid: at most " + std::to_string(kMaxGridX) + " blocks along x and " +
                       std::to_string(kMaxGridYZ) + " along y and z " + sizes,
                   cudaErrorInvalidConfiguration);
    if (const std::size_t limit = dynamic_limit(request.kernel); config.shared > limit)
        return bad("shared_memory_too_small",
                   "requests " + std::to_string(config.shared) +
                       " bytes of dynamic shared memory; the limit is " + std::to_string(limit) +
                       (limit == kSharedMemory ? ". Above it call cudaFuncSetAttribute with "
                                                 "cudaFuncAttributeMaxDynamicSharedMemorySize first."
                                               : "."),
                   cudaErrorInvalidValue);
    return cudaSuccess;
}

/// Notes what the kernel's parameters say about the types of arrays.
void note_element_sizes(const detail::Request& request) {
    for (std::size_t k = 0; k < request.argument_count; ++k) {
        const detail::Argument& argument = request.layout[k];
        if (argument.element == 0) continue;
        std::uintptr_t word;
        std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset, sizeof word);
        if (Allocation* const at = allocation_of(word); at != nullptr) at->element = argument.element;
    }
}

/// Draws the order of the blocks and runs them.
void run(const detail::Request& request, const Config& config) {
    Launch& launch = device.launch;
    launch.request = request;
    launch.grid = config.grid;
    launch.block = config.block;
    launch.shared = config.shared;
    launch.error = cudaSuccess;
    launch.module = module_of(reinterpret_cast<std::uintptr_t>(request.run));
    launch.first_interval = device.interval + 1;
    launch.ordered_before = ordered_before();
    launch.block_intervals.clear();
    const auto blocks = static_cast<std::size_t>(config.grid.x) * config.grid.y * config.grid.z;
    launch.block_order.resize(blocks);
    for (std::size_t k = 0; k < blocks; ++k) launch.block_order[k] = static_cast<std::uint32_t>(k);
    for (std::size_t left = blocks; left > 1; --left)
        std::swap(launch.block_order[left - 1],
                  launch.block_order[random_below(static_cast<std::uint32_t>(left))]);
    block_size = config.block;
    grid_size = config.grid;
    device.thread_count = config.block.x * config.block.y * config.block.z;
    if (launch.module != nullptr) {
        device.shared_start = launch.module->shared;
        device.shared_size = launch.module->shared_size;
        device.shared_cells = launch.module->cells;
    }
    device.checked = launch.module != nullptr && launch.module->checked;
    device.has_pending_checks = false;
    note_element_sizes(request);
    begin_ordering();
    forget_accesses();
    device.running = true;
    bool finished = false;
    {
        const DeviceWrite write;
        watch_launch(true);
        finished = run_blocks();
        watch_launch(false);
    }
    device.running = false;
    device.thread = nullptr;
    report_deferred();
    if (!finished) set_sticky_error(launch.error);
}

}  // namespace

bool in_kernel() {
    return device.thread != nullptr;
}

cudaError_t detail::enqueue(const detail::Request& request, const Config& config) {
    // A std::function must be copyable, and the call's arguments must stay at one address.
    const std::shared_ptr<void> call(request.call, request.destroy);
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (const cudaError_t error = refuse(request, config); error != cudaSuccess) return record_error(error);
    check_stream(launch_name(request), config.stream,
                 std::string(request.name) + "<<<blocks, threads, bytes, stream>>>(..)");
    return record_error(push(
        config.stream, [request, config, call] { run(request, config); }, {},
        "kernel " + std::string(request.name) + " (launched in " + place_name(request.file, request.line) +
            ")"));
}

}  // namespace attn::emulator
