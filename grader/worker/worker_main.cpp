// The worker: the only code of the grader that shares a process with a student's code. It loads the student's
// library, reports that it is ready, and then answers one Request at a time. It does not link the reference,
// the seed, the clock or the judge.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "assignments/call.h"
#include "grader/sandbox/system_calls.h"
#include "grader/worker/exports.h"
#include "grader/worker/heap/guarded_heap.h"
#include "grader/worker/protocol.h"
#include "grader/worker/watched/watched_code.h"

namespace attn::worker {
namespace {

Reply reply;  // global, because a fault handler must not allocate memory
std::uint64_t stack_top = 0, stack_bytes = 0;
bool is_watched = false, is_sampled = false;

void send_reply() {
    send(kSocket, &reply, sizeof reply, MSG_NOSIGNAL);
}

void reply_with(ReplyKind kind, const char* text = "") {
    std::cout.flush();  // printed output has to arrive before the reply
    std::fflush(stdout);
    reply.kind = kind;
    std::strncpy(reply.text, text, sizeof reply.text - 1);
    send_reply();
}

/// Sends the addresses on the stack, which the reply follows.
void send_trace(const char* trace) {
    static Reply message;  // a fault handler must not allocate memory
    message = Reply{};
    message.call = reply.call;
    message.kind = ReplyKind::trace;
    std::strncpy(message.text, trace, sizeof message.text - 1);
    send(kSocket, &message, sizeof message, MSG_NOSIGNAL);
}

/// Reports an access that a watched library is about to make, and ends the process.
[[noreturn]] void end_at(const WatchedAccess& found) {
    send_trace(trace_here());
    reply.signal = SIGSEGV;
    reply.address = found.address;
    reply.access = found.access;
    reply_with(found.text[0] == '\0' ? ReplyKind::fault : ReplyKind::heap_error, found.text);
    _exit(EXIT_FAILURE);
}

/// Passes a descriptor to the parent.
void send_to_parent(ReplyKind kind, int descriptor) {
    reply.kind = kind;
    iovec text{&reply, sizeof reply};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    sendmsg(kSocket, &message, MSG_NOSIGNAL);
}

Access access_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    constexpr greg_t kWriteBit = 2;
    const auto error = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
    return (error & kWriteBit) != 0 ? Access::write : Access::read;
#else
    return Access::unknown;
#endif
}

/// Reports the fault to the parent, then raises the signal again, which ends the process.
void on_fault(int signal, siginfo_t* info, void* context) {
    if (is_watched) send_trace(trace_here());
    reply.kind = ReplyKind::fault;
    reply.signal = signal;
    if (signal == SIGSYS) {
        reply.address = static_cast<std::uint64_t>(info->si_syscall);
    } else if (signal == SIGSEGV || signal == SIGBUS) {
        reply.address = reinterpret_cast<std::uint64_t>(info->si_addr);
        reply.access = access_of(context);
        describe_heap_fault(reply.address,
                            reply.access == Access::write  ? "wrote"
                            : reply.access == Access::read ? "read"
                                                           : "read or wrote",
                            reply.text, sizeof reply.text);
        constexpr std::uint64_t kMargin = 1 << 20;
        reply.on_stack =
            reply.address < stack_top && reply.address + stack_bytes + kMargin > stack_top ? 1 : 0;
    }
    send_reply();
    raise(signal);  // SA_RESETHAND has removed this handler
}

void answer_with_trace(int) {
    send_trace(trace_with_calls());
}

void install_fault_handlers() {
    rlimit stack{};
    getrlimit(RLIMIT_STACK, &stack);
    stack_top = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    stack_bytes = stack.rlim_cur == RLIM_INFINITY ? 0 : stack.rlim_cur;
    // After a stack overflow the handler needs another stack.
    static unsigned char handler_stack[1 << 16];
    stack_t alternative{};
    alternative.ss_sp = handler_stack;
    alternative.ss_size = sizeof handler_stack;
    sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS})
        sigaction(signal, &action, nullptr);
    if (!is_watched) return;
    action.sa_handler = answer_with_trace;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(kAsksForTrace, &action, nullptr);
}

void* to_pointer(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}

