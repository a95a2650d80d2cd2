#pragma once
/// Edits of the plain loops' text. A mistake is a list of edits.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/edits/machine.h"
#include "grader/edits/program.h"

namespace attn::edits {

/// Replaces the tokens [first, last) of a function's body by others. If `caller` is given, only what this
/// function calls at the token `call` of its body is edited.
struct Edit {
    int function = 0;
    int first = 0, last = 0;
    Tokens text;
    int caller = -1, call = -1;
};

/// An edit as its author wrote it.
struct WrittenEdit {
    std::string function;
    std::string place;    ///< a text that occurs once in the function's body, or * for all of it
    std::string becomes;  ///< what the student wrote there
    std::string call;     ///< if not empty: "caller: text of the call" whose callee alone is edited
    int line = 0;         ///< of the list of mistakes, in which `becomes` begins
};

/// What is said of a mistake that the grader knows.
struct MistakeWords {
    std::string name, when, hint;
};

/// A mistake and how it is made.
struct ListedMistake : MistakeWords {
    std::vector<WrittenEdit> edits;
};

/// Finds the place. `file`: where the functions stand that the names mean. Throws SourceError if there is no
/// such function, or if the place does not occur in it exactly once.
Edit locate(Program& program, const std::string& file, const WrittenEdit& written);

/// Functions with edits.
class EditedFunctions {
  public:
    /// Makes all edits. Throws SourceError if a text cannot be read afterwards.
    EditedFunctions(const Program& program, std::span<const Edit> edits);
    std::span<const Replacement> replacements() const { return replacements_; }

  private:
    std::vector<std::unique_ptr<FunctionTree>> functions_;
    std::vector<Replacement> replacements_;
};

/// Whether edits exclude each other: two change the same text, or one edits a function everywhere and another
/// at one call.
bool conflict(std::span<const Edit> edits);

}  // namespace attn::edits
