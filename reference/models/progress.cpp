#include "reference/models/progress.h"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace attn::training {

Progress::Progress(std::ostream& out, bool is_terminal, int steps, int steps_before,
                   std::function<Clock::time_point()> now)
    : out_(out), is_terminal_(is_terminal), steps_(steps), before_(steps_before), now_(std::move(now)) {}

void Progress::step(int made, double loss) {
    constexpr double kKeep = 0.95;
    const auto now = now_();
    if (first_) first_ended_ = now;
    loss_ = first_ ? loss : kKeep * loss_ + (1 - kKeep) * loss;
    first_ = false;
    const std::chrono::milliseconds every(is_terminal_ ? 100 : 5000);
    if (now - shown_ < every && made < steps_) return;
    shown_ = now;
    show(made, now);
}

void Progress::show(int made, Clock::time_point now) {
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string numbers = fmt::format("step {} of {}, loss {:.4f}, {:.0f} s", made, steps_, loss_, seconds);
    if (const int after_the_first = made - before_ - 1; after_the_first > 0) {
        const double pace_s = std::chrono::duration<double>(now - first_ended_).count() / after_the_first;
        numbers += fmt::format(", {:.0f} s left", std::ceil(pace_s * (steps_ - made)));
    }
    if (!is_terminal_) {
        out_ << numbers << std::endl;
        return;
    }
    constexpr int kWidth = 30;
    const auto full = static_cast<std::size_t>(static_cast<std::int64_t>(kWidth) * made / steps_);
    out_ << "\r\x1b[K[" << std::string(full, '#') << std::string(kWidth - full, '.') << "] " << numbers
         << std::flush;
    bar_stands_ = true;
}

void Progress::end() {
    if (bar_stands_) out_ << '\n';
    bar_stands_ = false;
}

}  // namespace attn::training
