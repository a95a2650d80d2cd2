// The build cache: an entry is found only for exactly the same inputs, and only if no other user could have
// changed it.

#include "grader/compile/build_cache.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/sandbox/identity.h"
#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(build_cache, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

const std::string kKey = "a key\nof two lines";
const CachedBuild kBuild = {std::string("a\0library\n", 10), {"", "a warning\n12\n"}};

bool same(const std::optional<CachedBuild>& found) {
    return found && found->library == kBuild.library && found->messages == kBuild.messages;
}

/// A cache with one build in it.
struct FilledCache {
    data::TemporaryDirectory folder;
    fs::path cache_folder = folder / "a/cache";
    FilledCache() { BuildCache(cache_folder).store(kKey, kBuild); }
    std::optional<CachedBuild> find() const { return BuildCache(cache_folder).find(kKey); }
    fs::path entry() const { return fs::directory_iterator(cache_folder)->path(); }
};

std::size_t count_files(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

BOOST_AUTO_TEST_CASE(a_build_is_found_by_its_own_key_only) {
    const FilledCache cache;
    BOOST_TEST(same(cache.find()));
    BOOST_TEST(!BuildCache(cache.cache_folder).find(kKey + "\n"));
    BOOST_TEST(!BuildCache(cache.cache_folder).find(""));
    BOOST_TEST(!BuildCache(cache.folder / "other").find(kKey));
    BuildCache(cache.cache_folder).store(kKey, {"another", {}});
    BOOST_TEST(cache.find()->library == "another");
    BOOST_TEST(count_files(cache.cache_folder) == 1U);
}

BOOST_AUTO_TEST_CASE(without_a_folder_the_cache_is_inactive) {
    const BuildCache none{fs::path()};
    BOOST_TEST(!none.active());
    none.store(kKey, kBuild);
    BOOST_TEST(!none.find(kKey));
    const data::TemporaryDirectory folder;
    folder.write("file", "");
    BOOST_TEST(!BuildCache(folder / "file").active());
    BOOST_TEST(!BuildCache(folder / "file/below").active());
    BOOST_TEST(!BuildCache("relative").active());
    BOOST_TEST(!fs::exists("relative"));
}

BOOST_AUTO_TEST_CASE(the_folder_and_its_files_are_private) {
    const mode_t before = umask(0);
    const FilledCache cache;
    umask(before);
    struct stat status {};
    BOOST_REQUIRE(stat(cache.cache_folder.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0700U);
    BOOST_REQUIRE(stat(cache.entry().c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
}

BOOST_AUTO_TEST_CASE(a_truncated_or_changed_entry_is_not_found) {
    const FilledCache cache;
    const fs::path entry = cache.entry();
    const std::string bytes = data::read_file(entry);
    const auto with = [&](const std::string& text) {
        std::ofstream(entry, std::ios::binary | std::ios::trunc) << text;
        return cache.find();
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

BOOST_AUTO_TEST_CASE(a_cache_that_others_can_write_to_is_not_used) {
    for (const mode_t mode : {0720U, 0702U, 0777U, 0750U, 0705U}) {
        const FilledCache cache;
        BOOST_REQUIRE(chmod(cache.cache_folder.c_str(), mode) == 0);
        BOOST_TEST(!cache.find());
    }
    for (const mode_t mode : {0620U, 0602U}) {
        const FilledCache cache;
        BOOST_REQUIRE(chmod(cache.entry().c_str(), mode) == 0);
        BOOST_TEST(!cache.find());
    }
}

BOOST_AUTO_TEST_CASE(a_cache_of_another_user_is_not_used, *boost::unit_test::precondition([](auto) {
                         return boost::test_tools::assertion_result(worker::is_root() &&
                                                                    worker::can_become_nobody());
                     })) {
    const FilledCache one, two;
    worker::give_to_nobody(one.cache_folder.c_str());
    BOOST_TEST(!one.find());
    worker::give_to_nobody(two.entry().c_str());
    BOOST_TEST(!two.find());
}

BOOST_AUTO_TEST_CASE(links_and_pipes_are_not_followed) {
    const FilledCache cache;
    fs::create_directory_symlink(cache.cache_folder, cache.folder / "link");
    BOOST_TEST(!BuildCache(cache.folder / "link").active());
    const fs::path entry = cache.entry(), elsewhere = cache.folder / "elsewhere";
    fs::rename(entry, elsewhere);
    fs::create_symlink(elsewhere, entry);
    BOOST_TEST(!cache.find());
    fs::remove(entry);
    BOOST_REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
    BOOST_TEST(!cache.find());  // does not wait for a writer either
    fs::remove(entry);
    fs::rename(elsewhere, entry);
    BOOST_TEST(same(cache.find()));
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_entries_are_removed_first) {
    const data::TemporaryDirectory folder;
    const CacheLimits limits{1 << 20, 1 << 20, 4};
    const BuildCache cache(folder / "cache", limits);
    for (const char* of : {"a", "b", "c", "d"}) cache.store(of, kBuild);
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(folder / "cache")) fs::last_write_time(entry.path(), old);
    BOOST_TEST(same(cache.find("b")));  // now recently used
    cache.store("e", kBuild);
    BOOST_TEST(count_files(folder / "cache") == 2U);
    BOOST_TEST(same(cache.find("b")));
    BOOST_TEST(same(cache.find("e")));
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_too_large_is_not_stored) {
    const data::TemporaryDirectory folder;
    const BuildCache cache(folder / "cache", {200, 300, 100});
    cache.store("large", {std::string(200, 'x'), {}});
    BOOST_TEST(!cache.find("large"));
    for (const char* of : {"a", "b", "c", "d"}) cache.store(of, {std::string(90, 'x'), {}});
    std::size_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder / "cache")) bytes += entry.file_size();
    BOOST_TEST(bytes <= 300U);
    BOOST_TEST(cache.find("d").has_value());
}

/// A test folder whose builds are cached.
struct CachingTestFolder : TestFolder {
    BuildOptions options;
    CachingTestFolder() { options.cache = folder / "cache"; }
    Build build() const {
        Installation installation;
        installation.assignments = assignments;
        return build_submission(submission, rubric::read_rubric(assignments / "02_self_attention"),
                                installation, options);
    }
};

BOOST_AUTO_TEST_CASE(the_same_submission_is_compiled_once) {
    const CachingTestFolder fixture;
    fixture.write("self_attention.cpp", "static void f() {\n    int unused;\n}\n" + solution());
    const Build first = fixture.build(), second = fixture.build();
    BOOST_TEST(!first.from_cache);
    BOOST_TEST(second.from_cache);
    BOOST_TEST((data::read_file(first.library) == data::read_file(second.library)));
    BOOST_TEST(second.sources.at(0).compiled);
    BOOST_TEST(second.sources.at(0).messages == first.sources.at(0).messages);
    BOOST_TEST(contains(second.sources.at(0).messages, "unused variable"));
}

BOOST_AUTO_TEST_CASE(a_change_of_any_input_compiles_again) {
    CachingTestFolder fixture;
    const std::string text =
        "#include \"help.h\"\n#include \"self_attention.h\"\n"
        "void attn::softmax(TensorView<float, 2> Y, TensorView<const float, 2>) { Y(0, 0) = 1; }\n";
    fixture.write("self_attention.cpp", text);
    fixture.write("help.h", "// one\n");
    fixture.build();
    BOOST_TEST(fixture.build().from_cache);
    fixture.write("help.h", "// two\n");
    BOOST_TEST(!fixture.build().from_cache);
    fixture.write("help.h", "// one\n");
    BOOST_TEST(fixture.build().from_cache);
    fixture.write("another.cpp", "");
    BOOST_TEST(fixture.build().from_cache);  // this file is not included
    fixture.write("self_attention.h", "#include \"../contract/02_self_attention/self_attention.h\"\n");
    BOOST_TEST(!fixture.build().from_cache);  // found before the contract's
    fs::remove(fixture.submission / "self_attention.h");
    fixture.write("self_attention.cpp", "#if __has_include(\"more.h\")\n#endif\n" + text);
    fixture.build();
    BOOST_TEST(fixture.build().from_cache);
    fixture.write("more.h", "");
    BOOST_TEST(!fixture.build().from_cache);
    fixture.write("self_attention.cpp", text + "\n");
    BOOST_TEST(!fixture.build().from_cache);
    fixture.write("self_attention.cpp", text);
    fixture.options.flags = {"-DX"};
    BOOST_TEST(!fixture.build().from_cache);
    fixture.options.flags = {};
    fixture.options.layers =
        fixture.options.layers.without(worker::Layer::files);  // the compiler could have read more files
    BOOST_TEST(!fixture.build().from_cache);
    fixture.options.layers = {};
    BOOST_TEST(fixture.build().from_cache);
    fixture.folder.write("assignments/tensor.h",
                         data::read_file(fixture.assignments / "tensor.h") + "// changed\n");
    BOOST_TEST(!fixture.build().from_cache);
}

BOOST_AUTO_TEST_CASE(a_failed_build_is_not_cached) {
    const CachingTestFolder fixture;
    fixture.write("self_attention.cpp", kBroken);
    for (int k = 0; k < 2; ++k) {
        const Build built = fixture.build();
        BOOST_TEST(!built.from_cache);
        BOOST_TEST(!built.sources.at(0).compiled);
    }
    BOOST_TEST(count_files(fixture.options.cache) == 0U);
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_is_compiled_again) {
    const CachingTestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    const std::string library = data::read_file(fixture.build().library);
    const fs::path entry = fs::directory_iterator(fixture.options.cache)->path();
    fs::resize_file(entry, fs::file_size(entry) / 2);
    const Build again = fixture.build();
    BOOST_TEST(!again.from_cache);
    BOOST_TEST((data::read_file(again.library) == library));
    BOOST_TEST(fixture.build().from_cache);
}

/// A submission contains the cache entry of another submission.
BOOST_AUTO_TEST_CASE(a_file_of_the_submission_is_not_used_as_a_cache_entry) {
    const CachingTestFolder fixture, other;
    other.write("self_attention.cpp", solution());
    other.build();
    const fs::path forged = fs::directory_iterator(other.options.cache)->path();
    fixture.write("self_attention.cpp", kBroken);
    for (const char* cache_folder : {".cache/attention_lab", "cache", "."}) {
        fs::create_directories(fixture.submission / cache_folder);
        fs::copy_file(forged, fixture.submission / cache_folder / forged.filename(),
                      fs::copy_options::overwrite_existing);
    }
    const Build built = fixture.build();
    BOOST_TEST(!built.from_cache);
    BOOST_TEST(!built.sources.at(0).compiled);
}

/// Skips a test if this machine cannot keep submissions from reading files.
auto needs_file_isolation() {
    return boost::unit_test::precondition([](auto) {
        const auto missing = worker::missing_layers({});
        return boost::test_tools::assertion_result(
            std::find(missing.begin(), missing.end(), worker::Layer::files) == missing.end());
    });
}

BOOST_AUTO_TEST_CASE(a_running_submission_cannot_write_to_the_cache, *needs_file_isolation()) {
    const CachingTestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    fixture.build();
    const fs::path entry = fs::directory_iterator(fixture.options.cache)->path();
    const std::string bytes = data::read_file(entry);
    fixture.write(
        "self_attention.cpp",
        "#include <cstdio>\n" + solution() +
            "static const bool kTried = [] {\n    for (const char* name : {\"" + entry.string() + "\", \"" +
            (fixture.options.cache / "new.build").string() +
            "\"})\n        if (std::FILE* file = std::fopen(name, \"w\")) std::fputs(\"mine\", file);\n"
            "    return true;\n}();\n");
    GradeOptions options;
    options.submission = fixture.submission;
    options.assignment = 2;
    options.speed = false;
    options.extra = fixture.options;
    grade(options);
    BOOST_TEST((data::read_file(entry) == bytes));
    BOOST_TEST(!fs::exists(fixture.options.cache / "new.build"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
