#pragma once
/// Host memory that queued copies will read or write. A checked host that accesses it too early gets a
/// finding.

#include <cstddef>
#include <cstdint>

#include "queue.h"
#include "shadow.h"

namespace attn::emulator {

void remember_host_range(const HostRange& range);
void forget_host_range(const HostRange& range);
void forget_host_ranges();

/// Checks an access of the host: notes a finding if a queued copy uses this memory.
void check_host_range(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc);

}  // namespace attn::emulator
