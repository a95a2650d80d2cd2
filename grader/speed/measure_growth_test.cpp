// Growth of functions whose costs are known. The answers of every timed call are compared.

#include "grader/speed/measure_growth.h"

#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/testing/softmax_submission.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(measure_growth, *boost::unit_test::label("long"))

using proof::softmax_source;
using proof::SoftmaxSubmission;

const SoftmaxSubmission& honest() {
    static const SoftmaxSubmission submission(softmax_source("honest(Y, X);"));
    return submission;
}

GrowthTask task_for(const SoftmaxSubmission& yours) {
    GrowthTask task;
    task.question = judge::normal_question("softmax", {{"D", 64}});
    task.letters = {"N"};
    task.lengths = {32, 64, 128, 256, 512};
    task.time_above_plain = 0.5;
    task.budget_s = 0;  // the fewest processes
    task.yours = [&yours] { return yours.worker(); };
    task.plain = [] { return honest().worker(); };
    return task;
}

report::Check judged(const std::string& body, const std::string& top = {}) {
    const SoftmaxSubmission yours(softmax_source(body, top));
    return judge_growth(task_for(yours));
}

std::string outcome(const report::Check& check) {
    return std::string(name_of(check.outcome));
}

BOOST_AUTO_TEST_CASE(the_plain_loops_pass) {
    const report::Check check = judge_growth(task_for(honest()));
    BOOST_TEST(outcome(check) == "passed", check.message);
    BOOST_REQUIRE(check.growth.size() == 1U);
    const report::Growth& growth = check.growth.front();
    BOOST_TEST(growth.what == "time");
    BOOST_TEST(growth.values.size() == 5U);
    BOOST_REQUIRE(growth.plain.has_value());
    BOOST_TEST(growth.plain->values.size() == 5U);
    BOOST_TEST(growth.plain->exponent.value > 0.5);  // the time of both is more than a constant
}

BOOST_AUTO_TEST_CASE(every_timed_answer_is_compared) {
    const std::string all = "for (int i = 0; i < Y.count(); i++) Y.data()[i] = ";
    for (const std::string& body : std::initializer_list<std::string>{
             all + "0.5f;",
             all + "__builtin_nanf(\"\");",
             "if (X.size(0) < 0) " + all + "0;",                                // writes nothing
             "honest(Y, X); if (X.size(0) == 512) Y(511, 63) = 1;",             // one element, at one length
             "static int calls; honest(Y, X); if (++calls == 1) Y(0, 0) = 1;",  // the first call of a process
             "static int calls; honest(Y, X); if (++calls == 3) Y(0, 0) = 1;",
         }) {
        const report::Check check = judged(body);
        BOOST_TEST(outcome(check) == "wrong", body);
        BOOST_TEST(check.message.starts_with("In a timed call Y("), body);
        BOOST_TEST(check.growth.empty(), body);
    }
}

/// Judges a submission that computes the softmax several times. `how_many`: an expression with N.
report::Check judged_with(const std::string& how_many) {
    return judged("const int N = X.size(0); for (int k = " + how_many + "; k > 0; k--) honest(Y, X);");
}

BOOST_AUTO_TEST_CASE(one_power_more_is_slow) {
    const report::Check check = judged_with("N / 8");
    BOOST_TEST(outcome(check) == "slow");
    BOOST_TEST(check.message.starts_with("Time grows as N^"), check.message);
}

BOOST_AUTO_TEST_CASE(some_times_the_time_of_the_plain_loops_is_allowed) {
    const report::Check check = judged_with("20");
    BOOST_TEST(outcome(check) == "passed", check.message);
}

