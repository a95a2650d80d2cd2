/// malloc, free, new and delete in a kernel: memory of the device's heap. On the host they are the C
/// library's.

#include <cstdlib>

#include "cuda_errors.h"
#include "device_memory.h"
#include "device_state.h"
#include "fibre.h"
#include "findings.h"
#include "heap.h"
#include "streams_api.h"

namespace attn::emulator {
namespace {

std::size_t heap_limit = std::size_t{8} << 20;  // as on a GPU

std::string says(const char* what, std::uintptr_t pc) {
    return place_of(pc) + ": " + running_thread_name() + " " + what;
}

void* kernel_allocate(std::size_t size, std::uintptr_t pc) {
    if (size > heap_limit || device_heap_used() > heap_limit - size) return nullptr;
    Allocation* const allocation = heap_allocate(size == 0 ? 1 : size, {});
    if (allocation == nullptr) return nullptr;
    allocation->kernel_pc = pc;
    return reinterpret_cast<void*>(allocation->start);
}

void kernel_free(void* pointer, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    Allocation* const at = allocation_of(address);
    const auto bad = [&](const std::string& why) {
        note("bad_free", std::to_string(pc), says("frees a pointer that ", pc) + why);
    };
    if (at == nullptr || at->kernel_pc == 0)
        bad("did not come from malloc or new in a kernel.");
    else if (at->freed)
        bad("was freed before, in " + freed_place(*at) + ".");
    else if (at->start != address)
        bad("points " + std::to_string(address - at->start) + " bytes behind the one that malloc returned.");
    else
        heap_free(*at, {}, pc);
}

}  // namespace

void* allocate_here(std::size_t size, std::uintptr_t pc) {
    return device.thread == nullptr ? std::malloc(size) : kernel_allocate(size, pc);
}

void free_here(void* pointer, std::uintptr_t pc) {
    if (pointer == nullptr) return;
    if (device.thread != nullptr) {
        kernel_free(pointer, pc);
    } else if (in_heap(reinterpret_cast<std::uintptr_t>(pointer))) {
        note("bad_free", std::to_string(pc),
             place_of(pc) + ": the host frees memory of the device with free or delete. Use cudaFree.");
    } else {
        std::free(pointer);
    }
}

}  // namespace attn::emulator

using namespace attn::emulator;

#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#pragma GCC visibility push(default)
extern "C" {

void* attn_emulator_malloc(std::size_t size) {
    return allocate_here(size, ATTN_EMULATOR_PC);
}
void attn_emulator_free(void* pointer) {
    free_here(pointer, ATTN_EMULATOR_PC);
}

}  // extern "C"
#pragma GCC visibility pop

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (limit == cudaLimitMallocHeapSize) heap_limit = value;
    return sticky_error();
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    constexpr std::size_t kStack = kStackSize, kPrintBuffer = 1 << 20;
    *value = limit == cudaLimitMallocHeapSize ? heap_limit
             : limit == cudaLimitStackSize    ? kStack
                                              : kPrintBuffer;
    return sticky_error();
}
