// Control groups, as far as a machine without them can show it: a folder stands for their file system.

#include "grader/sandbox/cgroup.h"

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(cgroup)

BOOST_AUTO_TEST_CASE(what_is_missing_is_said) {
    const data::TemporaryDirectory folder;
    const CgroupPlace none = find_cgroup_place(folder.path());
    BOOST_TEST(none.folder.empty());
    BOOST_TEST(none.why == "no control groups of version 2 at " + folder.path().string());

    folder.write("cgroup.controllers", "cpu memory pids\n");
    const CgroupPlace unlimited = find_cgroup_place(folder.path());  // a group made here has no memory.max
    BOOST_TEST(unlimited.folder.empty());
    BOOST_TEST(unlimited.why.find("systemd-run --scope") != std::string::npos, unlimited.why);
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(a_group_that_cannot_be_limited_is_not_used) {
    const data::TemporaryDirectory folder;  // no cgroup.procs appears in a folder made here
    BOOST_CHECK_THROW(Cgroup(folder.path(), 64, 1), std::runtime_error);
}

/// Only where the machine has one: the limits are really set, the group really goes.
BOOST_AUTO_TEST_CASE(a_group_is_limited_and_removed,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                         return boost::test_tools::assertion_result(!find_cgroup_place().folder.empty());
                     })) {
    const auto place = find_cgroup_place().folder;
    std::filesystem::path made;
    {
        const Cgroup group(place, 64, 3);
        for (const auto& entry : std::filesystem::directory_iterator(place))
            if (entry.path().filename().string().starts_with("attention_lab-")) made = entry.path();
        BOOST_TEST(data::read_file(made / "memory.max") == "67108864\n");
        BOOST_TEST(data::read_file(made / "pids.max") == "3\n");
    }
    BOOST_TEST(!std::filesystem::exists(made));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
