// The two Makefiles pass on what is typed as text: no name of a file or a check runs a command.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(makefile, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// Programs that print their arguments, one in each line, in place of the real ones.
struct FakeBuild {
    data::TemporaryDirectory place;

    FakeBuild() {
        const std::string print = "#!/bin/sh\nprintf '<%s>\\n' \"$@\"\n";
        for (const char* folder : {"bin", "build/grader", "build/reference", "handout/grader"})
            fs::create_directories(place / folder);
        write_program("bin/dpkg-query", "#!/bin/sh\necho installed\n");
        write_program("bin/sleep", "#!/bin/sh\n");  // it holds the output of make open
        write_program("bin/cmake", "#!/bin/sh\necho \"cmake: $*\" >>" + (place / "built").string() + "\n");
        write_program("build/grader/grader", "#!/bin/sh\n[ \"$1\" != needs ] || exec cat " +
                                                 (place / "needs").string() + "\n" + print.substr(10));
        for (const char* program :
             {"build/grader/show", "build/grader/ask", "build/reference/train", "handout/grader/grader"})
            write_program(program, print);
        write_program("handout/grader/machine.sh", "#!/bin/sh\n");
        place.write("build/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Ninja\n");
        place.write("needs", "");
        place.write("handout/grader/preludes", "");
        fs::copy_file(testing::built().sources / "grader/kits/handout/Makefile", place / "handout/Makefile");
    }

    void write_program(const std::string& name, const std::string& text) const {
        place.write(name, text);
        fs::permissions(place / name, fs::perms::owner_all);
    }

    /// Runs make in the project, or in a handout.
    Run make(Words words, bool handout) const {
        worker::Command command;
        command.argv = {"/usr/bin/make", "--no-print-directory", "BUILD=" + (place / "build").string()};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.environment = {"PATH=" + (place / "bin").string() + ":/usr/bin:/bin"};
        command.directory = handout ? place / "handout" : testing::built().sources;
        command.confinement.limits = kNoLimits;
        const worker::CommandResult result = worker::run_command(command, 60, 1 << 20);
        BOOST_REQUIRE(!result.timed_out);
        return {result.ending.exit_code, result.printed};
    }

    /// What the build was asked for in the last run of make.
    std::string built() const {
        std::string text = fs::exists(place / "built") ? data::read_file(place / "built") : "";
        fs::remove(place / "built");
        return text;
    }
};

BOOST_AUTO_TEST_CASE(what_is_typed_arrives_as_it_is_and_runs_nothing) {
    const FakeBuild build;
    const std::string mark = (build.place / "ran").string();
    const std::vector<std::string> texts = {"x$(touch " + mark + ").zip",   "`touch " + mark + "`",
                                            "$(shell touch " + mark + ")",  "${shell touch " + mark + "}",
                                            "a\"; touch " + mark + "; \"",  "'; touch " + mark + " #",
                                            "$HOME $$ \\x & two words | $@"};
    for (const bool handout : {false, true}) {
        const auto arrives = [&](const std::string& target, const std::string& variable,
                                 const std::string& text) {
            const Run run =
                build.make({target, variable + "=" + text, variable == "A" ? "ID=x" : "A=2"}, handout);
            BOOST_TEST(run.exit_code == 0, target << ": " << run.text);
            BOOST_TEST(contains(run.text, "<" + text + ">\n"), target << " " << text << ": " << run.text);
            BOOST_TEST(!fs::exists(mark), target << " " << text);
        };
        for (const std::string& text : texts) {
            arrives("grade", "SUBMISSION", text);
            arrives("explain", "ID", text);
        }
        for (const std::string& text : {texts[0], texts[2]}) {
            for (const char* target : {"watch", "show"}) arrives(target, "SUBMISSION", text);
            for (const char* target : {"grade", "watch", "example", "list"}) arrives(target, "A", text);
            arrives("debug", "ID", text);
            arrives("emulate", "FILE", text);
            arrives("train", "MODEL", text);
            arrives("ask", "Q", text);
            build.make({"grade", "ARGS=" + text}, handout);
            BOOST_TEST(!fs::exists(mark), "ARGS=" << text);
        }
        const Run words = build.make({"grade", "ARGS=--no-speed --jobs 3"}, handout);
        BOOST_TEST(contains(words.text, "<--no-speed>\n<--jobs>\n<3>\n"), words.text);
    }
    const Run course = build.make({"list", "COURSE=" + texts[0]}, false);
    BOOST_TEST(contains(course.text, "<" + texts[0] + ">"), course.text);
    const Run seed = build.make({"grade", "SEED_FILE=" + texts[0]}, false);
    BOOST_TEST(contains(seed.text, "<" + texts[0] + ">"), seed.text);
    BOOST_TEST(!fs::exists(mark));
}

