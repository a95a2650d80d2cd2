#include <memory>
#include <optional>
#include <stdexcept>

#include <iconv.h>

#include "grader/intake/archive_reader.h"

namespace attn::intake {
namespace {

/// The text in UTF-8; nothing if it is no text in the encoding `from`.
std::optional<std::string> name_in_utf8(std::string_view text, const char* from) {
    iconv_t converter = iconv_open("UTF-8", from);
    if (converter == reinterpret_cast<iconv_t>(-1))
        throw std::runtime_error(std::string("iconv does not know ") + from);
    const std::unique_ptr<void, int (*)(iconv_t)> close(converter, iconv_close);
    constexpr std::size_t kMostBytes = 4;  // of a character
    std::string in(text), out(kMostBytes * text.size(), '\0');
    char *next = in.data(), *to = out.data();
    std::size_t left = in.size(), room = out.size();
    if (iconv(converter, &next, &left, &to, &room) == static_cast<std::size_t>(-1)) return std::nullopt;
    out.resize(out.size() - room);
    return out;
}

}  // namespace

std::string utf8_name(std::string_view name) {
    if (name_in_utf8(name, "UTF-8")) return std::string(name);
    return name_in_utf8(name, "CP850").value_or(std::string(name));
}

}  // namespace attn::intake
