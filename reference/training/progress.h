#pragma once
/// What a training shows while it runs: a bar on a terminal, otherwise a line every few seconds.

#include <chrono>
#include <ostream>

namespace attn::training {

class Progress {
  public:
    /// `steps_before` of the `steps` were made earlier.
    Progress(std::ostream& out, bool is_terminal, int steps, int steps_before);

    /// After each step.
    void step(int made, double loss);
    /// Ends the bar's line.
    void end();

  private:
    using Clock = std::chrono::steady_clock;

    void show(int made, Clock::time_point now);

    std::ostream& out_;
    bool is_terminal_;
    int steps_, before_;
    Clock::time_point start_ = Clock::now(), shown_ = start_;
    double loss_ = 0;  ///< a mean in which the last steps weigh most
    bool first_ = true, bar_stands_ = false;
};

}  // namespace attn::training
