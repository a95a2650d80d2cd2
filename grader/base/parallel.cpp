#include "grader/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace attn {

void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
    std::vector<std::exception_ptr> thrown(count);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    const auto take_turns = [&] {
        for (std::size_t k = 0; !failed && (k = next++) < count;) {
            try {
                work(k);
            } catch (...) {
                thrown[k] = std::current_exception();
                failed = true;
            }
        }
    };
    if (threads <= 1 || count <= 1) {
        take_turns();
    } else {
        std::vector<std::jthread> all;
        for (std::size_t k = 0; k < std::min(count, static_cast<std::size_t>(threads)); ++k)
            all.emplace_back(take_turns);
    }
    for (const std::exception_ptr& each : thrown)
        if (each) std::rethrow_exception(each);
}

}  // namespace attn
