// One student's files cannot keep the others' from being listed.

#include "grader/classes/downloads/entries.h"

#include <map>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/downloads/download.h"
#include "grader/testing/archives.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(entries)

namespace fs = std::filesystem;

constexpr EntryLimits kSmall{.all = 60, .of_one = 20};

/// Names of files, the same in a folder and in an archive.
using Names = std::vector<std::string>;

Names many_files(const std::string& folder, int count) {
    Names names;
    for (int k = 0; k < count; ++k) names.push_back(fmt::format("{}f{:03}", folder, k));
    return names;
}

Names operator+(Names a, const Names& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Place {
    data::TemporaryDirectory temporary;

    fs::path zip(const Names& names) const {
        std::vector<intake::Entry> entries;
        for (const std::string& name : names) entries.push_back({name, "x"});
        return temporary.write("download.zip", intake::zip_of(entries));
    }
    fs::path folder(const Names& names) const {
        for (const std::string& name : names) {
            fs::create_directories((temporary / "given" / name).parent_path());
            temporary.write("given/" + name, "x");
        }
        return temporary / "given";
    }
};

/// How many files each top folder below `root` lists; minus that if they are crowded.
std::map<std::string, int> counts_of(const DownloadEntries& download, const std::string& root) {
    std::map<std::string, int> counts;
    for (const DownloadEntry& one : download.entries) {
        if (one.folder || !one.path.starts_with(root)) continue;
        const std::string below = one.path.substr(root.size());
        counts[below.substr(0, below.find('/'))] += one.crowded ? -1 : 1;
    }
    return counts;
}

BOOST_AUTO_TEST_CASE(a_crowded_folder_hides_no_others) {
    const Names others = {"ann/a.cpp", "cid/a.cpp", "dan/lib/a.cpp"};
    // Beside each other, in folders, each in a folder of its own, and below folders that hold all students.
    Names folders, deep;
    for (int k = 0; k < 10; ++k) folders = folders + many_files(fmt::format("bob/{}/", k), 10);
    for (int k = 0; k < 70; ++k) deep.push_back(fmt::format("bob/{:03}/x/y/z.cpp", k));
    for (const Names& bob : {many_files("bob/", 100), folders, deep}) {
        for (const std::string& root : {std::string(), std::string("all/of them/")}) {
            Names names;
            for (const std::string& name : bob + others) names.push_back(root + name);
            const Place place;
            for (const fs::path& given : {place.zip(names), place.folder(names)}) {
                auto counts = counts_of(list_entries(given, kSmall), root);
                BOOST_TEST_CONTEXT(given << " " << bob.front()) {
                    BOOST_TEST(counts["ann"] == 1);
                    BOOST_TEST(counts["cid"] == 1);
                    BOOST_TEST(counts["dan"] == 1);
                    BOOST_TEST(counts["bob"] < 0);
                    BOOST_TEST(counts["bob"] >= -21);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(files_behind_a_crowded_folder_are_read_as_themselves) {
    const Place place;
    std::vector<intake::Entry> all = {{"ann/a.cpp", "first"}};
    for (const std::string& name : many_files("bob/", 100)) all.push_back({name, "bob's"});
    all.push_back({"cid/a.cpp", "last"});
    const DownloadEntries download =
        list_entries(place.temporary.write("download.zip", intake::zip_of(all)), kSmall);
    std::map<std::string, std::string> texts;
    read_entries(download, {.wanted = [](std::size_t) { return true; },
                            .read =
                                [&](std::size_t k, const intake::NextBytes& next) {
                                    for (std::string_view some = next(); !some.empty(); some = next())
                                        texts[download.entries[k].path] += some;
                                },
                            .broken = [](std::size_t, const std::string& why) { BOOST_ERROR(why); }});
    BOOST_TEST(texts["ann/a.cpp"] == "first");
    BOOST_TEST(texts["bob/f000"] == "bob's");
    BOOST_TEST(texts["cid/a.cpp"] == "last");
}

BOOST_AUTO_TEST_CASE(a_download_with_too_much_at_its_top_is_refused) {
    const Place place;
    const Names flat = many_files("", 100);
    BOOST_CHECK_THROW(list_entries(place.zip(flat), kSmall), UserError);
    BOOST_CHECK_THROW(list_entries(place.folder(flat), kSmall), UserError);
}

BOOST_AUTO_TEST_CASE(who_hands_in_too_many_files_is_named) {
    const Place place;
    place.folder({"ann/a.cpp"});
    fs::create_directories(place.temporary / "given/bob");
    for (int k = 0; k < 20001; ++k)
        fs::create_hard_link(place.temporary / "given/ann/a.cpp",
                             place.temporary / ("given/bob/" + std::to_string(k)));
    fs::create_directories(place.temporary / "scratch");
    const Download got = read_download(place.temporary / "given", place.temporary / "scratch");
    BOOST_REQUIRE(got.hand_ins.size() == 2U);
    for (const HandIn& one : got.hand_ins)
        BOOST_TEST(one.problem.starts_with("It has too many files") == (one.label == "bob"), one.problem);
}

BOOST_AUTO_TEST_SUITE_END()
