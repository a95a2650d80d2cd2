#pragma once
/// Tables as spreadsheets and platforms write them (RFC 4180 and its relatives).

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::classes {

struct CsvCell {
    std::string text;     ///< UTF-8, without the quotes
    bool quoted = false;  ///< whether it stood in quotes, so that it can be written as it was
};

/// A table that can be written back as it was read, apart from the cells that were changed.
struct CsvTable {
    std::vector<std::vector<CsvCell>> rows;
    char separator = ',';
    bool byte_order_mark = false;
    std::string line_end = "\n";
    std::string encoding = "UTF-8";  ///< as found; a table is always written as UTF-8

    /// The text of a cell; empty if the row is shorter.
    std::string_view at(std::size_t row, std::size_t column) const;
    /// Makes the row long enough and sets its cell.
    void set(std::size_t row, std::size_t column, std::string text);
    std::size_t columns() const;  ///< of the longest row
};

/// Text in UTF-8, UTF-16 (with a byte order mark, or recognised by its zeros) or Windows-1252, as UTF-8.
/// `encoding` receives the name of what was found.
std::string as_utf8(std::string_view bytes, std::string& encoding);

/// Parses a table. The separator is the one of comma, semicolon and tab that splits the first row into most
/// cells. Cells in quotes may contain line feeds. Empty lines are left out. Throws UserError, with the number
/// of the line, for a quote that is never closed. `name` is for messages.
CsvTable parse_csv(std::string_view bytes, const std::string& name);

/// Reads a file of at most 64 MiB. Throws UserError.
CsvTable read_csv(const std::filesystem::path& file);

std::string csv_text(const CsvTable& table);

/// The text with a leading ' if a spreadsheet would read it as a formula.
std::string without_formula(std::string_view text);

}  // namespace attn::classes
