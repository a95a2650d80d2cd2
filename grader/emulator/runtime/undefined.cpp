/// The functions that -fsanitize=bounds,alignment calls, in place of libubsan's.

#include <cstdint>
#include <string>

#include "access_findings.h"
#include "device_state.h"
#include "findings.h"

namespace {

using attn::emulator::device;

// The records that the compiler passes to a check.
struct Source {
    const char* file;
    std::uint32_t line, column;
};
struct Type {
    std::uint16_t kind, info;
    char name[1];
};
struct OutOfBounds {
    Source source;
    const Type* array;
    const Type* index;
};
struct TypeMismatch {
    Source source;
    const Type* type;
    unsigned char alignment;
    unsigned char kind;
};

void out_of_bounds(const OutOfBounds& data, std::uintptr_t index, std::uintptr_t pc) {
    const std::string text = attn::emulator::place_of(pc) + ": " + attn::emulator::running_thread_name() +
                             " uses index " + std::to_string(static_cast<std::int64_t>(index)) +
                             " of an array of type " + data.array->name + ".";
    if (device.thread == nullptr)
        attn::emulator::note("out_of_bounds", std::to_string(pc), text);
    else
        attn::emulator::report_array_index(text, pc);
}

void type_mismatch(const TypeMismatch& data, std::uintptr_t address, std::uintptr_t pc) {
    if (device.thread == nullptr || address == 0) return;
    constexpr unsigned char kStore = 1;
    attn::emulator::report_misaligned(
        address, std::size_t{1} << data.alignment,
        data.kind == kStore ? attn::emulator::Access::kWrite : attn::emulator::Access::kRead, pc);
}

}  // namespace

#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#pragma GCC visibility push(default)
extern "C" {

void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t index) {
    out_of_bounds(*data, index, ATTN_EMULATOR_PC);
}
void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t index) {
    out_of_bounds(*data, index, ATTN_EMULATOR_PC);
}
void __ubsan_handle_type_mismatch_v1(TypeMismatch* data, std::uintptr_t address) {
    type_mismatch(*data, address, ATTN_EMULATOR_PC);
}
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatch* data, std::uintptr_t address) {
    type_mismatch(*data, address, ATTN_EMULATOR_PC);
}

}  // extern "C"
#pragma GCC visibility pop
