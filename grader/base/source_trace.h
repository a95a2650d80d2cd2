#pragma once
/// Where in a student's files a call failed.

#include <string>
#include <vector>

namespace attn {

struct SourceLine {
    std::string file;  ///< relative to the submission
    int line = 0;
    std::string function;  ///< "softmax"
    std::string text;      ///< the line itself
};

struct SourceTrace {
    std::string what;               ///< a sentence, if more is known than the outcome's message says
    std::vector<SourceLine> lines;  ///< innermost first, then its callers
};

}  // namespace attn
