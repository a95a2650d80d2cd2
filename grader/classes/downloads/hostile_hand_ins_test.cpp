// What one student hands in neither ends the reading of a download nor costs more than a hand-in may cost.

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/classes/downloads/download.h"
#include "grader/testing/archives.h"
#include "grader/testing/hostile_text.h"

using namespace attn;
using namespace attn::classes;
using intake::Entry;
using intake::gzip_of;
using intake::tar_of;
using intake::zip_of;

BOOST_AUTO_TEST_SUITE(hostile_hand_ins)

namespace fs = std::filesystem;

const std::string kSource = "float one() { return 1; }\n";

struct Files {
    data::TemporaryDirectory temporary;
    fs::path bad, good;
    std::string problem;
    std::vector<std::string> notes;
    std::uintmax_t bytes = 0;  ///< in the scratch folder

    /// Reads a download in which Bad hands in these files, and Good a source.
    explicit Files(const std::vector<Entry>& of_bad) {
        std::vector<Entry> all;
        for (Entry one : of_bad) {
            one.name = "Bad_1_assignsubmission_file/" + one.name;
            all.push_back(std::move(one));
        }
        all.push_back({"Good_2_assignsubmission_file/self_attention.cpp", kSource});
        fs::create_directories(temporary / "scratch");
        const Download got =
            read_download(temporary.write("download.zip", zip_of(all)), temporary / "scratch", "moodle");
        BOOST_REQUIRE(got.hand_ins.size() == 2U);
        for (const HandIn& one : got.hand_ins) (one.people[0].key == "1" ? bad : good) = one.files;
        for (const HandIn& one : got.hand_ins) {
            if (one.people[0].key == "1")
                problem = one.problem;
            else
                BOOST_TEST(one.problem == "");
        }
        notes = got.notes;
        for (const auto& entry : fs::recursive_directory_iterator(temporary / "scratch"))
            if (entry.is_regular_file()) bytes += entry.file_size();
        BOOST_TEST(data::read_file(good / "self_attention.cpp") == kSource);
    }
};

BOOST_AUTO_TEST_CASE(a_file_and_a_folder_of_one_name_cost_no_other_student_anything) {
    const auto both = [](const std::string& one, const std::string& other) {
        return Files({{"1.zip", zip_of({{one, "x"}, {"c.txt", "x"}})},
                      {"2.zip", zip_of({{other, "x"}, {"d.txt", "x"}})}});
    };
    for (const auto& [one, other] : {std::pair("a", "a/b"), std::pair("a/b", "a"), std::pair("a/b", "a/b/c"),
                                     std::pair("d.txt/b", "c.txt/b")}) {
        const Files found = both(one, other);
        BOOST_TEST(found.problem == "", one);
        BOOST_TEST(fs::exists(found.bad / "c.txt"), one);
        const bool noted = std::ranges::any_of(found.notes, [](const std::string& note) {
            return note.find("a file and a folder have this name") != std::string::npos;
        });
        BOOST_TEST(noted, one);
    }
}

/// An archive of about 60 KB that unpacks to 60 MiB.
std::string large_archive() {
    std::vector<Entry> files;
    for (int k = 0; k < 4; ++k)
        files.push_back({fmt::format("{}.txt", k), std::string(std::size_t{15} << 20, '\0')});
    return zip_of(files);
}

std::vector<Entry> copies(const std::string& name, const std::string& bytes, int count) {
    std::vector<Entry> all;
    for (int k = 0; k < count; ++k) all.push_back({fmt::format("{:03}{}", k, name), bytes});
    return all;
}

BOOST_AUTO_TEST_CASE(all_archives_of_a_student_have_one_budget) {
    const std::string large = large_archive(), small = zip_of({{"a.txt", "x"}});
    std::vector<Entry> many;
    for (int k = 0; k < 300; ++k) many.push_back({fmt::format("{}.txt", k), ""});
    struct Trick {
        std::string name;
        std::vector<Entry> files;
        std::string says;
    };
    const std::vector<Trick> tricks = {
        {"beside each other", copies(".zip", large, 25), "more than 67108864 bytes"},
        {"inside each other",
         {{"many.zip", zip_of({{"x.zip", zip_of(copies(".zip", large, 25))}})}},
         "more than 67108864 bytes"},
        {"at each level",
         {{"a.zip",
           zip_of({{"b.zip", zip_of({{"c.zip", large}, {"fill.txt", std::string(9 << 20, '\0')}})}})}},
         "more than 67108864 bytes"},
        {"small ones", copies(".tar", tar_of({{"a.txt", "x"}}), 60), "more than 50 archives"},
        {"small ones in one", {{"a.zip", zip_of(copies(".zip", small, 50))}}, "more than 50 archives"},
        {"files", copies(".zip", zip_of(many), 4), "more than 1000 files"},
    };
    for (const Trick& trick : tricks) {
        BOOST_TEST_CONTEXT(trick.name) {
            const Files found(trick.files);
            BOOST_TEST(found.problem.find(trick.says) != std::string::npos, found.problem);
            BOOST_TEST(found.bytes <= std::uintmax_t{70} << 20);
        }
    }
    // The control: what is within the budget is read.
    BOOST_TEST(Files({{"a.zip", zip_of({{"b.zip", zip_of({{"a.cpp", kSource}})}})}}).problem == "");
    BOOST_TEST(Files(copies(".zip", small, 20)).problem == "");
}

BOOST_AUTO_TEST_SUITE_END()
