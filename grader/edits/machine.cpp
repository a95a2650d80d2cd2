#include "grader/edits/machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace attn::edits {
namespace {

constexpr std::size_t kSlots = 2048;
constexpr std::size_t kMostMemory = std::size_t{64} << 20;
constexpr std::int64_t kMostElements = std::int64_t{1} << 24;
/// No larger number becomes a whole one.
constexpr double kMostWhole = 0x1p62;
/// What a run costs besides its loops.
constexpr std::int64_t kWorkOfRun = 50;

std::int64_t& counted_work() {
    thread_local std::int64_t work = 0;
    return work;
}

}  // namespace

std::int64_t work_done() {
    return counted_work();
}

void add_work(std::int64_t more) {
    counted_work() += more;
}

template <class T>
Machine<T>::Machine(const Program& program)
    : program_(program), wholes_(kSlots), reals_(kSlots), views_(kSlots), callables_(kSlots / 16) {}

template <class T>
typename Machine<T>::View Machine<T>::argument_view(const Argument& argument) const {
    View view;
    view.data = static_cast<std::byte*>(argument.data);
    view.room = argument.data == nullptr ? 0 : 1;
    for (int axis = 0; axis < argument.rank; ++axis) {
        view.shape[axis] = argument.shape[axis];
        view.room *= argument.shape[axis];
    }
    return view;
}

template <class T>
void Machine<T>::run(int function, std::span<const Argument> arguments,
                     std::span<const Replacement> replacements, std::int64_t most_steps) {
    replacements_ = replacements;
    steps_ = 0;
    most_steps_ = most_steps;
    used_memory_ = 0;
    top_ = {};
    frame_ = {};
    set_frame(new_frame(function, text_of(function, -1)));
    int wholes = 0, reals = 0, views = 0;
    std::size_t used = 0;
    for (const ParameterDeclaration& parameter : program_.declaration(function).parameters) {
        const int given = std::max(1, program_.views_of(parameter.type));
        if (used + static_cast<std::size_t>(given) > arguments.size())
            throw std::logic_error("too few arguments for " + program_.declaration(function).name);
        for (int k = 0; k < given; ++k) {
            const Argument& argument = arguments[used++];
            if (parameter.type.base == Base::real)
                real_slot(reals++) = static_cast<T>(argument.number);
            else if (parameter.type.base == Base::integer || parameter.type.base == Base::boolean)
                whole_slot(wholes++) = static_cast<std::int64_t>(argument.number);
            else
                view_slot(views++) = argument_view(argument);
        }
    }
    try {
        statement(frame_.function->root);
    } catch (const CannotRun&) {
        add_work(steps_ + kWorkOfRun);
        throw;
    }
    add_work(steps_ + kWorkOfRun);
}

template <class T>
const FunctionTree& Machine<T>::text_of(int function, int call) {
    for (const Replacement& each : replacements_) {
        if (each.function != function) continue;
        if (each.caller < 0 || (each.caller == frame_.number && each.call == call)) return *each.text;
    }
    return program_.function(function);
}

template <class T>
void Machine<T>::set_frame(const Frame& frame) {
    frame_ = frame;
    nodes_ = frame.function == nullptr ? nullptr : frame.function->nodes.data();
    whole_slots_ = wholes_.data() + frame.wholes;
    real_slots_ = reals_.data() + frame.reals;
    view_slots_ = views_.data() + frame.views;
}

/// The frame of a function that is called now, with room for its slots after those in use.
template <class T>
typename Machine<T>::Frame Machine<T>::new_frame(int function, const FunctionTree& text) {
    Frame frame = top_;
    frame.function = &text;
    frame.number = function;
    top_.wholes += text.frame.wholes;
    top_.reals += text.frame.reals;
    top_.views += text.frame.views;
    top_.callables += text.frame.callables;
    const auto most = static_cast<int>(kSlots);
    if (top_.wholes > most || top_.reals > most || top_.views > most || top_.callables > most / 16)
        throw CannotRun();
    return frame;
}

template <class T>
void Machine<T>::finish(const Frame& before) {
    top_.wholes = frame_.wholes;
    top_.reals = frame_.reals;
    top_.views = frame_.views;
    top_.callables = frame_.callables;
    set_frame(before);
}

template <class T>
void Machine<T>::step() {
    if (++steps_ > most_steps_) throw CannotRun();
}

