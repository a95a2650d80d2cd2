#pragma once
/// A parallel loop.

#include <cstddef>
#include <functional>

namespace attn {

/// Calls work(0) .. work(count - 1) in this order, at most `threads` at a time; with one thread in the
/// caller's own. After a call has thrown, no other call is started. When all started calls have ended,
/// rethrows the exception of the lowest number.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace attn
