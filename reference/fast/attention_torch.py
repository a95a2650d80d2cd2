"""Attention by PyTorch, for attention_bench.cpp. Says its version; then a line "B H N d causal threads" on stdin is
answered with the seconds that one call took: of processor time for one thread, of the clock for more."""
import sys
import time

import torch

fused = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
inputs = {}


def attention(Q, K, V, causal):
    if fused is not None:
        return fused(Q, K, V, is_causal=causal)
    E = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if causal:
        E = E.masked_fill(inputs["mask", Q.shape[-2]], float("-inf"))
    return torch.softmax(E, dim=-1) @ V


print(torch.__version__.split("+")[0], flush=True)
with torch.inference_mode():
    for line in sys.stdin:
        B, H, N, d, causal, threads = map(int, line.split())
        torch.set_num_threads(threads)
        if (B, H, N, d) not in inputs:
            inputs[B, H, N, d] = [torch.randn(B, H, N, d) for _ in range(3)]
            inputs["mask", N] = torch.ones(N, N, dtype=torch.bool).triu(1)
        clock = time.thread_time if threads == 1 else time.perf_counter
        start = clock()
        attention(*inputs[B, H, N, d], bool(causal))
        print(clock() - start, flush=True)
