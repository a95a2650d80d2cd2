#pragma once
/// From a CUDA source to an object for the emulator, by g++ and two passes of our own: see rewrite.h,
/// shared_arrays.h. Who compiles says how g++ is run: the grader in a sandbox, `grader emulate` as it is.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/refused.h"

namespace attn::emulator {

/// fast: only what is counted on all the way; check: every access to memory is looked at.
enum class Mode { fast, check };

/// For every source, in front of a caller's own. `include`: the folder grader/emulator/include, as the
/// compiler gets to it.
std::vector<std::string> compile_flags(Mode mode, const std::string& include);

struct RunResult {
    bool ok = false;
    std::string output;  ///< stdout and stderr together
};

struct Compiler {
    /// Runs g++ with these arguments in the folder of the sources, which were rewritten.
    std::function<RunResult(const std::vector<std::string>& arguments)> run;
    /// Where g++ may write, as it names it in its folder ("../build") and as we do.
    std::string output_name;
    std::filesystem::path output;
};

/// The student's own lines of files that were rewritten, by the files' names in the folder.
using Originals = std::map<std::string, std::vector<std::string>>;

/// Rewrites `sources` and those of a folder's files that they include in quotes, one through the other, and
/// writes them to `to`, which may be the same folder. Throws Refused, data::FileError.
Originals rewrite_files(const std::filesystem::path& from, const std::vector<std::string>& sources,
                        const std::filesystem::path& to);

struct Compiled {
    bool ok = false;
    std::string messages;  ///< of g++, with the student's own lines
    std::string object;    ///< as g++ names it
};

/// Compiles a source that was rewritten to `object`.o in the folder of outputs. `flags`: all of them. Throws
/// data::FileError, std::runtime_error.
Compiled compile(const Compiler& compiler, const std::string& source, const std::string& object,
                 const std::vector<std::string>& flags, const Originals& originals);

/// What g++ said, with the lines that it means as the student wrote them, each fault once.
std::string in_the_students_words(std::string_view messages, const Originals& originals);

/// Behind the objects of a program, which finds the run time there. (A worker has loaded it before a
/// library.)
std::vector<std::string> program_flags(const std::filesystem::path& library);

}  // namespace attn::emulator
