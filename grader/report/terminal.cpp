#include "grader/report/terminal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/clean.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

/// Text of several lines that is printed beside others.
struct Block {
    std::vector<std::string> lines;
    std::size_t width = 0;
};

constexpr std::size_t kGap = 4;

/// Rows of numbers, `name` in front of the first; an empty line between batches.
Block block_of(const Tensor& tensor, const std::string& name) {
    Block block;
    const std::size_t columns = tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
    const std::size_t rows = tensor.shape.size() < 2 ? 1 : static_cast<std::size_t>(tensor.shape.end()[-2]);
    for (std::size_t k = 0; k < tensor.values.size(); k += columns) {
        if (k > 0 && (k / columns) % rows == 0) block.lines.emplace_back();
        std::string line = fmt::format("{:<{}}", k == 0 ? name : "", name.size());
        for (std::size_t j = 0; j < columns; ++j) line += fmt::format(" {:>9.4g}", tensor.values[k + j]);
        block.width = std::max(block.width, line.size());
        block.lines.push_back(std::move(line));
    }
    return block;
}

enum class Paint { good, bad, dim, bold };

class Writer {
  public:
    Writer(std::ostream& out, const TerminalStyle& style) : out_(out), style_(style) {}

    void report(const Report& report) {
        line(0, fmt::format("{}   submission {}   seed {}", paint("Attention Lab", Paint::bold),
                            report.submission, report.seed));
        line(0, paint("isolation: " + report.isolation, Paint::dim));
        for (const Assignment& assignment : report.assignments) this->assignment(assignment);
        line(0, "");
        line(0, paint("Next: ", Paint::bold) + report.next);
    }

  private:
    static constexpr int kNameWidth = 34, kMessageLines = 16, kPrintedLines = 8;

