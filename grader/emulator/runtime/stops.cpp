#include <string>

#include "access_findings.h"
#include "assert.h"
#include "attn_emulator.h"
#include "device_state.h"

namespace attn::emulator {
namespace {

std::string list(const int* numbers, int count, char open, char close) {
    std::string text(1, open);
    for (int k = 0; k < count; ++k) text += (k != 0 ? ", " : "") + std::to_string(numbers[k]);
    return text + close;
}

}  // namespace

void kernel_assert_failed(const char* expression, const char* file, int line) {
    if (device.thread == nullptr) return;
    end_launch("kernel_assert", place_name(file, line),
               place_name(file, line) + ": " + running_thread_name() + ": assertion " + expression +
                   " does not hold.",
               cudaErrorAssert);
}

void index_error(const int* index, const int* shape, int rank, const void* data) {
    if (device.thread == nullptr) return;
    const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const std::string name = data == nullptr ? "" : argument_name(reinterpret_cast<std::uintptr_t>(data), 1);
    std::string text = place_of(pc) + ": " + running_thread_name() + " asks for element " +
                       list(index, rank, '(', ')') + " of " + (name.empty() ? "a tensor" : name) + " " +
                       list(shape, rank, '[', ']');
    if (data == nullptr) text += ", a view without memory";
    for (int axis = 0; axis < rank && data != nullptr; ++axis) {
        if (index[axis] >= 0 && index[axis] < shape[axis]) continue;
        text += "; index " + std::to_string(index[axis]) +
                (shape[axis] == 0 ? " is on an empty axis"
                                  : " goes from 0 to " + std::to_string(shape[axis] - 1));
        break;
    }
    const auto number = static_cast<std::uint64_t>(block_index.x) * block_size.x + thread_index.x;
    for (int axis = 0; axis < rank; ++axis)
        if (index[axis] >= shape[axis] && static_cast<std::uint64_t>(index[axis]) == number) {
            text += ". This is thread number " + std::to_string(number) +
                    " of the grid: a bounds check (if (i < n)) is missing";
            break;
        }
    end_launch("outside_of_tensor", std::to_string(pc) + device.launch.request.name, text + ".",
               cudaErrorIllegalAddress);
}

}  // namespace attn::emulator
