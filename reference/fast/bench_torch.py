"""PyTorch for the benchmarks (bench_torch.h). Prints its version, its vector unit and who multiplies; then answers each line on stdin with the
seconds that one call took: of processor time for one thread, of the clock for more. A line is
    attention B H N d causal threads
    encoder B N D H F L threads         L pre-norm blocks with GELU (tanh) and a final layer norm; L = 0: one block without it
    training B N D H F threads          one block with a causal mask, forward and backward, with the gradients of X and all weights
"""
import functools
import os
import re
import sys
import tempfile
import time

import torch
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention


all_trained = []


@functools.cache
def normal(*shape, scale=1.0, key=0, trained=False):
    """An array of normal numbers, made once for each shape and key."""
    numbers = (torch.randn(*shape) * scale).requires_grad_(trained)
    if trained:
        all_trained.append(numbers)
    return numbers


def attention(B, H, N, d, causal):
    Q, K, V = (normal(B, H, N, d, key=k) for k in range(3))
    return scaled_dot_product_attention(Q, K, V, is_causal=bool(causal))


def block(X, H, F, key, causal=False, trained=False):
    """X + MHA(LN_1(X)), then the same with the feed-forward. The projections of Q, K and V are one product."""
    B, N, D = X.shape
    gamma, beta = normal(D, key=1, trained=trained), normal(D, key=2, trained=trained)

    def projected(Y, rows, columns, name):
        return linear(Y, normal(rows, columns, scale=0.03, key=(key, name), trained=trained),
                      normal(rows, key=(key, name), trained=trained))

    QKV = projected(layer_norm(X, (D,), gamma, beta), 3 * D, D, "QKV")
    Q, K, V = QKV.view(B, N, 3, H, D // H).permute(2, 0, 3, 1, 4)
    heads = scaled_dot_product_attention(Q, K, V, is_causal=causal).transpose(1, 2).reshape(B, N, D)
    X = X + projected(heads, D, D, "O")
    hidden = gelu(projected(layer_norm(X, (D,), gamma, beta), F, D, "1"), approximate="tanh")
    return X + projected(hidden, D, F, "2")


def encoder(B, N, D, H, F, L):
    X = normal(B, N, D)
    for layer in range(max(L, 1)):
        X = block(X, H, F, layer)
    return layer_norm(X, (D,), normal(D, key=1), normal(D, key=2)) if L > 0 else X


def training(B, N, D, H, F):
    X = normal(B, N, D, trained=True)
    Y = block(X, H, F, 0, causal=True, trained=True)
    Y.backward(normal(B, N, D, key="dY"))


def who_multiplies():
    """What MKL and oneDNN say of themselves while a product is computed. They print it past Python, to descriptor 1."""
    kept = os.dup(1)
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 1)
        try:
            with torch.backends.mkl.verbose(torch.backends.mkl.VERBOSE_ON):
                with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
                    normal(256, 256) @ normal(256, 256)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        said.seek(0)
        lines = said.read().decode(errors="replace").splitlines()
    for line in lines:
        # onednn_verbose,..,exec,cpu,matmul,KERNEL,..
        if line.startswith("onednn_verbose") and ",exec," in line:
            fields = line.split(",")
            return "products by oneDNN's kernel " + fields[fields.index("exec") + 3]
    # The first line of MKL names its version and the processors for which the kernels are that it chose.
    chosen = re.search(r"MKL_VERBOSE (.*?) Product .* for Intel\(R\) 64 architecture (.*?),.*\nMKL_VERBOSE (\w+)\(", "\n".join(lines))
    if chosen:
        return "products by {2} of {0} for {1}".format(*chosen.groups())
    return "it does not say who multiplies"


print(torch.__version__.split("+")[0], torch.backends.cpu.get_cpu_capability() + ",", who_multiplies(), flush=True)
for line in sys.stdin:
    what, *numbers, threads = line.split()
    call = {"attention": attention, "encoder": encoder, "training": training}[what]
    torch.set_num_threads(int(threads))
    # The backward of one thread runs on a thread of PyTorch's own.
    clock = time.process_time if threads == "1" else time.perf_counter
    for trained in all_trained:
        trained.grad = None
    with torch.inference_mode(what != "training"):
        start = clock()
        call(*map(int, numbers))
        print(clock() - start, flush=True)
