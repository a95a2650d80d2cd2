#include <regex>

#include "grader/classes/downloads/layout.h"

namespace attn::classes {

std::optional<MoodleName> moodle_name(const std::string& text) {
    static const std::string kMiddle = "_assignsubmission_";
    static const std::regex front(R"(^(.*)_(\d+)$)"), back(R"(^([a-z]+)(?:_(.*))?$)");
    const std::size_t middle = text.find(kMiddle);
    if (middle == std::string::npos) return std::nullopt;
    MoodleName name;
    name.student = text.substr(0, middle);
    const std::string behind = text.substr(middle + kMiddle.size());
    std::smatch found;
    if (!std::regex_match(name.student, found, front)) return std::nullopt;
    name.name = found[1];
    name.id = found[2];
    if (!std::regex_match(behind, found, back)) return std::nullopt;
    name.plugin = found[1];
    name.rest = found[2];
    return name;
}

std::optional<CanvasName> canvas_name(const std::string& text, bool anonymous) {
    static const std::regex file(R"(^((.*?)_(LATE_)?(\d+))_(\d+)_(.+)$)"),
        no_file(R"(^((.*?)_(LATE_)?(\d+))_(?:text|link)\.html$)"),
        // Canvas writes LATE in front of "anon"; earlier versions wrote it after.
        anonymous_file(R"(^((?:(LATE_)anon|anon_(LATE)|anon)_([0-9A-Za-z]+))_(\d+)_(.+)$)"),
        anonymous_no_file(R"(^((?:(LATE_)anon|anon_(LATE)|anon)_([0-9A-Za-z]+))_(?:text|link)\.html$)");
    std::smatch found;
    const bool has_file = std::regex_match(text, found, anonymous ? anonymous_file : file);
    if (!has_file && !std::regex_match(text, found, anonymous ? anonymous_no_file : no_file))
        return std::nullopt;
    CanvasName name;
    name.student = found[1];
    name.id = found[4];
    name.late = found[3].matched || (anonymous && found[2].matched);
    if (!anonymous) name.name = found[2];
    if (has_file) {
        name.attachment = found[5];
        name.file = found[6];
    }
    return name;
}

}  // namespace attn::classes
