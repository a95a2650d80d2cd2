#pragma once
/// The threads of attn::fast. They are started when first needed and then wait for work, so that what a
/// thread has allocated (thread_local) is there again in the next call.

#include <functional>

namespace attn::fast {

/// How many threads a call may use, the calling one included; 1 until it is set. Throws std::invalid_argument
/// below 1. Not while a call runs.
void set_threads(int count);
int threads();

/// f(0), f(1), .. f(count - 1), each once, in any order and on up to threads() threads; returns when all are
/// done. With one thread, or inside of another parallel_for, a plain loop. What an f throws is thrown here
/// (the first; the others still run). Calls from several threads wait for one another.
void parallel_for(int count, const std::function<void(int index)>& f);

}  // namespace attn::fast
