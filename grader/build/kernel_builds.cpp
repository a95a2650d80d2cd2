#include "grader/build/kernel_builds.h"

#include <fmt/format.h>

#include "grader/emulator/places.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::submission {
namespace {

constexpr double kResolveTime_s = 10;
constexpr std::size_t kResolveOutput = 64 << 10;
constexpr const char* kAddressToLine = "/usr/bin/addr2line";

/// Runs addr2line, which comes with every compiler, for an address in a student's library. The library is
/// untrusted input, so addr2line is confined.
std::string run_addr2line(const std::filesystem::path& library, const std::string& address,
                          const worker::Layers& layers) {
    worker::Command command;
    // Its folder is the current one, because the user nobody cannot go through the folders above.
    command.argv = {kAddressToLine, "-i", "-e", library.filename().string(), address};
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    command.directory = library.parent_path();
    command.confinement.layers = layers;
    command.confinement.compiler = true;
    command.confinement.files = {worker::compiler_files(kAddressToLine), {"/dev/null"}};
    command.confinement.files.readable.push_back(library);
    const auto result = worker::run_command(command, kResolveTime_s, kResolveOutput);
    return worker::succeeded(result) ? result.printed : std::string();
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

std::string KernelBuilds::lines_at(const std::filesystem::path& library, const std::string& address) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = known_lines_.try_emplace({library, address});
    if (is_new) known->second = run_addr2line(library, address, watched_.layers());
    return known->second;
}

std::vector<std::filesystem::path> KernelBuilds::libraries_of(const Rubric& rubric, Kernels how) {
    return (how == Kernels::fast ? fast_ : watched_).libraries_of(rubric);
}

std::string KernelBuilds::resolve(const std::vector<std::filesystem::path>& libraries,
                                  const std::string& found) {
    return emulator::resolve(found, [&](const std::string& module, const std::string& address) {
        // The worker opens its libraries by file descriptor, so the emulator reports descriptor paths.
        for (std::size_t k = 0; k < libraries.size(); ++k)
            if (module == fmt::format("/proc/self/fd/{}", worker::kFirstLibrary + k))
                return lines_at(libraries[k], address);
        return std::string();
    });
}

}  // namespace attn::submission
