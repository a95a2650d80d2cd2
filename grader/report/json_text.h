#pragma once
/// JSON as text that is safe in HTML pages and build logs.

#include <string>

#include <nlohmann/json.hpp>

namespace attn::report {

/// Escapes every '<' and every second '#' in a row, so that the text contains no HTML tag and no build-server
/// command "##[..]". NaN and infinity become null. Indented by two spaces, or in one line.
std::string json_text(const nlohmann::ordered_json& json, bool indented = true);

}  // namespace attn::report
