#include "grader/worker/launch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "grader/sandbox/identity.h"
#include "grader/worker/call_deadline.h"
#include "grader/worker/call_outcome.h"
#include "grader/worker/channel.h"
#include "grader/worker/interrupt.h"
#include "grader/worker/loaded_files.h"
#include "grader/worker/prepared_call.h"
#include "grader/worker/session.h"

namespace attn::worker {
namespace {

constexpr std::size_t kKeepPrinted = 4096, kKeepTraces = 1 << 20;

}  // namespace

Worker::Worker(WorkerFiles files, WorkerLimits limits, Layers layers)
    : files_(std::move(files)), limits_(limits), layers_(layers) {}

Worker::~Worker() = default;

std::vector<std::filesystem::path> Worker::libraries() const {
    std::vector<std::filesystem::path> all = {files_.exports};
    all.insert(all.end(), files_.loaded_first.begin(), files_.loaded_first.end());
    all.push_back(files_.library);
    return all;
}

void Worker::reserve(std::size_t input_bytes, std::size_t output_bytes) {
    constexpr std::size_t kLeast = std::size_t{1} << 20;
    const bool clean = layers_.has(Layer::poison);
    const auto holds = [](const auto& memory, std::size_t bytes) {
        return memory && memory->bytes() >= bytes;
    };
    const bool large_enough = holds(inputs_, input_bytes) && holds(outputs_, output_bytes);
    // A new process gets new memory, in which nothing of an earlier process is left.
    if (large_enough && (session_ || !clean)) return;
    session_.reset();  // its process has mapped the old memories
    const auto replace = [](std::unique_ptr<SharedMemory>& memory, const char* name, std::size_t bytes,
                            SharedMemory::Kind kind) {
        bytes = std::max({bytes, kLeast, memory ? memory->bytes() : 0});
        memory.reset();
        memory = std::make_unique<SharedMemory>(name, bytes, kind);
    };
    replace(inputs_, "inputs", input_bytes,
            layers_.has(Layer::seals) ? SharedMemory::Kind::read_only : SharedMemory::Kind::writable);
    replace(outputs_, "outputs", output_bytes, SharedMemory::Kind::writable);
}

CallResult Worker::start() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    FileDescriptor parents_end(ends[0]);
    FileDescriptor workers_end(ends[1]);
    // The worker gets its libraries as descriptors: as the user `nobody` it may not be able to open their
    // folders.
    const std::vector<std::filesystem::path> libraries = this->libraries();
    std::vector<FileDescriptor> open_libraries;
    Command command;
    const bool threads = limits_.threads > 1;
    command.argv = {files_.program.string(),
                    !layers_.has(Layer::system_calls) || !can_decide_about_system_calls() ? kUnfiltered
                    : threads ? kFilteredButThreads
                              : kFiltered};
    if (limits_.emulated) command.argv.emplace_back(kEmulated);
    if (limits_.watched) command.argv.emplace_back(kWatched);
    if (limits_.sampled) command.argv.emplace_back(kSampled);
    command.environment = {fmt::format("OMP_NUM_THREADS={}", limits_.threads)};
    command.descriptors = {workers_end.get(), inputs_->descriptor(), outputs_->descriptor()};
    for (const std::filesystem::path& file : libraries) {
        open_libraries.emplace_back(open(file.c_str(), O_RDONLY | O_CLOEXEC));
        command.descriptors.push_back(open_libraries.back().get());
    }
    // A missing file of the grader must not count as the student's mistake.
    for (std::size_t k = 0; k + 1 < libraries.size(); ++k)
        if (open_libraries[k].get() < 0)
            throw std::runtime_error(libraries[k].string() + " is missing; build the grader again");
    std::vector<std::filesystem::path> own(libraries.begin(), libraries.end() - 1);
    own.push_back(files_.program);
    for (const std::filesystem::path& file : own)
        if (layers_.has(Layer::identity) && is_unreadable_for_nobody(file.c_str()))
            throw std::runtime_error(file.string() +
                                     " is closed to others, but workers run as nobody: chmod -R o+rX " +
                                     file.parent_path().string() + ", or build under umask 022");
    if (open_libraries.back().get() < 0 && std::filesystem::exists(files_.program))
        return failure(Outcome::crashed, "There is no library " + files_.library.string() + " to load.");
    command.directory =
        files_.library.parent_path();  // files that it writes there are removed with the build
    command.confinement = {limits_.process, {loaded_files(files_.program), {}}, false, layers_};
    // RLIMIT_NPROC counts all processes of the user, so threads are counted later, while the worker is
    // stopped.
    if (threads) command.confinement.limits.processes = 0;
    command.confinement.files.readable.push_back(files_.program);
    for (const auto& file : libraries) command.confinement.files.readable.push_back(file);
    // Only the first thread can be traced. With kernels, the emulator handles signals first: faults and
    // timers. A sampled worker would be stopped at each signal of its timer.
    command.traced = !threads && !limits_.emulated && !limits_.sampled;
    session_ = std::make_unique<Session>(command, std::move(parents_end));
    workers_end.reset();  // now only the worker holds its end, so the socket closes when the worker ends
    return receive(0, {});
}

