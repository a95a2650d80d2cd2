#include "grader/build/build.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/file_error.h"
#include "grader/build/build_cache.h"
#include "grader/build/compile_sandbox.h"
#include "grader/build/includes.h"
#include "grader/build/kernel_compiler.h"
#include "grader/build/prelude.h"
#include "grader/build/symbols.h"

namespace attn::submission {
namespace {

constexpr std::size_t kShownLines = 16;

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

/// The student's files that are compiled.
std::vector<std::string> sources_of(const Rubric& rubric, const Extra& extra) {
    return extra.kernels == Kernels::none ? rubric.sources : std::vector{rubric.cuda.value().source};
}

/// For the linker: what the library shows, attn::NAME(..) of the contract, by its mangled name.
std::string shown_symbols(const ask::Module& module, const Extra& extra) {
    std::vector<std::string> names;
    for (const ask::Function& function : module.functions) names.push_back(function.name);
    return version_script(names, extra.kernels == Kernels::none ? "attn" : "attn::cuda");
}

std::vector<std::string> flags_of(const Installation& installation, const Extra& extra) {
    if (extra.kernels != Kernels::none) return kernel_flags(extra.kernels);
    return extra.timed ? timed_flags(installation) : compiler_flags();
}

bool silent(const worker::CommandResult& result) {
    return succeeded(result) && result.printed.empty();
}

/// The flag for the fastest linker that is there, found where the compiler looks for it; empty for its own.
const std::string& linker_flag() {
    static const std::string kFlag = [] {
        for (const char* name : {"mold", "gold", "lld"})
            for (const char* folder : {"/usr/local/bin", "/usr/bin"})
                if (std::filesystem::exists(std::filesystem::path(folder) / (std::string("ld.") + name)))
                    return std::string("-fuse-ld=") + name;
        return std::string();
    }();
    return kFlag;
}

/// The plain files below a folder, of this extension if any is given.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            const std::string& extension = {}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (!entry.is_symlink() && entry.is_regular_file() &&
            (extension.empty() || entry.path().extension() == extension))
            files.push_back(entry.path().lexically_relative(folder));
    std::sort(files.begin(), files.end());
    return files;
}

/// All that a library follows from; empty where that is too much to be kept. (Not the system's headers: they
/// change with the compiler. A library that tells __TIME__ goes on to tell when it was compiled.)
std::string made_of(const std::filesystem::path& submission, const Rubric& rubric,
                    const Installation& installation, const Extra& extra) {
    constexpr std::size_t kMost = 4 << 20;
    std::string text =
        fmt::format("{}\n{}\n{} {} {}\n{}\n{}\n", worker::describe_isolation(extra.layers),
                    identity_of(installation.compiler), fmt::join(flags_of(installation, extra), " "),
                    fmt::join(extra.flags, " "), linker_flag(), fmt::join(sources_of(rubric, extra), " "),
                    shown_symbols(*rubric.module, extra));
    const auto add = [&text](const std::filesystem::path& folder,
                             const std::vector<std::filesystem::path>& files) {
        for (const auto& file : files) {
            const std::string contents = data::read_file(folder / file);
            text += fmt::format("\n{} {}\n", file.string(), contents.size());
            text += contents;
        }
    };
    try {
        add(installation.assignments, files_in(installation.assignments, ".h"));
        text += "\n\n";
        if (extra.kernels != Kernels::none) {
            // And of the passes over what they are compiled from, which are in this program.
            text += identity_of(installation.emulator_library) + identity_of("/proc/self/exe");
            add(installation.emulator_headers, files_in(installation.emulator_headers));
            if (!installation.cuda_headers.empty())
                add(installation.cuda_headers, files_in(installation.cuda_headers, ".h"));
        }
        add(submission, files_behind(sources_of(rubric, extra), files_in(submission), submission));
    } catch (const data::FileError&) {
        return {};  // unreadable: for the compiler to say so
    }
    return text.size() > kMost ? std::string() : text;
}

std::string missing(const std::filesystem::path& file) {
    return fmt::format("{}: there is no such file in the submission\n", file.string());
}

/// What was kept, as a build.
Build unpack(const KeptBuild& kept, const Rubric& rubric, const Extra& extra) {
    Build result;
    const std::string name = rubric.module->name + ".so";
    result.library = result.folder.write(name, kept.library);
    for (const auto& path : {result.folder.path(), result.library}) open_to_all(path);
    const std::vector<std::string> sources = sources_of(rubric, extra);
    for (std::size_t k = 0; k < sources.size(); ++k) {
        report::SourceFile source;
        source.name = sources[k];
        source.compiled = true;
        source.messages = kept.messages[k];
        result.sources.push_back(std::move(source));
    }
    result.from_cache = true;
    return result;
}

KeptBuild pack(const Build& built) {
    KeptBuild kept{data::read_file(built.library), {}};
    for (const report::SourceFile& source : built.sources) kept.messages.push_back(source.messages);
    return kept;
}

/// The compiler's runs for one submission.
class Compilation {
  public:
    Compilation(const CompileSandbox& workshop, const std::filesystem::path& submission,
                const Installation& installation, const Extra& extra)
        : workshop_(workshop), submission_(submission), installation_(installation), extra_(extra) {}

