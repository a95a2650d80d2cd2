/// What an address belongs to, and the pool of cudaMallocAsync.

#include "cuda_errors.h"
#include "device_bits.h"
#include "device_state.h"
#include "heap.h"
#include "host_access_api.h"
#include "memory_api.h"
#include "modules.h"
#include "streams_api.h"

namespace attn::emulator {

bool is_memory(const void* pointer, Memory kind) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const Module* const module = device.launch.module;
    const bool shared = module != nullptr && address - module->shared < module->shared_size;
    const bool global = in_heap(address) || module_of(address) != nullptr;
    switch (kind) {
        case Memory::shared:
            return shared;
        case Memory::global:
            return global && !shared;
        case Memory::local:
            return !global && !shared && pointer != nullptr;
    }
    return false;
}

namespace {

cudaError_t the_pool(cudaMemPool_t* pool, int number) {
    if (number != 0) return record_error(cudaErrorInvalidDevice);
    static char handle;
    *pool = reinterpret_cast<cudaMemPool_t>(&handle);
    return cudaSuccess;
}

}  // namespace
}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
    void* const same = const_cast<void*>(pointer);
    if (at == nullptr || at->freed)
        *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, same};
    else if (at->host == HostAccess::none)
        *attributes = {cudaMemoryTypeDevice, 0, same, nullptr};
    else
        *attributes = {at->host == HostAccess::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, same,
                       same};
    return sticky_error();
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    return the_pool(pool, number);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
    return the_pool(pool, number);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
    return pool == nullptr || value == nullptr ? record_error(cudaErrorInvalidValue) : sticky_error();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return pool == nullptr ? record_error(cudaErrorInvalidValue) : sticky_error();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = *greatest = 0;
    return sticky_error();
}

cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) {
    *number = 0;
    return sticky_error();
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int number, int peer) {
    *can = 0;
    return number == 0 && peer == 0 ? sticky_error() : record_error(cudaErrorInvalidDevice);
}
