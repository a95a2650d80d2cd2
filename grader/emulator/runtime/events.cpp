#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "cuda_errors.h"
#include "queue.h"
#include "streams_api.h"

/// A point in a stream. CUDA prescribes the name.
struct CUevent_st {
    std::shared_ptr<attn::emulator::Operation> recorded;
    std::shared_ptr<std::chrono::steady_clock::time_point> time =
        std::make_shared<std::chrono::steady_clock::time_point>();
    bool timed = true;
};

namespace attn::emulator {
namespace {

std::vector<std::unique_ptr<CUevent_st>>& events() {
    static auto* const instance = new std::vector<std::unique_ptr<CUevent_st>>;
    return *instance;
}

bool is_event(cudaEvent_t event) {
    return std::any_of(events().begin(), events().end(), [&](const auto& one) { return one.get() == event; });
}

}  // namespace

void clear_events() {
    events().clear();
}

}  // namespace attn::emulator

using namespace attn::emulator;

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
    return record_error(wait_for(stream, event->recorded));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    return finish(event->recorded);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (!is_event(event)) return record_error(cudaErrorInvalidResourceHandle);
    if (event->recorded != nullptr && !event->recorded->done) make_progress();
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
