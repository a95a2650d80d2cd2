#pragma once
/// Which processors what is timed runs on: always the same ones, and its parent beside it.

#include <sched.h>

namespace attn::worker {

/// The last `count` of those that the calling thread may use; all of them where there are fewer.
cpu_set_t last_processors(int count);

/// For as long as it lives the calling thread shares the first of these processors. A processor that its
/// parent keeps busy between two batches does not fall asleep: one that did was found to be slower, and less
/// alike, for milliseconds. It finds the inputs in its own cache, too.
class Neighbour {
  public:
    explicit Neighbour(const cpu_set_t& processors);
    ~Neighbour();
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

  private:
    cpu_set_t before_{};
};

}  // namespace attn::worker
