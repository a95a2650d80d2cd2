#include "datasets/digits.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <zlib.h>

#include "datasets/file_error.h"

namespace attn::data {
namespace {

constexpr int kSide = 8;
constexpr int kPixels = kSide * kSide;
constexpr int kMaxPixel = 16;
constexpr int kMaxLabel = 9;

/// The unpacked bytes of a gzip file.
std::string read_gzip(const std::filesystem::path& path) {
    require_file(path);
    const std::unique_ptr<gzFile_s, decltype(&gzclose_r)> file(gzopen(path.c_str(), "rbe"), gzclose_r);
    if (!file)
        throw FileError(path, "it cannot be opened (" + std::generic_category().message(errno) + ")",
                        "a readable file was expected", "check its permissions");
    std::string text;
    std::vector<char> chunk(std::size_t{1} << 16);
    int count = 0;
    while ((count = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(count));
        if (text.size() > kMaxFileBytes)
            throw FileError(path,
                            "it unpacks to more than " + std::to_string(kMaxFileBytes) + " bytes (1 GiB)",
                            "expected a table of digits", "use a smaller file");
    }
    // zlib returns the contents of a truncated file, and reports the missing end only here.
    int error = Z_OK;
    const char* const message = gzerror(file.get(), &error);
    if (error != Z_OK && error != Z_STREAM_END) {
        const std::string what = error == Z_BUF_ERROR ? "the gzip file ends too early, it is truncated"
                                 : error == Z_ERRNO
                                     ? "it cannot be read (" + std::generic_category().message(errno) + ")"
                                     : std::string("the gzip file is damaged (") + message + ")";
        throw FileError(path, what, "expected an intact gzip file", "copy or unpack it again");
    }
    return text;
}

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
    const std::string text = read_gzip(path);
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

}  // namespace attn::data
