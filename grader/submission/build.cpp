#include "grader/submission/build.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "grader/worker/process.h"

namespace attn::submission {
namespace {

constexpr double kCompileTime_s = 60;
constexpr std::size_t kCompilerOutput = 64 << 10;
constexpr std::size_t kShownLines = 16;

worker::CommandResult run_compiler(const Installation& installation, const std::filesystem::path& temporary,
                                   std::vector<std::string> arguments) {
    worker::Command command;
    command.argv = {installation.compiler};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + temporary.string()};
    command.directory = std::filesystem::current_path();
    command.limits.memory_mib = 2048;
    command.limits.stack_mib = 64;
    command.limits.cpu_s = static_cast<int>(kCompileTime_s);
    command.limits.file_mib = 256;
    return worker::run_command(command, kCompileTime_s, kCompilerOutput);
}

/// Why a compiler's run yielded nothing.
std::string failure_of(const worker::CommandResult& result) {
    std::string lines = cut_messages(result.printed, kShownLines);
    if (result.timed_out)
        return fmt::format("the compiler did not finish within {:g} s\n{}", kCompileTime_s, lines);
    if (result.too_much_output)
        return fmt::format("the compiler printed more than {} KiB; it began with\n{}", kCompilerOutput >> 10,
                           lines);
    if (result.ending.signal != 0)
        return fmt::format("the compiler ended with {}\n{}", worker::describe_signal(result.ending.signal),
                           lines);
    return lines;
}

/// Writes for the linker what the library shows: attn::NAME(..) of the contract, by its mangled name.
std::string write_symbols(const Build& build, const checks::Module& module) {
    std::string shown;
    for (const checks::Function& function : module.functions)
        shown += fmt::format("_ZN4attn{}{}E*; ", function.name.size(), function.name);
    const std::string map = fmt::format("{{ global: {} local: *; }};\n", shown);
    return build.folder.write("symbols.map", map).string();
}

bool succeeded(const worker::CommandResult& result) {
    return !result.timed_out && !result.too_much_output && result.ending.signal == 0 &&
           result.ending.exit_code == 0;
}

}  // namespace

const report::SourceFile& Build::source(const std::string& name) const {
    return *std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; });
}

std::string cut_messages(const std::string& messages, std::size_t most_lines) {
    std::vector<std::string> lines;
    std::istringstream stream(messages);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    const auto contains = [](const char* words) {
        return [words](const std::string& line) { return line.find(words) != std::string::npos; };
    };
    auto first = std::find_if(lines.begin(), lines.end(), contains("error:"));
    // The linker complains before the driver does; that one's "error:" says nothing.
    if (first == lines.end() || first->starts_with("collect2:")) first = lines.begin();
    // Newer compilers quote the student's line between "required from here" and the error.
    const auto led_here = contains("required from here");
    for (auto line = first; line != lines.begin() && (led_here(line[-1]) || line[-1].starts_with(' '));)
        if (led_here(*--line)) first = line;
    lines.erase(lines.begin(), first);
    std::string text;
    for (std::size_t k = 0; k < std::min(lines.size(), most_lines); ++k) text += lines[k] + '\n';
    if (lines.size() > most_lines) text += fmt::format("({} more lines)\n", lines.size() - most_lines);
    return text;
}

Build build(const std::filesystem::path& submission, const Rubric& rubric, const Installation& installation,
            const Extra& extra) {
    if (!std::filesystem::is_directory(submission)) {
        throw SubmissionError(fmt::format("{}: there is no such folder; give the one that holds {}",
                                          submission.string(), rubric.sources.front()));
    }
    Build result;
    std::vector<std::string> objects;
    for (const std::string& name : rubric.sources) {
        const auto file = submission / name;
        report::SourceFile source;
        source.name = name;
        if (!std::filesystem::is_regular_file(file)) {
            source.exists = false;
            source.messages = fmt::format("{}: there is no such file in the submission\n", file.string());
            result.sources.push_back(source);
            continue;
        }
        const auto object = result.folder.path() / (name + ".o");
        std::vector<std::string> arguments = {"-std=c++20",
                                              "-O2",
                                              "-fPIC",
                                              "-Wall",
                                              "-Wextra",
                                              "-fmax-errors=5",
                                              "-D_GLIBCXX_ASSERTIONS",
                                              "-DATTN_BOUNDS_CHECK=1",
                                              "-I" + installation.assignments.string(),
                                              "-I" + rubric.folder.string()};
        for (const auto& folder : std::filesystem::directory_iterator(installation.assignments))
            if (folder.is_directory()) arguments.push_back("-I" + folder.path().string());
        arguments.insert(arguments.end(), extra.flags.begin(), extra.flags.end());
        arguments.insert(arguments.end(), {"-c", file.string(), "-o", object.string()});
        worker::CommandResult compiled = run_compiler(installation, result.folder.path(), arguments);
        if (compiled.too_much_output) {  // perhaps of warnings only, and they cost nothing
            arguments.emplace_back("-w");
            compiled = run_compiler(installation, result.folder.path(), arguments);
        }
        source.compiled = succeeded(compiled);
        source.messages =
            source.compiled ? cut_messages(compiled.printed, kShownLines) : failure_of(compiled);
        if (source.compiled) objects.push_back(object.string());
        result.sources.push_back(source);
    }
    if (objects.empty()) return result;

    result.library = result.folder.path() / (rubric.module->name + ".so");
    // Lazily, so that a call of a function that nobody defines fails when it is made, and only then.
    std::vector<std::string> arguments = {"-shared", "-Wl,-z,lazy", "-o", result.library.string(),
                                          "-Wl,--version-script=" + write_symbols(result, *rubric.module)};
    arguments.insert(arguments.end(), objects.begin(), objects.end());
    arguments.insert(arguments.end(), extra.libraries.begin(), extra.libraries.end());
    const worker::CommandResult linked = run_compiler(installation, result.folder.path(), arguments);
    if (succeeded(linked)) return result;
    result.library.clear();
    for (report::SourceFile& source : result.sources) {
        if (!source.compiled) continue;
        source.compiled = false;
        source.messages = "the files compile, but cannot be linked:\n" + failure_of(linked);
    }
    return result;
}

}  // namespace attn::submission
