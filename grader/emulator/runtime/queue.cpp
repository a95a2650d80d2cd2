#include "queue.h"

#include <algorithm>
#include <deque>

#include "cuda_errors.h"
#include "device_state.h"
#include "host_ranges.h"
#include "streams_api.h"

using attn::emulator::Operation;

/// A stream. CUDA prescribes the name.
struct CUstream_st {
    std::deque<std::shared_ptr<Operation>> queue;
    std::shared_ptr<Operation> last;
    bool blocking = true;                  // it and the legacy default stream wait for each other
    std::uint32_t number = 0, length = 0;  // of the stream, and how many operations were queued on it
};

namespace attn::emulator {
namespace {

constexpr std::size_t kAtMostQueued = 1024;  // as with the driver, a host that queues more has to wait

struct Streams {
    CUstream_st legacy, per_thread;
    std::vector<std::unique_ptr<CUstream_st>> created;
    std::vector<OperationId> last_of_destroyed;  // those for which the host has not waited
    std::uint32_t numbers = 2;                   // streams so far
    std::size_t queued = 0;

    Streams() { per_thread.number = 1; }

    template <class F>
    void each(F f) {
        f(legacy);
        f(per_thread);
        for (auto& stream : created) f(*stream);
    }
};

Streams& streams() {
    static auto* const instance = new Streams;
    return *instance;
}

CUstream_st* find(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return &streams().legacy;
    if (stream == cudaStreamPerThread) return &streams().per_thread;
    for (auto& made : streams().created)
        if (made.get() == stream) return stream;
    return nullptr;
}

bool ready(const Operation& operation) {
    return std::all_of(operation.after.begin(), operation.after.end(),
                       [](const auto& other) { return other->done; });
}

/// Runs the first operation of one of the streams that are ready. Returns false if none is.
bool run_one() {
    std::vector<CUstream_st*> able;
    streams().each([&](CUstream_st& stream) {
        if (!stream.queue.empty() && ready(*stream.queue.front())) able.push_back(&stream);
    });
    if (able.empty()) return false;
    CUstream_st& stream = *able[able.size() == 1 ? 0 : random_below(static_cast<std::uint32_t>(able.size()))];
    const std::shared_ptr<Operation> operation = stream.queue.front();
    stream.queue.pop_front();
    --streams().queued;
    forget_host_range(operation->host);
    if (sticky_error() == cudaSuccess) {
        begin_operation(operation->id);
        operation->run();
        end_operation(operation->id);
    }
    operation->run = nullptr;
    operation->after.clear();
    operation->done = true;
    return true;
}

void depend(Operation& operation, const std::shared_ptr<Operation>& other) {
    if (other == nullptr) return;
    if (!other->done) operation.after.push_back(other);
    operation.id.before.add(other->id.before);
    operation.id.before.add(other->id.stream, other->id.sequence);
}

}  // namespace

bool is_known(cudaStream_t stream) {
    return find(stream) != nullptr;
}

cudaError_t push(cudaStream_t handle, std::function<void()> run, HostRange host, std::string name) {
    CUstream_st* const stream = find(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    auto operation = std::make_shared<Operation>();
    operation->run = std::move(run);
    operation->host = host;
    operation->id = {stream->number, ++stream->length, finished_for_host(), std::move(name)};
    depend(*operation, stream->last);
    if (stream == &streams().legacy) {
        streams().each([&](CUstream_st& other) {
            if (other.blocking) depend(*operation, other.last);
        });
    } else if (stream->blocking) {
        depend(*operation, streams().legacy.last);
    }
    stream->queue.push_back(operation);
    stream->last = operation;
    remember_host_range(host);
    if (++streams().queued > kAtMostQueued) run_one();
    return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t handle, const std::shared_ptr<Operation>& operation) {
    const cudaError_t error = push(handle, [] {});
    if (error == cudaSuccess) depend(*find(handle)->last, operation);
    return error;
}

cudaError_t finish(const std::shared_ptr<Operation>& operation) {
    while (operation != nullptr && !operation->done && run_one()) {
    }
    if (operation != nullptr) host_waited_for(operation->id);
    if (streams().queued == 0) forget_waited_for();
    return sticky_error();
}

cudaError_t finish_stream(cudaStream_t handle) {
    CUstream_st* const stream = find(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream == &streams().legacy) {
        // Work queued on this stream now would wait for all blocking streams, so waiting for this stream
        // waits for them, too.
        const cudaError_t error = push(handle, [] {});
        if (error != cudaSuccess) return error;
    }
    return finish(stream->last);
}

void run_ahead() {
    while (run_one()) {
    }
}

cudaError_t finish_everything() {
    run_ahead();
    streams().each([](const CUstream_st& stream) {
        if (stream.last != nullptr) host_waited_for(stream.last->id);
    });
    for (const OperationId& last : streams().last_of_destroyed) host_waited_for(last);
    streams().last_of_destroyed.clear();
    forget_waited_for();
    return sticky_error();
}

void make_progress() {
    run_one();
}

bool is_idle(cudaStream_t stream) {
    const CUstream_st* const found = find(stream);
    return found == nullptr || found->queue.empty();
}

std::shared_ptr<Operation> last_operation(cudaStream_t stream) {
    const CUstream_st* const found = find(stream);
    return found == nullptr ? nullptr : found->last;
}

void clear_queues() {
    Streams& all = streams();
    all.each([](CUstream_st& stream) {
        stream.queue.clear();
        stream.last = nullptr;
        stream.length = 0;
    });
    all.created.clear();
    all.last_of_destroyed.clear();
    all.numbers = 2;
    all.queued = 0;
    forget_operations();
    forget_host_ranges();
}

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (stream == nullptr || flags > cudaStreamNonBlocking) return record_error(cudaErrorInvalidValue);
    streams().created.push_back(std::make_unique<CUstream_st>());
    streams().created.back()->number = streams().numbers++;
    streams().created.back()->blocking = flags != cudaStreamNonBlocking;
    *stream = streams().created.back().get();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    auto& created = streams().created;
    const auto found =
        std::find_if(created.begin(), created.end(), [&](const auto& one) { return one.get() == stream; });
    if (found == created.end()) return record_error(cudaErrorInvalidResourceHandle);
    // CUDA lets the stream's work continue. Here it runs before the queue is destroyed.
    while (stream->last != nullptr && !stream->last->done && run_one()) {
    }
    if (stream->last != nullptr) streams().last_of_destroyed.push_back(stream->last->id);
    const cudaError_t error = sticky_error();
    created.erase(
        std::find_if(created.begin(), created.end(), [&](const auto& one) { return one.get() == stream; }));
    return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return record_error(finish_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (!is_known(stream)) return record_error(cudaErrorInvalidResourceHandle);
    make_progress();
    if (sticky_error() != cudaSuccess) return sticky_error();
    return is_idle(stream) ? finish(last_operation(stream)) : cudaErrorNotReady;
}

cudaError_t cudaDeviceSynchronize() {
    return finish_everything();
}
