// Reading a small source, editing it, and running it.

#include "grader/edits/edit.h"

#include <array>

#include <boost/test/unit_test.hpp>

#include "grader/edits/listed.h"
#include "grader/edits/machine.h"

namespace attn::edits {
BOOST_AUTO_TEST_SUITE(edit)
namespace {

const std::string kSource = R"(
#include "x.h"
#define INSTANTIATE(T) \
    template void sum<T>(int);
namespace attn {
namespace {

/// y += x c
template <class T>
void add_times(TensorView<T, 1> y, TensorView<const T, 1> x, T c) {
    for (int k = 0; k < x.size(0); ++k) y(k) += x(k) * c;
}

}  // namespace

template <class T>
void combine(TensorView<T, 1> y, TensorView<const T, 1> x) {
    // y = 3 x
    for (int k = 0; k < y.size(0); ++k) y(k) = 0;
    add_times<T>(y, x, 1);
    add_times<T>(y, x, 2);
}

}  // namespace attn
)";

struct Fixture {
    Fixture() { program.add("x.cpp", tokens_of(program.words(), "x.cpp", kSource)); }

    /// combine() of {1, 10} with these edits. Empty if it cannot run.
    std::vector<float> run(const std::vector<WrittenEdit>& written) {
        std::vector<Edit> edits;
        for (const WrittenEdit& each : written) edits.push_back(locate(program, "x.cpp", each));
        const EditedFunctions edited(program, edits);
        std::vector<float> y{-1, -1}, x{1, 10};
        std::array<Argument, 2> arguments;
        arguments[0] = {ElementType::f32, 1, {2}, y.data(), 0};
        arguments[1] = {ElementType::f32, 1, {2}, x.data(), 0};
        Machine<float> machine(program);
        try {
            machine.run(program.find("combine", "x.cpp"), arguments, edited.replacements(), 1000);
        } catch (const CannotRun&) {
            return {};
        }
        return y;
    }

