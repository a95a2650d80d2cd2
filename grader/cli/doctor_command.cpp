#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/grading/private_places.h"
#include "grader/sandbox/layers.h"
#include "grader/worker/process.h"

namespace attn::cli {
namespace {

constexpr const char* kDoctorUsage =
    "usage: grader doctor\n"
    "Tests this machine: the sandbox layers that contain a submission, and the compiler.\n"
    "  grader doctor\n"
    "Exit code: 0 everything that `grader grade --require-sandbox` needs is available, 1 something is "
    "missing.\n";

/// The first line of the compiler's version text; empty if the compiler does not run.
std::string compiler_version(const Installation& installation) {
    worker::Command command;
    command.argv = {installation.compiler, "--version"};
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    constexpr double kTimeout_s = 10;
    try {
        const auto result = worker::run_command(command, kTimeout_s, 1 << 12);
        return result.ending.exit_code == 0 ? result.printed.substr(0, result.printed.find('\n')) : "";
    } catch (const std::runtime_error&) {
        return "";
    }
}

}  // namespace

int doctor_command(const Words& words) {
    po::options_description options("options");
    const auto values = parse(words, kDoctorUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0)
        throw UsageError(std::string("doctor takes no arguments\n") + kDoctorUsage);

    const Installation installation;
    std::cout << "Sandbox layers that contain a submission:\n";
    for (const worker::LayerState& state : worker::layers_here())
        std::cout << fmt::format("  {:<3}  {:<12}  {}\n       {:<12}  {}\n",
                                 state.active                           ? "ok"
                                 : state.layer == worker::Layer::cgroup ? "(-)"
                                                                        : "--",
                                 worker::name_of(state.layer), state.does, "", state.state);
    const std::string compiler = compiler_version(installation);
    std::cout << fmt::format("Compiler for submissions:\n  {:<3}  {}\n", compiler.empty() ? "--" : "ok",
                             compiler.empty() ? installation.compiler + " does not run" : compiler);
    if (!installation.no_speed.empty())
        std::cout << "Speed:\n  --   is not measured: " << installation.no_speed << '\n';
#if defined(__aarch64__)
    std::cout
        << "Processor (ARM):\n"
           "  (-)  this build was tried on an emulated processor only (qemu-user), where the layers files,\n"
           "       system_calls and trace do not exist; on a real one these layers and speed were never "
           "tried\n";
#endif
    const bool confined = !std::ranges::count(worker::missing_layers({}), worker::Layer::files);
    const std::string secret = confined ? readable_secret(installation) : "";
    std::cout << fmt::format("Place of the grader:\n  {:<3}  {}\n", confined && secret.empty() ? "ok" : "--",
                             !confined        ? "student code can read all that your user can read: see files"
                             : secret.empty() ? "student code cannot read it, while compiled or while running"
                                              : secret);
    std::cout << "ok: available; --: missing; (-): missing, but other layers replace it.\n";
    const bool contained = worker::missing_layers({}).empty() && secret.empty();
    std::cout << (contained ? "A hostile submission is contained here.\n"
                            : "A hostile submission is NOT contained here: see the layers marked --.\n");
    return contained && !compiler.empty() ? kAllPassed : kSomethingFailed;
}

}  // namespace attn::cli
