/// The findings about races, and about reads of memory that was not written before.

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "access_findings.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "ordering.h"
#include "queued_copies.h"

namespace attn::emulator {
namespace {

constexpr const char* kInStreams =
    ". The two are in different streams, and nothing makes one wait for the other: use one stream, or an "
    "event "
    "and cudaStreamWaitEvent().";
constexpr std::uintptr_t kOneStatement = 64;  // bytes of code; a statement such as `*sum += x` is shorter

/// True if the memory still holds what fresh memory is filled with.
bool is_poison(std::uintptr_t address, std::size_t size) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(address);
    return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0xff; });
}

/// A statement such as `sum += x` races in several ways. When both of its accesses were reported in a race,
/// another race between them is no news.
bool is_new_race(const std::string& kind, std::uintptr_t pc, std::uintptr_t other_pc) {
    const bool fresh = remember_key(kind, kernel_key(pc));
    return remember_key(kind, kernel_key(other_pc)) || fresh;
}

/// Whether a thread of the running block has used an atomic function.
bool block_used_atomics() {
    return std::any_of(device.threads, device.threads + device.thread_count,
                       [](const Thread& thread) { return thread.last_atomic != 0; });
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
    const bool shared = is_shared(address);
    if (!same_block) {
        text += ". Blocks run in any order, and nothing makes one wait for the other";
        const bool plain = access != Access::kAtomic && other.atomic == 0;
        if (plain && block_used_atomics() && !device.fenced)
            return text +
                   ": an atomic function orders blocks only with a __threadfence() between it and the "
                   "accesses, in both blocks.";
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

/// A race that is reported at the end of the launch.
/// A plain read that races with an atomic function may turn out to be right: a loop of compare-and-swap
/// begins with a read whose value may be old. It is one if any thread calls atomicCAS on the same number
/// after it. For a race within a warp there may be another witness: two threads of different warps, for which
/// __syncwarp() would not do.
struct DeferredRace {
    std::string kind, text;
    std::uintptr_t pc, other_pc;
    std::uint32_t read;  // the low half of the plain read's pc; 0 if there is none
    bool in_warp;
};

/// A read of shared memory before it was written. If it is part of a race, that is the cause.
struct EarlyRead {
    std::string key, text;
};

struct Deferred {
    std::map<std::tuple<std::string, std::uintptr_t, std::uintptr_t>, DeferredRace> races;
    std::unordered_set<std::uint32_t> excused;  // reads that begin a loop of compare-and-swap
    std::vector<EarlyRead> early_reads;
};

// Never destroyed, because a launch may be abandoned at any moment.
Deferred& deferred() {
    static auto* const instance = new Deferred;
    return *instance;
}

}  // namespace

void excuse_read(std::uint32_t pc) {
    deferred().excused.insert(pc);
}

void report_deferred() {
    const Deferred all = std::exchange(deferred(), {});
    for (const auto& [key, race] : all.races)
        if (all.excused.count(race.read) == 0 && is_new_race(race.kind, race.pc, race.other_pc))
            note(race.kind, kernel_key(race.pc) + kernel_key(race.other_pc), race.text);
    for (const EarlyRead& read : all.early_reads)
        if (!noted("race_in_block", read.key)) note("uninitialised_read", read.key, read.text);
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
    const std::uint32_t read = reads_now ? static_cast<std::uint32_t>(pc) : read_before ? other.pc : 0;
    const bool in_warp =
        kind == "race_in_block" && other.thread / kWarpLanes == device.thread->id / kWarpLanes;
    const auto known = deferred().races.find({kind, pc, other_pc});
    if (read != 0 && deferred().excused.count(read) != 0) return;
    if (known != deferred().races.end() && (in_warp || !known->second.in_warp)) return;
    if (read != 0 || in_warp || known != deferred().races.end()) {
        if (noted(kind, kernel_key(pc)) && noted(kind, kernel_key(other_pc))) return;
        deferred().races[{kind, pc, other_pc}] = {
            kind,   race_text(address, size, access, pc, other, other_pc, other_wrote), pc, other_pc, read,
            in_warp};
        return;
    }
    if (is_new_race(kind, pc, other_pc))
        note(kind, kernel_key(pc) + kernel_key(other_pc),
             race_text(address, size, access, pc, other, other_pc, other_wrote));
}

void report_uninitialised(std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    const std::string key = kernel_key(pc);
    if (noted("uninitialised_read", key)) return;
    if (const std::uintptr_t copy = queued_copy_to(address); copy != 0) {
        if (noted("not_synchronised", key)) return;
        note("not_synchronised", key,
             place_of(pc) + ": " + running_thread_name() + " reads " + memory_name(address, size) +
                 ", which an asynchronous copy (" + place_of(copy) +
                 ") writes. The thread that queued the copy has to wait for it before (cp.async.wait_group, "
                 "__pipeline_wait_prior), and other threads need a __syncthreads() after that.");
        return;
    }
    // The host's library functions write to managed memory without a call to the run time.
    if (const Allocation* const at = allocation_of(address);
        at != nullptr && at->host != HostAccess::none && !is_poison(address, size)) {
        mark_written(at->cells, address - at->start, size);
        return;
    }
    std::vector<EarlyRead>& early = deferred().early_reads;
    if (std::any_of(early.begin(), early.end(), [&](const EarlyRead& read) { return read.key == key; }))
        return;
    const std::string text = place_of(pc) + ": " + running_thread_name() + " reads " +
                             memory_name(address, size) +
                             ", which was not written before. It holds NaN here, and any value on a GPU.";
    if (is_shared(address))
        early.push_back({key, text});
    else
        note("uninitialised_read", key, text);
}

void report_operation_race(const std::string& name, std::uintptr_t address, std::size_t size, bool writes,
                           const FinishedOperation& other, bool other_writes) {
    if (noted("race_between_streams", name + other.name)) return;
    note("race_between_streams", name + other.name,
         "Race: " + name + (writes ? " writes " : " reads ") + memory_name(address, size) + ", which " +
             other.name + (other_writes ? " writes" : " reads") + kInStreams);
}

}  // namespace attn::emulator
