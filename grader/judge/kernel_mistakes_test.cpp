#include "grader/judge/kernel_mistakes.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/worker/protocol.h"

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(kernel_mistakes)

/// A check with this outcome and message, after name_kernel_mistake.
report::Check diagnosed(Outcome outcome, const std::string& message, const Arrays& got = {}) {
    Verdict verdict;
    verdict.outcome = outcome;
    verdict.got = got;
    report::Check check;
    check.outcome = outcome;
    check.message = message;
    name_kernel_mistake(verdict, check);
    return check;
}

std::string mistake_of(const report::Check& check) {
    return check.diagnosis ? check.diagnosis->mistakes.at(0) : "none";
}

/// An output of 100 elements. Element k is left unwritten if is_unwritten(k).
template <class F>
Arrays unwritten_where(F is_unwritten) {
    Array Y = Array::zeros<float>("Y", {10, 10});
    auto& values = Y.as<float>();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (is_unwritten(k)) std::memcpy(&values[k], &worker::kPoison, sizeof values[k]);
    return {Y};
}

BOOST_AUTO_TEST_CASE(a_finding_gets_a_diagnosis_and_its_kind_is_removed_from_the_message) {
    const report::Check check = diagnosed(Outcome::kernel_error, "race_in_block: Race in a.cu:3: so and so.");
    BOOST_TEST(mistake_of(check) == "missing_barrier");
    BOOST_TEST(check.message == "Race in a.cu:3: so and so.");
    BOOST_TEST(check.diagnosis->hints.size() == 1U);
}

BOOST_AUTO_TEST_CASE(each_kind_of_finding_has_its_mistake) {
    using Pair = std::pair<std::string, std::string>;
    for (const auto& [kind, mistake] :
         {Pair{"out_of_bounds", "missing_bounds_check"}, Pair{"outside_of_tensor", "missing_bounds_check"},
          Pair{"race_between_blocks", "blocks_share_memory"}, Pair{"bad_launch", "block_over_the_limit"},
          Pair{"shared_memory_too_small", "shared_memory_too_small"},
          Pair{"shared_out_of_bounds", "shared_memory_too_small"}, Pair{"wrong_stream", "wrong_stream"},
          Pair{"endless", "endless_kernel"}})
        BOOST_TEST(mistake_of(diagnosed(Outcome::kernel_error, kind + ": x")) == mistake);
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_keeps_its_text_and_gets_no_diagnosis) {
    const report::Check check = diagnosed(Outcome::kernel_error, "something_new: It went wrong.");
    BOOST_TEST(mistake_of(check) == "none");
    BOOST_TEST(check.message == "It went wrong.");
    BOOST_TEST(diagnosed(Outcome::kernel_error, "no kind at all").message == "no kind at all");
}

BOOST_AUTO_TEST_CASE(a_sentence_before_the_kind_stays) {
    const report::Check check = diagnosed(
        Outcome::kernel_error, "The same call once more: elsewhere. bad_launch: 2048 threads. x: y");
    BOOST_TEST(mistake_of(check) == "block_over_the_limit");
    BOOST_TEST(check.message == "The same call once more: elsewhere. 2048 threads. x: y");
}

BOOST_AUTO_TEST_CASE(other_bits_in_another_order_are_diagnosed_as_float_atomics) {
    const report::Check check = diagnosed(Outcome::not_deterministic,
                                          "The same call gave other numbers the second time: Y(0) was 1.");
    BOOST_TEST(mistake_of(check) == "order_of_float_atomics");
    BOOST_TEST(check.message ==
               "With the threads in another order the kernel gave other numbers: Y(0) was 1.");
}

BOOST_AUTO_TEST_CASE(an_output_of_the_first_warps_only_is_diagnosed_as_one_block) {
    BOOST_TEST(mistake_of(diagnosed(Outcome::partly_written, "",
                                    unwritten_where([](auto k) { return k >= 64; }))) == "only_one_block");
}

BOOST_AUTO_TEST_CASE(unwritten_stripes_of_whole_warps_are_a_wrong_stride) {
    BOOST_TEST(mistake_of(diagnosed(Outcome::partly_written, "", unwritten_where([](auto k) {
                                        return k >= 32 && k < 64;
                                    }))) == "wrong_grid_stride");
}

BOOST_AUTO_TEST_CASE(other_unwritten_elements_have_no_gpu_diagnosis) {
    for (const std::size_t from : {1U, 10U, 70U})
        BOOST_TEST(mistake_of(diagnosed(Outcome::partly_written, "",
                                        unwritten_where([=](auto k) { return k >= from; }))) == "none");
    BOOST_TEST(mistake_of(diagnosed(Outcome::wrong, "Y is wrong.")) == "none");
    BOOST_TEST(mistake_of(diagnosed(Outcome::passed, "")) == "none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
