#pragma once
/// The sentences about wrong accesses. Those that say [[noreturn]] end the launch, as the device would.

#include <cstdint>
#include <string>

#include "driver_types.h"
#include "shadow.h"

namespace attn::emulator {

/// Notes a finding about the kernel that runs and ends its launch.
[[noreturn]] void end_launch(const std::string& kind, const std::string& key, const std::string& text,
                             cudaError_t error);

/// An access of the running thread that has no memory behind it, whatever the reason.
[[noreturn]] void report_wild_access(std::uintptr_t address, std::size_t size, Access access,
                                     std::uintptr_t pc);
[[noreturn]] void report_shared_out_of_bounds(std::uintptr_t address, std::size_t size, Access access,
                                              std::uintptr_t pc);
[[noreturn]] void report_misaligned(std::uintptr_t address, std::size_t size, Access access,
                                    std::uintptr_t pc);

void report_uninitialised(std::uintptr_t address, std::size_t size, std::uintptr_t pc);
void report_race(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc,
                 const Stamp& other, bool other_wrote);
void report_host_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc);

/// An index outside of an array's type: the access that follows says what memory it is, and ends the launch.
void report_array_index(const std::string& text, std::uintptr_t pc);
void settle_array_index(std::uintptr_t address);

/// "element 3 of tile", "byte 8 of the 4000 bytes at argument 1 (cudaMalloc in a.cu:7)".
std::string memory_name(std::uintptr_t address, std::size_t size);

/// " (argument 2)": which argument of the kernel points into [start, start + size), if one does.
std::string argument_name(std::uintptr_t start, std::size_t size);

}  // namespace attn::emulator
