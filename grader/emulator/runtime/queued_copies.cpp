#include "queued_copies.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "../include/async_copies.h"
#include "access_findings.h"
#include "device_state.h"
#include "findings.h"
#include "scheduler.h"
#include "shadow.h"

namespace attn::emulator {
namespace {

constexpr std::size_t kMostBytes = 16;

struct QueuedCopy {
    std::uintptr_t to = 0;
    std::size_t size = 0;
    std::uintptr_t pc = 0;
    unsigned group = 0;
    unsigned char bytes[kMostBytes] = {};
};

struct Queue {
    std::vector<QueuedCopy> copies;
    unsigned committed = 0;  // groups
};

// Never destroyed, because a launch may be abandoned at any moment.
std::array<Queue, kMaxThreads>& queues() {
    static auto* const instance = new std::array<Queue, kMaxThreads>;
    return *instance;
}

[[noreturn]] void refuse(const char* kind, std::uintptr_t pc, const std::string& why) {
    end_launch(kind, kernel_key(pc), place_of(pc) + ": " + running_thread_name() + " " + why,
               cudaErrorMisalignedAddress);
}

void queue(void* to, const void* from, std::size_t size, std::size_t used, std::uintptr_t pc) {
    const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
    if (size != 4 && size != 8 && size != kMostBytes)
        refuse("bad_copy", pc,
               "queues an asynchronous copy of " + std::to_string(size) + " bytes; 4, 8 or 16 are possible.");
    if (!is_shared(target))
        refuse("bad_copy", pc,
               "queues an asynchronous copy whose destination is no shared memory. Such a copy goes from "
               "global to "
               "shared memory.");
    if ((target & (size - 1)) != 0) report_misaligned(target, size, Access::kWrite, pc);
    if ((source & (size - 1)) != 0) report_misaligned(source, size, Access::kRead, pc);
    if (used > 0) check_access(source, used, Access::kRead, pc, false);
    check_access(target, size, Access::kWrite, pc, false);
    QueuedCopy copy{target, size, pc, queues()[device.thread->id].committed, {}};
    std::memcpy(copy.bytes, from, used);
    begin_late_write(target, size);
    queues()[device.thread->id].copies.push_back(copy);
    ++device.queued_copies;
}

/// Makes the copies of the thread's groups before `group`.
void finish(const Thread& thread, unsigned group) {
    std::vector<QueuedCopy>& copies = queues()[thread.id].copies;
    std::size_t done = 0;
    for (; done < copies.size() && copies[done].group < group; ++done) {
        const QueuedCopy& copy = copies[done];
        std::memcpy(reinterpret_cast<void*>(copy.to), copy.bytes, copy.size);
        end_late_write(copy.to, copy.size, copy.pc);
    }
    copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(done));
    device.queued_copies -= done;
}

}  // namespace

std::uintptr_t queued_copy_to(std::uintptr_t address) {
    for (unsigned id = 0; id < device.thread_count && device.queued_copies > 0; ++id)
        for (const QueuedCopy& copy : queues()[id].copies)
            if (address - copy.to < copy.size) return copy.pc;
    return 0;
}

void forget_copies() {
    for (Queue& each : queues()) each = {};
    device.queued_copies = 0;
}

void queue_copy(void* to, const void* from, std::size_t size, std::size_t used) {
    if (device.thread != nullptr) queue(to, from, size, used, ATTN_EMULATOR_PC);
}

void queue_copies(void* to, const void* from, std::size_t size) {
    if (device.thread == nullptr) return;
    const std::uintptr_t pc = ATTN_EMULATOR_PC;
    const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
    const bool asynchronous = is_shared(target) && !is_shared(source);
    for (std::size_t at = 0; at < size;) {
        std::size_t piece = kMostBytes;
        while (piece > size - at || ((target + at) | (source + at)) % piece != 0) piece /= 2;
        if (asynchronous && piece >= 4) {
            queue(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece, piece, pc);
        } else {
            check_access(source + at, piece, Access::kRead, pc, false);
            check_access(target + at, piece, Access::kWrite, pc, false);
            std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece);
        }
        at += piece;
    }
}

void commit_copies() {
    if (device.thread != nullptr) ++queues()[device.thread->id].committed;
}

void wait_for_copies(unsigned groups) {
    if (device.thread == nullptr) return;
    const unsigned committed = queues()[device.thread->id].committed;
    if (groups < committed) finish(*device.thread, committed - groups);
}

void wait_for_all_copies() {
    if (device.thread != nullptr) finish(*device.thread, ~0u);
}

std::size_t shared_offset(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) - device.shared_start;
}

void* shared_pointer(std::size_t offset) {
    return reinterpret_cast<void*>(device.shared_start + offset);
}

}  // namespace attn::emulator
