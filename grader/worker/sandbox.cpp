#include "grader/worker/sandbox.h"

#include <csignal>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace attn::worker {
namespace {

/// A limit of ours, or the lower one that the grader lives under itself and could not raise.
bool limit(int resource, rlim_t value) noexcept {
    const auto which = static_cast<__rlimit_resource_t>(resource);
    rlimit both{};
    if (getrlimit(which, &both) != 0) return false;
    both.rlim_max = value < both.rlim_max ? value : both.rlim_max;
    both.rlim_cur = both.rlim_max;
    return setrlimit(which, &both) == 0;
}

constexpr rlim_t mib(int amount) {
    return static_cast<rlim_t>(amount) << 20;
}

}  // namespace

bool enter_sandbox(const Limits& limits, int last_descriptor) noexcept {
    bool ok = setsid() != -1;
    ok &= prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    ok &= prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    ok &= syscall(SYS_close_range, last_descriptor + 1, ~0U, 0) == 0;
    ok &= limit(RLIMIT_CORE, 0);
    if (limits.memory_mib != 0) ok &= limit(RLIMIT_AS, mib(limits.memory_mib));
    if (limits.stack_mib != 0) ok &= limit(RLIMIT_STACK, mib(limits.stack_mib));
    if (limits.cpu_s != 0) ok &= limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_s));
    if (limits.file_mib != 0) ok &= limit(RLIMIT_FSIZE, mib(limits.file_mib));
    return ok;
}

std::string describe_isolation() {
    return "own process, read-only inputs, guard pages, limits; no system-call or file-system sandbox yet";
}

}  // namespace attn::worker
