#include "grader/classes/digests.h"

#include <filesystem>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/compile/stand_ins.h"
#include "grader/testing/built.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(digests)

const std::string kAssignment = "02_self_attention";

/// The rubric of assignment 2 after a replacement, which has to be possible.
struct EditedRubric {
    data::TemporaryDirectory folder;

    RubricDigests after(const std::string& file, const std::string& from, const std::string& to,
                        bool secret = true) const {
        for (const char* name : {"rubric.toml", "secret.toml"}) {
            std::string text = data::read_file(testing::built().assignments / kAssignment / name);
            if (name == file) {
                const std::size_t at = text.find(from);
                BOOST_TEST_REQUIRE(at != std::string::npos, from);
                text.replace(at, from.size(), to);
            }
            folder.write(name, text);
        }
        return digests_of_rubric(folder.path(), secret);
    }
    RubricDigests unchanged(bool secret = true) const {
        return after("rubric.toml", "title", "title", secret);
    }
};

/// The functions whose digests differ.
std::vector<std::string> changed(const std::map<std::string, std::string>& a,
                                 const std::map<std::string, std::string>& b) {
    std::vector<std::string> functions;
    for (const auto& [function, text] : a)
        if (b.at(function) != text) functions.push_back(function);
    return functions;
}

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

BOOST_AUTO_TEST_CASE(points_titles_reasons_and_comments_run_nothing_again) {
    EditedRubric rubric;
    const RubricDigests before = rubric.unchanged();
    const std::vector<std::pair<std::string, std::string>> edits{
        {"numeric    = 12", "numeric = 40"},
        {"properties = 8 ", "properties = 9 "},
        {"title   = \"Self", "title = \"My self"},
        {"points = 6", "points = 7"},
        {"points    = 12", "points = 1"},
        {"why = \"one column: every", "why = \"every"},
        {"step       = 1", "step = 4"},
        {"# of one call", "# of a call"}};
    for (const auto& [from, to] : edits) {
        const RubricDigests after = rubric.after("rubric.toml", from, to);
        BOOST_TEST(after.common == before.common, from);
        BOOST_TEST(changed(before.parts, after.parts).empty(), from);
        BOOST_TEST(changed(before.speed, after.speed).empty(), from);
    }
}

BOOST_AUTO_TEST_CASE(an_edit_of_one_part_changes_this_part_only) {
    EditedRubric rubric;
    const RubricDigests before = rubric.unchanged();
    const RubricDigests sizes =
        rubric.after("rubric.toml", "sizes = { N = 5,  D = 7 }", "sizes = { N = 5, D = 8 }");
    BOOST_TEST(sizes.common == before.common);
    BOOST_TEST(changed(before.parts, sizes.parts) == Names{"softmax"});
    const RubricDigests property = rubric.after("rubric.toml", "\"linear_in_V\"]", "]");
    BOOST_TEST(changed(before.parts, property.parts) == Names{"scaled_dot_product_attention"});
    const RubricDigests secret =
        rubric.after("secret.toml", "sizes = { N = 7,  D = 10 }", "sizes = { N = 7, D = 11 }");
    BOOST_TEST(changed(before.parts, secret.parts) == Names{"softmax"});
    BOOST_TEST(changed(before.speed, secret.speed).empty());
}

BOOST_AUTO_TEST_CASE(secret_cases_count_only_with_a_secret_seed) {
    EditedRubric rubric;
    const RubricDigests before = rubric.unchanged(false);
    BOOST_TEST(changed(before.parts, rubric.unchanged(true).parts).size() == 3U);
    BOOST_TEST(
        changed(before.parts, rubric.after("secret.toml", "N = 7,  D = 10", "N = 7, D = 11", false).parts)
            .empty());
}

BOOST_AUTO_TEST_CASE(speed_has_digests_of_its_own) {
    EditedRubric rubric;
    const RubricDigests before = rubric.unchanged();
    const RubricDigests after = rubric.after("rubric.toml", "yardstick = 0.5", "yardstick = 0.4");
    BOOST_TEST(changed(before.parts, after.parts).empty());
    BOOST_TEST(changed(before.speed, after.speed) == Names{"scaled_dot_product_attention"});
}

