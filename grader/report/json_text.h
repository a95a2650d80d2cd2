#pragma once
/// JSON as the writers print it.

#include <string>

#include <nlohmann/json.hpp>

namespace attn::report {

/// JSON that can stand in a page or a log as it is: no tag begins in it, no "##[command]"; NaN and infinity
/// are null. Indented by two where `indented`, otherwise in one line.
std::string json_text(const nlohmann::ordered_json& json, bool indented = true);

}  // namespace attn::report
