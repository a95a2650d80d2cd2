#pragma once
/// The lectures' example sentences, and vectors for their words.

#include <filesystem>
#include <string>
#include <vector>

#include "assignments/array.h"

namespace attn::data {

struct Sentence {
    /// By which find_sentence finds it, unique in its file.
    std::string name;
    /// "en", "fr", "es".
    std::string language;
    /// UTF-8.
    std::string text;
};

/// The sentences of a file, in its order: a line "name<tab>language<tab>text" each, UTF-8. Empty lines and
/// those that begin with # are passed over. Throws FileError, with the number of the line (from 1), where a
/// line has not three fields or an empty one, is not UTF-8 or takes a name again; and where there is no
/// sentence at all.
std::vector<Sentence> read_sentences(const std::filesystem::path& path);

/// The sentence of that name, inside `sentences`. Throws std::invalid_argument, which lists the names that
/// exist.
const Sentence& find_sentence(const std::vector<Sentence>& sentences, const std::string& name);

/// The words of the text: split at white space; the full stop at the very end is a token of its own.
std::vector<std::string> tokens(const Sentence& sentence);

/// A fixed vector for each token, in place of a learned embedding.
///   float [1, N, D], named X   mean about 0, variance about 1: uniform in [-sqrt(3), sqrt(3))
/// Equal tokens have equal rows, whatever stands around them, and a row of less features is the beginning of
/// one of more; no bit depends on the platform. Throws std::invalid_argument for D < 1.
Array embed(const std::vector<std::string>& tokens, int D);

}  // namespace attn::data
