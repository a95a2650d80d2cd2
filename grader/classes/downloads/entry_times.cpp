#include "grader/classes/downloads/entry_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/classes/moments.h"

namespace attn::classes {
namespace {

/// How a teacher gives the times of a platform that does not put them into its downloads.
std::string how_to_give_times(const std::string& platform) {
    const std::string add = "grader class add --times FILE";
    if (platform == "moodle")
        return fmt::format("{}, where FILE is the grading worksheet (\"Download grading worksheet\")", add);
    if (platform == "canvas")
        return fmt::format(
            "{}, where FILE is the answer of Canvas to "
            "/api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions",
            add);
    return fmt::format("{}, where FILE is a table with the columns email and time", add);
}

}  // namespace

bool differ_as_peoples(std::vector<Moment> times) {
    constexpr Moment kHour_s = 3600, kMinute_s = 60;
    constexpr std::size_t kLargestHeap = 3;  // on average: many hand in in the last minutes
    if (times.size() < 2) return false;
    std::ranges::sort(times);
    if (times.back() - times.front() < kHour_s) return false;
    std::size_t heaps = 1;
    for (std::size_t k = 1; k < times.size(); ++k) heaps += times[k] - times[k - 1] > kMinute_s ? 1 : 0;
    return heaps * kLargestHeap >= times.size();
}

void leave_out_times_of_download(Download& download) {
    std::vector<Moment> times;
    std::size_t without = 0, late = 0;
    for (const HandIn& hand_in : download.hand_ins)
        if (hand_in.when && hand_in.when_by == TimeSource::files) times.push_back(*hand_in.when);
    const bool of_download = !times.empty() && !differ_as_peoples(times);
    for (HandIn& hand_in : download.hand_ins) {
        if (of_download && hand_in.when_by == TimeSource::files) hand_in.when.reset();
        if (hand_in.when) continue;
        hand_in.when_by = TimeSource::unknown;
        ++without;
        late += hand_in.marked_late ? 1 : 0;
    }
    if (without == 0) return;
    std::string note = without == download.hand_ins.size()
                           ? "this download does not say when the hand-ins came"
                           : fmt::format("this download does not say when {} of its hand-ins came", without);
    if (of_download)
        note += fmt::format(" (its files have the time of a download or a copy, {})",
                            moment_text(*std::ranges::max_element(times)));
    note += late == 0
                ? "; without a time, they do not count as late"
                : fmt::format("; {} of them {} marked LATE and {} as one day late, the others as in time",
                              late, late == 1 ? "is" : "are", late == 1 ? "counts" : "count");
    download.time_note = fmt::format("{}. Give the times: {}", note, how_to_give_times(download.platform));
}

}  // namespace attn::classes
