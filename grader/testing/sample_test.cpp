#include "grader/testing/sample.h"

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/testing/kit.h"

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

/// What .ci/left-out leaves out of twelve tests.
std::set<std::string> left_out_by(const std::string& seed) {
    const data::TemporaryDirectory place;
    place.write("ctest",
                "#!/bin/sh\nfor k in 1 2 3 4 5 6 7 8 9 10 11 12; do echo \"  Test  #$k: t$k\"; done\n");
    std::filesystem::permissions(place / "ctest", std::filesystem::perms::owner_all);
    const kits::Run run =
        kits::in_shell("PATH=" + place.path().string() + ":$PATH .ci/left-out build '" + seed + "'",
                       testing::built().sources);
    BOOST_REQUIRE(run.exit_code == 0);
    static const std::regex kAll(R"(\^\((t\d+(?:\|t\d+)*)\)\$\s*)");
    std::smatch names;
    BOOST_REQUIRE(std::regex_match(run.text, names, kAll));
    std::istringstream list(names[1].str());
    std::set<std::string> all;
    for (std::string name; std::getline(list, name, '|');) all.insert(name);
    return all;
}

BOOST_AUTO_TEST_CASE(a_sixth_of_the_long_tests_is_drawn_and_each_has_its_turn) {
    BOOST_TEST(left_out_by("a9e9c13a") == left_out_by("a9e9c13a"));
    std::set<std::string> never_drawn = left_out_by("0");
    for (int seed = 1; seed < 40; ++seed) {
        const std::set<std::string> out = left_out_by(std::to_string(seed));
        BOOST_TEST(out.size() == 10U);
        std::erase_if(never_drawn, [&](const std::string& name) { return !out.contains(name); });
    }
    BOOST_TEST(never_drawn.empty());
}

BOOST_AUTO_TEST_CASE(a_seed_draws_the_same_on_every_machine) {
    // The C++ standard prescribes these numbers of std::seed_seq and std::mt19937_64.
    BOOST_TEST(drawn(kItems, {4, "a9e9c13a"}) == (std::vector{10, 12, 15, 18}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
