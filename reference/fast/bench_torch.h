#pragma once
/// PyTorch in a process of its own, for benchmarks.

#include <cstdio>
#include <string>

#include <sys/types.h>

namespace attn::fast {

/// Runs bench_torch.py by a python3 that can import torch, if there is one.
class Torch {
  public:
    Torch();
    ~Torch();
    Torch(const Torch&) = delete;
    Torch& operator=(const Torch&) = delete;

    bool found() const { return !version_.empty(); }
    std::string name() const { return "PyTorch " + version_; }
    /// The name, the vector unit that it says it uses, and what is timed.
    std::string in_words() const;
    /// Seconds that the script took for a line, "attention 1 12 1024 64 0 1". Throws std::runtime_error when
    /// it has died.
    double seconds(const std::string& line);

  private:
    void start(std::string python);
    void end();
    std::string read_line();

    pid_t child_ = -1;
    std::FILE *to_ = nullptr, *from_ = nullptr;
    std::string version_, vector_unit_;
};

/// The one that all benchmarks ask.
Torch& torch();

/// Adds PyTorch's cell to a row of the table, if PyTorch is here: what `line` (see bench_torch.py) takes, with `threads`
/// threads. `flop` counts the row's floating-point operations.
void add_torch(const std::string& row, int threads, const std::string& line, double flop);

}  // namespace attn::fast
