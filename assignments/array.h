#pragma once
/// Array: a named tensor that owns its numbers and has a shape known at run time. Files, the worker's
/// protocol and the judge use Arrays. The course's functions access them through a TensorView.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "call.h"
#include "tensor.h"

namespace attn {

using Shape = std::vector<int>;

/// "[2, 3, 5]"
inline std::string to_string(const Shape& shape) {
    return detail::join(shape.data(), static_cast<int>(shape.size()), '[', ']');
}

/// Number of elements of a shape; 1 for the shape []. Throws std::invalid_argument for a negative length, and
/// for more than 2^48 elements.
inline std::size_t element_count(const Shape& shape) {
    constexpr std::size_t kMost = std::size_t{1} << 48;
    std::size_t count = 1;
    for (const int length : shape) {
        if (length < 0 || (length > 0 && count > kMost / static_cast<std::size_t>(length)))
            throw std::invalid_argument("no array has the shape " + to_string(shape));
        count *= static_cast<std::size_t>(length);
    }
    return count;
}

class Array {
  public:
    /// Element types: float for the course's functions, double for the reference, uint8 for masks, int32 for
    /// lengths.
    using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint8_t>,
                                std::vector<std::int32_t>>;

    Array() = default;
    template <class T>
    Array(std::string called, Shape shaped, std::vector<T> numbers)
        : name(std::move(called)), shape(std::move(shaped)), values(std::move(numbers)) {
        if (const std::size_t given = as<T>().size(); given != element_count(shape)) {
            throw std::invalid_argument("Array " + name + ": shape " + attn::to_string(shape) +
                                        " does not hold " + std::to_string(given) + " values");
        }
    }

    /// An array of zeros.
    template <class T>
    static Array zeros(std::string called, Shape shaped) {
        const std::size_t count = element_count(shaped);
        return Array(std::move(called), std::move(shaped), std::vector<T>(count));
    }

    template <class T>
    std::vector<T>& as() {
        return std::get<std::vector<T>>(values);
    }
    template <class T>
    const std::vector<T>& as() const {
        return std::get<std::vector<T>>(values);
    }

    std::size_t count() const { return element_count(shape); }
    std::size_t bytes() const {
        return std::visit([](const auto& v) { return v.size() * sizeof(v[0]); }, values);
    }
    const void* data() const {
        return std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, values);
    }
    void* data() { return const_cast<void*>(std::as_const(*this).data()); }

    /// The same numbers as elements of another type.
    template <class T>
    Array cast() const {
        return std::visit(
            [this](const auto& v) { return Array(name, shape, std::vector<T>(v.begin(), v.end())); }, values);
    }

    /// A typed view of the numbers. Throws std::invalid_argument if the rank differs.
    template <class T, int Rank>
    TensorView<T, Rank> view() {
        return make_view<T, Rank>(as<T>().data());
    }
    template <class T, int Rank>
    TensorView<const T, Rank> view() const {
        return make_view<const T, Rank>(as<T>().data());
    }

    std::string name;
    Shape shape;
    Values values;

  private:
    template <class T, int Rank>
    TensorView<T, Rank> make_view(T* start) const {
        if (static_cast<int>(shape.size()) != Rank)
            throw std::invalid_argument("Array " + name + " of shape " + attn::to_string(shape) +
                                        " does not have " + std::to_string(Rank) + " axes");
        return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
            return TensorView<T, Rank>(start, shape[Axis]...);
        }
        (std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
    }
};

using Arrays = std::vector<Array>;

inline ElementType type_of(const Array& array) {
    return std::visit([](const auto& v) { return element_type_of<std::decay_t<decltype(v[0])>>(); },
                      array.values);
}

/// Element k as a double.
inline double number_at(const Array& array, std::size_t k) {
    return std::visit([k](const auto& v) { return static_cast<double>(v[k]); }, array.values);
}

/// An array of zeros of an element type known at run time.
inline Array zeros_of(ElementType type, std::string name, Shape shape) {
    switch (type) {
        case ElementType::f32:
            return Array::zeros<float>(std::move(name), std::move(shape));
        case ElementType::f64:
            return Array::zeros<double>(std::move(name), std::move(shape));
        case ElementType::u8:
            return Array::zeros<std::uint8_t>(std::move(name), std::move(shape));
        case ElementType::i32:
            return Array::zeros<std::int32_t>(std::move(name), std::move(shape));
    }
    throw std::invalid_argument("Array " + name + ": no such element type");
}

}  // namespace attn
