// Compiling a submission: what fails costs its own file only and says where; what floods, ends.

#include "grader/submission/build.h"

#include <algorithm>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/grade.h"
#include "grader/submission/broken_rubric.h"

namespace attn::submission {
namespace {

using data::says;
using data::TemporaryDirectory;
using impostors::edited;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string kBroken = "#include \"self_attention.h\"\n\nint f() { return nobody; }\n";

std::string solution() {
    return impostors::source("self_attention/solution.cpp");
}

/// softmax alone.
std::string softmax_only() {
    const std::string text = solution();
    return text.substr(0, text.find("void scaled_dot_product_attention")) + "}\n";
}

/// The other two functions, which need no softmax of another file.
std::string without_softmax() {
    return edited(solution(),
                  {{"void softmax(", "static void by_rows("}, {"softmax(W, E);", "by_rows(W, E);"}});
}

/// A folder with a submission and with assignments of its own.
struct Desk {
    TemporaryDirectory folder;
    std::filesystem::path submission = folder / "submission", assignments = folder / "assignments";

    explicit Desk(const std::vector<impostors::Edit>& edits = {}) {
        std::filesystem::create_directories(submission);
        std::filesystem::copy(kAssignments, assignments, std::filesystem::copy_options::recursive);
        folder.write("assignments/02_self_attention/rubric.toml", edited(shipped_text(), edits));
    }
    std::string write(const std::string& name, const std::string& text) const {
        return folder.write("submission/" + name, text).string();
    }
    Build build() const {
        return submission::build(submission, read_rubric(assignments / "02_self_attention"), Installation());
    }
    report::Report grade() const {
        GradeOptions options;
        options.submission = submission;
        options.installation.assignments = assignments;
        return attn::grade(options);
    }
};

/// softmax in extra.cpp, the rest in self_attention.cpp; the rubric names them in this order.
std::vector<impostors::Edit> two_sources(const std::string& sources) {
    return {{shipped::kSources, sources},
            {"step       = 1 ", "source = \"extra.cpp\"\nstep = 1 "},
            {"step       = 2\n", "source = \"self_attention.cpp\"\nstep = 2\n"},
            {"step       = 3\n", "source = \"self_attention.cpp\"\nstep = 3\n"}};
}

const std::vector<std::string> kOrders = {"[\"self_attention.cpp\", \"extra.cpp\"]",
                                          "[\"extra.cpp\", \"self_attention.cpp\"]"};

/// Points of the parts, and what became of their checks: "20 passed".
std::vector<std::string> results(const report::Report& report) {
    std::vector<std::string> all;
    for (const report::Part& part : report.assignments.at(0).parts)
        all.push_back(std::to_string(static_cast<int>(part.points)) + " " + impostors::outcomes_of(part));
    return all;
}

BOOST_AUTO_TEST_SUITE(build)

BOOST_AUTO_TEST_CASE(messages_begin_with_the_first_error) {
    const std::string text = "a.cpp:1:1: warning: w\n  w\na.cpp:2:1: error: e\n  e\na.cpp:3:1: error: f\n";
    BOOST_TEST(cut_messages(text, 16) == "a.cpp:2:1: error: e\n  e\na.cpp:3:1: error: f\n");
    BOOST_TEST(cut_messages("a.cpp:1:1: fatal error: f\n", 16) == "a.cpp:1:1: fatal error: f\n");
}

BOOST_AUTO_TEST_CASE(messages_are_cut_and_say_so) {
    BOOST_TEST(cut_messages("1 error: \n2\n3\n4\n5\n", 3) == "1 error: \n2\n3\n(2 more lines)\n");
    BOOST_TEST(cut_messages("1 error: \n2\n3\n", 3) == "1 error: \n2\n3\n");
}

BOOST_AUTO_TEST_CASE(messages_without_an_error_stay) {
    BOOST_TEST(cut_messages("a.cpp:1:1: warning: w\n  w\n", 16) == "a.cpp:1:1: warning: w\n  w\n");
    BOOST_TEST(cut_messages("no line feed", 16) == "no line feed\n");
    BOOST_TEST(cut_messages("", 16) == "");
}

BOOST_AUTO_TEST_CASE(an_error_in_a_template_keeps_the_students_line) {
    const std::string here = "a.cpp:7:5:   required from here\n", error = "/usr/include/x:1:1: error: e\n";
    BOOST_TEST(cut_messages("/usr/include/x: In instantiation of 'f()':\n" + here + error, 16) ==
               here + error);

    const Desk desk;
    const std::string file =
        desk.write("self_attention.cpp",
                   "#include <algorithm>\n#include <list>\n"
                   "void f(std::list<int>& l) {\n    std::sort(l.begin(), l.end());\n}\n");
    const std::string messages = desk.build().sources.at(0).messages;
    BOOST_TEST_CONTEXT(messages) BOOST_TEST(contains(messages, file + ":4:14:   required from here\n"));
}

BOOST_AUTO_TEST_CASE(a_right_solution_compiles_without_a_word) {
    const Desk desk;
    desk.write("self_attention.cpp", without_softmax());
    const Build built = desk.build();
    BOOST_TEST(built.sources.size() == 1U);
    BOOST_TEST(built.source("self_attention.cpp").compiled);
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(the_library_goes_with_the_build) {
    const Desk desk;
    desk.write("self_attention.cpp", solution());
    std::filesystem::path folder;
    {
        const Build built = desk.build();
        folder = built.library.parent_path();
        BOOST_TEST(std::filesystem::exists(folder));
        BOOST_TEST(folder != desk.submission);
    }
    BOOST_TEST(!std::filesystem::exists(folder));
    BOOST_TEST(std::filesystem::exists(desk.submission / "self_attention.cpp"));
}

BOOST_AUTO_TEST_CASE(a_warning_is_kept) {
    const Desk desk;
    const std::string file = desk.write("self_attention.cpp", "void f() {\n    int unused;\n}\n");
    const Build built = desk.build();
    BOOST_TEST(built.sources.at(0).compiled);
    BOOST_TEST(contains(built.sources.at(0).messages, file + ":2:9: warning: unused variable"));
}

BOOST_AUTO_TEST_CASE(a_syntax_error_is_told_with_file_line_and_column) {
    const Desk desk;
    const std::string file = desk.write("self_attention.cpp", kBroken);
    const Build built = desk.build();
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages.starts_with(file + ":3:18: error: 'nobody' was not declared"));
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
    const Desk desk;
    std::filesystem::create_directory(desk.submission / "self_attention.cpp");  // a folder is no file
    const Build built = desk.build();
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST(
        contains(built.sources.at(0).messages, (desk.submission / "self_attention.cpp").string() + ": "));
    BOOST_TEST(contains(built.sources.at(0).messages, "no such file"));
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_CASE(a_folder_that_does_not_exist_is_refused) {
    const Desk desk;
    std::filesystem::remove(desk.submission);
    BOOST_CHECK_EXCEPTION(desk.build(), SubmissionError,
                          says({desk.submission.string() + ": ", "no such folder", "self_attention.cpp"}));
    desk.folder.write("submission", "a file");
    BOOST_CHECK_EXCEPTION(desk.build(), SubmissionError,
                          says({desk.submission.string() + ": ", "no such folder"}));
}

BOOST_DATA_TEST_CASE(either_of_two_files_fails_alone, boost::unit_test::data::make(kOrders), order) {
    const Desk desk(two_sources(order));
    desk.write("self_attention.cpp", without_softmax());
    desk.write("extra.cpp", softmax_only());
    BOOST_TEST(results(desk.grade()) == (std::vector<std::string>{"20 passed", "50 passed", "30 passed"}),
               boost::test_tools::per_element());

    const std::string extra = desk.write("extra.cpp", kBroken);
    report::Report report = desk.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"0 not_compiled", "50 passed", "30 passed"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "extra.cpp"));

