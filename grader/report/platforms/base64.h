#pragma once
/// Base64 encoding: RFC 4648, section 4.

#include <string>
#include <string_view>

namespace attn::report {

std::string base64(std::string_view bytes);

}  // namespace attn::report
