#include "grader/classes/downloads/download.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/run_tool.h"
#include "grader/testing/archives.h"
#include "grader/testing/class_downloads.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(download)

namespace fs = std::filesystem;
namespace bdata = boost::unit_test::data;

const std::string kSource = "float one() { return 1; }\n";

/// A download in a scratch folder that lives as long as the test.
struct Fixture {
    data::TemporaryDirectory temporary;

    Download read(const fs::path& given, const std::optional<std::string>& platform = std::nullopt) const {
        fs::create_directories(temporary / "scratch");
        return read_download(given, temporary / "scratch", platform);
    }
    Download read_zip(const std::vector<ZipEntry>& entries) const {
        write_sample_zip(temporary / "download.zip", entries);
        return read(temporary / "download.zip");
    }
    Download read_folder(const std::vector<ZipEntry>& entries) const {
        write_sample_folder(temporary / "given", entries);
        return read(temporary / "given");
    }
};

std::map<std::string, std::string> files_of(const HandIn& hand_in) {
    std::map<std::string, std::string> files;
    if (hand_in.files.empty()) return files;
    for (const auto& entry : fs::recursive_directory_iterator(hand_in.files))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(hand_in.files).string()] = data::read_file(entry.path());
    return files;
}

const HandIn& of(const Download& download, std::string_view key) {
    for (const HandIn& one : download.hand_ins)
        for (const Person& person : one.people)
            if (person.key == key) return one;
    throw std::runtime_error("nothing of " + std::string(key));
}