/// Maps the pages of one tensor at the address that the parent chose. If that fails, the worker reports it
/// and ends.
void map(const WireArgument& wire) {
    const std::size_t bytes = wire.pages * kPage;
    const auto before = wire.address - kPage;
    constexpr int kReadWrite = PROT_READ | PROT_WRITE;
    if (mmap(to_pointer(before), bytes + 2 * kPage, wire.guarded != 0 ? PROT_NONE : kReadWrite,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
             0) != to_pointer(before) ||
        mmap(to_pointer(wire.address), bytes, wire.writable != 0 ? kReadWrite : PROT_READ,
             MAP_SHARED | MAP_FIXED | (wire.populated != 0 ? MAP_POPULATE : 0),
             wire.output != 0 ? kOutputMemory : kInputMemory,
             static_cast<off_t>(wire.offset)) == MAP_FAILED) {
        reply_with(ReplyKind::load_failed,
                   "the arrays of this call cannot be mapped; is the memory limit too low for them?");
        _exit(EXIT_FAILURE);
    }
}

void unmap(const WireArgument& wire) {
    munmap(to_pointer(wire.address - kPage), (wire.pages + 2) * kPage);
}

/// Calls f(argument) for each that has an array.
template <class F>
void for_each_array(const Request& request, F f) {
    for (int k = 0; k < std::clamp(request.count, 0, kMaxArguments); ++k)
        if (request.arguments[k].argument.data != nullptr) f(request.arguments[k]);
}

struct Missing {};

/// The function of the contract with this name that the libraries define.
const Export& find(const char* function, const ExportTable* tables) {
    for (; *tables != nullptr; ++tables)
        for (const Export* each = (*tables)(); each->name != nullptr; ++each)
            if (each->function != nullptr && std::strcmp(each->name, function) == 0) return *each;
    throw Missing();
}

void invoke(const Request& request, const ExportTable* tables) {
    const Export& found = find(request.function, tables);
    const int count = std::clamp(request.count, 0, kMaxArguments);
    Argument arguments[kMaxArguments];
    for (int k = 0; k < count; ++k) arguments[k] = request.arguments[k].argument;
    in_a_call = true;
    found.invoke(found.function, arguments, count);
    in_a_call = false;
}

/// The name of the type of the exception that is being handled: "std::runtime_error", "int".
std::string type_of_exception() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (type == nullptr) return "unknown";
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr);
    std::string text = name == nullptr ? type->name() : name;
    std::free(name);
    return text;
}

/// Replies with the exception that is being handled.
void reply_to_exception() {
    try {
        throw;
    } catch (const IndexError& error) {
        reply.address = reinterpret_cast<std::uint64_t>(error.data());
        reply_with(ReplyKind::index_error, error.what());
    } catch (const HeapError& error) {
        reply_with(ReplyKind::heap_error, error.what());
    } catch (const std::bad_alloc&) {
        reply_with(ReplyKind::out_of_memory);
    } catch (const std::invalid_argument& error) {
        reply_with(ReplyKind::refused, error.what());
    } catch (const CallError& error) {
        reply_with(ReplyKind::load_failed, error.what());
    } catch (const std::exception& error) {
        reply_with(ReplyKind::threw, (type_of_exception() + ": " + error.what()).c_str());
    } catch (...) {
        reply_with(ReplyKind::threw, ("an exception of type " + type_of_exception()).c_str());
    }
}

/// Calls f() and replies with the result.
template <class F>
void answer(F f) {
    try {
        f();
        return reply_with(ReplyKind::done);
    } catch (const Missing&) {
        return reply_with(ReplyKind::missing);
    } catch (...) {
        if (is_watched) send_trace(trace_of_last_throw());
        reply_to_exception();
    }
}

/// `guarded`: whether the heap is guarded while the function runs. Calls that are timed are never guarded.
void handle(const Request& request, const ExportTable* tables, bool guarded) {
    static Request remembered[kMostCalls];
    static int count = 0;
    switch (request.step) {
        case Step::whole:
            for_each_array(request, map);
            answer([&] {
                if (!guarded) return invoke(request, tables);
                if (is_watched) watch_arrays(&request);
                const HeapGuard guard(request.starts_at_guard != 0 ? GuardedSide::start : GuardedSide::end);
                invoke(request, tables);
                if (is_watched) watch_arrays(nullptr);
                guard.require_undamaged();
            });
            for_each_array(request, unmap);
            return;
        case Step::prepare:
            if (count == kMostCalls) return reply_with(ReplyKind::load_failed, "too many calls at a time");
            for_each_array(request, map);
            remembered[count++] = request;
            return reply_with(ReplyKind::done);
        case Step::run:
            return answer([&] {
                for (int k = 0; k < count; ++k) invoke(remembered[k], tables);
            });
        case Step::rehearse:
            return reply_with(ReplyKind::done);
        case Step::release:
            for (; count > 0; --count) for_each_array(remembered[count - 1], unmap);
            return reply_with(ReplyKind::done);
    }
}