/// Memory of zeros that stays until the run ends.
template <class T>
std::byte* Machine<T>::memory(std::int64_t count, Element element) {
    if (count < 0 || count > kMostElements) throw CannotRun();
    if (!memory_) memory_ = std::make_unique_for_overwrite<std::byte[]>(kMostMemory);
    constexpr std::size_t kAligned = 16;
    const std::size_t bytes = (static_cast<std::size_t>(count) * bytes_of(element) / kAligned + 1) * kAligned;
    if (used_memory_ + bytes > kMostMemory) throw CannotRun();
    std::byte* const start = &memory_[used_memory_];
    std::memset(start, 0, bytes);
    used_memory_ += bytes;
    return start;
}

template <class T>
bool Machine<T>::compare(const Node& n) {
    // NOLINTBEGIN(misc-redundant-expression): NaN differs from itself
    const auto decide = [&n](auto a, auto b) {
        switch (n.op) {
            case Op::less:
                return a < b;
            case Op::less_equal:
                return a <= b;
            case Op::equal:
                return !(a < b) && !(b < a) && a == a && b == b;
            default:
                return a < b || b < a || a != a || b != b;
        }
    };
    // NOLINTEND(misc-redundant-expression)
    if (node(n.a).type.base == Base::real) return decide(real(n.a), real(n.b));
    return decide(whole(n.a), whole(n.b));
}

template <class T>
std::int64_t Machine<T>::whole_of(const Node& n) {
    switch (n.op) {
        case Op::number:
            return static_cast<std::int64_t>(n.number);
        case Op::add:
            return whole(n.a) + whole(n.b);
        case Op::subtract:
            return whole(n.a) - whole(n.b);
        case Op::multiply:
            return whole(n.a) * whole(n.b);
        case Op::divide:
        case Op::remainder: {
            const std::int64_t a = whole(n.a), b = whole(n.b);
            if (b == 0) throw CannotRun();
            return n.op == Op::divide ? a / b : a % b;
        }
        case Op::negate:
            return -whole(n.a);
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::not_equal:
            return compare(n) ? 1 : 0;
        case Op::logical_and:
            return truth(n.a) && truth(n.b) ? 1 : 0;
        case Op::logical_or:
            return truth(n.a) || truth(n.b) ? 1 : 0;
        case Op::invert:
            return truth(n.a) ? 0 : 1;
        case Op::present:
            return view(n.a).data != nullptr ? 1 : 0;
        case Op::to_whole: {
            const T value = real(n.a);
            if (!(std::abs(value) < kMostWhole)) throw CannotRun();
            return static_cast<std::int64_t>(value);
        }
        case Op::choose:
            return truth(n.a) ? whole(n.b) : whole(n.c);
        case Op::minimum:
            return std::min(whole(n.a), whole(n.b));
        case Op::maximum:
            return std::max(whole(n.a), whole(n.b));
        case Op::absolute:
            return std::abs(whole(n.a));
        case Op::element: {
            const std::byte* const at = element(n);
            if (node(n.a).type.element == Element::byte) return static_cast<std::int64_t>(*at);
            int value = 0;
            std::memcpy(&value, at, sizeof value);
            return value;
        }
        case Op::size: {
            const std::int64_t axis = whole(n.b);
            if (axis < 0 || axis >= kMaxRank) throw CannotRun();
            const Node& of = node(n.a);
            return of.op == Op::local ? view_slot(of.slot).shape[axis] : view(n.a).shape[axis];
        }
        case Op::count: {
            const View of = view(n.a);
            const int rank = node(n.a).type.rank;
            if (rank == 0) return of.room;
            std::int64_t count = 1;
            for (int axis = 0; axis < rank; ++axis) count *= of.shape[axis];
            return count;
        }
        case Op::assign:
            return assign_whole(n);
        case Op::increment:
            return increment(n);
        case Op::call:
            call(n);
            return given_whole_;
        default:
            throw std::logic_error("this node has no whole number");
    }
}

