#pragma once
/// For tests of the Slurm engine: a real cluster of one node on this machine, with its own configuration, key
/// and ports, in a scratch folder, as the current user.

#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"
#include "grader/classes/run_tool.h"
#include "grader/worker/process.h"

namespace attn::classes {

/// The path of a program, which may be one for administrators; empty if there is none.
inline std::string find_daemon(const std::string& name) {
    for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/usr/local/sbin/", "/usr/local/bin/"})
        if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
    return "";
}

/// A port of this machine that was free a moment ago.
inline int free_port() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw std::runtime_error("no port is free");
    close(fd);
    return ntohs(address.sin_port);
}

class SlurmCluster {
  public:
    SlurmCluster() {
        std::array<char, 256> name{};
        gethostname(name.data(), name.size() - 1);
        host_ = std::string(name.data());
        host_ = host_.substr(0, host_.find('.'));
        const std::string user = getpwuid(getuid())->pw_name;
        // munged wants every user to reach its socket.
        std::filesystem::permissions(folder_.path(),
                                     std::filesystem::perms::others_exec | std::filesystem::perms::group_exec,
                                     std::filesystem::perm_options::add);
        for (const char* each : {"state", "node", "munge"}) std::filesystem::create_directory(folder_ / each);
        std::string key(1024, 'k');
        for (std::size_t k = 0; k < key.size(); ++k)
            key[k] = static_cast<char>('a' + (k * k + static_cast<std::size_t>(getpid())) % 26);
        const std::string key_file = folder_.write("munge/key", key).string(),
                          socket = (folder_ / "munge/socket").string();
        std::filesystem::permissions(
            key_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        folder_.write("slurm.conf",
                      fmt::format(R"(ClusterName=scratch
SlurmctldHost={0}(127.0.0.1)
SlurmUser={1}
SlurmdUser={1}
AuthType=auth/munge
AuthInfo=socket={2}
SlurmctldPort={3}
SlurmdPort={4}
StateSaveLocation={5}/state
SlurmdSpoolDir={5}/node
SlurmctldPidFile={5}/slurmctld.pid
SlurmdPidFile={5}/slurmd.pid
SlurmctldLogFile={5}/slurmctld.log
SlurmdLogFile={5}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
ReturnToService=0
MpiDefault=none
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SlurmdTimeout=10
KillWait=2
MinJobAge=2
MaxArraySize=6
NodeName={0} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
)",
                                  host_, user, socket, free_port(), free_port(), folder_.path().string()));
        conf_ = (folder_ / "slurm.conf").string();
        setenv("SLURM_CONF", conf_.c_str(), 1);
        munge_ = start({find_daemon("munged"), "-F", "--key-file=" + key_file, "--socket=" + socket,
                        "--pid-file=" + (folder_ / "munge/pid").string(),
                        "--log-file=" + (folder_ / "munge/log").string(),
                        "--seed-file=" + (folder_ / "munge/seed").string()});
        wait_until(
            "munged has made its socket", [&] { return std::filesystem::exists(socket); }, 10);
        controller_ = start({find_daemon("slurmctld"), "-D", "-f", conf_});
        start_node();
        wait_until("the node is idle", [&] { return state() == "idle"; });
    }
    ~SlurmCluster() {
        run_tool({"scancel", fmt::format("--user={}", getuid())});
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        unsetenv("SLURM_CONF");
    }
    SlurmCluster(const SlurmCluster&) = delete;
    SlurmCluster& operator=(const SlurmCluster&) = delete;

    void start_node() { node_ = start({find_daemon("slurmd"), "-D", "-f", conf_}); }
    /// Kills the node's daemon with SIGKILL. Tasks on it go on, unless Slurm finds and ends them.
    void kill_node() { node_.reset(); }

    /// "idle", "mixed", "down".
    static std::string state() { return output_of({"sinfo", "--noheader", "--format=%t"}); }
    void set_node(const std::string& new_state) const {
        output_of({"scontrol", "update", "nodename=" + host_, "state=" + new_state, "reason=test"});
    }

    /// Slurm waits two minutes before it starts a task of a lost node again. The test does not.
    static void start_requeued_now() {
        std::istringstream tasks(
            output_of({"squeue", "--noheader", "--array", "--states=PENDING", "--format=%i|%r"}));
        for (std::string line; std::getline(tasks, line);)
            if (line.ends_with("|BeginTime"))
                output_of({"scontrol", "update", "jobid=" + line.substr(0, line.find('|')), "starttime=now"});
    }

    /// The same, and Slurm may use the node again: it drains a node on which a killed task still lives when Slurm starts the
    /// task again ("Duplicate jobid").
    void keep_going() const {
        start_requeued_now();
        if (state().starts_with("drain")) set_node("resume");
    }

    /// The standard output of a command, without the last line feed.
    static std::string output_of(const std::vector<std::string>& command) {
        const auto result = run_tool(command);
        std::string text = result ? result->output : "";
        while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
        return text;
    }

    template <class Condition>
    void wait_until(const std::string& what, const Condition& condition, int seconds = 60) const {
        for (int k = 0; k < seconds * 20; ++k) {
            if (condition()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        throw std::runtime_error(fmt::format(
            "not within {} s: {}. Slurm's logs: {}", seconds, what,
            output_of({"tail", "-n", "15", (folder_ / "munge/log").string(),
                       (folder_ / "slurmctld.log").string(), (folder_ / "slurmd.log").string()})));
    }

  private:
    std::unique_ptr<worker::Process> start(const std::vector<std::string>& words) const {
        worker::Command command;
        command.argv = {"/bin/sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh"};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                               "SLURM_CONF=" + conf_};
        command.confinement.limits = {0, 0, 0, 0, 0, 0};
        return std::make_unique<worker::Process>(command);
    }

    data::TemporaryDirectory folder_;
    std::string host_, conf_;
    std::unique_ptr<worker::Process> munge_, controller_, node_;
};

/// Skips a test where Slurm is not installed. CTest recognizes the printed line.
inline auto has_slurm() {
    return boost::unit_test::precondition([](auto) {
        for (const char* name : {"munged", "slurmctld", "slurmd", "sbatch"})
            if (find_daemon(name).empty()) {
                std::cout << "skipped: no Slurm on this machine: " << name
                          << " is missing (make deps-cluster)\n";
                return boost::test_tools::assertion_result(false);
            }
        return boost::test_tools::assertion_result(true);
    });
}

}  // namespace attn::classes
