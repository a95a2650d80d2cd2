#include "grader/worker/watched/watched_code.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>

#include "grader/worker/bytes_of.h"
#include "grader/worker/heap/guarded_heap.h"
#include "grader/worker/watched/stack_shadow.h"

namespace attn::worker {
namespace {

/// A global array as the compiler describes it.
struct Global {
    std::uint64_t start, size, size_with_space;
    const char* name;
    const char* file;
    std::uint64_t is_dynamic;
    const void* place;
    std::uint64_t indicator;
};

constexpr std::size_t kMostGlobals = 1024;
std::array<const Global*, kMostGlobals> globals;
std::size_t global_count = 0;
std::uint64_t globals_begin = std::numeric_limits<std::uint64_t>::max(),
              globals_end = 0;  ///< with the space behind them

std::uint64_t stack_end = 0;
const Request* running = nullptr;
void (*report_to)(const WatchedAccess& found) = nullptr;
bool reported = false;

void report(const WatchedAccess& found) {
    if (report_to == nullptr || reported) return;
    reported = true;
    report_to(found);
}

const char* verb_of(Access access) {
    return access == Access::write ? "wrote" : "read";
}

// The pages of the arrays of the call, and the array that was accessed last: most accesses are to the same one.
std::uint64_t arrays_begin = 0, arrays_end = 0;
std::size_t last_array = 0;

std::span<const WireArgument> arrays_of_call() {
    if (running == nullptr) return {};
    return {running->arguments, static_cast<std::size_t>(std::clamp(running->count, 0, kMaxArguments))};
}

bool is_on_pages_of(const WireArgument& wire, std::uint64_t address) {
    return wire.argument.data != nullptr && address >= wire.address &&
           address < wire.address + wire.pages * kPage;
}

/// Whether the bytes are on the pages of an array of the call but outside of the array.
bool is_beside_array(std::uint64_t address, std::size_t bytes) {
    if (address < arrays_begin || address >= arrays_end) return false;
    const auto arrays = arrays_of_call();
    std::size_t found =
        last_array < arrays.size() && is_on_pages_of(arrays[last_array], address) ? last_array : 0;
    while (found < arrays.size() && !is_on_pages_of(arrays[found], address)) ++found;
    if (found == arrays.size()) return false;
    last_array = found;
    const auto start = reinterpret_cast<std::uint64_t>(arrays[found].argument.data);
    return address < start || address + bytes > start + bytes_of(arrays[found].argument);
}

const Global* global_beside(std::uint64_t address, std::size_t bytes) {
    if (address < globals_begin || address >= globals_end) return nullptr;
    for (std::size_t k = 0; k < global_count; ++k) {
        const Global& global = *globals[k];
        if (address + bytes > global.start + global.size && address < global.start + global.size_with_space &&
            address >= global.start)
            return globals[k];
    }
    return nullptr;
}

void check(std::uint64_t address, std::size_t bytes, Access access) {
    if (report_to == nullptr || bytes == 0 || reported) return;
    static char text[400], place[300];
    if (is_outside_of_locals(address, bytes)) {
        describe_local(address, place, sizeof place);
        std::snprintf(text, sizeof text, "It %s %s.", verb_of(access), place);
        return report({address, access, text});
    }
    if (is_beside_array(address, bytes)) return report({address, access, ""});
    text[0] = '\0';
    describe_heap_access(address, bytes, verb_of(access), text, sizeof text);
    if (text[0] != '\0') return report({address, access, text});
    if (const Global* const global = global_beside(address, bytes)) {
        std::snprintf(text, sizeof text, "It %s past the end of %.100s, which has %llu bytes: byte %llu.",
                      verb_of(access), global->name, static_cast<unsigned long long>(global->size),
                      static_cast<unsigned long long>(address - global->start));
        return report({address, access, text});
    }
}

void found_undefined(const char* text) {
    report({0, Access::unknown, text});
}

}  // namespace

void begin_watching(std::uint64_t stack_top, std::uint64_t stack_bytes,
                    void (*report)(const WatchedAccess& found)) {
    stack_end = stack_top;
    make_stack_shadow(stack_top, stack_bytes);
    trace_here();  // the first use of the unwinder loads what it needs
    report_to = report;
}

void watch_arrays(const Request* request) {
    running = request;
    arrays_begin = std::numeric_limits<std::uint64_t>::max();
    arrays_end = 0;
    for (const WireArgument& wire : arrays_of_call()) {
        if (wire.argument.data == nullptr) continue;
        arrays_begin = std::min(arrays_begin, wire.address);
        arrays_end = std::max(arrays_end, wire.address + wire.pages * kPage);
    }
}

}  // namespace attn::worker

