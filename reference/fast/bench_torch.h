#pragma once
/// PyTorch in a process of its own, for benchmarks.

#include <cstdio>
#include <string>

#include <sys/types.h>

namespace attn::fast {

/// Runs attention_torch.py by a python3 that can import torch, if there is one.
class Torch {
  public:
    Torch();
    ~Torch();
    Torch(const Torch&) = delete;
    Torch& operator=(const Torch&) = delete;

    bool found() const { return !version_.empty(); }
    std::string name() const { return "PyTorch " + version_; }
    /// Seconds that the script took for a line. Throws std::runtime_error when it has died.
    double seconds(const std::string& line);

  private:
    void start(std::string python);
    void end();
    std::string read_line();

    pid_t child_ = -1;
    std::FILE *to_ = nullptr, *from_ = nullptr;
    std::string version_;
};

}  // namespace attn::fast
