#pragma once
/// For tests and benchmarks: a vector unit and a number of threads for a while.

#include "reference/fast/threads.h"
#include "reference/fast/vector_unit.h"

namespace attn::fast {

class ScopedUnit {
  public:
    explicit ScopedUnit(VectorUnit unit, int count = 1) : unit_(vector_unit()), threads_(threads()) {
        set_vector_unit(unit);
        set_threads(count);
    }
    ~ScopedUnit() {
        set_vector_unit(unit_);
        set_threads(threads_);
    }
    ScopedUnit(const ScopedUnit&) = delete;
    ScopedUnit& operator=(const ScopedUnit&) = delete;

  private:
    VectorUnit unit_;
    int threads_;
};

}  // namespace attn::fast
