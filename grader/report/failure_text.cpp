#include "grader/report/failure_text.h"

#include <fmt/format.h>

#include "grader/report/prose.h"

namespace attn::report {
namespace {

void write_piece(Lines& out, const Piece& piece) {
    constexpr int kPrintedLines = 8;
    switch (piece.voice) {
        case Voice::sentence:
            return out.prose(5, piece.text);
        case Voice::cause:
            return out.prose(5, piece.text, Paint::bold);
        case Voice::numbers:
            return out.lines(7, piece.text);
        case Voice::printed:
            return out.lines(7, in_quotes(first_lines(piece.text, kPrintedLines)));
        case Voice::command:
            return out.line(5, out.paint("More on this:  " + piece.text, Paint::dim));
    }
}

}  // namespace

void write_failure(Lines& out, const Report& report, const Part& part, const Check& check) {
    const Paint paint = check.outcome == Outcome::passed ? Paint::good : Paint::bad;
    std::string text = fmt::format("{}, {}: {}", out.paint(part.function, Paint::bold), name_in_words(check),
                                   out.paint(in_words(check.outcome), paint));
    if (!is_of_numbers(check))
        text += fmt::format("   {} / {}", points(check.points), points(check.max_points));
    out.line(3, text);
    for (const Piece& piece : story_of(report, part, check, out.width())) write_piece(out, piece);
}

}  // namespace attn::report
