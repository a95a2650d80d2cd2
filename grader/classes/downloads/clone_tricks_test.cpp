// A student made everything in a clone's .git folder: none of it makes git run, write or read anything else.

#include <functional>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/classes/downloads/entry_times.h"
#include "grader/classes/run_tool.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(clone_tricks)

namespace fs = std::filesystem;

boost::test_tools::assertion_result clones_have_git(boost::unit_test::test_unit_id) {
    if (run_tool({"git", "--version"})) return true;
    boost::test_tools::assertion_result no(false);
    no.message() << "git is not installed";
    return no;
}
const boost::unit_test::precondition kNeedsGit{clones_have_git};

constexpr Moment kTime = 1700000000;

/// A clone with one commit, which was made at kTime.
struct Clone {
    data::TemporaryDirectory temporary;
    fs::path folder = temporary / "clone";
    std::string hash;

    explicit Clone(const std::string& format = "sha1") {
        fs::create_directories(folder);
        temporary.write("clone/a.cpp", "x\n");
        git({"init", "--quiet", "--initial-branch=main", "--object-format=" + format});
        git({"add", "a.cpp"});
        git({"commit", "--quiet", "-m", "x"});
        hash = git({"rev-parse", "HEAD"});
    }

    std::string git(std::vector<std::string> words, Moment time = kTime) const {
        words.insert(words.begin(),
                     {"git", "-C", folder.string(), "-c", "user.name=a", "-c", "user.email=b"});
        const std::string date = fmt::format("{} +0100", time);
        const auto ran = run_tool(words, {"GIT_COMMITTER_DATE=" + date, "GIT_AUTHOR_DATE=1600000000 +0000",
                                          "GIT_CONFIG_GLOBAL=/dev/null"});
        BOOST_REQUIRE(ran.has_value());
        return ran->output.substr(0, ran->output.find('\n'));
    }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder / ".git" / name).parent_path());
        fs::remove(folder / ".git" / name);
        temporary.write("clone/.git/" + name, text);
    }
    std::optional<Moment> time() const { return clone_time(folder); }
    fs::path loose() const { return folder / ".git/objects" / hash.substr(0, 2) / hash.substr(2); }
};

BOOST_AUTO_TEST_CASE(the_commit_is_found_in_every_form_of_a_clone, *kNeedsGit) {
    for (const char* format : {"sha1", "sha256"}) {
        const Clone clone(format);
        BOOST_TEST(clone.time().value() == kTime, format);
        clone.git({"checkout", "--quiet", "--detach"});
        BOOST_TEST(clone.time().value() == kTime, format);
        clone.git({"checkout", "--quiet", "main"});
        clone.git({"pack-refs", "--all"});
        BOOST_TEST(!fs::exists(clone.folder / ".git/refs/heads/main"));
        BOOST_TEST(clone.time().value() == kTime, format);
        clone.git({"gc", "--quiet"});
        BOOST_TEST(!fs::exists(clone.loose()));
        BOOST_TEST(clone.time().value() == kTime, format);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_hash_never_reaches_git, *kNeedsGit) {
    const Clone clone;
    const std::string precious = clone.temporary.write("precious", "mine").string(),
                      head = "ref: refs/heads/main\n";
    const std::string option = "--output=" + precious;
    const std::vector<std::pair<std::string, std::string>> tricks = {
        {"packed-refs", option + " refs/heads/main\n"},
        {"packed-refs", "# pack-refs with: peeled\n--textconv refs/heads/main\n"},
        {"packed-refs", clone.hash + "^{/" + option + "} refs/heads/main\n"},
        {"packed-refs", clone.hash.substr(0, 39) + " refs/heads/main\n"},
        {"refs/heads/main", option + "\n"},
        {"refs/heads/main", clone.hash + "0\n"},
        {"refs/heads/main", "ref: refs/heads/main\n"},
        {"HEAD", option + "\n"},
        {"HEAD", "ref: ../../../precious\n"},
        {"HEAD", "ref: refs/heads/../../../../precious\n"},
        {"HEAD", "x" + std::string(std::size_t{3} << 20, ' ')},
        {"HEAD", "ref: refs/" + std::string(std::size_t{3} << 20, 'a')},
        {"HEAD", std::string(std::size_t{3} << 20, '\0')},
        {"HEAD", ""}};
    for (const auto& [file, text] : tricks) {
        clone.write("HEAD", head);
        fs::remove(clone.folder / ".git/refs/heads/main");
        clone.write(file, text);
        BOOST_TEST(!clone.time().has_value(), file << ": " << text.substr(0, 80));
        BOOST_TEST(data::read_file(precious) == "mine");
    }
}

BOOST_AUTO_TEST_CASE(objects_of_other_repositories_are_not_read, *kNeedsGit) {
    const Clone other;
    const auto without_object = [&](const std::function<void(const Clone&)>& trick) {
        const Clone clone;
        fs::remove_all(clone.folder / ".git/objects");
        fs::create_directories(clone.folder / ".git/objects");
        clone.write("refs/heads/main", other.hash + "\n");
        trick(clone);
        return clone.time();
    };
    const fs::path objects = other.folder / ".git/objects", place = other.hash.substr(0, 2);
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    clone.write("objects/info/alternates", objects.string() + "\n");
                    BOOST_TEST(clone.git({"log", "--format=%ct"}) == std::to_string(kTime));  // git reads it
                }).has_value());
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    fs::create_directory_symlink(objects / place, clone.folder / ".git/objects" / place);
                }).has_value());
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    fs::create_directories(clone.folder / ".git/objects" / place);
                    fs::create_symlink(other.loose(),
                                       clone.folder / ".git/objects" / place / other.hash.substr(2));
                }).has_value());
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    fs::remove_all(clone.folder / ".git");
                    fs::create_directory_symlink(other.folder / ".git", clone.folder / ".git");
                }).has_value());
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    fs::remove_all(clone.folder / ".git");
                    clone.temporary.write("clone/.git", "gitdir: " + (other.folder / ".git").string() + "\n");
                }).has_value());
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    BOOST_REQUIRE(mkfifo((clone.folder / ".git/objects/info").c_str(), 0600) == 0);
                    fs::remove(clone.folder / ".git/HEAD");
                    BOOST_REQUIRE(mkfifo((clone.folder / ".git/HEAD").c_str(), 0600) == 0);
                }).has_value());
    other.git({"gc", "--quiet"});
    BOOST_TEST(!without_object([&](const Clone& clone) {
                    fs::create_directory_symlink(objects / "pack", clone.folder / ".git/objects/pack");
                }).has_value());
}

