// The handout as students get it: unpacked on a machine with g++ and make, without the project.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "grader/models/shows.h"
#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

/// One handout for all tests, because unpacking it and compiling the headers takes a few seconds.
struct Handout {
    data::TemporaryDirectory place;
    fs::path folder = place / "attention_lab";

    Handout() { unpack(kits_folder() / "handout.zip", place.path()); }
    Run make(const std::string& words) const { return in_shell("make " + words + " 2>&1", folder); }
    double points() const {
        const auto report = json_in(folder / "report.json");
        double sum = 0;
        for (const auto& assignment : report.at("assignments")) sum += assignment.at("points").get<double>();
        return sum;
    }
};

const Handout& handout_of_tests() {
    static const Handout kOne;
    return kOne;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(handout, *boost::unit_test::precondition(kits_exist) * boost::unit_test::label("long"))

/// All students download it, some of them over a slow line, and a repository has it for good.
BOOST_AUTO_TEST_CASE(the_handout_of_all_assignments_has_6_8_megabytes_at_most) {
    BOOST_TEST(fs::file_size(kits_folder() / "handout.zip") <= 6'800'000U);
}

/// In a kit, pages and reports are written beside the Makefile, and the grader is in grader/.
BOOST_AUTO_TEST_CASE(no_page_names_a_file_in_the_folder_of_the_build) {
    int pages = 0;
    for (const auto& each : fs::recursive_directory_iterator(handout_of_tests().folder))
        if (each.path().extension() == ".md") {
            ++pages;
            const std::string text = data::read_file(each.path());
            const std::size_t found = text.find("build/");
            BOOST_TEST(found == std::string::npos,
                       each.path() << ": " << text.substr(std::min(found, text.size()), 40));
        }
    BOOST_TEST(pages >= 15);
}

BOOST_AUTO_TEST_CASE(the_stubs_get_no_points_and_are_not_called_wrong) {
    const Run graded = handout_of_tests().make("grade ARGS=--no-speed");
    BOOST_TEST_CONTEXT(graded.text) {
        BOOST_TEST(graded.exit_code == 0);
        BOOST_TEST(contains(graded.text, "\n   make grade A=1\n"));
        BOOST_TEST(contains(graded.text, "seed"));
        BOOST_TEST(!contains(graded.text, "wrong"));
        BOOST_TEST(handout_of_tests().points() == 0);
        BOOST_TEST(fs::exists(handout_of_tests().folder / "grader/preludes"));
    }
}

BOOST_AUTO_TEST_CASE(the_solution_gets_all_points_and_a_mistake_is_explained) {
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp", solution());
    const Run correct = handout_of_tests().make("grade A=2 ARGS=--no-speed");
    BOOST_TEST(correct.exit_code == 0, correct.text);
    BOOST_TEST_CONTEXT(correct.text) BOOST_TEST(handout_of_tests().points() == kAll);

    std::string wrong = solution();
    const std::string exponential = "std::exp(";
    const auto at = wrong.find(exponential);
    BOOST_REQUIRE(at != std::string::npos);
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp",
                                   wrong.insert(at + exponential.size(), "2 * "));
    BOOST_TEST(contains(handout_of_tests().make("grade A=2 ARGS=--no-speed").text, "make explain ID=2."));
    BOOST_TEST(handout_of_tests().points() < kAll);
    const Run explained = handout_of_tests().make("explain ID=2.softmax.ragged");
    BOOST_TEST(contains(explained.text, "2.softmax.ragged, numeric:"), explained.text);
    BOOST_TEST(contains(explained.text, "expected"), explained.text);
}

BOOST_AUTO_TEST_CASE(speed_is_measured_with_the_kits_own_loops_and_yardstick) {
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp", solution());
    handout_of_tests().make("grade A=2");
    const auto report = json_in(handout_of_tests().folder / "report.json");
    int measured = 0;
    for (const auto& part : report.at("assignments").at(0).at("parts"))
        for (const auto& check : part.at("checks"))
            if (check.at("kind") == "speed") {
                ++measured;
                const std::string outcome = check.at("outcome");
                BOOST_TEST((outcome == "slow" || outcome == "passed"), check.dump());
                BOOST_TEST(check.at("points").get<double>() > 0);
            }
    BOOST_TEST(measured == 1);
}

