#include "grader/compile/build.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "grader/base/text_lines.h"
#include "grader/compile/build_cache.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/compile/declared_elsewhere.h"
#include "grader/compile/includes.h"
#include "grader/compile/kernel_compiler.h"
#include "grader/compile/prelude.h"
#include "grader/compile/source_reader.h"
#include "grader/compile/symbols.h"

namespace attn::compile {
namespace {

constexpr std::size_t kShownLines = 16;

/// The message for a run of the compiler that failed.
std::string failure_message(const worker::CommandResult& result, const std::string& wider = {}) {
    std::string lines = cut_messages(result.printed, kShownLines);
    if (!wider.empty() && result.printed.find("Assembler messages:") != std::string::npos)
        return wider + lines;
    if (result.timed_out)
        return fmt::format("the compiler did not finish within {:g} s\n{}", kPatience * kCompileTime_s,
                           lines);
    // What g++ prints if the system ends the compiler proper.
    if (result.printed.find("Killed signal terminated program") != std::string::npos)
        return fmt::format(
            "the compiler used more than {:g} s of processor time, or the machine's memory was used up\n{}",
            kCompileTime_s, lines);
    if (result.too_much_output)
        return fmt::format("the compiler printed more than {} KiB; it began with\n{}", kCompilerOutput >> 10,
                           lines);
    if (result.ending.signal != 0)
        return fmt::format("the compiler ended with {}\n{}", worker::describe_signal(result.ending.signal),
                           lines);
    return lines;
}

/// The likely cause if the assembler refuses a timed build.
std::string wider_instructions(const Installation& installation, const BuildOptions& options) {
    if (!options.timed) return {};
    return fmt::format(
        "it uses instructions that {} does not have; timed code may use no wider ones, so leave out "
        "target attributes and pragmas, or name no more than {} in them\n",
        installation.timed_level, installation.timed_level);
}

/// The student's files to compile.
std::vector<std::string> sources_of(const rubric::Rubric& rubric, const BuildOptions& options) {
    return options.kernels == Kernels::none ? rubric.sources : std::vector{rubric.cuda.value().source};
}

/// A version script for the linker. It exports the functions attn::NAME(..) of the contract, by mangled name.
std::string exported_symbols(const ask::Module& module, const BuildOptions& options) {
    std::vector<std::string> names;
    for (const ask::Function& function : module.functions) names.push_back(function.name);
    return version_script(names, options.kernels == Kernels::none ? "attn" : "attn::cuda");
}

std::vector<std::string> flags_of(const Installation& installation, const BuildOptions& options) {
    if (options.kernels != Kernels::none) return kernel_flags(options.kernels);
    if (!options.timed) return options.watched ? watched_flags() : compiler_flags();
    std::vector<std::string> flags = timed_flags(installation);
    if (options.sampled) flags.emplace_back("-gdwarf-4");  // the instructions stay the same
    return flags;
}

bool succeeded_silently(const worker::CommandResult& result) {
    return succeeded(result) && result.printed.empty();
}

/// The flag for the fastest installed linker, searched for where the compiler searches. Empty: the default.
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

/// The key of a build in the cache: everything that determines the library. Of the submission these are
/// `source_files`, because the compiler sees no others. Empty if the key is too long or a file is unreadable:
/// then the build is not cached. (System headers are not part of it, because they change with
/// the compiler. A library that uses __TIME__ keeps the time of the first build.)
std::string cache_key(const std::filesystem::path& submission,
                      const std::vector<std::filesystem::path>& source_files, const rubric::Rubric& rubric,
                      const Installation& installation, const BuildOptions& options) {
    constexpr std::size_t kMost = 4 << 20;
    std::string text = fmt::format(
        "{}\n{}\n{} {} {}\n{}\n{}\n", worker::describe_isolation(options.layers),
        program_fingerprint(installation.compiler), fmt::join(flags_of(installation, options), " "),
        fmt::join(options.flags, " "), linker_flag(), fmt::join(sources_of(rubric, options), " "),
        exported_symbols(*rubric.module, options));
    const auto add = [&text](const std::filesystem::path& folder,
                             const std::vector<std::filesystem::path>& files) {
        for (const auto& file : files) {
            if (text.size() > kMost) return;
            const std::string contents = data::read_file(folder / file);
            text += fmt::format("\n{} {}\n", file.string(), contents.size());
            text += contents;
        }
    };
    try {
        add(installation.assignments, regular_files(installation.assignments, ".h"));
        text += "\n\n";
        if (options.kernels != Kernels::none) {
            require_built(installation.emulator_library, "the emulator of kernels");
            // The emulator's source passes are part of this program.
            text +=
                program_fingerprint(installation.emulator_library) + program_fingerprint("/proc/self/exe");
            add(installation.emulator_headers, regular_files(installation.emulator_headers));
            if (!installation.cuda_headers.empty())
                add(installation.cuda_headers, regular_files(installation.cuda_headers, ".h"));
        }
        add(submission, source_files);
    } catch (const data::FileError&) {
        return {};  // the compiler will report the unreadable file
    }
    return text.size() > kMost ? std::string() : text;
}

/// The letters of a file's name without its ending: "multihead" for "Multi-Head (1).cc".
std::string letters_of(const std::filesystem::path& file) {
    std::string letters;
    for (const char c : file.stem().string())
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

/// Names a file that may be meant.
std::string missing_file_message(const std::filesystem::path& submission, const std::string& name) {
    std::string message = fmt::format("{}: there is no such file in the submission\n", name);
    const bool kernels = name.ends_with(".cu");
    for (const std::filesystem::path& other : regular_files(submission))
        if (letters_of(other) == letters_of(name) && (other.extension() == ".cu") == kernels &&
            other.extension() != ".h")
            message += fmt::format("Is it {}? Its name and place have to be {}.\n", other.string(), name);
    return message;
}

/// Makes a build of a cache entry.
Build from_cached(const CachedBuild& cached, const rubric::Rubric& rubric, const BuildOptions& options) {
    Build result;
    const std::string name = rubric.module->name + ".so";
    result.library = result.folder.write(name, cached.library);
    make_readable_by_all(result.library);
    const std::vector<std::string> sources = sources_of(rubric, options);
    for (std::size_t k = 0; k < sources.size(); ++k) {
        report::SourceFile source;
        source.name = sources[k];
        source.compiled = true;
        source.messages = cached.messages[k];
        result.sources.push_back(std::move(source));
    }
    result.from_cache = true;
    return result;
}

/// Makes a cache entry of a build.
CachedBuild to_cached(const Build& built) {
    CachedBuild cached{data::read_file(built.library), {}};
    for (const report::SourceFile& source : built.sources) cached.messages.push_back(source.messages);
    return cached;
}

/// Runs the compiler for one submission.
class Compilation {
  public:
    /// `files`: of the submission, those in the sandbox.
    Compilation(const CompileSandbox& sandbox, const std::filesystem::path& submission,
                const std::vector<std::filesystem::path>& files, const Installation& installation,
                const BuildOptions& options)
        : sandbox_(sandbox),
          submission_(submission),
          files_(files),
          installation_(installation),
          options_(options) {}

    /// Compiles a source. Increments `compiled_with_prelude` if a precompiled header was used.
    worker::CommandResult compile(const std::string& name, const std::string& object,
                                  int& compiled_with_prelude) const {
        if (options_.kernels != Kernels::none)
            return compile_kernels(sandbox_, name, object, {submission_, files_, *options_.reader},
                                   installation_, options_.kernels);
        std::vector<std::string> arguments = flags_of(installation_, options_);
        for (const auto& flags :
             {include_flags(sandbox_.contract(), installation_), options_.flags, {"-c", name, "-o", object}})
            arguments.insert(arguments.end(), flags.begin(), flags.end());
        // Lines are found by the names that files have in the submission.
        if (options_.watched || options_.sampled)
            arguments.push_back(fmt::format("-fdebug-prefix-map={}=.", sandbox_.sources().string()));
        if (const auto prelude = prelude_of(name); !prelude.empty()) {
            auto quick = arguments;
            const auto flags = prelude_flags(prelude);
            quick.insert(quick.end(), flags.begin(), flags.end());
            worker::CommandResult compiled = sandbox_.compile(quick, prelude);
            compiled_with_prelude += succeeded_silently(compiled) ? 1 : 0;
            if (succeeded_silently(compiled) || compiled.timed_out) return compiled;
        }
        worker::CommandResult compiled = sandbox_.compile(arguments);
        if (compiled.too_much_output) {  // perhaps only warnings, which cost no points: try without them
            arguments.emplace_back("-w");
            compiled = sandbox_.compile(arguments);
        }
        return compiled;
    }

    worker::CommandResult link(const std::vector<std::string>& objects, const std::string& library,
                               const ask::Module& module) const {
        sandbox_.add_file("symbols.map", exported_symbols(module, options_));
        // Lazy binding: a call of an undefined function fails when it is made, not when the library is
        // loaded.
        std::vector<std::string> arguments = {"-shared", "-Wl,-z,lazy", "-o", "../build/" + library,
                                              "-Wl,--version-script=../contract/symbols.map"};
        arguments.insert(arguments.end(), objects.begin(), objects.end());
        arguments.insert(arguments.end(), options_.libraries.begin(), options_.libraries.end());
        if (is_confined(options_) && !linker_flag().empty()) {
            auto quick = arguments;
            quick.push_back(linker_flag());
            if (worker::CommandResult linked = sandbox_.compile(quick); succeeded_silently(linked))
                return linked;
        }
        return sandbox_.compile(arguments);
    }

  private:
    std::filesystem::path prelude_of(const std::string& name) const {
        if (!is_confined(options_) || !options_.flags.empty() || options_.timed || options_.watched)
            return {};
        const auto facts = options_.reader->facts(submission_ / name);
        return facts ? prelude_for(facts->leading_includes, sandbox_.sources(), installation_)
                     : std::filesystem::path();
    }

    const CompileSandbox& sandbox_;
    const std::filesystem::path& submission_;
    const std::vector<std::filesystem::path>& files_;
    const Installation& installation_;
    const BuildOptions& options_;
};

Build compile_and_link(const std::filesystem::path& submission, const SourceScan& scan,
                       const rubric::Rubric& rubric, const Installation& installation,
                       const BuildOptions& options) {
    Build result;
    const CompileSandbox sandbox(result.folder / "compile", submission, scan.files, installation, options);
    const Compilation compilation(sandbox, submission, scan.files, installation, options);
    std::vector<std::string> objects;
    for (const std::string& name : sources_of(rubric, options)) {
        const auto file = submission / name;
        report::SourceFile source;
        source.name = name;
        if (!std::filesystem::is_regular_file(file)) {
            source.exists = false;
            source.messages = missing_file_message(submission, name);
            result.sources.push_back(source);
            continue;
        }
        if (!scan.refused.empty()) {
            source.messages = scan.refused;
            result.sources.push_back(source);
            continue;
        }
        const std::string object = "../build/" + name + ".o";
        const auto compiled = compilation.compile(name, object, result.compiled_with_prelude);
        source.compiled = succeeded(compiled);
        source.messages = source.compiled
                              ? cut_messages(compiled.printed, kShownLines)
                              : declared_elsewhere(compiled.printed, installation.assignments,
                                                   options.kernels != Kernels::none) +
                                    failure_message(compiled, wider_instructions(installation, options));
        if (source.compiled) objects.push_back(object);
        result.sources.push_back(source);
    }
    if (objects.empty()) return result;

    const std::string library = rubric.module->name + ".so";
    const worker::CommandResult linked = compilation.link(objects, library, *rubric.module);
    sandbox.protect_outputs();
    if (succeeded(linked)) {
        result.library = sandbox.built(library);
        return result;
    }
    for (report::SourceFile& source : result.sources) {
        if (!source.compiled) continue;
        source.compiled = false;
        source.messages = "the files compile, but cannot be linked:\n" + failure_message(linked);
    }
    return result;
}

}  // namespace

const report::SourceFile& Build::source(const std::string& name) const {
    return *std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; });
}

