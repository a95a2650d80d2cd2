// The kits for platforms, each unpacked and run as its platform does: a submission in, results out, and a
// fault that is no mark.

#include <unistd.h>

#include "grader/kits/testing/kit.h"

namespace attn::kits {
namespace {

/// Says who runs it, tries to write its own results, to read the seed, and to change the grader; from a
/// static constructor, which runs before the stricter of the two filters.
std::string hostile(const fs::path& kit, const fs::path& results) {
    return "#include <cstdio>\n#include <stdexcept>\n#include <string>\n#include <unistd.h>\nnamespace {\n"
           "std::string said;\n"
           "const bool tried = [] {\n"
           "  char line[64] = {};\n"
           "  if (FILE* f = std::fopen(\"" +
           results.string() +
           "\", \"w\")) std::fputs(\"HACKED\", f), std::fclose(f);\n"
           "  if (FILE* f = std::fopen(\"" +
           (kit / "options").string() +
           "\", \"a\")) std::fputs(\"HACKED\", f), std::fclose(f);\n"
           "  if (FILE* f = std::fopen(\"" +
           (kit / "secret_seed").string() +
           "\", \"r\")) std::fgets(line, 64, f), std::fclose(f);\n"
           "  said = \"I am user \" + std::to_string(getuid()) + \" and read [\" + line + \"]\";\n"
           "  return true;\n}();\n}\n"
           "#include \"self_attention.h\"\n"
           "void attn::softmax(TensorView<float, 2>, TensorView<const float, 2>) { throw "
           "std::runtime_error(said); }\n";
}

/// The places of a platform below a temporary folder that everybody may enter, as at the top of a container.
struct Platform {
    data::TemporaryDirectory place;
    Platform() { fs::permissions(place.path(), fs::perms(0755)); }
    void hand_in(const std::string& file, const std::string& text) const {
        fs::create_directories((place / file).parent_path());
        place.write(file, text);
    }
};

struct Gradescope : Platform {
    fs::path source = place / "source", results = place / "results/results.json";
    Gradescope() {
        unpack(kits_folder() / "gradescope.zip", source);
        without_secrets(source);
        fs::create_directories(place / "submission");
        place.write("submission_metadata.json", "{}");
        BOOST_REQUIRE(sh("source/setup.sh").exit_code == 0);
        fs::copy(source / "run_autograder", place / "run_autograder");
    }
    Run sh(const std::string& command, std::vector<std::string> variables = {}) const {
        variables.push_back("AUTOGRADER_ROOT=" + place.path().string());
        return in_shell("./" + command + " 2>&1", place.path(), with_format("--gradescope", variables));
    }
};

double points_in(const nlohmann::json& results) {
    if (results.contains("score")) return results.at("score");
    double sum = 0;
    const bool ours = results.contains("assignments");
    for (const auto& each : results.at(ours ? "assignments" : "tests"))
        sum += each.at(ours ? "points" : "score").get<double>();
    return sum;
}

void check_no_mark(const nlohmann::json& results, const std::string& text) {
    BOOST_TEST(!results.contains("score"));
    BOOST_TEST(!results.contains("tests"));
    BOOST_TEST(contains(text, "Not graded, which is not a mark"), text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms, *boost::unit_test::precondition(are_made))

BOOST_AUTO_TEST_CASE(gradescope_grades_and_holds_a_hostile_submission) {
    const Gradescope platform;
    platform.hand_in("submission/self_attention.cpp", solution());
    const Run right = platform.sh("run_autograder");
    BOOST_TEST(right.exit_code == 0, right.text);
    BOOST_TEST(points_in(json_in(platform.results)) == kAll);

    // What it may not read or write is there, and would be told: see the control below.
    platform.place.write("source/secret_seed.kept", kSeed);
    const fs::path secret = platform.source / "secret_seed.kept";
    std::string text = hostile(platform.source, platform.results);
    text.replace(text.find("secret_seed\""), 12, "secret_seed.kept\"");
    platform.hand_in("submission/self_attention.cpp", text);
    const Run caught = platform.sh("run_autograder");
    const std::string results = json_in(platform.results).dump();
    BOOST_TEST_CONTEXT(caught.text) {
        BOOST_TEST(caught.exit_code == 0);
        BOOST_TEST(points_in(json_in(platform.results)) < kAll / 2);
        BOOST_TEST(!contains(results, "HACKED"));
        BOOST_TEST(!contains(results + caught.text, kSeed));
        BOOST_TEST(!contains(data::read_file(platform.source / "options"), "HACKED"));
        const std::string user = geteuid() == 0 ? "65534" : std::to_string(getuid());
        BOOST_TEST(contains(caught.text, "I am user " + user + " and read []"));
    }
    // Without the layers it wins: the attack is one.
    platform.place.write("source/options",
                         "--assignment 2 --no-speed --without files --without identity "
                         "--without system_calls --without limits\n");
    const Run won = platform.sh("run_autograder");
    BOOST_TEST(contains(won.text, "and read [" + kSeed + "]"), won.text);
    BOOST_TEST(contains(data::read_file(platform.source / "options"), "HACKED"));
}

BOOST_AUTO_TEST_CASE(gradescope_gets_results_without_a_mark_where_the_grader_fails) {
    const Gradescope platform;
    platform.hand_in("submission/student/self_attention.cpp", solution());  // as a repository is handed in
    BOOST_TEST(platform.sh("run_autograder").exit_code == 0);
    BOOST_TEST(points_in(json_in(platform.results)) == kAll);

    BOOST_TEST(platform.sh("run_autograder", {"TIME_S=0.01"}).exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
    BOOST_TEST(contains(json_in(platform.results).at("output"), "not done within 0.01 s"));

    fs::rename(platform.source / "grader/exports", platform.source / "grader/moved");
    BOOST_TEST(platform.sh("run_autograder").exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
    BOOST_TEST(contains(json_in(platform.results).at("output"), "exports"));

    fs::rename(platform.source / "grader/grader", platform.source / "grader/gone");
    BOOST_TEST(platform.sh("run_autograder").exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
}

BOOST_AUTO_TEST_CASE(gradescopes_smallest_container_is_large_enough) {
    const Gradescope platform;
    platform.hand_in("submission/self_attention.cpp", solution());
    const std::string small = (fs::path(ATTN_SOURCES_DIR) / "grader/kits/testing/small_machine.sh").string();
    const Run graded =
        in_shell(small + " ./run_autograder 2>&1", platform.place.path(),
                 with_format("--gradescope", {"AUTOGRADER_ROOT=" + platform.place.path().string()}));
    if (graded.exit_code == 77) {
        BOOST_TEST_MESSAGE("skipped: no control group for half a processor and 768 MiB can be made here");
        return;
    }
    BOOST_TEST(graded.exit_code == 0, graded.text);
    BOOST_TEST(points_in(json_in(platform.results)) == kAll);
}

BOOST_AUTO_TEST_CASE(autolab_reads_its_scores_from_the_last_line) {
    const Platform platform;
    for (const char* file : {"autograde.tar", "autograde-Makefile"})
        fs::copy(kits_folder() / "autolab" / file, platform.place / file);
    platform.hand_in("self_attention.cpp", solution());
    const std::string make = "make -s -f autograde-Makefile 2>&1";
    unpack(platform.place / "autograde.tar", platform.place.path());
    if (!knows("--seed-file")) {  // packed again as the platform would have it
        without_secrets(platform.place / "attention_lab");
        in_shell("tar czf autograde.tar attention_lab && rm -r attention_lab", platform.place.path());
    }
    const Run graded = in_shell(make, platform.place.path(), with_format("--autolab", {}));
    BOOST_TEST(graded.exit_code == 0, graded.text);
    if (knows("--autolab")) {
        const auto line = graded.text.rfind('\n', graded.text.size() - 2) + 1;
        const auto last = nlohmann::json::parse(graded.text.substr(line));
        double sum = 0;
        for (const auto& [name, score] : last.at("scores").items()) sum += score.get<double>();
        BOOST_TEST(sum == kAll, graded.text);
    } else {
        const auto json = graded.text.rfind("\n{\n") + 1;
        BOOST_TEST(points_in(nlohmann::json::parse(graded.text.substr(json))) == kAll, graded.text);
    }

    fs::remove(platform.place / "self_attention.cpp");  // an archive, by any name
    in_shell("mkdir s && mv self_attention.cpp s 2>/dev/null; true", platform.place.path());
    platform.hand_in("hand_in/self_attention.cpp", solution());
    in_shell("rmdir s; tar czf 'my work.tar.gz' hand_in && rm -r hand_in", platform.place.path());
    const Run archive = in_shell(make, platform.place.path(), with_format("--autolab", {}));
    BOOST_TEST(archive.exit_code == 0, archive.text);
    BOOST_TEST(contains(archive.text, "85 / 85"), archive.text);

    const Run late = in_shell(make, platform.place.path(), with_format("--autolab", {"TIME_S=0.01"}));
    BOOST_TEST(late.exit_code != 0);
    BOOST_TEST(contains(late.text, "Not graded, which is not a mark"), late.text);
    BOOST_TEST(!contains(late.text, "scores"), late.text);
}

BOOST_AUTO_TEST_CASE(prairielearn_gets_results_that_cost_no_attempt_where_the_grader_fails) {
    const Platform platform;
    unpack(kits_folder() / "prairielearn.zip", platform.place / "course");
    const fs::path question = platform.place / "course/questions/attention_lab";
    const auto info = json_in(question / "info.json");
    BOOST_TEST(info.at("uuid").get<std::string>().size() == 36);
    BOOST_TEST(contains(data::read_file(question / "question.html"), "file-names=\"self_attention.cpp\""));
    // What PrairieLearn copies where.
    fs::create_directories(platform.place / "grade");
    fs::rename(platform.place / "course/serverFilesCourse", platform.place / "grade/serverFilesCourse");
    fs::rename(question / "tests", platform.place / "grade/tests");
    without_secrets(platform.place / "grade/serverFilesCourse/attention_lab");
    const std::string entrypoint = info.at("externalGradingOptions").at("entrypoint");
    const std::string run_it = platform.place.path().string() + entrypoint + " 2>&1";
    const std::string root = "GRADE_ROOT=" + platform.place.path().string() + "/grade";
    const fs::path results = platform.place / "grade/results/results.json";

    platform.hand_in("grade/student/self_attention.cpp", solution());
    const Run graded = in_shell(run_it, "/", with_format("--prairielearn", {root}));
    BOOST_TEST(graded.exit_code == 0, graded.text);
    if (knows("--prairielearn"))
        BOOST_TEST(json_in(results).at("score").get<double>() == 1);
    else
        BOOST_TEST(points_in(json_in(results)) == kAll);

    const Run late = in_shell(run_it, "/", with_format("--prairielearn", {root, "TIME_S=0.01"}));
    BOOST_TEST(late.exit_code == 0, late.text);
    BOOST_TEST(json_in(results).at("gradable").get<bool>() == false);
    check_no_mark(json_in(results), json_in(results).at("format_errors").at(0));
}

BOOST_AUTO_TEST_CASE(classroom_50_gets_a_result_or_a_failure) {
    const Platform platform;
    fs::copy(kits_folder() / "classroom", platform.place / "bundle");
    unpack(platform.place / "bundle/attention_lab.tar.gz", platform.place / "bundle");
    without_secrets(platform.place / "bundle/attention_lab");
    in_shell("tar czf attention_lab.tar.gz attention_lab && rm -r attention_lab", platform.place / "bundle");
    platform.hand_in("checkout/student/self_attention.cpp", solution());
    platform.hand_in("checkout/result.json", "HACKED");
    const fs::path checkout = platform.place / "checkout";
    const std::vector<std::string> variables = {"CLASSROOM=nlp", "ASSIGNMENT=attention",
                                                "COMMIT_URL=https://c"};
    const std::string python = "python3 ../bundle/autograder.py 2>&1";
    if (in_shell("command -v python3", checkout).exit_code != 0) {
        BOOST_TEST_MESSAGE("skipped: there is no python3 here, in which Classroom 50 wants its autograder");
        return;
    }
    const Run graded = in_shell(python, checkout, with_format("--classroom50", variables));
    BOOST_TEST(graded.exit_code == 0, graded.text);
    const auto result = json_in(checkout / "result.json");
    BOOST_TEST(points_in(result) == kAll);
    BOOST_TEST(result.at("classroom") == "nlp");
    BOOST_TEST(result.at("commit") == "https://c");

    platform.hand_in("checkout/result.json", "HACKED");
    auto late = variables;
    late.emplace_back("TIME_S=0.01");
    BOOST_TEST(in_shell(python, checkout, with_format("--classroom50", late)).exit_code != 0);
    BOOST_TEST(!fs::exists(checkout / "result.json"));
}

BOOST_AUTO_TEST_CASE(github_is_green_where_all_has_passed) {
    const Platform platform;
    unpack(kits_folder() / "github-workflow.zip", platform.place / "checkout");
    const fs::path checkout = platform.place / "checkout";
    BOOST_TEST(contains(data::read_file(checkout / ".github/workflows/grade.yml"), "attention_lab/run.sh"));
    unpack(checkout / ".github/attention_lab.tar.gz", platform.place.path());
    std::vector<std::string> variables =
        with_format("--github", {"GITHUB_STEP_SUMMARY=" + (platform.place / "summary").string()});
    if (!knows("--markdown")) variables.emplace_back("SUMMARY=--junit");
    platform.hand_in("checkout/student/self_attention.cpp", solution());
    const Run green = in_shell("../attention_lab/run.sh 2>&1", checkout, variables);
    BOOST_TEST(green.exit_code == 0, green.text);
    BOOST_TEST(contains(data::read_file(platform.place / "summary"), "softmax"));

    platform.hand_in("checkout/student/self_attention.cpp", "#include \"self_attention.h\"\n?\n");
    const Run red = in_shell("../attention_lab/run.sh 2>&1", checkout, variables);
    BOOST_TEST(red.exit_code == 1, red.text);
    if (knows("--github")) BOOST_TEST(contains(red.text, "::error "), red.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
