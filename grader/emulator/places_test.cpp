// Places written by the run time become lines of the student's file. Text that only looks like a place stays.

#include "grader/emulator/places.h"

#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace attn::emulator {
namespace {

BOOST_AUTO_TEST_SUITE(places)

BOOST_AUTO_TEST_CASE(the_first_frame_in_a_students_file_is_chosen) {
    BOOST_TEST(choose_frame("tensor.h:80\nmasking.cu:12 (discriminator 3)\nmasking.cu:40\n") ==
               "masking.cu:12");
    BOOST_TEST(choose_frame("/a/emulator/include/new.h:3\n/home/me/my.cu:7") == "my.cu:7");
    BOOST_TEST(choose_frame("/usr/include/c++/12/tuple:3\nmy.cu:7") == "my.cu:7");
    BOOST_TEST(choose_frame("my_tensor.h:3\nmy.cu:7\n") == "my_tensor.h:3");
}

BOOST_AUTO_TEST_CASE(without_a_students_file_the_first_frame_is_chosen) {
    BOOST_TEST(choose_frame("tensor.h:80\n/x/grader/emulator/include/kernel_launch.h:12\n") == "tensor.h:80");
}

BOOST_AUTO_TEST_CASE(an_unknown_place_of_addr2line_is_no_frame) {
    for (const char* unknown :
         {"", "??:0\n", "??:?\n", "my.cu:?\n", "my.cu:0\n", "\n\n", "my.cu:\n", "garbage"})
        BOOST_TEST(choose_frame(unknown).empty(), unknown);
    BOOST_TEST(choose_frame("??:0\nmy.cu:3\n") == "my.cu:3");
}

BOOST_AUTO_TEST_CASE(each_place_of_a_text_is_resolved_and_replaced) {
    std::vector<std::pair<std::string, std::string>> asked;
    const auto run = [&](const std::string& module, const std::string& hex) {
        asked.emplace_back(module, hex);
        return std::string(hex == "0x1f" ? "my.cu:3\n" : "??:0\n");
    };
    BOOST_TEST(resolve("Race in @{/tmp/a+0x1/m.so+0x1f} and in @{/tmp/m.so+0x20}.", run) ==
               "Race in my.cu:3 and in somewhere in m.so.");
    BOOST_REQUIRE(asked.size() == 2);
    BOOST_TEST(asked[0].first == "/tmp/a+0x1/m.so");
    BOOST_TEST(asked[1].second == "0x20");
}

BOOST_AUTO_TEST_CASE(text_that_only_looks_like_a_place_stays) {
    const auto never = [](const std::string&, const std::string&) {
        BOOST_ERROR("text that is no place was resolved");
        return std::string();
    };
    for (const char* text : {"", "@", "@{", "@{}", "@{a}", "@{a+0x1", "@{a\n+0x1}", "{a+0x1}"})
        BOOST_TEST(resolve(text, never) == text);
    BOOST_TEST(resolve("@{@{m+0x1}", [](const auto&, const auto&) { return std::string("a.cu:1"); }) ==
               "@{a.cu:1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