std::string cut_messages(const std::string& messages, std::size_t most_lines) {
    std::vector<std::string> lines = lines_in(messages);
    const auto contains = [](const char* words) {
        return [words](const std::string& line) { return line.find(words) != std::string::npos; };
    };
    auto first = std::find_if(lines.begin(), lines.end(), contains("error:"));
    // The linker prints its messages before the driver's "collect2: error:", which explains nothing.
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

Build build_submission(const std::filesystem::path& submission, const rubric::Rubric& rubric,
                       const Installation& installation, const BuildOptions& given) {
    BuildOptions options = given;
    if (!options.reader) options.reader = std::make_shared<SourceReader>(installation, options.layers);
    if (!std::filesystem::is_directory(submission)) {
        throw UserError(fmt::format("{}: there is no such folder; give the one that holds {}",
                                    submission.string(), rubric.sources.front()));
    }
    require_compiler(installation);
    // The key does not have the contents of further libraries.
    const BuildCache cache(is_confined(options) && options.libraries.empty() ? options.cache
                                                                             : std::filesystem::path());
    const SourceScan scan =
        scan_sources(sources_of(rubric, options), regular_files(submission), submission,
                     [&options](const std::filesystem::path& file) { return options.reader->facts(file); });
    const std::string key = cache.active() && scan.refused.empty()
                                ? cache_key(submission, scan.files, rubric, installation, options)
                                : std::string();
    if (!key.empty())
        if (const auto cached = cache.find(key);
            cached && cached->messages.size() == sources_of(rubric, options).size())
            return from_cached(*cached, rubric, options);
    Build result = compile_and_link(submission, scan, rubric, installation, options);
    // A failure may be the machine's (out of memory), so failed builds are not cached.
    const bool whole = std::all_of(result.sources.begin(), result.sources.end(),
                                   [](const report::SourceFile& source) { return source.compiled; });
    if (!key.empty() && whole && !result.library.empty()) cache.store(key, to_cached(result));
    return result;
}

}  // namespace attn::compile
