#pragma once
/// The words of messages: the names of threads, places, memory and parameters.

#include <cstddef>
#include <cstdint>
#include <string>

#include "device_state.h"
#include "shadow.h"

namespace attn::emulator {

/// Names for messages: triple(3, 0, 0), thread_name and block_name are "(3,0,0)"; running_thread_name is
/// "thread (3,0,0) of block (0,1,0) of kernel softmax", or "the host".
std::string triple(unsigned x, unsigned y, unsigned z);
std::string thread_name(unsigned id);
std::string block_name(std::uint32_t linear);
std::string running_thread_name();

/// place_name is "softmax.cu:12"; place_of is "@{MODULE+0xHEX}" for the call that returns to `pc`.
std::string place_name(const Place& place);
std::string place_name(const char* file, int line);
std::string place_of(std::uintptr_t pc);

/// True if both are the same call in the source.
bool same_place(const Place& a, const Place& b);

/// "reads", "writes", "updates atomically".
std::string does(Access access);

/// "element 3 of tile", "elements 4 to 7 of x (4000 bytes from a.cu:7)".
std::string memory_name(std::uintptr_t address, std::size_t size);

/// The name of a parameter of the running kernel. Empty if it is not known.
std::string parameter_name(std::size_t argument);

/// "x", or "argument 2 of the kernel" if its name is not known: the first argument that points into
/// [start, start + size). Empty if there is none.
std::string argument_name(std::uintptr_t start, std::size_t size);

/// The running kernel's parameter that is a null pointer. Empty if there is none, if there are several, or if its
/// name is not known.
std::string null_parameter();

/// "x (4000 bytes from a.cu:7)"; the place is that of the cudaMalloc.
std::string allocation_name(const Allocation& allocation);

}  // namespace attn::emulator
