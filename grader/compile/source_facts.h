#pragma once
/// What the grader has to know of a student's texts. The functions here read them, each in time that is
/// proportional to the text. The grader does not call them: it asks the reader (source_reader.h), which runs
/// in the compiler's sandbox.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::compile {

/// The headers that a file includes before any other code, as written: <vector>, "masking.h".
std::vector<std::string> leading_includes(std::string_view text);

/// All headers that a file includes, with < > or quotes, even under an #if. Returns nothing if the file may
/// read files by other means: a macro in an #include, __has_include, .incbin in an asm statement. Any unusual
/// text is assumed to do so.
std::optional<std::vector<std::string>> all_includes(std::string_view text);

/// Whether a source has a statement other than the (void).. of a stub. `make grade` builds what measures speed, and
/// the emulator, only for a submission with statements.
bool has_statement(std::string_view text);

/// The names of the functions that return nothing, as all functions of the contracts do: "void NAME(". Each
/// once, without those of more than kLongestName letters, and at most kMostNames.
std::vector<std::string> void_functions(std::string_view text);
inline constexpr std::size_t kLongestName = 64, kMostNames = 1000;

/// The lines of the definitions of such functions, "void NAME(..) {" or "void attn::NAME(..) {", by name, with the same
/// limits. A definition in a comment of several lines or behind a macro can mislead it.
std::map<std::string, int> definition_lines(std::string_view text);

/// Those of these functions whose body has no statement but the (void).. of a stub. Braces in texts and in comments of
/// several lines can mislead it.
std::set<std::string> stubs(std::string_view text);

/// The functions of a text that each of its functions calls, NAME(..). A function stands in no class, and a variable that
/// holds a lambda is one, too. Comments and texts are left out, and so is what lies beyond the limits above. A macro, or a
/// variable with the name of a function, can mislead it.
using Calls = std::map<std::string, std::set<std::string>>;
inline constexpr std::size_t kMostCalls = 20'000;  ///< of all functions together
Calls calls_between(std::string_view text);

/// The functions that `function` calls, and those that they call, and so on, without `ends` and what only these call.
std::set<std::string> called_from(const Calls& calls, const std::string& function,
                                  const std::set<std::string>& ends = {});

/// The names of functions of a namespace that begin with this mangled prefix, such as "_ZN4attn", in a file
/// of any kind. Each once, with the same limits.
std::vector<std::string> mangled_names(std::string_view file, std::string_view prefix);

/// Lines by number, from 1. Numbers without a line are left out.
using Lines = std::map<int, std::string>;
Lines lines_at(std::string_view text, const std::set<int>& numbers);

/// All that the grader asks of a source.
struct SourceFacts {
    std::vector<std::string> leading_includes;
    std::optional<std::vector<std::string>> all_includes;  ///< each once
    std::vector<std::string> void_functions;
    std::map<std::string, int> definition_lines;
    std::set<std::string> stubs;
    Calls calls;
    std::vector<std::string> kernel_headers;  ///< the words that end as a header of kernels, "masking_cuda.h"
    bool has_statement = false;
};
SourceFacts facts_of(std::string_view text);

/// The facts as lines of text, as the reader prints them, and back.
std::string printed_facts(const SourceFacts& facts);
SourceFacts facts_from(std::string_view printed);

}  // namespace attn::compile
