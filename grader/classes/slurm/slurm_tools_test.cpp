#include <cstdlib>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/class_file.h"
#include "grader/classes/slurm/slurm.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(slurm_tools)

/// A folder with programs in place of Slurm's, as the only one in PATH besides the system's shell.
class FakeSlurm {
  public:
    FakeSlurm() : path_(std::getenv("PATH")) { setenv("PATH", folder_.path().c_str(), 1); }
    ~FakeSlurm() { setenv("PATH", path_.c_str(), 1); }
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;

    void add(const std::string& name, const std::string& script) const {
        std::filesystem::permissions(folder_.write(name, "#!/bin/sh\n" + script),
                                     std::filesystem::perms::owner_all);
    }
    void add_all() const {
        for (const char* name : {"sbatch", "squeue", "scancel", "scontrol"}) add(name, "exit 0\n");
    }
    const data::TemporaryDirectory& folder() const { return folder_; }

  private:
    std::string path_;
    data::TemporaryDirectory folder_;
};

/// What a UserError says.
template <class Call>
std::string complaint_of(const Call& call) {
    try {
        call();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(lines_of_squeue_are_tasks) {
    const auto tasks = read_squeue("3|PENDING|launch failed requeued held\n10|RUNNING|None\n");
    BOOST_TEST(tasks.size() == 2U);
    BOOST_TEST(tasks.at(3).state == "PENDING");
    BOOST_TEST(tasks.at(3).reason == "launch failed requeued held");
    BOOST_TEST(tasks.at(10).state == "RUNNING");
    BOOST_TEST(read_squeue("").empty());
    for (const char* line :
         {"N/A|RUNNING|None", "3|RUNNING", "slurm_load_jobs error: Invalid", "-1|RUNNING|", "99999999999|R|"})
        BOOST_CHECK_THROW(read_squeue(line), UserError);
}

BOOST_AUTO_TEST_CASE(a_task_that_slurm_holds_for_ever_is_stuck_and_one_that_a_person_holds_is_not) {
    BOOST_TEST(is_stuck({"PENDING", "launch failed requeued held"}));
    BOOST_TEST(is_stuck({"PENDING", "BadConstraints"}));
    for (const char* reason :
         {"Resources", "Priority", "JobHeldUser", "JobHeldAdmin", "ReqNodeNotAvail, May be reserved"})
        BOOST_TEST(!is_stuck({"PENDING", reason}));
    BOOST_TEST(!is_stuck({"RUNNING", "launch failed requeued held"}));
}

BOOST_AUTO_TEST_CASE(the_largest_array_is_read_from_the_configuration) {
    BOOST_TEST(
        read_max_array_size("MailProg = /bin/true\nMaxArraySize            = 501\nMaxJobCount = 7\n") == 501);
    BOOST_TEST(read_max_array_size("nothing") == 1001);
    BOOST_TEST(read_max_array_size("MaxArraySize = many\n") == 1001);
}

BOOST_AUTO_TEST_CASE(without_the_commands_of_slurm_the_user_reads_which_one_is_missing) {
    const FakeSlurm slurm;
    BOOST_TEST(has(complaint_of([] { slurm_engine("/tmp", {}); }), "needs the command sbatch"));
    slurm.add("sbatch", "exit 0\n");
    BOOST_TEST(has(complaint_of([] { slurm_engine("/tmp", {}); }), "needs the command squeue"));
    slurm.add_all();
    BOOST_TEST(complaint_of([] { slurm_engine("/tmp", {}); }) == "");
}

BOOST_AUTO_TEST_CASE(a_controller_that_does_not_answer_is_a_clear_error) {
    const FakeSlurm slurm;
    slurm.add_all();
    slurm.add("scontrol",
              "[ \"$1\" = --version ] || { echo 'Unable to contact slurm controller' >&2; exit 1; }\n");
    BOOST_TEST(has(complaint_of([] { slurm_engine("/tmp", {}); }), "Unable to contact slurm controller"));
    slurm.add("squeue", "exit 1\n");
    BOOST_TEST(!ask_for_tasks("grader-array-1").has_value());
}

BOOST_AUTO_TEST_CASE(what_sbatch_refuses_is_shown_in_its_words) {
    const FakeSlurm slurm;
    slurm.add("sbatch",
              "echo \"$@\" >\"${0%/*}/words\"; echo 'sbatch: error: invalid partition specified: gpu' >&2; "
              "exit 1\n");
    BOOST_TEST(has(complaint_of([] { submit({"--partition=gpu"}, "/task.sh"); }),
                   "invalid partition specified: gpu"));
    BOOST_TEST(std::filesystem::exists(slurm.folder() / "words"));
}

BOOST_AUTO_TEST_CASE(class_toml_says_what_a_job_needs) {
    const data::TemporaryDirectory folder;
    const std::string before = "title = \"A\"\n[[exercise]]\nassignment = 2\n[slurm]\n";
    folder.write("class.toml", before +
                                   "partition = \"gpu\"\ngres = \"gpu:1\"\noptions = [\"--qos=short\"]\n"
                                   "at_once = 8\nscratch = \"/scratch\"\n");
    const ClusterRules rules = read_class_file(folder.path()).cluster;
    BOOST_TEST(rules.partition == "gpu");
    BOOST_TEST(rules.gres == "gpu:1");
    BOOST_TEST(rules.more == std::vector<std::string>{"--qos=short"});
    BOOST_TEST(rules.at_once == 8);
    BOOST_TEST(rules.processors == ClusterRules().processors);
    BOOST_TEST(rules.scratch == "/scratch");
    for (const char* wrong : {"scratch = \"here\"\n", "processors = 0\n", "cores = 2\n", "gres = 1\n"}) {
        folder.write("class.toml", before + wrong);
        BOOST_TEST(has(complaint_of([&] { read_class_file(folder.path()); }), "class.toml:5"), wrong);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
