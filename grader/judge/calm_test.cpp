#include "grader/judge/calm.h"

#include <boost/test/unit_test.hpp>

#include "datasets/temporary_directory.h"

namespace attn::judge {
namespace {

/// Ten restarts, those from `from` on beside a neighbour.
std::vector<Level> restarts(std::size_t from) {
    std::vector<Level> all;
    for (std::size_t k = 0; k < 10; ++k)
        all.push_back(k < from ? Level{0.0100 + 0.00001 * static_cast<double>(k), 0.00020}
                               : Level{0.0117, 0.00031});
    return all;
}

BOOST_AUTO_TEST_SUITE(calm)

BOOST_AUTO_TEST_CASE(disturbed_restarts_are_told_from_calm_ones) {
    BOOST_TEST(calm_ones(restarts(10), {}).size() == 10U);
    const auto calm = calm_ones(restarts(4), {});
    BOOST_REQUIRE(calm.size() == 4U);
    BOOST_TEST(calm.back() == 3U);
    BOOST_TEST(calm_ones({}, {}).empty());
}

BOOST_AUTO_TEST_CASE(either_of_the_two_tells) {
    auto all = restarts(10);
    all[2].plain_s *= 1.2;
    all[5].yardstick_s *= 1.3;
    const auto calm = calm_ones(all, {});
    BOOST_TEST(calm.size() == 8U);
}

BOOST_AUTO_TEST_CASE(a_measurement_without_a_calm_moment_is_known_by_earlier_ones) {
    BOOST_TEST(calm_ones(restarts(0), {}).size() == 10U);  // by itself it cannot know
    CalmLevels levels;
    levels.note("attention", level_of(restarts(10)));
    BOOST_TEST(calm_ones(restarts(0), levels.before("attention")).empty());
    BOOST_TEST(calm_ones(restarts(0), levels.before("another")).size() == 10U);
}

BOOST_AUTO_TEST_CASE(a_machine_that_stays_slower_is_believed_in_the_end) {
    CalmLevels levels;
    levels.note("attention", level_of(restarts(10)));
    int times = 0;
    while (calm_ones(restarts(0), levels.before("attention")).empty() && times < 100) {
        levels.note("attention", level_of(restarts(0)));
        ++times;
    }
    BOOST_TEST(times > 3);
    BOOST_TEST(times < 40);
}

BOOST_AUTO_TEST_CASE(levels_are_kept_in_a_file_and_a_broken_one_is_none) {
    const data::TemporaryDirectory folder;
    const auto file = folder.path() / "calm";
    CalmLevels(file).note("attention N=5, 1 threads", {0.01, 0.0002});
    CalmLevels(file).note("another", {0.5, 0.25});
    const CalmLevels again(file);
    BOOST_TEST(again.before("attention N=5, 1 threads").plain_s == 0.01);
    BOOST_TEST(again.before("another").yardstick_s == 0.25);
    folder.write("calm", "nonsense\n-1 2 negative\n1 nan bad\n0.1 0.2 good\n");
    const CalmLevels broken(file);
    BOOST_TEST(broken.before("nonsense").plain_s == 0);
    BOOST_TEST(broken.before("negative").plain_s == 0);
    BOOST_TEST(broken.before("good").plain_s == 0.1);
    CalmLevels nowhere(folder.path() / "no/such/folder");
    nowhere.note("attention", {1, 1});
    BOOST_TEST(nowhere.before("attention").plain_s == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
