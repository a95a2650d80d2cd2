// The yardstick is right for every question to students and at larger sizes, on every vector unit of this
// machine. The judge compares the answers. Outputs are poisoned before each call.

#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/yardsticks.h"
#include "grader/base/installation.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/questions.h"
#include "grader/judge/answer.h"
#include "grader/worker/memory.h"
#include "reference/fast/scoped_unit.h"

namespace attn::fast {
namespace {

BOOST_AUTO_TEST_SUITE(yardstick, *boost::unit_test::label("long"))

constexpr double kAllowed = 5;  // students are allowed 20

const std::map<std::string, ask::Implementation>& functions() {
    static const auto kAll = ask::all_yardsticks();
    return kAll;
}

/// Calls the yardstick with these outputs wanted (empty: all). The other outputs are empty views.
ask::Implementation poisoned(const ask::Function& function, const std::vector<std::string>& wanted) {
    return [&](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
            Argument& output = given[k];
            std::size_t bytes = function.outputs[k].type == ElementType::u8 ? 1 : sizeof(float);
            for (int axis = 0; axis < output.rank; ++axis)
                bytes *= static_cast<std::size_t>(output.shape[axis]);
            worker::poison({static_cast<std::byte*>(output.data), bytes});
            if (wanted.empty() || std::ranges::count(wanted, function.outputs[k].name) > 0) continue;
            output = Argument{};
            output.type = arguments[k].type;
            output.rank = arguments[k].rank;
        }
        functions().at(function.name)(given.data(), count);
    };
}

worker::CallResult call_yardstick(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement) {
    worker::CallResult result;
    try {
        for (Array& output : evaluate(function, inputs, ask::Precision::f32, poisoned(function, wanted)))
            if (wanted.empty() || std::ranges::count(wanted, output.name) > 0)
                result.outputs.push_back(std::move(output));
    } catch (const std::invalid_argument& refusal) {
        result = worker::failure(Outcome::threw, refusal.what());
        result.refused = true;
    }
    return result;
}

const std::vector<rubric::Rubric>& rubrics() {
    static const auto kAll = rubric::read_rubrics(Installation().assignments);
    return kAll;
}

struct Part {
    const rubric::Rubric* rubric;
    const rubric::PartRubric* rules;
};

/// Those that have a yardstick.
std::vector<Part> parts() {
    std::vector<Part> all;
    for (const rubric::Rubric& rubric : rubrics())
        for (const rubric::PartRubric& rules : rubric.parts)
            if (functions().contains(rules.function->name)) all.push_back({&rubric, &rules});
    BOOST_TEST(!all.empty());
    return all;
}

void require_right(const judge::Question& question) {
    const judge::Verdict verdict = judge::answer_twice(question, call_yardstick);
    BOOST_TEST((verdict.outcome == Outcome::passed),
               name_of(vector_unit())
                   << ", " << question.function->name << ", " << question.about() << ": " << verdict.message
                   << ", error " << verdict.comparison.error_yardsticks);
}

/// A question with larger arrays than those of students. No length is a multiple of a vector's length.
judge::Question large(const std::string& function, ask::Sizes sizes, ask::Setting setting = {},
                      const std::string& recipe = "normal") {
    const ask::Module* module = ask::module_of(function);
    judge::Question question;
    question.module = module;
    question.function = module->find_function(function);
    question.recipe = module->find_recipe(recipe);
    question.sizes = std::move(sizes);
    question.seed = 11;
    question.name = "large";
    BOOST_REQUIRE(question.recipe != nullptr);
    question.allowed_yardsticks = kAllowed;
    question.setting = std::move(setting);
    return question;
}

std::vector<judge::Question> large_questions() {
    const std::vector<std::string> none = {"mask"};
    std::vector<judge::Question> all = {
        large("additive_scores", {{"B", 3}, {"T", 37}, {"D_s", 29}, {"D_h", 41}, {"D_a", 53}}),
        large("attention_context", {{"B", 3}, {"T", 83}, {"D_h", 41}}, {}, "empty_sentence"),
        large("decode", {{"B", 2}, {"T", 19}, {"L", 5}, {"D_y", 13}, {"D_s", 21}, {"D_h", 33}, {"D_a", 35}}),
        large("grid_attention", {{"B", 2}, {"R", 7}, {"C", 9}, {"D_s", 21}, {"D_h", 37}, {"D_a", 35}}),
        large("softmax", {{"N", 37}, {"D", 333}}),
        large("scaled_dot_product_attention",
              {{"B", 2}, {"N_q", 131}, {"N_k", 203}, {"D_q", 37}, {"D_v", 43}}),
        large("self_attention", {{"B", 2}, {"N", 133}, {"D_x", 51}, {"D_q", 37}, {"D_v", 43}}),
        large("multi_head_attention", {{"B", 2}, {"N_q", 131}, {"N_k", 101}, {"D", 111}, {"H", 3}}),
        large("multi_head_attention", {{"B", 2}, {"N_q", 131}, {"N_k", 101}, {"D", 111}, {"H", 3}},
              {{}, none}),
        large("masked_softmax", {{"N", 37}, {"D", 333}}),
        large("masked_attention", {{"B", 2}, {"N_q", 131}, {"N_k", 203}, {"D_q", 37}, {"D_v", 43}}),
        large("layer_norm", {{"N", 37}, {"D", 333}}),
        large("layer_norm", {{"N", 37}, {"D", 333}}, {}, "far_from_0"),
        large("layer_norm", {{"N", 37}, {"D", 333}}, {}, "constant_rows"),
        large("transformer_encoder", {{"B", 2}, {"N", 67}, {"D", 51}, {"F", 103}, {"H", 3}, {"L", 3}}),
        large("embed_patches", {{"B", 2}, {"C", 3}, {"H", 35}, {"W", 28}, {"P", 7}, {"D", 51}}),
        large("vit_encode",
              {{"B", 3},
               {"C", 3},
               {"H", 35},
               {"W", 28},
               {"P", 7},
               {"D", 51},
               {"L", 2},
               {"F", 103},
               {"K", 10},
               {"heads", 3}},
              {{{"activation", 1}}, {}}),
        large("rnn_cell", {{"B", 19}, {"D_x", 43}, {"D_h", 37}}),
        large("lstm_cell", {{"B", 19}, {"D_x", 43}, {"D_h", 37}}),
        large("gru_cell", {{"B", 19}, {"D_x", 43}, {"D_h", 37}}),
        large("decode_without_attention", {{"B", 7}, {"L", 13}, {"D_h", 33}, {"D_s", 37}, {"D_y", 21}}),
        large("key_value_attention",
              {{"B", 3}, {"T", 83}, {"D_s", 29}, {"D_h", 41}, {"D_k", 35}, {"D_v", 53}}, {}, "gaps"),
    };
    for (const int C : {3, 200})
        all.push_back(
            large("relative_attention", {{"B", 2}, {"N", 133}, {"D_q", 37}, {"D_v", 43}, {"C", C}}));
    all.push_back(large("rotary_attention", {{"B", 2}, {"N", 133}, {"D_q", 38}, {"D_v", 43}}));
    const ask::Sizes sentences = {{"B", 3}, {"N_s", 23}, {"N_t", 19}, {"D", 51}, {"H", 3}};
    all.push_back(large("cross_attention", sentences));
    ask::Sizes translation = sentences;
    translation.insert({{"F", 103}, {"V", 71}, {"L", 2}});
    for (const double norm : {0, 1})
        for (const char* function : {"transformer", "translate_greedy"})
            all.push_back(large(function, translation, {{{"norm", norm}}, {}}));
    all.push_back(large("adamw_step", {{"W", 333}}));
    all.push_back(large("language_model_backward",
                        {{"B", 3}, {"N", 23}, {"D", 51}, {"V", 71}, {"F", 103}, {"H", 3}, {"L", 2}}));
    for (const double order : {0, 1, 2})
        all.push_back(large("encode", {{"B", 9}, {"T", 23}, {"D", 37}, {"M", 3}}, {{{"order", order}}, {}}));
    for (const double kind : {0, 1, 2})
        all.push_back(
            large("luong_decode",
                  {{"B", 5}, {"T", 19}, {"L", 11}, {"D", 37}, {"D_y", 21}, {"D_a", 35}, {"D_r", 41}},
                  {{{"kind", kind}}, {}}, "gaps"));
    for (const double activation : {0, 1, 2}) {
        const std::map<std::string, double> chosen = {{"activation", activation}};
        for (const char* recipe : {"normal", "large"})
            all.push_back(large("feed_forward", {{"N", 71}, {"D", 51}, {"F", 203}}, {chosen, {}}, recipe));
        for (const double norm : {0, 1})
            all.push_back(large("transformer_block", {{"B", 2}, {"N", 67}, {"D", 51}, {"F", 103}, {"H", 3}},
                                {{{"activation", activation}, {"norm", norm}}, {}}));
    }
    return all;
}

BOOST_AUTO_TEST_CASE(every_question_of_every_rubric_is_right_within_a_quarter_of_the_tolerance) {
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        for (const Part& each : parts())
            for (judge::Question& question : numeric_questions(*each.rubric, *each.rules, 3)) {
                question.allowed_yardsticks = kAllowed;
                require_right(question);
            }
    }
}

