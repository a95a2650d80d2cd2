#include "grader/report/platforms/base64.h"

#include <algorithm>
#include <cstdint>

namespace attn::report {

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t kBytes = 3, kCharacters = 4;
    std::string text;
    text.reserve((bytes.size() + kBytes - 1) / kBytes * kCharacters);
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kBytes, bytes.size()))) {
        std::uint32_t group = 0;  // three bytes, padded with zeros at the end
        for (std::size_t k = 0; k < kBytes; ++k)
            group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U);
        for (std::size_t k = 0; k < kCharacters; ++k)
            text += k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

}  // namespace attn::report
