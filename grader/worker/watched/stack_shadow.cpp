#include "grader/worker/watched/stack_shadow.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include "grader/worker/protocol.h"

namespace attn::worker {
namespace {

constexpr std::uint64_t kGranule = 8, kMargin = std::uint64_t{1} << 20;
constexpr std::uint64_t kBesideVariableLength = 32;  // bytes on each side of an array of variable length
constexpr unsigned char kLeftOfFrame = 0xf1, kBeside = 0xca;
constexpr std::uint64_t kFrameMagic = 0x41b58ab3;

std::uint64_t first_watched = 0, last_watched = 0;  // of the stack

unsigned char* shadow_of(std::uint64_t address) {
    return reinterpret_cast<unsigned char*>((address >> 3) + kShadowOffset);
}

/// Whether one byte may be used.
bool allowed(std::uint64_t address) {
    const unsigned char shadow = *shadow_of(address);
    return shadow == 0 || (shadow < kGranule && address % kGranule < shadow);
}

/// The words at the start of the frame that this address is in; null if there are none.
const std::uint64_t* frame_of(std::uint64_t address) {
    constexpr std::uint64_t kLargestFrame = 1 << 20;
    const std::uint64_t least = std::max(first_watched, address - std::min(address, kLargestFrame));
    std::uint64_t granule = address / kGranule * kGranule;
    while (granule >= least && *shadow_of(granule) != kLeftOfFrame) granule -= kGranule;
    while (granule >= least && *shadow_of(granule) == kLeftOfFrame) granule -= kGranule;
    const auto* words = reinterpret_cast<const std::uint64_t*>(granule + kGranule);
    return granule >= least && words[0] == kFrameMagic ? words : nullptr;
}

struct Local {
    std::uint64_t begin = 0, size = 0;
    char name[64] = {};
    unsigned long line = 0;
};

/// Reads one of the frame's variables, "32 16 3 m:4": its place, its size, the length of its name, the name.
const char* read_local(const char* text, Local& local) {
    char* end = nullptr;
    local.begin = std::strtoull(text, &end, 10);
    local.size = std::strtoull(end, &end, 10);
    const std::size_t length = std::strtoul(end, &end, 10);
    if (*end == ' ') ++end;
    if (std::memchr(end, '\0', length) != nullptr) return "";
    const char* const colon = static_cast<const char*>(std::memchr(end, ':', length));
    const std::size_t letters = colon == nullptr ? length : static_cast<std::size_t>(colon - end);
    std::snprintf(local.name, sizeof local.name, "%.*s", static_cast<int>(std::min<std::size_t>(letters, 63)),
                  end);
    local.line = colon == nullptr ? 0 : std::strtoul(colon + 1, nullptr, 10);
    return end + length;
}

}  // namespace

bool make_stack_shadow(std::uint64_t stack_top, std::uint64_t stack_bytes) {
    constexpr std::uint64_t kUnlimited = std::uint64_t{64} << 20;
    if (stack_bytes == 0 || stack_bytes > kUnlimited) stack_bytes = kUnlimited;
    const std::uint64_t first = stack_top - stack_bytes - kMargin, last = stack_top + kMargin;
    const auto page = [](const unsigned char* p) {
        return reinterpret_cast<std::uint64_t>(p) / kPage * kPage;
    };
    const std::uint64_t from = page(shadow_of(first)), to = page(shadow_of(last)) + kPage;
    void* const wanted = reinterpret_cast<void*>(from);
    if (mmap(wanted, to - from, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != wanted)
        return false;
    first_watched = first;
    last_watched = last;
    return true;
}

bool is_outside_of_locals(std::uint64_t address, std::size_t bytes) {
    if (address < first_watched || address >= last_watched) return false;
    bool outside = false;
    for (std::uint64_t at = address; at < std::min<std::uint64_t>(address + bytes, last_watched);
         at = (at / kGranule + 1) * kGranule)
        outside = outside || !allowed(at);
    return outside || !allowed(std::min<std::uint64_t>(address + bytes, last_watched) - 1);
}

void describe_local(std::uint64_t address, char* text, std::size_t size) {
    std::snprintf(text, size, "outside of its local arrays");
    const std::uint64_t* const frame = frame_of(address);
    if (*shadow_of(address) == kBeside)
        std::snprintf(text, size, "outside of a local array of variable length");
    if (frame == nullptr || frame[1] == 0) return;
    const std::uint64_t at = address - reinterpret_cast<std::uint64_t>(frame);
    const char* words = reinterpret_cast<const char*>(frame[1]);
    char* after = nullptr;
    unsigned long count = std::strtoul(words, &after, 10);
    std::uint64_t nearest = ~std::uint64_t{0};
    for (words = after; count > 0 && *words != '\0'; --count) {
        Local local;
        words = read_local(words, local);
        const bool before = at < local.begin;
        const std::uint64_t distance = before                          ? local.begin - at
                                       : at < local.begin + local.size ? 0
                                                                       : at - local.begin - local.size;
        if (distance >= nearest) continue;
        nearest = distance;
        char place[160];
        std::snprintf(place, sizeof place, "%s of %s, which has %llu bytes",
                      before ? "before the start" : "past the end", local.name,
                      static_cast<unsigned long long>(local.size));
        if (local.line != 0)
            std::snprintf(text, size, "%s (line %lu)%s", place, local.line, "");
        else
            std::snprintf(text, size, "%s", place);
        if (!before && local.size % sizeof(float) == 0) {
            const std::size_t length = std::strlen(text);
            std::snprintf(text + length, size - length, ": byte %llu; as floats, element %llu of %llu",
                          static_cast<unsigned long long>(at - local.begin),
                          static_cast<unsigned long long>((at - local.begin) / sizeof(float)),
                          static_cast<unsigned long long>(local.size / sizeof(float)));
        }
    }
}

void allow_stack(std::uint64_t first, std::uint64_t last) {
    first = std::max(first, first_watched);
    last = std::min(last, last_watched);
    if (first < last) std::memset(shadow_of(first), 0, (last - first) / kGranule);
}

void mark_beside(std::uint64_t array, std::size_t bytes) {
    const std::uint64_t end = array + bytes, after = (end + kBesideVariableLength - 1) /
                                                     kBesideVariableLength * kBesideVariableLength;
    if (array - kBesideVariableLength < first_watched || after + kBesideVariableLength > last_watched) return;
    std::memset(shadow_of(array - kBesideVariableLength), kBeside, kBesideVariableLength / kGranule);
    std::memset(shadow_of(end / kGranule * kGranule), kBeside,
                (after + kBesideVariableLength - end / kGranule * kGranule) / kGranule);
    if (end % kGranule != 0) *shadow_of(end) = static_cast<unsigned char>(end % kGranule);
}

}  // namespace attn::worker
