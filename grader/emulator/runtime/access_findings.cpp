#include "access_findings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "device_state.h"
#include "fibre.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "operation_order.h"
#include "ordering.h"

namespace attn::emulator {
namespace {

constexpr const char* kInStreams =
    ". The two are in different streams, and nothing makes one wait for the other: use one stream, or an "
    "event "
    "and cudaStreamWaitEvent().";
constexpr std::uintptr_t kOneStatement = 64;  // bytes of code; a statement such as `*sum += x` is shorter

std::string does(Access access) {
    return access == Access::kRead ? "reads" : access == Access::kWrite ? "writes" : "updates atomically";
}

std::string count(std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// "just past the end of ", "12 bytes past the end of ".
std::string past_the_end(std::size_t bytes) {
    return (bytes == 0 ? "just" : count(bytes, "byte")) + " past the end of ";
}

/// True if the memory still holds what fresh memory is filled with.
bool is_poison(std::uintptr_t address, std::size_t size) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(address);
    return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0xff; });
}

std::string kernel_key(std::uintptr_t pc) {
    return std::to_string(pc) + device.launch.request.name;
}

/// The number of the running thread in the whole grid, along x.
std::uint64_t global_index() {
    return static_cast<std::uint64_t>(block_index.x) * block_size.x + thread_index.x;
}

std::string bounds_hint(const Allocation& allocation, std::uintptr_t address, std::size_t size) {
    if (address < allocation.start) return " An index is negative, or too much was subtracted from it.";
    const std::uint64_t elements = allocation.size / size;
    if (global_index() >= elements)
        return " This is thread number " + std::to_string(global_index()) +
               " of the grid and there are only " + count(elements, "element") +
               ": a bounds check (if (i < n)) is missing.";
    return {};
}

/// A statement such as `sum += x` races in several ways. When both of its accesses were reported in a race,
/// another race between them is no news.
bool is_new_race(const std::string& kind, std::uintptr_t pc, std::uintptr_t other_pc) {
    const bool fresh = remember_key(kind, kernel_key(pc));
    return remember_key(kind, kernel_key(other_pc)) || fresh;
}

/// The words for two accesses that race: this one of the running thread, and `other` before it.
std::string race_text(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                      const Stamp& other, std::uintptr_t other_pc, bool other_wrote) {
    if (other.interval < device.launch.first_interval) {
        const FinishedOperation* const operation = unordered_operation(other.interval);
        return "Race at " + place_of(pc) + ": " + running_thread_name() + " (launched in " +
               place_name(device.launch.request.file, device.launch.request.line) + ") " + does(access) +
               " " + memory_name(address, size) + ", which " +
               (operation != nullptr ? operation->name : "another kernel") +
               (other_wrote ? " writes" : " reads") + (other.pc != 0 ? " (" + place_of(other_pc) + ")" : "") +
               kInStreams;
    }
    const bool same_block = other.interval >= device.block_first;
    const std::string other_does = other.atomic != 0 ? "updated atomically" : other_wrote ? "wrote" : "read";
    std::string text =
        "Race at " + place_of(pc) + ": " + running_thread_name() + " " + does(access) + " " +
        memory_name(address, size) + ", which thread " + thread_name(other.thread) + " of " +
        (same_block ? "the same block"
                    : "block " + block_name(device.launch.block_order[block_of(other.interval)])) +
        " " + other_does + " (" + place_of(other_pc) + ")";
    const bool shared = device.launch.module != nullptr &&
                        address - device.launch.module->shared < device.launch.module->shared_size;
    if (!same_block) {
        text += ". Blocks run in any order, and nothing makes one wait for the other";
        text += other.thread == device.thread->id && other_wrote
                    ? ". Do all blocks compute the same elements: is blockIdx missing in the index, or "
                      "gridDim in the stride? A number that all blocks change needs an atomic function."
                    : ": give every block elements of its own, or use an atomic function.";
    } else if (!shared && (pc > other_pc ? pc - other_pc : other_pc - pc) < kOneStatement) {
        text +=
            " between the same two barriers. Threads that update one number need an atomic function "
            "(atomicAdd), or each thread an element of its own.";
    } else if (other.thread / kWarpLanes == device.thread->id / kWarpLanes) {
        text +=
            " between the same two barriers. Lanes of a warp do not run in step: a __syncwarp() or "
            "__syncthreads() is missing between the two.";
    } else {
        text += std::string(" between the same two barriers. A __syncthreads() is missing between the two") +
                (shared ? "." : ", or each thread needs an element of its own.");
    }
    return text;
}

}  // namespace

void end_launch(const std::string& kind, const std::string& key, const std::string& text, cudaError_t error) {
    note(kind, key, text);
    leave_launch(error);
}

