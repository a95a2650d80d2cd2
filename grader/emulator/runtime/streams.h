#pragma once
/// Streams: queues of work that runs when the host waits for it. The order is drawn by seed among those that
/// CUDA allows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver_types.h"
#include "ordering.h"

namespace attn::emulator {

/// Host memory that queued work will read or write. The host must not access it before that.
struct HostRange {
    std::uintptr_t start = 0;
    std::size_t size = 0;
    bool written = false;
};

struct Operation {
    std::function<void()> run;
    OperationId id;
    std::vector<std::shared_ptr<Operation>> after;  // must be done before; cleared when this one is done
    HostRange host;
    bool done = false;
};

/// Queues work on a stream. `name`: for messages, see OperationId.
cudaError_t push(cudaStream_t stream, std::function<void()> run, HostRange host = {}, std::string name = {});

/// Run queued work until all of it or one operation is done. Return the sticky error, or cudaSuccess.
cudaError_t finish_everything();
cudaError_t finish(const std::shared_ptr<Operation>& operation);

/// Runs all queued work although the host does not wait for it.
void run_ahead();

/// The operation queued last on a stream, or null.
std::shared_ptr<Operation> last_operation(cudaStream_t stream);

/// False for a stream that was destroyed or never created.
bool is_known(cudaStream_t stream);

/// Drops all that is queued, all streams and all events.
void clear_queues();

}  // namespace attn::emulator
