#include "grader/classes/roster/csv_table.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include <fmt/format.h>
#include <iconv.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"

namespace attn::classes {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf", kLittleEndianMark = "\xff\xfe",
                           kBigEndianMark = "\xfe\xff";

namespace csv_table {

/// Converts text; bytes that the encoding does not define become "?".
std::string converted(std::string_view bytes, const char* from) {
    iconv_t converter = iconv_open("UTF-8", from);
    if (converter == reinterpret_cast<iconv_t>(-1))
        throw std::runtime_error(fmt::format("iconv does not know {}", from));
    const std::unique_ptr<void, int (*)(iconv_t)> close(converter, iconv_close);
    std::string in(bytes), result;
    char* next = in.data();
    std::size_t left = in.size();
    std::array<char, 4096> buffer{};
    while (left > 0) {
        char* out = buffer.data();
        std::size_t room = buffer.size();
        const bool failed = iconv(converter, &next, &left, &out, &room) == static_cast<std::size_t>(-1);
        result.append(buffer.data(), buffer.size() - room);
        if (failed && errno != E2BIG) {
            result += '?';
            ++next;
            --left;
        }
    }
    return result;
}

bool is_utf8(std::string_view bytes) {
    iconv_t converter = iconv_open("UTF-8", "UTF-8");
    const std::unique_ptr<void, int (*)(iconv_t)> close(converter, iconv_close);
    std::string in(bytes), out(bytes.size() + 4, '\0');
    char *next = in.data(), *to = out.data();
    std::size_t left = in.size(), room = out.size();
    return iconv(converter, &next, &left, &to, &room) != static_cast<std::size_t>(-1);
}

/// Whether every second byte of the beginning is zero, as in UTF-16 text that lost its byte order mark.
bool zeros_at(std::string_view bytes, std::size_t first) {
    const std::size_t end = std::min<std::size_t>(bytes.size(), 64);
    std::size_t zeros = 0, others = 0;
    for (std::size_t k = 0; k < end; ++k) {
        if (bytes[k] != '\0') continue;
        ++(k % 2 == first ? zeros : others);
    }
    return bytes.size() >= 4 && zeros * 3 > end && others == 0;
}

class Parser {
  public:
    Parser(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

    /// The next row; nothing at the end.
    std::optional<std::vector<CsvCell>> row(char separator) {
        if (at_ >= text_.size()) return std::nullopt;
        std::vector<CsvCell> cells;
        for (bool more = true; more;) {
            cells.push_back(cell(separator));
            more = at_ < text_.size() && text_[at_] == separator;
            if (more) ++at_;
        }
        if (at_ < text_.size() && text_[at_] == '\r') ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
        ++line_;
        return cells;
    }

  private:
    CsvCell cell(char separator) {
        CsvCell result;
        if (at_ < text_.size() && text_[at_] == '"') {
            result.quoted = true;
            quoted_part(result.text);
        }
        while (at_ < text_.size() && text_[at_] != separator && text_[at_] != '\r' && text_[at_] != '\n')
            result.text += text_[at_++];
        return result;
    }

    void quoted_part(std::string& text) {
        const int first_line = line_;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '"') {
                if (text_.substr(at_ + 1, 1) != "\"") {
                    ++at_;
                    return;
                }
                ++at_;
            }
            if (text_[at_] == '\n') ++line_;
            text += text_[at_];
        }
        throw UserError(
            fmt::format("{}: the quote that opens in line {} is never closed; expected \"..\" around the "
                        "cell; save the table "
                        "again as CSV",
                        name_, first_line));
    }

    std::string_view text_;
    std::string name_;
    std::size_t at_ = 0;
    int line_ = 1;
};

bool is_blank(const std::vector<CsvCell>& row) {
    return row.size() == 1 && row.front().text.find_first_not_of(" \t") == std::string::npos;
}

}  // namespace csv_table
}  // namespace

std::string_view CsvTable::at(std::size_t row, std::size_t column) const {
    return row < rows.size() && column < rows[row].size() ? std::string_view(rows[row][column].text)
                                                          : std::string_view();
}

