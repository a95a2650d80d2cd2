// The trained weights that the project ships: what they can do, and that the mistakes of students spoil it.

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/judge/in_process.h"
#include "grader/models/shows.h"
#include "grader/testing/sample.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(shipped_weights, *boost::unit_test::label("long"))

struct Shipped {
    int assignment;
    std::string verdict;                ///< a part of it
    std::vector<std::string> mistakes;  ///< each makes a function wrong that the show calls
};

const std::vector<Shipped>& all_shipped() {
    static const std::vector<Shipped> all = {
        {1, "100 of 100 dates", {"no_tanh"}},
        {2, "349 of 360 digits (96.9 %)", {"no_scale"}},
        {3, "349 of 360 digits (96.9 %)", {"no_scale"}},
        // Most of these change the loss by less than a thousandth.
        {4, "3 of 3 sentences. Its loss is 0.173", {"no_scale", "mask_ignored", "one_key_ahead"}},
        {5,
         "3 of 3 sentences. Its loss is 0.173",
         {"variance_D_minus_1", "sigma_plus_eps", "tanh_for_erf", "b_1_dropped", "relu_and_gelu_swapped"}},
        {6, "349 of 360 digits (96.9 %)", {"no_final_norm", "no_b_head"}},
        {7, "23 of 100 dates", {"no_tanh"}},
        {8,
         "39 of 40 images",
         {"kernel_flipped", "padding_forgotten", "mean_for_the_context", "state_not_kept",
          "goes_on_after_eos"}},
        {10, "40 of 40 dates", {"cache_not_advanced"}},
        {11,
         "3 of 3 sentences. At each place the model hesitates between 1.19 words",
         {"no_causal_mask", "not_shifted", "power_of_2", "first_place", "u_of_batch_0"}},
        {18,
         "60 of 60 canvases",
         {"area_in_pixels", "mask_ignored", "words_see_new_regions", "no_positions", "last_for_the_first"}},
    };
    return all;
}

/// A call that a show makes of a function of its assignment.
struct ShownCall {
    const ask::Module* module;
    std::string function;
    Arrays inputs;
    std::vector<std::string> wanted;
};

/// The page of a show with right functions, and the first calls of each function that it makes.
std::pair<ModelPage, std::vector<ShownCall>> shown_with_right_functions(const Show& show) {
    constexpr int kMostCalls = 6;
    std::vector<ShownCall> calls;
    const judge::CallFunction right = judge::reference_student();
    StudentOrReference yours(
        [&](const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
            worker::Placement placement) {
            if (std::ranges::count(calls, function.name, &ShownCall::function) < kMostCalls)
                calls.push_back({ask::module_of(function.name), function.name, inputs, wanted});
            return right(function, inputs, wanted, placement);
        },
        all_functions(rubric::read_rubrics(Installation().assignments)), StudentOrReference::Checked::yes);
    StudentOrReference reference({}, {});
    const Weights weights(data::shipped("weights") / show.weights);
    return {page_of(show, {weights, yours, reference}, [](const auto&) { return 1; }), calls};
}

/// Whether this call shows that its function makes the mistake.
bool is_seen(const std::string& mistake, const ShownCall& call) {
    const auto& listed = call.module->mistakes;
    const auto found = std::ranges::find(listed, mistake, &ask::Mistake::name);
    if (found == listed.end()) return false;
    StudentOrReference yours(
        judge::mistaken_student(*call.module, {static_cast<int>(found - listed.begin())}), {call.function},
        StudentOrReference::Checked::yes);
    yours(call.function, call.inputs, call.wanted);
    return yours.first_wrong() != nullptr;
}

BOOST_AUTO_TEST_CASE(right_functions_do_what_the_weights_have_learned_and_mistakes_are_seen) {
    BOOST_REQUIRE(shows().size() == all_shipped().size());
    std::vector<std::size_t> all(shows().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t k : proof::drawn(all, proof::at_most(4)))
        BOOST_TEST_CONTEXT(shows()[k].assignment) {
            const Shipped& shipped = all_shipped()[k];
            BOOST_TEST(shows()[k].assignment == shipped.assignment);
            const auto [page, calls] = shown_with_right_functions(shows()[k]);
            BOOST_TEST(page.good);
            BOOST_TEST(page.verdict.find(shipped.verdict) != std::string::npos, page.verdict);
            for (const std::string& mistake : shipped.mistakes)
                BOOST_TEST(
                    std::ranges::any_of(calls, [&](const ShownCall& call) { return is_seen(mistake, call); }),
                    mistake);
        }
}

BOOST_AUTO_TEST_CASE(all_together_are_small) {
    std::uintmax_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(data::shipped("weights")))
        bytes += file.file_size();
    constexpr std::uintmax_t kMost = std::uintmax_t{1} << 20;
    BOOST_TEST(bytes <= kMost);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
