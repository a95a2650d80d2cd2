// Compares pictures of wrong answers with the arrays that they were made of.

#include "grader/diagnosis/make_pictures.h"

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "grader/ask/inputs.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(make_pictures)

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

judge::Question question(const std::string& module, const std::string& function, const std::string& recipe,
                         const ask::Sizes& sizes) {
    judge::Question question;
    question.module = ask::find_module(module);
    question.function = question.module->find_function(function);
    question.recipe = question.module->find_recipe(recipe);
    question.sizes = sizes;
    question.seed = 7;
    question.name = "drawn";
    return question;
}

/// The verdict on the right answer with one output changed.
judge::Verdict changed(const judge::Question& question, const std::string& output,
                       const std::function<void(std::vector<float>&)>& change) {
    judge::Verdict verdict = answer(question, judge::reference_student());
    BOOST_REQUIRE(verdict.outcome == Outcome::passed);
    change(ask::by_name(verdict.got, output).as<float>());
    verdict.outcome = Outcome::wrong;
    return verdict;
}

BOOST_AUTO_TEST_CASE(a_right_answer_has_no_picture) {
    const judge::Question asked_question =
        question("self_attention", "softmax", "normal", {{"N", 3}, {"D", 4}});
    BOOST_TEST(pictures_of(asked_question, answer(asked_question, judge::reference_student())).empty());
    judge::Verdict no_numbers = answer(asked_question, judge::reference_student());
    no_numbers.got.clear();
    BOOST_TEST(pictures_of(asked_question, no_numbers).empty());
}

