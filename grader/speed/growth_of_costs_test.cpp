// Growth of simulated costs. The processors differ in their caches: beyond a size, memory is two or three
// times slower. Right solutions pass on every one of them, and a solution that takes one power more fails.

#include "grader/speed/growth_of_costs.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/rubric/rubric.h"
#include "grader/speed/statistics.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(growth_of_costs)

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kKib = 1024, kMib = kKib * kKib;
constexpr std::size_t kRestarts = 5;

/// A processor with two levels of caches. An access within the first one costs as much as an operation.
struct Processor {
    double first_bytes, second_bytes;
    double beyond_first, beyond_second;  ///< the cost of an access to larger arrays

    double access(double footprint_bytes) const {
        return footprint_bytes <= first_bytes    ? 1
               : footprint_bytes <= second_bytes ? beyond_first
                                                 : beyond_second;
    }
};

/// Processors of all sizes. On some of them one level makes no difference.
std::vector<Processor> processors() {
    std::vector<Processor> all;
    for (const double first : {4 * kKib, 16 * kKib, 32 * kKib, 48 * kKib, 64 * kKib, 128 * kKib})
        for (const double second : {256 * kKib, 512 * kKib, kMib, 1.25 * kMib, 2 * kMib, 16 * kMib})
            for (const auto& [near, far] : {std::pair(1.0, 1.0),
                                            {1.0, 2.0},
                                            {1.0, 3.0},
                                            {1.5, 3.0},
                                            {2.0, 2.0},
                                            {2.0, 3.0},
                                            {3.0, 3.0}})
                all.push_back({first, second, near, far});
    return all;
}

/// A program whose cost grows with N.
struct Program {
    std::string name;
    double power;                                   ///< how often its innermost loop runs: N^power times
    double operations, accesses;                    ///< of one run of this loop
    std::function<double(double)> footprint_bytes;  ///< of the arrays that it walks, for a length

    double cost(const Processor& processor, double length) const {
        return std::pow(length, power) * (operations + accesses * processor.access(footprint_bytes(length)));
    }
};

double rows(double length) {
    constexpr double kRowBytes = 128;  // of 32 floats
    return length * kRowBytes;
}

double matrix(double length) {
    constexpr double kBytesOfFloat = 4;
    return length * length * kBytesOfFloat;
}

/// Ways to compute what takes N^power steps: only operations, only memory, and both.
std::vector<Program> programs(double power) {
    return {{"operations", power, 1, 0, rows},
            {"walks over the rows", power, 1, 1, rows},
            {"is bound by the rows", power, 0, 1, rows},
            {"keeps a matrix", power, 1, 2, matrix},
            {"is bound by two matrices", power, 0, 2, [](double length) { return 2 * matrix(length); }},
            {"is seven times slower", power, 14, 7, matrix}};
}

/// The costs at all lengths in one restart, because all would be the same.
Costs costs_of(const Program& program, const Processor& processor, const std::vector<int>& lengths) {
    Costs costs;
    for (const int length : lengths) costs.push_back({program.cost(processor, length) * 1e-9});
    return costs;
}

/// The lengths of each rubric that measures time.
std::vector<ask::GrowthTerms> all_terms() {
    std::vector<ask::GrowthTerms> all;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts)
            if (part.growth && part.growth->time_above_plain > 0) all.push_back(*part.growth);
    BOOST_TEST(all.size() >= 8U);
    return all;
}

ask::GrowthTerms terms() {
    ask::GrowthTerms result;
    result.letters = {"N"};
    result.lengths = {32, 64, 128, 256, 512};
    result.time_above_plain = 0.5;
    result.memory = 1.3;
    return result;
}

BOOST_AUTO_TEST_CASE(the_plain_loops_have_no_difference_on_any_processor) {
    for (const Processor& processor : processors())
        for (const Program& plain : programs(2)) {
            const Costs costs = costs_of(plain, processor, terms().lengths);
            const report::Growth growth = growth_of_time(terms(), costs, costs);
            BOOST_TEST(growth.plain->above.value == 0);
            BOOST_TEST(growth.plain->times_plain.value == 1, boost::test_tools::tolerance(1e-12));
            BOOST_TEST(!grows_too_fast(growth));
        }
}

