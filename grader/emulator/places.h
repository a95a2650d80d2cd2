#pragma once
/// Places in emulated code. A run time that must not start addr2line writes @{MODULE+0xHEX}, an offset in a
/// module's file. resolve() turns that into a line such as multi_head.cu:58 later.

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::emulator {

/// Whether a frame's file belongs to the course or the emulator, so that a student need not look there.
inline bool is_course_file(std::string_view file) {
    for (const std::string_view folder : {"emulator/include/", "/usr/include/", "/usr/lib/"})
        if (file.find(folder) != std::string_view::npos) return true;
    const std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
    return name == "tensor.h" || name == "device.h";
}

/// "multi_head.cu:58" from the output of `addr2line -i -e MODULE HEX`, innermost frame first: the first frame
/// outside the course's files, or else the first. Empty where addr2line knows none.
inline std::string choose_frame(std::string_view frames) {
    std::string first;
    while (!frames.empty()) {
        const std::size_t end = frames.find('\n');
        std::string_view frame = frames.substr(0, end);
        frames.remove_prefix(end == std::string_view::npos ? frames.size() : end + 1);
        frame = frame.substr(0, frame.find(' '));  // "(discriminator 3)" may follow
        const std::size_t colon = frame.rfind(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view line = frame.substr(colon + 1);
        if (line.empty() || line[0] < '1' || line[0] > '9' || frame.starts_with("??")) continue;
        std::string place(frame.substr(frame.rfind('/') + 1));
        if (!is_course_file(frame.substr(0, colon))) return place;
        if (first.empty()) first = place;
    }
    return first;
}

/// The text with each of its places resolved. `run(module, hex)` returns the output of addr2line, or an empty
/// string.
template <class Run>
std::string resolve(std::string_view text, const Run& run) {
    constexpr std::string_view kOpen = "@{";
    std::string result;
    for (;;) {
        const std::size_t open = text.find(kOpen);
        result += text.substr(0, open);
        if (open == std::string_view::npos) return result;
        const std::size_t close = text.find('}', open);
        const std::string_view inside = close == std::string_view::npos
                                            ? ""
                                            : text.substr(open + kOpen.size(), close - open - kOpen.size());
        const std::size_t plus = inside.rfind("+0x");
        if (plus == std::string_view::npos || inside.find_first_of("\n{") != std::string_view::npos) {
            result += kOpen;  // no place, only similar
            text.remove_prefix(open + kOpen.size());
            continue;
        }
        const std::string module(inside.substr(0, plus)), hex(inside.substr(plus + 1));
        const std::string place = choose_frame(run(module, hex));
        result += place.empty() ? "somewhere in " + module.substr(module.rfind('/') + 1) : place;
        text.remove_prefix(close + 1);
    }
}

}  // namespace attn::emulator