BOOST_AUTO_TEST_CASE(a_vector_that_is_asked_for_is_a_curve) {
    judge::Question rates = question("training", "learning_rate", "normal", {{"S", 60}});
    BOOST_TEST(pictures_of(rates, answer(rates, judge::reference_student())).empty());
    rates.pictures = {"eta"};
    auto pictures = pictures_of(rates, answer(rates, judge::reference_student()));
    BOOST_TEST_REQUIRE(pictures.size() == 1U);
    BOOST_TEST(pictures[0].yours.values.size() == 60U);
    BOOST_TEST_REQUIRE(pictures[0].curve.has_value());
    BOOST_TEST(pictures[0].curve->levels.empty());
    judge::Question losses =
        question("training", "train", "sentences",
                 {{"S", 2}, {"B", 3}, {"N", 8}, {"V", 14}, {"D", 2}, {"F", 2}, {"H", 1}, {"L", 1}});
    losses.pictures = {"losses"};
    pictures = pictures_of(losses, answer(losses, judge::reference_student()));
    BOOST_TEST_REQUIRE(pictures.size() == 1U);
    BOOST_TEST_REQUIRE(pictures[0].curve.has_value());
    BOOST_TEST(pictures[0].curve->levels.size() == 2U);
    BOOST_TEST(pictures[0].sentences.at(0).find("above both lines") != std::string::npos);
    BOOST_TEST(pictures[0].sentences.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_drawing_has_a_picture_for_each_matrix_and_judges_nothing) {
    judge::Question training =
        question("training", "train", "sentences",
                 {{"S", 1}, {"B", 3}, {"N", 8}, {"V", 14}, {"D", 4}, {"F", 2}, {"H", 2}, {"L", 1}});
    const judge::Verdict verdict = answer(training, judge::reference_student());
    BOOST_TEST(pictures_of(training, verdict).empty());
    training.pictures = {"A"};
    const auto pictures = pictures_of(training, verdict);
    BOOST_TEST_REQUIRE(pictures.size() == 2U);
    for (int h = 0; h < 2; ++h) {
        const report::Picture& head = pictures[static_cast<std::size_t>(h)];
        BOOST_TEST(head.array == "A");
        BOOST_TEST((head.slice == std::vector<int>{h}));
        BOOST_TEST((head.yours.shape == std::vector<int>{6, 6}));
        BOOST_TEST(head.yours.values == head.expected.values, boost::test_tools::per_element());
        BOOST_TEST(head.row_words.at(4) == "I");
        BOOST_TEST(head.map.rows == 0);
        BOOST_TEST(head.sentences.empty() == (h > 0));
    }
    BOOST_TEST((pictures[0].yours.values != pictures[1].yours.values));
    const judge::Verdict broken = changed(training, "theta_new", [](std::vector<float>& w) { w[40] = kNan; });
    for (const report::Picture& picture : pictures_of(training, broken)) BOOST_TEST(picture.array != "A");
}

BOOST_AUTO_TEST_CASE(a_picture_shows_the_matrix_with_the_worst_element) {
    const judge::Question asked_question =
        question("self_attention", "scaled_dot_product_attention", "normal",
                 {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D_q", 5}, {"D_v", 6}});
    const judge::Verdict verdict =
        changed(asked_question, "A", [](std::vector<float>& A) { A[2 * 12 - 1] += 1; });
    const auto pictures = pictures_of(asked_question, verdict);
    BOOST_REQUIRE(pictures.size() == 1U);
    const report::Picture& A = pictures.front();
    BOOST_TEST(A.array == "A");
    BOOST_TEST((A.letters == std::vector<std::string>{"B", "N_q", "N_k"}));
    BOOST_TEST((A.shape == std::vector<int>{2, 3, 4}));
    BOOST_TEST((A.slice == std::vector<int>{1}));
    BOOST_TEST((A.yours.shape == std::vector<int>{3, 4}));
    const auto& truth = ask::by_name(verdict.truth_f64, "A").as<double>();
    BOOST_REQUIRE(A.yours.values.size() == 12U);
    for (std::size_t k = 0; k < 12; ++k) {
        BOOST_TEST(std::abs(A.expected.values[k] - truth[12 + k]) <= 1e-5 * std::abs(truth[12 + k]));
        BOOST_TEST(std::abs(A.yours.values[k] - A.expected.values[k] - (k == 11 ? 1 : 0)) < 1e-5);
        BOOST_TEST((A.map.errors.at(12 + k) > 1) == (k == 11));
        BOOST_TEST(A.map.errors.at(k) <= 1);
    }
    BOOST_TEST(A.map.rows == 3);
    BOOST_TEST(A.map.columns == 4);
    BOOST_TEST(A.row_words.empty());
}

BOOST_AUTO_TEST_CASE(asked_for_pictures_show_a_right_answer_and_the_products_of_its_rows) {
    judge::Question asked_question =
        question("positional_encoding", "sinusoidal_positions", "normal", {{"N", 5}, {"D", 4}});
    asked_question.pictures = {"P", "P P^T"};
    const judge::Verdict verdict = answer(asked_question, judge::reference_student());
    const auto pictures = pictures_of(asked_question, verdict);
    BOOST_REQUIRE(pictures.size() == 2U);
    BOOST_TEST(pictures[0].array == "P");
    BOOST_TEST(pictures[1].array == "P P^T");
    BOOST_TEST((pictures[1].letters == std::vector<std::string>{"N", "N"}));
    BOOST_REQUIRE((pictures[1].shape == std::vector<int>{5, 5}));
    // sin p sin q + cos p cos q, once more at a hundredth of the speed.
    for (int p = 0; p < 5; ++p)
        for (int q = 0; q < 5; ++q)
            for (const report::Tensor* values : {&pictures[1].yours, &pictures[1].expected})
                BOOST_TEST(std::abs(values->values[static_cast<std::size_t>(5 * p + q)] - std::cos(p - q) -
                                    std::cos((p - q) / 100.0)) < 1e-5);
    for (const double error : pictures[1].map.errors) BOOST_TEST(error <= 1);
    asked_question.pictures = {"P P^T"};
    BOOST_TEST(pictures_of(asked_question, verdict).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_large_matrix_is_cut_around_the_worst_element_and_cells_have_the_largest_error) {
    const judge::Question asked_question =
        question("self_attention", "softmax", "normal", {{"N", 70}, {"D", 100}});
    const judge::Verdict verdict =
        changed(asked_question, "Y", [](std::vector<float>& Y) { Y[65 * 100 + 97] = kNan; });
    const report::Picture Y = pictures_of(asked_question, verdict).at(0);
    BOOST_TEST(Y.first_row == 70 - 48);
    BOOST_TEST(Y.first_column == 100 - 48);
    BOOST_TEST((Y.yours.shape == std::vector<int>{48, 48}));
    const auto at = static_cast<std::size_t>((65 - Y.first_row) * 48 + 97 - Y.first_column);
    for (std::size_t k = 0; k < Y.yours.values.size(); ++k)
        BOOST_TEST(std::isnan(Y.yours.values[k]) == (k == at));
    BOOST_TEST(Y.map.rows_per_cell == 3);
    BOOST_TEST(Y.map.columns_per_cell == 4);
    BOOST_TEST(Y.map.rows == 24);
    BOOST_TEST(Y.map.columns == 25);
    BOOST_TEST(Y.map.slices.empty());
    BOOST_REQUIRE(Y.map.errors.size() == 24U * 25U);
    for (std::size_t k = 0; k < Y.map.errors.size(); ++k)
        BOOST_TEST(std::isinf(Y.map.errors[k]) == (k == 21U * 25U + 24U));
}

BOOST_AUTO_TEST_CASE(a_sentence_has_words_along_the_axes) {
    const judge::Question asked_question =
        question("masking", "masked_attention", "three_sentences",
                 {{"B", 3}, {"N_q", 7}, {"N_k", 7}, {"D_q", 4}, {"D_v", 5}});
    const judge::Verdict verdict = changed(asked_question, "A", [](std::vector<float>& A) { A[49 + 8] = 7; });
    const report::Picture A = pictures_of(asked_question, verdict).at(0);
    BOOST_TEST((A.slice == std::vector<int>{1}));
    BOOST_TEST_CONTEXT(A.row_words.size()) {
        BOOST_REQUIRE(A.row_words.size() == 7U);
        BOOST_TEST(A.row_words.back() == "<pad>");
        BOOST_TEST((A.row_words == A.column_words));
        BOOST_TEST(A.row_words.front() != "<pad>");
    }
}

BOOST_AUTO_TEST_CASE(a_photograph_shows_which_patches_are_wrong) {
    const ask::Sizes sizes = {{"B", 1}, {"C", 3}, {"H", 40}, {"W", 60}, {"P", 10}, {"D", 16}};
    const judge::Question embed = question("vit_patching", "embed_patches", "photograph", sizes);
    const judge::Verdict verdict =
        changed(embed, "Z", [](std::vector<float>& Z) { Z[(7 + 1) * 16 + 3] += 9; });
    const auto photograph = photograph_of(embed, verdict);
    BOOST_REQUIRE(photograph.has_value());
    BOOST_TEST((photograph->pixels.shape == std::vector<int>{40, 60, 3}));
    const Array& X = ask::by_name(verdict.inputs, "X");
    for (const std::size_t at : {0U, 41U, 2399U})
        for (const std::size_t c : {0U, 1U, 2U})
            BOOST_TEST(photograph->pixels.values[at * 3 + c] ==
                       std::round(static_cast<double>(X.as<float>()[c * 2400 + at]) * 255));
    BOOST_TEST(photograph->patch == 10);
    BOOST_REQUIRE(photograph->errors.size() == 24U);
    for (std::size_t k = 0; k < 24; ++k) BOOST_TEST((photograph->errors[k] > 1) == (k == 7));

    const judge::Verdict token = changed(embed, "Z", [](std::vector<float>& Z) { Z[0] += 9; });
    const std::vector<double> of_patches = photograph_of(embed, token).value().errors;
    for (const double error : of_patches) BOOST_TEST(error <= 1);

    ask::Sizes without_D = sizes;
    without_D.erase("D");
    const judge::Question back = question("vit_patching", "unpatchify", "photograph", without_D);
    const judge::Verdict pixel =
        changed(back, "X", [](std::vector<float>& pixels) { pixels[2400 + 15 * 60 + 59] = 2; });
    const std::vector<double> errors = photograph_of(back, pixel).value().errors;
    for (std::size_t k = 0; k < 24; ++k) BOOST_TEST((errors.at(k) > 1) == (k == 11));

    const judge::Question plain = question("self_attention", "softmax", "normal", {{"N", 3}, {"D", 4}});
    BOOST_TEST(!photograph_of(plain, changed(plain, "Y", [](auto& Y) { Y[0] = 2; })).has_value());
}

BOOST_AUTO_TEST_CASE(weights_of_attention_lie_on_the_photograph) {
    const judge::Question grid = question("rnn_attention", "grid_attention", "photograph",
                                          {{"B", 1}, {"R", 6}, {"C", 9}, {"D_s", 5}, {"D_h", 6}, {"D_a", 8}});
    const auto photograph =
        photograph_of(grid, answer(grid, judge::reference_student()));  // also if it is right
    BOOST_REQUIRE(photograph.has_value());
    BOOST_TEST(photograph->pixels.shape[0] == 6 * photograph->patch);
    BOOST_TEST(photograph->pixels.shape[1] == 9 * photograph->patch);
    BOOST_REQUIRE(photograph->weights.size() == 54U);
    double sum = 0;
    for (const double weight : photograph->weights) sum += weight;
    BOOST_TEST(std::abs(sum - 1) < 1e-4);
    BOOST_TEST(photograph->errors.size() == 54U);
}

BOOST_AUTO_TEST_CASE(each_sentence_of_a_batch_has_its_own_words_and_the_first_picture_what_to_look_at) {
    judge::Question losses =
        question("language_model", "cross_entropy", "sentences", {{"B", 3}, {"N", 8}, {"V", 14}});
    losses.pictures = {"losses"};
    losses.look = "Where is it large?";
    const judge::Verdict verdict = answer(losses, judge::reference_student());
    const auto pictures = pictures_of(losses, verdict);
    BOOST_TEST_REQUIRE(pictures.size() == 3U);
    const Array& all = ask::by_name(verdict.truth_f64, "losses");
    for (std::size_t b = 0; b < 3; ++b) {
        BOOST_TEST((pictures[b].yours.shape == std::vector<int>{1, 8}));
        BOOST_TEST(pictures[b].first_row == static_cast<int>(b));
        BOOST_TEST(std::abs(pictures[b].expected.values.at(1) - number_at(all, b * 8 + 1)) < 1e-4);
        BOOST_TEST(pictures[b].sentences.size() == (b == 0 ? 1U : 0U));
    }
    BOOST_TEST(pictures[0].sentences.at(0) == "Where is it large?");
    BOOST_TEST(pictures[0].column_words.at(2) == "think");
    BOOST_TEST(pictures[1].column_words.at(2) == "like");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
