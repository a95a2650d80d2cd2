#pragma once
/// The findings about wrong accesses to memory. The [[noreturn]] functions end the launch, as the device
/// would.

#include <cstdint>
#include <string>

#include "driver_types.h"
#include "names.h"

namespace attn::emulator {

struct Allocation;
struct FinishedOperation;

/// Notes a finding about the kernel that runs and ends its launch.
[[noreturn]] void end_launch(const std::string& kind, const std::string& key, const std::string& text,
                             cudaError_t error);

/// An access of the running thread outside all memory, whatever the reason. Size 0: the size is not known.
[[noreturn]] void report_wild_access(std::uintptr_t address, std::size_t size, Access access,
                                     std::uintptr_t pc);
[[noreturn]] void report_shared_out_of_bounds(std::uintptr_t address, std::size_t size, Access access,
                                              std::uintptr_t pc);
[[noreturn]] void report_misaligned(std::uintptr_t address, std::size_t size, Access access,
                                    std::uintptr_t pc);

void report_uninitialised(std::uintptr_t address, std::size_t size, std::uintptr_t pc);
void report_race(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                 const Stamp& other, bool other_wrote);
/// The reads at `pc` (its low half) begin a loop of compare-and-swap: they may race with atomic functions.
void excuse_read(std::uint32_t pc);

/// Reports what was not known to be a mistake before the end of the launch.
void report_deferred();
/// Two operations in different streams use the same memory, and one of them writes. `name`: of the running
/// one, a copy or a fill.
void report_operation_race(const std::string& name, std::uintptr_t address, std::size_t size, bool writes,
                           const FinishedOperation& other, bool other_writes);

/// Memory is freed while an unfinished operation still uses it. See check_release().
void report_early_release(const std::string& name, const Allocation& allocation,
                          const FinishedOperation& other, bool by_host, bool other_writes);
/// A copy or a fill uses freed memory. `role`: "destination".
void report_freed(const std::string& name, const char* role, const Allocation& allocation);

/// The host uses managed memory before it has synchronised.
void report_not_waited_for(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                           const FinishedOperation& other, bool other_writes);
void report_host_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc);

/// An index outside the bounds of an array's type. The launch ends at the access that follows, because its
/// address tells which memory it is: settle_array_index().
void report_array_index(const std::string& text, std::uintptr_t pc);
void settle_array_index(std::uintptr_t address);

/// Identifies a place in the running kernel.
std::string kernel_key(std::uintptr_t pc);

/// True for shared memory of the running kernel.
bool is_shared(std::uintptr_t address);

}  // namespace attn::emulator
