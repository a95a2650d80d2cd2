#include "grader/build/kernel_builds.h"

#include <set>
#include <sstream>

#include <fmt/format.h>

#include "grader/emulator/places.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::submission {
namespace {

constexpr double kResolveTime_s = 5;
constexpr std::size_t kResolveOutput = 256 << 10;
constexpr int kMostFailures = 2;  ///< afterwards no more places of this library are looked up
constexpr const char* kAddressToLine = "/usr/bin/addr2line";

/// Runs addr2line, which comes with every compiler, for addresses in a student's library. The library is
/// untrusted input, so addr2line is confined and limited. Returns its lines for each address that it knows.
std::map<std::string, std::string> run_addr2line(const std::filesystem::path& library,
                                                 const std::set<std::string>& addresses,
                                                 const worker::Layers& layers, bool& failed) {
    worker::Command command;
    // addr2line starts in the library's folder, because the user `nobody` may not search the folders above.
    command.argv = {kAddressToLine, "-a", "-i", "-e", library.filename().string()};
    command.argv.insert(command.argv.end(), addresses.begin(), addresses.end());
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    command.directory = library.parent_path();
    command.confinement.layers = layers;
    command.confinement.compiler = true;
    command.confinement.limits.cpu_s = static_cast<int>(kResolveTime_s);
    command.confinement.limits.memory_mib = 1024;
    command.confinement.limits.file_mib = 1;
    command.confinement.files = {worker::compiler_files(kAddressToLine), {"/dev/null"}};
    command.confinement.files.readable.push_back(library);
    const auto result = worker::run_command(command, kResolveTime_s, kResolveOutput);
    failed = !worker::succeeded(result);
    std::map<std::string, std::string> lines;
    if (failed) return lines;
    // With -a a line with the address stands before the lines of each address, in the order in which they
    // were given.
    auto next = addresses.begin();
    std::string* current = nullptr;
    std::istringstream text(result.printed);
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("0x") && next != addresses.end())
            current = &lines[*next++];
        else if (current != nullptr)
            *current += line + '\n';
    }
    return lines;
}

}  // namespace

report::SourceFile KernelBuilds::source(const Rubric& rubric) {
    const std::string& name = rubric.cuda.value().source;
    const report::SourceFile& fast = fast_.of(rubric).source(name);
    // If only one of the two builds compiles, the messages of the other say why.
    return fast.compiled ? watched_.of(rubric).source(name) : fast;
}

KernelWorkers KernelBuilds::workers_for(const Rubric& rubric) {
    return {fast_.worker_for(rubric), watched_.worker_for(rubric)};
}

std::vector<std::filesystem::path> KernelBuilds::libraries_of(const Rubric& rubric, Kernels how) {
    return (how == Kernels::fast ? fast_ : watched_).libraries_of(rubric);
}

void KernelBuilds::look_up(const std::filesystem::path& library, std::set<std::string> addresses) {
    Places& places = places_[library];
    std::erase_if(addresses,
                  [&places](const std::string& address) { return places.lines.contains(address); });
    if (addresses.empty() || places.failures >= kMostFailures) return;
    bool failed = false;
    places.lines.merge(run_addr2line(library, addresses, watched_.layers(), failed));
    if (failed) ++places.failures;
}

std::string KernelBuilds::resolve(const std::vector<std::filesystem::path>& libraries,
                                  const std::string& found) {
    // The worker opens its libraries by file descriptor, so the emulator reports descriptor paths.
    const auto library_of = [&libraries](const std::string& module) -> const std::filesystem::path* {
        for (std::size_t k = 0; k < libraries.size(); ++k)
            if (module == fmt::format("/proc/self/fd/{}", worker::kFirstLibrary + k)) return &libraries[k];
        return nullptr;
    };
    const std::lock_guard lock(mutex_);
    // The text may come from the student's code, with many places. So look up all places of a library at
    // once.
    std::map<std::filesystem::path, std::set<std::string>> needed;
    emulator::resolve(found, [&](const std::string& module, const std::string& address) {
        const bool number =
            address.size() <= 18 && address.find_first_not_of("0123456789abcdefABCDEFx") == std::string::npos;
        if (const auto* library = library_of(module); library != nullptr && number)
            needed[*library].insert(address);
        return std::string();
    });
    for (auto& [library, addresses] : needed) look_up(library, std::move(addresses));
    return emulator::resolve(found, [&](const std::string& module, const std::string& address) {
        const auto* library = library_of(module);
        if (library == nullptr) return std::string();
        const auto& lines = places_[*library].lines;
        const auto known = lines.find(address);
        return known == lines.end() ? std::string() : known->second;
    });
}

}  // namespace attn::submission
