#pragma once
/// Files and lines of addresses in a student's library.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/sandbox/layers.h"

namespace attn::compile {

/// A place of a trace (worker/watched/watched_code.h), "@{/proc/self/fd/8+0x1a2b}": the library, as a number
/// of worker::Worker::libraries(), and the address in it.
struct Address {
    std::size_t library;
    std::string address;
};

std::vector<Address> addresses_in(std::string_view trace);

/// A line without the white space around it, cut if it is long.
std::string shown_line(std::string line);

/// What is printed for an address: for each frame, innermost first, a line "FILE:LINE", or before it also a
/// line with the function.
enum class Frames { places, functions_and_places };

/// Runs addr2line, which comes with every compiler, for addresses "0x1a2b". The library is untrusted input,
/// so addr2line is confined and limited. Returns its lines for each address that it knows, or nothing if it
/// failed.
std::optional<std::map<std::string, std::string>> lines_of(const std::filesystem::path& library,
                                                           const std::set<std::string>& addresses,
                                                           const worker::Layers& layers, Frames frames);

/// Runs objdump, which comes with every compiler, for the code from one address to another; confined like
/// addr2line. Returns the instructions by address: "vaddss %xmm1,%xmm0,%xmm0". Empty if it failed.
std::map<std::uint64_t, std::string> instructions_in(const std::filesystem::path& library, std::uint64_t from,
                                                     std::uint64_t to, const worker::Layers& layers);

/// A file of the submission with a line in it.
struct Frame {
    std::string function;  ///< "softmax"
    std::string file;      ///< relative to the submission
    int line = 0;
};

/// The frames in the submission's own files. `printed`: by lines_of(), with functions, for a library whose
/// debug information begins at the submission's folder.
std::vector<Frame> own_frames(const std::string& printed);

}  // namespace attn::compile
