#pragma once
/// What a file is, by its first bytes.

#include <string>
#include <string_view>

namespace attn::intake {

/// What a file is that is none of the archives that are read: "a rar archive". Empty if it is not known.
std::string kind_of_file(std::string_view bytes);

/// Why a file is no source that a compiler could read, as the end of a sentence: "is UTF-16 text, ..; save it as UTF-8".
/// Empty if it is text.
std::string why_no_source(std::string_view bytes);

/// "cpp" for the name of a C++ source, "cu" for CUDA, in any case and spelling: "a.CPP", "a.cc", and "a.cpp.txt", which
/// Windows shows as "a.cpp". Empty for other names.
std::string source_language(std::string_view name);

/// Recognizes UTF-16 by its byte order mark, or by two ASCII characters at the start.
bool is_utf16(std::string_view bytes);

}  // namespace attn::intake
