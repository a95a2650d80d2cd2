#pragma once
/// Calls a function of the contract with arguments that are known only at run time. The conversion follows
/// from the function's type, so a new function needs no adapter.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor.h"

namespace attn {

enum class ElementType : std::int32_t { f32, f64, u8, i32 };

inline const char* name_of(ElementType type) {
    constexpr const char* kNames[] = {"float32", "float64", "uint8", "int32"};
    return kNames[static_cast<int>(type)];
}

template <class T>
constexpr ElementType element_type_of() {
    using U = std::remove_const_t<T>;
    static_assert(std::is_same_v<U, float> || std::is_same_v<U, double> || std::is_same_v<U, std::uint8_t> ||
                      std::is_same_v<U, int> || std::is_enum_v<U> || std::is_same_v<U, bool>,
                  "functions of the contract take views of float, double or uint8 and options of type float, "
                  "double, int, bool or an enum");
    if constexpr (std::is_same_v<U, float>) return ElementType::f32;
    if constexpr (std::is_same_v<U, double>) return ElementType::f64;
    if constexpr (std::is_same_v<U, std::uint8_t>) return ElementType::u8;
    return ElementType::i32;
}

inline constexpr int kMaxRank = 4;

/// A parameter of a function.
struct Parameter {
    bool tensor = false;  ///< otherwise an option: a number by value
    bool output = false;  ///< a tensor that the function writes
    ElementType type = ElementType::f32;
    int rank = 0;  ///< for a tensor
};

/// An argument of a call: a tensor or the number of an option. For an optional tensor that is absent, data is
/// null.
struct Argument {
    ElementType type = ElementType::f32;
    std::int32_t rank = 0;
    std::int32_t shape[kMaxRank] = {};
    void* data = nullptr;
    double number = 0;
};

/// The arguments do not fit the function's type. This is an error of the caller, not of the function.
class CallError : public std::logic_error {
    using std::logic_error::logic_error;
};

namespace detail {

template <class P>
struct Convert;

/// The arguments that are not used yet. A conversion to a type takes one argument, or one for each member of
/// a struct. What does not fit is remembered, and finish() tells it, so that it is written once for all types.
class Reader {
  public:
    Reader(const Argument* arguments, int count) : arguments_(arguments), count_(count) {}
    template <class P>
    operator P() {  // NOLINT(google-explicit-constructor): initialising a struct converts to its members
        return Convert<P>::read(*this);
    }
    const Argument& tensor(ElementType type, int rank) {
        const Argument& a = next();
        if (taken_ > count_ || (a.rank == rank && a.type == type) || !error_.empty()) return a;
        error_ = std::string("a tensor of ") + std::to_string(rank) + " axes of " + name_of(type) +
                 " was expected, one of " + std::to_string(a.rank) + " axes of " + name_of(a.type) + " given";
        return a;
    }
    double number() {
        const Argument& a = next();
        if (a.rank != 0 && error_.empty()) error_ = "an option was expected and a tensor given";
        return a.number;
    }
    /// Throws CallError unless the arguments were as many as the function takes, and of its types.
    void finish() const {
        if (taken_ != count_) {
            throw CallError("the function takes " + std::to_string(taken_) + " arguments, " +
                            std::to_string(count_) + " were given");
        }
        if (!error_.empty()) throw CallError(error_);
    }

  private:
    const Argument& next() {
        static const Argument none;
        return taken_++ < count_ ? arguments_[taken_ - 1] : none;
    }

    const Argument* arguments_;
    int count_, taken_ = 0;
    std::string error_;
};

/// An argument of any type, for counting the members of a struct.
struct Anything {
    template <class P>
    operator P() const;  // NOLINT(google-explicit-constructor)
};

template <class P, int>
using Repeated = P;

/// Calls f with as many integral constants as the struct P has members.
template <class P, int... K, class F>
constexpr auto with_members_of(std::integer_sequence<int, K...>, F f) {
    if constexpr (requires { P{Repeated<Anything, K>{}..., Anything{}}; })
        return with_members_of<P>(std::make_integer_sequence<int, sizeof...(K) + 1>{}, f);
    else
        return f(std::integral_constant<int, K>{}...);
}

template <class P>
struct Convert {  // an option
    static void describe(std::vector<Parameter>& all) {
        all.push_back({false, false, element_type_of<P>(), 0});
    }
    static P read(Reader& reader) {
        const double number = reader.number();
        return static_cast<P>(std::is_enum_v<P> ? static_cast<double>(static_cast<int>(number)) : number);
    }
};

template <class T, int Rank>
struct Convert<TensorView<T, Rank>> {
    static void describe(std::vector<Parameter>& all) {
        all.push_back({true, !std::is_const_v<T>, element_type_of<T>(), Rank});
    }
    static TensorView<T, Rank> read(Reader& reader) {
        const Argument& a = reader.tensor(element_type_of<T>(), Rank);
        T* const data = static_cast<T*>(a.data);
        if constexpr (Rank == 1) return {data, a.shape[0]};
        if constexpr (Rank == 2) return {data, a.shape[0], a.shape[1]};
        if constexpr (Rank == 3) return {data, a.shape[0], a.shape[1], a.shape[2]};
        if constexpr (Rank == 4) return {data, a.shape[0], a.shape[1], a.shape[2], a.shape[3]};
    }
};

/// A struct of tensors and numbers counts as its members, one after the other.
template <class P>
requires(std::is_class_v<P>&& std::is_aggregate_v<P>) struct Convert<P> {
    /// Initialises a member of P. The conversion that the compiler chooses tells the member's type.
    struct Describer {
        std::vector<Parameter>& all;
        template <class Member>
        operator Member() const {  // NOLINT(google-explicit-constructor)
            Convert<Member>::describe(all);
            return {};
        }
    };
    static void describe(std::vector<Parameter>& all) {
        with_members_of<P>(std::integer_sequence<int>{},
                           [&all](auto... k) { (void)P{(static_cast<void>(k), Describer{all})...}; });
    }
    static P read(Reader& reader) {
        return with_members_of<P>(std::integer_sequence<int>{},
                                  [&reader](auto... k) { return P{(static_cast<void>(k), reader)...}; });
    }
};

/// Calls f while it is initialised, if all arguments fitted.
template <class... P>
struct Calling {
    Calling(void (*f)(P...), const Reader& reader, std::decay_t<P>... argument) {
        reader.finish();
        f(argument...);
    }
};

}  // namespace detail

/// The parameters of a function type, in order. The members of a struct take its place.
template <class... P>
std::vector<Parameter> parameters_of(void (*)(P...)) {
    std::vector<Parameter> all;
    (detail::Convert<std::decay_t<P>>::describe(all), ...);
    return all;
}

/// f(arguments[0], arguments[1], ..). A parameter that is a struct of tensors and numbers (by value or const
/// reference) takes an argument for each member. Throws CallError if number, type or rank differ.
/// Exceptions of f pass through.
template <class... P>
void call(void (*f)(P...), const Argument* arguments, int count) {
    detail::Reader reader(arguments, count);
    // With braces the arguments are read from left to right.
    detail::Calling<P...>{f, reader, detail::Convert<std::decay_t<P>>::read(reader)...};
}

}  // namespace attn
