#include "datasets/digits.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "datasets/files/file_error.h"
#include "datasets/gzip.h"
#include "datasets/shuffled.h"

namespace attn::data {
namespace {

constexpr int kSide = 8;
constexpr int kPixels = kSide * kSide;
constexpr int kMaxPixel = 16;
constexpr int kMaxLabel = 9;

/// Parses the lines one by one, and counts them for error messages.
class DigitsParser {
  public:
    explicit DigitsParser(const std::filesystem::path& path) : path_(path) {}

    void add_line(std::string_view line) {
        ++line_;
        int column = 0;
        while (true) {
            const std::size_t comma = line.find(',');
            const std::string_view field = line.substr(0, comma);
            if (++column <= kPixels) {
                pixels_.push_back(static_cast<float>(number(field, column, kMaxPixel, "a pixel")));
            } else if (column == kPixels + 1) {
                labels_.push_back(static_cast<std::uint8_t>(number(field, column, kMaxLabel, "a label")));
            }
            if (comma == std::string_view::npos) break;
            line.remove_prefix(comma + 1);
        }
        if (column != kPixels + 1)
            fail("line " + std::to_string(line_) + " has " + std::to_string(column) + " columns",
                 "expected " + std::to_string(kPixels) + " pixels and a label");
    }

    Digits finish() {
        if (labels_.empty()) fail("no line", "expected a line for each image");
        const int N = static_cast<int>(labels_.size());
        return {Array("pixels", {N, kSide, kSide}, std::move(pixels_)),
                Array("labels", {N}, std::move(labels_))};
    }

  private:
    int number(std::string_view field, int column, int max, const std::string& what) const {
        int value = 0;
        const char* const end = field.data() + field.size();
        const auto [stop, error] = std::from_chars(field.data(), end, value);
        if (error != std::errc() || stop != end || value < 0 || value > max)
            fail("line " + std::to_string(line_) + ", column " + std::to_string(column) + ": " +
                     in_quotes(field),
                 "expected " + what + ", a whole number from 0 to " + std::to_string(max));
        return value;
    }
    [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
        throw FileError(path_, found, expected, "correct it, or copy the file from the project again");
    }

    const std::filesystem::path& path_;
    std::size_t line_ = 0;
    std::vector<float> pixels_;
    std::vector<std::uint8_t> labels_;
};

}  // namespace

Digits read_digits(const std::filesystem::path& path) {
    const std::string text = read_gzip(path, "a table of digits");
    DigitsParser parser(path);
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        parser.add_line(line);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return parser.finish();
}

DigitsSplit split_at_random(const Digits& digits) {
    constexpr std::uint64_t kSeed = 360;
    const int N = digits.labels.shape[0];
    const std::vector<int> order = shuffled(N, kSeed);
    const auto held_out = order.begin() + std::min(kHeldOutDigits, N);
    return {chosen(digits, {held_out, order.end()}), chosen(digits, {order.begin(), held_out})};
}

DigitsSplit split_off_last(const Digits& digits) {
    std::vector<int> order(static_cast<std::size_t>(digits.labels.shape[0]));
    std::iota(order.begin(), order.end(), 0);
    const auto held_out = order.end() - std::min(std::ptrdiff_t{kHeldOutDigits}, std::ssize(order));
    return {chosen(digits, {order.begin(), held_out}), chosen(digits, {held_out, order.end()})};
}

Digits chosen(const Digits& digits, const std::vector<int>& images) {
    std::vector<float> pixels;
    std::vector<std::uint8_t> labels;
    for (const int image : images) {
        labels.push_back(digits.labels.as<std::uint8_t>().at(static_cast<std::size_t>(image)));
        const auto first = digits.pixels.as<float>().begin() + std::ptrdiff_t{kPixels} * image;
        pixels.insert(pixels.end(), first, first + kPixels);
    }
    const int N = static_cast<int>(images.size());
    return {Array("pixels", {N, kSide, kSide}, std::move(pixels)), Array("labels", {N}, std::move(labels))};
}

}  // namespace attn::data
