#include "grader/proof/busy_neighbours.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::proof {
namespace {

[[noreturn]] void work() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();  // Linux shares the processors among sessions first
    constexpr std::size_t kNumbers = std::size_t{1} << 22;
    std::vector<float> numbers(kNumbers, 1);
    for (volatile float sum = 0;;) {
        for (float& number : numbers) number = number * 0.999F + 0.001F;
        sum = sum + numbers[kNumbers / 2];
    }
}

}  // namespace

BusyNeighbours::BusyNeighbours() {
    for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k) {
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error("a process that keeps the machine busy cannot be started");
        if (child == 0) work();
        neighbours_.push_back(child);
    }
}

BusyNeighbours::~BusyNeighbours() {
    for (const pid_t neighbour : neighbours_) kill(neighbour, SIGKILL), waitpid(neighbour, nullptr, 0);
}

}  // namespace attn::proof
