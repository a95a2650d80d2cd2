#pragma once
/// The header of an .npy file: a magic string, a version, a length and a Python dictionary literal.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "assignments/array.h"

namespace attn::data {

struct NpyHeader {
    /// Byte order, kind and size in bytes of an element, such as "<f4".
    std::string descr;
    /// True if the first index varies fastest (column-major order).
    bool fortran_order = false;
    Shape shape;
    /// Bytes of the file before its numbers.
    std::size_t size = 0;
};

/// Parses the header at the start of `bytes`, the contents of the file at `path`; versions 1.0, 2.0 and 3.0.
/// White space, the order of the keys, the kind of quotes and the last comma may vary. Throws FileError if
/// the header is malformed or truncated. Does not check whether the element type and the size are supported.
NpyHeader parse_npy_header(const std::filesystem::path& path, std::string_view bytes);

/// The header of version 1.0 for row-major numbers, padded to a multiple of 64 bytes.
std::string encode_npy_header(const std::string& descr, const Shape& shape);

}  // namespace attn::data