BOOST_AUTO_TEST_CASE(worked_examples_and_python_ask_the_kits_grader) {
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp", solution());
    const Run shown = handout_of_tests().make("example A=2 ARGS='--impl student'");
    BOOST_TEST(shown.exit_code == 0);
    BOOST_TEST(contains(shown.text, "softmax: Y [N, D] from X [N, D]\n"), shown.text);
    BOOST_TEST(contains(shown.text, "Y yours "), shown.text);
    if (in_shell("/usr/bin/python3 -c 'import numpy'", "/").exit_code != 0) {
        BOOST_TEST_MESSAGE("skipped: no numpy (sudo apt install python3-numpy)");
        return;
    }
    const Run asked = in_shell(
        "PYTHONPATH=assignments /usr/bin/python3 -B -c 'import attention_lab as lab\n"
        "print(lab.softmax([[0, 0]]), lab.softmax([[1, 1]], impl=\"student\"))' 2>&1",
        handout_of_tests().folder);
    BOOST_TEST(asked.text == "[[0.5 0.5]] [[0.5 0.5]]\n");
}

BOOST_AUTO_TEST_CASE(trained_models_run_and_learn) {
    // Without a source, so that nothing is compiled.
    fs::create_directories(handout_of_tests().folder / "other");
    handout_of_tests().place.write("attention_lab/other/masking.cpp", "");
    const Run shown = handout_of_tests().make("show A=2 SUBMISSION=other");
    BOOST_TEST_CONTEXT(shown.text) {
        BOOST_TEST(shown.exit_code == 0);
        BOOST_TEST(contains(shown.text, "of 360 digits"));
        BOOST_TEST(contains(shown.text, "not written yet"));
        BOOST_TEST(fs::exists(handout_of_tests().folder / "show.html"));
    }
    const Run trained = handout_of_tests().make("train MODEL=three_sentences");
    BOOST_TEST_CONTEXT(trained.text) {
        BOOST_TEST(trained.exit_code == 0);
        BOOST_TEST(contains(trained.text, "reached"));
        BOOST_TEST(fs::exists(handout_of_tests().folder / "three_sentences.html"));
        BOOST_TEST(fs::exists(handout_of_tests().folder / "three_sentences.safetensors"));
    }
    // Nothing is fetched for a test: the kit says why it does not answer.
    const Run asked =
        handout_of_tests().make("ask Q='why masks?' XDG_CACHE_HOME=$PWD/cache ARGS='--package no_such_file'");
    BOOST_TEST(asked.exit_code == 2);
    BOOST_TEST(contains(asked.text, "all-MiniLM-L6-v2"), asked.text);
    BOOST_TEST(contains(asked.text, "no_such_file: there is no such file"), asked.text);
    const std::string commands = data::read_file(handout_of_tests().folder / "README.md");
    BOOST_TEST(contains(commands, fmt::format("make show A={} ", trained::shows().back().assignment)));
}

/// The names of the files in a folder.
std::set<std::string> files_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const fs::directory_entry& each : fs::directory_iterator(folder))
        names.insert(each.path().filename());
    return names;
}

