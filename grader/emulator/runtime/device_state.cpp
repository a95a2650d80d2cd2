#include "device_state.h"

#include <cstring>
#include <utility>

#include "modules.h"

namespace attn::emulator {

Device device;

uint3 thread_index, block_index, block_size, grid_size;

namespace {

std::uint64_t order_state = 1;

}  // namespace

void seed_order(std::uint64_t seed) {
    order_state = seed;
}

std::uint32_t random_below(std::uint32_t n) {
    // SplitMix64: small, fast, and the same with every standard library.
    std::uint64_t z = (order_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<std::uint32_t>((z >> 32) * n >> 32);
}

std::string triple(unsigned x, unsigned y, unsigned z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string thread_name(unsigned id) {
    const dim3& size = device.launch.block;
    return triple(id % size.x, id / size.x % size.y, id / size.x / size.y);
}

std::string block_name(std::uint32_t linear) {
    const dim3& size = device.launch.grid;
    return triple(linear % size.x, linear / size.x % size.y, linear / size.x / size.y);
}

std::string running_thread_name() {
    if (device.thread == nullptr) return "the host";
    return "thread " + thread_name(device.thread->id) + " of block " +
           triple(block_index.x, block_index.y, block_index.z) + " of kernel " + device.launch.request.name;
}

std::string place_name(const char* file, int line) {
    const char* slash = std::strrchr(file, '/');
    return std::string(slash == nullptr ? file : slash + 1) + ":" + std::to_string(line);
}

std::string place_name(const Place& place) {
    return place_name(place.file_name(), static_cast<int>(place.line()));
}

bool same_place(const Place& a, const Place& b) {
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

std::string place_of(std::uintptr_t pc) {
    const Module* module = module_of(pc);
    // The kernel's last call may be a jump, which leaves no return address in the kernel.
    if (module == nullptr && device.running)
        return "in the kernel launched in " +
               place_name(device.launch.request.file, device.launch.request.line);
    char text[32];
    std::snprintf(text, sizeof text, "0x%lx",
                  static_cast<unsigned long>(module ? pc - 1 - module->bias : pc - 1));
    if (module == nullptr) return text;
    return "@{" + module->file + "+" + text + "}";
}

}  // namespace attn::emulator