BOOST_AUTO_TEST_CASE(every_part_of_every_rubric_passes_its_properties) {
    for (const Part& each : parts())
        for (const report::Check& check : judge_part(*each.rubric, *each.rules, 3, call_yardstick).checks())
            BOOST_TEST((check.outcome == Outcome::passed), check.id << ": " << check.message);
}

BOOST_AUTO_TEST_CASE(larger_and_ragged_arrays_are_right) {
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        for (const judge::Question& question : large_questions()) require_right(question);
    }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit) {
    std::vector<judge::Question> questions = large_questions();
    // Large enough that products are split between threads.
    questions.push_back(
        large("transformer_block", {{"B", 1}, {"N", 333}, {"D", 192}, {"F", 771}, {"H", 3}}, {{}, {"mask"}}));
    questions.push_back(
        large("masked_attention", {{"B", 1}, {"N_q", 333}, {"N_k", 517}, {"D_q", 64}, {"D_v", 71}}));
    for (const judge::Question& question : questions) {
        const Arrays inputs = question.make_inputs();
        for (const VectorUnit unit : vector_units()) {
            std::vector<Arrays> outputs;
            for (const int count : {1, 2, 3}) {
                const ScopedUnit scope(unit, count);
                outputs.push_back(call_yardstick(*question.function, inputs, {}, {}).outputs);
            }
            for (const Arrays& threaded : outputs)
                for (std::size_t k = 0; k < threaded.size(); ++k)
                    BOOST_TEST((threaded[k].values == outputs[0][k].values),
                               name_of(unit) << ", " << question.function->name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::fast
