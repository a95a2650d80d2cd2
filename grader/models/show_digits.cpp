// The shows of assignments 2, 3 and 6: a vision transformer reads digits.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/digits.h"
#include "datasets/shipped.h"
#include "grader/models/shows.h"
#include "grader/models/student_modules.h"
#include "reference/models/vision.h"

namespace attn::trained {
namespace {

using From = LayerChoice::From;
using training::Read4;

constexpr int kSide = 8, kPixels = kSide * kSide, kDigits = 10;
/// Pixels along the side of a patch, and heads of the shipped model.
constexpr int kDigitPatch = 2, kDigitHeads = 4;

/// The shipped images that no shipped weights have learned from: the last ones, of other writers.
class DigitImages {
  public:
    DigitImages() {
        constexpr float kMostInk = 16;
        const data::Digits digits =
            data::split_off_last(data::read_digits(data::shipped("digits.csv.gz"))).held_out;
        for (const float ink : digits.pixels.as<float>()) pixels_.push_back(ink / kMostInk);
        for (const std::uint8_t label : digits.labels.as<std::uint8_t>()) written.push_back(label);
    }
    int count() const { return static_cast<int>(written.size()); }
    /// The images first .. first + count - 1: [count, 1, 8, 8] of 0 .. 1.
    Read4 some(int first, int count) const {
        return {pixels_.data() + std::ptrdiff_t{first} * kPixels, count, 1, kSide, kSide};
    }

    std::vector<int> written;

  private:
    training::Numbers pixels_;
};

/// The vision transformer with blocks made of these functions.
class DigitReader {
  public:
    DigitReader(StudentOrReference& f, const Weights& weights, From from)
        : f_(f),
          model_(layout_, kSide, kDigitPatch, kDigits, weights.stack_sizes(kDigitHeads)),
          theta_(weights.numbers(layout_)),
          modules_(student_modules(f, training::plain_modules(), {.from = from})) {}

    training::Read2 logits(Read4 images) { return model_.logits(*modules_, layout_, theta_.data(), images); }

    /// The weights of attention of the last block: [1, H, N, N].
    Array attention(Read4 image) {
        logits(image);
        const int last = model_.stack().sizes().L - 1;
        return attention_weights(
            f_, *modules_, model_.stack().input(last),
            training::block_weights(layout_, theta_.data(), training::block_prefix(last)), {}, kDigitHeads);
    }