template <class T>
T Machine<T>::real_of(const Node& n) {
    switch (n.op) {
        case Op::number:
            return static_cast<T>(n.number);
        case Op::add: {
            const T a = real(n.a);
            return a + real(n.b);
        }
        case Op::subtract: {
            const T a = real(n.a);
            return a - real(n.b);
        }
        case Op::multiply: {
            const T a = real(n.a);
            return a * real(n.b);
        }
        case Op::divide: {
            const T a = real(n.a);
            return a / real(n.b);
        }
        case Op::negate:
            return -real(n.a);
        case Op::to_real:
            return static_cast<T>(whole(n.a));
        case Op::to_float:
            return static_cast<T>(static_cast<float>(real(n.a)));
        case Op::choose:
            return truth(n.a) ? real(n.b) : real(n.c);
        case Op::minimum: {
            const T a = real(n.a), b = real(n.b);
            return std::min(a, b);
        }
        case Op::maximum: {
            const T a = real(n.a), b = real(n.b);
            return std::max(a, b);
        }
        case Op::absolute:
            return std::abs(real(n.a));
        case Op::exp:
            return std::exp(real(n.a));
        case Op::tanh:
            return std::tanh(real(n.a));
        case Op::erf:
            return std::erf(real(n.a));
        case Op::sin:
            return std::sin(real(n.a));
        case Op::cos:
            return std::cos(real(n.a));
        case Op::sqrt:
            return std::sqrt(real(n.a));
        case Op::log:
            return std::log(real(n.a));
        case Op::floor:
            return std::floor(real(n.a));
        case Op::round:
            return std::round(real(n.a));
        case Op::pow: {
            const T a = real(n.a);
            return std::pow(a, real(n.b));
        }
        case Op::element: {
            T value;
            std::memcpy(&value, element(n), sizeof value);
            return value;
        }
        case Op::assign:
            return assign_real(n);
        case Op::call:
            call(n);
            return given_real_;
        default:
            throw std::logic_error("this node has no real number");
    }
}

template <class T>
std::byte* Machine<T>::element(const Node& n) {
    const Node& of = node(n.a);
    View other;
    const View* view_of = nullptr;
    if (of.op == Op::local) {
        view_of = &view_slot(of.slot);
    } else {
        other = view(n.a);
        view_of = &other;
    }
    std::int64_t offset = 0;
    if (of.type.rank == 0) {
        offset = whole(n.b);
    } else {
        int axis = 0;
        for (std::int32_t index = n.b; index >= 0; index = node(index).next, ++axis) {
            const std::int64_t at = whole(index);
            if (at < 0 || at >= view_of->shape[axis]) throw CannotRun();
            offset = offset * view_of->shape[axis] + at;
        }
    }
    if (view_of->data == nullptr || offset < 0 || offset >= view_of->room) throw CannotRun();
    return view_of->data + static_cast<std::size_t>(offset) * bytes_of(of.type.element);
}

template <class T>
std::int64_t Machine<T>::assign_whole(const Node& n) {
    const std::int64_t value = whole(n.b);
    const Node& target = node(n.a);
    std::int64_t old = 0;
    if (static_cast<Assign>(n.slot) != Assign::set) old = whole(n.a);
    std::int64_t result = value;
    switch (static_cast<Assign>(n.slot)) {
        case Assign::set:
            break;
        case Assign::add:
            result = old + value;
            break;
        case Assign::subtract:
            result = old - value;
            break;
        case Assign::multiply:
            result = old * value;
            break;
        case Assign::divide:
            if (value == 0) throw CannotRun();
            result = old / value;
            break;
    }
    if (target.op == Op::local) return whole_slot(target.slot) = result;
    std::byte* const at = element(target);
    if (node(target.a).type.element == Element::byte) {
        *at = static_cast<std::byte>(static_cast<std::uint8_t>(result));
    } else {
        const int stored = static_cast<int>(result);
        std::memcpy(at, &stored, sizeof stored);
    }
    return result;
}

template <class T>
T Machine<T>::assign_real(const Node& n) {
    const T value = real(n.b);
    const Node& target = node(n.a);
    std::byte* const at =
        target.op == Op::local ? reinterpret_cast<std::byte*>(&real_slot(target.slot)) : element(target);
    T result;
    std::memcpy(&result, at, sizeof result);
    switch (static_cast<Assign>(n.slot)) {
        case Assign::set:
            result = value;
            break;
        case Assign::add:
            result += value;
            break;
        case Assign::subtract:
            result -= value;
            break;
        case Assign::multiply:
            result *= value;
            break;
        case Assign::divide:
            result /= value;
            break;
    }
    std::memcpy(at, &result, sizeof result);
    written_ = at;
    return result;
}

