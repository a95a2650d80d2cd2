#pragma once
/// Weaving the edits of one function's body: see weave.h.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/edits/outline.h"
#include "grader/edits/source.h"

namespace attn::edits {

/// One edit, reduced to the tokens that differ. The line of a token of the list of mistakes is negative.
struct Atom {
    int mistake = 0, site = 0;  ///< site: the number of the call for which alone it is made; 0: everywhere
    int first = 0, last = 0;    ///< of the body's tokens
    Tokens text = {};
    Tokens place = {};  ///< the whole text that was found
    int offset = 0;     ///< of `first` in `place`
};

/// What the name of a function ends with where the call with this number is made.
std::string suffix_of_site(int site);

/// Writes tokens as C++ that the compiler reports by the files and lines that they came from.
class LineWriter {
  public:
    LineWriter(const Words& words, std::string file, std::string listed_file)
        : words_(words), file_(std::move(file)), listed_file_(std::move(listed_file)) {}
    void token(const Token& token);
    void text(const std::string& text) { written_ += text; }
    const std::string& written() const { return written_; }

  private:
    const Words& words_;
    std::string file_, listed_file_, written_;
    int line_ = 0;
};

/// Writes the statements `body` with all edits. Adds pairs of mistakes that edit the same
/// text to `conflicts`.
void weave_body(const Words& words, const Tokens& body, const std::vector<Atom>& atoms, LineWriter& to,
                std::set<std::pair<int, int>>& conflicts);

}  // namespace attn::edits