  private:
    StudentOrReference& f_;
    training::Layout layout_;
    training::VisionTransformer model_;
    training::Numbers theta_;
    std::unique_ptr<training::Modules> modules_;
};

/// What is read in each image, in small batches.
template <class LogitsOf>
std::vector<int> read_digits_with(const DigitImages& images, LogitsOf logits_of) {
    constexpr int kImagesAtATime = 40;
    std::vector<int> read;
    for (int first = 0; first < images.count(); first += kImagesAtATime) {
        const int count = std::min(kImagesAtATime, images.count() - first);
        const auto logits = logits_of(images.some(first, count));
        for (int b = 0; b < count; ++b) read.push_back(training::largest(logits[b]));
    }
    return read;
}

std::vector<int> read_with_blocks(StudentOrReference& f, const Weights& weights, const DigitImages& images,
                                  From from) {
    DigitReader reader(f, weights, from);
    return read_digits_with(images, [&](Read4 X) { return reader.logits(X); });
}

std::vector<int> read_with_vit(StudentOrReference& f, const Weights& weights, const DigitImages& images) {
    Arrays inputs = weights.encoder();
    for (const char* const name : {"E", "b", "cls", "E_pos", "W_head", "b_head"})
        inputs.push_back(weights(name));
    constexpr double kGeluErf = 1;
    inputs.push_back(ask::option("P", kDigitPatch));
    inputs.push_back(ask::option("heads", kDigitHeads));
    inputs.push_back(ask::option("activation", kGeluErf));
    Array logits;
    return read_digits_with(images, [&](Read4 X) {
        inputs.push_back(
            {"X", Shape{X.size(0), 1, kSide, kSide}, training::Numbers(X.data(), X.data() + X.count())});
        logits = f("vit_encode", inputs).at(0);
        inputs.pop_back();
        return std::as_const(logits).view<float, 2>();
    });
}

std::string of_all(const std::vector<int>& read, const DigitImages& images) {
    int right = 0;
    for (std::size_t k = 0; k < read.size(); ++k) right += read[k] == images.written[k];
    return fmt::format("{} of {} digits ({:.1f} %)", right, images.count(), 100.0 * right / images.count());
}

/// The page without its pictures. `what` is the subject of its sentence if the function is the student's, and
/// `expected` computes what the reference's functions read.
template <class Expected>
ModelPage page_of_reader(const Shown& shown, const std::string& title, const std::string& what,
                         const std::string& function, const std::vector<int>& read, const DigitImages& images,
                         Expected expected) {
    const std::string seen = of_all(read, images);
    return page_about(shown, title, function,
                      shown.yours.is_students(function)
                          ? fmt::format("{} reads {} that it has never seen.", what, seen)
                          : fmt::format("The reference's {} reads {}.", function, seen),
                      [&] { return "read " + of_all(expected(), images); });
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

/// One image, with how much the class token looked at each patch, in the mean of the heads or in one of them. What it
/// gave to itself is left out.
ReadImage image_with_weights(const DigitImages& images, int k, int said, const Array& A, int head = -1) {
    ReadImage image;
    image.height = image.width = kSide;
    image.patch = kDigitPatch;
    image.ink.assign(images.some(k, 1).data(), images.some(k, 1).data() + kPixels);
    const int N = A.shape[2];
    const std::vector<double> mean = mean_over_heads(A);
    for (int j = 1; j < N; ++j)
        image.looked.push_back(head < 0 ? mean[static_cast<std::size_t>(j)]
                                        : double{A.view<float, 4>()(0, head, 0, j)});
    const int written = images.written[static_cast<std::size_t>(k)];
    image.right = said == written;
    image.caption =
        image.right ? fmt::format("read {}", said) : fmt::format("read {}, written {}", said, written);
    return image;
}

Section gallery(DigitReader& reader, const DigitImages& images, const std::vector<int>& read) {
    constexpr std::size_t kImages = 24;
    Section section{
        "What it reads, and where it looks",
        {"The more orange a patch, the more the class token attends to it in the last block (the mean of the "
         "heads). The first ones are misread, if any are."}};
    for (const int k : interesting(read, images, kImages)) {
        const Array A = reader.attention(images.some(k, 1));
        section.images.push_back(image_with_weights(images, k, read[static_cast<std::size_t>(k)], A));
    }
    return section;
}

Section heads_side_by_side(DigitReader& reader, const DigitImages& images, const std::vector<int>& read) {
    constexpr int kRows = 4;
    Section section{
        "Its heads, side by side",
        {"Each row is one digit, each column one head of the last block: heads look at different places."}};
    for (int k = 0; k < kRows; ++k) {
        const Array A = reader.attention(images.some(k, 1));
        for (int head = 0; head < kDigitHeads; ++head) {
            section.images.push_back(
                image_with_weights(images, k, read[static_cast<std::size_t>(k)], A, head));
            section.images.back().caption = fmt::format("head {}", head);
        }
    }
    section.columns = kDigitHeads;
    return section;
}

Section whole_map(DigitReader& reader, const DigitImages& images) {
    std::vector<std::string> names = {"class"};
    for (int r = 0; r < kSide / kDigitPatch; ++r)
        for (int k = 0; k < kSide / kDigitPatch; ++k) names.push_back(fmt::format("{}, {}", r, k));
    Section section{"Which token looked at which",
                    {"The weights A of the first digit in the last block (the mean of the heads). A token is "
                     "the class token "
                     "or a patch: row, column. Each row sums to 1."}};
    section.maps.push_back({"A", names, names, mean_over_heads(reader.attention(images.some(0, 1)))});
    return section;
}

ModelPage page_by_blocks(const Shown& shown, const std::string& title, const std::string& function,
                         From from) {
    const DigitImages images;
    const std::vector<int> read = read_with_blocks(shown.yours, shown.weights, images, from);
    ModelPage page = page_of_reader(
        shown, title, fmt::format("A vision transformer with your {}", function), function, read, images,
        [&] { return read_with_blocks(shown.reference, shown.weights, images, from); });
    DigitReader reader(shown.yours, shown.weights, from);
    page.sections = {gallery(reader, images, read), from == From::multi_head
                                                        ? heads_side_by_side(reader, images, read)
                                                        : whole_map(reader, images)};
    return page;
}

}  // namespace

ModelPage show_self_attention(const Shown& shown) {
    return page_by_blocks(shown, "Assignment 2: your attention reads digits", "scaled_dot_product_attention",
                          From::attention);
}

ModelPage show_multi_head(const Shown& shown) {
    return page_by_blocks(shown, "Assignment 3: your heads read digits", "multi_head_attention",
                          From::multi_head);
}

ModelPage show_vit_patching(const Shown& shown) {
    const DigitImages images;
    const std::vector<int> read = read_with_vit(shown.yours, shown.weights, images);
    ModelPage page = page_of_reader(shown, "Assignment 6: your vision transformer reads digits",
                                    "Your vision transformer", "vit_encode", read, images,
                                    [&] { return read_with_vit(shown.reference, shown.weights, images); });
    DigitReader reader(shown.yours, shown.weights, From::block);
    page.sections = {gallery(reader, images, read), heads_side_by_side(reader, images, read)};
    return page;
}

}  // namespace attn::trained
