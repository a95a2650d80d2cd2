#pragma once
/// English prose: Lewis Carroll, Alice's Adventures in Wonderland.

#include <filesystem>
#include <string>

namespace attn::data {

/// A text of printable ASCII characters and line ends. The file is compressed by gzip, or plain text; "\r\n"
/// counts as a line end. Throws FileError if it cannot be read or is damaged, if it is empty, and for the
/// first other character, with its line (from 1).
std::string read_text(const std::filesystem::path& path);

/// The book that the project ships: 143,041 characters, 69 different ones.
std::string shipped_text();

/// A page of it, about 1,800 characters: whole paragraphs of the first chapter. The same in every run.
std::string page_of_text();

}  // namespace attn::data
