#pragma once
/// Runs copies of the plain loops in which the listed mistakes are woven, each with a switch. The build
/// writes the copies: see weave.h.

#include <span>
#include <utility>

namespace attn::edits::woven {

/// So many mistakes can be made at once.
inline constexpr int kMostTogether = 2;

/// What is switched on in this thread, and the marked call that is being made.
struct State {
    int first = -1, second = -1;  ///< mistakes
    int site = 0;
};
inline constinit thread_local State state;

/// The switches, as a woven function asks for them: made(7), made(7, site).
class Made {
  public:
    bool operator()(int mistake) const { return mistake == state_.first || mistake == state_.second; }
    bool operator()(int mistake, int site) const { return site == state_.site && (*this)(mistake); }

  private:
    State state_ = state;
};

/// While an object of this class exists, the call with this number is being made.
class Site {
  public:
    explicit Site(int site) : before_(std::exchange(state.site, site)) {}
    ~Site() { state.site = before_; }
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

  private:
    int before_;
};

/// A function of the contract. `arguments` points to the Arguments of a call.
struct WovenFunction {
    const char* name;
    void (*f32)(const void* arguments, int count);
    void (*f64)(const void* arguments, int count);
};

/// Mistakes that cannot be made at once, by their places in the list.
struct Conflict {
    int one, other;
};

/// Registers the woven functions of an assignment, at program start.
struct Registration {
    Registration(const char* assignment, std::span<const WovenFunction> functions,
                 std::span<const Conflict> conflicts);
};

/// The woven function of this name, or null.
const WovenFunction* find(const char* assignment, const char* function);

/// Whether these mistakes can be made at once.
bool compatible(const char* assignment, std::span<const int> made);

/// Switches mistakes on, as long as it exists.
class Switched {
  public:
    explicit Switched(std::span<const int> made);
    ~Switched() { state = State(); }
    Switched(const Switched&) = delete;
    Switched& operator=(const Switched&) = delete;
};

}  // namespace attn::edits::woven
