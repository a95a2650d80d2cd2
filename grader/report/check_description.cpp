#include "grader/report/check_description.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/text_lines.h"
#include "grader/report/numbers.h"
#include "grader/report/report_queries.h"
#include "grader/report/speed_text.h"
#include "grader/report/text.h"

namespace attn::report {

namespace {

std::string case_name(const Check& check) {
    return check.name.starts_with(kKernelsCase) ? check.name.substr(kKernelsCase.size()) : check.name;
}

class DescriptionBuilder {
  public:
    explicit DescriptionBuilder(std::size_t width) : width_(width) {}

    Description build(const Report& report, const Part& part, const Check& check) {
        add_sentence(check.kind == CheckKind::property ? "\"" + check.about + "\"" : "(" + check.about + ")");
        const bool passed = check.outcome == Outcome::passed;
        if (check.speed) speed(*check.speed);
        for (const Growth& growth : check.growth) add_sentence(in_words(growth));
        const bool measured = check.speed || !check.growth.empty();
        if ((!passed && !(measured && check.outcome == Outcome::slow)) ||
            (!is_correctness_check(check) && !measured))
            add_sentence(check.message);
        if (check.lines) lines(*check.lines);
        if (check.difference && check.kind != CheckKind::property) difference(*check.difference);
        add_sentence(check.pattern);
        if (check.smallest) smallest(*check.smallest);
        if (check.diagnosis)
            diagnosis(*check.diagnosis, part.step);
        else if (!check.question.empty())
            think(check.question, part.step);
        // What the smallest case printed stands beside its numbers, and says the same with fewer.
        if (!check.printed.empty() && !(check.smallest && !check.smallest->printed.empty())) {
            add_sentence(check.kind != CheckKind::property ? "In case " + case_name(check) + " it printed:"
                                                           : "It printed:");
            add(ParagraphKind::printed, check.printed);
        }
        if (!passed && check.outcome != Outcome::skipped && check.outcome != Outcome::not_compiled &&
            can_be_replayed(report, check))
            add(ParagraphKind::command, "make explain ID=" + check.id);
        return std::move(description_);
    }

    Description build(const SmallestCase& s) {
        smallest(s);
        return std::move(description_);
    }

  private:
    void add(ParagraphKind kind, std::string text) {
        if (!text.empty()) description_.push_back({kind, std::move(text)});
    }
    void add_sentence(std::string text) { add(ParagraphKind::sentence, std::move(text)); }

    void speed(const Speed& measured) {
        std::string bars;
        for (const Bar& bar : chart(measured))
            bars += fmt::format("{} {} {}\n", bar.name, bar.bar, bar.numbers);
        add(ParagraphKind::numbers, bars);
        add_sentence(in_words(measured));
        add_sentence(in_words(measured.build));
        if (!measured.hint.empty()) add_sentence("Try: " + measured.hint);
    }

    void lines(const SourceTrace& trace) {
        add_sentence(trace.what);
        constexpr std::size_t kIndent = 7;  // as numbers have it
        add(ParagraphKind::numbers, in_words(trace, width_ - std::min(width_, kIndent)));
    }

    void difference(const Difference& d) {
        // The sign of a NaN has no meaning.
        const int digits = digits_that_differ(d.yours, d.expected, 6);
        add_sentence(fmt::format("Worst at {}({}): yours {:.{}g}, expected {:.{}g}", d.array,
                                 fmt::join(d.index, ", "), std::isnan(d.yours) ? std::abs(d.yours) : d.yours,
                                 digits, d.expected, digits));
        if (std::isfinite(d.error_yardsticks)) {
            add_sentence(fmt::format("({} times the rounding error of a plain loop; {:g} are allowed).",
                                     times_in_words(d.error_yardsticks), d.allowed_yardsticks));
        }
    }

    void smallest(const SmallestCase& s) {
        add_sentence(
            fmt::format("A small case that still fails:   {}{}", s.sizes,
                        s.inputs.empty() && s.yours.empty() ? " (its numbers are too many to show)" : ""));
        constexpr int kDigits = 4;
        const std::size_t room = room_for_blocks(width_);
        std::vector<NumberBlock> inputs;
        for (const Tensor& input : s.inputs)
            inputs.push_back(block_of(input, input.name, digits_to_type_in(input, kDigits), room));
        std::string text = side_by_side(inputs, width_);
        for (std::size_t k = 0; k < std::min(s.yours.size(), s.expected.size()); ++k) {
            if (k < s.wrong.size() &&
                std::ranges::count(s.wrong[k].values, 0.0) == std::ssize(s.wrong[k].values)) {
                text +=
                    side_by_side({block_of(s.yours[k], s.yours[k].name + " (right)", kDigits, room)}, width_);
                continue;
            }
            const int digits = digits_that_differ(s.yours[k], s.expected[k]);
            text += side_by_side({block_of(s.yours[k], s.yours[k].name + " yours", digits, room),
                                  block_of(s.expected[k], "expected", digits, room)},
                                 width_);
        }
        add(ParagraphKind::numbers, text);
        if (!s.intermediates.empty()) {
            add_sentence("On the way a right solution computes:");
            std::vector<NumberBlock> intermediates;
            for (const Tensor& tensor : s.intermediates)
                intermediates.push_back(block_of(tensor, tensor.name, kDigits, room));
            add(ParagraphKind::numbers, side_by_side(intermediates, width_));
        }
        if (s.printed.empty()) return;
        add_sentence("For this case your code printed:");
        add(ParagraphKind::printed, s.printed);
    }

