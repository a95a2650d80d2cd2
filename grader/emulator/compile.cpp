#include "grader/emulator/compile.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "datasets/file_error.h"
#include "grader/emulator/rewrite.h"
#include "grader/emulator/shared_arrays.h"

namespace attn::emulator {
namespace {

namespace fs = std::filesystem;

/// Replaces a file, whoever it belongs to, by one that everybody can read.
void replace_file(const fs::path& file, std::string_view text) {
    fs::remove(file);
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out)
        throw data::FileError(file, "it cannot be written", "space was expected", "make room on its disk");
    using fs::perms;
    fs::permissions(file, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read);
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// What a text includes in quotes.
std::vector<std::string> quoted_includes(std::string_view text) {
    std::vector<std::string> names;
    for (const Span span : blanked(text).directive_spans) {
        std::istringstream words{std::string(text.substr(span.begin + 1, span.end - span.begin - 1))};
        std::string word, name;
        if (!(words >> word)) continue;
        if (word == "include" && words >> std::ws && words.get() == '"' && std::getline(words, name, '"'))
            names.push_back(name);
        else if (word.starts_with("include\"") && word.ends_with('"'))
            names.push_back(word.substr(8, word.size() - 9));
    }
    return names;
}

/// Whether a path stays below the folder that it is relative to.
bool is_below(const fs::path& file) {
    return !file.empty() && !file.is_absolute() && *file.begin() != "..";
}

}  // namespace

std::vector<std::string> compile_flags(Mode mode, const std::string& include) {
    std::vector<std::string> flags = {
        "-x", "c++", "-std=c++20", "-DATTN_EMULATOR=1", "-I" + include, "-include", "cuda_runtime.h",
        "-include", "attn_launch.h", "-fPIC",
        // Between functions of a library that shows some of them: as if it showed none.
        "-fno-semantic-interposition",
        // `extern __shared__` needs no function that constructs it.
        "-fno-extern-tls-init", "-fno-strict-aliasing", "-ffp-contract=off", "-fmax-errors=5",
        "-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-Wall", "-Wextra",
        "-Wno-unknown-pragmas",
        // As nvcc sees it: int against blockDim.x is usual, an array whose size is not constant an error.
        "-Wno-sign-compare", "-Werror=vla"};
    const std::vector<std::string> more =
        mode == Mode::fast ? std::vector<std::string>{"-O2", "-g1"}
                           : std::vector<std::string>{"-O1", "-g", "-fno-tree-vectorize",
                                                      "-fsanitize=thread,bounds,alignment"};
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

std::vector<std::string> library_flags() {
    return {"-shared"};
}

std::vector<std::string> program_flags(const fs::path& library) {
    return {library.string(), "-Wl,-rpath," + library.parent_path().string()};
}

Originals rewrite_in_place(const fs::path& folder, const std::vector<std::string>& sources) {
    Originals originals;
    std::vector<fs::path> unread(sources.begin(), sources.end());
    while (!unread.empty()) {
        const fs::path file = unread.back().lexically_normal();
        unread.pop_back();
        if (!is_below(file) || originals.count(file.string()) != 0 || !fs::is_regular_file(folder / file))
            continue;
        const std::string text = data::read_file(folder / file);
        originals[file.string()] = lines_of(text);
        const std::string rewritten = rewrite(text, file.string());
        if (rewritten != text) replace_file(folder / file, rewritten);
        for (const std::string& name : quoted_includes(text)) {
            unread.push_back(file.parent_path() / name);
            unread.emplace_back(name);
        }
    }
    return originals;
}

Compiled compile(const Compiler& compiler, const std::string& source, const std::string& object,
                 const std::vector<std::string>& flags, const Originals& originals) {
    const auto named = [&](const char* extension) { return compiler.output_name + "/" + object + extension; };
    std::vector<std::string> arguments = flags;
    for (const std::string& word : {std::string("-S"), source, std::string("-o"), named(".s")})
        arguments.push_back(word);
    RunResult result = compiler.run(arguments);
    Compiled compiled{result.ok, in_the_students_words(result.output, originals), named(".o")};
    if (!compiled.ok) return compiled;
    const fs::path assembly = compiler.output / (object + ".s");
    replace_file(assembly, place_shared_arrays(data::read_file(assembly)));
    result = compiler.run({"-c", named(".s"), "-o", compiled.object});
    if (!result.ok) compiled = {false, compiled.messages + result.output, {}};
    return compiled;
}

std::string in_the_students_words(std::string_view messages, const Originals& originals) {
    std::string result;
    std::set<std::string> told;
    for (const std::string& line : lines_of(messages)) {
        // FILE:LINE:COLUMN: what. A launch is told three times, in columns that nobody has.
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        const auto original = originals.find(first == std::string::npos ? "" : line.substr(0, first));
        const std::size_t number =
            second == std::string::npos ? 0 : std::strtoul(line.c_str() + first + 1, nullptr, 10);
        if (original == originals.end() || number == 0 || number > original->second.size()) {
            // Where it was in what was made of a launch.
            if (line.find("attn_select") == std::string::npos &&
                line.find("attn_arguments") == std::string::npos)
                result += line + "\n";
            continue;
        }
        const std::size_t third = line.find(": ", second + 1);
        const std::string place = line.substr(0, second);
        const std::string what = third == std::string::npos ? line.substr(second) : line.substr(third);
        if (!told.insert(place + what).second || what.find("attn_select") != std::string::npos) continue;
        result +=
            place + what + "\n  " + std::to_string(number) + " | " + original->second[number - 1] + "\n";
    }
    return result;
}

}  // namespace attn::emulator