BOOST_AUTO_TEST_CASE(a_kit_for_a_course_has_only_its_assignments) {
    const data::TemporaryDirectory place;
    unpack(kits_folder() / "course/handout.zip", place.path());
    const fs::path kit = place / "attention_lab";
    const auto names_in = [&kit](const std::string& folder) {
        std::set<std::string> names;
        for (const fs::directory_entry& each : fs::directory_iterator(kit / folder))
            if (each.is_directory() || each.path().extension() == ".cpp")
                names.insert(each.path().filename());
        return names;
    };
    // Assignment 5 calls functions of assignment 3, which calls some of 4: their contracts are there, but not their handouts.
    BOOST_TEST(names_in("assignments") == (std::set<std::string>{"02_self_attention", "03_multi_head",
                                                                 "04_masking", "05_transformer_block"}),
               boost::test_tools::per_element());
    BOOST_TEST(!fs::exists(kit / "assignments/03_multi_head/README.md"));
    BOOST_TEST(files_in(kit / "datasets/weights") ==
                   (std::set<std::string>{"README.md", "digits.safetensors", "three_sentences.safetensors"}),
               boost::test_tools::per_element());
    BOOST_TEST(!fs::exists(kit / "datasets/chelsea.png"));
    for (const fs::path& each : {kit, handout_of_tests().folder})
        for (const std::string& link : broken_links(each)) BOOST_ERROR(each << ": " << link);
    BOOST_TEST(names_in("student") == (std::set<std::string>{"self_attention.cpp", "transformer_block.cpp"}),
               boost::test_tools::per_element());
    BOOST_TEST(!fs::exists(kit / "student/masking.cu"));

    const std::string page = data::read_file(kit / "README.md");
    BOOST_TEST(contains(
        page, "| 5 | [Homework 1: Transformer block](assignments/05_transformer_block/README.md) |"));
    BOOST_TEST(contains(page, "- Homework 1: Transformer block: Your slides have no eps.\n"));
    BOOST_TEST(!contains(page, "Masking"));
    BOOST_TEST(!contains(page, "THE_PATH"));
    const Run listed = in_shell("make list 2>&1", kit);
    BOOST_TEST(contains(listed.text, " 5  Homework 1: Transformer block"), listed.text);
    BOOST_TEST(!contains(listed.text, "Masking"));

    // A right solution of assignment 5 needs no file of assignment 3.
    place.write("attention_lab/student/transformer_block.cpp",
                data::read_file(testing::built().proof_of("transformer_block") / "solution.cpp"));
    const Run graded = in_shell("make grade ARGS=--no-speed 2>&1", kit);
    BOOST_TEST_CONTEXT(graded.text) {
        BOOST_TEST(graded.exit_code == 0);
        BOOST_TEST(!contains(graded.text, "Multi-head"));
        const auto report = json_in(kit / "report.json");
        BOOST_TEST_REQUIRE(report.at("assignments").size() == 2U);
        const auto& first = report.at("assignments").at(0);
        BOOST_TEST(first.at("number") == 5);
        BOOST_TEST(first.at("points") == first.at("max_points"));
    }
}

/// A kit whose grader fails as the loader does on another machine, with these programs in front of PATH.
Run on_another_machine(const std::string& message, const std::map<std::string, std::string>& programs) {
    const data::TemporaryDirectory place;
    const fs::path kit = handout_of_tests().folder;
    place.write("Makefile", data::read_file((kit / "Makefile").string()));
    fs::create_directories(place / "grader");
    fs::create_directories(place / "bin");
    for (const char* file : {"machine.sh", "NEEDS"}) fs::copy(kit / "grader" / file, place / "grader" / file);
    const auto program = [&](const std::string& name, const std::string& body) {
        place.write(name, "#!/bin/sh\n" + body + "\n");
        fs::permissions(place / name, fs::perms(0755));
    };
    place.write("grader/message", message);
    program("grader/grader", "cat \"$(dirname \"$0\")/message\" >&2; exit 1");
    for (const auto& [name, body] : programs) program("bin/" + name, body);
    return in_shell("PATH=" + (place / "bin").string() + ":$PATH; make grade 2>&1", place.path());
}

