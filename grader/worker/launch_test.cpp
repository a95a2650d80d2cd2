// Security of the worker: it links no reference, inherits nothing, and cannot attack the parent through
// shared memory.

#include "grader/worker/launch.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"
#include "grader/compile/stand_ins.h"
#include "grader/sandbox/identity.h"
#include "grader/testing/built.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(launch, *boost::unit_test::label("long"))

Command command(std::vector<std::string> argv) {
    Command result;
    result.argv = std::move(argv);
    return result;
}

std::string symbols_of(const std::string& program) {
    Command nm = command({"/usr/bin/nm", "-C", program});
    nm.confinement.limits.memory_mib = 0;
    const CommandResult result = run_command(nm, 60, 64 << 20);
    BOOST_REQUIRE(result.ending.exit_code == 0);
    return result.printed;
}

BOOST_AUTO_TEST_CASE(what_the_caller_ignores_a_program_does_not) {
    void (*const before)(int) = std::signal(SIGXFSZ, SIG_IGN);
    const CommandResult result =
        run_command(command({"/bin/grep", "SigIgn", "/proc/self/status"}), 10, 1 << 12);
    std::signal(SIGXFSZ, before);
    const unsigned long ignored =
        std::stoul(result.printed.substr(result.printed.find(':') + 1), nullptr, 16);
    BOOST_TEST_CONTEXT(result.printed) BOOST_TEST((ignored >> (SIGXFSZ - 1) & 1U) == 0U);
}

