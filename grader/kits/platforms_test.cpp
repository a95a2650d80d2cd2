// The kits for the other platforms, unpacked and run as on the platform: a submission gives results, and a
// fault gives no mark.

#include <regex>

#include "grader/testing/kit.h"
#include "grader/testing/workflow.h"

namespace attn::kits {

BOOST_AUTO_TEST_SUITE(platforms,
                      *boost::unit_test::precondition(kits_exist) * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(autolab_reads_its_scores_from_the_last_line) {
    const Platform platform;
    for (const char* file : {"autograde.tar", "autograde-Makefile"})
        fs::copy(kits_folder() / "autolab" / file, platform.place / file);
    platform.hand_in("self_attention.cpp", solution());
    const std::string make = "make -s -f autograde-Makefile 2>&1";
    const Run graded = in_shell(make, platform.place.path(), {});
    BOOST_TEST(graded.exit_code == 0, graded.text);
    const auto line = graded.text.rfind('\n', graded.text.size() - 2) + 1;
    const auto last = nlohmann::json::parse(graded.text.substr(line));
    double sum = 0;
    for (const auto& [name, score] : last.at("scores").items()) sum += score.get<double>();
    BOOST_TEST(sum == kAll, graded.text);

    fs::remove(platform.place / "self_attention.cpp");  // an archive may have any name
    platform.hand_in("hand_in/self_attention.cpp", solution());
    in_shell("tar czf 'my work.tar.gz' hand_in && rm -r hand_in", platform.place.path());
    const Run archive = in_shell(make, platform.place.path(), {});
    BOOST_TEST(archive.exit_code == 0, archive.text);
    BOOST_TEST(contains(archive.text, "85 / 85"), archive.text);

    // Autolab's own file, and a file that a student added, are no second submission.
    platform.hand_in("settings.json", "{}");
    platform.hand_in("notes.txt", "done");
    const Run beside = in_shell(make, platform.place.path(), {});
    BOOST_TEST(beside.exit_code == 0, beside.text);
    BOOST_TEST(contains(beside.text, "85 / 85"), beside.text);

    const auto check_fault = [&](const std::string& words) {
        const Run fault = in_shell(make, platform.place.path(), {});
        BOOST_TEST(fault.exit_code != 0);
        BOOST_TEST(contains(fault.text, "Not graded; this is not a mark."), fault.text);
        BOOST_TEST(contains(fault.text, words), fault.text);
        BOOST_TEST(!contains(fault.text, "scores"), fault.text);
    };
    in_shell("cp 'my work.tar.gz' again.tar.gz", platform.place.path());
    check_fault("There are 2 archives");
    in_shell("rm *.tar.gz", platform.place.path());
    check_fault("there is only \"notes.txt\"");
    fs::remove(platform.place / "notes.txt");
    check_fault("nothing was handed in");
    platform.hand_in("self_attention.cpp", solution());

    const Run late = in_shell(make, platform.place.path(), {"TIME_S=0.01"});
    BOOST_TEST(late.exit_code != 0);
    BOOST_TEST(contains(late.text, "Not graded; this is not a mark."), late.text);
    BOOST_TEST(!contains(late.text, "scores"), late.text);
}

BOOST_AUTO_TEST_CASE(prairielearn_gets_results_that_cost_no_attempt_if_the_grader_fails) {
    const Platform platform;
    unpack(kits_folder() / "prairielearn.zip", platform.place / "course");
    const fs::path question = platform.place / "course/questions/attention_lab_2";
    const auto info = json_in(question / "info.json");
    BOOST_TEST(info.at("uuid").get<std::string>().size() == 36);
    BOOST_TEST(contains(data::read_file(question / "question.html"), "file-names=\"self_attention.cpp\""));
    // PrairieLearn copies the files to these places.
    fs::create_directories(platform.place / "grade");
    fs::rename(platform.place / "course/serverFilesCourse", platform.place / "grade/serverFilesCourse");
    fs::rename(question / "tests", platform.place / "grade/tests");
    const std::string entrypoint = info.at("externalGradingOptions").at("entrypoint");
    const std::string run_it = platform.place.path().string() + entrypoint + " 2>&1";
    const std::string root = "GRADE_ROOT=" + platform.place.path().string() + "/grade";
    const fs::path results = platform.place / "grade/results/results.json";

    platform.hand_in("grade/student/self_attention.cpp", solution());
    const Run graded = in_shell(run_it, "/", {root});
    BOOST_TEST(graded.exit_code == 0, graded.text);
    BOOST_TEST(json_in(results).at("score").get<double>() == 1);

    fs::remove(platform.place / "grade/student/self_attention.cpp");
    platform.hand_in("grade/student/answer.txt", "42");
    BOOST_TEST(in_shell(run_it, "/", {root}).exit_code == 0);
    BOOST_TEST(json_in(results).at("gradable").get<bool>() == false);
    check_no_mark(json_in(results), json_in(results).at("format_errors").at(0));

    const Run late = in_shell(run_it, "/", {root, "TIME_S=0.01"});
    BOOST_TEST(late.exit_code == 0, late.text);
    BOOST_TEST(json_in(results).at("gradable").get<bool>() == false);
    check_no_mark(json_in(results), json_in(results).at("format_errors").at(0));
}

BOOST_AUTO_TEST_CASE(classroom_50_gets_a_result_or_a_failure) {
    const Platform platform;
    fs::copy(kits_folder() / "classroom", platform.place / "bundle");
    platform.hand_in("checkout/student/self_attention.cpp", solution());
    platform.hand_in("checkout/result.json", "FORGED");
    const fs::path checkout = platform.place / "checkout";
    const std::vector<std::string> variables = {"CLASSROOM=nlp", "ASSIGNMENT=attention",
                                                "COMMIT_URL=https://c"};
    const std::string python = "python3 ../bundle/autograder.py 2>&1";
    if (in_shell("command -v python3", checkout).exit_code != 0) {
        BOOST_TEST_MESSAGE("skipped: there is no python3 here, which Classroom 50 needs for the autograder");
        return;
    }
    const Run graded = in_shell(python, checkout, variables);
    BOOST_TEST(graded.exit_code == 0, graded.text);
    const auto result = json_in(checkout / "result.json");
    BOOST_TEST(points_in(result) == kAll);
    BOOST_TEST(result.at("classroom") == "nlp");
    BOOST_TEST(result.at("commit") == "https://c");

    platform.hand_in("checkout/result.json", "FORGED");
    fs::remove(checkout / "student/self_attention.cpp");
    const Run without = in_shell(python, checkout, variables);
    BOOST_TEST(without.exit_code != 0);
    BOOST_TEST(contains(without.text, "nothing was handed in"), without.text);
    BOOST_TEST(!fs::exists(checkout / "result.json"));
    platform.hand_in("checkout/student/self_attention.cpp", solution());

    platform.hand_in("checkout/result.json", "FORGED");
    auto late = variables;
    late.emplace_back("TIME_S=0.01");
    BOOST_TEST(in_shell(python, checkout, late).exit_code != 0);
    BOOST_TEST(!fs::exists(checkout / "result.json"));
}

BOOST_AUTO_TEST_CASE(github_is_green_if_all_checks_have_passed) {
    const Platform platform;
    unpack(kits_folder() / "github-workflow.zip", platform.place / "checkout");
    const fs::path checkout = platform.place / "checkout";
    const std::string workflow = data::read_file(checkout / ".github/workflows/grade.yml");
    for (const char* line : {"attention_lab/run.sh", "permissions: {}\n", "persist-credentials: false",
                             "path: ${{ runner.temp }}/attention_lab_report"})
        BOOST_TEST(contains(workflow, line), line);
    const std::vector<UsedAction> actions = used_actions(workflow);
    for (const UsedAction& action : actions) BOOST_TEST(action.is_pinned(), action.name);
    BOOST_TEST(actions.size() == 2U);
    unpack(checkout / ".github/attention_lab.tar.gz", platform.place.path());
    const std::vector<std::string> variables = {"GITHUB_STEP_SUMMARY=" +
                                                (platform.place / "summary").string()};
    platform.hand_in("checkout/student/self_attention.cpp", solution());
    const Run green = in_shell("../attention_lab/run.sh 2>&1", checkout, variables);
    BOOST_TEST(green.exit_code == 0, green.text);
    BOOST_TEST(contains(data::read_file(platform.place / "summary"), "softmax"));
    for (const char* file : {"report.html", "report.json"})
        BOOST_TEST(contains(data::read_file(platform.place / "attention_lab_report" / file), "softmax"),
                   file);

    platform.hand_in("checkout/student/self_attention.cpp", "#include \"self_attention.h\"\n?\n");
    const Run red = in_shell("../attention_lab/run.sh 2>&1", checkout, variables);
    BOOST_TEST(red.exit_code == 1, red.text);
    BOOST_TEST(contains(red.text, "::error "), red.text);

    fs::rename(checkout / "student/self_attention.cpp", checkout / "student/mine.cpp");
    const Run misnamed = in_shell("../attention_lab/run.sh 2>&1", checkout, variables);
    BOOST_TEST(misnamed.exit_code == 2, misnamed.text);
    BOOST_TEST(contains(misnamed.text, "there is only \"mine.cpp\""), misnamed.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