template <class T>
typename Machine<T>::View Machine<T>::make(const Node& n) {
    View made;
    std::int64_t count = 1;
    int axis = 0;
    for (std::int32_t length = n.b; length >= 0; length = node(length).next, ++axis) {
        const std::int64_t at = whole(length);
        if (at < 0 || at > kMostElements) throw CannotRun();
        made.shape[axis] = static_cast<std::int32_t>(at);
        count *= at;
        if (count > kMostElements) throw CannotRun();
    }
    made.room = count;
    if (n.a < 0) {
        made.data = memory(count, n.type.element);
        return made;
    }
    const View from = view(n.a);
    if (from.data != nullptr && count > from.room) throw CannotRun();
    made.data = from.data;
    return made;
}

template <class T>
typename Machine<T>::View Machine<T>::view(std::int32_t k) {
    const Node& n = node(k);
    switch (n.op) {
        case Op::local:
            return view_slot(n.slot);
        case Op::row: {
            const View of = view(n.a);
            const std::int64_t index = whole(n.b);
            if (of.data != nullptr && (index < 0 || index >= of.shape[0])) throw CannotRun();
            View row;
            std::int64_t stride = 1;
            for (int axis = 1; axis < kMaxRank; ++axis) row.shape[axis - 1] = of.shape[axis];
            for (int axis = 0; axis < n.type.rank; ++axis) stride *= row.shape[axis];
            row.room = stride;
            if (of.data != nullptr)
                row.data = of.data + static_cast<std::size_t>(index * stride) * bytes_of(n.type.element);
            return row;
        }
        case Op::make:
            return make(n);
        case Op::offset: {
            View from = view(n.a);
            const std::int64_t by = whole(n.b);
            if (by < 0 || by > from.room) throw CannotRun();
            if (from.data != nullptr) from.data += static_cast<std::size_t>(by) * bytes_of(n.type.element);
            from.room -= by;
            return from;
        }
        case Op::empty:
            return {};
        case Op::choose:
            return truth(n.a) ? view(n.b) : view(n.c);
        case Op::call:
            call(n);
            return given_view_;
        default:
            throw std::logic_error("this node has no view");
    }
}

/// The views of a struct, one after the other.
template <class T>
void Machine<T>::weights(std::int32_t k, View* to) {
    const Node& n = node(k);
    const int count = program_.views_of(n.type);
    if (n.op == Op::local) {
        for (int view_number = 0; view_number < count; ++view_number)
            to[view_number] = view_slot(n.slot + view_number);
    } else if (n.op == Op::list) {
        for (std::int32_t each = n.a; each >= 0; each = node(each).next) *to++ = view(each);
    } else if (n.op == Op::call) {
        call(n);
        std::copy(given_weights_.begin(), given_weights_.end(), to);
    } else if (n.op == Op::choose) {
        weights(truth(n.a) ? n.b : n.c, to);
    } else {
        throw std::logic_error("this node has no struct");
    }
}

/// Evaluates an argument in the running function and stores it in the frame `to`. `next`: the slots that
/// follow.
template <class T>
void Machine<T>::pass(const Node& argument, const ParameterDeclaration* parameter, Frame& to, Frame& next) {
    const auto k = static_cast<std::int32_t>(&argument - frame_.function->nodes.data());
    const Type& type = parameter == nullptr ? argument.type : parameter->type;
    const auto slot = [](int base, int& used) { return static_cast<std::size_t>(base + used++); };
    switch (type.base) {
        case Base::integer:
        case Base::boolean: {
            const std::int64_t value = whole(k);
            wholes_[slot(to.wholes, next.wholes)] = value;
            break;
        }
        case Base::real: {
            const T value = real(k);
            reals_[slot(to.reals, next.reals)] = value;
            break;
        }
        case Base::view: {
            const View value = view(k);
            views_[slot(to.views, next.views)] = value;
            break;
        }
        case Base::weights: {
            weights(k, &views_[static_cast<std::size_t>(to.views + next.views)]);
            next.views += program_.views_of(type);
            break;
        }
        case Base::callable: {
            const Callable value{frame_, argument.slot};
            callables_[slot(to.callables, next.callables)] = value;
            break;
        }
        case Base::nothing:
            break;
    }
}

