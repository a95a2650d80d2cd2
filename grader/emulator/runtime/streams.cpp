#include "streams.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "allocations.h"
#include "device_api.h"
#include "device_state.h"
#include "scheduler.h"
#include "streams_api.h"

using attn::emulator::Operation;

/// A stream. CUDA prescribes the name.
struct CUstream_st {
    std::deque<std::shared_ptr<Operation>> queue;
    std::shared_ptr<Operation> last;
    bool blocking = true;                  // it and the legacy default stream wait for each other
    std::uint32_t number = 0, length = 0;  // of the stream, and how many operations were queued on it
};

/// A point in a stream. CUDA prescribes the name.
struct CUevent_st {
    std::shared_ptr<Operation> recorded;
    std::shared_ptr<std::chrono::steady_clock::time_point> time =
        std::make_shared<std::chrono::steady_clock::time_point>();
    bool timed = true;
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

std::vector<std::unique_ptr<CUevent_st>>& events() {
    static auto* const instance = new std::vector<std::unique_ptr<CUevent_st>>;
    return *instance;
}

bool is_event(cudaEvent_t event) {
    return std::any_of(events().begin(), events().end(), [&](const auto& one) { return one.get() == event; });
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

cudaError_t finish(const std::shared_ptr<Operation>& operation) {
    while (operation != nullptr && !operation->done && run_one()) {
    }
    if (operation != nullptr) host_waited_for(operation->id);
    if (streams().queued == 0) forget_waited_for();
    return sticky_error();
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
    events().clear();
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
    const CUstream_st* const found = find(stream);
    if (found == nullptr) return record_error(cudaErrorInvalidResourceHandle);
    // Work queued on the default stream now would wait for all blocking streams, so waiting for this stream waits for
    // them, too.
    if (found == &streams().legacy) push(stream, [] {});
    return record_error(finish(found->last));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const CUstream_st* const found = find(stream);
    if (found == nullptr) return record_error(cudaErrorInvalidResourceHandle);
    run_one();  // so that a host that polls in a loop sees progress
    if (sticky_error() != cudaSuccess) return sticky_error();
    return found->queue.empty() ? finish(found->last) : cudaErrorNotReady;
}

cudaError_t cudaDeviceSynchronize() {
    return finish_everything();
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (event == nullptr) return record_error(cudaErrorInvalidValue);
    events().push_back(std::make_unique<CUevent_st>());
    *event = events().back().get();
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const auto found =
        std::find_if(events().begin(), events().end(), [&](const auto& one) { return one.get() == event; });
    if (found == events().end()) return record_error(cudaErrorInvalidResourceHandle);
    events().erase(found);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    const auto time = std::make_shared<std::chrono::steady_clock::time_point>();
    const cudaError_t error = push(stream, [time] { *time = std::chrono::steady_clock::now(); });
    if (error != cudaSuccess) return record_error(error);
    event->time = time;
    event->recorded = last_operation(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    const cudaError_t error = push(stream, [] {});
    if (error == cudaSuccess) depend(*last_operation(stream), event->recorded);
    return record_error(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    return finish(event->recorded);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    if (event->recorded != nullptr && !event->recorded->done) run_one();
    if (sticky_error() != cudaSuccess) return sticky_error();
    return event->recorded == nullptr || event->recorded->done ? finish(event->recorded) : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (milliseconds == nullptr) return record_error(cudaErrorInvalidValue);
    if (!is_event(start) || !is_event(end) || !start->timed || !end->timed || start->recorded == nullptr ||
        end->recorded == nullptr)
        return record_error(cudaErrorInvalidResourceHandle);
    if (!start->recorded->done || !end->recorded->done) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (function == nullptr) return record_error(cudaErrorInvalidValue);
    return record_error(push(stream, [function, data] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (callback == nullptr) return record_error(cudaErrorInvalidValue);
    return record_error(push(stream, [stream, callback, data] { callback(stream, cudaSuccess, data); }));
}
