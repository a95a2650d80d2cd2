#pragma once
/// Prints tensors, for looking into a function while it runs:
///
///     #include "print.h"
///     print("E", E);          // E [5, 7] and its numbers
///     print("row", E[2]);     // a view of one row
///     print("sums", sums);    // a std::vector, or a single number
///
/// Large tensors are cut. The report of a failed check shows what was printed. Printing never changes points,
/// up to the limit of printed text (output_kib in the rubric). Kernels use printf.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "tensor.h"

namespace attn {
namespace detail {

constexpr int kPrintedRows = 10, kPrintedColumns = 10, kPrintedSlices = 3;

template <class T>
std::string number_text(T x) {
    char text[32];
    if (std::is_floating_point<T>::value)
        std::snprintf(
            text, sizeof text, "%11.5g",
            std::isnan(static_cast<double>(x)) ? std::fabs(static_cast<double>(x)) : static_cast<double>(x));
    else
        std::snprintf(text, sizeof text, "%5lld", static_cast<long long>(x));
    return text;
}

template <class T>
std::string rows_text(TensorView<T, 1> row) {
    std::string text = " ";
    for (int j = 0; j < std::min(row.size(0), kPrintedColumns); ++j) text += number_text(row(j));
    return text + (row.size(0) > kPrintedColumns ? "  ..\n" : "\n");
}

template <class T>
std::string rows_text(TensorView<T, 2> rows) {
    std::string text;
    for (int i = 0; i < std::min(rows.size(0), kPrintedRows); ++i) text += rows_text(rows[i]);
    return text + (rows.size(0) > kPrintedRows ? "   ..\n" : "");
}

template <class T, int Rank>
std::string tensor_text(const std::string& name, TensorView<T, Rank> tensor) {
    if (!tensor) return name + ": a view of nothing\n";
    int shape[Rank];
    for (int axis = 0; axis < Rank; ++axis) shape[axis] = tensor.size(axis);
    std::string text = name + " " + join(shape, Rank, '[', ']') + "\n";
    if constexpr (Rank <= 2) {
        text += rows_text(tensor);
    } else {
        for (int k = 0; k < std::min(shape[0], kPrintedSlices); ++k)
            text += tensor_text(name + "[" + std::to_string(k) + "]", tensor[k]);
        if (shape[0] > kPrintedSlices) text += name + "[..]\n";
    }
    return text;
}

}  // namespace detail

template <class T, int Rank>
void print(const char* name, TensorView<T, Rank> tensor) {
    std::fputs(detail::tensor_text(name, tensor).c_str(), stdout);
    std::fflush(stdout);
}

template <class T>
void print(const char* name, const std::vector<T>& numbers) {
    print(name, TensorView<const T, 1>(numbers.data(), numbers.size()));
}

template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
void print(const char* name, T number) {
    const std::string text = detail::number_text(number);
    std::printf("%s = %s\n", name, text.c_str() + text.find_first_not_of(' '));
    std::fflush(stdout);
}

}  // namespace attn
