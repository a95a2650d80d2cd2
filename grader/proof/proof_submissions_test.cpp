// Invalid proof submissions are refused: a test with an edit that does nothing would prove nothing.

#include "grader/proof/proof_submissions.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(proof_submissions)

using data::message_contains;

struct Folder {
    data::TemporaryDirectory folder;

    explicit Folder(const std::string& edits, const std::string& solution = "int f() { return 1 + 2; }\n") {
        folder.write("solution.cpp", solution);
        folder.write("right_other.cpp", "int f() { return 3; }\n");
        folder.write("edits.toml", edits);
    }
    ProofSubmissions read() const { return read_proof_submissions(folder.path()); }
};

const std::string kSlip = "[[slip]]\nmistake = \"minus\"\npart = \"f\"\n";

BOOST_AUTO_TEST_CASE(a_slip_is_an_edited_solution) {
    const ProofSubmissions all =
        Folder(kSlip + "class = [\"times\"]\nedits = [[\"1 + 2\", \"1 - 2\"]]\n").read();
    BOOST_REQUIRE(all.slips.size() == 1U);
    BOOST_TEST(all.slips[0].mistake == "minus");
    BOOST_TEST(all.slips[0].part == "f");
    BOOST_TEST((all.slips[0].alike == std::vector<std::string>{"times"}));
    BOOST_TEST(all.slips[0].text == "int f() { return 1 - 2; }\n");
    BOOST_TEST(all.solution == "int f() { return 1 + 2; }\n");
}

BOOST_AUTO_TEST_CASE(right_solutions_are_the_solution_other_files_and_edits) {
    const ProofSubmissions all =
        Folder("[[right]]\nname = \"a sum\"\nflags = [\"-O3\"]\nedits = [[\"1 + 2\", \"2 + 1\"]]\n").read();
    BOOST_REQUIRE(all.rights.size() == 3U);
    BOOST_TEST(all.rights[0].name == "the plain solution");
    BOOST_TEST(all.rights[1].name == "a sum");
    BOOST_TEST((all.rights[1].flags == std::vector<std::string>{"-O3"}));
    BOOST_TEST(all.rights[1].text == "int f() { return 2 + 1; }\n");
    BOOST_TEST(all.rights[2].name == "right_other.cpp");
    BOOST_TEST(all.rights[2].text == "int f() { return 3; }\n");
}

BOOST_AUTO_TEST_CASE(a_solution_that_grows_is_an_edited_solution) {
    const ProofSubmissions all =
        Folder("[[growing]]\nname = \"twice\"\nfunction = \"f\"\nedits = [[\"1 + 2\", \"2 + 1\"]]\n").read();
    BOOST_REQUIRE(all.growing.size() == 1U);
    BOOST_TEST(all.growing[0].name == "twice");
    BOOST_TEST(all.growing[0].function == "f");
    BOOST_TEST(all.growing[0].text == "int f() { return 2 + 1; }\n");
    BOOST_TEST(all.rights.size() == 2U);
}

void refused(const std::string& edits, std::initializer_list<std::string> parts) {
    BOOST_CHECK_EXCEPTION(Folder(edits).read(), std::invalid_argument, message_contains(parts));
}

BOOST_AUTO_TEST_CASE(an_edit_that_proves_nothing_is_refused_with_its_line) {
    refused(kSlip + "edits = [[\"1 * 2\", \"2\"]]\n", {"edits.toml:1", "exactly once", "1 * 2"});
    refused("\n" + kSlip + "edits = [[\" \", \"2\"]]\n", {"edits.toml:2", "exactly once"});
    refused(kSlip, {"edits.toml:1", "needs 'edits'"});
    refused("[[slip]]\npart = \"f\"\nedits = []\n", {"edits.toml:1", "'mistake'"});
    refused(kSlip + "edits = [[\"1\"]]\n", {"edits.toml:1", "no pair"});
    refused(kSlip + "edits = [[\"1\", 2]]\n", {"edits.toml:1", "no pair"});
    refused("[[slip]\n", {"edits.toml:1"});
}