/// Opens the library of a descriptor. If that fails, the worker reports it and ends.
void* open_library(int descriptor) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    // RTLD_GLOBAL, because the tables of exports find the student's functions among the global symbols.
    void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
    if (handle == nullptr) {
        reply_with(ReplyKind::load_failed, dlerror());
        _exit(EXIT_FAILURE);
    }
    return handle;
}

/// Sends a finding of the emulator to the parent at once.
void send_finding(const char* kind, const char* text) {
    static Reply finding;  // the stack of a kernel's thread is small
    finding = Reply{};
    finding.call = reply.call;
    finding.kind = ReplyKind::finding;
    const std::string all = std::string(kind) + ": " + text;
    std::strncpy(finding.text, all.c_str(), sizeof finding.text - 1);
    send(kSocket, &finding, sizeof finding, MSG_NOSIGNAL);
}

/// Opens the emulator, which is a library of the grader.
void open_emulator(int descriptor) {
    void* const symbol = dlsym(open_library(descriptor), "attention_lab_send_findings_to");
    if (symbol == nullptr) {
        reply_with(ReplyKind::load_failed, dlerror());
        _exit(EXIT_FAILURE);
    }
    reinterpret_cast<void (*)(void (*)(const char*, const char*))>(symbol)(send_finding);
}

/// The number of libraries that the parent passed as descriptors.
int count_libraries() {
    int count = 0;
    while (fcntl(kFirstLibrary + count, F_GETFD) != -1) ++count;
    return count;
}

/// Prints the files of this process: its loader and its libraries.
int list_loaded_files() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void*) {
            if (info->dlpi_name[0] == '/') std::puts(info->dlpi_name);
            for (int k = 0; k < info->dlpi_phnum; ++k)
                if (info->dlpi_phdr[k].p_type == PT_INTERP)
                    std::puts(reinterpret_cast<const char*>(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr));
            return 0;
        },
        nullptr);
    return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

enum class Filtering { none, all, all_but_threads };

Filtering filtering_of(int argc, char** argv) {
    const auto is = [&](const char* name) { return argc >= 2 && std::strcmp(argv[1], name) == 0; };
    return is(kFiltered)             ? Filtering::all
           : is(kFilteredButThreads) ? Filtering::all_but_threads
                                     : Filtering::none;
}

/// Whether another kind of worker is asked for: kEmulated, kWatched or kSampled.
bool has_second_argument(int argc, char** argv, const char* kind) {
    return argc == 3 && std::strcmp(argv[2], kind) == 0;
}

int serve(Filtering filtering, bool emulated) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // so that a crash does not lose lines printed before it
    install_fault_handlers();
    if (is_watched) begin_watching(stack_top, stack_bytes, end_at);
    if (is_sampled) begin_sampling(send_trace);
    const int count = count_libraries();
    if (count < 2) return reply_with(ReplyKind::load_failed, "there is nothing to load"), EXIT_FAILURE;
    const bool threads = filtering == Filtering::all_but_threads;
    int next = 1;
    if (emulated) open_emulator(kFirstLibrary + next++);
    if (filtering != Filtering::none) {
        const int listener = enter_worker_filters(threads);
        send_to_parent(ReplyKind::filtered, listener);
        close(listener);
    }
    // If several libraries define a function, the first one is used. The tables of exports come last, because
    // they refer to the functions of the others.
    for (; next < count; ++next) open_library(kFirstLibrary + next);
    void* symbol = dlsym(open_library(kFirstLibrary), kExportSymbol);
    if (symbol == nullptr) return reply_with(ReplyKind::load_failed, dlerror()), EXIT_FAILURE;
    const ExportTable* tables = reinterpret_cast<ExportTables>(symbol)();
    for (int k = 0; k < count; ++k) close(kFirstLibrary + k);
    // The handlers that were registered last run first, so this comes after the libraries.
    if (is_watched) trace_end_of_process(send_trace);
    if (is_sampled) let_samples_come();
    reply_with(ReplyKind::ready);

    Request request;
    while (recv(kSocket, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request)) {
        reply = Reply{};
        reply.call = request.call;
        handle(request, tables, !emulated);
    }
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace attn::worker

int main(int argc, char** argv) {
    // _exit() runs no destructor and no atexit handler of a student's library.
    using namespace attn::worker;
    if (argc == 2 && std::strcmp(argv[1], kListsLoadedFiles) == 0) return list_loaded_files();
    is_watched = has_second_argument(argc, argv, kWatched);
    is_sampled = has_second_argument(argc, argv, kSampled);
    _exit(serve(filtering_of(argc, argv), has_second_argument(argc, argv, kEmulated)));
}
