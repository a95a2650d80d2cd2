// all-MiniLM-L6-v2 itself, where its weights are on this machine. Nothing fetches them for a test.

#include <algorithm>
#include <cmath>
#include <iostream>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/base/installation.h"
#include "grader/search/answer.h"
#include "grader/search/model_files.h"
#include "grader/search/testing/ten_questions.h"
#include "reference/fast/threads.h"

namespace attn::search {
namespace {

/// Runs a test only where the weights are.
boost::test_tools::assertion_result weights_are_here(boost::unit_test::test_unit_id) {
    try {
        if (!is_missing(minilm_package(), model_folder(minilm_package()))) return true;
    } catch (const std::exception&) {  // without a cache folder they are not here
    }
    std::cout << "skipped: no weights of all-MiniLM-L6-v2 in the user's cache folder; `make ask Q=\"why\"` "
                 "fetches them"
              << std::endl;
    return false;
}

BOOST_AUTO_TEST_SUITE(with_weights,
                      *boost::unit_test::precondition(weights_are_here) * boost::unit_test::label("long"))

SentenceModel model() {
    return read_model(minilm_package(), model_folder(minilm_package()));
}

BOOST_AUTO_TEST_CASE(three_sentences_have_the_published_similarities) {
    // Sentence Transformers' documentation, "Quickstart". Its numbers have four digits.
    constexpr double kRounded = 0.5e-4, kAllowed = 1e-4;
    static_assert(kRounded < kAllowed);
    SentenceModel minilm = model();
    std::vector<std::vector<std::int32_t>> tokens;
    for (const char* const text :
         {"The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."})
        tokens.push_back(minilm.tokens(text));
    for (const Functions& functions : {plain_functions(), fast_functions()}) {
        const Array v = minilm.vectors(tokens, functions);
        BOOST_TEST(std::abs(similarity(v, 0, v, 1) - 0.6660) <= kAllowed);
        BOOST_TEST(std::abs(similarity(v, 0, v, 2) - 0.1046) <= kAllowed);
        BOOST_TEST(std::abs(similarity(v, 1, v, 2) - 0.1411) <= kAllowed);
    }
}

BOOST_AUTO_TEST_CASE(ten_questions_of_a_beginner_find_their_answer_among_five_passages) {
    fast::set_threads(2);
    SentenceModel minilm = model();
    const std::vector<Passage> passages = course_passages(Installation().assignments);
    const Array vectors =
        vectors_of(passages, minilm, minilm_package().files.at(0).sha256,
                   model_folder(minilm_package()) / "passages.safetensors", [](const std::string&) {});
    fast::set_threads(1);
    for (const Asked& asked : ten_questions()) {
        const Array v = minilm.vectors({minilm.tokens(asked.question)}, fast_functions());
        const std::vector<Found> found = best(v, vectors, kShown);
        std::string seen;
        bool is_found = false;
        for (const Found& each : found) {
            const Passage& passage = passages[each.passage];
            seen +=
                fmt::format("\n  {:.3f} {}:{} {}", each.score, passage.file, passage.line, passage.heading);
            for (const Answer& answer : asked.answers) is_found = is_found || is_answer(passage, answer);
        }
        BOOST_TEST(is_found, asked.question << seen);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
