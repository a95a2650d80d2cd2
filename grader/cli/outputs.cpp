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

struct Format {
    const char* option;
    const char* about;
    std::string (*write)(const report::Report&);
    bool for_people = false;  ///< somebody will want to open it: the path of the last of these is printed
};

constexpr Format kFormats[] = {
    {"json", "write the whole report to this file", report::to_json, true},
    {"junit", "write JUnit XML to this file", report::to_junit},
    {"html", "write a page with pictures to look at in a browser", report::to_html, true},
};

}  // namespace

void add_output_options(po::options_description& options) {
    for (const Format& format : kFormats)
        options.add_options()(format.option, po::value<std::string>()->value_name("FILE"), format.about);
}

void write_outputs(const po::variables_map& values, const report::Report& report) {
    std::string to_open;
    for (const Format& format : kFormats) {
        if (values.count(format.option) == 0) continue;
        const auto& path = values[format.option].as<std::string>();
        write_file(path, format.write(report));
        if (format.for_people) to_open = path;
    }
    if (!to_open.empty()) std::cout << "Full report: " << to_open << "\n";
}

}  // namespace attn::cli
