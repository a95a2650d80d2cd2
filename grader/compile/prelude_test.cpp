// Precompiled headers: they are used only where they cannot change the result.

#include "grader/compile/prelude.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(prelude, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// Skips a test if preludes cannot be used: without GCC, or if the compiler cannot read their folder.
auto usable() {
    return boost::unit_test::precondition([](auto) {
#if defined(__GNUC__) && !defined(__clang__)
        return boost::test_tools::assertion_result(is_readable_by_compiler(Installation().preludes));
#else
        return boost::test_tools::assertion_result(false);
#endif
    });
}

/// The name of the prelude for a file of this text.
std::string prelude_of(const std::string& text, const TestFolder& fixture) {
    Installation installation;
    installation.assignments = fixture.assignments;
    return prelude_for(leading_includes(text), fixture.submission, installation).filename().string();
}

const std::string kHeader = "#include \"self_attention.h\"\n";

BOOST_AUTO_TEST_CASE(the_largest_prelude_whose_headers_are_all_included_is_used, *usable()) {
    const TestFolder fixture;
    BOOST_TEST(prelude_of(kHeader, fixture) == "contract");
    BOOST_TEST(prelude_of("#include <vector>\n" + kHeader, fixture) == "contract");
    BOOST_TEST(prelude_of(kHeader + "#include <vector>\n#include <cmath>\n", fixture) == "numbers");
    BOOST_TEST(
        prelude_of("#include <map>\n#include <vector>\n#include <algorithm>\n#include <cmath>\n" + kHeader,
                   fixture) == "algorithms");
    BOOST_TEST(prelude_of("#include <cmath>\n#include <vector>\n", fixture) == "");
}

BOOST_AUTO_TEST_CASE(headers_after_a_header_of_the_student_do_not_count, *usable()) {
    const TestFolder fixture;
    fixture.write("own.h", "#define float double\n");
    const std::string rest = "#include <cmath>\n#include <vector>\n";
    BOOST_TEST(prelude_of("#include \"own.h\"\n" + kHeader + rest, fixture) == "");
    BOOST_TEST(prelude_of(kHeader + "#include \"own.h\"\n" + rest, fixture) == "contract");
    fixture.write("self_attention.h", "");  // found before the contract's
    BOOST_TEST(prelude_of(kHeader + rest, fixture) == "");
}

BOOST_AUTO_TEST_CASE(a_prelude_of_outdated_headers_is_not_used, *usable()) {
    const TestFolder fixture;
    BOOST_TEST(prelude_of(kHeader, fixture) == "contract");
    fixture.folder.write("assignments/tensor.h", data::read_file(fixture.assignments / "tensor.h") +
                                                     "// changed by the instructor\n");
    BOOST_TEST(prelude_of(kHeader, fixture) == "");
}

BOOST_AUTO_TEST_CASE(the_compiler_uses_the_prelude, *usable()) {
    const TestFolder fixture;
    for (const std::string& includes :
         {std::string(), std::string("#include <cmath>\n#include <vector>\n"),
          std::string("#include <algorithm>\n#include <cmath>\n#include <vector>\n")}) {
        fixture.write("self_attention.cpp", includes + kHeader +
                                                "void attn::softmax(TensorView<float, 2> Y, "
                                                "TensorView<const float, 2>) { Y(0, 0) = 1; }\n");
        const Build built = fixture.build();
        BOOST_TEST(built.sources.at(0).messages == "");
        BOOST_TEST(built.compiled_with_prelude == 1);
    }
}

/// Builds without a prelude.
Build build_without_prelude(const TestFolder& fixture) {
    Installation installation;
    installation.preludes = fixture.folder / "nowhere";
    return build_submission(fixture.submission,
                            rubric::read_rubric(fixture.assignments / "02_self_attention"), installation);
}

BOOST_AUTO_TEST_CASE(a_prelude_does_not_change_the_library, *usable()) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    const Build with = fixture.build(), without = build_without_prelude(fixture);
    BOOST_TEST(with.compiled_with_prelude == 1);
    BOOST_TEST(without.compiled_with_prelude == 0);
    BOOST_TEST((data::read_file(with.library) == data::read_file(without.library)));
}

BOOST_AUTO_TEST_CASE(a_prelude_does_not_change_the_messages) {
    const TestFolder fixture;
    for (const char* body : {"int unused;", "Y(0);", "nobody();"}) {
        fixture.write("self_attention.cpp",
                      kHeader +
                          "void attn::softmax(TensorView<float, 2> Y, TensorView<const float, 2>) {\n    " +
                          body + "\n}\n");
        const Build with = fixture.build(), without = build_without_prelude(fixture);
        BOOST_TEST(with.sources.at(0).compiled == without.sources.at(0).compiled);
        BOOST_TEST(with.sources.at(0).messages == without.sources.at(0).messages);
        BOOST_TEST(contains(with.sources.at(0).messages, "self_attention.cpp:"));
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_prelude_costs_only_time, *usable()) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    Installation installation;
    installation.preludes = fixture.folder / "preludes";
    const rubric::Rubric rubric = rubric::read_rubric(fixture.assignments / "02_self_attention");
    fs::copy(Installation().preludes, installation.preludes, fs::copy_options::recursive);
    fs::permissions(fixture.folder.path(), fs::perms::others_exec, fs::perm_options::add);
    BOOST_TEST(build_submission(fixture.submission, rubric, installation).compiled_with_prelude == 1);
    fixture.folder.write("preludes/algorithms/prelude.h.gch", "gpch of another compiler");
    const Build built = build_submission(fixture.submission, rubric, installation);
    BOOST_TEST(built.compiled_with_prelude == 0);
    BOOST_TEST(built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages == "");
    fs::permissions(fixture.folder.path(), fs::perms::others_exec, fs::perm_options::remove);
    fs::remove_all(installation.preludes);
    BOOST_TEST(build_submission(fixture.submission, rubric, installation).sources.at(0).compiled);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
