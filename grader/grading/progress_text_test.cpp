#include "grader/grading/progress_text.h"

#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(progress_text)

BOOST_AUTO_TEST_CASE(the_bar_is_full_at_the_last_part) {
    rubric::Rubric rubric;
    rubric.number = 14;
    rubric.title = "Training";
    rubric.parts.resize(7);
    BOOST_TEST(attn::progress_text(rubric, 0, "adamw_step") == "14 Training [#.........] 1 of 7: adamw_step");
    BOOST_TEST(attn::progress_text(rubric, 4, "train") == "14 Training [#######...] 5 of 7: train");
    BOOST_TEST(attn::progress_text(rubric, 6, "kernels of train") ==
               "14 Training [##########] 7 of 7: kernels of train");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
