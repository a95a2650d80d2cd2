// The shows of assignments 2, 3 and 6: a vision transformer reads digits.

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/training/digits_reader.h"
#include "grader/training/shows.h"

namespace attn::trained {
namespace {

int count_right(const std::vector<int>& read, const DigitImages& images) {
    int right = 0;
    for (std::size_t k = 0; k < read.size(); ++k) right += read[k] == images.written[k];
    return right;
}

std::string of_all(int right, const DigitImages& images) {
    return fmt::format("{} of {} digits ({:.1f} %)", right, images.count(), 100.0 * right / images.count());
}

/// The sentence of a show. `expected` computes what the reference's functions read.
std::string verdict_on(const std::string& what, const std::string& function, const Functions& yours,
                       const std::vector<int>& read, const std::function<std::vector<int>()>& expected,
                       const DigitImages& images) {
    const std::string seen = of_all(count_right(read, images), images);
    if (!yours.is_students(function))
        return fmt::format("The reference's {} reads {}. Yours: see the table below.", function, seen);
    std::string verdict = fmt::format("{} reads {} that it has never seen.", what, seen);
    if (yours.first_wrong() != nullptr)
        verdict += fmt::format(" With the same weights, the reference's functions read {}.",
                               of_all(count_right(expected(), images), images));
    return verdict;
}

/// Some misread digits first, then others, in the file's order.
std::vector<int> interesting(const std::vector<int>& read, const DigitImages& images, std::size_t most) {
    const std::size_t most_misread = most / 3;
    std::vector<int> order, others;
    for (int k = 0; k < images.count(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (read[at] != images.written[at] && order.size() < most_misread)
            order.push_back(k);
        else
            others.push_back(k);
    }
    order.insert(order.end(), others.begin(),
                 others.begin() + static_cast<std::ptrdiff_t>(std::min(others.size(), most - order.size())));
    return order;
}

/// One image, with how much query `query` of this head (-1: the mean of all) looked at each patch. What it
/// gave to the class token is left out.
ReadImage image_with_weights(const DigitImages& images, int k, int said, const Array& A, int head,
                             int query) {
    ReadImage image;
    const Array X = images.some(k, 1);
    image.height = X.shape[2];
    image.width = X.shape[3];
    image.patch = kDigitPatch;
    image.ink.assign(X.as<float>().begin(), X.as<float>().end());
    const int H = A.shape[1], N = A.shape[2];
    const auto weights = A.view<float, 4>();
    for (int j = 1; j < N; ++j) {
        double sum = 0;
        for (int h = 0; h < H; ++h)
            if (head < 0 || head == h) sum += double{weights(0, h, query, j)};
        image.looked.push_back(head < 0 ? sum / H : sum);
    }
    const int written = images.written[static_cast<std::size_t>(k)];
    image.right = said == written;
    image.caption =
        image.right ? fmt::format("read {}", said) : fmt::format("read {}, written {}", said, written);
    return image;
}

Section gallery(Functions& f, const Weights& weights, const DigitImages& images, const std::vector<int>& read,
                From from) {
    constexpr std::size_t kImages = 24;
    Section section{
        "What it reads, and where it looks",
        {"The more orange a patch, the more the class token attends to it in the last block (the mean of the "
         "heads). The first ones are misread, if any are."}};
    for (const int k : interesting(read, images, kImages)) {
        const Array A = attention_of_last_block(f, weights, images.some(k, 1), from);
        section.images.push_back(image_with_weights(images, k, read[static_cast<std::size_t>(k)], A, -1, 0));
    }
    return section;
}

Section heads_side_by_side(Functions& f, const Weights& weights, const DigitImages& images,
                           const std::vector<int>& read, From from) {
    constexpr int kDigits = 4;
    Section section{
        "Its heads, side by side",
        {"Each row is one digit, each column one head of the last block: heads look at different places."}};
    for (int k = 0; k < kDigits; ++k) {
        const Array A = attention_of_last_block(f, weights, images.some(k, 1), from);
        for (int head = 0; head < kDigitHeads; ++head) {
            section.images.push_back(
                image_with_weights(images, k, read[static_cast<std::size_t>(k)], A, head, 0));
            section.images.back().caption = fmt::format("head {}", head);
        }
    }
    section.columns = kDigitHeads;
    return section;
}

std::vector<std::string> names_of_tokens(const Array& X) {
    std::vector<std::string> names = {"class"};
    for (int r = 0; r < X.shape[2] / kDigitPatch; ++r)
        for (int k = 0; k < X.shape[3] / kDigitPatch; ++k) names.push_back(fmt::format("{}, {}", r, k));
    return names;
}

Section whole_map(Functions& f, const Weights& weights, const DigitImages& images, From from) {
    const Array X = images.some(0, 1);
    const Array A = mean_over_heads(attention_of_last_block(f, weights, X, from));
    Section section{"Which token looked at which",
                    {"The weights A of the first digit in the last block (the mean of the heads). A token is "
                     "the class token "
                     "or a patch: row, column. Each row sums to 1."}};
    section.maps.push_back({"A", names_of_tokens(X), names_of_tokens(X),
                            std::vector<double>(A.as<float>().begin(), A.as<float>().end())});
    return section;
}

ModelPage page_by_blocks(const std::string& title, const std::string& function, From from,
                         const Weights& weights, Functions& yours, Functions& reference) {
    const DigitImages images = held_out_digits();
    const std::vector<int> read = read_with_blocks(yours, weights, images, from);
    const auto expected = [&] { return read_with_blocks(reference, weights, images, from); };
    ModelPage page;
    page.title = title;
    page.good = yours.is_students(function);
    page.verdict = verdict_on(fmt::format("A vision transformer with your {}", function), function, yours,
                              read, expected, images);
    page.sections = {gallery(yours, weights, images, read, from)};
    if (from == From::multi_head)
        page.sections.push_back(heads_side_by_side(yours, weights, images, read, from));
    else
        page.sections.push_back(whole_map(yours, weights, images, from));
    return page;
}

}  // namespace

ModelPage show_self_attention(const Weights& weights, Functions& yours, Functions& reference) {
    return page_by_blocks("Assignment 2: your attention reads digits", "scaled_dot_product_attention",
                          From::attention, weights, yours, reference);
}

ModelPage show_multi_head(const Weights& weights, Functions& yours, Functions& reference) {
    return page_by_blocks("Assignment 3: your heads read digits", "multi_head_attention", From::multi_head,
                          weights, yours, reference);
}

ModelPage show_vit_patching(const Weights& weights, Functions& yours, Functions& reference) {
    const DigitImages images = held_out_digits();
    const std::vector<int> read = read_with_vit(yours, weights, images);
    const auto expected = [&] { return read_with_vit(reference, weights, images); };
    ModelPage page;
    page.title = "Assignment 6: your vision transformer reads digits";
    page.good = yours.is_students("vit_encode");
    page.verdict = verdict_on("Your vision transformer", "vit_encode", yours, read, expected, images);
    page.sections = {gallery(yours, weights, images, read, From::block),
                     heads_side_by_side(yours, weights, images, read, From::block)};
    return page;
}

}  // namespace attn::trained
