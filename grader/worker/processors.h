#pragma once
/// The processors for timed calls: always the same ones, and the parent runs on one of them too.

#include <sched.h>

namespace attn::worker {

/// The last `count` processors that the calling thread may use, or all of them if there are fewer.
cpu_set_t last_processors(int count);

/// While it lives, the calling thread runs on the first of these processors. Between two batches the parent
/// keeps this processor busy: an idle processor saves power and was measured to be slower, and less even, for
/// some milliseconds. The inputs that the parent writes are also in that processor's cache.
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
