#include "grader/compile/source_reader.h"

#include <algorithm>

#include <fcntl.h>

#include "grader/base/file_descriptor.h"
#include "grader/base/text_lines.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"

namespace attn::compile {
namespace {

/// More than the facts of a source of the largest size, or the source itself with barriers.
constexpr std::size_t kMostPrinted = std::size_t{8} << 20;

}  // namespace

std::optional<std::string> SourceReader::ask(const std::vector<std::string>& question,
                                             const std::filesystem::path& file) const {
    const FileDescriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (opened.get() < 0) return std::string();
    worker::Command reader;
    reader.argv = {program_.string()};
    reader.argv.insert(reader.argv.end(), question.begin(), question.end());
    reader.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    reader.descriptors = {opened.get()};
    reader.confinement.layers = layers_;
    reader.confinement.compiler = true;
    reader.confinement.limits.cpu_s = static_cast<int>(kReadTime_s);
    reader.confinement.limits.memory_mib = kCompileMemory_mib;
    reader.confinement.files = {worker::compiler_files(program_), {"/dev/null"}};
    reader.confinement.files.readable.push_back(program_);
    const worker::CommandResult result = worker::run_command(reader, kPatience * kReadTime_s, kMostPrinted);
    if (!worker::succeeded(result)) return std::nullopt;
    return result.printed;
}

std::optional<SourceFacts> SourceReader::facts(const std::filesystem::path& source) {
    const std::lock_guard lock(mutex_);
    if (const auto known = facts_.find(source); known != facts_.end()) return known->second;
    std::optional<SourceFacts> facts;
    if (const auto printed = ask({"facts"}, source)) facts = facts_from(*printed);
    return facts_[source] = facts;
}

Lines SourceReader::lines(const std::filesystem::path& source, const std::set<int>& numbers) {
    std::vector<std::string> question = {"lines"};
    for (const int number : numbers) question.push_back(std::to_string(number));
    const std::string printed = ask(question, source).value_or("");
    // The reader prints a line for each number; one that begins with + is there.
    Lines lines;
    std::string_view rest = printed;
    for (const int number : numbers) {
        const std::string_view line = take_line(rest);
        if (line.starts_with('+')) lines[number] = line.substr(1);
    }
    return lines;
}

std::vector<std::string> SourceReader::mangled_names(const std::filesystem::path& library,
                                                     const std::string& prefix) {
    const std::lock_guard lock(mutex_);
    if (const auto known = names_.find(library); known != names_.end()) return known->second;
    std::vector<std::string>& names = names_[library];
    const std::string printed = ask({"names", prefix}, library).value_or("");
    return names = lines_in(printed);
}

std::optional<std::string> SourceReader::with_barriers(const std::filesystem::path& source,
                                                       const std::vector<std::string>& barriers) {
    std::vector<std::string> question = {"add_barriers"};
    question.insert(question.end(), barriers.begin(), barriers.end());
    return ask(question, source);
}

}  // namespace attn::compile
