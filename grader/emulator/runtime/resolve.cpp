#include <cstdio>
#include <string>

#include "findings.h"

namespace attn::emulator {
namespace {

std::string source_line(const std::string& module, const std::string& offset) {
    const std::string command = "addr2line -i -s -e '" + module + "' " + offset + " 2>/dev/null";
    std::FILE* output = ::popen(command.c_str(), "r");
    if (output == nullptr) return offset;
    std::string found;
    char line[512];
    while (std::fgets(line, sizeof line, output) != nullptr) {
        std::string frame = line;
        frame = frame.substr(0, frame.find_first_of("\n "));
        const std::string file = frame.substr(0, frame.find(':'));
        const bool ours = file.size() > 2 && file.compare(file.size() - 2, 2, ".h") == 0;
        if (found.empty() || !ours) found = frame;
        if (!ours) break;
    }
    ::pclose(output);
    return found;
}

}  // namespace

std::string resolved(const std::string& text) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t mark; (mark = text.find("@{", at)) != std::string::npos;) {
        const std::size_t end = text.find('}', mark), plus = text.rfind('+', end);
        if (end == std::string::npos || plus == std::string::npos || plus < mark) break;
        result += text.substr(at, mark - at);
        result += source_line(text.substr(mark + 2, plus - mark - 2), text.substr(plus + 1, end - plus - 1));
        at = end + 1;
    }
    return result + text.substr(at);
}

}  // namespace attn::emulator
