#pragma once
/// Whether other processes of the same user may look into this one (ptrace, /proc/PID/mem): truth and verdict
/// lie in the grader's memory, and where nobody drops rights a submission runs as the same user.

#include <mutex>

#include <sys/prctl.h>

namespace attn::worker {

/// Opens or closes this process while it lives, and then leaves it as it was. Closed, it cannot open its own
/// /proc/self/fd either, and its children cannot be traced until they run a program. One thread at a time has
/// it open, the others wait: it is a state of the process. (Close it before there are threads.)
class Dumpable {
  public:
    explicit Dumpable(bool open)
        : turn_(open ? std::unique_lock(turns()) : std::unique_lock<std::mutex>()),
          before_(prctl(PR_GET_DUMPABLE)) {
        prctl(PR_SET_DUMPABLE, open ? 1 : 0);
    }
    ~Dumpable() { prctl(PR_SET_DUMPABLE, before_); }
    Dumpable(const Dumpable&) = delete;
    Dumpable& operator=(const Dumpable&) = delete;

  private:
    static std::mutex& turns() {
        static std::mutex mutex;
        return mutex;
    }
    std::unique_lock<std::mutex> turn_;
    int before_;
};

}  // namespace attn::worker
