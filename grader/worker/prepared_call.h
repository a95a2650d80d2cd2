#pragma once
/// A call as it lies in the memories that parent and worker share.

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

/// What to send for a call, and where its arrays go. The call has to outlive it.
class LaidOut {
  public:
    /// Places the arrays of `call`, which has this number, with `layout`.
    LaidOut(const Call& call, std::uint32_t number, Layout& layout, const Layers& layers);

    const Request& request() const { return request_; }
    Request& request() { return request_; }
    const std::vector<Region>& regions() const { return regions_; }

    /// Writes the inputs, and poison into everything else.
    void write(const Memories& memories) const;

    /// After a call that came back: its outputs. A failure where it wrote beside an output or into an input.
    CallResult read(const Memories& memories) const;

  private:
    Request request_;
    std::vector<Region> regions_;
    std::vector<const Array*> contents_;  ///< of the regions: null for an output
    Layers layers_;
};

}  // namespace attn::worker
