#pragma once
/// Host memory that queued copies will read or write, so that a checked host can be told that it came too
/// early.

#include <cstddef>
#include <cstdint>

#include "queue.h"
#include "shadow.h"

namespace attn::emulator {

void remember_host_range(const HostRange& range);
void forget_host_range(const HostRange& range);
void forget_host_ranges();

/// An access of the host: a finding where a queued copy uses this memory.
void check_host_range(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc);

}  // namespace attn::emulator