    void diagnosis(const Diagnosis& named, int step) {
        for (const std::string& cause : lines_in(named.sentence)) add(ParagraphKind::cause, cause);
        for (const std::string& hint : named.hints) think(hint, step);
    }

    void think(const std::string& question, int step) {
        add_sentence("Think: " + question + fmt::format("  (handout, step {})", step));
    }

    std::size_t width_;
    Description description_;
};

std::string indented(const std::string& lines) {
    std::string text;
    for (const std::string& line : lines_in(lines)) text += "  " + line + '\n';
    return text;
}

}  // namespace

std::string name_in_words(const Check& check) {
    return check.kind == CheckKind::numeric    ? "case " + check.name
           : check.kind == CheckKind::property ? "property " + check.name
           : is_kernel_check(check)            ? "kernels, case " + case_name(check)
                                               : std::string(name_of(check.kind));
}

Description describe(const Report& report, const Part& part, const Check& check, std::size_t width) {
    return DescriptionBuilder(width).build(report, part, check);
}

Description describe(const SmallestCase& smallest, std::size_t width) {
    return DescriptionBuilder(width).build(smallest);
}

std::string plain_text(const Description& description) {
    constexpr int kPrintedLines = 40;
    std::string text;
    for (const Paragraph& paragraph : description) {
        switch (paragraph.kind) {
            case ParagraphKind::sentence:
            case ParagraphKind::cause:
                text += without_commands(paragraph.text) + '\n';
                break;
            case ParagraphKind::numbers:
                text += indented(without_commands(paragraph.text));
                break;
            case ParagraphKind::printed:
                text += indented(quote_lines(first_lines(paragraph.text, kPrintedLines)));
                break;
            case ParagraphKind::command:
                text += "More on this:  " + paragraph.text + '\n';
                break;
        }
    }
    return text;
}

namespace {

constexpr std::size_t kLongestWord = 12, kNumber = 5;

std::vector<std::string> short_words(std::vector<std::string> words) {
    for (std::string& word : words) word = shortened(word, kLongestWord);
    return words;
}

std::size_t widest(const std::vector<std::string>& words) {
    std::size_t width = 0;
    for (const std::string& word : words) width = std::max(width, columns_of(word));
    return width;
}

std::string at_the_right(const std::string& word, std::size_t width) {
    const std::size_t own = columns_of(word);
    return std::string(own < width ? width - own : 0, ' ') + word;
}

/// The numbers with words along the sides.
NumberBlock table_of(const Picture& picture, const Tensor& matrix, const std::string& whose) {
    const auto rows = short_words(picture.row_words), columns = short_words(picture.column_words);
    const std::size_t left = widest(rows) + 2, width = std::max(widest(columns), kNumber) + 1;
    std::string place;
    for (const int index : picture.slice) place += fmt::format("[{}]", index);
    NumberBlock block{{fmt::format("{}{} {}", picture.array, place, whose), std::string(left, ' ')}, 0};
    for (const std::string& word : columns) block.lines.back() += at_the_right(word, width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string line = at_the_right(rows[i], left);
        for (std::size_t j = 0; j < columns.size(); ++j)
            line += at_the_right(fmt::format("{:.3f}", matrix.values.at(i * columns.size() + j)), width);
        block.lines.push_back(std::move(line));
    }
    for (const std::string& line : block.lines) block.width = std::max(block.width, columns_of(line));
    return block;
}

bool is_table(const Picture& picture) {
    return picture.map.rows == 0 && !picture.row_words.empty() && !picture.column_words.empty();
}

}  // namespace

std::string drawing_text(const Check& check, std::size_t width) {
    std::string text;
    for (const Picture& picture : check.pictures) {
        if (!picture.sentences.empty()) text += '\n';
        for (const std::string& sentence : picture.sentences) text += wrapped(sentence, width) + '\n';
        if (!is_table(picture)) continue;
        std::vector<NumberBlock> blocks = {table_of(picture, picture.yours, "yours")};
        if (picture.yours.values != picture.expected.values)
            blocks.push_back(table_of(picture, picture.expected, "expected"));
        text += '\n' + side_by_side(blocks, width);
    }
    return text;
}

}  // namespace attn::report
