#pragma once
/// For tests of the emulator's front end: runs g++ and the programs that it makes, without a sandbox.

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/worker/process.h"

namespace attn::emulator {

/// A precondition of Boost.Test: this build has the emulator.
inline boost::test_tools::assertion_result has_emulator(boost::unit_test::test_unit_id /*unit*/) {
    boost::test_tools::assertion_result result(!Installation().emulator_library.empty());
    result.message() << "skipped: the emulator needs g++ and an x86-64 processor";
    return result;
}

inline worker::CommandResult run_program(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments = {},
                                         const std::filesystem::path& folder = "/") {
    worker::Command command;
    command.argv = {program.string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    command.directory = folder;
    constexpr double kTimeLimit_s = 60;
    return worker::run_command(command, kTimeLimit_s, 1 << 20);
}

/// Runs g++ in a folder. The test fails with its messages if g++ fails.
inline void run_gxx(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
    const auto result = run_program(Installation().compiler, arguments, folder);
    BOOST_REQUIRE_MESSAGE(result.ending.exit_code == 0 && result.ending.signal == 0, result.printed);
}

}  // namespace attn::emulator