template <class T>
void Machine<T>::call(const Node& n) {
    const FunctionTree& text = text_of(n.slot, n.first);
    const Declaration& declared = program_.declaration(n.slot);
    const Frame before = frame_;
    // Arguments may call functions, whose slots must lie after those that are being filled.
    const Frame callee = new_frame(n.slot, text);
    Frame to = callee, next;
    std::int32_t argument = n.a;
    if (declared.member_of >= 0) {
        pass(node(argument), nullptr, to, next);
        argument = node(argument).next;
    }
    for (const ParameterDeclaration& parameter : declared.parameters) {
        pass(node(argument), &parameter, to, next);
        argument = node(argument).next;
    }
    set_frame(callee);
    if (recorder_ != nullptr) recorder_->enter_call(n);
    statement(text.root);
    if (recorder_ != nullptr) recorder_->leave_call();
    finish(before);
}

template <class T>
void Machine<T>::call_lambda(const Node& n) {
    const Lambda& lambda = frame_.function->lambdas[static_cast<std::size_t>(n.slot)];
    std::int32_t argument = n.a;
    for (const Symbol& parameter : lambda.parameters) {
        if (parameter.type.base == Base::view)
            view_slot(parameter.slot) = view(argument);
        else if (parameter.type.base == Base::real)
            real_slot(parameter.slot) = real(argument);
        else
            whole_slot(parameter.slot) = whole(argument);
        argument = node(argument).next;
    }
    statement(lambda.body);
}

template <class T>
void Machine<T>::call_parameter(const Node& n) {
    const Callable callable = callables_[static_cast<std::size_t>(frame_.callables + n.slot)];
    const Lambda& lambda = callable.frame.function->lambdas[static_cast<std::size_t>(callable.lambda)];
    std::size_t given = 0;
    for (std::int32_t argument = n.a; argument >= 0; argument = node(argument).next, ++given) {
        if (given >= lambda.parameters.size()) throw CannotRun();
        wholes_[static_cast<std::size_t>(callable.frame.wholes + lambda.parameters[given].slot)] =
            whole(argument);
    }
    const Frame before = frame_;
    set_frame(callable.frame);
    statement(lambda.body);
    set_frame(before);
}

template <class T>
typename Machine<T>::Left Machine<T>::declare(const Node& n) {
    switch (n.type.base) {
        case Base::integer:
        case Base::boolean:
            whole_slot(n.slot) = n.a < 0 ? 0 : whole(n.a);
            break;
        case Base::real:
            real_slot(n.slot) = n.a < 0 ? T(0) : real(n.a);
            break;
        default:
            if (n.b < 0) {
                const View value = view(n.a);
                view_slot(n.slot) = value;
                break;
            }
            // A vector: b elements of value a.
            View vector;
            vector.room = whole(n.b);
            vector.data = memory(vector.room, n.type.element);
            if (n.a >= 0) {
                const T value = real(n.a);
                const auto whole_value = static_cast<int>(n.type.element == Element::real ? T(0) : value);
                for (std::int64_t k = 0; k < vector.room; ++k) {
                    const auto at = static_cast<std::size_t>(k);
                    if (n.type.element == Element::real)
                        std::memcpy(vector.data + at * sizeof(T), &value, sizeof(T));
                    else if (n.type.element == Element::byte)
                        vector.data[at] = static_cast<std::byte>(whole_value);
                    else
                        std::memcpy(vector.data + at * sizeof(int), &whole_value, sizeof(int));
                }
            }
            view_slot(n.slot) = vector;
    }
    return Left::no;
}

template <class T>
void Machine<T>::fill(const Node& n) {
    const View to = view(n.a);
    const std::int64_t count = whole(n.b);
    const T value = real(n.c);
    if (count < 0 || count > to.room || node(n.a).type.element != Element::real) throw CannotRun();
    for (std::int64_t k = 0; k < count; ++k)
        std::memcpy(to.data + static_cast<std::size_t>(k) * sizeof(T), &value, sizeof(T));
    written_ = to.data;
}