BOOST_AUTO_TEST_CASE(a_folder_without_its_files_is_refused) {
    const data::TemporaryDirectory folder;
    BOOST_CHECK_THROW(read_proof_submissions(folder.path()), data::FileError);
}

BOOST_AUTO_TEST_CASE(tables_may_stand_in_several_files) {
    const data::TemporaryDirectory folder;
    folder.write("solution.cpp", "1 * 2");
    folder.write("edits.toml", kSlip + "edits = [[\"1\", \"3\"]]\n");
    folder.write("more.toml", kSlip + "edits = [[\"2\", \"3\"]]\n[[right]]\nname = \"a\"\nedits = []\n");
    const ProofSubmissions all = read_proof_submissions(folder.path());
    BOOST_REQUIRE(all.slips.size() == 2U);
    BOOST_TEST(all.slips[0].text == "3 * 2");
    BOOST_TEST(all.slips[1].text == "1 * 3");
    BOOST_TEST(all.rights.size() == 2U);
    folder.write("more.toml", "\n[[slips]]\n");
    BOOST_CHECK_EXCEPTION(
        read_proof_submissions(folder.path()), std::invalid_argument,
        message_contains({"more.toml:2", "'slips' is none of slip, right, growing, kernel, too_small"}));
}

BOOST_AUTO_TEST_CASE(a_wrong_kernel_is_an_edited_right_one) {
    const data::TemporaryDirectory folder;
    const std::string kernel = "[[kernel]]\nname = \"late\"\nfunction = \"f\"\n";
    folder.write("wrong_kernels.toml", kernel + "finding = \"numbers\"\nedits = [[\"a;\", \"\"]]\n");
    const std::vector<WrongKernel> all = read_wrong_kernels(folder.path(), "{ a; b; }");
    BOOST_REQUIRE(all.size() == 1U);
    BOOST_TEST(all[0].name == "late");
    BOOST_TEST(all[0].function == "f");
    BOOST_TEST(all[0].finding == "numbers");
    BOOST_TEST(all[0].text == "{  b; }");
    BOOST_CHECK_EXCEPTION(read_wrong_kernels(folder.path(), "{ b; }"), std::invalid_argument,
                          message_contains({"wrong_kernels.toml:1", "exactly once"}));
    folder.write("wrong_kernels.toml", kernel + "edits = [[\"a;\", \"\"]]\n");
    BOOST_CHECK_EXCEPTION(read_wrong_kernels(folder.path(), "{ a; }"), std::invalid_argument,
                          message_contains({"wrong_kernels.toml:1", "'finding'"}));
}

BOOST_AUTO_TEST_CASE(each_expression_of_a_row_is_a_class_of_edits_that_are_too_small) {
    const data::TemporaryDirectory folder;
    const auto read = [&folder](const std::string& row) {
        folder.write("edits.toml", "too_small = [\n" + row + "]\n");
        return read_too_small(folder.path());
    };
    const std::vector<TooSmall> two = read("{ function = 'f|g', edit = ['a b', 'c'], why = 'so' }");
    BOOST_REQUIRE(two.size() == 2U);
    BOOST_TEST(std::regex_match("g", two[1].function));
    BOOST_TEST(std::regex_search("a b c", two[0].edit));
    BOOST_TEST(two[1].place.ends_with("edits.toml:2: c"));
    BOOST_TEST(read_too_small(folder.path() / "no_such_folder").empty());
    const auto refused = [&read](const std::string& row, const std::string& problem) {
        BOOST_CHECK_EXCEPTION(read(row), std::invalid_argument, message_contains({"edits.toml:2", problem}));
    };
    refused("{ function = 'f', edit = ['a'] }", "'why'");
    refused("{ edit = ['a'], why = 'so' }", "'function'");
    refused("{ function = 'f', edit = 'a', why = 'so' }", "'edit', a list");
    refused("{ function = 'f', edit = ['('], why = 'so' }", "invalid regular expression: (");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
