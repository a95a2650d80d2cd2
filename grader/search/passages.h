#pragma once
/// The course's own texts, cut into passages that can be found.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn::search {

struct Passage {
    std::string file;     ///< "assignments/02_self_attention/README.md"
    int line = 0;         ///< its first line, from 1
    std::string title;    ///< of the document: "Assignment 2: Self-attention"
    std::string heading;  ///< that it stands under: "Step 1: softmax"; empty at the beginning of a document
    std::string text;     ///< as it stands in the file
    std::string prose;    ///< without marks of Markdown, links and tables' bars; of a page, also without code

    /// What is read to find it: titles and sentences.
    std::string to_read() const;
    /// What people read: the text without marks of Markdown, in lines of any length, and code as it is.
    std::string to_show() const;
};

/// A page in Markdown: its paragraphs, items of lists and rows of tables, each with the code below it. Short ones stand
/// together, and a longer one than about 150 words is cut. No passage goes beyond a heading.
std::vector<Passage> passages_of_page(const std::string& file, std::string_view text);

/// A header: each comment of `///` with the declaration after it, under the name that is declared. Its formulas are read, too,
/// because their words often say what the comment only names.
std::vector<Passage> passages_of_header(const std::string& file, std::string_view text);

/// Those of all pages, headers and courses in the folder of the assignments. Of a course, the notes on where its slides
/// and the handouts differ. Throws data::FileError, and UserError for a course that is no TOML.
std::vector<Passage> course_passages(const std::filesystem::path& assignments);

/// In one line, with single blanks.
std::string in_one_line(std::string_view text);

}  // namespace attn::search
