#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "access_findings.h"
#include "device_state.h"

namespace attn::emulator {
namespace {

std::map<std::string, std::vector<std::vector<std::string>>>& names() {
    static auto* const instance = new std::map<std::string, std::vector<std::vector<std::string>>>;
    return *instance;
}

/// "softmax" of "attn::softmax<float, 4>".
std::string plain_name(std::string kernel) {
    kernel.resize(std::min(kernel.find('<'), kernel.size()));
    while (!kernel.empty() && (kernel.back() == ' ' || kernel.back() == ')')) kernel.pop_back();
    const std::size_t before = kernel.find_last_of(": (");
    return before == std::string::npos ? kernel : kernel.substr(before + 1);
}

}  // namespace

void name_parameters(const char* kernel, const char* list) {
    std::vector<std::string> words(1);
    for (; *list != '\0'; ++list) {
        if (*list == ',')
            words.emplace_back();
        else
            words.back() += *list;
    }
    names()[kernel].push_back(words);
}

std::string parameter_name(std::size_t argument) {
    const detail::Request& request = device.launch.request;
    std::string found;
    for (const auto& words : names()[plain_name(request.name)]) {
        if (words.size() != request.argument_count) continue;
        if (!found.empty() && found != words[argument]) return {};  // another kernel of the same name
        found = words[argument];
    }
    return found;
}

}  // namespace attn::emulator
