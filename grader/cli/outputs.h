#pragma once
/// Writes a report to a file for each requested format.

#include <boost/program_options.hpp>

#include "grader/report/disclosed.h"

namespace attn::cli {

/// Adds an option for each format (--json FILE ..) and the options that some formats need.
void add_output_options(boost::program_options::options_description& options);

/// Checks the options before grading starts. Throws UsageError if a format cannot be written.
void check_outputs(const boost::program_options::variables_map& values);

/// Removes the requested files, if an earlier run wrote them: see remove_earlier_file().
void remove_earlier_outputs(const boost::program_options::variables_map& values);

/// A report as each of its readers may see it.
struct Views {
    report::Report of_student;     ///< only what is disclosed
    report::Report of_platform;    ///< also what is due later, for a platform that hides it by itself
    report::Report of_instructor;  ///< everything
};
Views views_of(report::Report report, report::ViewOptions view);

/// Writes the requested formats, each from the view of its reader, and prints the path of the full report.
/// Each file is written completely or not at all. A format for standard output (FILE is -) comes last. Throws
/// data::FileError.
void write_outputs(const boost::program_options::variables_map& values, const Views& views);

}  // namespace attn::cli
