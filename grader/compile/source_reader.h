#pragma once
/// Asks the reader (reader_main.cpp) about files that a student handed in. The grader itself reads none of
/// them. Each question is a process in the compiler's sandbox with limits of its own, so a text that makes it
/// slow or makes it fail costs its own assignment only.

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/installation.h"
#include "grader/compile/source_facts.h"
#include "grader/sandbox/layers.h"

namespace attn::compile {

class SourceReader {
  public:
    SourceReader(const Installation& installation, const worker::Layers& layers)
        : program_(installation.reader), layers_(layers) {}

    /// The facts of a source. Each file is read once. Nothing if the reader fails or exceeds its limits. A
    /// file that does not exist or cannot be opened counts as empty, because the compiler will report it.
    std::optional<SourceFacts> facts(const std::filesystem::path& source);

    /// Lines of a source by number. Empty if the reader fails.
    Lines lines(const std::filesystem::path& source, const std::set<int>& numbers);

    /// See mangled_names(), for one prefix. Each file is read once. Empty if the reader fails.
    std::vector<std::string> mangled_names(const std::filesystem::path& library, const std::string& prefix);

    /// The text with barriers: see emulator/barriers.h. Nothing if the reader fails.
    std::optional<std::string> with_barriers(const std::filesystem::path& source,
                                             const std::vector<std::string>& barriers);

  private:
    std::optional<std::string> ask(const std::vector<std::string>& question,
                                   const std::filesystem::path& file) const;

    std::filesystem::path program_;
    worker::Layers layers_;
    std::mutex mutex_;
    std::map<std::filesystem::path, std::optional<SourceFacts>> facts_;
    std::map<std::filesystem::path, std::vector<std::string>> names_;
};

}  // namespace attn::compile
