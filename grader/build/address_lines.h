#pragma once
/// Files and lines of addresses in a student's library.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/sandbox/layers.h"

namespace attn::submission {

/// What is printed for an address: for each frame, innermost first, a line "FILE:LINE", or before it also a
/// line with the function.
enum class Frames { places, functions_and_places };

/// Runs addr2line, which comes with every compiler, for addresses "0x1a2b". The library is untrusted input,
/// so addr2line is confined and limited. Returns its lines for each address that it knows, or nothing if it
/// failed.
std::optional<std::map<std::string, std::string>> lines_of(const std::filesystem::path& library,
                                                           const std::set<std::string>& addresses,
                                                           const worker::Layers& layers, Frames frames);

/// A file of the submission with a line in it.
struct Frame {
    std::string function;  ///< "softmax"
    std::string file;      ///< relative to the submission
    int line = 0;
};

/// The frames in the submission's own files. `printed`: by lines_of(), with functions, for a library whose
/// debug information begins at the submission's folder.
std::vector<Frame> own_frames(const std::string& printed);

}  // namespace attn::submission
