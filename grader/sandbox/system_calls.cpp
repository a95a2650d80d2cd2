#include "grader/sandbox/system_calls.h"

#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/file_descriptor.h"

namespace attn::worker {
namespace {

/// Builds a filter. System calls without a rule get the action `otherwise`.
class Filter {
  public:
    explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise), &seccomp_release) {
        if (!context_) throw std::runtime_error("no filter of system calls can be made");
        check(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_NNP,
                               0));  // Sandbox::enter() has set no_new_privs already
    }

    void allow(std::initializer_list<int> calls) {
        for (const int call : calls) check(seccomp_rule_add(context_.get(), SCMP_ACT_ALLOW, call, 0));
    }
    template <class... Conditions>
    void allow_if(int call, Conditions... conditions) {
        check(seccomp_rule_add(context_.get(), SCMP_ACT_ALLOW, call, sizeof...(conditions), conditions...));
    }
    void refuse(int error, std::initializer_list<int> calls) {
        for (const int call : calls) refuse_if(error, call);
    }
    template <class... Conditions>
    void refuse_if(int error, int call, Conditions... conditions) {
        const auto number = static_cast<std::uint16_t>(error);
        check(seccomp_rule_add(context_.get(), SCMP_ACT_ERRNO(number), call, sizeof...(conditions),
                               conditions...));
    }
    void enter() { check(seccomp_load(context_.get())); }
    std::vector<sock_filter> program() const {
        const FileDescriptor file(memfd_create("filter", MFD_CLOEXEC));
        check(seccomp_export_bpf(context_.get(), file.get()));
        const off_t bytes = lseek(file.get(), 0, SEEK_END);
        std::vector<sock_filter> instructions(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
        if (pread(file.get(), instructions.data(), static_cast<std::size_t>(bytes), 0) != bytes)
            throw std::runtime_error("a filter of system calls cannot be read back");
        return instructions;
    }

  private:
    static void check(int result) {
        if (result != 0)
            throw std::system_error(-result, std::generic_category(), "a filter of system calls");
    }
    std::unique_ptr<void, void (*)(void*)> context_;
};

/// The condition: the argument number `argument` of a call, masked by `mask`, equals `value`.
scmp_arg_cmp is(unsigned argument, std::uint64_t value, std::uint64_t mask = ~std::uint64_t{0}) {
    return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, mask, value};
}

/// Allows the system calls of computing and printing: memory, exceptions, signals, time.
void allow_computing(Filter& filter) {
    filter.allow({SCMP_SYS(munmap),
                  SCMP_SYS(mremap),
                  SCMP_SYS(brk),
                  SCMP_SYS(madvise),
                  SCMP_SYS(futex),
                  SCMP_SYS(exit),
                  SCMP_SYS(exit_group),
                  SCMP_SYS(rt_sigreturn),
                  SCMP_SYS(rt_sigprocmask),
                  SCMP_SYS(sigaltstack),
                  SCMP_SYS(clock_gettime),
                  SCMP_SYS(clock_getres),
                  SCMP_SYS(gettimeofday),
                  SCMP_SYS(time),
                  SCMP_SYS(clock_nanosleep),
                  SCMP_SYS(nanosleep),
                  SCMP_SYS(getrandom),
                  SCMP_SYS(sched_yield),
                  SCMP_SYS(sched_getaffinity),
                  SCMP_SYS(getpid),
                  SCMP_SYS(gettid),
                  SCMP_SYS(getuid),
                  SCMP_SYS(geteuid),
                  SCMP_SYS(getgid),
                  SCMP_SYS(getegid),
                  SCMP_SYS(getcpu),
                  SCMP_SYS(restart_syscall),
                  SCMP_SYS(sysinfo),
                  SCMP_SYS(membarrier),
                  SCMP_SYS(read),
                  SCMP_SYS(write),
                  SCMP_SYS(writev),
                  SCMP_SYS(close),
                  SCMP_SYS(lseek)});
    filter.allow_if(SCMP_SYS(sendto), is(0, kSocket));
    filter.allow_if(SCMP_SYS(sendmsg), is(0, kSocket));
    filter.allow_if(SCMP_SYS(recvfrom), is(0, kSocket));
    // A thread library installs handlers for its two own signals before its first thread. Only the thread is
    // refused.
    for (const std::uint64_t signal : {32U, 33U}) filter.allow_if(SCMP_SYS(rt_sigaction), is(0, signal));
    // abort() and raise(): signals to itself.
    filter.allow_if(SCMP_SYS(tgkill), is(0, static_cast<std::uint32_t>(getpid()), 0xffffffff));
    // Libraries make these calls, and work without them.
    filter.refuse(EPERM, {SCMP_SYS(getrusage), SCMP_SYS(prlimit64), SCMP_SYS(getrlimit), SCMP_SYS(mbind),
                          SCMP_SYS(set_mempolicy), SCMP_SYS(get_mempolicy), SCMP_SYS(sched_setaffinity),
                          SCMP_SYS(sched_setscheduler), SCMP_SYS(setpriority)});
    filter.refuse(ENOTTY, {SCMP_SYS(ioctl)});
#if defined(__x86_64__)
    // The permission to use the matrix unit (AMX).
    constexpr std::uint64_t kGetSupported = 0x1021, kRequestPermission = 0x1023;
    for (std::uint64_t code = kGetSupported; code <= kRequestPermission; ++code)
        filter.allow_if(SCMP_SYS(arch_prctl), is(0, code));
#endif
}

