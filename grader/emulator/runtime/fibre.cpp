#include "fibre.h"

#include <new>
#include <vector>

#include <sys/mman.h>

// Boost's contexts cost ten times as much, because they save the floating-point modes, which kernels do not
// change.
__asm__(
    ".text\n"
    ".globl attn_emulator_switch\n"
    ".hidden attn_emulator_switch\n"
    ".type attn_emulator_switch, @function\n"
    "attn_emulator_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  popq %rcx\n"
    "  jmp *%rcx\n"
    ".size attn_emulator_switch, .-attn_emulator_switch\n");

namespace attn::emulator {
namespace {

constexpr std::size_t kSavedRegisters = 6;
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

void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)()) {
    auto* top = reinterpret_cast<std::uintptr_t*>(stack + kStackSize - colour * 192 % 4096 / 16 * 16);
    *--top = 0;  // the return address of entry, which never returns
    *--top = reinterpret_cast<std::uintptr_t>(entry);
    return top - kSavedRegisters;
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
