// Assignment 11: a line of a book, and a model that knows which letter follows which on its page.

#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "datasets/alphabet.h"
#include "datasets/prose.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/language_model/parts.h"

namespace attn::ask::language_model {
namespace {

constexpr int kLineLetters = 48, kPageLetters = 26;  // no word of the page has a z

/// The small letters of the page, with one blank between words.
const std::string& letters_of_page() {
    static const std::string kLetters = [] {
        std::string letters;
        for (const char c : data::page_of_text()) {
            const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
            if (is_letter)
                letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (!letters.ends_with(' '))
                letters += ' ';
        }
        return letters;
    }();
    return kLetters;
}

/// The page as numbers of an alphabet, and how often letter v follows letter w on it: [w][v].
struct Page {
    Page() : alphabet(letters_of_page()), letters(alphabet.numbers(letters_of_page())) {
        const auto V = static_cast<std::size_t>(alphabet.size());
        follows.assign(V, std::vector<int>(V));
        for (std::size_t k = 1; k < letters.size(); ++k)
            ++follows[static_cast<std::size_t>(letters[k - 1])][static_cast<std::size_t>(letters[k])];
    }
    data::Alphabet alphabet;
    std::vector<std::int32_t> letters;
    std::vector<std::vector<int>> follows;
};

const Page& page() {
    static const Page kPage;
    return kPage;
}

/// Place i has read the letters before targets[i]; behind the last target, next_token_probabilities reads
/// all.
Arrays line_of_page(const Function& function, const Sizes& sizes, Random& random) {
    const bool has_targets = function.inputs.back().name == "targets";
    Arrays inputs = plain_inputs(function, sizes, random);
    for (int i = 0; i < kLineLetters; ++i) {
        const int read = has_targets ? i - 1 : i;
        // A blank stands in front of the line.
        const auto last =
            static_cast<std::size_t>(read < 0 ? 0 : page().letters[static_cast<std::size_t>(read)]);
        for (Array& array : inputs) {
            if (array.name == "targets")
                array.view<int, 2>()(0, i) = page().letters[static_cast<std::size_t>(i)];
            for (int v = 0; array.name == "logits" && v < kPageLetters; ++v) {
                float& x = array.view<float, 3>()(0, i, v);
                constexpr double kNever = 0.1;  // so that no probability is 0
                x = static_cast<float>(std::log(kNever + page().follows[last][static_cast<std::size_t>(v)])) +
                    x / 8;
            }
        }
    }
    return inputs;
}

Scene scene_of_line() {
    const auto drawn = [](char letter) {
        return letter == ' ' ? std::string("\u2423") : std::string{letter};
    };
    std::vector<std::string> line, alphabet;
    for (int i = 0; i < kLineLetters; ++i)
        line.push_back(drawn(letters_of_page()[static_cast<std::size_t>(i)]));
    for (const char letter : page().alphabet.characters()) alphabet.push_back(drawn(letter));
    return {{{"N", {line}}, {"V", {alphabet}}}};
}

}  // namespace

Recipe page_recipe() {
    return {"page",
            "a line of a book, and a model that knows which letter follows which",
            {{"B", 1}, {"N", kLineLetters}, {"V", kPageLetters}},
            line_of_page,
            scene_of_line};
}

}  // namespace attn::ask::language_model
