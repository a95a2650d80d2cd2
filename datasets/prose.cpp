#include "datasets/prose.h"

#include <algorithm>
#include <cstddef>

#include "datasets/files/file_error.h"
#include "datasets/gzip.h"
#include "datasets/shipped.h"

namespace attn::data {

std::string read_text(const std::filesystem::path& path) {
    std::string text = read_gzip(path, "a text");
    std::size_t end = 0;
    for (std::size_t k = 0; k < text.size(); ++k)
        if (text[k] != '\r' || k + 1 == text.size() || text[k + 1] != '\n') text[end++] = text[k];
    text.resize(end);
    const auto wrong =
        std::find_if(text.begin(), text.end(), [](char c) { return (c < ' ' || c > '~') && c != '\n'; });
    if (wrong != text.end())
        throw FileError(path,
                        "line " + std::to_string(1 + std::count(text.begin(), wrong, '\n')) +
                            " has the character " + in_quotes({&*wrong, 1}),
                        "expected printable ASCII characters",
                        "convert the text, for example with iconv -t ascii//TRANSLIT");
    if (text.empty()) throw FileError(path, "no character", "expected a text", "use another file");
    return text;
}

std::string shipped_text() {
    return read_text(shipped("alice.txt.gz"));
}

std::string page_of_text() {
    constexpr std::size_t kCharacters = 1800;
    const std::string text = shipped_text();
    const std::size_t begin = text.find("Alice was beginning");
    const std::size_t end = text.find("\n\n", begin + kCharacters);
    return text.substr(begin, end + 1 - begin);
}

}  // namespace attn::data