BOOST_AUTO_TEST_CASE(a_machine_on_which_the_grader_does_not_start_is_described) {
    const std::string old = "grader/grader: /lib/x86_64-linux-gnu/";
    const auto check = [](const Run& run, const std::string& found, const std::string& needed) {
        BOOST_TEST_CONTEXT(run.text) {
            BOOST_TEST(run.exit_code != 0);
            BOOST_TEST(contains(run.text, "  found:   " + found));
            BOOST_TEST(contains(run.text, "  needed:  " + needed));
            BOOST_TEST(contains(run.text, ".devcontainer/"));
            BOOST_TEST(!contains(run.text, "required by"));
        }
    };
    check(
        on_another_machine(old + "libc.so.6: version `GLIBC_2.9' not found (required by grader/grader)\n" +
                               old + "libc.so.6: version `GLIBC_2.36' not found (required by grader/grader)",
                           {{"getconf", "echo glibc 2.31"}}),
        "glibc 2.31, this machine's C library", "glibc 2.");
    check(on_another_machine(
              old + "libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by grader/grader)", {}),
          "the C++ library of an older g++, without GLIBCXX_3.4.32", "GLIBCXX_3.4.");
    check(on_another_machine("cannot execute",
                             {{"uname", "case $1 in -s) echo Darwin ;; *) echo arm64 ;; esac"}}),
          "Darwin on arm64", "Linux on x86_64");
    check(on_another_machine("not found", {{"getconf", "exit 1"}}), "a Linux without the GNU C library",
          "glibc 2.");
    const Run other = on_another_machine("libfmt.so.9: cannot open shared object file", {});
    BOOST_TEST(contains(other.text, "It says: libfmt.so.9: cannot open"), other.text);
    BOOST_TEST(contains(other.text, "unpack the kit again"), other.text);
}

/// The grader may start where the worker does not, because each asks for other functions.
BOOST_AUTO_TEST_CASE(a_machine_on_which_the_worker_does_not_start_is_described) {
    const data::TemporaryDirectory place;
    const fs::path kit = handout_of_tests().folder;
    for (const char* file : {"machine.sh", "NEEDS"}) fs::copy(kit / "grader" / file, place / file);
    place.write("grader", "#!/bin/sh\n");
    place.write("worker", "#!/bin/sh\necho \"version \\`GLIBCXX_3.4.32' not found\" >&2; exit 1\n");
    for (const char* file : {"grader", "worker"}) fs::permissions(place / file, fs::perms(0755));
    const Run run = in_shell("./machine.sh 2>&1", place.path());
    BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(contains(run.text, "without GLIBCXX_3.4.32"), run.text);
}

BOOST_AUTO_TEST_CASE(the_kit_says_which_libraries_its_files_ask_for) {
    const fs::path folder = handout_of_tests().folder;
    const std::string needs = data::read_file((folder / "grader/NEEDS").string());
    for (const std::string library : {"GLIBC", "GLIBCXX"}) {
        const Run newest =
            in_shell("find grader -type f -exec readelf -V {} + 2>/dev/null | grep -o 'Name: " + library +
                         "_[0-9.]*' | sort -V | tail -n 1",
                     folder);
        const std::string version = newest.text.substr(newest.text.find('_') + 1);
        BOOST_TEST_CONTEXT(newest.text)
        BOOST_TEST(contains(needs, (library == "GLIBC" ? "glibc " : library + "_") +
                                       version.substr(0, version.find('\n')) +
                                       (library == "GLIBC" ? " or newer" : ", with")));
    }
    // No kit needs a newer g++ than the one that it was made with.
    const std::string before = "g++ from version ";
    BOOST_REQUIRE(contains(needs, before));
    const int compiler = std::stoi(needs.substr(needs.find(before) + before.size()));
    BOOST_TEST(compiler >= 12);
    BOOST_TEST(compiler <= __GNUC__);
}

BOOST_AUTO_TEST_CASE(missing_parts_are_named) {
    const Run compiler = in_shell("make grade 2>&1", handout_of_tests().folder, {"CXX=/no/compiler"});
    BOOST_TEST(compiler.exit_code != 0);
    BOOST_TEST(contains(compiler.text, "there is no compiler /no/compiler"), compiler.text);
    BOOST_TEST(contains(compiler.text, "apt-get install g++"), compiler.text);

    const data::TemporaryDirectory incomplete;
    fs::create_directories(incomplete / "grader");
    fs::copy(handout_of_tests().folder / "grader/grader", incomplete / "grader/grader");
    fs::create_directory_symlink(handout_of_tests().folder / "grader/lib", incomplete / "grader/lib");
    const Run alone = run({incomplete / "grader/grader", "list"}, incomplete.path());
    BOOST_TEST(alone.exit_code == 3);
    BOOST_TEST(contains(alone.text, "this kit is not whole: there is no folder"), alone.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
