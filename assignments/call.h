#pragma once
/// Calling a function of the contract with arguments that are known only at run time. How that is done
/// follows from the function's type alone: there is no adapter to write for a new function.

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

/// What one parameter of a function is.
struct Parameter {
    bool tensor = false;  ///< else an option: a number by value
    bool output = false;  ///< a tensor that the function writes
    ElementType type = ElementType::f32;
    int rank = 0;  ///< of a tensor
};

/// What one argument of a call is: a tensor (data null: an optional one that is absent) or an option's
/// number.
struct Argument {
    ElementType type = ElementType::f32;
    std::int32_t rank = 0;
    std::int32_t shape[kMaxRank] = {};
    void* data = nullptr;
    double number = 0;
};

/// A call that does not fit the function's type. The caller's fault, never the function's.
class CallError : public std::logic_error {
    using std::logic_error::logic_error;
};

namespace detail {

template <class P>
struct Convert {  // an option
    static Parameter parameter() { return {false, false, element_type_of<P>(), 0}; }
    static P from(const Argument& a) {
        if (a.rank != 0) throw CallError("an option was expected and a tensor given");
        return static_cast<P>(std::is_enum_v<P> ? static_cast<double>(static_cast<int>(a.number)) : a.number);
    }
};

template <class T, int Rank>
struct Convert<TensorView<T, Rank>> {
    static Parameter parameter() { return {true, !std::is_const_v<T>, element_type_of<T>(), Rank}; }
    static TensorView<T, Rank> from(const Argument& a) {
        if (a.rank != Rank || a.type != element_type_of<T>()) {
            throw CallError(std::string("a tensor of ") + std::to_string(Rank) + " axes of " +
                            name_of(element_type_of<T>()) + " was expected, one of " +
                            std::to_string(a.rank) + " axes of " + name_of(a.type) + " given");
        }
        return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
            return TensorView<T, Rank>(static_cast<T*>(a.data), a.shape[Axis]...);
        }
        (std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
    }
};

}  // namespace detail

/// The parameters of a function type, in order.
template <class... P>
std::vector<Parameter> parameters_of(void (*)(P...)) {
    return {detail::Convert<P>::parameter()...};
}

/// f(arguments[0], arguments[1], ..). Throws CallError where number, type or rank differ; whatever f throws.
template <class... P>
void call(void (*f)(P...), const Argument* arguments, int count) {
    if (count != static_cast<int>(sizeof...(P))) {
        throw CallError("the function takes " + std::to_string(sizeof...(P)) + " arguments, " +
                        std::to_string(count) + " were given");
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        f(detail::Convert<P>::from(arguments[I])...);
    }
    (std::index_sequence_for<P...>{});
}

}  // namespace attn
