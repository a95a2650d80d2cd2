#include "grader/edits/record_calls.h"

#include <algorithm>
#include <cstring>

#include "grader/edits/machine.h"

namespace attn::edits {

class CallRecorder final : public Recorder {
  public:
    CallRecorder(const Program& program, const std::vector<int>& wanted)
        : machine_(program), program_(program), wanted_(wanted) {}

    std::vector<RecordedCall> run(int function, std::span<const Argument> arguments) {
        constexpr std::int64_t kMostSteps = 1'000'000;
        machine_.record(this);
        try {
            machine_.run(function, arguments, {}, kMostSteps);
        } catch (const CannotRun&) {
            // It refuses its arguments, or takes long.
        }
        return std::move(calls_);
    }

    void after_statement(std::int32_t /*node*/) override {}
    void enter_loop(const Node& /*loop*/) override {}
    void leave_loop() override {}
    void enter_call(const Node& /*call*/) override {
        const int function = machine_.frame_.number;
        const bool is_wanted = std::ranges::find(wanted_, function) != wanted_.end();
        constexpr std::ptrdiff_t kMostCalls = 16;
        if (inside_ == 0 && is_wanted &&
            std::ranges::count(calls_, function, &RecordedCall::function) < kMostCalls)
            record(function);
        if (inside_ > 0 || is_wanted) ++inside_;
    }
    void leave_call() override {
        if (inside_ > 0) --inside_;
    }

  private:
    void record(int function) {
        RecordedCall call{function, {}};
        int wholes = 0, reals = 0, views = 0;
        for (const ParameterDeclaration& parameter : program_.declaration(function).parameters) {
            if (parameter.type.base == Base::real)
                call.arguments.emplace_back(Array("", {}, std::vector<double>{machine_.real_slot(reals++)}));
            else if (parameter.type.base == Base::view || parameter.type.base == Base::weights)
                add_views(parameter.type, views, call);
            else
                call.arguments.emplace_back(
                    Array("", {}, std::vector<double>{static_cast<double>(machine_.whole_slot(wholes++))}));
        }
        calls_.push_back(std::move(call));
    }

    /// The view, or those of a struct, from the slot `slot` on.
    void add_views(const Type& type, int& slot, RecordedCall& to) {
        if (type.base == Base::weights) {
            for (const auto& member : program_.structure(type.structure).members)
                add_views(member.type, slot, to);
            return;
        }
        const auto& view = machine_.view_slot(slot++);
        const Shape shape(view.shape, view.shape + type.rank);
        if (view.data == nullptr)
            to.arguments.emplace_back();
        else if (type.element == Element::real)
            to.arguments.emplace_back(array_of<double>(shape, view.data));
        else if (type.element == Element::byte)
            to.arguments.emplace_back(array_of<std::uint8_t>(shape, view.data));
        else
            to.arguments.emplace_back(array_of<int>(shape, view.data));
    }

    template <class T>
    static Array array_of(const Shape& shape, const std::byte* data) {
        std::vector<T> values(element_count(shape));
        std::memcpy(values.data(), data, values.size() * sizeof(T));
        return Array("", shape, std::move(values));
    }

    Machine<double> machine_;
    const Program& program_;
    const std::vector<int>& wanted_;
    int inside_ = 0;  ///< of so many calls
    std::vector<RecordedCall> calls_;
};

std::vector<RecordedCall> calls_of(const Program& program, int function, std::span<const Argument> arguments,
                                   const std::vector<int>& wanted) {
    return CallRecorder(program, wanted).run(function, arguments);
}

}  // namespace attn::edits
