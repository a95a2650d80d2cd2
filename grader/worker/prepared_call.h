#pragma once
/// A call whose arrays are placed in the memories that parent and worker share.

#include <cstdint>
#include <vector>

#include "grader/sandbox/layers.h"
#include "grader/worker/calls.h"
#include "grader/worker/memory.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// The two memories of a worker.
struct Memories {
    const SharedMemory& inputs;
    const SharedMemory& outputs;
    const SharedMemory& of(const Region& region) const { return region.output ? outputs : inputs; }
};

/// The request for a call, and the locations of its arrays. The Call has to outlive it.
class PreparedCall {
  public:
    /// Places the arrays of `call` with `layout`. `number`: the number of the call.
    PreparedCall(const Call& call, std::uint32_t number, Layout& layout, const Layers& layers);

    const Request& request() const { return request_; }
    Request& request() { return request_; }
    const std::vector<Region>& regions() const { return regions_; }

    /// Writes the inputs into the memories, and poison everywhere else.
    void write(const Memories& memories) const;

    /// Reads the outputs after the call has returned. A failure if it wrote outside an output or into an
    /// input.
    CallResult read(const Memories& memories) const;

  private:
    Request request_;
    std::vector<Region> regions_;
    std::vector<const Array*> contents_;  ///< for each region its input, or null for an output
    Layers layers_;
};

}  // namespace attn::worker
