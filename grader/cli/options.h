#pragma once
/// Options of a command: Boost.Program_options with our manner of help and errors.

#include <optional>
#include <ostream>
#include <string>

#include <boost/program_options.hpp>

#include "grader/cli/commands.h"

namespace attn::cli {

namespace po = boost::program_options;

/// Parses the words; `positional` names the option that words without a dash belong to. Prints `usage` and
/// the options, and returns nothing, where --help is among them. Throws UsageError.
std::optional<po::variables_map> parse(const Words& words, const std::string& usage,
                                       po::options_description& options, const char* positional);

/// Writes a file whole or not at all. Throws data::FileError.
void write_file(const std::string& path, const std::string& text);

}  // namespace attn::cli
