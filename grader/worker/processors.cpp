#include "grader/worker/processors.h"

#include <cerrno>
#include <system_error>

namespace attn::worker {
namespace {

cpu_set_t own_processors() {
    cpu_set_t own;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0)
        throw std::system_error(errno, std::generic_category(), "asking for the processors of this process");
    return own;
}

}  // namespace

cpu_set_t last_processors(int count) {
    cpu_set_t own = own_processors();
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&own) > count; ++cpu) CPU_CLR(cpu, &own);
    return own;
}

Neighbour::Neighbour(const cpu_set_t& processors) : before_(own_processors()) {
    int first = 0;
    while (first < CPU_SETSIZE && !CPU_ISSET(first, &processors)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);  // if this is refused, times vary more
}

Neighbour::~Neighbour() {
    sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace attn::worker
