// The switch between two fibres: our own on x86-64, Boost.Context's on other processors. Boost's costs ten
// times as much on x86-64, because it saves the floating-point modes, which kernels do not change.

#include "fibre.h"

#if defined(__x86_64__)

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

void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)()) {
    constexpr std::size_t kSavedRegisters = 6;
    auto* top = reinterpret_cast<std::uintptr_t*>(stack_top(stack, colour));
    *--top = 0;  // the return address of entry, which never returns
    *--top = reinterpret_cast<std::uintptr_t>(entry);
    return top - kSavedRegisters;
}

}  // namespace attn::emulator

#else

#include <boost/context/detail/fcontext.hpp>

namespace attn::emulator {
namespace {

using boost::context::detail::transfer_t;

/// What a new fibre runs. All fibres run the same function.
void (*entry_of_fibres)();

/// Stores the context of the fibre that switched to this one, where that fibre asked for it.
void store_context(const transfer_t& arrived) {
    *static_cast<void**>(arrived.data) = arrived.fctx;
}

void begin(transfer_t arrived) {
    store_context(arrived);
    entry_of_fibres();
}

}  // namespace

void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)()) {
    entry_of_fibres = entry;
    return boost::context::detail::make_fcontext(reinterpret_cast<void*>(stack_top(stack, colour)),
                                                 kStackSize, begin);
}

}  // namespace attn::emulator

extern "C" void attn_emulator_switch(void** from, void* to) {
    attn::emulator::store_context(boost::context::detail::jump_fcontext(to, from));
}

#endif
