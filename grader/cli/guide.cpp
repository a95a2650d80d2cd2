#include "grader/cli/guide.h"

#include <cctype>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "grader/base/text_lines.h"

namespace attn::cli {
namespace {

// What the guide calls its example.
constexpr const char *kName = "mean_pooling", *kNumber = "20", *kFolder = "20_mean_pooling";

std::string replaced(std::string text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// "Mean pooling" and "mean pooling" of mean_pooling.
std::string in_words(std::string name, bool capital) {
    for (char& c : name)
        if (c == '_') c = ' ';
    if (capital) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

/// The number where no other digit, letter or point touches it.
std::string with_number(const std::string& text, int number) {
    const auto touches = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    };
    const std::string_view own = kNumber;
    std::string result;
    for (std::size_t k = 0; k < text.size();) {
        const std::size_t end = k + own.size();
        const bool alone = text.compare(k, own.size(), own) == 0 && (k == 0 || !touches(text[k - 1])) &&
                           (end == text.size() || !touches(text[end]) || text[end] == '.');
        result += alone ? std::to_string(number) : std::string(1, text[k]);
        k = alone ? end : k + 1;
    }
    return result;
}

}  // namespace

std::vector<GuideFile> files_of_guide(const std::string& guide) {
    constexpr std::string_view kFence = "```", kFile = " file=";
    std::vector<GuideFile> files;
    bool inside = false;
    for (const std::string& line : lines_in(guide)) {
        if (inside && line == kFence) {
            inside = false;
        } else if (inside) {
            files.back().text += line + "\n";
        } else if (const std::size_t at = line.find(kFile);
                   line.starts_with(kFence) && at != std::string::npos) {
            files.push_back({line.substr(at + kFile.size()), ""});
            inside = true;
        }
    }
    if (files.empty() || inside)
        throw std::runtime_error("the guide to a new assignment has no whole block of code with file=PATH");
    return files;
}

std::vector<GuideFile> renamed(std::vector<GuideFile> files, int number, const std::string& name) {
    const std::string folder = fmt::format("{:02}_{}", number, name);
    for (GuideFile& file : files) {
        file.text = with_number(file.text, number);
        for (std::string* text : {&file.path, &file.text}) {
            *text = replaced(*text, kFolder, folder);
            *text = replaced(*text, kName, name);
        }
        for (const bool capital : {false, true})
            file.text = replaced(file.text, in_words(kName, capital), in_words(name, capital));
    }
    return files;
}

}  // namespace attn::cli
