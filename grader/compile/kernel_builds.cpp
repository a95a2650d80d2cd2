#include "grader/compile/kernel_builds.h"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "grader/compile/address_lines.h"
#include "grader/emulator/places.h"
#include "grader/worker/protocol.h"

namespace attn::compile {
namespace {

constexpr int kMostFailures = 2;  ///< afterwards no more places of this library are looked up

}  // namespace

report::SourceFile KernelBuilds::source(const rubric::Rubric& rubric) {
    const std::string& name = rubric.cuda.value().source;
    const report::SourceFile& fast = fast_.of(rubric).source(name);
    // If only one of the two builds compiles, the messages of the other say why.
    return fast.compiled ? watched_.of(rubric).source(name) : fast;
}

KernelWorkers KernelBuilds::workers_for(const rubric::Rubric& rubric) {
    return {fast_.worker_for(rubric), watched_.worker_for(rubric)};
}

std::vector<std::filesystem::path> KernelBuilds::libraries_of(const rubric::Rubric& rubric, Kernels how) {
    return (how == Kernels::fast ? fast_ : watched_).libraries_of(rubric);
}

void KernelBuilds::look_up(const std::filesystem::path& library, std::set<std::string> addresses) {
    Places& places = places_[library];
    std::erase_if(addresses,
                  [&places](const std::string& address) { return places.lines.contains(address); });
    if (addresses.empty() || places.failures >= kMostFailures) return;
    if (auto lines = lines_of(library, addresses, watched_.layers(), Frames::places))
        places.lines.merge(*lines);
    else
        ++places.failures;
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

}  // namespace attn::compile
