// Headers compiled ahead: used where they change nothing, left out wherever they might.

#include "grader/build/prelude.h"

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/testing/submission_folder.h"

namespace attn::submission {
namespace {

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(prelude)

/// Where there can be one: with GCC, and where who compiles gets to it.
auto usable() {
    return boost::unit_test::precondition([](auto) {
#if defined(__GNUC__) && !defined(__clang__)
        return boost::test_tools::assertion_result(is_reachable(Installation().preludes));
#else
        return boost::test_tools::assertion_result(false);
#endif
    });
}

/// The name of the prelude for a file of this text.
std::string prelude_of(const std::string& text, const TestFolder& desk) {
    Installation installation;
    installation.assignments = desk.assignments;
    return prelude_for(text, desk.submission, installation).filename().string();
}

const std::string kHeader = "#include \"self_attention.h\"\n";

BOOST_AUTO_TEST_CASE(the_largest_whose_headers_are_all_included_is_taken, *usable()) {
    const TestFolder desk;
    BOOST_TEST(prelude_of(kHeader, desk) == "contract");
    BOOST_TEST(prelude_of("#include <vector>\n" + kHeader, desk) == "contract");
    BOOST_TEST(prelude_of(kHeader + "#include <vector>\n#include <cmath>\n", desk) == "numbers");
    BOOST_TEST(
        prelude_of("#include <map>\n#include <vector>\n#include <algorithm>\n#include <cmath>\n" + kHeader,
                   desk) == "algorithms");
    BOOST_TEST(prelude_of("#include <cmath>\n#include <vector>\n", desk) == "");
}

BOOST_AUTO_TEST_CASE(a_header_of_the_students_own_ends_what_is_known, *usable()) {
    const TestFolder desk;
    desk.write("own.h", "#define float double\n");
    const std::string rest = "#include <cmath>\n#include <vector>\n";
    BOOST_TEST(prelude_of("#include \"own.h\"\n" + kHeader + rest, desk) == "");
    BOOST_TEST(prelude_of(kHeader + "#include \"own.h\"\n" + rest, desk) == "contract");
    desk.write("self_attention.h", "");  // found before the contract's
    BOOST_TEST(prelude_of(kHeader + rest, desk) == "");
}

BOOST_AUTO_TEST_CASE(a_prelude_of_other_headers_is_not_used, *usable()) {
    const TestFolder desk;
    BOOST_TEST(prelude_of(kHeader, desk) == "contract");
    desk.folder.write("assignments/tensor.h",
                      data::read_file(desk.assignments / "tensor.h") + "// changed by the instructor\n");
    BOOST_TEST(prelude_of(kHeader, desk) == "");
}

BOOST_AUTO_TEST_CASE(the_compiler_takes_what_was_compiled, *usable()) {
    const TestFolder desk;
    for (const std::string& includes :
         {std::string(), std::string("#include <cmath>\n#include <vector>\n"),
          std::string("#include <algorithm>\n#include <cmath>\n#include <vector>\n")}) {
        desk.write("self_attention.cpp", includes + kHeader +
                                             "void attn::softmax(TensorView<float, 2> Y, "
                                             "TensorView<const float, 2>) { Y(0, 0) = 1; }\n");
        const Build built = desk.build();
        BOOST_TEST(built.sources.at(0).messages == "");
        BOOST_TEST(built.with_prelude == 1);
    }
}

/// Without any prelude.
Build plainly(const TestFolder& desk) {
    Installation installation;
    installation.preludes = desk.folder / "nowhere";
    return submission::build(desk.submission, read_rubric(desk.assignments / "02_self_attention"),
                             installation);
}

BOOST_AUTO_TEST_CASE(what_was_compiled_behind_it_is_the_same, *usable()) {
    const TestFolder desk;
    desk.write("self_attention.cpp", solution());
    const Build with = desk.build(), without = plainly(desk);
    BOOST_TEST(with.with_prelude == 1);
    BOOST_TEST(without.with_prelude == 0);
    BOOST_TEST((data::read_file(with.library) == data::read_file(without.library)));
}

BOOST_AUTO_TEST_CASE(messages_are_those_without_it) {
    const TestFolder desk;
    for (const char* body : {"int unused;", "Y(0);", "nobody();"}) {
        desk.write("self_attention.cpp",
                   kHeader +
                       "void attn::softmax(TensorView<float, 2> Y, TensorView<const float, 2>) {\n    " +
                       body + "\n}\n");
        const Build with = desk.build(), without = plainly(desk);
        BOOST_TEST(with.sources.at(0).compiled == without.sources.at(0).compiled);
        BOOST_TEST(with.sources.at(0).messages == without.sources.at(0).messages);
        BOOST_TEST(contains(with.sources.at(0).messages, "self_attention.cpp:"));
    }
}

BOOST_AUTO_TEST_CASE(a_broken_one_costs_nothing_but_time, *usable()) {
    const TestFolder desk;
    desk.write("self_attention.cpp", solution());
    Installation installation;
    installation.preludes = desk.folder / "preludes";
    const Rubric rubric = read_rubric(desk.assignments / "02_self_attention");
    fs::copy(Installation().preludes, installation.preludes, fs::copy_options::recursive);
    fs::permissions(desk.folder.path(), fs::perms::others_exec, fs::perm_options::add);
    BOOST_TEST(submission::build(desk.submission, rubric, installation).with_prelude == 1);
    desk.folder.write("preludes/algorithms/prelude.h.gch", "gpch of another compiler");
    const Build built = submission::build(desk.submission, rubric, installation);
    BOOST_TEST(built.with_prelude == 0);
    BOOST_TEST(built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages == "");
    fs::permissions(desk.folder.path(), fs::perms::others_exec, fs::perm_options::remove);
    fs::remove_all(installation.preludes);
    BOOST_TEST(submission::build(desk.submission, rubric, installation).sources.at(0).compiled);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
