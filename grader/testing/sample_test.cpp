#include "grader/testing/sample.h"

#include <set>

#include <boost/test/unit_test.hpp>

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(sample)

const std::vector<int> kItems = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

BOOST_AUTO_TEST_CASE(a_sample_has_its_size_no_item_twice_and_the_order_of_the_list) {
    for (int seed = 0; seed < 50; ++seed) {
        const std::vector<int> some = drawn(kItems, {4, std::to_string(seed)});
        BOOST_TEST(some.size() == 4);
        BOOST_TEST(std::is_sorted(some.begin(), some.end()));
        BOOST_TEST(std::set(some.begin(), some.end()).size() == 4);
        BOOST_TEST(std::includes(kItems.begin(), kItems.end(), some.begin(), some.end()));
    }
}

BOOST_AUTO_TEST_CASE(the_same_seed_draws_the_same_and_another_seed_others) {
    BOOST_TEST(drawn(kItems, {4, "a9e9c13a"}) == drawn(kItems, {4, "a9e9c13a"}));
    std::set<std::vector<int>> different;
    for (int seed = 0; seed < 20; ++seed) different.insert(drawn(kItems, {4, std::to_string(seed)}));
    BOOST_TEST(different.size() > 10);
}

BOOST_AUTO_TEST_CASE(every_item_has_its_turn) {
    std::set<int> seen;
    for (int seed = 0; seed < 30; ++seed)
        for (const int item : drawn(kItems, {4, std::to_string(seed)})) seen.insert(item);
    BOOST_TEST(seen.size() == kItems.size());
}

BOOST_AUTO_TEST_CASE(a_short_list_and_a_sample_of_all_stay_whole) {
    BOOST_TEST(drawn(kItems, {10, "a"}) == kItems);
    BOOST_TEST(drawn(kItems, {}) == kItems);
    BOOST_TEST(drawn(std::vector<int>{}, {4, "a"}).empty());
}

BOOST_AUTO_TEST_CASE(a_seed_draws_the_same_on_every_machine) {
    // The C++ standard prescribes these numbers of std::seed_seq and std::mt19937_64.
    BOOST_TEST(drawn(kItems, {4, "a9e9c13a"}) == (std::vector{10, 12, 15, 18}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
