#include "grader/sandbox/limits.h"

#include <sys/resource.h>

namespace attn::worker {
namespace {

bool limit(int resource, rlim_t value) noexcept {
    const auto which = static_cast<__rlimit_resource_t>(resource);
    rlimit both{};
    if (getrlimit(which, &both) != 0) return false;
    both.rlim_max = value < both.rlim_max ? value : both.rlim_max;
    both.rlim_cur = both.rlim_max;
    return setrlimit(which, &both) == 0;
}

bool limit_if_any(int resource, int amount, int shift = 0) noexcept {
    return amount == 0 || limit(resource, static_cast<rlim_t>(amount) << shift);
}

constexpr int kMib = 20;

}  // namespace

bool apply(const Limits& limits) noexcept {
    bool ok = limit(RLIMIT_CORE, 0) && limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_MEMLOCK, 0);
    ok &= limit_if_any(RLIMIT_AS, limits.memory_mib, kMib);
    ok &= limit_if_any(RLIMIT_STACK, limits.stack_mib, kMib);
    ok &= limit_if_any(RLIMIT_FSIZE, limits.file_mib, kMib);
    ok &= limit_if_any(RLIMIT_CPU, limits.cpu_s);
    ok &= limit_if_any(RLIMIT_NOFILE, limits.open_files);
    ok &= limit_if_any(RLIMIT_NPROC, limits.processes);
    return ok;
}

}  // namespace attn::worker
