#include "grader/compile/address_lines.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "grader/base/text_lines.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::compile {
namespace {

constexpr double kResolveTime_s = 5;
constexpr std::size_t kResolveOutput = 256 << 10;
constexpr const char *kAddressToLine = "/usr/bin/addr2line", *kDisassemble = "/usr/bin/objdump";

/// "softmax" for "attn::(anonymous namespace)::softmax(attn::TensorView<float, 2>)".
std::string short_name(std::string function) {
    for (const std::string_view scope :
         {"(anonymous namespace)::", "attn::cuda::", "attn::", "(anonymous namespace)::"})
        while (function.starts_with(scope)) function.erase(0, scope.size());
    // The parameters begin at the first bracket that is not the name of operator().
    const std::size_t from = function.starts_with("operator()") ? 10 : 0;
    return function.substr(0, function.find('(', from));
}

/// Runs one of the compiler's tools on a library, which is untrusted input: confined and limited.
worker::CommandResult run_tool(const std::vector<std::string>& arguments,
                               const std::filesystem::path& library, const worker::Layers& layers) {
    worker::Command command;
    command.argv = arguments;
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    // The tool runs as the user `nobody`, who has no permission for the folders above the library's. So it
    // starts in that folder.
    command.directory = library.parent_path();
    command.confinement.layers = layers;
    command.confinement.compiler = true;
    command.confinement.limits.cpu_s = static_cast<int>(kResolveTime_s);
    command.confinement.limits.memory_mib = 1024;
    command.confinement.limits.file_mib = 1;
    command.confinement.files = {worker::compiler_files(arguments.front()), {"/dev/null"}};
    command.confinement.files.readable.push_back(library);
    return worker::run_command(command, kResolveTime_s, kResolveOutput);
}

}  // namespace

std::vector<Address> addresses_in(std::string_view trace) {
    constexpr std::string_view kOpen = "@{/proc/self/fd/";
    std::vector<Address> all;
    for (std::size_t at = 0; (at = trace.find(kOpen, at)) != std::string_view::npos;) {
        at += kOpen.size();
        const std::size_t plus = trace.find("+0x", at), close = trace.find('}', at);
        if (close == std::string_view::npos || plus > close) continue;
        const std::string number(trace.substr(at, plus - at)),
            address(trace.substr(plus + 1, close - plus - 1));
        if (number.empty() || number.size() > 3 || address.size() > 18 ||
            number.find_first_not_of("0123456789") != std::string::npos ||
            address.find_first_not_of("0123456789abcdefx") != std::string::npos)
            continue;
        const int descriptor = std::stoi(number);
        if (descriptor >= worker::kFirstLibrary)
            all.push_back({static_cast<std::size_t>(descriptor - worker::kFirstLibrary), address});
    }
    return all;
}

std::string shown_line(std::string line) {
    constexpr std::size_t kLongest = 160;
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.size() > kLongest) line = line.substr(0, kLongest) + " ..";
    return line;
}

std::optional<std::map<std::string, std::string>> lines_of(const std::filesystem::path& library,
                                                           const std::set<std::string>& addresses,
                                                           const worker::Layers& layers, Frames frames) {
    std::vector<std::string> arguments = {kAddressToLine, "-a", "-i", "-e", library.filename().string()};
    if (frames == Frames::functions_and_places) arguments.insert(arguments.begin() + 1, {"-f", "-C"});
    arguments.insert(arguments.end(), addresses.begin(), addresses.end());
    const auto result = run_tool(arguments, library, layers);
    if (!worker::succeeded(result)) return std::nullopt;
    // With -a a line with the address stands before the lines of each address, in the order in which they
    // were given.
    std::map<std::string, std::string> lines;
    auto next = addresses.begin();
    std::string* current = nullptr;
    for (const std::string& line : lines_in(result.printed)) {
        if (line.starts_with("0x") && next != addresses.end())
            current = &lines[*next++];
        else if (current != nullptr)
            *current += line + '\n';
    }
    return lines;
}

std::map<std::uint64_t, std::string> instructions_in(const std::filesystem::path& library, std::uint64_t from,
                                                     std::uint64_t to, const worker::Layers& layers) {
    const auto result =
        run_tool({kDisassemble, "-d", "--no-show-raw-insn", fmt::format("--start-address={:#x}", from),
                  fmt::format("--stop-address={:#x}", to), library.filename().string()},
                 library, layers);
    std::map<std::uint64_t, std::string> instructions;
    if (!worker::succeeded(result)) return instructions;
    for (const std::string& line : lines_in(result.printed)) {
        char* end = nullptr;
        constexpr int kHex = 16;
        const std::uint64_t address = std::strtoull(line.c_str(), &end, kHex);
        if (line.starts_with(' ') && *end == ':' && end[1] == '\t') instructions[address] = end + 2;
    }
    return instructions;
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

}  // namespace attn::compile
