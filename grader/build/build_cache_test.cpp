// What is kept of the compiler's work: found when it is exactly the same, and nothing else is believed.

#include "grader/build/build_cache.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/file_error.h"
#include "grader/sandbox/identity.h"
#include "grader/testing/submission_folder.h"

namespace attn::submission {
namespace {

namespace fs = std::filesystem;

const std::string kOf = "made of\nthis";
const KeptBuild kBuild = {std::string("a\0library\n", 10), {"", "a warning\n12\n"}};

bool same(const std::optional<KeptBuild>& found) {
    return found && found->library == kBuild.library && found->messages == kBuild.messages;
}

/// A folder with one build in it.
struct Kept {
    data::TemporaryDirectory folder;
    fs::path place = folder / "a/cache";
    Kept() { BuildCache(place).keep(kOf, kBuild); }
    std::optional<KeptBuild> find() const { return BuildCache(place).find(kOf); }
    fs::path entry() const { return fs::directory_iterator(place)->path(); }
};

std::size_t files_in_it(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

BOOST_AUTO_TEST_SUITE(build_cache)

BOOST_AUTO_TEST_CASE(what_was_kept_is_found_and_nothing_else) {
    const Kept kept;
    BOOST_TEST(same(kept.find()));
    BOOST_TEST(!BuildCache(kept.place).find(kOf + "\n"));
    BOOST_TEST(!BuildCache(kept.place).find(""));
    BOOST_TEST(!BuildCache(kept.folder / "other").find(kOf));
    BuildCache(kept.place).keep(kOf, {"another", {}});
    BOOST_TEST(kept.find()->library == "another");
    BOOST_TEST(files_in_it(kept.place) == 1U);
}

BOOST_AUTO_TEST_CASE(without_a_folder_nothing_is_kept) {
    const BuildCache none{fs::path()};
    BOOST_TEST(!none.active());
    none.keep(kOf, kBuild);
    BOOST_TEST(!none.find(kOf));
    const data::TemporaryDirectory folder;
    folder.write("file", "");
    BOOST_TEST(!BuildCache(folder / "file").active());
    BOOST_TEST(!BuildCache(folder / "file/below").active());
    BOOST_TEST(!BuildCache("relative").active());
    BOOST_TEST(!fs::exists("relative"));
}

BOOST_AUTO_TEST_CASE(the_folder_and_its_files_are_private) {
    const mode_t before = umask(0);
    const Kept kept;
    umask(before);
    struct stat status {};
    BOOST_REQUIRE(stat(kept.place.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0700U);
    BOOST_REQUIRE(stat(kept.entry().c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
}

BOOST_AUTO_TEST_CASE(every_entry_that_is_cut_or_changed_is_not_there) {
    const Kept kept;
    const fs::path entry = kept.entry();
    const std::string bytes = data::read_file(entry);
    const auto with = [&](const std::string& text) {
        std::ofstream(entry, std::ios::binary | std::ios::trunc) << text;
        return kept.find();
    };
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        BOOST_TEST(!with(bytes.substr(0, k)));
        std::string flipped = bytes;
        flipped[k] = static_cast<char>(flipped[k] ^ 1);
        BOOST_TEST(!with(flipped));
    }
    BOOST_TEST(!with(bytes + "x"));
    BOOST_TEST(same(with(bytes)));
}

BOOST_AUTO_TEST_CASE(what_others_may_write_is_not_believed) {
    for (const mode_t mode : {0720U, 0702U, 0777U, 0750U, 0705U}) {
        const Kept kept;
        BOOST_REQUIRE(chmod(kept.place.c_str(), mode) == 0);
        BOOST_TEST(!kept.find());
    }
    for (const mode_t mode : {0620U, 0602U}) {
        const Kept kept;
        BOOST_REQUIRE(chmod(kept.entry().c_str(), mode) == 0);
        BOOST_TEST(!kept.find());
    }
}

BOOST_AUTO_TEST_CASE(what_belongs_to_another_is_not_believed, *boost::unit_test::precondition([](auto) {
                         return boost::test_tools::assertion_result(worker::is_root() &&
                                                                    worker::can_become_nobody());
                     })) {
    const Kept one, two;
    worker::give_to_nobody(one.place.c_str());
    BOOST_TEST(!one.find());
    worker::give_to_nobody(two.entry().c_str());
    BOOST_TEST(!two.find());
}

BOOST_AUTO_TEST_CASE(links_and_pipes_are_not_followed) {
    const Kept kept;
    fs::create_directory_symlink(kept.place, kept.folder / "link");
    BOOST_TEST(!BuildCache(kept.folder / "link").active());
    const fs::path entry = kept.entry(), elsewhere = kept.folder / "elsewhere";
    fs::rename(entry, elsewhere);
    fs::create_symlink(elsewhere, entry);
    BOOST_TEST(!kept.find());
    fs::remove(entry);
    BOOST_REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
    BOOST_TEST(!kept.find());  // and nobody waits for a writer
    fs::remove(entry);
    fs::rename(elsewhere, entry);
    BOOST_TEST(same(kept.find()));
}

BOOST_AUTO_TEST_CASE(the_longest_unused_go_first) {
    const data::TemporaryDirectory folder;
    const CacheLimits limits{1 << 20, 1 << 20, 4};
    const BuildCache cache(folder / "cache", limits);
    for (const char* of : {"a", "b", "c", "d"}) cache.keep(of, kBuild);
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(folder / "cache")) fs::last_write_time(entry.path(), old);
    BOOST_TEST(same(cache.find("b")));  // used now
    cache.keep("e", kBuild);
    BOOST_TEST(files_in_it(folder / "cache") == 2U);
    BOOST_TEST(same(cache.find("b")));
    BOOST_TEST(same(cache.find("e")));
}

BOOST_AUTO_TEST_CASE(what_is_too_large_is_not_kept) {
    const data::TemporaryDirectory folder;
    const BuildCache cache(folder / "cache", {200, 300, 100});
    cache.keep("large", {std::string(200, 'x'), {}});
    BOOST_TEST(!cache.find("large"));
    for (const char* of : {"a", "b", "c", "d"}) cache.keep(of, {std::string(90, 'x'), {}});
    std::size_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder / "cache")) bytes += entry.file_size();
    BOOST_TEST(bytes <= 300U);
    BOOST_TEST(cache.find("d").has_value());
}

/// A desk that keeps what it builds.
struct KeepingTestFolder : TestFolder {
    Extra extra;
    KeepingTestFolder() { extra.cache = folder / "cache"; }
    Build build() const {
        Installation installation;
        installation.assignments = assignments;
        return submission::build(submission, read_rubric(assignments / "02_self_attention"), installation,
                                 extra);
    }
};

BOOST_AUTO_TEST_CASE(the_same_submission_is_compiled_once) {
    const KeepingTestFolder desk;
    desk.write("self_attention.cpp", "static void f() {\n    int unused;\n}\n" + solution());
    const Build first = desk.build(), second = desk.build();
    BOOST_TEST(!first.from_cache);
    BOOST_TEST(second.from_cache);
    BOOST_TEST((data::read_file(first.library) == data::read_file(second.library)));
    BOOST_TEST(second.sources.at(0).compiled);
    BOOST_TEST(second.sources.at(0).messages == first.sources.at(0).messages);
    BOOST_TEST(contains(second.sources.at(0).messages, "unused variable"));
}

BOOST_AUTO_TEST_CASE(whatever_it_is_made_of_may_not_change) {
    KeepingTestFolder desk;
    const std::string text = "#include \"help.h\"\n" + solution();
    desk.write("self_attention.cpp", text);
    desk.write("help.h", "// one\n");
    desk.build();
    BOOST_TEST(desk.build().from_cache);
    desk.write("help.h", "// two\n");
    BOOST_TEST(!desk.build().from_cache);
    desk.write("help.h", "// one\n");
    BOOST_TEST(desk.build().from_cache);
    desk.write("another.cpp", "");
    BOOST_TEST(desk.build().from_cache);  // it plays no part
    desk.write("self_attention.h", "#include \"../contract/02_self_attention/self_attention.h\"\n");
    BOOST_TEST(!desk.build().from_cache);  // found before the contract's
    fs::remove(desk.submission / "self_attention.h");
    desk.write("self_attention.cpp", "#if __has_include(\"more.h\")\n#endif\n" + text);
    desk.build();
    BOOST_TEST(desk.build().from_cache);
    desk.write("more.h", "");
    BOOST_TEST(!desk.build().from_cache);
    desk.write("self_attention.cpp", text + "\n");
    BOOST_TEST(!desk.build().from_cache);
    desk.write("self_attention.cpp", text);
    desk.extra.flags = {"-DX"};
    BOOST_TEST(!desk.build().from_cache);
    desk.extra.flags = {};
    desk.extra.layers = desk.extra.layers.without(worker::Layer::files);  // it may have seen more
    BOOST_TEST(!desk.build().from_cache);
    desk.extra.layers = {};
    BOOST_TEST(desk.build().from_cache);
    desk.folder.write("assignments/tensor.h",
                      data::read_file(desk.assignments / "tensor.h") + "// changed\n");
    BOOST_TEST(!desk.build().from_cache);
}

BOOST_AUTO_TEST_CASE(failures_are_tried_again) {
    const KeepingTestFolder desk;
    desk.write("self_attention.cpp", kBroken);
    for (int k = 0; k < 2; ++k) {
        const Build built = desk.build();
        BOOST_TEST(!built.from_cache);
        BOOST_TEST(!built.sources.at(0).compiled);
    }
    BOOST_TEST(files_in_it(desk.extra.cache) == 0U);
}

BOOST_AUTO_TEST_CASE(a_broken_entry_is_compiled_anew) {
    const KeepingTestFolder desk;
    desk.write("self_attention.cpp", solution());
    const std::string library = data::read_file(desk.build().library);
    const fs::path entry = fs::directory_iterator(desk.extra.cache)->path();
    fs::resize_file(entry, fs::file_size(entry) / 2);
    const Build again = desk.build();
    BOOST_TEST(!again.from_cache);
    BOOST_TEST((data::read_file(again.library) == library));
    BOOST_TEST(desk.build().from_cache);
}

/// Somebody hands in the library of another, named as the cache would.
BOOST_AUTO_TEST_CASE(nothing_in_a_submission_is_taken_for_a_result) {
    const KeepingTestFolder desk, other;
    other.write("self_attention.cpp", solution());
    other.build();
    const fs::path forged = fs::directory_iterator(other.extra.cache)->path();
    desk.write("self_attention.cpp", kBroken);
    for (const char* place : {".cache/attention_lab", "cache", "."}) {
        fs::create_directories(desk.submission / place);
        fs::copy_file(forged, desk.submission / place / forged.filename(),
                      fs::copy_options::overwrite_existing);
    }
    const Build built = desk.build();
    BOOST_TEST(!built.from_cache);
    BOOST_TEST(!built.sources.at(0).compiled);
}

/// Whether code of a submission is held away from files here.
auto held() {
    return boost::unit_test::precondition([](auto) {
        const auto missing = worker::missing_layers({});
        return boost::test_tools::assertion_result(
            std::find(missing.begin(), missing.end(), worker::Layer::files) == missing.end());
    });
}

BOOST_AUTO_TEST_CASE(a_submission_that_runs_cannot_write_to_it, *held()) {
    const KeepingTestFolder desk;
    desk.write("self_attention.cpp", solution());
    desk.build();
    const fs::path entry = fs::directory_iterator(desk.extra.cache)->path();
    const std::string bytes = data::read_file(entry);
    desk.write(
        "self_attention.cpp",
        "#include <cstdio>\n" + solution() +
            "static const bool kTried = [] {\n    for (const char* name : {\"" + entry.string() + "\", \"" +
            (desk.extra.cache / "new.build").string() +
            "\"})\n        if (std::FILE* file = std::fopen(name, \"w\")) std::fputs(\"mine\", file);\n"
            "    return true;\n}();\n");
    GradeOptions options;
    options.submission = desk.submission;
    options.assignment = 2;
    options.extra = desk.extra;
    grade(options);
    BOOST_TEST((data::read_file(entry) == bytes));
    BOOST_TEST(!fs::exists(desk.extra.cache / "new.build"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
