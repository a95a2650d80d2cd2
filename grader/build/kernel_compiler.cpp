#include "grader/build/kernel_compiler.h"

#include <filesystem>

#include "grader/emulator/compile.h"

namespace attn::submission {
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

/// The result of a compiler run that failed with this message.
worker::CommandResult failed_with(const std::string& text) {
    worker::CommandResult result;
    result.ending.exit_code = 1;
    result.printed = text;
    return result;
}

}  // namespace

std::vector<std::string> kernel_flags(Kernels how) {
    return flags_with(how, "../contract/emulator/include");
}

worker::CommandResult compile_kernels(const CompileSandbox& sandbox, const std::string& name,
                                      const std::string& object, const Installation& installation,
                                      Kernels how) {
    worker::CommandResult last;
    emulator::Compiler compiler;
    compiler.output_name = "../build";
    compiler.output = sandbox.built("");
    compiler.run = [&](const std::vector<std::string>& arguments) {
        last = sandbox.compile(arguments);
        return emulator::RunResult{worker::succeeded(last), last.printed};
    };
    auto flags = flags_with(how, sandbox.emulator_headers());
    const auto include = include_flags(sandbox.contract(), installation);
    flags.insert(flags.end(), include.begin(), include.end());
    if (!installation.cuda_headers.empty()) flags.push_back("-I" + workshop.cuda_headers());
    try {
        const emulator::Originals originals =
            emulator::rewrite_files(sandbox.sources(), {name}, sandbox.sources());
        const emulator::Compiled compiled = emulator::compile(
            compiler, name, std::filesystem::path(object).filename().stem().string(), flags, originals);
        last.printed = compiled.messages;
        return last;
    } catch (const emulator::Refused& refused) {
        return failed_with(refused.what());
    }
}

}  // namespace attn::submission
