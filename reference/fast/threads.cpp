#include "reference/fast/threads.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace attn::fast {
namespace {

/// Tells the processor that this thread waits.
void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

thread_local bool inside = false;  ///< this thread runs an f already

/// One parallel_for: the next index, and what went wrong first.
struct Loop {
    int count;
    const std::function<void(int)>& f;
    std::atomic<int> next{0};
    std::mutex guard;
    std::exception_ptr error;

    void run() {
        inside = true;
        for (int index = next.fetch_add(1); index < count; index = next.fetch_add(1)) {
            try {
                f(index);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!error) error = std::current_exception();
            }
        }
        inside = false;
    }
};

/// Until `is_so`, for at most some fifty microseconds. To sleep and to be woken takes several times as long, and
/// the loops of a layer follow each other at once.
template <class F>
void wait_awake(F is_so) {
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + std::chrono::microseconds(50); !is_so() && Clock::now() < end;)
        pause();
}

class Pool {
  public:
    ~Pool() { resize(0); }

    /// Helpers beside the calling thread.
    void resize(std::size_t helpers) {
        {
            const std::lock_guard lock(guard_);
            leaving_ = true;
        }
        work_.notify_all();
        for (std::thread& helper : helpers_) helper.join();
        helpers_.clear();
        leaving_ = false;
        for (std::size_t k = 0; k < helpers; ++k)
            helpers_.emplace_back([this, seen = round_.load()] { help(seen); });
    }

    std::size_t size() const { return helpers_.size(); }

    void run(Loop& loop) {
        {
            const std::lock_guard lock(guard_);
            loop_ = &loop;
            ++round_;
            busy_ = helpers_.size();
        }
        work_.notify_all();
        loop.run();
        wait_awake([this] { return busy_ == 0; });
        std::unique_lock lock(guard_);
        done_.wait(lock, [this] { return busy_ == 0; });
        loop_ = nullptr;
    }

  private:
    void help(unsigned long seen) {
        while (true) {
            wait_awake([&] { return leaving_ || round_ != seen; });
            std::unique_lock lock(guard_);
            work_.wait(lock, [&] { return leaving_ || round_ != seen; });
            if (leaving_) return;
            seen = round_;
            Loop& loop = *loop_;
            lock.unlock();
            loop.run();
            lock.lock();
            if (--busy_ == 0) done_.notify_one();
        }
    }

    std::mutex guard_;
    std::condition_variable work_, done_;
    std::vector<std::thread> helpers_;
    Loop* loop_ = nullptr;
    // Changed with guard_ held; who waits awake reads them without.
    std::atomic<unsigned long> round_{0};
    std::atomic<std::size_t> busy_{0};
    std::atomic<bool> leaving_{false};
};

std::atomic<int> wanted{1};

}  // namespace

void set_threads(int count) {
    if (count < 1) throw std::invalid_argument("set_threads: " + std::to_string(count) + " is below 1");
    wanted = count;
}

int threads() {
    return wanted;
}

void parallel_for(int count, const std::function<void(int)>& f) {
    if (inside || threads() == 1 || count <= 1) {
        for (int index = 0; index < count; ++index) f(index);
        return;
    }
    static std::mutex one_call;
    static Pool pool;
    const std::lock_guard lock(one_call);
    const auto helpers = static_cast<std::size_t>(threads() - 1);
    if (pool.size() != helpers) pool.resize(helpers);
    Loop loop{count, f, {}, {}, {}};
    pool.run(loop);
    if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace attn::fast
