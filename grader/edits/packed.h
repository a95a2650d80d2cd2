#pragma once
/// The plain loops of an assignment and its listed mistakes as the build packs them: a table of
/// words and numbers. A grader that is given to students must not contain the reference's text, so everything
/// is an index into a sorted list of words.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/edits/edit.h"
#include "grader/edits/program.h"
#include "grader/edits/source.h"

namespace attn::edits {

struct PackedFile {
    std::string path;
    Tokens tokens;
};

/// What is packed, before and after.
struct Content {
    std::vector<ListedMistake> mistakes;
    std::vector<PackedFile> files;  ///< x.cpp, in which the mistakes' functions are looked up, comes last
};

/// The source of a C++ file that registers the content of the assignment `name`.
std::string packed_source(const std::string& name, const Words& words, const Content& content);

/// Registers what the build packed, at program start.
struct Packed {
    Packed(const char* name, std::span<const char* const> words, std::span<const std::uint16_t> data);
};

/// The mistakes of an assignment that are listed as edits, in their order.
std::vector<MistakeWords> listed_mistakes(const std::string& assignment);
/// Their edits in packed_program(), in the same order. Empty if the plain loops could not be packed.
std::vector<std::vector<Edit>> listed_edits(const std::string& assignment);

/// The plain loops of all assignments, ready to be edited. Each thread has its own, because making an edit
/// adds words.
Program& packed_program();

}  // namespace attn::edits
