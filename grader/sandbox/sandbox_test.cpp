// For each layer: a confined process cannot do something that it can do without the layer.

#include "grader/sandbox/sandbox.h"

#include <csignal>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"
#include "grader/sandbox/identity.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/process.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(sandbox)

using boost::unit_test::data::make;

/// A folder with a secret file, and a subfolder that the process may write to.
struct SecretFolder {
    SecretFolder() {
        std::filesystem::create_directory(folder / "own");
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        std::filesystem::permissions(folder / "own", std::filesystem::perms(0777));
        folder.write("secret", "the seed is 42");
        std::filesystem::permissions(folder / "secret", std::filesystem::perms(0666));
    }
    data::TemporaryDirectory folder;
};

/// Runs a script in a shell under these layers.
CommandResult run_shell(const SecretFolder& fixture, const std::string& script, const Layers& layers) {
    Command command;
    command.argv = {"/bin/sh", "-c", script};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.directory = fixture.folder.path();
    command.confinement.layers = layers;
    command.confinement.compiler = true;  // it starts processes
    command.confinement.files = {compiler_files("/usr/bin/g++"), {fixture.folder / "own", "/dev/null"}};
    return run_command(command, 20, 1 << 16);
}

struct Attempt {
    const char* name;
    Layer layer;
    const char* script;
    const char* success;  ///< printed if the attempt succeeds
    bool needs_root = false;
};

std::ostream& operator<<(std::ostream& out, const Attempt& attempt) {
    return out << attempt.name;
}

const std::vector<Attempt>& attempts() {
    static const std::vector<Attempt> kAll = {
        {"reads_a_file", Layer::files, "cat secret", "the seed is 42"},
        {"lists_a_folder", Layer::files, "ls .", "secret"},
        {"writes_a_file", Layer::files, "echo 43 > secret && echo written", "written"},
        {"makes_a_file", Layer::files,
         "(umask 0; : > own/../new) 2>/dev/null; test -e new && echo made; rm -f new", "made", true},
        {"reads_of_other_processes", Layer::files, "cat /proc/1/stat", "1 ("},
        {"reads_zeros_without_end", Layer::files, "head -c 8 /dev/zero | wc -c", "8"},
        {"is_root", Layer::identity, "test $(id -u) = 0 && echo root", "root", true},
        {"raises_its_limits", Layer::limits, "ulimit -c unlimited && ulimit -c", "unlimited"},
        {"inherits_variables", Layer::environment, "echo [$ATTENTION_LAB_SECRET]", "[token]"},
        {"uses_an_open_file", Layer::descriptors, "ls -l /proc/self/fd 2>&1; cat <&9", "the seed is 42"},
    };
    return kAll;
}

BOOST_DATA_TEST_CASE(the_layer_stops_a_process_that, make(attempts()), attempt) {
    const SecretFolder fixture;
    setenv("ATTENTION_LAB_SECRET", "token", 1);
    const FileDescriptor secret(open((fixture.folder / "secret").c_str(), O_RDONLY));
    BOOST_REQUIRE(dup2(secret.get(), 9) == 9);  // without O_CLOEXEC, as if by mistake
    const auto succeeds = [&](const Layers& layers) {
        const CommandResult result = run_shell(fixture, attempt.script, layers);
        BOOST_TEST_MESSAGE(result.printed);
        return result.printed.find(attempt.success) != std::string::npos;
    };
    Layers fewer = Layers().without(attempt.layer);
    // To test one layer, remove the others that would stop the attempt too.
    if (attempt.layer == Layer::descriptors || attempt.layer == Layer::limits)
        fewer = fewer.without(Layer::files).without(Layer::identity);
    if (attempt.needs_root) fewer = fewer.without(Layer::identity).without(Layer::files);
    BOOST_TEST(!succeeds(Layers()));
    if (!attempt.needs_root || is_root()) BOOST_TEST(succeeds(fewer));
    close(9);
}

/// Landlock hides contents only, so this needs a view of its own.
BOOST_AUTO_TEST_CASE(it_cannot_ask_which_files_exist, *boost::unit_test::precondition([](auto) {
                         return boost::test_tools::assertion_result(can_have_file_view());
                     })) {
    const SecretFolder fixture;
    const std::string secret = (fixture.folder / "secret").string();
    const std::string asks = "test -e " + secret + " && echo exists; stat -c %s " + secret +
                             " 2>/dev/null; test -e /etc/../usr/bin/env && echo on the way;" +
                             " test -e /root/../usr/bin/env && echo on the way; ls / | tr '\\n' ' '";
    const std::string inside = run_shell(fixture, asks, Layers()).printed;
    BOOST_TEST(inside.find("exists") == std::string::npos, inside);
    BOOST_TEST(inside.find("14") == std::string::npos, inside);
    // The loader's files are in /etc, and there is no /root.
    BOOST_TEST(inside.find("on the way\non the way") == std::string::npos, inside);
    BOOST_TEST(inside.find("root") == std::string::npos, inside);
    const std::string outside =
        run_shell(fixture, asks, Layers().without(Layer::files).without(Layer::identity)).printed;
    for (const char* told : {"exists\n", "14\n", "on the way\non the way\n", "root"})
        BOOST_TEST(outside.find(told) != std::string::npos, outside);
}

BOOST_AUTO_TEST_CASE(a_compiler_can_read_the_system_and_write_to_its_own_folder) {
    const SecretFolder fixture;
    const CommandResult result = run_shell(
        fixture, "echo built > own/object && cat own/object && ls /usr/include > /dev/null && echo read", {});
    BOOST_TEST(result.printed == "built\nread\n");
}

BOOST_AUTO_TEST_CASE(a_compiler_cannot_open_a_socket) {
    const SecretFolder fixture;
    const std::string connects =
        "exec 2>&1; /usr/bin/perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0) and print 6 * 7'";
    BOOST_TEST(run_shell(fixture, connects, Layers()).printed == "");
    BOOST_TEST(run_shell(fixture, connects, Layers().without(Layer::system_calls)).printed == "42");
}

BOOST_AUTO_TEST_CASE(processes_that_it_starts_end_with_it) {
    const SecretFolder fixture;
    const auto outlives = [&](const Layers& layers) {
        std::filesystem::remove(fixture.folder / "own/late");
        const auto shell = run_shell(fixture, "(sleep 0.6; : > own/late) > own/out 2>&1 & :", layers);
        BOOST_TEST_MESSAGE(shell.printed);
        usleep(1'200'000);
        return std::filesystem::exists(fixture.folder / "own/late");
    };
    BOOST_TEST(!outlives(Layers()));
    BOOST_TEST(outlives(Layers().without(Layer::group)));
}

BOOST_AUTO_TEST_CASE(a_program_in_a_private_folder_runs_as_nobody_too) {
    const data::TemporaryDirectory folder;  // 0700
    std::filesystem::copy_file("/bin/true", folder / "program");
    Command command;
    command.argv = {(folder / "program").string()};
    command.confinement.layers = {};
    command.confinement.files = {compiler_files("/usr/bin/g++"), {}};
    command.confinement.files.readable.push_back(folder / "program");
    BOOST_TEST(run_command(command, 10, 1000).ending.exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
