#include "grader/compile/kernel_compiler.h"

#include <filesystem>

#include "grader/compile/prelude.h"
#include "grader/emulator/compile.h"
#include "grader/emulator/unsupported.h"

namespace attn::compile {
namespace {

emulator::Mode mode_of(Kernels how) {
    return how == Kernels::watched ? emulator::Mode::check : emulator::Mode::fast;
}

std::vector<std::string> flags_with(Kernels how, const std::string& headers) {
    auto flags = emulator::compile_flags(mode_of(how), headers);
    // Both builds check indices against the shape, so that a wrong index cannot reach another element.
    flags.emplace_back("-DATTN_BOUNDS_CHECK=1");
    // Bind functions of other assignments when they are called, because one may be missing.
    flags.emplace_back("-fplt");
    return flags;
}

emulator::RunResult short_result(const worker::CommandResult& result) {
    return {worker::succeeded(result), result.printed};
}

/// Runs the reader. What a text can cause is a result, also that the reader crashes or exceeds its limits.
worker::CommandResult read(const CompileSandbox& sandbox, const std::vector<std::string>& arguments,
                           const std::string& name) {
    worker::CommandResult result = sandbox.run_reader(arguments);
    if (result.timed_out || result.ending.signal != 0) result.printed = unreadable(name);
    result.timed_out = false;
    result.ending = {worker::succeeded(result) ? 0 : 1, 0, false};
    return result;
}

/// The lines of these files that the messages mention.
emulator::OriginalLines lines_for(const std::string& messages, const KernelSources& sources) {
    emulator::OriginalLines lines;
    const auto mentioned = emulator::lines_mentioned(messages);
    for (const auto& file : sources.files)
        if (const auto in_file = mentioned.find(file.string()); in_file != mentioned.end())
            for (const auto& [number, text] :
                 sources.reader.lines(sources.submission / file, in_file->second))
                lines[file.string()][number] = emulator::shown_line(text);
    return lines;
}

}  // namespace

std::vector<std::string> kernel_flags(Kernels how) {
    return flags_with(how, "../contract/emulator/include");
}

worker::CommandResult compile_kernels(const CompileSandbox& sandbox, const std::string& name,
                                      const std::string& object, const KernelSources& sources,
                                      const Installation& installation, Kernels how) {
    worker::CommandResult last = read(sandbox, {"rewrite", name}, name);
    if (!worker::succeeded(last)) return last;
    const std::filesystem::path prelude = kernel_prelude(mode_of(how), installation);
    const emulator::Compiler compiler{
        [&](const std::vector<std::string>& arguments) {
            if (!last.timed_out) last = sandbox.compile(arguments, prelude);
            return short_result(last);
        },
        [&](const std::string& assembly, const std::string& functions) {
            std::vector<std::string> question = {"place_arrays", "../build/" + assembly};
            if (!functions.empty()) question.push_back("../build/" + functions);
            return short_result(last = read(sandbox, question, name));
        },
        "../build"};
    auto flags = flags_with(how, sandbox.emulator_headers());
    const auto include = include_flags(sandbox.contract(), installation);
    flags.insert(flags.end(), include.begin(), include.end());
    if (!installation.cuda_headers.empty()) flags.push_back("-I" + sandbox.cuda_headers());
    try {
        emulator::Compiled compiled =
            emulator::compile(compiler, name, std::filesystem::path(object).filename().stem().string(), flags,
                              prelude_header(prelude));
        emulator::show_original_lines(compiled, lines_for(compiled.messages, sources));
        last.printed = compiled.messages;
    } catch (const emulator::Unsupported& refused) {  // `last` is the compiler's failure
        last.printed = refused.what() + std::string("\n");
    }
    return last;
}

}  // namespace attn::compile
