#include "datasets/npy_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "datasets/files/file_error.h"

namespace attn::data {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kSave = "save it again with np.save(f, a)";

/// Parses the header, a Python dictionary literal such as
///     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
/// White space, the order of keys, the kind of quotes and the last comma may vary; nothing else may.
class HeaderParser {
  public:
    HeaderParser(const fs::path& path, std::string_view text) : path_(path), text_(text) {}

    NpyHeader parse() {
        std::optional<std::string> descr;
        std::optional<bool> fortran_order;
        std::optional<Shape> shape;
        expect('{');
        while (!accept('}')) {
            const std::size_t start = at_;
            const std::string key = string();
            expect(':');
            if (key == "descr" && !descr) {
                descr = element_type();
            } else if (key == "fortran_order" && !fortran_order) {
                fortran_order = boolean();
            } else if (key == "shape" && !shape) {
                shape = tuple();
            } else {
                at_ = start;
                fail("each of the keys 'descr', 'fortran_order' and 'shape' once");
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (at_ != text_.size()) fail("the end of the header");
        if (!descr || !fortran_order || !shape) fail("all of the keys 'descr', 'fortran_order' and 'shape'");
        return {std::move(*descr), *fortran_order, std::move(*shape), 0};
    }

  private:
    [[noreturn]] void fail(const std::string& expected) const {
        throw FileError(path_,
                        "malformed npy header, at byte " + std::to_string(at_) + " of it stands " +
                            in_quotes(text_.substr(std::min(at_, text_.size()))),
                        "expected " + expected, kSave);
    }
    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("'") + c + "'");
    }
    bool accept_word(std::string_view word) {
        skip_space();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    std::string string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') fail("a string in quotes");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) fail("a string that ends");
        const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
        if (content.find('\\') != std::string_view::npos) fail("a string without escapes");
        at_ = end + 1;
        return std::string(content);
    }
    std::string element_type() {
        if (accept('['))
            throw FileError(path_, "an array of records (its descr is a list)", "expected plain numbers",
                            "save one field: np.save(f, a[\"field\"].astype(np.float32))");
        return string();
    }
    bool boolean() {
        if (accept_word("True")) return true;
        if (!accept_word("False")) fail("True or False");
        return false;
    }
    Shape tuple() {
        Shape shape;
        bool comma = true;
        expect('(');
        while (!accept(')')) {
            if (!comma) fail("',' or ')'");
            shape.push_back(size());
            comma = accept(',');
        }
        if (shape.size() == 1 && !comma) fail("a tuple: a shape of one axis is written (3,)");
        return shape;
    }
    int size() {
        skip_space();
        int value = 0;
        const char* const start = text_.data() + at_;
        const auto [end, error] = std::from_chars(start, text_.data() + text_.size(), value);
        const std::string_view digits(start, static_cast<std::size_t>(end - start));
        if (error == std::errc::result_out_of_range)
            throw FileError(path_, "an axis of " + in_quotes(digits) + " elements",
                            "at most " + std::to_string(std::numeric_limits<int>::max()) + " fit",
                            "save a part");
        if (error != std::errc() || value < 0) fail("the length of an axis, a whole number from 0");
        at_ += digits.size();
        return value;
    }

    const fs::path& path_;
    std::string_view text_;
    std::size_t at_ = 0;
};

/// The text of the header and the offset of the numbers, in the bytes of a file.
std::pair<std::string_view, std::size_t> find_header(const fs::path& path, std::string_view bytes) {
    if (bytes.substr(0, 4) == "PK\x03\x04")
        throw FileError(path, "this is a zip archive, as np.savez writes (.npz)", "one array was expected",
                        "save one array of it: np.save(f, np.load(\"x.npz\")[\"name\"])");
    if (bytes.substr(0, kMagic.size()) != kMagic)
        throw FileError(
            path, "it begins with " + in_quotes(bytes.substr(0, kMagic.size())) + ", this is no npy file",
            "expected \"\\x93NUMPY\"", "write it with np.save(f, a)");
    const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(bytes[at])}; };
    const std::size_t major = bytes.size() > 6 ? byte(6) : 1;
    const std::size_t minor = bytes.size() > 7 ? byte(7) : 0;
    if (major < 1 || major > 3 || minor != 0)
        throw FileError(path, "npy version " + std::to_string(major) + "." + std::to_string(minor),
                        "expected 1.0, 2.0 or 3.0", kSave);
    const std::size_t start = major == 1 ? 10 : 12;
    std::size_t length = 0;
    if (bytes.size() >= start)
        for (std::size_t at = start; at-- > 8;) length = length << 8 | byte(at);
    if (bytes.size() < start || length > bytes.size() - start)
        throw FileError(path,
                        "the file ends after " + std::to_string(bytes.size()) + " bytes, inside its header",
                        "the header alone needs " + std::to_string(start + length), "copy or save it again");
    return {bytes.substr(start, length), start + length};
}

}  // namespace

NpyHeader parse_npy_header(const fs::path& path, std::string_view bytes) {
    const auto [text, size] = find_header(path, bytes);
    NpyHeader header = HeaderParser(path, text).parse();
    header.size = size;
    return header;
}

std::string encode_npy_header(const std::string& descr, const Shape& shape) {
    constexpr std::size_t kStart = 10;
    constexpr std::size_t kAlignment = 64;
    std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        text += (axis ? ", " : "") + std::to_string(shape[axis]);
    text += shape.size() == 1 ? ",), }" : "), }";
    text.append(kAlignment - 1 - (kStart + text.size()) % kAlignment, ' ');
    text += '\n';
    const std::string length = {static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
    return std::string(kMagic) + std::string{'\1', '\0'} + length + text;
}

}  // namespace attn::data