    /// Compiles a source; `with_prelude` is counted up if that was of use.
    worker::CommandResult compile(const std::string& name, const std::string& object,
                                  int& with_prelude) const {
        if (extra_.kernels != Kernels::none)
            return compile_kernels(workshop_, name, object, installation_, extra_.kernels);
        std::vector<std::string> arguments = flags_of(installation_, extra_);
        for (const auto& flags :
             {include_flags(workshop_.contract(), installation_), extra_.flags, {"-c", name, "-o", object}})
            arguments.insert(arguments.end(), flags.begin(), flags.end());
        if (const auto prelude = prelude_of(name); !prelude.empty()) {
            auto quick = arguments;
            const auto flags = prelude_flags(prelude);
            quick.insert(quick.end(), flags.begin(), flags.end());
            worker::CommandResult compiled = workshop_.compile(quick, prelude);
            with_prelude += silent(compiled) ? 1 : 0;
            if (silent(compiled) || compiled.timed_out) return compiled;
        }
        worker::CommandResult compiled = workshop_.compile(arguments);
        if (compiled.too_much_output) {  // perhaps of warnings only, and they cost nothing
            arguments.emplace_back("-w");
            compiled = workshop_.compile(arguments);
        }
        return compiled;
    }

    worker::CommandResult link(const std::vector<std::string>& objects, const std::string& library,
                               const ask::Module& module) const {
        workshop_.provide("symbols.map", shown_symbols(module, extra_));
        // Lazily, so that a call of a function that nobody defines fails when it is made, and only then.
        std::vector<std::string> arguments = {"-shared", "-Wl,-z,lazy", "-o", "../build/" + library,
                                              "-Wl,--version-script=../contract/symbols.map"};
        arguments.insert(arguments.end(), objects.begin(), objects.end());
        arguments.insert(arguments.end(), extra_.libraries.begin(), extra_.libraries.end());
        if (confined(extra_) && !linker_flag().empty()) {
            auto quick = arguments;
            quick.push_back(linker_flag());
            if (worker::CommandResult linked = workshop_.compile(quick); silent(linked)) return linked;
        }
        return workshop_.compile(arguments);
    }

  private:
    std::filesystem::path prelude_of(const std::string& name) const {
        if (!confined(extra_) || !extra_.flags.empty() || extra_.timed) return {};
        return prelude_for(data::read_file(submission_ / name), submission_, installation_);
    }

    const CompileSandbox& workshop_;
    const std::filesystem::path& submission_;
    const Installation& installation_;
    const Extra& extra_;
};

Build compile_and_link(const std::filesystem::path& submission, const Rubric& rubric,
                       const Installation& installation, const Extra& extra) {
    Build result;
    const CompileSandbox workshop(result.folder.path(), submission, installation, extra);
    const Compilation compilation(workshop, submission, installation, extra);
    std::vector<std::string> objects;
    for (const std::string& name : sources_of(rubric, extra)) {
        const auto file = submission / name;
        report::SourceFile source;
        source.name = name;
        if (!std::filesystem::is_regular_file(file)) {
            source.exists = false;
            source.messages = missing(file);
            result.sources.push_back(source);
            continue;
        }
        const std::string object = "../build/" + name + ".o";
        const auto compiled = compilation.compile(name, object, result.with_prelude);
        source.compiled = succeeded(compiled);
        source.messages =
            source.compiled ? cut_messages(compiled.printed, kShownLines) : failure_of(compiled);
        if (source.compiled) objects.push_back(object);
        result.sources.push_back(source);
    }
    if (objects.empty()) return result;

    const std::string library = rubric.module->name + ".so";
    const worker::CommandResult linked = compilation.link(objects, library, *rubric.module);
    workshop.close();
    if (succeeded(linked)) {
        result.library = workshop.built(library);
        return result;
    }
    for (report::SourceFile& source : result.sources) {
        if (!source.compiled) continue;
        source.compiled = false;
        source.messages = "the files compile, but cannot be linked:\n" + failure_of(linked);
    }
    return result;
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
        throw UserError(fmt::format("{}: there is no such folder; give the one that holds {}",
                                    submission.string(), rubric.sources.front()));
    }
    require_compiler(installation);
    const BuildCache cache(confined(extra) ? extra.cache : std::filesystem::path());
    const std::string of = cache.active() ? made_of(submission, rubric, installation, extra) : std::string();
    if (!of.empty())
        if (const auto kept = cache.find(of);
            kept && kept->messages.size() == sources_of(rubric, extra).size())
            return unpack(*kept, rubric, extra);
    Build result = compile_and_link(submission, rubric, installation, extra);
    // A failure may have been the machine's: a memory that was full. It is tried again every time.
    const bool whole = std::all_of(result.sources.begin(), result.sources.end(),
                                   [](const report::SourceFile& source) { return source.compiled; });
    if (!of.empty() && whole && !result.library.empty()) cache.keep(of, pack(result));
    return result;
}

}  // namespace attn::submission
