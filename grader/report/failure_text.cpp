#include "grader/report/failure_text.h"

#include <fmt/format.h>

#include "grader/report/check_description.h"

namespace attn::report {
namespace {

void write_piece(Lines& out, const Paragraph& paragraph) {
    constexpr int kPrintedLines = 8;
    switch (paragraph.kind) {
        case ParagraphKind::sentence:
            return out.paragraph(5, paragraph.text);
        case ParagraphKind::cause:
            return out.paragraph(5, paragraph.text, Paint::bold);
        case ParagraphKind::numbers:
            return out.lines(7, paragraph.text);
        case ParagraphKind::printed:
            return out.quoted(7, first_lines(paragraph.text, kPrintedLines));
        case ParagraphKind::command:
            return out.line(5, out.paint("More on this:  " + paragraph.text, Paint::dim));
    }
}

}  // namespace

void write_failure(Lines& out, const Report& report, const Part& part, const Check& check) {
    const Paint paint = check.outcome == Outcome::passed ? Paint::good : Paint::bad;
    std::string text = fmt::format("{}, {}: {}", out.paint(part.function, Paint::bold), name_in_words(check),
                                   out.paint(in_words(check.outcome), paint));
    if (!is_correctness_check(check))
        text += fmt::format("   {} / {}", points(check.points), points(check.max_points));
    out.paragraph(3, text);
    for (const Paragraph& paragraph : describe(report, part, check, out.width())) write_piece(out, paragraph);
}

}  // namespace attn::report
