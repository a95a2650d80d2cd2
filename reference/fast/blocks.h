#pragma once

namespace attn::fast {

/// How many blocks of `size` hold `count` things; the last block may be smaller.
inline int blocks_of(int count, int size) {
    return (count + size - 1) / size;
}

}  // namespace attn::fast