    desk.write("extra.cpp", softmax_only());
    desk.write("self_attention.cpp", kBroken);
    report = desk.grade();
    BOOST_TEST(results(report) == (std::vector<std::string>{"20 passed", "0 not_compiled", "0 not_compiled"}),
               boost::test_tools::per_element());
    BOOST_TEST(contains(report.next, "self_attention.cpp"));
}

BOOST_DATA_TEST_CASE(only_the_file_that_fails_has_errors, boost::unit_test::data::make(kOrders), order) {
    const Desk desk(two_sources(order));
    desk.write("self_attention.cpp", without_softmax());
    const std::string extra = desk.write("extra.cpp", kBroken);
    const Build built = desk.build();
    BOOST_TEST(built.source("self_attention.cpp").compiled);
    BOOST_TEST(built.source("self_attention.cpp").messages == "");
    BOOST_TEST(!built.source("extra.cpp").compiled);
    BOOST_TEST(contains(built.source("extra.cpp").messages, extra + ":3:18: error:"));
    BOOST_TEST(std::filesystem::is_regular_file(built.library));
}

BOOST_AUTO_TEST_CASE(a_call_into_the_file_that_failed_is_told) {
    const Desk desk(two_sources(kOrders[0]));
    const std::string text = solution(), rest = text.substr(text.find("void scaled_dot_product_attention"));
    desk.write(
        "self_attention.cpp",
        "#include <cmath>\n#include <vector>\n#include \"self_attention.h\"\nnamespace attn {\n" + rest);
    desk.write("extra.cpp", kBroken);
    const report::Report report = desk.grade();
    const report::Part& calling = impostors::part(report, "scaled_dot_product_attention");
    BOOST_TEST(impostors::outcomes_of(calling) == "missing");
    BOOST_TEST(contains(calling.checks.at(0).message, "softmax"));
}

BOOST_AUTO_TEST_CASE(files_that_define_the_same_cannot_be_linked) {
    const Desk desk(two_sources(kOrders[0]));
    desk.write("self_attention.cpp", solution());
    desk.write("extra.cpp", softmax_only());
    const Build built = desk.build();
    BOOST_TEST(built.library.empty());
    for (const report::SourceFile& source : built.sources) {
        BOOST_TEST(!source.compiled);
        BOOST_TEST(contains(source.messages, "cannot be linked"));
        BOOST_TEST(contains(source.messages, "multiple definition of `attn::softmax("));
    }
}

std::string warnings(int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += "#warning " + std::string(100, 'w') + "\n";
    return text;
}

BOOST_AUTO_TEST_CASE(many_warnings_are_cut) {
    const Desk desk;
    desk.write("self_attention.cpp", warnings(50));
    const report::SourceFile source = desk.build().sources.at(0);
    BOOST_TEST(source.compiled);
    BOOST_TEST(contains(source.messages, "warning: #warning wwww"));
    BOOST_TEST(std::count(source.messages.begin(), source.messages.end(), '\n') <= 20);
}

/// A source that makes the compiler talk or work without an end, and what has to be said.
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
    {warnings(1000), "the compiler printed more than 64 KiB"},
};

BOOST_DATA_TEST_CASE(a_flood_ends_with_a_word_on_why, boost::unit_test::data::make(kFloods), flood) {
    const Desk desk;
    desk.write("self_attention.cpp", flood.text);
    const Build built = desk.build();
    const report::SourceFile& source = built.sources.at(0);
    BOOST_TEST(!source.compiled);
    BOOST_TEST_CONTEXT(source.messages) BOOST_TEST(contains(source.messages, flood.why));
    BOOST_TEST(std::count(source.messages.begin(), source.messages.end(), '\n') <= 20);
    BOOST_TEST(built.library.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
