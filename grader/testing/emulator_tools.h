#pragma once
/// For tests of the emulator's front end: g++ and what it made, run as they are.

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/worker/process.h"

namespace attn::emulator {

/// Boost.Test's precondition: the emulator is made for this processor only.
inline boost::test_tools::assertion_result on_x86_64(boost::unit_test::test_unit_id /*unit*/) {
    boost::test_tools::assertion_result result(!Installation().emulator_library.empty());
    result.message() << "skipped: not x86-64";
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
    constexpr double kPatience_s = 60;
    return worker::run_command(command, kPatience_s, 1 << 20);
}

/// g++ in a folder; what it says where it has to succeed.
inline void run_gxx(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
    const auto result = run_program(Installation().compiler, arguments, folder);
    BOOST_REQUIRE_MESSAGE(result.ending.exit_code == 0 && result.ending.signal == 0, result.printed);
}

}  // namespace attn::emulator