BOOST_AUTO_TEST_CASE(limits_change_everything) {
    EditedRubric rubric;
    BOOST_TEST(rubric.unchanged().common !=
               rubric.after("rubric.toml", "allowed_yardsticks = 20", "allowed_yardsticks = 21").common);
    BOOST_TEST(rubric.unchanged().common !=
               rubric.after("rubric.toml", "time_s     = 5", "time_s = 6").common);
}

BOOST_AUTO_TEST_CASE(names_and_contents_of_files_count) {
    const data::TemporaryDirectory one, other;
    one.write("a.cpp", "x");
    other.write("a.cpp", "x");
    BOOST_TEST(digest_of_files(one.path()) == digest_of_files(other.path()));
    other.write("b.cpp", "y");
    BOOST_TEST(digest_of_files(one.path()) != digest_of_files(other.path()));
    BOOST_TEST(digest_of_files(one.path()) == digest_of_files(other.path(), {"b.cpp"}));
    one.write("b.cpp", "z");
    BOOST_TEST(digest_of_files(one.path()) != digest_of_files(other.path()));
    BOOST_TEST(digest({"ab", "c"}) != digest({"a", "bc"}));
    // Of "3:abc", by coreutils' sha256sum.
    BOOST_TEST(digest({"abc"}) == "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97");
}

BOOST_AUTO_TEST_CASE(sources_of_assignments_that_are_called_count) {
    const auto rubrics = rubric::read_rubrics(testing::built().assignments);
    const auto unused = [&](std::size_t k) {
        return unused_sources(rubrics.at(k), rubrics, testing::built());
    };
    const auto has = [](const Names& names, const char* name) {
        return std::ranges::count(names, name) != 0;
    };
    BOOST_TEST(has(unused(1), "rnn_attention.cpp"));
    BOOST_TEST(!has(unused(1), "self_attention.cpp"));
    BOOST_TEST(!has(unused(2), "self_attention.cpp"));  // multi-head attention calls it
    BOOST_TEST(!has(unused(2), "multi_head.cpp"));
    BOOST_TEST(!has(unused(1), "rnn_attention.cu"));  // kernels may call any others
}

BOOST_AUTO_TEST_CASE(the_grader_has_the_same_digest_twice) {
    const auto rubrics = rubric::read_rubrics(testing::built().assignments);
    const auto of = [&](std::size_t k) {
        return digest_of_grader(testing::built(), testing::built_grader(), rubrics.at(k));
    };
    BOOST_TEST(of(1) == of(1));
    BOOST_TEST(of(1) != of(2));
    const data::TemporaryDirectory folder;
    BOOST_TEST(of(1) != digest_of_grader(testing::built(), folder.write("grader", "another"), rubrics.at(1)));
}

BOOST_AUTO_TEST_CASE(a_stand_in_that_is_being_linked_makes_no_other_grader) {
    const data::TemporaryDirectory folder;
    fs::create_directories(folder / "stand_ins");
    folder.write("stand_ins/adapters.a", "archive");
    Installation installation = testing::built();
    installation.stand_ins = folder.path() / "stand_ins";
    installation.reference = folder.write("reference.a", "archive");
    installation.compiler = folder.write("compiler", R"(#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && made=$2; shift; done
[ -z "$made" ] && exit
echo half a library > "$made"
here=$(dirname "$0")
cp -R "$here/stand_ins" "$here/meanwhile"
)");
    fs::permissions(installation.compiler, fs::perms::owner_all);
    const rubric::Rubric rubric = rubric::read_rubrics(installation.assignments).at(1);
    const auto of_grader = [&] { return digest_of_grader(installation, testing::built_grader(), rubric); };
    const std::string before = of_grader();
    compile::stand_in_for("softmax", installation);
    BOOST_TEST(of_grader() == before);
    installation.stand_ins = folder / "meanwhile";
    BOOST_TEST(std::distance(fs::directory_iterator(installation.stand_ins), fs::directory_iterator()) == 2);
    BOOST_TEST(of_grader() == before);
    folder.write("meanwhile/adapters.a", "another archive");
    BOOST_TEST(of_grader() != before);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