BOOST_AUTO_TEST_CASE(an_assignment_is_understood_in_the_ways_that_people_type_it) {
    const FakeBuild build;
    const std::string mark = (build.place / "ran").string();
    for (const bool handout : {false, true}) {
        const auto asks_for = [&](const Words& words, const std::string& assignment) {
            const Run run = build.make(words, handout);
            BOOST_TEST(run.exit_code == 0, run.text);
            BOOST_TEST(contains(run.text, "<--assignment>\n<" + assignment + ">\n"), run.text);
        };
        asks_for({"grade", "a=2"}, "2");
        asks_for({"grade", "4"}, "4");
        asks_for({"13", "grade"}, "13");
        asks_for({"grade", "F=softmax"}, "softmax");
        asks_for({"grade", "A=masking", "a=2"}, "masking");
        asks_for({"grade", "a=$(shell touch " + mark + ")"}, "$(shell touch " + mark + ")");
        BOOST_TEST(!fs::exists(mark));
        BOOST_TEST(!contains(build.make({"grade"}, handout).text, "--assignment"));
        const std::string id =
            build.make({"explain", "id=2.softmax.$(shell touch " + mark + ")"}, handout).text;
        BOOST_TEST(contains(id, "<2.softmax.$(shell touch " + mark + ")>\n"), id);
        const std::string model = build.make({"train", "model=digits"}, handout).text;
        BOOST_TEST(contains(model, "<digits>\n"), model);
        for (const std::string& text :
             {std::string("graed"), "$(shell touch " + mark + ")", "`touch " + mark + "`"}) {
            const Run unknown = build.make({text}, handout);
            BOOST_TEST(unknown.exit_code == 2);
            BOOST_TEST(contains(unknown.text, "there is no command "), unknown.text);
        }
        BOOST_TEST(!fs::exists(mark));
        const Run alone = build.make({"4"}, handout);
        BOOST_TEST(alone.exit_code == 2);
        BOOST_TEST(contains(alone.text, "Type make grade A=4"), alone.text);
    }
}

BOOST_AUTO_TEST_CASE(
    help_has_the_commands_of_students_and_instructors_and_developers_have_a_help_of_their_own) {
    const FakeBuild build;
    const std::string help = build.make({"help"}, false).text,
                      more = build.make({"help-developers"}, false).text;
    for (const char* command : {"  make grade ", "  make handout ", "make help-developers"})
        BOOST_TEST((contains(help, command) && !contains(more, command)), command);
    for (const char* command : {"  make test-unit ", "  make lint "})
        BOOST_TEST((contains(more, command) && !contains(help, command)), command);
    BOOST_TEST(!contains(help + more, "#"));
}

BOOST_AUTO_TEST_CASE(help_is_a_table_that_fits_into_a_terminal) {
    constexpr std::size_t kWidth = 80, kColumn = 29;
    const FakeBuild build;
    for (const bool handout : {false, true}) {
        std::istringstream lines(build.make({"help"}, handout).text);
        int rows = 0;
        for (std::string line; std::getline(lines, line);) {
            BOOST_TEST(line.size() <= kWidth, line);
            if (!line.starts_with("   ")) continue;
            ++rows;
            BOOST_TEST_REQUIRE(line.size() > kColumn, line);
            BOOST_TEST((line[kColumn - 1] == ' ' && line[kColumn] != ' '), line);
        }
        BOOST_TEST(rows > 10);
    }
}

BOOST_AUTO_TEST_CASE(make_builds_what_the_grader_says) {
    const FakeBuild build;
    const auto built_for = [&](const std::string& needs, const std::string& target) {
        build.place.write("needs", needs);
        BOOST_TEST(build.make({target, "ID=x"}, false).exit_code == 0);
        return build.built();
    };
    for (const char* target : {"grade", "explain", "debug"}) {
        BOOST_TEST(!contains(built_for("", target), "speed"));
        BOOST_TEST(contains(built_for("", target), "--target grader -- "));
        BOOST_TEST(contains(built_for("speed\n", target), "--target speed -- "));
        BOOST_TEST(contains(built_for("speed\nkernels\n", target), "--target speed kernels -- "));
    }
    BOOST_TEST(contains(built_for("", "watch"), "--target grader speed kernels -- "));
    BOOST_TEST(contains(built_for("", "list"), "--target grader -- "));
}

/// What `grader needs` prints, in one line.
std::string needs_of(const fs::path& submission) {
    const Run run = run_grader({"needs", submission.string()});
    BOOST_TEST(run.exit_code == 0);
    std::string text = run.text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

BOOST_AUTO_TEST_CASE(the_grader_says_what_a_submission_needs) {
    const data::TemporaryDirectory place;
    const auto folder = [&](const std::string& name) {
        fs::create_directories(place / name);
        return place / name;
    };
    BOOST_TEST(needs_of(testing::built().sources / "student") == "");
    const fs::path work = folder("work");
    place.write("work/masking.cpp", "// Step 1\nvoid f() {\n    (void)0;\n}\n");
    place.write("work/masking.cu", "// Step 1\nvoid f() {\n    (void)0;\n}\n");
    BOOST_TEST(needs_of(work) == "");
    place.write("work/masking.cpp", "int n = 1;\n");
    BOOST_TEST(needs_of(work) == "speed ");
    place.write("work/masking.cu", "int n = 1;\n");
    BOOST_TEST(needs_of(work) == "speed kernels ");
}

BOOST_AUTO_TEST_CASE(no_submission_makes_the_grader_wait) {
    const data::TemporaryDirectory place;
    fs::create_directories(place / "pipes");
    for (const char* name : {"a.cpp", "b.cu", "c.cpp"})
        BOOST_REQUIRE(mkfifo((place / ("pipes/" + std::string(name))).c_str(), 0600) == 0);
    fs::create_directories(place / "links");
    fs::create_symlink("/dev/zero", place / "links/a.cpp");
    fs::create_symlink("/dev/zero", place / "links/b.cu");
    fs::create_symlink("/dev/zero", place / "zero");
    BOOST_REQUIRE(mkfifo((place / "pipe").c_str(), 0600) == 0);
    place.write("broken.zip", "PK\x03\x04");
    for (const char* name : {"pipes", "links", "zero", "pipe", "broken.zip", "nothing"})
        BOOST_TEST(needs_of(place / name) == "", name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
