#include "grader/build/address_lines.h"

#include <cstdlib>
#include <sstream>

#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"

namespace attn::submission {
namespace {

constexpr double kResolveTime_s = 5;
constexpr std::size_t kResolveOutput = 256 << 10;
constexpr const char* kAddressToLine = "/usr/bin/addr2line";

/// "softmax" for "attn::(anonymous namespace)::softmax(attn::TensorView<float, 2>)".
std::string short_name(std::string function) {
    for (const std::string_view scope :
         {"(anonymous namespace)::", "attn::cuda::", "attn::", "(anonymous namespace)::"})
        while (function.starts_with(scope)) function.erase(0, scope.size());
    // The parameters begin at the first bracket that is not the name of operator().
    const std::size_t from = function.starts_with("operator()") ? 10 : 0;
    return function.substr(0, function.find('(', from));
}

}  // namespace

std::optional<std::map<std::string, std::string>> lines_of(const std::filesystem::path& library,
                                                           const std::set<std::string>& addresses,
                                                           const worker::Layers& layers, Frames frames) {
    worker::Command command;
    // addr2line starts in the library's folder, because the user `nobody` may not search the folders above.
    command.argv = {kAddressToLine, "-a", "-i", "-e", library.filename().string()};
    if (frames == Frames::functions_and_places) command.argv.insert(command.argv.begin() + 1, {"-f", "-C"});
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
    if (!worker::succeeded(result)) return std::nullopt;
    // With -a a line with the address stands before the lines of each address, in the order in which they
    // were given.
    std::map<std::string, std::string> lines;
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

std::vector<Frame> own_frames(const std::string& printed) {
    std::vector<Frame> frames;
    std::istringstream text(printed);
    for (std::string function, place; std::getline(text, function) && std::getline(text, place);) {
        place = place.substr(0, place.find(' '));  // "(discriminator 3)" may follow
        const std::size_t colon = place.rfind(':');
        if (colon == std::string::npos) continue;
        const int line = std::atoi(place.c_str() + colon + 1);
        const std::string file = std::filesystem::path(place.substr(0, colon)).lexically_normal().string();
        // Headers of the contract are in ../contract, those of the system in /usr/include.
        if (line <= 0 || file.empty() || file[0] == '/' || file[0] == '?' || file.starts_with("..")) continue;
        frames.push_back({short_name(function), file, line});
    }
    return frames;
}

}  // namespace attn::submission
