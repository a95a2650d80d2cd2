#pragma once
/// The files that a report is written to, one for each format that was asked for.

#include <boost/program_options.hpp>

#include "grader/report/disclosed.h"

namespace attn::cli {

/// Adds an option for each format, --json FILE .., and what some of them have to be told.
void add_output_options(boost::program_options::options_description& options);

/// Refuses options that cannot be done, before anything is graded for them. Throws UsageError.
void check_outputs(const boost::program_options::variables_map& values);

/// A report as each of its readers may see it.
struct Views {
    report::Report of_student;     ///< what is disclosed
    report::Report of_platform;    ///< which hides what is due later from students by itself
    report::Report of_instructor;  ///< everything
};
Views views_of(report::Report report, report::Viewing viewing);

/// Writes what these options ask for, of what their readers may see, each file whole or not at all, and tells
/// people where to look. What was asked for on standard output (FILE is -) comes last. Throws
/// data::FileError.
void write_outputs(const boost::program_options::variables_map& values, const Views& views);

}  // namespace attn::cli
