#include <filesystem>

#include "datasets/file_error.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/engine/engine.h"

namespace attn::classes {
namespace {

constexpr const char* kWorkUsage =
    "usage: grader class work SPOOL FILE.job\n"
    "Runs one job and writes how it ended to the spool. An engine starts this on another machine; people "
    "need not.\n"
    "Exit code: 0 the job has an ending.\n";

}  // namespace

int work_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("grader", po::value<std::string>()->value_name("FILE"),
                          "grade with this program instead of the one beside this");
    const auto values = cli::parse(words, kWorkUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words arguments = arguments_of(*values, 2, 2, kWorkUsage);
    run_job(read_job(data::read_file(arguments[1])), arguments[0], grader_program(*values));
    return cli::kAllPassed;
}

}  // namespace attn::classes
