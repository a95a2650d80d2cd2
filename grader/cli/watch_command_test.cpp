// A folder is graded again when a source in it is saved.

#include <chrono>
#include <filesystem>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "grader/cli/file_watch.h"
#include "grader/proof/harness.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(watch_command, *boost::unit_test::label("long"))

using Names = std::set<std::string>;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_CASE(only_sources_count_and_each_way_to_save_is_seen) {
    const data::TemporaryDirectory folder;
    std::filesystem::create_directory(folder / "lib");
    FileWatch watch(folder.path());
    folder.write("notes.txt", "x");
    folder.write(".a.cpp.swp", "x");
    BOOST_TEST(watch.changed_now().empty());
    folder.write("a.cpp", "x");
    folder.write("lib/b.h", "x");
    BOOST_TEST(watch.wait() == (Names{"a.cpp", "lib/b.h"}), per_element());
    // Many editors write a new file and move it over the old one.
    std::filesystem::rename(folder.write("a.cpp~", "y"), folder / "a.cpp");
    BOOST_TEST(watch.wait() == Names{"a.cpp"}, per_element());
    std::filesystem::create_directory(folder / "more");
    watch.changed_now();
    folder.write("more/c.cu", "x");
    BOOST_TEST(watch.wait() == Names{"more/c.cu"}, per_element());
}

BOOST_AUTO_TEST_CASE(folders_that_come_and_go_end_no_watch) {
    namespace fs = std::filesystem;
    const data::TemporaryDirectory folder;
    FileWatch watch(folder.path());
    // A folder is gone before it is watched, is a link then, or goes while its own folders are added.
    std::jthread tool([&](const std::stop_token& over) {
        while (!over.stop_requested()) {
            for (int k = 0; k < 20; ++k) {
                fs::create_directory(folder / "x");
                fs::remove(folder / "x");
            }
            fs::create_directories(folder / "b/c/d/e");
            fs::remove_all(folder / "b");
            fs::create_directory_symlink("/", folder / "a");
            fs::remove(folder / "a");
        }
    });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    bool quiet = true;
    while (std::chrono::steady_clock::now() < end) quiet &= watch.changed_now().empty();
    BOOST_TEST(quiet);
    tool.request_stop();
    tool.join();
    watch.changed_now();
    fs::create_directories(folder / "last");
    watch.changed_now();
    folder.write("last/c.cu", "x");
    BOOST_TEST(watch.wait() == Names{"last/c.cu"}, per_element());
}

BOOST_AUTO_TEST_CASE(a_save_is_graded) {
    const TestFolder folder;
    const std::string work = folder.submission("#include \"self_attention.h\"\n"),
                      file = work + "/self_attention.cpp";
    std::thread editor([&folder] {
        // The first grading has to be over, and its report written.
        for (int k = 0; k < 600 && !std::filesystem::exists(folder.file("report.json")); ++k)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        folder.folder.write("mine/self_attention.cpp", proof::solution("self_attention"));
    });
    const Run run =
        run_grader({"watch", work, "-a", "2", "--times", "2", "--json", folder.file("report.json")});
    editor.join();
    BOOST_TEST(run.exit_code == 0);
    BOOST_TEST_CONTEXT(run.text) {
        BOOST_TEST(contains(squeezed(run.text), "0 / 85"));
        BOOST_TEST(contains(squeezed(run.text), "85 / 85"));
        BOOST_TEST(contains(run.text, "without kernels and speed; waiting for changes"));
    }
}

BOOST_AUTO_TEST_CASE(an_archive_cannot_be_watched) {
    check_run({"watch", "nothing.zip"}, 2, {"only a folder can be watched"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
