#pragma once
/// The files that a report is written to, one for each format that was asked for.

#include <boost/program_options.hpp>

#include "grader/report/disclosed.h"

namespace attn::cli {

/// Adds an option for each format, --json FILE .., and what some of them have to be told.
void add_output_options(boost::program_options::options_description& options);

/// Refuses options that cannot be done, before anything is graded for them. Throws UsageError.
void check_outputs(const boost::program_options::variables_map& values);

/// Writes of a whole report what these options ask for and their readers may see, each file whole or not at
/// all, and tells people where to look. What was asked for on standard output (FILE is -) comes last. Throws
/// data::FileError.
void write_outputs(const boost::program_options::variables_map& values, const report::Report& report,
                   const report::Viewing& viewing);

}  // namespace attn::cli
