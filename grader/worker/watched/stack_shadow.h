#pragma once
/// The shadow of the stack: for each eight bytes of the stack a byte that says which of them may be used. The
/// compiler writes it when a function begins and ends, in the format of AddressSanitizer.

#include <cstddef>
#include <cstdint>

namespace attn::worker {

/// The shadow byte of an address is at (address >> 3) + kShadowOffset. The compiler gets the same number.
inline constexpr std::uint64_t kShadowOffset = 0x1000'0000'0000;

/// Makes the shadow of a stack. False if its place is taken.
bool make_stack_shadow(std::uint64_t stack_top, std::uint64_t stack_bytes);

/// Whether these bytes of the stack are outside of every local array and variable.
bool is_outside_of_locals(std::uint64_t address, std::size_t bytes);

/// Writes "past the end of m, a local array of 16 bytes (line 12): byte 16" for such an address. Writes
/// "outside of the local arrays" if the frame cannot be read.
void describe_local(std::uint64_t address, char* text, std::size_t size);

/// Allows all bytes from `first` to `last`.
void allow_stack(std::uint64_t first, std::uint64_t last);

/// Marks the places beside an array of variable length.
void mark_beside(std::uint64_t array, std::size_t bytes);

}  // namespace attn::worker
