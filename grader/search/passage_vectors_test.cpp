// The vectors of passages are computed once.

#include "grader/search/passage_vectors.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "grader/search/testing/tiny_model.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(passage_vectors)

std::vector<Passage> some_passages() {
    std::vector<Passage> all;
    for (const char* const text :
         {"why divide", "the root of a mask", "softmax", "image, image, image.", "words by words"})
        all.push_back({"x.md", 1, "", "", text, text});
    return all;
}

/// How many passages were computed: from "reading the course: 0 of 5 new passages".
struct Computed {
    int count = 0;
    void operator()(const std::string& text) {
        if (const std::size_t of = text.find(" of "); of != std::string::npos)
            count = std::stoi(text.substr(of + 4));
    }
};

BOOST_AUTO_TEST_CASE(only_new_texts_are_computed) {
    const TinyModel tiny;
    SentenceModel model(tiny.folder.path(), tiny.package.sizes);
    const auto file = tiny.folder / "kept";
    std::vector<Passage> passages = some_passages();
    const auto computed = [&](const std::string& name = "tiny") {
        Computed seen;
        vectors_of(passages, model, name, file, std::ref(seen));
        return seen.count;
    };
    BOOST_TEST(computed() == 5);
    BOOST_TEST(computed() == 0);
    passages[2].prose = passages[2].text = "softmax of a mask";
    BOOST_TEST(computed() == 1);
    passages = some_passages();
    BOOST_TEST(computed() == 0);  // it still knows the earlier text
    BOOST_TEST(computed("another model") == 5);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    BOOST_TEST(computed("another model") == 5);
    BOOST_TEST(computed("another model") == 0);
}

BOOST_AUTO_TEST_CASE(kept_vectors_are_those_that_are_computed) {
    const TinyModel tiny;
    SentenceModel model(tiny.folder.path(), tiny.package.sizes);
    const std::vector<Passage> passages = some_passages();
    const auto quiet = [](const std::string&) {};
    const Array first = vectors_of(passages, model, "tiny", tiny.folder / "kept", quiet),
                kept = vectors_of(passages, model, "tiny", tiny.folder / "kept", quiet);
    BOOST_TEST(first.as<float>() == kept.as<float>(), boost::test_tools::per_element());
    for (int m = 0; m < 5; ++m) {
        const Array alone =
            model.vectors({model.tokens(passages[static_cast<std::size_t>(m)].to_read())}, plain_functions());
        BOOST_TEST(std::abs(similarity(alone, 0, kept, m) - 1) < 1e-6);
    }
    // A folder that cannot be written keeps nothing and hinders nothing.
    BOOST_TEST(vectors_of(passages, model, "tiny", tiny.folder / "no/such/folder", quiet).as<float>() ==
                   first.as<float>(),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_most_similar_come_first) {
    const Array vectors("vectors", {4, 2}, std::vector<float>{1, 0, 0, 1, 0.6F, 0.8F, 0.8F, 0.6F});
    const auto numbers = [&](const std::vector<float>& v, std::size_t most) {
        std::vector<std::size_t> found;
        for (const Found& each : best(Array("v", {1, 2}, v), vectors, most)) found.push_back(each.passage);
        return found;
    };
    BOOST_TEST(numbers({1, 0}, 3) == (std::vector<std::size_t>{0, 3, 2}), boost::test_tools::per_element());
    BOOST_TEST(numbers({0, 1}, 9) == (std::vector<std::size_t>{1, 2, 3, 0}),
               boost::test_tools::per_element());
    BOOST_TEST(numbers({NAN, 1}, 3).empty());
}

BOOST_AUTO_TEST_CASE(the_plane_shows_the_two_directions_of_the_largest_differences) {
    // Much along (0, 3, 4) / 5, less along the first axis, and little along what is left.
    Array vectors = Array::zeros<float>("vectors", {40, 3});
    for (int m = 0; m < 40; ++m) {
        const float a = static_cast<float>(m - 20), b = static_cast<float>(m % 5) - 2,
                    c = m % 2 == 0 ? 0.1F : -0.1F;
        const auto row = vectors.view<float, 2>()[m];
        row(0) = 1 + b;
        row(1) = 0.6F * a - 0.8F * c;
        row(2) = 0.8F * a + 0.6F * c;
    }
    const Plane plane = plane_of(vectors);
    BOOST_TEST(std::abs(std::abs(0.6 * plane.directions[0][1] + 0.8 * plane.directions[0][2]) - 1) < 1e-3);
    BOOST_TEST(std::abs(std::abs(plane.directions[1][0]) - 1) < 1e-3);
    const auto [x, y] = plane.place(Array("v", {1, 3}, std::vector<float>{1, 0, 0}), 0);
    BOOST_TEST(std::hypot(x, y) < 1);  // near the middle
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