BOOST_AUTO_TEST_CASE(answers_are_compared_while_memory_is_measured) {
    const SoftmaxSubmission half(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0.5f;"));
    GrowthTask task = task_for(half);
    task.time_above_plain = 0, task.memory = 1.2;
    BOOST_TEST(outcome(judge_growth(task)) == "wrong");
    task.yours = [] { return honest().worker(); };
    BOOST_TEST(outcome(judge_growth(task)) == "passed");
}

/// Judges the memory of a softmax that writes to N x N floats. `take`: an expression for this memory, which may
/// change `bytes`. `first`: what the source has before it. It defines give_back(at, bytes).
report::Check memory_of(const std::string& take, const std::string& first) {
    const std::string helpers = R"(
#include <sys/mman.h>
#include <cstdlib>
#include <cstring>
constexpr long kMuch = 16 << 20;
static void touch(void* at, long bytes) {
    std::memset(at, 1, bytes);
    asm volatile("" : : "r"(at) : "memory");
}
static void* map(long bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void* map_and_touch(long bytes) {
    void* at = map(bytes);
    touch(at, bytes);
    return at;
}
)";
    const SoftmaxSubmission yours(
        softmax_source("long bytes = 4L * X.size(0) * X.size(0);\n"
                       "void* const scores = " +
                           take +
                           ";\n"
                           "touch(scores, bytes);\n"
                           "honest(Y, X);\n"
                           "give_back(scores, bytes);",
                       helpers + first));
    GrowthTask task = task_for(yours);
    task.time_above_plain = 0, task.memory = 1.1;
    task.lengths = {128, 1024};
    return judge_growth(task);
}

const std::string kUnmaps = "static void give_back(void* at, long bytes) { munmap(at, bytes); }\n";
const std::string kFrees = "static void give_back(void* at, long) { std::free(at); }\n";
const std::string kKeeps = "static void give_back(void*, long) {}\n";

BOOST_AUTO_TEST_CASE(an_array_that_grows_as_the_square_shows) {
    const report::Check check = memory_of("map(bytes)", kUnmaps);
    BOOST_TEST(outcome(check) == "slow");
    BOOST_TEST(grows_too_fast(check.growth.at(0)));
    BOOST_TEST(outcome(memory_of(
                   "(bytes = later() ? bytes : 0, std::malloc(bytes))",
                   "static bool later() { static int calls; return calls++ > 0; }\n" + kFrees)) == "slow");
}

BOOST_AUTO_TEST_CASE(a_mebibyte_of_whatever_length_is_allowed) {
    const report::Check check =
        memory_of("(bytes = sizeof table, table)", "alignas(4096) static char table[1 << 20];\n" + kKeeps);
    BOOST_TEST(outcome(check) == "passed", check.message);
}

BOOST_AUTO_TEST_CASE(memory_that_was_used_before_hides_no_growth) {
    struct Trick {
        std::string name, take, first;
    };
    const std::string in_constructor = "[[gnu::constructor]] static void at_load() { ";
    for (const Trick& trick : std::initializer_list<Trick>{
             {"a constructor touches memory and gives it back", "map(bytes)",
              kUnmaps + in_constructor + "munmap(map_and_touch(kMuch), kMuch); }\n"},
             {"a constructor keeps it for the calls", "arena",
              kKeeps + "static void* arena = map_and_touch(kMuch);\n"},
             {"a thread_local array", "arena",
              kKeeps + "thread_local char arena[8 << 20];\n" + in_constructor +
                  "touch(arena, sizeof arena); }\n"},
             {"the first call touches memory", "(first(), map(bytes))",
              kUnmaps + "static void first() {\n"
                        "    static int calls;\n"
                        "    if (calls++ == 0) munmap(map_and_touch(kMuch), kMuch);\n"
                        "}\n"},
             {"the heap keeps what was freed", "std::malloc(bytes)",
              kFrees + "static void* kept;\n" + in_constructor +
                  "    void* blocks[1024];\n"
                  "    for (void*& each : blocks) touch(each = std::malloc(kMuch / 1024), kMuch / 1024);\n"
                  "    kept = std::malloc(16);\n"
                  "    for (void* each : blocks) std::free(each);\n"
                  "}\n"},
             {"madvise gives it back", "arena",
              "static void* arena = map_and_touch(kMuch);\n"
              "static int gone = madvise(arena, kMuch, MADV_DONTNEED);\n"
              "static void give_back(void* at, long bytes) { madvise(at, bytes, MADV_DONTNEED); }\n"},
         }) {
        const report::Check check = memory_of(trick.take, trick.first);
        BOOST_TEST(outcome(check) == "slow", trick.name << ": " << check.message);
        // Without the comparison with the plain loops the trick would win.
        BOOST_TEST_REQUIRE(check.growth.size() == 1U, trick.name << ": " << check.message);
        BOOST_TEST(!grows_too_fast(check.growth.at(0)), trick.name);
        BOOST_TEST(takes_too_much_memory(check.growth.at(0)), trick.name);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_library_of_the_grader_is_a_fault) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    const SoftmaxSubmission crash(softmax_source("__builtin_trap();"));
    for (const SoftmaxSubmission* bad : {&zeros, &crash})
        for (const bool memory : {false, true}) {
            GrowthTask task = task_for(honest());
            if (memory) task.time_above_plain = 0, task.memory = 1.2;
            task.plain = [bad] { return bad->worker(); };
            BOOST_CHECK_THROW(judge_growth(task), std::runtime_error);
        }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
