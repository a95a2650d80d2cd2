#pragma once
/// Weaves the listed mistakes of an assignment into a copy of its plain loops. In the copy every edited
/// expression is `(made(7) ? (edited) : (original))` and every edited statement
/// `if (made(7)) { edited } else { original }`, so that one compilation serves for every mistake and for
/// every pair. An edit that changes neither a whole expression nor a whole statement is widened to the
/// smallest one around it.

#include <string>
#include <vector>

#include "grader/edits/edit.h"
#include "grader/edits/program.h"
#include "grader/edits/reference_files.h"

namespace attn::edits {

struct Listed {
    std::string file;  ///< mistakes.toml
    std::vector<ListedMistake> mistakes;
};

/// The C++ file with the woven copy. `source`: the path of x.cpp. `files`: it and all files that it needs, in
/// the order of with_others(); `program` has read them. Throws SourceError with the line of mistakes.toml.
std::string woven_source(Program& program, const std::string& source, const std::vector<SourceFile>& files,
                         const Listed& listed);

}  // namespace attn::edits
