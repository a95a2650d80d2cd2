// What a confined process cannot do, and that it could without the layer that holds it.

#include "grader/sandbox/sandbox.h"

#include <csignal>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/temporary_directory.h"
#include "grader/sandbox/identity.h"
#include "grader/worker/process.h"

namespace attn::worker {
namespace {

using boost::unit_test::data::make;

/// A folder with a secret beside one that may be written to.
struct Place {
    Place() {
        std::filesystem::create_directory(folder / "own");
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        std::filesystem::permissions(folder / "own", std::filesystem::perms(0777));
        folder.write("secret", "the seed is 42");
        std::filesystem::permissions(folder / "secret", std::filesystem::perms(0666));
    }
    data::TemporaryDirectory folder;
};

/// What a shell under these layers prints.
CommandResult run_shell(const Place& place, const std::string& script, const Layers& layers) {
    Command command;
    command.argv = {"/bin/sh", "-c", script};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.directory = place.folder.path();
    command.confinement.layers = layers;
    command.confinement.compiler = true;  // it starts processes
    command.confinement.files = {system_files(), {place.folder / "own", "/dev/null"}};
    return run_command(command, 20, 1 << 16);
}

struct Attempt {
    const char* name;
    Layer layer;
    const char* script;
    const char* success;  ///< printed where it succeeds
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

BOOST_AUTO_TEST_SUITE(sandbox)

BOOST_DATA_TEST_CASE(holds_who, make(attempts()), attempt) {
    const Place place;
    setenv("ATTENTION_LAB_SECRET", "token", 1);
    const FileDescriptor secret(open((place.folder / "secret").c_str(), O_RDONLY));
    BOOST_REQUIRE(dup2(secret.get(), 9) == 9);  // without O_CLOEXEC, as by accident
    const auto succeeds = [&](const Layers& layers) {
        const CommandResult result = run_shell(place, attempt.script, layers);
        BOOST_TEST_MESSAGE(result.printed);
        return result.printed.find(attempt.success) != std::string::npos;
    };
    Layers fewer = Layers().without(attempt.layer);
    // Who may not open files at all cannot show what else holds him, and root may do as he likes.
    if (attempt.layer == Layer::descriptors || attempt.layer == Layer::limits)
        fewer = fewer.without(Layer::files).without(Layer::identity);
    if (attempt.needs_root) fewer = fewer.without(Layer::identity).without(Layer::files);
    BOOST_TEST(!succeeds(Layers()));
    if (!attempt.needs_root || is_root()) BOOST_TEST(succeeds(fewer));
    close(9);
}

BOOST_AUTO_TEST_CASE(a_compiler_may_read_the_system_and_write_to_its_own_folder) {
    const Place place;
    const CommandResult result = run_shell(
        place, "echo built > own/object && cat own/object && ls /usr/include > /dev/null && echo read", {});
    BOOST_TEST(result.printed == "built\nread\n");
}

BOOST_AUTO_TEST_CASE(no_socket_without_leave) {
    const Place place;
    const std::string connects =
        "exec 2>&1; /usr/bin/perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0) and print 6 * 7'";
    BOOST_TEST(run_shell(place, connects, Layers()).printed == "");
    BOOST_TEST(run_shell(place, connects, Layers().without(Layer::system_calls)).printed == "42");
}

BOOST_AUTO_TEST_CASE(what_it_starts_ends_with_it) {
    const Place place;
    const auto outlives = [&](const Layers& layers) {
        std::filesystem::remove(place.folder / "own/late");
        const auto shell = run_shell(place, "(sleep 0.6; : > own/late) > own/out 2>&1 & :", layers);
        BOOST_TEST_MESSAGE(shell.printed);
        usleep(1'200'000);
        return std::filesystem::exists(place.folder / "own/late");
    };
    BOOST_TEST(!outlives(Layers()));
    BOOST_TEST(outlives(Layers().without(Layer::group)));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_closed_to_nobody_does_not_stop_a_program_in_it) {
    const data::TemporaryDirectory folder;  // 0700
    std::filesystem::copy_file("/bin/true", folder / "program");
    Command command;
    command.argv = {(folder / "program").string()};
    command.confinement.layers = {};
    command.confinement.files = {system_files(), {}};
    command.confinement.files.readable.push_back(folder / "program");
    BOOST_TEST(run_command(command, 10, 1000).ending.exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
