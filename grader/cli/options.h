#pragma once
/// Parses the options of a command with Boost.Program_options.

#include <optional>
#include <ostream>
#include <string>

#include <boost/program_options.hpp>

#include "grader/cli/commands.h"

namespace attn::cli {

namespace po = boost::program_options;

/// Parses the arguments. `positional` is the option that receives arguments without a dash. If --help is
/// given, prints `usage` and the options and returns nothing. Throws UsageError for invalid arguments.
std::optional<po::variables_map> parse(const Words& words, const std::string& usage,
                                       po::options_description& options, const char* positional);

/// The arguments without a dash, of which there have to be `count`. Throws UsageError, with what is to be given,
/// otherwise.
Words arguments_of(const po::variables_map& values, const char* positional, std::size_t count,
                   const std::string& otherwise);

/// The text of an option; empty if it is not given.
std::string text_of(const po::variables_map& values, const char* option);

/// Adds --assignment, whose value assignment_in() gives: a number, or a name of the assignment or of a function of it.
void add_assignment_option(po::options_description& options, const char* about);
/// Nothing if it is not given. Throws UsageError, with the name that may be meant, if there is none of this name.
std::optional<int> assignment_in(const po::variables_map& values);

/// Adds --course, whose value course_in() gives: see rubric::read_course.
void add_course_option(po::options_description& options);
std::string course_in(const po::variables_map& values);

/// Removes the file of an earlier run before this one begins, so that it cannot be taken for this run's if
/// this run ends early. Pipes and devices stay. Throws data::FileError if the file cannot be removed.
void remove_earlier_file(const std::string& path);

}  // namespace attn::cli
