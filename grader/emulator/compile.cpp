#include "grader/emulator/compile.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "datasets/files/file_error.h"
#include "grader/emulator/rewrite.h"
#include "grader/emulator/shared_arrays.h"
#include "grader/emulator/unwatched_code.h"

namespace attn::emulator {
namespace {

namespace fs = std::filesystem;

/// The flag of a check build.
const std::string kCheckEachAccess = "-fsanitize=thread,bounds,alignment";

/// Replaces a file, whoever owns it, by one that all users can read.
void replace_file(const fs::path& file, std::string_view text) {
    fs::create_directories(file.parent_path());
    fs::remove(file);
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out)
        throw data::FileError(file, "it cannot be written", "free space was expected",
                              "make room on its disk");
    using fs::perms;
    fs::permissions(file, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read);
}

/// The headers that a text includes, with their quotes or brackets.
std::vector<std::string_view> included_headers(std::string_view text) {
    std::vector<std::string_view> headers;
    for (const Span span : mask_non_code(text).directive_spans)
        if (const std::string_view header = included_header(text, span); !header.empty())
            headers.push_back(header);
    return headers;
}

/// The place at the beginning of a message, "FILE:LINE:COLUMN: what". The line is 0 if there is none.
struct Mentioned {
    std::string file;
    int line = 0;
    std::size_t end = npos;  ///< where the line's number ends
};
Mentioned mentioned_in(const std::string& message) {
    const std::size_t first = message.find(':'), second = message.find(':', first + 1);
    if (first == npos || second == npos) return {};
    constexpr long kMostLines = 1 << 30;
    const long line = std::strtol(message.c_str() + first + 1, nullptr, 10);
    return {message.substr(0, first), static_cast<int>(std::clamp(line, 0L, kMostLines)), second};
}

/// Whether a message of g++ is about the code that a launch was rewritten to, or about our headers.
bool is_internal_message(std::string_view line) {
    if (line.find("emulator/include/") != npos) return line.find(" error: ") == npos;
    for (const std::string_view name : {"attn_", "emulator::Select", "emulator::Prepared", "lambda",
                                        "instantiation contexts", "<command-line>"})
        if (line.find(name) != npos) return true;
    return false;
}

/// The message for a launch whose arguments do not fit, in terms of the kernel's parameters.
std::string with_kernel_parameters(const std::string& what) {
    constexpr std::string_view kBegin = "no match for call to '(attn::emulator::Prepared<void (*)",
                               kMiddle = ", attn::emulator::Config", kEnd = ">) ";
    const std::size_t begin = what.find(kBegin), middle = what.find(kMiddle), end = what.find(kEnd, middle);
    if (begin == npos || middle == npos || end == npos) return what;
    const std::string takes = what.substr(begin + kBegin.size(), middle - begin - kBegin.size());
    std::string given = what.substr(end + kEnd.size());
    given = given.substr(0, given.rfind('\''));
    return ": error: this kernel takes " + takes + " and is launched with " + given;
}

/// Whether a path stays below the folder that it is relative to.
bool is_below(const fs::path& file) {
    return !file.empty() && !file.is_absolute() && *file.begin() != "..";
}

}  // namespace

