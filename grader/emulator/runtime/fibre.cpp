#include "fibre.h"

#include <new>
#include <vector>

#include <sys/mman.h>

namespace attn::emulator {
namespace {

constexpr std::size_t kSpareStack = 256 << 10;

struct Pool {
    std::vector<std::uintptr_t> all, idle;
};

Pool& pool() {
    static auto* const instance = new Pool;
    return *instance;
}

}  // namespace

std::uintptr_t take_stack() {
    Pool& stacks = pool();
    if (stacks.idle.empty()) {
        void* memory = ::mmap(nullptr, kGuardSize + kStackSize, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        ::mprotect(memory, kGuardSize, PROT_NONE);
        stacks.all.push_back(reinterpret_cast<std::uintptr_t>(memory) + kGuardSize);
        stacks.idle.push_back(stacks.all.back());
    }
    const std::uintptr_t stack = stacks.idle.back();
    stacks.idle.pop_back();
    return stack;
}

void return_stack(std::uintptr_t stack) {
    pool().idle.push_back(stack);
}

std::uintptr_t stack_top(std::uintptr_t stack, std::size_t colour) {
    constexpr std::size_t kApart = 192, kWithin = 4096, kAlignment = 16;
    return stack + kStackSize - colour * kApart % kWithin / kAlignment * kAlignment;
}

bool in_a_guard(std::uintptr_t address) {
    for (const std::uintptr_t stack : pool().all)
        if (address >= stack - kGuardSize && address < stack) return true;
    return false;
}

std::uintptr_t spare_stack_top() {
    alignas(64) static char spare[kSpareStack];
    return reinterpret_cast<std::uintptr_t>(spare) + kSpareStack;
}

}  // namespace attn::emulator
