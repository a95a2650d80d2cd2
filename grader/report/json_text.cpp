#include "grader/report/json_text.h"

namespace attn::report {

std::string json_text(const nlohmann::ordered_json& json, bool indented) {
    std::string result;
    for (const char c : json.dump(indented ? 2 : -1)) {
        if (c == '<')
            result += "\\u003c";
        else if (c == '#' && result.ends_with('#'))
            result += "\\u0023";
        else
            result += c;
    }
    return result;
}

}  // namespace attn::report
