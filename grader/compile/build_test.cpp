// Compiling a submission: errors name the line, and endless output or work is cut off. For submissions of two
// files see two_sources_test.cpp.

#include "grader/compile/build.h"

#include <algorithm>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include "datasets/files/message_contains.h"
#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(build, *boost::unit_test::label("long"))

using data::message_contains;

BOOST_AUTO_TEST_CASE(messages_begin_with_the_first_error) {
    const std::string text = "a.cpp:1:1: warning: w\n  w\na.cpp:2:1: error: e\n  e\na.cpp:3:1: error: f\n";
    BOOST_TEST(cut_messages(text, 16) == "a.cpp:2:1: error: e\n  e\na.cpp:3:1: error: f\n");
    BOOST_TEST(cut_messages("a.cpp:1:1: fatal error: f\n", 16) == "a.cpp:1:1: fatal error: f\n");
}

BOOST_AUTO_TEST_CASE(long_messages_are_cut_with_the_number_of_lines_left_out) {
    BOOST_TEST(cut_messages("1 error: \n2\n3\n4\n5\n", 3) == "1 error: \n2\n3\n(2 more lines)\n");
    BOOST_TEST(cut_messages("1 error: \n2\n3\n", 3) == "1 error: \n2\n3\n");
}

BOOST_AUTO_TEST_CASE(messages_without_an_error_are_kept) {
    BOOST_TEST(cut_messages("a.cpp:1:1: warning: w\n  w\n", 16) == "a.cpp:1:1: warning: w\n  w\n");
    BOOST_TEST(cut_messages("no line feed", 16) == "no line feed\n");
    BOOST_TEST(cut_messages("", 16) == "");
}

BOOST_AUTO_TEST_CASE(an_error_in_a_template_keeps_the_students_line) {
    const std::string here = "a.cpp:7:5:   required from here\n", error = "/usr/include/x:1:1: error: e\n";
    BOOST_TEST(cut_messages("/usr/include/x: In instantiation of 'f()':\n" + here + error, 16) ==
               here + error);

    const std::string warning = "/usr/include/x:9:9: warning: w\n  w\n";
    BOOST_TEST(cut_messages(here + warning + error, 16) == error);  // this line belongs to the warning

    const TestFolder fixture;
    const std::string file = "self_attention.cpp";  // messages name the file without its folder
    fixture.write(file,
                  "#include <algorithm>\n#include <list>\n"
                  "void f(std::list<int>& l) {\n    std::sort(l.begin(), l.end());\n}\n");
    const std::string messages = fixture.build().sources.at(0).messages;
    BOOST_TEST_CONTEXT(messages) BOOST_TEST(contains(messages, file + ":4:14:   required from here\n"));
}

BOOST_AUTO_TEST_CASE(a_name_of_another_assignment_is_answered_with_its_header) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp",
                  solution() +
                      "namespace attn {\nvoid f(const DecoderGradients<float>&);\n"
                      "void g(TensorView<float, 2> X) { masked_softmax(X, X, {}), unheard_of(); }\n}\n");
    const std::string messages = fixture.build().sources.at(0).messages;
    for (const char* const line :
         {"write #include \"masking.h\" for masked_softmax: the header of assignment 4\n",
          "write #include \"recurrent_backward.h\" for DecoderGradients: the header of assignment 21\n",
          "error: 'unheard_of' was not declared"})
        BOOST_TEST(contains(messages, line), messages);
    BOOST_TEST(!contains(messages, "for unheard_of"));
}

BOOST_AUTO_TEST_CASE(a_right_solution_compiles_without_messages) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    const Build built = fixture.build();
    BOOST_TEST(built.sources.size() == 1U);
    BOOST_TEST(built.source("self_attention.cpp").compiled);
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(it_builds_under_a_restrictive_umask) {
    const mode_t before = umask(077);
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    const Build built = fixture.build();
    umask(before);
    BOOST_TEST(built.sources.at(0).messages == "");
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(the_library_is_removed_with_the_build) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    std::filesystem::path folder;
    {
        const Build built = fixture.build();
        folder = built.library.parent_path();
        BOOST_TEST(std::filesystem::exists(folder));
        BOOST_TEST(folder != fixture.submission);
    }
    BOOST_TEST(!std::filesystem::exists(folder));
    BOOST_TEST(std::filesystem::exists(fixture.submission / "self_attention.cpp"));
}

BOOST_AUTO_TEST_CASE(a_warning_is_kept) {
    const TestFolder fixture;
    const std::string file = "self_attention.cpp";
    fixture.write(file, "void f() {\n    int unused;\n}\n");
    const Build built = fixture.build();
    BOOST_TEST(built.sources.at(0).compiled);
    BOOST_TEST(contains(built.sources.at(0).messages, file + ":2:9: warning: unused variable"));
}