std::vector<std::string> compile_flags(Mode mode, const std::string& include) {
    std::vector<std::string> flags = {
        "-x", "c++", "-std=c++20", "-DATTN_EMULATOR=1", "-I" + include, "-fPIC",
        // A program's own copies of the samples' headers come first.
        "-idirafter", include + "/samples",
        // Calls inside the library need not allow that another library replaces the function.
        "-fno-semantic-interposition",
        // `extern __shared__` arrays need no function that initialises them.
        "-fno-extern-tls-init", "-fno-strict-aliasing", "-ffp-contract=off", "-fmax-errors=20",
        "-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-Wall", "-Wno-unknown-pragmas",
        // As nvcc does: comparing an int with blockDim.x gives no warning.
        "-Wno-sign-compare", "-Wno-volatile", "-Wno-vla",
        // A lane may pass a variable to a shuffle that only another lane has set.
        "-Wno-maybe-uninitialized",
        // addr2line of binutils 2.40 takes the lines of an included file for lines of the main file if the
        // assembler has made their table in version 5.
        "-gdwarf-4",
        // A local variable without a value holds a large number (-1.7e38 as a float), not by luck 0.
        "-ftrivial-auto-var-init=pattern",
        // A linker's stub has no line. Without stubs the line is known even if the time runs out in a loop
        // that only calls the run time.
        "-fno-plt",
        // A kernel's stack ends at a guard page. A large array must not skip it.
        "-fstack-clash-protection"};
    const std::vector<std::string> more =
        mode == Mode::fast
            ? std::vector<std::string>{"-O2", "-g1"}
            : std::vector<std::string>{"-O1", "-g", "-fno-tree-vectorize", kCheckEachAccess,
                                       // A volatile read waits for another thread, as atomics do.
                                       "--param=tsan-distinguish-volatile=1",
                                       // Copies are checked as a whole and are not optimised away.
                                       "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
                                       // These would become such copies.
                                       "-fno-builtin-mempcpy", "-fno-builtin-strcpy", "-fno-builtin-strncpy",
                                       "-fno-builtin-stpcpy", "-fno-builtin-stpncpy", "-fno-builtin-strcat",
                                       "-fno-builtin-strncat", "-fno-builtin-sprintf",
                                       "-fno-builtin-snprintf", "-fno-builtin-bcopy", "-fno-builtin-bzero"};
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

std::vector<std::string> program_flags(const fs::path& library) {
    return {library.string(), "-Wl,-rpath," + library.parent_path().string()};
}

std::string shown_line(std::string_view line) {
    return std::string(line.substr(0, kMostShownLine)) + (line.size() > kMostShownLine ? " .." : "");
}

std::map<int, std::string> shown_lines(std::string_view text) {
    std::map<int, std::string> lines;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_hint(lines.end(), number, shown_line(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

OriginalLines rewrite_files(const fs::path& from, const std::vector<std::string>& sources, const fs::path& to,
                            const std::vector<fs::path>& include_folders) {
    OriginalLines originals;
    std::set<std::string> seen(sources.begin(), sources.end());
    std::vector<std::string> unread = sources;
    while (!unread.empty()) {
        const fs::path file = fs::path(unread.back()).lexically_normal();
        unread.pop_back();
        const std::string name = file.string();
        std::error_code impossible;  // a student's text may name anything
        if (!is_below(file) || originals.count(name) != 0 || !fs::is_regular_file(from / file, impossible))
            continue;
        const std::string text = data::read_file(from / file);
        const std::string rewritten = rewrite(text, name) + parameter_names(mask_non_code(text).code, name);
        originals[name] = shown_lines(text);
        if (rewritten != text || from != to) replace_file(to / file, rewritten);
        for (const std::string_view header : included_headers(text)) {
            constexpr std::size_t kLongestPath = 4096;  // PATH_MAX
            if (header.size() >= kLongestPath) continue;
            std::vector<fs::path> folders = include_folders;
            if (header.front() == '"') folders.insert(folders.end(), {file.parent_path(), fs::path()});
            for (const fs::path& folder : folders)
                if (const std::string each = (folder / header.substr(1, header.size() - 2)).string();
                    seen.insert(each).second)
                    unread.push_back(each);
        }
    }
    return originals;
}

RunResult place_shared_arrays_in(const fs::path& assembly, const fs::path& functions) {
    try {
        const std::string text = data::read_file(assembly);
        if (functions.empty())
            refuse_unwatched(text, std::nullopt);
        else
            refuse_unwatched(text, data::read_file(functions));
        replace_file(assembly, place_shared_arrays(text));
        return {true, {}};
    } catch (const std::exception& error) {
        return {false, error.what() + std::string("\n")};
    }
}

Compiled compile(const Compiler& compiler, const std::string& source, const std::string& object,
                 const std::vector<std::string>& flags, const fs::path& prelude) {
    const auto named = [&](const char* extension) { return compiler.output_name + "/" + object + extension; };
    std::vector<std::string> arguments = flags;
    for (const std::string& word : {std::string("-S"), source, std::string("-o"), named(".s")})
        arguments.push_back(word);
    const bool checked = std::ranges::find(flags, kCheckEachAccess) != flags.end();
    const std::string functions = checked ? object + ".functions" : std::string();
    if (checked) arguments.push_back("-fdump-tree-optimized-asmname=" + named(".functions"));
    const auto run_with = [&](const std::string& first) {
        std::vector<std::string> words = {"-include", first};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return compiler.run(words);
    };
    RunResult result;
    if (!prelude.empty()) result = run_with(prelude.string());
    // A damaged precompiled header costs only time.
    if (!result.ok) result = run_with(kFirstHeader);
    Compiled compiled{result.ok, result.output, named(".o")};
    if (!compiled.ok) refuse_reported(result.output);
    if (!compiled.ok) return compiled;
    result = compiler.place_shared_arrays(object + ".s", functions);
    if (result.ok) result = compiler.run({"-c", named(".s"), "-o", compiled.object});
    if (!result.ok) compiled = {false, compiled.messages + result.output, {}};
    return compiled;
}

std::map<std::string, std::set<int>> lines_mentioned(std::string_view messages) {
    std::map<std::string, std::set<int>> lines;
    std::istringstream stream{std::string(messages)};
    for (std::string line; std::getline(stream, line);)
        if (const Mentioned place = mentioned_in(line); place.line > 0) lines[place.file].insert(place.line);
    return lines;
}

std::string with_original_lines(std::string_view messages, const OriginalLines& originals) {
    std::string result;
    std::set<std::string> printed;
    std::istringstream stream{std::string(messages)};
    for (std::string line; std::getline(stream, line);) {
        const Mentioned at = mentioned_in(line);
        const auto original = originals.find(at.file);
        if (original == originals.end() || !original->second.contains(at.line)) {
            if (!is_internal_message(line)) result += line + "\n";
            continue;
        }
        const std::size_t second = at.end;
        const std::size_t third = line.find(": ", second + 1);
        const std::string place = line.substr(0, second);
        const std::string what =
            with_kernel_parameters(third == npos ? line.substr(second) : line.substr(third));
        const std::string& written = original->second.at(at.line);
        // A launch is rewritten into three expressions, so g++ reports its error three times, at columns that
        // the original does not have. Keep the first.
        const bool error = what.starts_with(": error: "), launch = written.find("<<<") != npos;
        if (is_internal_message(what) || (launch && what.ends_with("required from here")) ||
            !printed.insert(place + (error && launch ? std::string() : what)).second)
            continue;
        result += place + what + "\n  " + std::to_string(at.line) + " | " + written + "\n";
    }
    return result;
}

void show_original_lines(Compiled& compiled, const OriginalLines& originals) {
    std::string messages = with_original_lines(compiled.messages, originals);
    // A failure has to say something, even if all of it is about code that the student did not write.
    if (compiled.ok || !messages.empty()) compiled.messages = std::move(messages);
}

}  // namespace attn::emulator
