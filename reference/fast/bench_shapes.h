#pragma once
/// The calls of attention that `make bench` compares.

#include <string>

#include <fmt/format.h>

namespace attn::fast {

struct Shape {
    int B, H, N, d;
    bool causal;

    std::size_t numbers() const { return static_cast<std::size_t>(B) * H * N * d; }
    double flop() const { return (causal ? 2.0 : 4.0) * B * H * N * N * d; }
    std::string name() const { return fmt::format("B{} H{} N{} d{}{}", B, H, N, d, causal ? " causal" : ""); }
};

inline constexpr Shape kShapes[] = {{1, 12, 1024, 64, false}, {8, 8, 256, 64, false}, {1, 1, 4096, 64, false},
                                    {1, 12, 1024, 64, true},  {8, 8, 256, 64, true},  {1, 1, 4096, 64, true}};

}  // namespace attn::fast
