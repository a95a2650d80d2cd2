#pragma once
/// The lectures' example sentences, and vectors for their words.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assignments/array.h"

namespace attn::data {

struct Sentence {
    /// The name for find_sentence(), unique in its file.
    std::string name;
    /// "en", "fr", "es".
    std::string language;
    /// UTF-8.
    std::string text;
};

/// The sentences of a file, in its order: UTF-8, one line "name<tab>language<tab>text" for each. Empty lines
/// and lines that begin with # are skipped. Throws FileError, with the line number (from 1), if a line does
/// not have three fields, has an empty field, is not UTF-8 or repeats a name; and if there is no sentence.
std::vector<Sentence> read_sentences(const std::filesystem::path& path);

/// The element of `sentences` with this name. Throws std::invalid_argument with the list of names if there is
/// none.
const Sentence& find_sentence(const std::vector<Sentence>& sentences, std::string_view name);

/// The words of the text: split at white space; the full stop at the very end is a token of its own.
std::vector<std::string> tokens(const Sentence& sentence);

/// The tokens of a sentence of lecture_sentences.txt, which the project ships.
std::vector<std::string> lecture_tokens(const std::string& name);

/// A fixed vector for each token, in place of a learned embedding.
///   float [1, N, D], named X   mean about 0, variance about 1: uniform in [-sqrt(3), sqrt(3))
/// Equal tokens have equal rows, in any sentence. The first features of a token do not depend on D, and no
/// bit depends on the platform. Throws std::invalid_argument for D < 1.
Array embed(const std::vector<std::string>& tokens, int D);

}  // namespace attn::data
