// Accidents in a submission: each has its own outcome, and the other parts are still graded.

#include <filesystem>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(outcomes, *boost::unit_test::label("long"))

/// Code at the start of self_attention, and what the report must say about that part.
struct Accident {
    std::string name;
    Outcome outcome;
    std::string code;
    std::string says;  ///< words in the check's message

    friend std::ostream& operator<<(std::ostream& out, const Accident& accident) {
        return out << accident.name;
    }
};

const std::vector<Accident>& accidents() {
    static const std::vector<Accident> kAll = {
        {"null_pointer", Outcome::crashed, "*static_cast<volatile int*>(nullptr) = 1;",
         "through a null pointer"},
        {"stack_overflow", Outcome::crashed,
         "struct R { static int go(volatile int n) { volatile char big[4096] = {}; return n < 0 ? big[7] : "
         "go(n + 1) + big[0]; } };"
         "volatile int sink = R::go(0); (void)sink;",
         "stack overflow"},
        {"abort", Outcome::crashed, "std::abort();", "abort"},
        {"division_by_zero", Outcome::crashed, "volatile int zero = 0; volatile int q0 = 7 / zero; (void)q0;",
         "division"},
        {"kills_itself", Outcome::crashed, "raise(SIGKILL);", "being killed"},
        {"endless_loop", Outcome::timed_out, "volatile bool on = true; while (on) {}",
         "did not come back within 1 s"},
        {"sleeps", Outcome::timed_out, "sleep(60);", "did not come back"},
        {"exits", Outcome::exited, "exit(0);", "exit code 0"},
        {"quick_exits", Outcome::exited, "_exit(7);", "exit code 7"},
        {"throws", Outcome::threw, R"(throw std::runtime_error("no \x1b[31midea");)",
         "It threw std::runtime_error: no "},
        {"throws_a_number", Outcome::threw, "throw 42;", "It threw an exception of type int."},
        {"at_of_a_vector", Outcome::threw, "std::vector<int>(3).at(7);", "range"},
        {"writes_nan", Outcome::not_finite, "for (int k = 0; k < Y.count(); k++) Y.data()[k] = NAN; return;",
         "is nan"},
        {"writes_infinity", Outcome::not_finite,
         "for (int k = 0; k < Y.count(); k++) Y.data()[k] = INFINITY; return;", "is inf"},
        {"writes_zeros", Outcome::wrong, "for (int k = 0; k < Y.count(); k++) Y.data()[k] = 0; return;", ""},
        {"copies_its_input", Outcome::wrong,
         "for (int k = 0; k < Y.count(); k++) Y.data()[k] = X.data()[k % X.count()]; return;", ""},
        {"writes_nothing", Outcome::not_implemented, "return;", "Nothing was written"},
        {"leaves_the_last", Outcome::partly_written,
         "for (int k = 0; k + 1 < Y.count(); k++) Y.data()[k] = 1; return;", "never written in element ("},
        {"gigabyte_of_text", Outcome::too_much_output,
         R"(for (long k = 0; k < (1L << 30) / 64; k++) printf("%063ld\n", k);)", "printed more than"},
        {"hundred_gigabytes", Outcome::out_of_memory, "std::vector<float> huge(25L << 30);", "MiB allowed"},
        {"reads_past_the_end", Outcome::out_of_bounds,
         "volatile float next = X.data()[X.count() + 16]; (void)next;",
         "It read past the end of X: element ("},
        {"reads_before_the_start", Outcome::out_of_bounds,
         "volatile float before = X.data()[-1 - 1024]; (void)before;", "before the start of X"},
        {"writes_past_the_end", Outcome::out_of_bounds, "Y.data()[Y.count() + 16] = 1;",
         "It wrote past the end of Y: element ("},
        {"writes_just_past_the_end", Outcome::out_of_bounds, "Y.data()[Y.count()] = 1;",
         "It wrote past the end of Y"},
        {"writes_past_the_end_of_a_buffer", Outcome::out_of_bounds,
         "std::vector<float> row(12); volatile float* p = row.data(); p[12] = 1;",
         "It wrote past the end of a buffer of 12 floats, which it had allocated (new, malloc, std::vector, "
         "..): "
         "element 12."},
        {"reads_past_the_end_of_a_buffer", Outcome::out_of_bounds,
         "std::vector<float> row(1024); volatile float next = row.data()[1026]; (void)next;",
         "It read past the end of a buffer"},
        {"writes_past_a_buffer_that_is_not_aligned", Outcome::out_of_bounds,
         "std::vector<float> row(11); volatile float* p = row.data(); p[11] = 1;",
         "It wrote past the end of a buffer of 11 floats, which it had allocated (new, malloc, std::vector, "
         "..): "
         "element 11."},
        {"writes_before_the_start_of_a_buffer", Outcome::out_of_bounds,
         "float* row = static_cast<float*>(std::malloc(40)); volatile float* p = row; p[-1] = 1; "
         "std::free(row);",
         "It wrote before the start of a buffer of 40 bytes"},
        {"reads_a_buffer_that_it_never_set", Outcome::not_finite,
         "float* row = new float[64]; for (int k = 0; k < Y.count(); k++) Y.data()[k] = row[k % 64]; "
         "delete[] row; "
         "return;",
         "It was computed from memory that it allocated and had not set yet."},
        {"checked_index", Outcome::out_of_bounds, "Y(0, 0, Y.size(2)) = 1;", "In Y: element (0, 0, "},
        {"changes_its_input", Outcome::changed_input, "const_cast<float&>(X(0, 0, 0)) = 1;",
         "It wrote to an input: element (0, 0, 0) of X"},
        {"counts_calls", Outcome::not_deterministic,
         "static int calls = 0; Y(0, 0, 0) = float(calls++); for (int k = 1; k < Y.count(); k++) Y.data()[k] "
         "= 1; return;",
         "was 0 and then 1"},
        {"writes_to_the_grader", Outcome::forbidden, "(void)!write(3, \"passed\", 6); for (;;) {}",
         "the grader's own channel"},
        {"closes_everything", Outcome::forbidden, "for (int fd = 0; fd < 64; fd++) close(fd); for (;;) {}",
         "closed the grader\'s channel"},
    };
    return kAll;
}

std::string with_accident(const std::string& code) {
    const std::string includes =
        "#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <stdexcept>\n#include "
        "<unistd.h>\n";
    return includes +
           edited(solution("self_attention"), {{"std::vector<float> q = project(X, W_Q);",
                                                code + "\nstd::vector<float> q = project(X, W_Q);"}});
}

bool is_endless(const Accident& accident) {
    return accident.outcome == Outcome::timed_out || accident.code.find("for (;;)") != std::string::npos;
}

/// A sample of them. An endless one takes seconds, so a sample has one.
std::vector<Accident> drawn_accidents() {
    std::vector<Accident> endless, others;
    for (const Accident& accident : accidents())
        (is_endless(accident) ? endless : others).push_back(accident);
    std::vector<Accident> all = drawn(others, at_most(4));
    for (const Accident& accident : drawn(endless, at_most(1))) all.push_back(accident);
    return all;
}

BOOST_DATA_TEST_CASE(each_accident_has_its_own_outcome, boost::unit_test::data::make(drawn_accidents()),
                     accident) {
    const report::Report report =
        grade_source(with_accident(accident.code), {.time_s = is_endless(accident) ? 1.0 : 0.0});
    const report::Part& hit = part(report, "self_attention");
    const report::Check& check = first_with(hit, accident.outcome);
    BOOST_TEST(check.message.find(accident.says) != std::string::npos, check.message);
    BOOST_TEST(hit.points == 0.0);
    BOOST_TEST(part(report, "softmax").points == 20.0);
    BOOST_TEST(part(report, "scaled_dot_product_attention").points == 35.0);
}

BOOST_AUTO_TEST_CASE(stubs_get_no_points_and_are_not_called_wrong) {
    const report::Report report = grade_source(source("../../student/self_attention.cpp"));
    for (const report::Part& each : report.assignments.at(0).parts) {
        BOOST_TEST(each.points == 0.0);
        BOOST_TEST(outcomes_of(each) == "not_implemented");
    }
}

BOOST_AUTO_TEST_CASE(softmax_alone_earns_its_points) {
    const report::Report report = grade_source(edited(
        solution("self_attention"),
        {{"const int B = Q.size(0), N_q", "return; const int B = Q.size(0), N_q"},
         {"std::vector<float> q = project(X, W_Q);", "return; std::vector<float> q = project(X, W_Q);"}}));
    BOOST_TEST(part(report, "softmax").points == 20.0);
    BOOST_TEST(report.assignments.at(0).points == 20.0);
    BOOST_TEST(outcomes_of(part(report, "scaled_dot_product_attention")) == "not_implemented");
    BOOST_TEST(report.next.find("write scaled_dot_product_attention") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(adding_to_an_uninitialised_output_has_its_own_message) {
    const report::Report report =
        grade_source(edited(solution("self_attention"),
                            {{"Y(i, j) = std::exp(X(i, j) - m);", "Y(i, j) += std::exp(X(i, j) - m);"}}));
    const report::Check& check = first_with(part(report, "softmax"), Outcome::not_finite);
    BOOST_TEST(check.message.find("computed from what was not set: an output before its first =") !=
                   std::string::npos,
               check.message);
    BOOST_TEST(check.smallest.has_value());
}

BOOST_AUTO_TEST_CASE(writing_an_unwanted_A_has_its_own_message) {
    const report::Report report = grade_source(edited(solution("self_attention"), {{"if (A) A(b", "A(b"}}));
    const report::Check& check =
        first_with(part(report, "scaled_dot_product_attention"), Outcome::out_of_bounds);
    BOOST_TEST(check.name == "without_A");
    BOOST_TEST(check.message.find("a view of nothing: an output that is not wanted") != std::string::npos,
               check.message);
}

BOOST_AUTO_TEST_CASE(an_index_past_the_end_of_a_vector_is_caught) {
    const report::Report report = grade_source(
        edited(solution("self_attention"), {{"std::vector<float> q = project(X, W_Q);",
                                             "std::vector<float> q = project(X, W_Q); q[q.size()] = 1;"}}));
    const report::Check& check = first_with(part(report, "self_attention"), Outcome::crashed);
    BOOST_TEST(check.printed.find("__n < this->size()") != std::string::npos, check.printed);
}

BOOST_AUTO_TEST_CASE(files_that_a_submission_writes_are_not_kept) {
    const report::Report report = grade_source(
        "#include <fstream>\n" +
        edited(solution("self_attention"),
               {{"std::vector<float> q = project(X, W_Q);",
                 "std::ofstream(\"attn_left_behind.txt\") << 1; std::vector<float> q = project(X, W_Q);"}}));
    BOOST_TEST(report.assignments.at(0).points == 85.0);
    BOOST_TEST(!std::filesystem::exists("/attn_left_behind.txt"));
    BOOST_TEST(!std::filesystem::exists("attn_left_behind.txt"));
}

BOOST_AUTO_TEST_CASE(a_missing_function_costs_only_its_own_part) {
    const report::Report report = grade_source(edited(
        solution("self_attention"),
        {{"void self_attention(TensorView<float, 3> Y,", "void self_atention(TensorView<float, 3> Y,"}}));
    BOOST_TEST(outcomes_of(part(report, "self_attention")) == "missing");
    BOOST_TEST(report.assignments.at(0).points == 55.0);
}

BOOST_AUTO_TEST_CASE(a_call_of_an_undefined_function_is_called_missing) {
    const report::Report report =
        grade_source("void helper();\n" + edited(solution("self_attention"),
                                                 {{"(Y, {}, Q, K, V);", "(Y, {}, Q, K, V); ::helper();"}}));
    const report::Check& check = first_with(part(report, "self_attention"), Outcome::missing);
    BOOST_TEST(check.message.find("helper") != std::string::npos, check.message);
    BOOST_TEST(report.assignments.at(0).points == 55.0);
}

BOOST_AUTO_TEST_CASE(a_syntax_error_gives_not_compiled_and_its_place) {
    const report::Report report = grade_source("int x = ;\n" + solution("self_attention"));
    BOOST_TEST(report.assignments.at(0).points == 0.0);
    BOOST_TEST(outcomes_of(part(report, "softmax")) == "not_compiled");
    BOOST_TEST(report.assignments.at(0).sources.at(0).messages.find("self_attention.cpp:1:9: error") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_constructor_that_exits_earns_nothing) {
    const report::Report report = grade_source(
        "#include <cstdlib>\nstatic int early = (std::_Exit(0), 1);\n" + solution("self_attention"));
    BOOST_TEST(report.assignments.at(0).points == 0.0);
    BOOST_TEST(outcomes_of(part(report, "softmax")) == "exited");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