BOOST_AUTO_TEST_CASE(warnings_that_only_an_optimizer_can_give_are_kept) {
    const TestFolder fixture;
    fixture.write(
        "self_attention.cpp",
        "float f(int n) {\n    float s;\n    for (int i = 0; i < n; i++) s += 1;\n    return s;\n}\n"
        "int g() {\n    int x[4] = {};\n    return x[5];\n}\n");
    const std::string messages = fixture.build().sources.at(0).messages;
    BOOST_TEST_CONTEXT(messages) {
        BOOST_TEST(contains(messages, "[-Wmaybe-uninitialized]"));
        BOOST_TEST(contains(messages, "[-Warray-bounds"));
    }
}

BOOST_AUTO_TEST_CASE(a_syntax_error_is_reported_with_file_line_and_column) {
    const TestFolder fixture;
    const std::string file = "self_attention.cpp";
    fixture.write(file, kBroken);
    const Build built = fixture.build();
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages.starts_with(file + ":3:18: error: 'nobody' was not declared"));
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
    const TestFolder fixture;
    std::filesystem::create_directory(fixture.submission / "self_attention.cpp");  // a folder, not a file
    const Build built = fixture.build();
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages ==
               "self_attention.cpp: there is no such file in the submission\n");
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_CASE(a_file_with_almost_the_right_name_is_pointed_at) {
    const TestFolder fixture;
    std::filesystem::create_directory(fixture.submission / "work");
    for (const char* name :
         {"SelfAttention (1).cc", "work/self_attention.cpp", "attention.cpp", "self_attention.cu"})
        fixture.write(name, solution());
    BOOST_TEST(fixture.build().sources.at(0).messages ==
               "self_attention.cpp: there is no such file in the submission\n"
               "Is it SelfAttention (1).cc? Its name and place have to be self_attention.cpp.\n"
               "Is it work/self_attention.cpp? Its name and place have to be self_attention.cpp.\n");
}

BOOST_AUTO_TEST_CASE(a_folder_that_does_not_exist_is_refused) {
    const TestFolder fixture;
    std::filesystem::remove(fixture.submission);
    BOOST_CHECK_EXCEPTION(
        fixture.build(), UserError,
        message_contains({fixture.submission.string() + ": ", "no such folder", "self_attention.cpp"}));
    fixture.folder.write("submission", "a file");
    BOOST_CHECK_EXCEPTION(fixture.build(), UserError,
                          message_contains({fixture.submission.string() + ": ", "no such folder"}));
}

std::string warnings(int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += "#warning " + std::string(100, 'w') + "\n";
    return text;
}

BOOST_AUTO_TEST_CASE(many_warnings_are_cut) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", warnings(50));
    const report::SourceFile source = fixture.build().sources.at(0);
    BOOST_TEST(source.compiled);
    BOOST_TEST(contains(source.messages, "warning: #warning wwww"));
    BOOST_TEST(std::count(source.messages.begin(), source.messages.end(), '\n') <= 20);
}

BOOST_AUTO_TEST_CASE(thousands_of_warnings_still_compile) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", warnings(1000));
    BOOST_TEST(fixture.build().sources.at(0).compiled);
}

/// One error for which the compiler lists `count` overloads that do not match.
std::string errors(int count) {
    std::string text = "struct S {};\n";
    for (int k = 0; k < count; ++k)
        text +=
            "template <int> struct T" + std::to_string(k) + " {}; void f(T" + std::to_string(k) + "<0>);\n";
    return text + "void g() { f(S{}); }\n";
}

/// A source that makes the compiler print or work without end, and the expected message.
struct Flood {
    std::string text, why;
    friend std::ostream& operator<<(std::ostream& out, const Flood& flood) { return out << flood.why; }
};

const std::vector<Flood> kFloods = {
    {"#include \"self_attention.cpp\"\n", "self_attention.cpp:1:30: error: #include nested depth"},
    {"template <int N> struct A { static constexpr int v = A<N + 1>::v; };\nint x = A<0>::v;\n",
     "fatal error: template instantiation depth exceeds"},
    {"constexpr int f() { for (;;) {} return 0; }\nconstexpr int x = f();\n",
     "error: 'constexpr' loop iteration"},
    {"char big[1LL << 30] = {1};\n", "File size limit exceeded"},
    // -fmax-errors does not limit the number of notes for one error.
    {errors(1000), "the compiler printed more than 64 KiB"},
};

BOOST_DATA_TEST_CASE(endless_compilation_ends_with_the_reason, boost::unit_test::data::make(kFloods), flood) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", flood.text);
    const Build built = fixture.build();
    const report::SourceFile& source = built.sources.at(0);
    BOOST_TEST(!source.compiled);
    BOOST_TEST_CONTEXT(source.messages) BOOST_TEST(contains(source.messages, flood.why));
    BOOST_TEST(std::count(source.messages.begin(), source.messages.end(), '\n') <= 20);
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
