// Control groups. An ordinary folder stands in for their file system, so that the tests run on every machine.

#include "grader/sandbox/cgroup.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(cgroup)

BOOST_AUTO_TEST_CASE(a_missing_group_is_explained) {
    const data::TemporaryDirectory folder;
    const CgroupParent none = find_cgroup_parent(folder.path());
    BOOST_TEST(none.folder.empty());
    BOOST_TEST(none.why == "no control groups of version 2 at " + folder.path().string());

    folder.write("cgroup.controllers", "cpu memory pids\n");
    const CgroupParent unlimited =
        find_cgroup_parent(folder.path());  // a group created here has no memory.max
    BOOST_TEST(unlimited.folder.empty());
    BOOST_TEST(unlimited.why.find("systemd-run --scope") != std::string::npos, unlimited.why);
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(a_group_that_cannot_be_limited_is_not_used) {
    const data::TemporaryDirectory folder;  // a folder created here has no cgroup.procs
    BOOST_CHECK_THROW(Cgroup(folder.path(), 64, 1), std::runtime_error);
}

/// Runs only where control groups are available.
BOOST_AUTO_TEST_CASE(a_group_is_limited_and_removed,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                         return boost::test_tools::assertion_result(!find_cgroup_parent().folder.empty());
                     })) {
    const auto parent = find_cgroup_parent().folder;
    std::filesystem::path made;
    {
        const Cgroup group(parent, 64, 3);
        for (const auto& entry : std::filesystem::directory_iterator(parent))
            if (entry.path().filename().string().starts_with("attention_lab-")) made = entry.path();
        BOOST_TEST(data::read_file(made / "memory.max") == "67108864\n");
        BOOST_TEST(data::read_file(made / "pids.max") == "3\n");
    }
    BOOST_TEST(!std::filesystem::exists(made));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