    std::string paint(const std::string& text, Paint how) const {
        static constexpr const char* kCodes[] = {"32", "31", "2", "1"};
        return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(how)], text) : text;
    }

    void line(int indent, const std::string& text) {
        out_ << std::string(static_cast<std::size_t>(text.empty() ? 0 : indent), ' ') << text << '\n';
    }

    void lines(int indent, const std::string& text) {
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) line(indent, each);
    }

    void assignment(const Assignment& a) {
        line(0, "");
        const std::string score = fmt::format("{} / {}", points(a.points), points(a.max_points));
        line(0, paint(fmt::format("{:<3}{:<46}{:>16}", a.number, a.title, score), Paint::bold));
        for (const Part& part : a.parts) summary(part);
        for (const SourceFile& source : a.sources) {
            if (source.compiled && source.messages.empty()) continue;
            line(0, "");
            if (!source.compiled)
                line(3, paint(source.name + " does not compile:", Paint::bad));
            else
                line(3, "the compiler's warnings for " + source.name + ":");
            lines(5, first_lines(source.messages, kMessageLines));
        }
        for (const Part& part : a.parts)
            if (!all_passed(part) && !not_started(part)) failures(part);
    }

    void summary(const Part& part) {
        const std::string score = fmt::format("{} / {}", points(part.points), points(part.max_points));
        line(3, fmt::format("{:<{}}{:>12}   {}", part.function, kNameWidth, score, state(part)));
    }

    std::string state(const Part& part) const {
        if (not_started(part)) return paint("not implemented yet", Paint::dim);
        const auto has = [&part](Outcome o) {
            return std::any_of(part.checks.begin(), part.checks.end(),
                               [o](const Check& c) { return c.outcome == o; });
        };
        if (has(Outcome::not_compiled)) return paint("not compiled", Paint::bad);
        if (std::all_of(part.checks.begin(), part.checks.end(),
                        [](const Check& c) { return c.outcome == Outcome::missing; }))
            return paint("missing", Paint::bad);
        std::map<std::string, std::pair<int, int>> passed;  // by kind: passed, all
        for (const Check& check : part.checks) {
            passed[check.kind].second++;
            if (check.outcome == Outcome::passed) passed[check.kind].first++;
        }
        const auto count = [&passed](const std::string& kind, const std::string& word) {
            const auto [good, all] = passed[kind];
            return good == all ? fmt::format("{} {}", all, word)
                               : fmt::format("{} of {} {}", good, all, word);
        };
        std::string text = count("numeric", "numeric");
        if (passed["property"].second > 0) text += ", " + count("property", "properties");
        return all_passed(part) ? paint("ok", Paint::good) + "  " + text : paint(text, Paint::bad);
    }

    /// One failure in full: the one that says most. The others in a line each.
    void failures(const Part& part) {
        const Check* told = nullptr;
        const auto telling = [](const Check& c) {
            return (c.smallest ? 4 : 0) + (c.diagnosis ? 2 : 0) + (c.difference ? 1 : 0);
        };
        for (const Check& check : part.checks) {
            if (check.outcome == Outcome::passed || check.outcome == Outcome::not_compiled) continue;
            if (told == nullptr || telling(check) > telling(*told)) told = &check;
        }
        if (told == nullptr) return;
        line(0, "");
        full(part, *told);
        std::string alike;
        for (const Check& check : part.checks) {
            if (&check == told || (check.outcome == Outcome::passed && !style_.verbose)) continue;
            if (same_mistake(check, *told) && !style_.verbose) {
                alike += (alike.empty() ? "" : ", ") + check.name;
            } else if (style_.verbose && check.outcome != Outcome::passed) {
                line(0, "");
                full(part, check);
            } else {
                one_line(check);
            }
        }
        if (!alike.empty()) line(3, "The same mistake shows in: " + alike + ".");
    }

    static bool same_mistake(const Check& a, const Check& b) {
        return a.diagnosis && b.diagnosis && a.diagnosis->mistakes == b.diagnosis->mistakes;
    }

    void full(const Part& part, const Check& check) {
        line(3, fmt::format("{}, {} {}", paint(part.function, Paint::bold), heading(check),
                            paint(words(check.outcome), Paint::bad)));
        lines(5, check.message);
        if (check.difference && check.kind == "numeric") difference(*check.difference);
        if (check.smallest) smallest(*check.smallest);
        if (check.diagnosis) {
            lines(5, paint(check.diagnosis->sentence, Paint::bold));
            for (const std::string& hint : check.diagnosis->hints)
                line(5, "Think: " + hint + fmt::format("  (handout, step {})", part.step));
        }
        if (!check.printed.empty()) {
            line(5, "It printed:");
            lines(7, first_lines(check.printed, kPrintedLines));
        }
    }

    /// "not implemented"
    static std::string words(Outcome outcome) {
        std::string text(name_of(outcome));
        std::replace(text.begin(), text.end(), '_', ' ');
        return text;
    }

    static std::string heading(const Check& check) {
        return check.kind == "numeric" ? fmt::format("case {} ({}):", check.name, check.about)
                                       : fmt::format("property \"{}\":", check.about);
    }

    void one_line(const Check& check) {
        const std::string what =
            check.kind == "numeric" ? "case " + check.name : "property \"" + check.about + "\"";
        if (check.outcome == Outcome::passed)
            return line(3, fmt::format("{}: {}", what, paint("ok", Paint::good)));
        const std::string text = check.message.substr(0, check.message.find('\n'));
        line(3, fmt::format("{}: {}. {}", what, paint(words(check.outcome), Paint::bad), text));
    }

    void difference(const Difference& d) {
        line(5, fmt::format("Worst at {}({}): yours {:.6g}, expected {:.6g}", d.array,
                            fmt::join(d.index, ", "), d.yours, d.expected));
        if (std::isfinite(d.error_yardsticks)) {
            line(5, fmt::format("({:.3g} times the rounding error of a plain loop; {:g} are allowed).",
                                d.error_yardsticks, d.allowed_yardsticks));
        }
    }

    void smallest(const SmallestCase& s) {
        line(5, fmt::format("The smallest case that still fails:   {}", s.sizes));
        std::vector<Block> inputs;
        for (const Tensor& input : s.inputs) inputs.push_back(block_of(input, input.name));
        side_by_side(inputs);
        for (std::size_t k = 0; k < s.yours.size(); ++k)
            side_by_side(
                {block_of(s.yours[k], s.yours[k].name + " yours"), block_of(s.expected[k], "expected")});
    }

    /// As many blocks in a row as fit.
    void side_by_side(const std::vector<Block>& blocks) {
        constexpr std::size_t kWidth = 96;
        for (std::size_t first = 0, next = 0; first < blocks.size(); first = next) {
            std::size_t width = 0, height = 0;
            for (; next < blocks.size() && (next == first || width + blocks[next].width <= kWidth); ++next) {
                width += blocks[next].width + kGap;
                height = std::max(height, blocks[next].lines.size());
            }
            for (std::size_t row = 0; row < height; ++row) {
                std::string text;
                for (std::size_t k = first; k < next; ++k) {
                    const auto& lines = blocks[k].lines;
                    text +=
                        fmt::format("{:<{}}", row < lines.size() ? lines[row] : "", blocks[k].width + kGap);
                }
                line(7, text.substr(0, text.find_last_not_of(' ') + 1));
            }
        }
    }

    std::ostream& out_;
    const TerminalStyle& style_;
};

}  // namespace

void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style) {
    Writer(out, style).report(cleaned(report));
}

void print_tensor(std::ostream& out, const Tensor& tensor) {
    for (const std::string& line : block_of(tensor, tensor.name).lines) out << line << '\n';
}

}  // namespace attn::report