CallResult Worker::call(const Call& call) {
    Layout layout(call.placement, calls_);
    const PreparedCall prepared(call, ++calls_, layout, layers_);
    reserve(layout.input_bytes, layout.output_bytes);
    if (layers_.has(Layer::poison)) inputs_->keep_only(layout.input_bytes);
    prepared.write({*inputs_, *outputs_});
    if (!session_)
        if (CallResult started = start(); started.outcome != Outcome::passed)
            return session_.reset(), started;
    session_->process.forget_printed();
    session_->trace.clear();
    post(prepared.request());
    CallResult result = receive(calls_, prepared.regions());
    std::string printed = session_->process.printed();
    if (result.outcome == Outcome::passed) result = prepared.read({*inputs_, *outputs_});
    result.printed = std::move(printed);
    if (result.outcome != Outcome::passed) result.trace = session_->trace;
    // A function that refuses invalid inputs has returned normally, so its worker stays. (Starting a worker
    // takes as long as a dozen calls.)
    if (result.outcome != Outcome::passed && !result.refused) session_.reset();
    return result;
}

std::string Worker::take_samples() {
    return session_ ? std::exchange(session_->trace, {}) : std::string();
}

void Worker::post(const Request& request) {
    // receive() notices if the worker has ended.
    send(session_->socket.get(), &request, sizeof request, MSG_NOSIGNAL);
}

void Worker::ask_for_trace(std::uint32_t call, int times) {
    constexpr double kTimeToAnswer_s = 0.5, kBetween_s = 0.02;
    Process& process = session_->process;
    for (int k = 0; k < times; ++k) {
        process.send_signal(kAsksForTrace);
        // The time in which the process waits for a processor is left out: two looks are of two moments of
        // its work, on a busy machine, too.
        std::optional<CallDeadline> deadline(std::in_place, process, kTimeToAnswer_s);
        for (bool answered = false; !deadline->has_passed();) {
            throw_if_interrupted();
            process.take_fault();  // a traced process waits for this at each signal
            pollfd waiting{session_->socket.get(), POLLIN, 0};
            if (poll(&waiting, 1, milliseconds_until(deadline->next(), process.traced())) <= 0) continue;
            Reply reply;
            FileDescriptor passed;
            const Received received = receive_message(session_->socket.get(), call, reply, passed);
            if (received == Received::nothing) continue;
            if (answered || received != Received::reply || reply.kind != ReplyKind::trace) return;
            session_->trace += reply.text;
            session_->trace += '\n';
            answered = true;
            if (k + 1 == times) break;
            deadline.emplace(process, kBetween_s);
        }
    }
}