    Program program;
};

using Numbers = std::vector<float>;

bool says(const std::exception& error, const std::string& text) {
    BOOST_TEST_MESSAGE(error.what());
    return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(edits_change_what_a_function_computes, Fixture) {
    BOOST_TEST(run({}) == (Numbers{3, 30}));
    BOOST_TEST(run({{"add_times", "x(k) * c", "x(k)", ""}}) == (Numbers{2, 20}));
    BOOST_TEST(run({{"add_times", "x(k) * c", "c", ""}}) == (Numbers{3, 3}));
    BOOST_TEST(run({{"combine", "add_times<T>(y, x, 2);", "", ""}}) == (Numbers{1, 10}));
    BOOST_TEST(run({{"combine", "*", "for (int k = 0; k < 2; ++k) y(k) = k == 1 ? T(5) : T(4);", ""}}) ==
               (Numbers{4, 5}));
}

BOOST_FIXTURE_TEST_CASE(an_edit_can_be_limited_to_one_call, Fixture) {
    BOOST_TEST(run({{"add_times", "x(k) * c", "100 * c", "combine: add_times<T>(y, x, 2)"}}) ==
               (Numbers{201, 210}));
    BOOST_TEST(run({{"add_times", "x(k) * c", "100 * c", "combine: add_times<T>(y, x, 1)"}}) ==
               (Numbers{102, 120}));
}

BOOST_FIXTURE_TEST_CASE(two_edits_of_one_function_are_made_together, Fixture) {
    BOOST_TEST(run({{"combine", "y(k) = 0", "y(k) = 7", ""}, {"combine", "x, 2", "x, 4", ""}}) ==
               (Numbers{12, 57}));
    // The second edit stands behind the name in the call that the first one is made at.
    BOOST_TEST(run({{"add_times", "y(k) += x(k) * c", "y(k) += c", "combine: add_times<T>(y, x, 2)"},
                    {"combine", "x, 2", "x, 4", ""}}) == (Numbers{5, 14}));
}

BOOST_FIXTURE_TEST_CASE(what_leaves_its_arrays_or_never_ends_gives_nothing, Fixture) {
    BOOST_TEST(run({{"add_times", "y(k) +=", "y(k + 1) +=", ""}}).empty());
    BOOST_TEST(run({{"add_times", "++k", "k = k + 0", ""}}).empty());
    BOOST_TEST(run({{"add_times", "x(k) *", "x(k / (k - k)) *", ""}}).empty());
}

BOOST_AUTO_TEST_CASE(a_float_is_rounded_also_where_the_loops_run_in_double) {
    // 2^24 + 1 is no float.
    const std::string source = R"(
namespace attn {
void rest(TensorView<int, 1> y) {
    const std::int64_t n = 16777217;
    y(0) = static_cast<int>(static_cast<std::int64_t>(static_cast<float>(n)) - 16777000);
}
}  // namespace attn
)";
    Program program;
    program.add("y.cpp", tokens_of(program.words(), "y.cpp", source));
    std::vector<int> y{-1};
    std::array<Argument, 1> arguments;
    arguments[0] = {ElementType::i32, 1, {1}, y.data(), 0};
    Machine<double>(program).run(program.find("rest", "y.cpp"), arguments, {}, 1000);
    BOOST_TEST(y[0] == 216);
}

BOOST_FIXTURE_TEST_CASE(edits_of_the_same_text_conflict, Fixture) {
    const auto edit = [&](const char* function, const char* place, const char* call) {
        return locate(program, "x.cpp", {function, place, "0", call});
    };
    const Edit product = edit("add_times", "x(k) * c", ""), factor = edit("add_times", "c;", ""),
               index = edit("add_times", "y(k)", "");
    const Edit at_one_call = edit("add_times", "x(k) * c", "combine: add_times<T>(y, x, 2)"),
               call = edit("combine", "x, 2", "");
    const auto conflicting = [](const Edit& a, const Edit& b) { return conflict(std::array{a, b}); };
    BOOST_TEST(conflicting(product, factor));
    BOOST_TEST(!conflicting(product, index));
    BOOST_TEST(conflicting(product, at_one_call));
    BOOST_TEST(conflicting(edit("combine", "y(k) = 0", ""), at_one_call));
    BOOST_TEST(!conflicting(call, at_one_call));
    BOOST_TEST(!conflicting(call, product));
}

BOOST_FIXTURE_TEST_CASE(a_place_has_to_occur_exactly_once, Fixture) {
    BOOST_CHECK_EXCEPTION(locate(program, "x.cpp", {"combine", "add_times", "", ""}), SourceError,
                          [](const auto& e) { return says(e, "'add_times' occurs 2 times in combine()"); });
    BOOST_CHECK_EXCEPTION(locate(program, "x.cpp", {"combine", "z(k)", "", ""}), SourceError,
                          [](const auto& e) { return says(e, "'z(k)' occurs 0 times in combine()"); });
    BOOST_CHECK_EXCEPTION(locate(program, "x.cpp", {"add", "y", "", ""}), SourceError,
                          [](const auto& e) { return says(e, "there is no function add()"); });
}

BOOST_AUTO_TEST_CASE(a_class_with_an_array_is_local_to_its_source_file_unless_a_header_has_it) {
    const std::string owned =
        "template <class T> struct Owned { explicit Owned(int n) : numbers(n) {} "
        "std::vector<T> numbers; };";
    const auto is_found = [&](const std::string& file) {
        Program program;
        program.add(file, tokens_of(program.words(), file, owned));
        const int word = program.words().id_of("Owned");
        BOOST_TEST(program.find_structure(word, file) >= 0);
        return program.find_structure(word, "y.cpp") >= 0;
    };
    BOOST_TEST(is_found("owned.h"));
    BOOST_TEST(!is_found("x.cpp"));
}

BOOST_AUTO_TEST_CASE(unknown_code_is_refused_with_its_line) {
    const auto refused = [](const std::string& body, const std::string& message) {
        Program program;
        const std::string text = "namespace attn {\nvoid f(int n) {\n" + body + "\n}\n}\n";
        BOOST_CHECK_EXCEPTION(
            {
                program.add("f.cpp", tokens_of(program.words(), "f.cpp", text));
                program.function(0);
            },
            SourceError, [&](const auto& e) { return says(e, message); });
    };
    refused("do { n = 1; } while (n < 2);", "f.cpp:3: found 'do'");
    refused("n = m;", "f.cpp:3: found 'm'; expected a variable or a function");
    refused("n = 1.5;", "f.cpp:3: found ';'; expected a whole number");
    refused("\nn = std::sort(n);", "f.cpp:4: found ");
    refused("goto end;", "f.cpp:3: found 'goto'");
}

BOOST_AUTO_TEST_CASE(a_wrong_list_of_mistakes_is_refused_with_its_line) {
    const std::string right =
        "[[mistake]]\nname = \"a\"\nwhen = \"b\"\nhint = \"c\"\nedits = [[\"f\", \"x\", \"y\"]]\n";
    const auto read = read_listed("m.toml", right);
    BOOST_TEST_REQUIRE(read.size() == 1U);
    BOOST_TEST(read[0].edits[0].becomes == "y");
    const auto refused = [](const std::string& text, const std::string& message) {
        BOOST_CHECK_EXCEPTION(read_listed("m.toml", text), SourceError,
                              [&](const auto& e) { return says(e, message); });
    };
    refused("[[mistake]]\nname = \"a\"\n", "m.toml:1: found no when");
    refused(right + "places = 1\n", "m.toml:6: found the key places");
    refused("[[mistake]]\nname = \"a\"\nwhen = \"b\"\nhint = \"c\"\nedits = [[\"f\", \"x\"]]\n",
            "m.toml:5: found an edit of another form");
    refused("[[mistake]\n", "m.toml:1");
    refused("", "found no [[mistake]]");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::edits
