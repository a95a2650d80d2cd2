#pragma once
/// The full description of a check as a list of paragraphs, which each writer prints in its own format.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

enum class ParagraphKind {
    sentence,
    cause,    ///< the student's mistake, in a sentence
    numbers,  ///< lines of numbers in columns
    printed,  ///< text that the student's function printed
    command,  ///< the command that shows more
};

struct Paragraph {
    ParagraphKind kind = ParagraphKind::sentence;
    std::string text;
};

using Description = std::vector<Paragraph>;

/// The check's name in a sentence: "case ragged", "property rows_sum_to_one", "speed".
std::string name_in_words(const Check& check);

/// Describes a cleaned check (see clean.h): its inputs, the outcome and its place, the smallest failing case,
/// the mistake, hints, printed text, the next command. Numbers are laid out for a terminal of `width`
/// columns.
Description describe(const Report& report, const Part& part, const Check& check, std::size_t width = 110);

/// Describes the smallest case alone.
Description describe(const SmallestCase& smallest, std::size_t width = 110);

/// The description as lines of plain text, as safe as the check itself. Printed text is marked with "| ".
std::string plain_text(const Description& description);

/// The sentences of the check's pictures, and tables of those drawings that have words along their sides and
/// judge nothing, such as attention weights. Empty if there are none. The check's texts have to be cleaned.
std::string drawing_text(const Check& check, std::size_t width);

}  // namespace attn::report