void CsvTable::set(std::size_t row, std::size_t column, std::string text) {
    if (rows.at(row).size() <= column) rows[row].resize(column + 1);
    rows[row][column].text = std::move(text);
}

std::size_t CsvTable::columns() const {
    std::size_t most = 0;
    for (const auto& row : rows) most = std::max(most, row.size());
    return most;
}

std::string as_utf8(std::string_view bytes, std::string& encoding) {
    encoding = "UTF-8";
    if (bytes.starts_with(kUtf8Mark)) return std::string(bytes.substr(kUtf8Mark.size()));
    if (bytes.starts_with(kLittleEndianMark) || csv_table::zeros_at(bytes, 1)) {
        encoding = "UTF-16";
        return csv_table::converted(bytes.substr(bytes.starts_with(kLittleEndianMark) ? 2 : 0), "UTF-16LE");
    }
    if (bytes.starts_with(kBigEndianMark) || csv_table::zeros_at(bytes, 0)) {
        encoding = "UTF-16";
        return csv_table::converted(bytes.substr(bytes.starts_with(kBigEndianMark) ? 2 : 0), "UTF-16BE");
    }
    if (csv_table::is_utf8(bytes)) return std::string(bytes);
    encoding = "Windows-1252";
    return csv_table::converted(bytes, "WINDOWS-1252");
}

CsvTable parse_csv(std::string_view bytes, const std::string& name) {
    CsvTable table;
    table.byte_order_mark = bytes.starts_with(kUtf8Mark);
    std::string text = as_utf8(bytes, table.encoding);
    std::erase(text, '\0');
    const std::size_t line = text.find('\n');
    if (line != std::string::npos && line > 0 && text[line - 1] == '\r') table.line_end = "\r\n";
    // Excel writes this line, and reads it. It is no row.
    if (text.starts_with("sep=") && line != std::string::npos) text.erase(0, line + 1);
    std::size_t most = 0;
    for (const char separator : {',', ';', '\t'}) {
        const auto first = csv_table::Parser(text, name).row(separator);
        if (!first || first->size() <= most) continue;
        most = first->size();
        table.separator = separator;
    }
    csv_table::Parser parser(text, name);
    while (auto row = parser.row(table.separator))
        if (!csv_table::is_blank(*row)) table.rows.push_back(std::move(*row));
    return table;
}

CsvTable read_csv(const std::filesystem::path& file) {
    constexpr std::uintmax_t kMost = std::uintmax_t{64} << 20;
    try {
        if (data::require_file(file) > kMost)
            throw UserError(
                fmt::format("{}: the table has more than {} MiB; expected a roster or a gradebook; "
                            "name another file",
                            file.string(), kMost >> 20));
        return parse_csv(data::read_file(file), file.string());
    } catch (const data::FileError& error) {
        throw UserError(error.what());
    }
}

std::string csv_text(const CsvTable& table) {
    std::string text = table.byte_order_mark ? std::string(kUtf8Mark) : "";
    const std::string special = std::string("\"\r\n") + table.separator;
    for (const auto& row : table.rows) {
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0) text += table.separator;
            if (!row[k].quoted && row[k].text.find_first_of(special) == std::string::npos) {
                text += row[k].text;
                continue;
            }
            text += '"';
            for (const char c : row[k].text) text += c == '"' ? "\"\"" : std::string(1, c);
            text += '"';
        }
        text += table.line_end;
    }
    return text;
}

std::string without_formula(std::string_view text) {
    // Some spreadsheets accept the full-width characters, too, and skip white space before them.
    static constexpr std::array<std::string_view, 8> kBeginnings = {"=",      "+",      "-",      "@",
                                                                    "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::string(text);
    const std::string_view bare = text.substr(first);
    if (bare.size() == 1) return std::string(text);  // "-" is what platforms write for nothing
    const bool formula =
        std::any_of(kBeginnings.begin(), kBeginnings.end(),
                    [bare](std::string_view beginning) { return bare.starts_with(beginning); });
    return (formula ? "'" : "") + std::string(text);
}

}  // namespace attn::classes
