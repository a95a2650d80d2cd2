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

bool write_text(const fs::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return static_cast<bool>(out);
}

fs::path new_group_path(const fs::path& parent) {
    static std::atomic<int> count{0};
    return parent / ("attention_lab-" + std::to_string(getpid()) + "-" + std::to_string(++count));
}

/// The group of this process, "/user.slice/..": the line of version 2.
std::string own_group() {
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return {};
}

/// Whether a group created in `parent` can be limited.
bool is_usable(const fs::path& parent) {
    const fs::path trial = new_group_path(parent);
    std::error_code failed;
    if (!fs::create_directory(trial, failed)) return false;
    const bool usable = fs::exists(trial / "memory.max", failed) && fs::exists(trial / "pids.max", failed);
    fs::remove(trial, failed);
    return usable;
}

}  // namespace

CgroupParent find_cgroup_parent(const fs::path& root) {
    std::error_code failed;
    if (!fs::exists(root / "cgroup.controllers", failed))
        return {{}, "no control groups of version 2 at " + root.string()};
    const fs::path own = root / fs::path(own_group()).relative_path();
    for (const fs::path& parent : {own, own.parent_path(), root})
        if (is_usable(parent)) return {parent, {}};
    return {{},
            "no group with memory and pids can be created below " + own.string() +
                "; start the grader by `systemd-run --scope -p Delegate=yes`, or as root"};
}

Cgroup::Cgroup(const fs::path& parent, int memory_mib, int processes) : folder_(new_group_path(parent)) {
    fs::create_directory(folder_);
    const bool limited =
        (memory_mib == 0 || write_text(folder_ / "memory.max", std::to_string(memory_mib) + "M")) &&
        (processes == 0 || write_text(folder_ / "pids.max", std::to_string(processes)));
    write_text(folder_ / "memory.swap.max", "0");  // ignored on systems without swap
    members_ =
        FileDescriptor(open((folder_ / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC)).moved_to_high_number();
    if (!limited || members_.get() < 0) {
        std::error_code ignored;
        fs::remove(folder_, ignored);
        throw std::runtime_error("the control group " + folder_.string() + " cannot be limited");
    }
}

Cgroup::~Cgroup() {
    write_text(folder_ / "cgroup.kill", "1");
    constexpr int kTries = 100;  // the last process may take a moment to end
    std::error_code failed;
    for (int k = 0; k < kTries && !fs::remove(folder_, failed); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool Cgroup::enter() const noexcept {
    return write(members_.get(), "0", 1) == 1;
}

}  // namespace attn::worker
