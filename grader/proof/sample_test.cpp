#include "grader/proof/sample.h"

#include <set>

#include <boost/test/unit_test.hpp>

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(sample)

const std::vector<int> kItems = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

BOOST_AUTO_TEST_CASE(a_sample_has_its_size_no_item_twice_and_the_order_of_the_list) {
    for (std::uint64_t day = 0; day < 50; ++day) {
        const std::vector<int> some = drawn(kItems, {4, day});
        BOOST_TEST(some.size() == 4);
        BOOST_TEST(std::is_sorted(some.begin(), some.end()));
        BOOST_TEST(std::set(some.begin(), some.end()).size() == 4);
        BOOST_TEST(std::includes(kItems.begin(), kItems.end(), some.begin(), some.end()));
    }
}

BOOST_AUTO_TEST_CASE(the_same_day_draws_the_same_and_another_day_others) {
    BOOST_TEST(drawn(kItems, {4, 7}) == drawn(kItems, {4, 7}));
    std::set<std::vector<int>> different;
    for (std::uint64_t day = 0; day < 20; ++day) different.insert(drawn(kItems, {4, day}));
    BOOST_TEST(different.size() > 10);
}

BOOST_AUTO_TEST_CASE(every_item_has_its_turn) {
    std::set<int> seen;
    for (std::uint64_t day = 20000; day < 20030; ++day)
        for (const int item : drawn(kItems, {4, day})) seen.insert(item);
    BOOST_TEST(seen.size() == kItems.size());
}

BOOST_AUTO_TEST_CASE(a_short_list_and_a_sample_of_all_stay_whole) {
    BOOST_TEST(drawn(kItems, {10, 3}) == kItems);
    BOOST_TEST(drawn(kItems, {}) == kItems);
    BOOST_TEST(drawn(std::vector<int>{}, {4, 1}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
