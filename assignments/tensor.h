#pragma once
/// The type of all inputs and outputs of the course's functions.
///
///     TensorView<const float, 2> X    // N x D numbers to read
///     X(i, j)                         // row i, column j
///     X.size(0), X.size(1)            // N, D
///     Q[b]                            // batch b of a [B, N, D] view: itself a view, [N, D]
///
/// A view owns nothing: it is a pointer and a shape over dense row-major numbers. It works in plain C++17 and
/// in CUDA kernels alike. In debug builds (and whenever the grader compiles a submission) every access is
/// checked; ATTN_BOUNDS_CHECK=0 or 1 decides otherwise.

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>

#if defined(__CUDACC__)
#define ATTN_HOST_DEVICE __host__ __device__
#elif defined(ATTN_EMULATOR)  // inlined, so that an error has the kernel's line
#define ATTN_HOST_DEVICE __attribute__((always_inline))
#else
#define ATTN_HOST_DEVICE
#endif

#if !defined(ATTN_BOUNDS_CHECK)
#if defined(NDEBUG)
#define ATTN_BOUNDS_CHECK 0
#else
#define ATTN_BOUNDS_CHECK 1
#endif
#endif

#if defined(ATTN_EMULATOR)
namespace attn::emulator {
/// Reports an access outside of a tensor when kernels run on the CPU. In a kernel it ends the launch. On the
/// host it returns.
void index_error(const int* index, const int* shape, int rank, const void* data);
}  // namespace attn::emulator
#endif

namespace attn {

/// Thrown by a checked access outside of a tensor. `data` is the start of the view that was indexed.
class IndexError : public std::out_of_range {
  public:
    IndexError(const char* what, const void* data) : std::out_of_range(what), data_(data) {}
    const void* data() const noexcept { return data_; }

  private:
    const void* data_;
};

namespace detail {

/// "[2, 3, 5]", with the brackets `open` and `close`.
inline std::string join(const int* numbers, int count, char open, char close) {
    std::string text(1, open);
    for (int k = 0; k < count; ++k) text += (k ? ", " : "") + std::to_string(numbers[k]);
    return text + close;
}

/// Appends "(2, 3, 5)" to a text of `length` characters in a buffer of `room` bytes. Returns the new length.
inline int append(char* text, int room, int length, const int* numbers, int count, char open, char close) {
    for (int k = 0; k < count && length < room; ++k)
        length += std::snprintf(text + length, static_cast<std::size_t>(room - length), "%s%c%d",
                                k ? "," : "", k ? ' ' : open, numbers[k]);
    if (length < room)
        length += std::snprintf(text + length, static_cast<std::size_t>(room - length), "%c", close);
    return length;
}

// Every file that uses a tensor compiles this function again. With sums of std::string it took a third of the
// compile time.
[[noreturn]] inline void throw_index_error(const int* index, const int* shape, int rank, const void* data) {
    constexpr int kRoom = 320;  // for four axes of ten digits, twice, and the words
    char text[kRoom] = "element ";
    int length = append(text, kRoom, 8, index, rank, '(', ')');
    length += std::snprintf(text + length, static_cast<std::size_t>(kRoom - length), " of ");
    length = append(text, kRoom, length, shape, rank, '[', ']');
    bool empty = true;
    int outside = -1;
    for (int axis = rank - 1; axis >= 0; --axis) {
        empty = empty && shape[axis] == 0;
        if (index[axis] < 0 || index[axis] >= shape[axis]) outside = axis;
    }
    const auto room = static_cast<std::size_t>(kRoom - length);
    if (data == nullptr)
        std::snprintf(text + length, room, "; %s",
                      empty ? "this is a view of nothing: an output that is not wanted"
                            : "there is no memory behind this view");
    else if (outside >= 0 && shape[outside] == 0)
        std::snprintf(text + length, room, "; this axis is empty");
    else if (outside >= 0)
        std::snprintf(text + length, room, "; index %d goes from 0 to %d", outside, shape[outside] - 1);
    throw IndexError(text, data);
}

}  // namespace detail

/// A dense row-major array of `Rank` axes that the view does not own.
///   T     float, double, ..; const where the function may only read
///   Rank  1 to 4
template <class T, int Rank>
class TensorView {
    static_assert(Rank >= 1 && Rank <= 4, "TensorView has 1 to 4 axes");

