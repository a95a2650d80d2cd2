#include "grader/intake/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attn::intake {

std::string kind_of_file(std::string_view bytes) {
    using std::string_view_literals::operator""sv;
    struct Magic {
        std::string_view bytes;
        const char* name;
    };
    static constexpr std::array kKinds = {Magic{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
                                          Magic{"Rar!\x1a\x07"sv, "a rar archive"},
                                          Magic{"\x28\xb5\x2f\xfd"sv, "compressed by zstd"},
                                          Magic{"\x1f\x9d"sv, "compressed by compress"},
                                          Magic{"!<arch>\n"sv, "a library"},
                                          Magic{"\x7f"
                                                "ELF"sv,
                                                "a program"},
                                          Magic{"%PDF-"sv, "a PDF document"},
                                          Magic{"{\\rtf"sv, "an RTF document"},
                                          Magic{"<!DOCTYPE html"sv, "a web page"},
                                          Magic{"<!doctype html"sv, "a web page"},
                                          Magic{"<html"sv, "a web page"}};
    for (const Magic& kind : kKinds)
        if (bytes.starts_with(kind.bytes)) return kind.name;
    return "";
}

bool is_utf16(std::string_view bytes) {
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
    if (bytes.size() < 4) return false;
    const auto zero = [bytes](std::size_t k) { return bytes[k] == '\0'; };
    return (!zero(0) && zero(1) && !zero(2) && zero(3)) || (zero(0) && !zero(1) && zero(2) && !zero(3));
}

std::string source_language(std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::string_view kHidden = ".txt";
    if (lower.ends_with(kHidden)) lower.resize(lower.size() - kHidden.size());
    if (lower.ends_with(".cu")) return "cu";
    for (const char* ending : {".cpp", ".cc", ".cxx", ".c++", ".c"})
        if (lower.ends_with(ending)) return "cpp";
    return "";
}

std::string why_no_source(std::string_view bytes) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    if (bytes.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos)
        return "is empty; hand in the file as you saved it";
    if (is_utf16(bytes)) return "is UTF-16 text, which compilers do not read; save it as UTF-8";
    std::string kind = kind_of_file(bytes);
    if (kind.empty() && bytes.starts_with("PK\x03\x04")) kind = "a zip archive or an office document";
    if (kind.empty() && bytes.starts_with("\x1f\x8b")) kind = "compressed by gzip";
    if (kind.empty() && bytes.find('\0') != std::string_view::npos) kind = "a binary file";
    return kind.empty() ? "" : "is " + kind + ", no text of C++; hand in the source";
}

}  // namespace attn::intake