CallResult Worker::receive(std::uint32_t call, std::span<const Region> regions) {
    Process& process = session_->process;
    const bool traced = process.traced();
    CallDeadline deadline(process, limits_.time_s);
    const auto output_limit = static_cast<std::size_t>(limits_.output_kib) << 10;
    bool output_open = true;
    std::optional<Fault> fault;
    std::vector<std::string> findings;
    const auto ended_by_us = [&](CallResult result) {
        constexpr int kOften = 12;
        if (limits_.watched && session_->trace.empty())
            ask_for_trace(call, result.outcome == Outcome::timed_out ? kOften : 1);
        return result;
    };
    for (;;) {
        std::optional<CallDecisions>& decisions = session_->decisions;
        std::array<pollfd, 3> waiting{pollfd{session_->socket.get(), POLLIN, 0},
                                      pollfd{output_open ? process.output() : -1, POLLIN, 0},
                                      pollfd{decisions ? decisions->descriptor() : -1, POLLIN, 0}};
        const int ready =
            poll(waiting.data(), waiting.size(), milliseconds_until(deadline.next(), process.traced()));
        throw_if_interrupted();
        if (!fault) fault = process.take_fault();
        if ((ready < 0 && errno == EINTR) || (ready == 0 && !deadline.has_passed())) continue;
        if (ready < 0) throw std::system_error(errno, std::generic_category(), "poll");
        if (ready == 0) {
            std::array<char, 32> seconds{};
            std::snprintf(seconds.data(), seconds.size(), "%g", limits_.time_s);
            return ended_by_us(failure(Outcome::timed_out,
                                       std::string("It did not come back within ") + seconds.data() + " s."));
        }
        if (waiting[1].revents != 0) output_open = process.drain(kKeepPrinted);
        if (process.printed_bytes() > output_limit) {
            return ended_by_us(
                failure(Outcome::too_much_output,
                        "It printed more than " + std::to_string(limits_.output_kib) + " KiB in one call."));
        }
        if (waiting[2].revents != 0)
            if (const std::optional<int> forbidden = decisions->decide())
                return ended_by_us(
                    outcome_of(Fault{SIGSYS, 0, *forbidden, false}, Reply{}, regions, limits_.process));
        if (waiting[0].revents == 0) continue;
        Reply reply;
        FileDescriptor passed;
        const Received received = receive_message(session_->socket.get(), call, reply, passed);
        if (received == Received::nothing) continue;
        if (received == Received::invalid)
            return failure(Outcome::forbidden, "It wrote into the grader's own channel.");
        if (received == Received::closed) {
            constexpr double kTimeToEnd_s = 0.5;  // it may be ending, or it only closed the socket
            const Ending ending = process.wait(in_seconds(kTimeToEnd_s));
            if (!fault) fault = process.take_fault();
            if (fault) return outcome_of(*fault, Reply{}, regions, limits_.process);
            if (ending.overdue)
                return failure(Outcome::forbidden, "It closed the grader's channel and kept running.");
            while (process.drain(kKeepPrinted) && process.printed_bytes() < kKeepPrinted &&
                   !deadline.has_passed() && poll(&waiting[1], 1, 0) > 0) {
            }
            return outcome_of(ending, process.printed());
        }
        if (reply.kind == ReplyKind::filtered) {
            if (decisions || passed.get() < 0)
                return failure(Outcome::forbidden, "It wrote into the grader's own channel.");
            decisions.emplace(std::move(passed).moved_to_high_number());
            continue;
        }
        if (reply.kind == ReplyKind::finding) {
            constexpr std::size_t kMostFindings = 20;
            if (!limits_.emulated)
                return failure(Outcome::forbidden, "It wrote into the grader's own channel.");
            if (findings.size() < kMostFindings) findings.emplace_back(reply.text);
            continue;
        }
        if (reply.kind == ReplyKind::trace) {
            if (!limits_.watched && !limits_.sampled)
                return failure(Outcome::forbidden, "It wrote into the grader's own channel.");
            if (limits_.watched) session_->trace.clear();
            if (session_->trace.size() < kKeepTraces) session_->trace += reply.text;
            if (limits_.sampled) session_->trace += '\n';
            continue;
        }
        if (decisions) decisions->end_loading();
        // Everything printed before the reply is in the pipe already.
        while (output_open && poll(&waiting[1], 1, 0) > 0 && process.printed_bytes() <= output_limit)
            output_open = process.drain(kKeepPrinted);
        if (!fault) fault = process.take_fault();
        if (fault) return outcome_of(*fault, reply, regions, limits_.process);
        // A watched library reports an access before it is made.
        if (reply.kind == ReplyKind::fault && traced && reply.signal != SIGABRT && !limits_.watched)
            return failure(Outcome::forbidden, "It reported a fault that did not happen.");
        return findings.empty() ? outcome_of(reply, regions, limits_.process) : outcome_of(findings);
    }
}

}  // namespace attn::worker
