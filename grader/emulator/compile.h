#pragma once
/// Compiles a CUDA source to an object for the emulator, with g++ and two passes of our own: see rewrite.h
/// and shared_arrays.h. The caller decides how g++ is run: the grader runs it in a sandbox, `grader emulate`
/// directly.

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/unsupported.h"

namespace attn::emulator {

/// check: every access to memory is checked. fast: accesses are not checked.
enum class Mode { fast, check };

/// The flags for every source; a caller adds its own after them. `include`: the path by which the compiler
/// reaches the folder grader/emulator/include.
std::vector<std::string> compile_flags(Mode mode, const std::string& include);

struct RunResult {
    bool ok = false;
    std::string output;  ///< stdout and stderr together
};

struct Compiler {
    /// Runs g++ with these arguments in the folder of the rewritten sources.
    std::function<RunResult(const std::vector<std::string>& arguments)> run;
    /// Calls place_shared_arrays_in() for these files in the folder of outputs, "NAME.s" and "NAME.functions".
    /// The second one is empty for a fast build.
    std::function<RunResult(const std::string& assembly, const std::string& functions)> place_shared_arrays;
    /// The folder that g++ may write to, as seen from the folder of the sources: "../build".
    std::string output_name;
};

/// The lines of files as the student wrote them, by the file's name and by number, from 1. Each is cut to
/// kMostShownLine bytes.
using OriginalLines = std::map<std::string, std::map<int, std::string>>;
inline constexpr std::size_t kMostShownLine = 200;

/// A line, cut; and all lines of a text.
std::string shown_line(std::string_view line);
std::map<int, std::string> shown_lines(std::string_view text);

/// The lines at which g++ has something to say, by file.
std::map<std::string, std::set<int>> lines_mentioned(std::string_view messages);

/// Rewrites `sources`, and all files of the folder `from` that they include, directly or indirectly, and
/// writes them to `to`, which may be the same folder. An include is searched as g++ does it: in quotes beside
/// its file and in `from`, and both kinds in `include_folders`, which are relative to `from`. Throws
/// Unsupported, data::FileError.
OriginalLines rewrite_files(const std::filesystem::path& from, const std::vector<std::string>& sources,
                            const std::filesystem::path& to,
                            const std::vector<std::filesystem::path>& include_folders = {});

/// Replaces a file of assembly by what place_shared_arrays() makes of it. A text that this or
/// refuse_unwatched() refuses is a result, too, with the reason. `functions`: the file with the compiler's list
/// of functions; empty for a fast build.
RunResult place_shared_arrays_in(const std::filesystem::path& assembly,
                                 const std::filesystem::path& functions);

struct Compiled {
    bool ok = false;
    std::string messages;
    std::string object;  ///< its path as g++ sees it
};

/// The header that every source reads first.
inline constexpr const char* kFirstHeader = "cuda_runtime.h";

/// Compiles a rewritten source to `object`.o in the folder of outputs. `flags`: all flags, compile_flags()
/// included. `prelude`: a header that includes kFirstHeader and was precompiled with compile_flags(), or empty. The messages
/// are those of g++. Throws Unsupported.
Compiled compile(const Compiler& compiler, const std::string& source, const std::string& object,
                 const std::vector<std::string>& flags, const std::filesystem::path& prelude);

/// The messages of g++, with the original lines in place of the rewritten ones, and each error once.
std::string with_original_lines(std::string_view messages, const OriginalLines& originals);

/// Applies with_original_lines() to the messages of a compilation.
void show_original_lines(Compiled& compiled, const OriginalLines& originals);

/// Linker arguments that follow the objects of a program, so that it finds the run time. A library needs
/// none: the worker has loaded the run time before it.
std::vector<std::string> program_flags(const std::filesystem::path& library);

}  // namespace attn::emulator