template <class T>
void Machine<T>::copy(const Node& n) {
    const View from = view(n.a), end = view(n.b), to = view(n.c);
    const Element element = node(n.a).type.element;
    const std::ptrdiff_t bytes = end.data - from.data;
    const std::int64_t count = bytes / static_cast<std::ptrdiff_t>(bytes_of(element));
    if (bytes < 0 || count > from.room || count > to.room || node(n.c).type.element != element ||
        (bytes > 0 && to.data == nullptr))
        throw CannotRun();
    if (bytes > 0) std::memmove(to.data, from.data, static_cast<std::size_t>(bytes));
    written_ = to.data;
}

template <class T>
typename Machine<T>::Left Machine<T>::loop(const Node& n) {
    if (recorder_ == nullptr) return iterate(n);
    recorder_->enter_loop(n);
    const Left left = iterate(n);
    recorder_->leave_loop();
    return left;
}

template <class T>
typename Machine<T>::Left Machine<T>::iterate(const Node& n) {
    // Nearly all loops are for (int i = ..; i < n; ++i).
    const Node &condition = node(n.b), &next = node(n.c);
    const bool below = condition.op == Op::less && node(condition.a).type.base != Base::real;
    const bool counts = next.op == Op::increment;
    declare(node(n.a));
    while (below ? whole(condition.a) < whole(condition.b) : truth(n.b)) {
        step();
        const Left left = statement(n.d);
        if (left == Left::function) return left;
        if (left == Left::loop) break;
        if (counts)
            increment(next);
        else
            whole(n.c);
    }
    return Left::no;
}

template <class T>
typename Machine<T>::Left Machine<T>::select(const Node& n) {
    const std::int64_t value = whole(n.a);
    bool entered = false;
    for (std::int32_t each = n.b; each >= 0; each = node(each).next) {
        entered = entered || whole(node(each).b) == value;
        if (!entered) continue;
        const Left left = statements(node(each).a);
        if (left == Left::loop) return Left::no;
        if (left == Left::function) return left;
    }
    return Left::no;
}

template <class T>
typename Machine<T>::Left Machine<T>::statements(std::int32_t first) {
    for (std::int32_t k = first; k >= 0; k = node(k).next) {
        if (const Left left = statement(k); left != Left::no) return left;
        if (recorder_ != nullptr) recorder_->after_statement(k);
    }
    return Left::no;
}

template <class T>
typename Machine<T>::Left Machine<T>::statement(std::int32_t k) {
    const Node& n = node(k);
    switch (n.op) {
        case Op::block:
            return statements(n.a);
        case Op::loop:
            return loop(n);
        case Op::while_loop:
            while (truth(n.a)) {
                step();
                const Left left = statement(n.b);
                if (left == Left::function) return left;
                if (left == Left::loop) break;
            }
            return Left::no;
        case Op::if_else:
            if (truth(n.a)) return statement(n.b);
            return n.c < 0 ? Left::no : statement(n.c);
        case Op::select:
            return select(n);
        case Op::declare:
            return declare(n);
        case Op::evaluate:
            switch (const Node& value = node(n.a); value.type.base) {
                case Base::real:
                    real(n.a);
                    break;
                case Base::integer:
                case Base::boolean:
                    whole(n.a);
                    break;
                case Base::view:
                    view(n.a);
                    break;
                default:
                    if (value.op == Op::call) call(value);
                    if (value.op == Op::call_lambda) call_lambda(value);
                    if (value.op == Op::call_parameter) call_parameter(value);
            }
            return Left::no;
        case Op::return_:
            switch (n.type.base) {
                case Base::real:
                    given_real_ = real(n.a);
                    break;
                case Base::integer:
                case Base::boolean:
                    given_whole_ = whole(n.a);
                    break;
                case Base::view:
                    given_view_ = view(n.a);
                    break;
                case Base::weights: {
                    std::vector<View> given(static_cast<std::size_t>(program_.views_of(n.type)));
                    weights(n.a, given.data());
                    given_weights_ = std::move(given);
                    break;
                }
                default:
                    break;
            }
            return Left::function;
        case Op::break_:
            return Left::loop;
        case Op::fill:
            fill(n);
            return Left::no;
        case Op::copy:
            copy(n);
            return Left::no;
        case Op::refuse:
            if (ignores_refusals_) return Left::function;
            throw CannotRun();
        case Op::nothing:
            return Left::no;
        default:
            throw std::logic_error("this node is no statement");
    }
}

template class Machine<float>;
template class Machine<double>;

}  // namespace attn::edits