bool noted(const Download& download, const std::string& part) {
    return std::any_of(download.notes.begin(), download.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

const Person kJane{.key = "0017", .name = "Jane Doe", .email = "jane@uni.edu", .login = "", .section = ""};
const Person kJorg{.key = "23", .name = "Jörg Müller", .email = "j_m@uni.edu", .login = "", .section = ""};
const std::vector<SampleHandIn> kTwo = {
    {.people = {kJane}, .files = {{"self_attention.cpp", kSource}}, .when = 1700000000},
    {.people = {kJorg},
     .files = {{"self_attention.cpp", "// mine\n"}, {"notes.txt", "hm"}},
     .when = 1700000101}};

BOOST_DATA_TEST_CASE(every_platforms_names_are_read,
                     bdata::make({"moodle", "moodle_before_4_1", "moodle_flat", "canvas", "gradescope",
                                  "autolab"}) *
                         bdata::make({false, true}),
                     platform, zipped) {
    const Fixture fixture;
    const auto entries = sample_download(platform, kTwo);
    const Download got = zipped ? fixture.read_zip(entries) : fixture.read_folder(entries);
    BOOST_TEST(std::string(platform).starts_with(got.platform));
    BOOST_REQUIRE(got.hand_ins.size() == 2);
    const bool by_email = got.platform == "autolab";
    const HandIn& jane = of(got, by_email ? "jane@uni.edu" : "0017");
    const HandIn& jorg = of(got, by_email ? "j_m@uni.edu" : "23");
    const std::string name = by_email ? "" : got.platform == "canvas" ? "müllerjörg" : "Jörg Müller";
    BOOST_TEST(jane.problem == "");
    BOOST_TEST((files_of(jane) == std::map<std::string, std::string>{{"self_attention.cpp", kSource}}));
    BOOST_TEST(files_of(jorg).size() == 2);
    BOOST_TEST(jorg.people.front().name == name);
    const bool has_times = got.platform == "gradescope";
    if (has_times) BOOST_TEST(jane.when.value() == 1700000000);
    BOOST_TEST(jane.when.has_value() == has_times);
    BOOST_TEST((jane.when_by == (has_times ? TimeSource::platform : TimeSource::unknown)));
    BOOST_TEST(got.time_note.empty() == has_times);
    BOOST_TEST(got.notes.empty());
    // The person does not occur in the path of the files.
    BOOST_TEST(jane.files.lexically_relative(fixture.temporary.path()).string().starts_with("scratch/0000"));
}

BOOST_AUTO_TEST_CASE(labels_are_what_feedback_goes_back_under) {
    const Fixture fixture;
    BOOST_TEST(fixture.read_zip(sample_download("moodle_before_4_1", kTwo)).hand_ins[0].label ==
               "Jane Doe_0017_assignsubmission_file_");
    const Fixture other;
    BOOST_TEST(other.read_zip(sample_download("canvas", {kTwo[0]})).hand_ins[0].label == "doejane_0017_1002");
}

BOOST_AUTO_TEST_CASE(canvas_marks_late_and_numbers_what_is_handed_in_again) {
    const Fixture fixture;
    const Download got = fixture.read_zip({{"doejane_LATE_7_100_self_attention-2.cpp", kSource},
                                           {"roejim_8_101_part-1.cpp", "1"},
                                           {"roejim_8_102_part-2.cpp", "2"},
                                           {"roe_jim_9_103_2_a.cpp", "3"},
                                           {"poebob_11_link.html", "<p>no file</p>"},
                                           {"poeann_10_text.html", "<p>no file</p>"}});
    BOOST_TEST(of(got, "7").marked_late);
    BOOST_TEST(files_of(of(got, "7")).count("self_attention.cpp") == 1);
    BOOST_TEST(!of(got, "8").marked_late);
    BOOST_TEST(files_of(of(got, "8")).count("part-1.cpp") == 1);
    BOOST_TEST(of(got, "9").people.front().name == "roe_jim");
    BOOST_TEST(files_of(of(got, "9")).count("2_a.cpp") == 1);
    for (const char* key : {"10", "11"})
        BOOST_TEST(of(got, key).problem == "It has only an online text or a link, no file.");
    const Fixture other;
    const Download anonymous = other.read_zip({{"anon_90000_103_2_a.cpp", "3"},
                                               {"LATE_anon_x7Yz1_104_a.cpp", "4"},
                                               {"anon_LATE_y8Za2_105_a.cpp", "5"}});
    for (const char* key : {"90000", "x7Yz1", "y8Za2"}) {
        BOOST_TEST(of(anonymous, key).people.front().name == "", key);
        BOOST_TEST(of(anonymous, key).marked_late == (std::string(key) != "90000"), key);
    }
    BOOST_TEST(files_of(of(anonymous, "90000")).count("2_a.cpp") == 1);
}

BOOST_AUTO_TEST_CASE(only_the_platforms_part_of_a_name_says_whose_it_is) {
    const Fixture moodle;
    const std::string ben = "Ben Good_456_assignsubmission_file_";
    const Download flat =
        moodle.read_zip({{"Zed Good_123_assignsubmission_file_" + ben + "a.cpp", "zed"},
                         {"Zed Good_123_assignsubmission_file_" + ben + ben + "b.cpp", "zed"},
                         {"Zed Good_123_assignsubmission_onlinetext_" + ben + "c.html", "zed"},
                         {"Default group_assignsubmission_file_" + ben + "d.cpp", "group"},
                         {ben + "a.cpp", "ben"}});
    BOOST_TEST((files_of(of(flat, "456")) == std::map<std::string, std::string>{{"a.cpp", "ben"}}));
    BOOST_TEST(files_of(of(flat, "123")).size() == 2);
    BOOST_TEST(of(flat, "123").label == "Zed Good_123_assignsubmission_file_");
    BOOST_TEST(flat.hand_ins.size() == 2);
    const Fixture canvas;
    const Download files = canvas.read_zip({{"goodzed_LATE_123_9_goodben_456_10_a.cpp", "zed"},
                                            {"goodben_456_11_goodzed_LATE_123_12_a.cpp", "ben"}});
    BOOST_TEST(files_of(of(files, "123")).count("goodben_456_10_a.cpp") == 1);
    BOOST_TEST(!of(files, "456").marked_late);
    const Fixture autolab;
    const Download versions =
        autolab.read_zip({{"zed@u.edu_9_ben@u.edu_3_a.cpp", "zed"}, {"ben@u.edu_3_a.cpp", "ben"}});
    BOOST_TEST(files_of(of(versions, "zed@u.edu")).count("ben@u.edu_3_a.cpp") == 1);
    BOOST_TEST((files_of(of(versions, "ben@u.edu")) == std::map<std::string, std::string>{{"a.cpp", "ben"}}));
}

BOOST_AUTO_TEST_CASE(the_word_for_everybody_is_no_name) {
    const Fixture fixture;
    const Download one_hand_in = fixture.read_zip({{"Participant_1_assignsubmission_file_a.cpp", "1"}});
    BOOST_TEST(of(one_hand_in, "1").people.front().name == "");
    const Fixture german;
    for (const HandIn& one : german
                                 .read_zip({{"Teilnehmerin_1_assignsubmission_file_a.cpp", "1"},
                                            {"Teilnehmerin_2_assignsubmission_file_a.cpp", "2"},
                                            {"Teilnehmerin_3_assignsubmission_file_a.cpp", "3"}})
                                 .hand_ins)
        BOOST_TEST(one.people.front().name == "");
}

BOOST_AUTO_TEST_CASE(old_names_and_other_compressions_are_read) {
    const Fixture fixture;
    const Download got = fixture.read(
        fixture.temporary.write("cp850.zip", intake::zip_of({{"M\x81ller J\x94rg/a.cpp", kSource}})));
    BOOST_TEST(of(got, "M\u00fcller J\u00f6rg").problem == "");
    BOOST_TEST(noted(got, "are read as CP850"));
    const std::string tar = intake::tar_of({{"ann/a.cpp", kSource}});
    for (const char* program : {"xz", "bzip2"}) {
        const Fixture other;
        const fs::path file = other.temporary.write("all.tar", tar);
        BOOST_REQUIRE(run_tool({program, file.string()}, {"PATH=/usr/bin:/bin"})->exit_code == 0);
        const fs::path packed = file.string() + (std::string(program) == "xz" ? ".xz" : ".bz2");
        BOOST_TEST((files_of(of(other.read(packed), "ann")) ==
                    std::map<std::string, std::string>{{"a.cpp", kSource}}));
    }
}

BOOST_AUTO_TEST_CASE(groups_and_attempts_stay_together) {
    const Fixture fixture;
    const Download group = fixture.read_zip(sample_download(
        "gradescope", {{.people = {kJane, kJorg}, .files = {{"a.cpp", kSource}}, .when = 5}}));
    BOOST_REQUIRE(group.hand_ins.size() == 1);
    BOOST_TEST(group.hand_ins[0].people.size() == 2);
    BOOST_TEST(group.hand_ins[0].people[0].key == "0017");
    const Fixture other;
    const Download attempts =
        other.read_zip({{"jane@uni.edu_10_a.cpp", "ten", 9}, {"jane@uni.edu_9_a.cpp", "nine", 8}});
    BOOST_REQUIRE(attempts.hand_ins.size() == 2);
    BOOST_TEST(files_of(attempts.hand_ins[1])["a.cpp"] == "ten");
    const Fixture plain;
    const Download folders = plain.read_folder({{"jane/attempt_1/a.cpp", "1"},
                                                {"jane/attempt_2/a.cpp", "2"},
                                                {"bob/a.cpp", "3"},
                                                {"bob/1/b.cpp", "4"}});
    BOOST_TEST(folders.hand_ins.size() == 3);
    BOOST_TEST(folders.platform == "folder");
}

BOOST_AUTO_TEST_CASE(archives_in_archives_are_unpacked) {
    const Fixture fixture;
    const std::string inner = intake::zip_of({{.name = "hw/self_attention.cpp", .bytes = kSource}});
    const Download got = fixture.read_zip(
        {{"Jane Doe_1_assignsubmission_file/hw.zip", inner},
         {"Jim Roe_2_assignsubmission_file/hw.tar.gz",
          intake::gzip_of(intake::tar_of({{.name = "self_attention.cpp", .bytes = kSource}}))},
         {"Ann Poe_3_assignsubmission_file/outer.ZIP",
          intake::zip_of({{.name = "inner.zip", .bytes = inner}})}});
    for (const char* key : {"1", "2", "3"}) {
        BOOST_TEST(of(got, key).problem == "", key);
        BOOST_TEST(files_of(of(got, key))["self_attention.cpp"] == kSource, key);
    }
}

BOOST_AUTO_TEST_CASE(a_broken_hand_in_is_a_problem_and_the_others_are_read) {
    const Fixture fixture;
    std::string deep = intake::zip_of({{.name = "a.cpp", .bytes = kSource}});
    for (int k = 0; k < 5; ++k) deep = intake::zip_of({{.name = "again.zip", .bytes = deep}});
    const std::string whole = intake::zip_of({{.name = "a.cpp", .bytes = std::string(5000, 'x') + kSource}});
    const Download got = fixture.read_zip(
        {{"A_1_assignsubmission_file/hw.zip", whole.substr(0, whole.size() / 2)},
         {"B_2_assignsubmission_file/hw.rar", "Rar!\x1a\x07"},
         {"C_3_assignsubmission_file/hw.zip", deep},
         {"D_4_assignsubmission_file/hw.zip",
          intake::zip_of({{.name = "zeros.cpp", .bytes = std::string(std::size_t{70} << 20, '\0')}})},
         {"E_5_assignsubmission_file/../../evil.cpp", kSource},
         {"F_6_assignsubmission_file/.DS_Store", "x"},
         {"G_7_assignsubmission_file/a.cpp", kSource},
         {"G_7_assignsubmission_onlinetext/onlinetext.html", "<p>see file</p>"},
         {"H_8_assignsubmission_onlinetext/onlinetext.html", "<p>no file</p>"},
         {"readme.html", "hello"}});
    BOOST_TEST(of(got, "1").problem.starts_with("\"hw.zip\": the archive is broken"));
    BOOST_TEST(of(got, "2").problem.starts_with("\"hw.rar\": this is a rar archive"));
    BOOST_TEST(of(got, "3").problem.starts_with("archives are packed into archives more than 3 times"));
    BOOST_TEST(of(got, "4").problem.find("more than") != std::string::npos);
    BOOST_TEST(of(got, "6").problem == "It has no file.");
    BOOST_TEST(of(got, "7").problem == "");
    BOOST_TEST(of(got, "8").problem == "It has only an online text, no file.");
    BOOST_TEST(noted(got, "\"readme.html\" is left out"));
    BOOST_TEST(!fs::exists(fixture.temporary / "evil.cpp"));
    BOOST_TEST(got.hand_ins.size() == 7);
}

BOOST_AUTO_TEST_CASE(damage_inside_a_download_costs_one_student) {
    const Fixture fixture;
    std::string noise;
    std::mt19937 random(1);
    while (noise.size() < 20000) noise += static_cast<char>(random());
    std::string zip = intake::zip_of({{.name = "A_1_assignsubmission_file/a.cpp", .bytes = kSource},
                                      {.name = "B_2_assignsubmission_file/b.cpp", .bytes = noise},
                                      {.name = "C_3_assignsubmission_file/c.cpp", .bytes = kSource}});
    zip.replace(6000, 3000, std::string(3000, '\xff'));
    const Download got = fixture.read(fixture.temporary.write("download.zip", zip));
    BOOST_TEST(files_of(of(got, "1")).size() == 1);
    BOOST_TEST(of(got, "2").problem.find("damaged") != std::string::npos);
    BOOST_TEST(of(got, "2").files.empty());
    BOOST_TEST(files_of(of(got, "3")).size() == 1);
    BOOST_CHECK_THROW(fixture.read(fixture.temporary.write("cut.zip", zip.substr(0, zip.size() - 200))),
                      UserError);
}

BOOST_AUTO_TEST_CASE(hostile_names_are_read_and_links_left_out) {
    const Fixture fixture;
    fs::create_directories(fixture.temporary / "given/=1+1, \"Bob\"\n");
    fixture.temporary.write("given/=1+1, \"Bob\"\n/a.cpp", kSource);
    // NOLINTBEGIN(misc-misleading-bidirectional): the name has to be harmless in every output
    fs::create_directories(fixture.temporary / "given/\u202eevil");
    fs::create_symlink("/etc/passwd", fixture.temporary / "given/\u202eevil/a.cpp");
    // NOLINTEND(misc-misleading-bidirectional)
    const Download got = fixture.read(fixture.temporary / "given");
    BOOST_REQUIRE(got.hand_ins.size() == 2);
    BOOST_TEST(of(got, "=1+1, \"Bob\"").problem == "");
    BOOST_TEST(of(got, "evil").problem.find("a link, a pipe or a device") != std::string::npos);
    BOOST_TEST(of(got, "evil").files.empty());
}

BOOST_AUTO_TEST_CASE(long_names_are_left_out) {
    const Fixture fixture;
    const std::string zip = intake::zip_of(
        {{.name = "A_1_assignsubmission_file/a.cpp", .bytes = kSource},
         {.name = std::string(60000, '_') + "_2_assignsubmission_file/a.cpp", .bytes = kSource},
         {.name = "B_3_assignsubmission_file/" + std::string(60000, '1') + ".cpp", .bytes = kSource}});
    const Download got = fixture.read(fixture.temporary.write("download.zip", zip));
    BOOST_TEST(got.hand_ins.size() == 1);
    BOOST_TEST(noted(got, "2 files are left out, because their names have more than 4096 bytes."));
}

BOOST_AUTO_TEST_CASE(clones_have_the_time_of_their_last_commit) {
    const Fixture fixture;
    const fs::path clone = fixture.temporary / "given/hw2-ann-lee";
    fs::create_directories(clone);
    fixture.temporary.write("given/hw2-ann-lee/a.cpp", kSource);
    const auto git = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {"git", "-C", clone.string(), "-c", "user.name=a", "-c", "user.email=b"});
        return run_tool(arguments,
                        {"GIT_COMMITTER_DATE=1700000000 +0100", "GIT_AUTHOR_DATE=1600000000 +0000"});
    };
    const auto made = git({"init", "--quiet"});
    if (!made) {
        BOOST_TEST_MESSAGE("skipped: no git");
        return;
    }
    git({"add", "a.cpp"});
    BOOST_REQUIRE(git({"commit", "--quiet", "-m", "x"})->exit_code == 0);
    // Programs that the clone's configuration names must not run: git asks one about a signature.
    const std::string trap = (fixture.temporary / "trapped").string();
    const std::string tree = git({"rev-parse", "HEAD^{tree}"})->output;
    const fs::path commit = fixture.temporary.write(
        "commit",
        "tree " + tree +
            "author a <b> 1600000000 +0000\ncommitter a <b> 1700000000 +0000\ngpgsig -----BEGIN PGP "
            "SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\nsigned\n");
    const std::string hash = git({"hash-object", "-t", "commit", "-w", commit.string()})->output;
    git({"update-ref", "HEAD", hash.substr(0, hash.find('\n'))});
    fs::create_directories(fixture.temporary / "bin");
    const fs::path program = fixture.temporary.write("bin/gpg", "#!/bin/sh\ntouch " + trap + "\n");
    fs::permissions(program, fs::perms::owner_all);
    git({"config", "log.showSignature", "true"});
    git({"config", "gpg.program", program.string()});
    git({"log", "-1"});
    BOOST_TEST(fs::exists(trap));  // as it would without care
    fs::remove(trap);
    fs::create_directories(fixture.temporary / "given/hw2-bob/.git");
    fixture.temporary.write("given/hw2-bob/b.cpp", kSource);
    const Download got = fixture.read(fixture.temporary / "given");
    BOOST_TEST(got.platform == "github");
    BOOST_TEST(of(got, "hw2-ann-lee").people.front().login == "ann-lee");
    BOOST_TEST(of(got, "hw2-ann-lee").when.value() == 1700000000);
    BOOST_TEST((of(got, "hw2-ann-lee").when_by == TimeSource::commit));
    BOOST_TEST((files_of(of(got, "hw2-ann-lee")).size() == 1));       // and nothing of .git
    BOOST_TEST((of(got, "hw2-bob").when_by == TimeSource::unknown));  // one file's time tells nothing
    BOOST_TEST(!fs::exists(trap));
}

BOOST_AUTO_TEST_CASE(what_is_no_download_is_refused) {
    const Fixture fixture;
    BOOST_CHECK_THROW(fixture.read(fixture.temporary / "missing"), UserError);
    BOOST_CHECK_THROW(fixture.read(fixture.temporary.write("a.zip", "no zip")), UserError);
    BOOST_CHECK_THROW(fixture.read_folder({{"self_attention.cpp", kSource}}), UserError);
    BOOST_CHECK_THROW(fixture.read(fixture.temporary / "given", "blackboard"), UserError);
    const Fixture gradescope;
    BOOST_CHECK_THROW(
        gradescope.read_folder({{"submission_metadata.yml", ": [broken"}, {"submission_1/a.cpp", "x"}}),
        UserError);
}

BOOST_AUTO_TEST_SUITE_END()