/// Allows clone() for threads of the same process, and the other system calls of a thread library.
void allow_threads(Filter& filter) {
    constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    filter.allow_if(SCMP_SYS(clone), is(0, kThread, kThread));
    filter.refuse(ENOSYS, {SCMP_SYS(clone3)});  // its flags are in memory, which a filter cannot read
    filter.allow({SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address)});
    filter.allow_if(SCMP_SYS(prctl), is(0, PR_SET_NAME));
}

/// Allows what a loader and the calls of a submission need, but no processes and no network. Other system
/// calls end the process with SIGSYS.
Filter make_loading_filter(bool threads) {
    Filter filter(SCMP_ACT_TRAP);
    allow_computing(filter);
    if (threads) allow_threads(filter);
    filter.allow({SCMP_SYS(pread64), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
                  SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
                  SCMP_SYS(getcwd), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(uname), SCMP_SYS(mmap),
                  SCMP_SYS(mprotect), SCMP_SYS(seccomp)});
    // Opening a file for writing fails with an error; it does not end the process.
    constexpr std::uint64_t kChanges = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
    for (const auto& [call, flags] : {std::pair{SCMP_SYS(open), 1U}, std::pair{SCMP_SYS(openat), 2U}}) {
        filter.allow_if(call, is(flags, O_RDONLY, kChanges));
        for (const auto mode : {std::uint64_t{O_WRONLY}, std::uint64_t{O_RDWR}})
            filter.refuse_if(EACCES, call, is(flags, mode, O_ACCMODE));
        for (const auto change : {std::uint64_t{O_CREAT}, std::uint64_t{O_TRUNC}, std::uint64_t{O_APPEND}})
            filter.refuse_if(EACCES, call, is(flags, change, change));
    }
    return filter;
}

/// Allows memory, time and replies. For other system calls the process waits for the grader's decision: see
/// call_decisions.h.
std::vector<sock_filter> make_calls_filter(bool threads) {
    Filter filter(SCMP_ACT_NOTIFY);
    allow_computing(filter);
    if (threads) allow_threads(filter);
    // Memory that is not executable: new memory, or the arrays of a call.
    filter.allow_if(SCMP_SYS(mmap), is(2, 0, PROT_EXEC), is(3, MAP_ANONYMOUS, MAP_ANONYMOUS));
    for (const int memory : {kInputMemory, kOutputMemory})
        filter.allow_if(SCMP_SYS(mmap), is(2, 0, PROT_EXEC),
                        is(4, static_cast<std::uint32_t>(memory), 0xffffffff));
    filter.allow_if(SCMP_SYS(mprotect), is(2, 0, PROT_EXEC));
    return filter.program();
}

/// Enters a filter and returns the descriptor on which calls with the action `notify` arrive; -1 if that
/// failed.
int enter_with_listener(const std::vector<sock_filter>& filter) noexcept {
    const sock_fprog program{static_cast<unsigned short>(filter.size()),
                             const_cast<sock_filter*>(filter.data())};
    return static_cast<int>(
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

}  // namespace

bool can_filter_system_calls() noexcept {
    const std::uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool can_decide_about_system_calls() {
    static const bool can = [] {
        const pid_t child = fork();
        if (child == 0) {
            const sock_filter allow_all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
            _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && enter_with_listener({allow_all}) >= 0 ? 0
                                                                                                       : 1);
        }
        int status = 1;
        return child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }();
    return can;
}

int enter_worker_filters(bool threads) {
    // Both are made before the first is entered, because making a filter takes system calls.
    const std::vector<sock_filter> calls = make_calls_filter(threads);
    make_loading_filter(threads).enter();
    const int listener = enter_with_listener(calls);
    if (listener < 0) throw std::system_error(errno, std::generic_category(), "a filter of system calls");
    return listener;
}

std::vector<sock_filter> make_compiler_filter() {
    Filter filter(SCMP_ACT_ALLOW);
    filter.refuse(EPERM, {SCMP_SYS(socket),
                          SCMP_SYS(connect),
                          SCMP_SYS(bind),
                          SCMP_SYS(listen),
                          SCMP_SYS(accept),
                          SCMP_SYS(accept4),
                          SCMP_SYS(sendto),
                          SCMP_SYS(sendmsg),
                          SCMP_SYS(ptrace),
                          SCMP_SYS(process_vm_readv),
                          SCMP_SYS(process_vm_writev),
                          SCMP_SYS(pidfd_getfd),
                          SCMP_SYS(keyctl),
                          SCMP_SYS(add_key),
                          SCMP_SYS(request_key),
                          SCMP_SYS(mount),
                          SCMP_SYS(umount2),
                          SCMP_SYS(pivot_root),
                          SCMP_SYS(chroot),
                          SCMP_SYS(unshare),
                          SCMP_SYS(setns),
                          SCMP_SYS(bpf),
                          SCMP_SYS(perf_event_open),
                          SCMP_SYS(userfaultfd),
                          SCMP_SYS(io_uring_setup),
                          SCMP_SYS(open_by_handle_at),
                          SCMP_SYS(shmget),
                          SCMP_SYS(msgget),
                          SCMP_SYS(semget),
                          SCMP_SYS(mq_open),
                          SCMP_SYS(setsid),
                          SCMP_SYS(setpgid)});
    return filter.program();
}

bool enter_filter(const std::vector<sock_filter>& filter) noexcept {
    const sock_fprog program{static_cast<unsigned short>(filter.size()),
                             const_cast<sock_filter*>(filter.data())};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

std::string name_of_system_call(int number) {
    const std::unique_ptr<char, void (*)(void*)> name(
        seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
    return name ? name.get() : "number " + std::to_string(number);
}

}  // namespace attn::worker
