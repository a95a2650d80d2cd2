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
    // Shapes are known to both builds: an index beside a tensor is no other element of it.
    flags.emplace_back("-DATTN_BOUNDS_CHECK=1");
    // Functions of another assignment are looked for when they are called, not before: one may be missing.
    flags.emplace_back("-fplt");
    return flags;
}

/// As if the compiler had said so.
worker::CommandResult complaint(const std::string& text) {
    worker::CommandResult result;
    result.ending.exit_code = 1;
    result.printed = text;
    return result;
}

}  // namespace

std::vector<std::string> kernel_flags(Kernels how) {
    return flags_with(how, "../contract/emulator/include");
}

worker::CommandResult compile_kernels(const CompileSandbox& workshop, const std::string& name,
                                      const std::string& object, const Installation& installation,
                                      Kernels how) {
    worker::CommandResult last;
    emulator::Compiler compiler;
    compiler.output_name = "../build";
    compiler.output = workshop.built("");
    compiler.run = [&](const std::vector<std::string>& arguments) {
        last = workshop.compile(arguments);
        return emulator::RunResult{worker::succeeded(last), last.printed};
    };
    auto flags = flags_with(how, workshop.emulator_headers());
    const auto include = include_flags(workshop.contract(), installation);
    flags.insert(flags.end(), include.begin(), include.end());
    try {
        const emulator::OriginalLines originals =
            emulator::rewrite_files(workshop.sources(), {name}, workshop.sources());
        const emulator::Compiled compiled = emulator::compile(
            compiler, name, std::filesystem::path(object).filename().stem().string(), flags, originals);
        last.printed = compiled.messages;
        return last;
    } catch (const emulator::Unsupported& refused) {
        return complaint(refused.what());
    }
}

}  // namespace attn::submission
