#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <queue>
#include <thread>

#include "grader/base/parallel.h"
#include "grader/classes/engine/engine.h"

namespace attn::classes {
namespace {

/// Runs jobs in threads of this process. The caller's thread takes the endings in while other jobs run.
class LocalEngine : public Engine {
  public:
    LocalEngine(std::filesystem::path spool, std::filesystem::path grader, int at_once)
        : spool_(std::move(spool)), grader_(std::move(grader)), at_once_(at_once) {}

    void run(const std::vector<Job>& jobs, const std::function<void(const Job& job)>& ended) override {
        const bool alone = std::ranges::any_of(jobs, &Job::speed);
        std::mutex mutex;
        std::condition_variable changed;
        std::queue<std::size_t> waiting;
        bool done = false, stopped = false;
        std::exception_ptr failure;
        std::thread runner([&] {
            try {
                in_parallel(jobs.size(), alone ? 1 : at_once_, [&](std::size_t k) {
                    {
                        const std::lock_guard lock(mutex);
                        if (stopped) return;
                    }
                    run_job(jobs[k], spool_, grader_);
                    const std::lock_guard lock(mutex);
                    waiting.push(k);
                    changed.notify_one();
                });
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done = true;
            changed.notify_one();
        });
        std::unique_lock lock(mutex);
        try {
            for (;;) {
                changed.wait(lock, [&] { return done || !waiting.empty(); });
                if (waiting.empty()) break;
                const std::size_t k = waiting.front();
                waiting.pop();
                lock.unlock();
                ended(jobs[k]);
                lock.lock();
            }
        } catch (...) {
            if (!lock.owns_lock()) lock.lock();
            stopped = true;
            failure = std::current_exception();
        }
        lock.unlock();
        runner.join();
        if (failure) std::rethrow_exception(failure);
    }

  private:
    std::filesystem::path spool_, grader_;
    int at_once_;
};

}  // namespace

std::unique_ptr<Engine> local_engine(const std::filesystem::path& spool, const std::filesystem::path& grader,
                                     int at_once) {
    return std::make_unique<LocalEngine>(spool, grader, at_once);
}

}  // namespace attn::classes