/// On every processor, programs that take N^power steps are judged beside plain loops that take N^2 steps.
void judge_on_every_processor(double power, bool too_fast) {
    for (const ask::GrowthTerms& terms : all_terms())
        for (const Processor& processor : processors())
            for (const Program& plain : programs(2))
                for (const Program& yours : programs(power)) {
                    const report::Growth growth =
                        growth_of_time(terms, costs_of(yours, processor, terms.lengths),
                                       costs_of(plain, processor, terms.lengths));
                    if (grows_too_fast(growth) == too_fast) continue;
                    BOOST_ERROR(yours.name + " beside: " + plain.name + ": " +
                                std::to_string(growth.plain->above.value));
                }
}

BOOST_AUTO_TEST_CASE(right_solutions_pass_on_every_processor) {
    judge_on_every_processor(2, false);
}

BOOST_AUTO_TEST_CASE(one_power_more_fails_on_every_processor) {
    judge_on_every_processor(3, true);
}

BOOST_AUTO_TEST_CASE(a_fixed_limit_would_refuse_right_solutions) {
    // The plain loops themselves, with 1 MiB of cache and a memory behind it that is three times slower.
    const Processor processor{48 * kKib, kMib, 1, 3};
    const Program plain{"keeps two matrices", 2, 1, 2, [](double length) { return 2 * matrix(length); }};
    const Costs costs = costs_of(plain, processor, terms().lengths);
    const report::Growth growth = growth_of_time(terms(), costs, costs);
    BOOST_TEST(growth.exponent.value > 2.2);
    BOOST_TEST(name_of(check_of({growth}).outcome) == "passed");
}

/// Costs at these lengths in a restart, the same in each.
Costs repeated(const std::vector<double>& costs) {
    Costs all;
    for (const double cost : costs) all.emplace_back(kRestarts, cost);
    return all;
}

const Costs kLinear = repeated({1e-3, 2e-3, 4e-3, 8e-3, 16e-3});
const Costs kQuadratic = repeated({1e-3, 4e-3, 16e-3, 64e-3, 256e-3});

BOOST_AUTO_TEST_CASE(both_exponents_and_their_difference_are_reported) {
    const report::Growth growth = growth_of_time(terms(), kQuadratic, kLinear);
    const auto close = boost::test_tools::tolerance(1e-9);
    BOOST_TEST(growth.what == "time");
    BOOST_TEST(growth.exponent.value == 2, close);
    BOOST_TEST(growth.plain->exponent.value == 1, close);
    BOOST_TEST(growth.plain->above.value == 1, close);
    BOOST_TEST(growth.plain->times_plain.value == 16, close);
    BOOST_TEST(growth.values.back() == 256, close);  // milliseconds
    BOOST_TEST(growth.plain->values.back() == 16, close);
    BOOST_TEST(growth.allowed == 0.5);
    BOOST_TEST(is_settled(growth));
    const report::Check check = check_of({growth});
    BOOST_TEST(name_of(check.outcome) == "slow");
    BOOST_TEST(check.message ==
               "Time grows as N^2.00 for N = 32 .. 512, the plain loops' as N^1.00. The difference is 1.00 "
               "(95 % interval 1.00 to 1.00); 0.5 is allowed.");
}

BOOST_AUTO_TEST_CASE(powers_that_short_lengths_hide_show_at_the_last_length) {
    // A cost that grows by three powers more, whose short lengths were made slow.
    const Costs padded = repeated({4.096, 8.192, 16.384, 32.768, 65.536});
    const report::Check check = check_of({growth_of_time(terms(), padded, kLinear)});
    BOOST_TEST(name_of(check.outcome) == "slow");
    BOOST_TEST(check.message.starts_with("At N = 512 a call takes 4096 times as long as the plain loops; 400 "
                                         "times is allowed. Time grows as N^1.00"),
               check.message);
}

BOOST_AUTO_TEST_CASE(a_constant_factor_is_allowed) {
    const Costs slow = repeated({0.15, 0.3, 0.6, 1.2, 2.4});  // 150 times as long
    const report::Check check = check_of({growth_of_time(terms(), slow, kLinear)});
    BOOST_TEST(name_of(check.outcome) == "passed");
    BOOST_TEST(check.message.empty());
}

