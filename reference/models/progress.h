#pragma once
/// What a training shows while it runs: a bar on a terminal, otherwise a line every few seconds.

#include <chrono>
#include <functional>
#include <ostream>

namespace attn::training {

class Progress {
  public:
    using Clock = std::chrono::steady_clock;

    /// `steps_before` of the `steps` were made earlier.
    Progress(std::ostream& out, bool is_terminal, int steps, int steps_before,
             std::function<Clock::time_point()> now = Clock::now);

    /// After each step.
    void step(int made, double loss);
    /// Ends the bar's line.
    void end();

  private:
    void show(int made, Clock::time_point now);

    std::ostream& out_;
    bool is_terminal_;
    int steps_, before_;
    std::function<Clock::time_point()> now_;
    Clock::time_point start_ = now_(), shown_ = start_;
    /// When this program's first step had ended. A first step may compile, so the pace is that of the others.
    Clock::time_point first_ended_ = start_;
    double loss_ = 0;  ///< a mean in which the last steps weigh most
    bool first_ = true, bar_stands_ = false;
};

}  // namespace attn::training
