#include "access_findings.h"

#include <algorithm>

#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "ordering.h"
#include "scheduler.h"

namespace attn::emulator {
namespace {

std::string count(std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// "just past the end of ", "12 bytes past the end of ".
std::string past_the_end(std::size_t bytes) {
    return (bytes == 0 ? "just" : count(bytes, "byte")) + " past the end of ";
}

/// Why a pointer may be null.
std::string after_failure() {
    return failed_allocation().empty() ? "" : " (" + failed_allocation() + ")";
}

/// The number of the running thread in the whole grid, along x.
std::uint64_t global_index() {
    return static_cast<std::uint64_t>(block_index.x) * block_size.x + thread_index.x;
}

std::string bounds_hint(const Allocation& allocation, std::uintptr_t address, std::size_t size) {
    if (address < allocation.start) return " An index is negative, or too much was subtracted from it.";
    // A thread beyond the end uses the element with its own number, and the blocks are as many as the
    // elements need: then the check is missing. If only the first such thread comes here, it is written with
    // <=.
    const std::uint64_t elements = allocation.size / size, number = global_index(),
                        spare = static_cast<std::uint64_t>(grid_size.x) * block_size.x - elements;
    if (number < elements || (address - allocation.start) / size != number || spare > block_size.x) return {};
    const bool first = number == elements && spare > 1;
    return " This is thread number " + std::to_string(number) + " of the grid and there are only " +
           count(elements, "element") +
           (first ? ": is the bounds check (if (i < n)) missing, or does it say <=?"
                  : ": a bounds check (if (i < n)) is missing.");
}

/// Whether this place in the code was the latest to access one of the first or the last elements of an
/// allocation.
bool has_used(std::uintptr_t pc, const Allocation& allocation) {
    constexpr std::size_t kCells = 1 << 18;
    const std::size_t all = allocation.cells == nullptr ? 0 : allocation.size / 4;
    const auto used = [&](const Cell& cell) {
        const auto here = [pc](const Stamp& stamp) {
            return stamp.interval != 0 && stamp.pc == static_cast<std::uint32_t>(pc);
        };
        return here(cell.writer) || here(cell.readers[0]) || here(cell.readers[1]);
    };
    const Cell* const cells = allocation.cells;
    return std::any_of(cells, cells + std::min(all, kCells), used) ||
           std::any_of(cells + (all - std::min(all, kCells)), cells + all, used);
}

/// The allocation that a wrong access was meant for, of the two that it lies between: the one that the same
/// place in the code has used before. If that does not decide, a short way before the start of one is a negative
/// index, and all else is past the end.
const Allocation* meant_allocation(std::uintptr_t address, std::uintptr_t pc) {
    constexpr std::size_t kShortWay = 256;
    const Allocation* const near = allocation_near(address);
    const Allocation* const before = allocation_before(address);
    if (near == nullptr || before == nullptr || address >= near->start) return near;
    const bool used_near = has_used(pc, *near), used_before = has_used(pc, *before);
    if (used_near != used_before) return used_near ? near : before;
    return near->start - address <= kShortWay ? near : before;
}

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

std::string kernel_key(std::uintptr_t pc) {
    return std::to_string(pc) + device.launch.request.name;
}

bool is_shared(std::uintptr_t address) {
    return address - device.shared_start < device.shared_size;
}

void end_launch(const std::string& kind, const std::string& key, const std::string& text, cudaError_t error) {
    note(kind, key, text);
    leave_launch(error);
}

void report_wild_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const std::string what = place_of(pc) + ": " + running_thread_name() + " " + does(access) + " " +
                             (size == 0 ? "memory " : count(size, "byte") + " ");
    const Allocation* near = in_heap(address) ? meant_allocation(address, pc) : nullptr;
    if (near != nullptr) {
        const bool inside = address - near->start < near->size;
        const std::string memory = allocation_name(*near);
        if (near->freed && inside)
            end_launch("use_after_free", kernel_key(pc),
                       what + "in " + memory + ", freed in " + freed_place(*near) + ".",
                       cudaErrorIllegalAddress);
        const std::string where = inside ? "across the end of "
                                  : address < near->start
                                      ? count(near->start - address, "byte") + " before the start of "
                                      : past_the_end(address - near->start - near->size);
        end_launch(
            "out_of_bounds", kernel_key(pc),
            what + where + memory + "." + bounds_hint(*near, address, size == 0 ? sizeof(float) : size),
            cudaErrorIllegalAddress);
    }
    if (address < 65536) {
        const std::string null = null_parameter();
        end_launch(
            "out_of_bounds", kernel_key(pc),
            what + (null.empty() ? "at a null pointer" : "through " + null + ", which is a null pointer") +
                after_failure() + ".",
            cudaErrorIllegalAddress);
    }
    if (in_heap(address))
        end_launch("out_of_bounds", kernel_key(pc), what + "of device memory that was never allocated.",
                   cudaErrorIllegalAddress);
    // The argument points to the beginning of the array, which is probably near this address.
    const std::string argument =
        argument_name(address & ~static_cast<std::uintptr_t>(kPageSize - 1), kPageSize);
    const std::string given = argument.empty() ? "" : " (near " + argument + ")";
    end_launch(
        "host_memory_in_kernel", kernel_key(pc),
        what + "at an address that is no device memory" + given +
            ": a kernel can only use memory from cudaMalloc, shared memory and its own variables. Is this a "
            "pointer of the host (new, std::vector, &variable)?",
        cudaErrorIllegalAddress);
}

void report_shared_out_of_bounds(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const Module& module = *device.launch.module;
    const std::size_t offset = address - module.shared;
    const SharedArray* array = array_near(module, offset);
    std::string text =
        place_of(pc) + ": " + running_thread_name() + " " + does(access) + " " + count(size, "byte");
    if (array != nullptr && array->dynamic && offset - array->offset < array->size) {
        const std::size_t at = offset - array->offset;
        end_launch("shared_memory_too_small", kernel_key(pc),
                   text + " at byte " + std::to_string(at) + " of dynamic shared memory, but the launch in " +
                       place_name(device.launch.request.file, device.launch.request.line) + " requested " +
                       count(device.launch.shared, "byte") + ".",
                   cudaErrorIllegalAddress);
    }
    if (array != nullptr)
        text += offset < array->offset + array->size
                    ? " across the end of "
                    : " " + past_the_end(offset - array->offset - array->size);
    end_launch(
        "shared_out_of_bounds", kernel_key(pc),
        text + (array == nullptr ? " before all shared arrays."
                                 : "shared array " + array->name + " (" + count(array->size, "byte") + ")."),
        cudaErrorIllegalAddress);
}

void report_misaligned(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const std::size_t alignment = size < 16 ? size : 16;
    end_launch("misaligned", kernel_key(pc),
               place_of(pc) + ": " + running_thread_name() + " " + does(access) + " " + count(size, "byte") +
                   " at once at " + memory_name(address, size) + ", whose address is no multiple of " +
                   std::to_string(alignment) +
                   ". A float4 must begin at a multiple of 16 bytes, a float2 of 8.",
               cudaErrorMisalignedAddress);
}

void report_not_waited_for(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                           const FinishedOperation& other, bool other_writes) {
    const std::string key = std::to_string(pc);
    if (noted("not_synchronised", key)) return;
    note("not_synchronised", key,
         place_of(pc) + ": the host " + does(access) + " " + memory_name(address, size) + ", which " +
             other.name + (other_writes ? " writes" : " reads") +
             ". A launch only queues its kernel: a cudaDeviceSynchronize() is missing before this line.");
}

void report_early_release(const std::string& name, const Allocation& allocation,
                          const FinishedOperation& other, bool by_host, bool other_writes) {
    const std::string key = name + other.name;
    if (noted("use_after_free", key)) return;
    note("use_after_free", key,
         name + " frees " + allocation_name(allocation) + ", which " + other.name +
             (other_writes ? " writes" : " reads") +
             (by_host ? ", and the host has not waited for that. cudaFree does not wait for memory from "
                        "cudaMallocAsync: call cudaStreamSynchronize() before it, or use cudaFreeAsync() on "
                        "the same stream."
                      : ". The two are in different streams, and nothing makes the release wait: free the "
                        "memory on the stream that uses it last, or use an event and "
                        "cudaStreamWaitEvent()."));
}

void report_freed(const std::string& name, const char* role, const Allocation& allocation) {
    note("use_after_free", name + role,
         name + ": the " + role + ", " + allocation_name(allocation) + ", was freed in " +
             freed_place(allocation) + " before the copy or fill ran.");
}

void report_host_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const std::string key = std::to_string(pc);
    if (noted("device_memory_on_host", key)) return;
    note("device_memory_on_host", key,
         place_of(pc) + ": the host " + does(access) + " " + memory_name(address, size) +
             ". That is device memory: copy it with cudaMemcpy, or use it in a kernel.");
}

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
