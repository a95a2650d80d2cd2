#pragma once
/// For tests: makes npy files byte by byte.

#include <string>

namespace attn::data {

/// An npy file: magic string, version, length of the header, header, numbers.
inline std::string file_of(const std::string& header, const std::string& numbers, int major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(major);
    bytes += '\0';
    for (int k = 0; k < (major == 1 ? 2 : 4); ++k) bytes += static_cast<char>(header.size() >> 8 * k & 255);
    return bytes + header + numbers;
}

/// A header as NumPy writes it, without padding.
inline std::string header_of(const std::string& descr, const std::string& shape,
                             const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

}  // namespace attn::data
