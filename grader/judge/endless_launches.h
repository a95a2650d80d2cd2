#pragma once
/// How long launches of kernels may run, and how often endless ones are tried. Many functions may call one endless
/// kernel, and all of them together may cost a grading a few seconds only.

namespace attn::judge {

class EndlessLaunches {
  public:
    /// The processor time after which a launch counts as endless, if no thread returns in it. Launches of right kernels take
    /// milliseconds on the fast build. Once endless ones have taken `kPatience_s`, the rest is stopped early.
    double launch_s() const { return spent_s_ < kPatience_s ? kLaunch_s : kShortLaunch_s; }
    /// The same on the build that checks each access, which takes about fifty times as long. An endless kernel is
    /// watched only to see what else is wrong before it hangs.
    static double watched_launch_s(bool endless) { return endless ? kLaunch_s : kWatchedLaunch_s; }
    /// An endless kernel is watched once: watching seldom says more than the first time.
    bool watches() const { return !watched_; }

    void begin_function() { of_function_ = 0; }
    /// Whether calls of this function are tried no more, and how often it was endless.
    bool gives_up() const { return of_function_ >= (spent_s_ < kPatience_s ? 2 : 1); }
    int times() const { return of_function_; }

    /// The emulator stopped a launch of the function.
    void stopped() {
        spent_s_ += launch_s();
        ++of_function_;
    }
    /// The checked build is about to run a launch that was endless.
    void watch() {
        spent_s_ += kLaunch_s;
        watched_ = true;
    }

  private:
    static constexpr double kLaunch_s = 1, kShortLaunch_s = 0.3, kWatchedLaunch_s = 3, kPatience_s = 4;
    double spent_s_ = 0;  ///< processor time of all endless launches
    int of_function_ = 0;
    bool watched_ = false;
};

}  // namespace attn::judge
