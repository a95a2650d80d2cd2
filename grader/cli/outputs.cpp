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
    bool for_people = false;  ///< its path is printed: somebody will want to open it
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
    for (const Format& format : kFormats) {
        if (values.count(format.option) == 0) continue;
        const auto& path = values[format.option].as<std::string>();
        write_file(path, format.write(report));
        if (format.for_people) std::cout << "Full report: " << path << "\n";
    }
}

}  // namespace attn::cli
