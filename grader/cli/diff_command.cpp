#include <iostream>
#include <stdexcept>

#include "datasets/files/file_error.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/changes.h"
#include "grader/report/json.h"

namespace attn::cli {
namespace {

constexpr const char* kDiffUsage =
    "usage: grader diff OLD.json NEW.json\n"
    "Shows which checks got better or worse from one report to the next.\n"
    "  cp build/report.json /tmp/before.json; make grade; grader diff /tmp/before.json build/report.json\n"
    "Exit code: 0 no check got worse, 1 a check got worse, 2 invalid usage or a file that is no report.\n";

report::Report read(const std::string& path) {
    try {
        return report::from_json(data::read_file(path));
    } catch (const UserError& error) {
        throw UserError(path + ": " + error.what());
    }
}

}  // namespace

int diff_command(const Words& words) {
    po::options_description options("options");
    const auto values = parse(words, kDiffUsage, options, "reports");
    if (!values) return kAllPassed;
    const Words paths = arguments_of(*values, "reports", 2,
                                     std::string("give two reports, the older one first\n") + kDiffUsage);
    const report::Changes changes = report::changes(read(paths[0]), read(paths[1]));
    report::write_changes(std::cout, changes, colour_wanted());
    if (!std::cout.flush()) throw std::runtime_error("the changes could not be written to standard output");
    return changes.any(report::Change::Direction::worse) ? kSomethingFailed : kAllPassed;
}

}  // namespace attn::cli
