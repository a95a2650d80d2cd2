#pragma once
/// Memory of the host that the device uses: page-locked memory, and memory that queued copies still need.

#include <cstddef>
#include <cstdint>

#include "shadow.h"
#include "streams.h"

namespace attn::emulator {

/// A list of host memory from cudaMallocHost. Only copies to and from such memory are really asynchronous.
bool is_pinned(const void* pointer);
void remember_pinned(void* memory, std::size_t size);
bool forget_pinned(void* memory);
void forget_all_pinned();

/// Host memory that queued copies will read or write. A checked host that accesses it too early gets a finding.
void remember_host_range(const HostRange& range);
void forget_host_range(const HostRange& range);
void forget_host_ranges();

/// Checks an access of the host: notes a finding if a queued copy uses this memory.
void check_host_range(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc);

}  // namespace attn::emulator