BOOST_AUTO_TEST_CASE(the_worker_links_no_reference_no_checks_and_no_judge) {
    const std::string worker = symbols_of(testing::built().worker),
                      grader = symbols_of(testing::built_grader());
    for (const char* secret : {"attn::cpu::", "attn::ask::", "attn::judge::", "attn::rubric::",
                               "attn::compile::", "attn::intake::"}) {
        BOOST_TEST(worker.find(secret) == std::string::npos, secret);
        BOOST_TEST(grader.find(secret) != std::string::npos,
                   secret);  // the control: the search does find names
    }
    BOOST_TEST(worker.find("attn::worker::") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_child_inherits_nothing_but_what_is_named) {
    setenv("ATTENTION_LAB_SECRET", "token", 1);
    const int leak = open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as by accident
    Command shell =
        command({"/bin/sh", "-c", "echo [$ATTENTION_LAB_SECRET] $NAME; ls /proc/self/fd | tr '\n' ' '"});
    shell.environment = {"NAME=value", "PATH=/usr/bin:/bin"};
    const CommandResult result = run_command(shell, 10, 1000);
    close(leak);
    BOOST_TEST(result.printed == "[] value\n0 1 2 3 ");  // ls opened 3, the folder that it lists
}

BOOST_AUTO_TEST_CASE(time_and_output_of_a_command_are_limited) {
    const CommandResult slow = run_command(command({"/bin/sleep", "60"}), 0.2, 1000);
    BOOST_TEST(slow.timed_out);
    BOOST_TEST(slow.ending.signal == SIGKILL);
    Command flood = command({"/bin/sh", "-c", "while :; do echo 0123456789; done"});
    const CommandResult loud = run_command(flood, 30, 5000);
    BOOST_TEST(loud.too_much_output);
    BOOST_TEST(loud.printed.size() == 5000U);
    BOOST_CHECK_THROW(run_command(command({"/no/such/program"}), 1, 1000), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_process_group_ends_as_a_whole) {
    const data::TemporaryDirectory folder;
    const std::string mark = (folder / "late").string();
    Command parent = command({"/bin/sh", "-c", "(sleep 0.7; echo late > " + mark + ") & sleep 60"});
    parent.environment = {"PATH=/usr/bin:/bin"};
    BOOST_TEST(run_command(parent, 0.2, 1000).timed_out);
    usleep(1'200'000);
    BOOST_TEST(!std::filesystem::exists(mark));
}

/// Tries what a process can do that has only the worker's descriptor of a shared memory.
struct Attempts {
    explicit Attempts(const SharedMemory& memory) {
        const int fd = memory.descriptor();
        void* p = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        maps_writable = p != MAP_FAILED;
        if (maps_writable) munmap(p, kPage);
        writes = pwrite(fd, "x", 1, 0) == 1;
        truncates = ftruncate(fd, 0) == 0;
        const int again = open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDWR | O_CLOEXEC);
        if (again >= 0) {
            p = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
            maps_writable = maps_writable || p != MAP_FAILED;
            if (p != MAP_FAILED) munmap(p, kPage);
            close(again);
        }
    }
    bool maps_writable = false, writes = false, truncates = false;
};

BOOST_AUTO_TEST_CASE(inputs_can_be_read_only_and_outputs_not_be_truncated) {
    const SharedMemory inputs("inputs", 4 * kPage, SharedMemory::Kind::read_only);
    inputs.data()[0] = std::byte{42};
    const Attempts on_inputs(inputs);
    BOOST_TEST(!on_inputs.maps_writable);
    BOOST_TEST(!on_inputs.writes);
    BOOST_TEST(!on_inputs.truncates);
    BOOST_TEST((inputs.data()[0] == std::byte{42}));

    const SharedMemory outputs("outputs", 4 * kPage, SharedMemory::Kind::writable);
    const Attempts on_outputs(outputs);  // the control: writing succeeds where it is allowed
    BOOST_TEST(on_outputs.maps_writable);
    BOOST_TEST(on_outputs.writes);
    BOOST_TEST(!on_outputs.truncates);
}

BOOST_AUTO_TEST_CASE(an_address_is_described_by_array_and_element) {
    Region K{"K", {4, 17}, ElementType::f32, 4 * 17 * 4, 0, 1, kPage - 320, 0x1000'0000, false};
    const auto at = [&](std::ptrdiff_t element) {
        return describe_address(K.data_address() + static_cast<std::uint64_t>(element * 4), {&K, 1});
    };
    BOOST_TEST(at(0) == "element (0, 0) of K [4, 17]");
    BOOST_TEST(at(18) == "element (1, 1) of K [4, 17]");
    BOOST_TEST(at(4 * 17) == "past the end of K: element (4, 0) of [4, 17]");
    BOOST_TEST(at(-1) == "before the start of K [4, 17]");
    BOOST_TEST(describe_address(0, {&K, 1}).empty());
    BOOST_TEST(describe_address(K.address + 3 * kPage, {&K, 1}).empty());
}

std::size_t untouched_elements(const Array& array) {
    const auto marks = untouched_marks(array);
    return static_cast<std::size_t>(std::count(marks.begin(), marks.end(), true));
}

BOOST_AUTO_TEST_CASE(untouched_elements_are_found_one_by_one) {
    Array array = Array::zeros<float>("Y", {2, 3});
    poison({static_cast<std::byte*>(array.data()), array.bytes()});
    BOOST_TEST(untouched_elements(array) == 6U);
    BOOST_TEST(std::isnan(array.as<float>()[5]));
    array.as<float>()[4] = 0;
    BOOST_TEST(untouched_elements(array) == 5U);
    array.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();  // another NaN counts as written
    BOOST_TEST(untouched_elements(array) == 4U);
}

BOOST_AUTO_TEST_CASE(a_library_that_does_not_load_is_the_students_failure) {
    const data::TemporaryDirectory folder;
    Worker worker({.program = testing::built().worker,
                   .library = folder / "library.so",
                   .exports = testing::built().exports},
                  {});
    const CallResult result = worker.call({"softmax", {{"Y", {1, 1}}}, {}, {}});
    BOOST_TEST(name_of(result.outcome) == "crashed");
    BOOST_TEST(result.detail.find((folder / "library.so").string()) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_of_the_grader_that_nobody_cannot_read_is_the_graders_fault) {
    const data::TemporaryDirectory folder;
    const auto exports = folder / "exports.so";
    std::filesystem::copy_file(testing::built().exports, exports);
    const auto call = [&] {
        Worker worker({.program = testing::built().worker,
                       .library = compile::stand_in_for("softmax", testing::built()),
                       .exports = exports},
                      {});
        const Array X = Array::zeros<float>("X", {1, 2});
        return worker.call({"softmax", {{"Y", {1, 2}}}, {{&X}}, {}});
    };
    BOOST_TEST(name_of(call().outcome) == "passed");
    std::filesystem::permissions(exports, std::filesystem::perms(0600));
    if (is_root() && can_become_nobody()) BOOST_CHECK_THROW(call(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_missing_file_of_the_grader_is_the_graders_fault) {
    Worker no_exports(
        {.program = testing::built().worker, .library = "/no/such/library.so", .exports = "/no/exports.so"},
        {});
    BOOST_CHECK_THROW(no_exports.call({"softmax", {{"Y", {1, 1}}}, {}, {}}), std::runtime_error);
    Worker no_worker(
        {.program = "/no/worker", .library = "/no/such/library.so", .exports = testing::built().exports}, {});
    BOOST_CHECK_THROW(no_worker.call({"softmax", {{"Y", {1, 1}}}, {}, {}}), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
