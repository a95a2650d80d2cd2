#pragma once
/// Runs functions of a Program, in float or in double, as the compiled plain loops compute them. Any function
/// can have another text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "assignments/call.h"
#include "grader/edits/program.h"

namespace attn::edits {

/// Thrown when a changed function leaves its arrays, divides by zero, refuses its arguments, or does not end.
/// Then nothing can be said about its numbers.
struct CannotRun {};

/// What this thread has read and interpreted so far: tokens of edited texts and iterations of loops. Unlike time it is
/// the same on every machine.
std::int64_t work_done();
void add_work(std::int64_t more);

/// Another text for a function: everywhere, or only where `caller` calls it at the token `call` of its body.
struct Replacement {
    int function = 0;
    const FunctionTree* text = nullptr;
    int caller = -1;
    int call = -1;
};

/// Is called while a function runs: after each statement of a block, and around loops and calls.
class Recorder {
  public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    virtual ~Recorder() = default;

    virtual void after_statement(std::int32_t node) = 0;
    virtual void enter_loop(const Node& loop) = 0;
    virtual void leave_loop() = 0;
    virtual void enter_call(const Node& call) = 0;
    virtual void leave_call() = 0;
};

template <class T>
class Machine {
  public:
    explicit Machine(const Program& program);

    /// Calls a function with these arguments: outputs, inputs, options (call.h). A struct of weights takes an
    /// argument for each view. Throws CannotRun. `most_steps`: iterations of all loops together.
    void run(int function, std::span<const Argument> arguments, std::span<const Replacement> replacements,
             std::int64_t most_steps);
    /// Iterations of all loops of the last run.
    std::int64_t steps() const { return steps_; }
    /// Null: nothing is recorded.
    void record(Recorder* recorder) { recorder_ = recorder; }
    /// Whether a function that refuses its arguments ends as if it had nothing against them.
    void ignore_refusals(bool ignored) { ignores_refusals_ = ignored; }

  private:
    friend class CallRecorder;
    friend class IntermediateRecorder;
    struct View {
        std::byte* data = nullptr;
        std::int64_t room = 0;  ///< elements from data on
        std::int32_t shape[kMaxRank] = {};
    };
    struct Frame {
        const FunctionTree* function = nullptr;
        int number = 0;
        int wholes = 0, reals = 0, views = 0, callables = 0;
    };
    struct Callable {
        Frame frame;
        std::int32_t lambda = -1;
    };
    enum class Left : std::uint8_t { no, loop, function };

    const Node& node(std::int32_t k) const { return nodes_[k]; }
    std::int64_t& whole_slot(int slot) { return whole_slots_[slot]; }
    T& real_slot(int slot) { return real_slots_[slot]; }
    View& view_slot(int slot) { return view_slots_[slot]; }
    /// Makes a frame the running function's.
    void set_frame(const Frame& frame);

    // Many nodes are variables, for which a call would take longer than the rest. The others: whole_of(), real_of().
    std::int64_t whole(std::int32_t k) {
        const Node& n = node(k);
        return n.op == Op::local ? whole_slot(n.slot) : whole_of(n);
    }
    T real(std::int32_t k) {
        const Node& n = node(k);
        return n.op == Op::local ? real_slot(n.slot) : real_of(n);
    }
    std::int64_t increment(const Node& n) {
        return whole_slot(node(n.a).slot) += static_cast<std::int64_t>(n.number);
    }
    std::int64_t whole_of(const Node& n);
    T real_of(const Node& n);
    View view(std::int32_t k);
    Left statement(std::int32_t k);
    Left statements(std::int32_t first);
    bool truth(std::int32_t k) { return whole(k) != 0; }
    bool compare(const Node& n);
    std::byte* element(const Node& n);
    std::int64_t assign_whole(const Node& n);
    T assign_real(const Node& n);
    Left declare(const Node& n);
    Left loop(const Node& n);
    Left iterate(const Node& n);
    Left select(const Node& n);
    View make(const Node& n);
    void call(const Node& n);
    void call_lambda(const Node& n);
    void call_parameter(const Node& n);
    void pass(const Node& argument, const ParameterDeclaration* parameter, Frame& to, Frame& next);
    void weights(std::int32_t k, View* to);
    Frame new_frame(int function, const FunctionTree& text);
    void finish(const Frame& before);
    void fill(const Node& n);
    void copy(const Node& n);
    void step();
    std::byte* memory(std::int64_t count, Element element);
    static std::size_t bytes_of(Element element) {
        return element == Element::real ? sizeof(T) : element == Element::byte ? 1 : sizeof(int);
    }
    const FunctionTree& text_of(int function, int call);
    View argument_view(const Argument& argument) const;

    const Program& program_;
    std::vector<std::int64_t> wholes_;
    std::vector<T> reals_;
    std::vector<View> views_;
    std::vector<Callable> callables_;
    std::unique_ptr<std::byte[]> memory_;
    std::size_t used_memory_ = 0;
    Frame frame_, top_;  ///< the running function's slots, and the first free ones
    // Where the running function's nodes and slots begin.
    const Node* nodes_ = nullptr;
    std::int64_t* whole_slots_ = nullptr;
    T* real_slots_ = nullptr;
    View* view_slots_ = nullptr;
    std::span<const Replacement> replacements_;
    std::int64_t steps_ = 0, most_steps_ = 0;
    Recorder* recorder_ = nullptr;
    bool ignores_refusals_ = false;
    const std::byte* written_ = nullptr;  ///< the number that was written last
    // What the function that ended last gave back.
    std::int64_t given_whole_ = 0;
    T given_real_ = 0;
    View given_view_;
    std::vector<View> given_weights_;
};

}  // namespace attn::edits
