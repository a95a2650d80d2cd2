#include "grader/cli/outputs.h"

#include <iostream>
#include <string>

#include <fmt/format.h>

#include "grader/cli/options.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/report/junit.h"

namespace attn::cli {
namespace {

/// Who gets a file.
enum class Reader {
    student,     ///< what is disclosed
    platform,    ///< hides what is due later from students by itself
    instructor,  ///< everything
};

struct Format {
    const char* option;
    const char* about;
    std::string (*write)(const report::Report&);
    Reader reader = Reader::student;
    bool for_people = false;  ///< somebody will want to open it: the path of the last of these is printed
};

constexpr Format kFormats[] = {
    {"json", "write the whole report, as far as it is disclosed, to this file", report::to_json,
     Reader::student, true},
    {"full-json", "write all of it, secret inputs included, to this file: for the instructor only",
     report::to_json, Reader::instructor},
    {"junit", "write JUnit XML to this file", report::to_junit},
    {"html", "write a page with pictures to look at in a browser", report::to_html, Reader::student, true},
};

report::Report for_reader(Reader reader, const report::Report& report, report::Viewing viewing) {
    if (reader == Reader::instructor) return report;
    viewing.platform_hides = reader == Reader::platform;
    return report::disclosed(report, viewing);
}

}  // namespace

void add_output_options(po::options_description& options) {
    for (const Format& format : kFormats)
        options.add_options()(format.option, po::value<std::string>()->value_name("FILE"), format.about);
}

void write_outputs(const po::variables_map& values, const report::Report& report,
                   const report::Viewing& viewing) {
    std::string to_open;
    for (const Format& format : kFormats) {
        if (values.count(format.option) == 0) continue;
        const auto& path = values[format.option].as<std::string>();
        write_file(path, format.write(for_reader(format.reader, report, viewing)));
        if (format.for_people) to_open = path;
    }
    if (!to_open.empty()) std::cout << "Full report: " << to_open << "\n";
}

}  // namespace attn::cli
