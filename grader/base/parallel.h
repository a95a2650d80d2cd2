#pragma once
/// The same work for many things, by several threads.

#include <cstddef>
#include <functional>

namespace attn {

/// Calls work(0) .. work(count - 1), at most `threads` at a time, the lowest numbers first; with one thread
/// in the caller's own. Once a call has thrown, no other is begun; when all that were begun have ended, the
/// exception of the lowest number is thrown.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace attn
