#pragma once
/// Places in emulated code: where the run time can start no addr2line it writes @{MODULE+0xHEX}, an offset in
/// a module's file, and who can makes multi_head.cu:58 of it.

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::emulator {

/// Whether a frame's file is the course's or the emulator's: a student has no fault to look for there.
inline bool is_ours(std::string_view file) {
    for (const std::string_view folder : {"emulator/include/", "/usr/include/", "/usr/lib/"})
        if (file.find(folder) != std::string_view::npos) return true;
    const std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
    return name == "tensor.h" || name == "device.h";
}

/// "multi_head.cu:58" from what `addr2line -i -e MODULE HEX` says, innermost frame first: the first that
/// is not ours, else the first. Empty where it knows none.
inline std::string choose_frame(std::string_view frames) {
    std::string first;
    while (!frames.empty()) {
        const std::size_t end = frames.find('\n');
        std::string_view frame = frames.substr(0, end);
        frames.remove_prefix(end == std::string_view::npos ? frames.size() : end + 1);
        frame = frame.substr(0, frame.find(' '));  // behind it: (discriminator 3)
        const std::size_t colon = frame.rfind(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view line = frame.substr(colon + 1);
        if (line.empty() || line[0] < '1' || line[0] > '9' || frame.starts_with("??")) continue;
        std::string place(frame.substr(frame.rfind('/') + 1));
        if (!is_ours(frame.substr(0, colon))) return place;
        if (first.empty()) first = place;
    }
    return first;
}

/// The text with each place of it resolved. `run(module, hex)` yields what addr2line says, or nothing.
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
            result += kOpen;  // no place: only looks like one
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