BOOST_AUTO_TEST_CASE(nothing_that_a_clone_configures_runs_or_counts, *kNeedsGit) {
    const Clone clone;
    const std::string trap = (clone.temporary / "trapped").string();
    clone.temporary.write("program", "#!/bin/sh\ntouch " + trap + "\n");
    const std::string program = (clone.temporary / "program").string();
    fs::permissions(program, fs::perms::owner_all);
    clone.write("included", "[core]\n\tfsmonitor = " + program + "\n\tpager = " + program + "\n");
    clone.write(
        "config",
        "[core]\n\trepositoryformatversion = 1\n\tfsmonitor = " + program + "\n\tsshCommand = " + program +
            "\n\thooksPath = " + clone.temporary.path().string() + "\n[include]\n\tpath = included\n" +
            "[remote \"origin\"]\n\turl = ext::" + program + "\n\tpromisor = true\n" +
            "[extensions]\n\tpartialClone = origin\n[protocol \"ext\"]\n\tallow = always\n" +
            "[diff \"x\"]\n\ttextconv = " + program + "\n[filter \"x\"]\n\tsmudge = " + program + "\n");
    clone.write("info/attributes", "* diff=x filter=x\n");
    clone.write("info/grafts", clone.hash + "\n");
    BOOST_TEST(clone.time().value() == kTime);
    BOOST_TEST(!fs::exists(trap));
    // A commit that is promised by a remote is missing, and not fetched.
    clone.write("refs/heads/main", std::string(40, 'a') + "\n");
    BOOST_TEST(!clone.time().has_value());
    BOOST_TEST(!fs::exists(trap));
    // The control: git itself runs the program.
    clone.git({"cat-file", "-t", std::string(40, 'a')});
    BOOST_TEST(fs::exists(trap));
}

BOOST_AUTO_TEST_CASE(a_replacement_is_not_the_commit, *kNeedsGit) {
    const Clone clone;
    const std::string tree = clone.git({"rev-parse", "HEAD^{tree}"});
    const std::string earlier = clone.git({"commit-tree", "-m", "y", tree}, kTime - 500);
    clone.git({"replace", clone.hash, earlier});
    BOOST_TEST(clone.git({"log", "-1", "--format=%ct"}) == std::to_string(kTime - 500));
    BOOST_TEST(clone.time().value() == kTime);
}

BOOST_AUTO_TEST_CASE(what_is_no_usual_commit_has_no_time, *kNeedsGit) {
    const Clone clone;
    const std::string tree = clone.git({"rev-parse", "HEAD^{tree}"});
    const auto with_commit = [&](const std::string& text) {
        const fs::path file =
            clone.temporary.write("object", "tree " + tree + "\nauthor a <b> 1 +0000\n" + text);
        clone.write("refs/heads/main",
                    clone.git({"hash-object", "-w", "--literally", "-t", "commit", file.string()}) + "\n");
        return clone.time();
    };
    BOOST_TEST(with_commit("committer a <b> 1700000007 +0000\n\nx\n").value() == 1700000007);
    BOOST_TEST(with_commit("committer a > 3 <b> 1700000007 +0000\n\nx\n").value() == 1700000007);
    BOOST_TEST(!with_commit("committer a <b> 99999999999999999999 +0000\n\nx\n").has_value());
    BOOST_TEST(!with_commit("committer a <b> 999999999999 +0000\n\nx\n").has_value());
    BOOST_TEST(!with_commit("committer a <b> -5 +0000\n\nx\n").has_value());
    BOOST_TEST(!with_commit("committer a <b> soon\n\nx\n").has_value());
    BOOST_TEST(!with_commit("\ncommitter a <b> 1700000007 +0000\n").has_value());
    BOOST_TEST(!with_commit("committer a <b> 1700000007 +0000\n\n" + std::string(std::size_t{2} << 20, 'x'))
                    .has_value());
    clone.write("refs/heads/main", tree + "\n");
    BOOST_TEST(!clone.time().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