void report_wild_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const std::string what = place_of(pc) + ": " + running_thread_name() + " " + does(access) + " " +
                             (size == 0 ? "memory " : count(size, "byte") + " ");
    const Allocation* near = in_heap(address) ? allocation_near(address) : nullptr;
    if (near != nullptr) {
        const bool inside = address - near->start < near->size;
        const std::string memory = allocation_name(*near);
        if (near->freed && inside)
            end_launch("use_after_free", kernel_key(pc),
                       what + "in " + memory + ", which were freed in " + freed_place(*near) + ".",
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
    if (address < 65536)
        end_launch("out_of_bounds", kernel_key(pc), what + "at a null pointer.", cudaErrorIllegalAddress);
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

void report_uninitialised(std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    const std::string key = kernel_key(pc);
    if (noted("uninitialised_read", key)) return;
    // The host's library functions write to managed memory without a call to the run time.
    if (const Allocation* const at = allocation_of(address);
        at != nullptr && at->host != HostAccess::none && !is_poison(address, size)) {
        mark_written(at->cells, address - at->start, size);
        return;
    }
    note("uninitialised_read", key,
         place_of(pc) + ": " + running_thread_name() + " reads " + memory_name(address, size) +
             ", which was never written. It holds NaN here, and any value on a GPU.");
}

namespace {

/// A plain read that races with an atomic function. It is reported at the end of the launch, unless by then a
/// thread has read there and then called atomicCAS on the same number: a loop of compare-and-swap begins with
/// a read whose value may be old.
struct DeferredRace {
    std::string kind, text;
    std::uintptr_t pc, other_pc;
    std::uint32_t read;  // the low half of the read's pc
};

struct DeferredRaces {
    std::map<std::tuple<std::string, std::uintptr_t, std::uintptr_t>, DeferredRace> races;
    std::unordered_set<std::uint32_t> excused;  // reads that begin a loop of compare-and-swap
};

// Never destroyed, because a launch may be abandoned at any moment.
DeferredRaces& deferred() {
    static auto* const instance = new DeferredRaces;
    return *instance;
}

}  // namespace

void excuse_read(std::uint32_t pc) {
    deferred().excused.insert(pc);
}

void report_deferred_races() {
    const DeferredRaces all = std::exchange(deferred(), {});
    for (const auto& [key, race] : all.races)
        if (all.excused.count(race.read) == 0 && is_new_race(race.kind, race.pc, race.other_pc))
            note(race.kind, kernel_key(race.pc) + kernel_key(race.other_pc), race.text);
}

void report_race(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                 const Stamp& other, bool other_wrote) {
    const bool same_block = other.interval >= device.block_first;
    const std::string kind = other.interval < device.launch.first_interval ? "race_between_streams"
                             : same_block                                  ? "race_in_block"
                                                                           : "race_between_blocks";
    // The kernel's module contains both places and is smaller than 4 GiB.
    const std::uintptr_t base = pc & ~static_cast<std::uintptr_t>(0xffffffff);
    std::uintptr_t other_pc = base | other.pc;
    if (module_of(other_pc) == nullptr)
        other_pc =
            other.pc > static_cast<std::uint32_t>(pc) ? other_pc - (1ULL << 32) : other_pc + (1ULL << 32);
    const bool reads_now = access == Access::kRead && other_wrote && other.atomic != 0,
               read_before = access == Access::kAtomic && !other_wrote && other.atomic == 0;
    if (reads_now || read_before) {
        const auto read = reads_now ? static_cast<std::uint32_t>(pc) : other.pc;
        if (deferred().excused.count(read) != 0 || deferred().races.count({kind, pc, other_pc}) != 0) return;
        deferred().races[{kind, pc, other_pc}] = {
            kind, race_text(address, size, access, pc, other, other_pc, other_wrote), pc, other_pc, read};
        return;
    }
    if (is_new_race(kind, pc, other_pc))
        note(kind, kernel_key(pc) + kernel_key(other_pc),
             race_text(address, size, access, pc, other, other_pc, other_wrote));
}

void report_operation_race(const std::string& name, std::uintptr_t address, std::size_t size, bool writes,
                           const FinishedOperation& other, bool other_writes) {
    if (noted("race_between_streams", name + other.name)) return;
    note("race_between_streams", name + other.name,
         "Race: " + name + (writes ? " writes " : " reads ") + memory_name(address, size) + ", which " +
             other.name + (other_writes ? " writes" : " reads") + kInStreams);
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

void report_host_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    const std::string key = std::to_string(pc);
    if (noted("device_memory_on_host", key)) return;
    note("device_memory_on_host", key,
         place_of(pc) + ": the host " + does(access) + " " + memory_name(address, size) +
             ". That is device memory: copy it with cudaMemcpy, or use it in a kernel.");
}

}  // namespace attn::emulator
