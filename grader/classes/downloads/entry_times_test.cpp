#include "grader/classes/downloads/entry_times.h"

#include <boost/test/unit_test.hpp>

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(entry_times)

constexpr Moment kMinute = 60, kHour = 3600, kDay = 86400, kBegin = 1795000000;

BOOST_AUTO_TEST_CASE(times_of_people_are_told_from_those_of_downloads) {
    // In time, in the last minutes, and late.
    std::vector<Moment> people;
    for (int k = 0; k < 60; ++k) people.push_back(kBegin + k * k * 97);
    for (int k = 0; k < 40; ++k) people.push_back(kBegin + 4 * kDay - 3 * kHour + k * 4 * kMinute);
    BOOST_TEST(differ_as_peoples(people));
    BOOST_TEST(differ_as_peoples({kBegin, kBegin + 2 * kDay}));
    // All at once; in the order of writing for minutes; one alone; none.
    BOOST_TEST(!differ_as_peoples(std::vector<Moment>(119, kBegin)));
    std::vector<Moment> slow, twice, unpacked;
    for (int k = 0; k < 300; ++k) slow.push_back(kBegin + k * 7);
    BOOST_TEST(!differ_as_peoples(slow));
    BOOST_TEST(!differ_as_peoples({kBegin}));
    BOOST_TEST(!differ_as_peoples({}));
    // Two and three downloads of days apart in one folder.
    for (int k = 0; k < 40; ++k) twice.push_back(kBegin + k / 4 + (k % 2) * 3 * kDay);
    BOOST_TEST(!differ_as_peoples(twice));
    for (int k = 0; k < 40; ++k) unpacked.push_back(kBegin + k * 3 + (k % 3) * kDay);
    BOOST_TEST(!differ_as_peoples(unpacked));
}

Download download_at(const std::vector<Moment>& times, const char* platform) {
    Download download;
    download.platform = platform;
    for (const Moment when : times) {
        HandIn& one = download.hand_ins.emplace_back();
        one.when = when;
        one.when_by = TimeSource::files;
    }
    return download;
}

BOOST_AUTO_TEST_CASE(a_download_without_times_says_how_to_give_them) {
    Download moodle = download_at({kBegin, kBegin + 2, kBegin + 4}, "moodle");
    leave_out_times_of_download(moodle);
    for (const HandIn& one : moodle.hand_ins) {
        BOOST_TEST(!one.when);
        BOOST_TEST((one.when_by == TimeSource::unknown));
    }
    for (const char* part :
         {"does not say when the hand-ins came", "grader class add --times FILE", "worksheet"})
        BOOST_TEST(moodle.time_note.find(part) != std::string::npos, moodle.time_note);
    Download canvas = download_at({kBegin, kBegin + 2, kBegin + 4}, "canvas");
    canvas.hand_ins[1].marked_late = true;
    leave_out_times_of_download(canvas);
    BOOST_TEST(canvas.time_note.find("1 of them is marked LATE and counts") != std::string::npos,
               canvas.time_note);
    BOOST_TEST(canvas.time_note.find("/api/v1/courses") != std::string::npos);
    Download people = download_at({kBegin, kBegin + kDay, kBegin + 2 * kDay}, "folder");
    leave_out_times_of_download(people);
    BOOST_TEST(people.hand_ins[1].when.value() == kBegin + kDay);
    BOOST_TEST(people.time_note == "");
    // What the platform or a commit says stays, and one file's time beside it tells nothing.
    Download clones = download_at({kBegin, kBegin, kBegin}, "github");
    clones.hand_ins[0].when_by = clones.hand_ins[1].when_by = TimeSource::commit;
    leave_out_times_of_download(clones);
    BOOST_TEST(clones.hand_ins[1].when.has_value());
    BOOST_TEST(!clones.hand_ins[2].when);
    BOOST_TEST(clones.time_note.find("when 1 of its hand-ins came") != std::string::npos, clones.time_note);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
