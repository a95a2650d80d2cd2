#include "grader/contract/layout.h"

#include <string_view>

namespace attn::contract {

std::string listed(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

std::string wrapped(const std::string& head, const std::vector<std::string>& words, const std::string& tail,
                    std::size_t more) {
    constexpr std::size_t kWidth = 110;
    const std::string indent(head.size() - (head.rfind('\n') + 1) + more, ' ');
    std::string text, line = head;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const bool last = k + 1 == words.size();
        const std::string word = words[k] + (last ? tail : ",");
        const bool first_in_line = line.size() == head.size();
        if (!first_in_line && line.size() + 1 + word.size() > kWidth) {
            text += line + "\n";
            line = indent + word;
        } else {
            line += (first_in_line ? "" : " ") + word;
        }
    }
    return text + line + (words.empty() ? tail : "");
}

std::vector<std::string> declared_parameters(const Function& function) {
    std::vector<std::string> all;
    for (const Parameter& parameter : function.parameters)
        all.push_back(parameter.type + " " + parameter.name());
    return all;
}

std::string with_number(std::string type, const std::string& number) {
    constexpr std::string_view kFloat = "float";
    if (const std::size_t place = type.find(kFloat); place != std::string::npos)
        type.replace(place, kFloat.size(), number);
    return type;
}

std::vector<std::string> parameter_names(const Function& function) {
    std::vector<std::string> all;
    for (const Parameter& parameter : function.parameters) all.push_back(parameter.name());
    return all;
}

std::string written_from(const Contract& contract, const std::string& what) {
    return "// Written by the build from " + contract.path + ": " + what + "\n\n";
}

std::string path_in_assignments(const Contract& contract) {
    const std::size_t file = contract.path.rfind('/');
    const std::size_t folder =
        file == std::string::npos || file == 0 ? std::string::npos : contract.path.rfind('/', file - 1);
    return folder == std::string::npos ? contract.path : contract.path.substr(folder + 1);
}

}  // namespace attn::contract
