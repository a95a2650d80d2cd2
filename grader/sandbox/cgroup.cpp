#include "grader/sandbox/cgroup.h"

#include <atomic>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>

namespace attn::worker {
namespace {

namespace fs = std::filesystem;

bool put(const fs::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return static_cast<bool>(out);
}

fs::path next_name(const fs::path& place) {
    static std::atomic<int> count{0};
    return place / ("attention_lab-" + std::to_string(getpid()) + "-" + std::to_string(++count));
}

/// The group that this process is in, "/user.slice/..": the line of version 2.
std::string own_group() {
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return {};
}

/// Whether a group made there can be limited.
bool is_usable(const fs::path& place) {
    const fs::path trial = next_name(place);
    std::error_code failed;
    if (!fs::create_directory(trial, failed)) return false;
    const bool usable = fs::exists(trial / "memory.max", failed) && fs::exists(trial / "pids.max", failed);
    fs::remove(trial, failed);
    return usable;
}

}  // namespace

CgroupPlace find_cgroup_place(const fs::path& root) {
    std::error_code failed;
    if (!fs::exists(root / "cgroup.controllers", failed))
        return {{}, "no control groups of version 2 at " + root.string()};
    const fs::path own = root / fs::path(own_group()).relative_path();
    for (const fs::path& place : {own, own.parent_path(), root})
        if (is_usable(place)) return {place, {}};
    return {{},
            "no group with memory and pids can be made below " + own.string() +
                "; start the grader by `systemd-run --scope -p Delegate=yes`, or as root"};
}

Cgroup::Cgroup(const fs::path& place, int memory_mib, int processes) : folder_(next_name(place)) {
    fs::create_directory(folder_);
    const bool limited = (memory_mib == 0 || put(folder_ / "memory.max", std::to_string(memory_mib) + "M")) &&
                         (processes == 0 || put(folder_ / "pids.max", std::to_string(processes)));
    put(folder_ / "memory.swap.max", "0");  // where there is any
    members_ = FileDescriptor(open((folder_ / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC)).moved_aside();
    if (!limited || members_.get() < 0) {
        std::error_code ignored;
        fs::remove(folder_, ignored);
        throw std::runtime_error("the control group " + folder_.string() + " cannot be limited");
    }
}

Cgroup::~Cgroup() {
    put(folder_ / "cgroup.kill", "1");
    constexpr int kTries = 100;  // the last process may take a moment to go
    std::error_code failed;
    for (int k = 0; k < kTries && !fs::remove(folder_, failed); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool Cgroup::enter() const noexcept {
    return write(members_.get(), "0", 1) == 1;
}

}  // namespace attn::worker