// The functions that the compiler calls. NOLINTBEGIN(bugprone-reserved-identifier): it gives them these names.
extern "C" {

using attn::worker::Access;

#define ATTN_WATCHED_SIZE(bytes)                                \
    void __asan_load##bytes##_noabort(std::uint64_t address);   \
    void __asan_load##bytes##_noabort(std::uint64_t address) {  \
        attn::worker::check(address, bytes, Access::read);      \
    }                                                           \
    void __asan_store##bytes##_noabort(std::uint64_t address);  \
    void __asan_store##bytes##_noabort(std::uint64_t address) { \
        attn::worker::check(address, bytes, Access::write);     \
    }
ATTN_WATCHED_SIZE(1)
ATTN_WATCHED_SIZE(2)
ATTN_WATCHED_SIZE(4)
ATTN_WATCHED_SIZE(8)
ATTN_WATCHED_SIZE(16)
#undef ATTN_WATCHED_SIZE

void __asan_loadN_noabort(std::uint64_t address, std::size_t bytes);
void __asan_loadN_noabort(std::uint64_t address, std::size_t bytes) {
    attn::worker::check(address, bytes, Access::read);
}
void __asan_storeN_noabort(std::uint64_t address, std::size_t bytes);
void __asan_storeN_noabort(std::uint64_t address, std::size_t bytes) {
    attn::worker::check(address, bytes, Access::write);
}

/// Before a function that does not return: the frames above it end without cleaning their shadow.
void __asan_handle_no_return();
void __asan_handle_no_return() {
    attn::worker::allow_stack(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)),
                              attn::worker::stack_end);
}

void __asan_alloca_poison(std::uint64_t address, std::size_t bytes);
void __asan_alloca_poison(std::uint64_t address, std::size_t bytes) {
    attn::worker::mark_beside(address, bytes);
}
void __asan_allocas_unpoison(std::uint64_t top, std::uint64_t bottom);
void __asan_allocas_unpoison(std::uint64_t top, std::uint64_t bottom) {
    if (top != 0 && top <= bottom) attn::worker::allow_stack(top, bottom);
}

void __asan_register_globals(const attn::worker::Global* first, std::size_t count);
void __asan_register_globals(const attn::worker::Global* first, std::size_t count) {
    using namespace attn::worker;
    for (std::size_t k = 0; k < count && global_count < kMostGlobals; ++k) {
        globals[global_count++] = first + k;
        globals_begin = std::min(globals_begin, first[k].start);
        globals_end = std::max(globals_end, first[k].start + first[k].size_with_space);
    }
}
void __asan_unregister_globals(const attn::worker::Global* first, std::size_t count);
void __asan_unregister_globals(const attn::worker::Global*, std::size_t) {}
void __asan_before_dynamic_init(const char* file);
void __asan_before_dynamic_init(const char*) {}
void __asan_after_dynamic_init();
void __asan_after_dynamic_init() {}

#define ATTN_UNDEFINED(name, sentence)           \
    void __ubsan_handle_##name();                \
    void __ubsan_handle_##name() {               \
        attn::worker::found_undefined(sentence); \
    }
ATTN_UNDEFINED(add_overflow, "A sum of integers is too large for its type.")
ATTN_UNDEFINED(sub_overflow, "A difference of integers is too large for its type.")
ATTN_UNDEFINED(mul_overflow, "A product of integers is too large for its type.")
ATTN_UNDEFINED(negate_overflow, "The negative of an integer is too large for its type.")
ATTN_UNDEFINED(missing_return, "It reached the end of a function that has to return a value.")
ATTN_UNDEFINED(builtin_unreachable, "It reached code that must not be reached.")
ATTN_UNDEFINED(vla_bound_not_positive, "It made a local array whose length is not positive.")
#undef ATTN_UNDEFINED

/// `data`: the place in the source, then the type of the array: two numbers and its name, "'float [4]'".
void __ubsan_handle_out_of_bounds(const void* data, std::uint64_t index);
void __ubsan_handle_out_of_bounds(const void* data, std::uint64_t index) {
    struct Data {
        const char* file;
        std::uint32_t line, column;
        const char* array_type;
    };
    static char text[300];
    std::snprintf(text, sizeof text, "It used index %lld of an array of type %.100s.",
                  static_cast<long long>(index), static_cast<const Data*>(data)->array_type + 4);
    attn::worker::found_undefined(text);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
