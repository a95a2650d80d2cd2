#pragma once
/// Controls whether other processes of the same user may read this one (ptrace, /proc/PID/mem). The grader's
/// memory holds expected outputs and verdicts, and unless the grader runs as root, a submission runs as the
/// same user.

#include <mutex>

#include <sys/prctl.h>

namespace attn::worker {

/// Opens or closes this process to others while it lives, and then restores the previous state. A closed
/// process cannot open its own /proc/self/fd either, and its children cannot be traced until they exec a
/// program. The state belongs to the whole process, so one thread at a time may open it and other threads
/// wait. (Close the process before there are threads.)
class Dumpable {
  public:
    explicit Dumpable(bool open)
        : lock_(open ? std::unique_lock(mutex()) : std::unique_lock<std::mutex>()),
          before_(prctl(PR_GET_DUMPABLE)) {
        prctl(PR_SET_DUMPABLE, open ? 1 : 0);
    }
    ~Dumpable() { prctl(PR_SET_DUMPABLE, before_); }
    Dumpable(const Dumpable&) = delete;
    Dumpable& operator=(const Dumpable&) = delete;

  private:
    static std::mutex& mutex() {
        static std::mutex only;
        return only;
    }
    std::unique_lock<std::mutex> lock_;
    int before_;
};

}  // namespace attn::worker
