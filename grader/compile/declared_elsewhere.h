#pragma once
/// Which header of the contract declares a name that the compiler does not know.

#include <filesystem>
#include <string>

namespace attn::compile {

/// A line for each such header, or nothing: "write #include "masking.h" for masked_softmax: it belongs to assignment 4".
/// `messages`: what g++ printed. `headers`: the folder with NN_name/name.h. `kernels`: the header for kernels is meant.
std::string declared_elsewhere(const std::string& messages, const std::filesystem::path& headers,
                               bool kernels);

}  // namespace attn::compile