BOOST_AUTO_TEST_CASE(the_better_end_of_the_interval_counts) {
    // In most of the restarts a neighbour slows down the long lengths of the student's process.
    Costs disturbed = kLinear;
    for (std::size_t restart = 0; restart < 3; ++restart) disturbed.back()[restart] *= 8;
    const report::Growth growth = growth_of_time(terms(), disturbed, kLinear);
    BOOST_TEST(growth.plain->above.value > 0.5);
    BOOST_TEST(growth.plain->above.low < 0.5);
    BOOST_TEST(!is_settled(growth));
    BOOST_TEST(!grows_too_fast(growth));
}

BOOST_AUTO_TEST_CASE(a_disturbance_of_both_makes_no_difference) {
    Costs yours = kLinear, plain = kLinear;
    for (Costs* each : {&yours, &plain})
        for (std::size_t restart = 0; restart < 3; ++restart) each->back()[restart] *= 8;
    const report::Growth growth = growth_of_time(terms(), yours, plain);
    BOOST_TEST(growth.plain->above.high == 0);
    BOOST_TEST(is_settled(growth));
}

BOOST_AUTO_TEST_CASE(what_is_no_number_never_passes) {
    for (const double bad : {kNaN, std::numeric_limits<double>::infinity(), 0.0, -1.0})
        for (const bool of_plain : {false, true}) {
            Costs yours = kLinear, plain = kLinear;
            for (double& cost : (of_plain ? plain : yours)[2]) cost = bad;
            const report::Growth growth = growth_of_time(terms(), yours, plain);
            BOOST_TEST(name_of(check_of({growth}).outcome) == "slow", bad << (of_plain ? " of plain" : ""));
            BOOST_TEST(!is_settled(growth));
        }
    const Costs memory = repeated({1, 2, 4, 8, 16}), no_number = repeated({1, 2, 4, 8, kNaN}),
                no_end = repeated({1, 2, 4, 8, std::numeric_limits<double>::infinity()});
    for (const auto& [yours, plain] : {std::pair(no_number, memory), {no_end, memory}, {memory, no_number}})
        BOOST_TEST(name_of(check_of({growth_of_memory(terms(), yours, plain)}).outcome) == "slow");
}

BOOST_AUTO_TEST_CASE(memory_has_an_exponent_of_its_own) {
    const Costs plain = repeated({1, 2, 4, 8, 16});
    const report::Growth linear = growth_of_memory(terms(), plain, plain);
    BOOST_TEST(!linear.plain.has_value());
    BOOST_TEST(name_of(check_of({linear}).outcome) == "passed");
    BOOST_TEST(is_settled(linear));
    const Costs much = repeated({1, 4, 16, 64, 256});
    const report::Check check = check_of({linear, growth_of_memory(terms(), much, much)});
    BOOST_TEST(name_of(check.outcome) == "slow");
    BOOST_TEST(check.message ==
               "Memory grows as N^2.00 (95 % interval 2.00 to 2.00) for N = 32 .. 512; N^1.3 is allowed.");
    BOOST_TEST(check.growth.size() == 2U);
}

BOOST_AUTO_TEST_CASE(memory_at_the_last_length_stands_beside_that_of_the_plain_loops) {
    const Costs plain = repeated({0.25, 0.25, 0.25, 0.25, 0.5});
    const report::Growth hidden = growth_of_memory(terms(), repeated({64, 64, 64, 64, 64}), plain);
    BOOST_TEST(!grows_too_fast(hidden));
    BOOST_TEST(is_settled(hidden));
    BOOST_TEST(hidden.plain_memory->values.back() == 0.5);
    const report::Check check = check_of({hidden});
    BOOST_TEST(name_of(check.outcome) == "slow");
    BOOST_TEST(
        check.message.starts_with(
            "At N = 512 your process takes 63.5 MiB more than the plain loops; 2 MiB more is allowed."),
        check.message);
    const report::Growth little = growth_of_memory(terms(), repeated({1, 1, 1, 1, 2.4}), plain);
    BOOST_TEST(name_of(check_of({little}).outcome) == "passed");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
