#include "grader/sandbox/sandbox.h"

#include <csignal>

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/sandbox/identity.h"

namespace attn::worker {
namespace {

/// More than the processes of one compilation: driver, compiler, assembler, linker.
constexpr int kCompilerProcesses = 32;

bool die_with_parent() noexcept {
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
}

}  // namespace

Sandbox::Sandbox(const Confinement& confinement) : limits_(confinement.limits), layers_(confinement.layers) {
    if (!can_become_nobody()) layers_ = layers_.without(Layer::identity);
    static const CgroupParent parent = find_cgroup_parent();
    if (layers_.has(Layer::cgroup) && !parent.folder.empty())
        cgroup_ = std::make_unique<Cgroup>(parent.folder, limits_.memory_mib,
                                           confinement.compiler ? kCompilerProcesses : 1);
    if (layers_.has(Layer::files) && landlock_version() > 0)
        file_rules_ = make_landlock_rules(confinement.files);
    if (layers_.has(Layer::files) && can_have_file_view()) file_view_.emplace(confinement.files);
    if (layers_.has(Layer::system_calls) && confinement.compiler && can_filter_system_calls()) {
        static const std::vector<sock_filter> for_compilers = make_compiler_filter();
        filter_ = for_compilers;
    }
}

bool Sandbox::enter(int last_descriptor) const noexcept {
    bool ok = die_with_parent();
    if (layers_.has(Layer::group)) ok &= setsid() != -1;
    if (cgroup_) ok &= cgroup_->enter();
    if (file_view_) ok &= file_view_->enter();
    if (layers_.has(Layer::identity))
        ok &= become_nobody() && die_with_parent();  // a change of user resets it
    if (layers_.has(Layer::limits)) ok &= apply(limits_);
    ok &= prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (file_rules_) ok &= enter_landlock(*file_rules_);
    if (!filter_.empty()) ok &= enter_filter(filter_);
    if (layers_.has(Layer::descriptors))
        ok &= syscall(SYS_close_range, last_descriptor + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
    return ok;
}

}  // namespace attn::worker