  public:
    using Element = T;
    static constexpr int kRank = Rank;

    /// An empty view. An optional output that the caller does not want is an empty view.
    constexpr TensorView() = default;

    /// A view of the `sizes[0] * sizes[1] * ..` numbers that start at `data`.
    template <class... Sizes, class = std::enable_if_t<sizeof...(Sizes) == Rank>>
    ATTN_HOST_DEVICE constexpr TensorView(T* data, Sizes... sizes)
        : data_(data), shape_{static_cast<int>(sizes)...} {}

    /// Reading is always allowed: a view of float is also a view of const float.
    template <class U, class = std::enable_if_t<std::is_same<const U, T>::value>>
    ATTN_HOST_DEVICE constexpr TensorView(const TensorView<U, Rank>& other) : data_(other.data()) {
        for (int axis = 0; axis < Rank; ++axis) shape_[axis] = other.size(axis);
    }

    /// False for an empty view: `if (A) A(i, j) = ..`.
    ATTN_HOST_DEVICE constexpr explicit operator bool() const { return data_ != nullptr; }

    ATTN_HOST_DEVICE constexpr T* data() const { return data_; }

    /// Length of one axis.
    ATTN_HOST_DEVICE constexpr int size(int axis) const { return shape_[axis]; }

    /// Number of elements.
    ATTN_HOST_DEVICE constexpr std::ptrdiff_t count() const {
        std::ptrdiff_t product = 1;
        for (int axis = 0; axis < Rank; ++axis) product *= shape_[axis];
        return product;
    }

    /// One element. In debug builds throws IndexError (on a GPU: prints and traps) outside of the shape.
    template <class... Index>
    ATTN_HOST_DEVICE constexpr T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank, "give one index for each axis");
        const int at[] = {static_cast<int>(index)...};
        check(at);
        std::ptrdiff_t offset = 0;
        for (int axis = 0; axis < Rank; ++axis) offset = offset * shape_[axis] + at[axis];
        return data_[offset];
    }

    /// The view of one index of the first axis: one batch, one head, one row.
    ATTN_HOST_DEVICE constexpr TensorView<T, Rank == 1 ? 1 : Rank - 1> operator[](int index) const {
        static_assert(Rank > 1, "a view of one axis has elements, not sub-views: write x(i)");
        int first[Rank] = {index};
        for (int axis = 1; axis < Rank; ++axis) first[axis] = 0;
        if (count() > 0) check(first);
        TensorView<T, Rank == 1 ? 1 : Rank - 1> view;
        std::ptrdiff_t stride = 1;
        for (int axis = 1; axis < Rank; ++axis) stride *= view.shape_[axis - 1] = shape_[axis];
        view.data_ = data_ == nullptr ? nullptr : data_ + index * stride;
        return view;
    }

  private:
    template <class, int>
    friend class TensorView;

    ATTN_HOST_DEVICE constexpr void check([[maybe_unused]] const int* index) const {
#if ATTN_BOUNDS_CHECK
        bool inside = data_ != nullptr;
        for (int axis = 0; axis < Rank; ++axis)
            inside = inside && index[axis] >= 0 && index[axis] < shape_[axis];
        if (inside) return;
#if defined(__CUDA_ARCH__) && !defined(ATTN_EMULATOR)  // the emulator defines both
        for (int axis = 0; axis < Rank; ++axis)
            printf("tensor.h: outside of a tensor: index %d is %d, its axis has %d elements\n", axis,
                   index[axis], shape_[axis]);
        __trap();
#else
#if defined(ATTN_EMULATOR)
        emulator::index_error(index, shape_, Rank, data_);
#endif
        detail::throw_index_error(index, shape_, Rank, data_);
#endif
#endif
    }

    T* data_ = nullptr;
    int shape_[Rank] = {};
};

}  // namespace attn
