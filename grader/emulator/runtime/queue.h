#pragma once
/// Streams: queues of work that runs when somebody waits for it, in an order that CUDA allows and the seed
/// draws.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "driver_types.h"

namespace attn::emulator {

/// Host memory that queued work will read or write: nobody may touch it before.
struct HostRange {
    std::uintptr_t start = 0;
    std::size_t size = 0;
    bool written = false;
};

struct Operation {
    std::function<void()> run;
    std::vector<std::shared_ptr<Operation>> after;  // what must be done before; cleared once it is
    HostRange host;
    bool done = false;
};

/// Queues work on a stream.
cudaError_t push(cudaStream_t stream, std::function<void()> run, HostRange host = {});

/// Runs queued work until everything, one stream's or one operation is done; gives the error that stuck, if
/// any.
cudaError_t finish_everything();
cudaError_t finish_stream(cudaStream_t stream);
cudaError_t finish(const std::shared_ptr<Operation>& operation);

/// Runs one piece of queued work, as time passes for whoever asks again and again.
void make_progress();

/// True where `stream` has nothing left to do.
bool idle(cudaStream_t stream);

/// The operation queued last on a stream, or null.
std::shared_ptr<Operation> last_operation(cudaStream_t stream);

/// The next work of `stream` comes after `operation`.
cudaError_t wait_for(cudaStream_t stream, const std::shared_ptr<Operation>& operation);

/// False for a stream that was destroyed or never created.
bool known(cudaStream_t stream);

/// Drops all that is queued and all streams.
void clear_queues();

}  // namespace attn::emulator
