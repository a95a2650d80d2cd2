// The systematic edits of whole arrays: what comes in, and what goes out.

#include <algorithm>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

const char* element_type(const Symbol& array) {
    return array.type.element == Element::real   ? "T"
           : array.type.element == Element::byte ? "std::uint8_t"
                                                 : "int";
}

std::string view_type(const Symbol& array, bool constant) {
    return std::string("TensorView<") + (constant ? "const " : "") + element_type(array) + ", " +
           std::to_string(array.type.rank) + ">";
}

std::string vector_type(const Symbol& array) {
    return std::string("std::vector<") + element_type(array) + ">";
}

std::string lengths(const std::string& name, int rank) {
    std::string text;
    for (int axis = 0; axis < rank; ++axis) text += ", " + name + ".size(" + std::to_string(axis) + ")";
    return text;
}

/// The elements along an axis have this distance in memory.
std::string stride(const std::string& name, int axis, int rank) {
    std::string text = "1";
    for (int later = axis + 1; later < rank; ++later)
        text += " * " + name + ".size(" + std::to_string(later) + ")";
    return text;
}

}  // namespace

/// The function reads other numbers: element k_ of the array is `value`.
void Generator::input_as(const Symbol& input, const std::string& value, const std::string& said, Kind kind) {
    const std::string name = name_of(input), other = name + "_read";
    const std::string made = vector_type(input) + " " + other + "_values(" + name + ".count()); if (" + name +
                             ") for (int k_ = 0; k_ < " + name + ".count(); ++k_) " + other +
                             "_values[k_] = " + value + "; const " + view_type(input, true) + " " + other +
                             " = " + name + " ? " + view_type(input, true) + "(" + other + "_values.data()" +
                             lengths(name, input.type.rank) + ") : " + name + ";";
    std::vector<SystematicEdit::Change> changes{{1, 1, made}};
    for (int token = 1; token < static_cast<int>(function_.body.size()); ++token)
        if (function_.body[static_cast<std::size_t>(token)].id == input.word &&
            function_.body[static_cast<std::size_t>(token) - 1].id != known::dot)
            changes.push_back({token, token + 1, other});
    if (changes.size() > 1) add_changes(std::move(changes), kind, said);
}

void Generator::inputs() {
    for (const Symbol& input : function_.symbols) {
        if (input.from != 0 || input.type.base != Base::view || !input.type.constant || input.word < 0 ||
            input.type.element == Element::whole)
            continue;
        const std::string name = name_of(input), x = name + ".data()[k_]";
        const int rank = input.type.rank;
        if (input.type.element == Element::real) {
            input_as(input, "0", name + " counts as 0", Kind::missing);
            input_as(input, "1", name + " counts as 1", Kind::missing);
            input_as(input, "-" + x, name + " has the wrong sign", Kind::operation);
            input_as(input, "2 * " + x, name + " is doubled", Kind::extra);
            input_as(input, x + " / 2", name + " is halved", Kind::extra);
            input_as(input, "std::abs(" + x + ")", "the absolute value of " + name + " is taken",
                     Kind::operation);
            input_as(input, x + " * " + x, name + " is squared", Kind::operation);
            input_as(input, x + " / 255", name + " is divided by 255", Kind::extra);
            input_as(input, "std::round(" + x + ")", name + " is rounded", Kind::operation);
            input_as(input, "std::exp(" + x + ")", "exp of " + name + " is taken", Kind::extra);
            input_as(input, "std::tanh(" + x + ")", "tanh of " + name + " is taken", Kind::extra);
            input_as(input, "1 + " + x, "1 is added to " + name, Kind::extra);
        } else {
            input_as(input, "1 - " + x, name + " is read the other way round", Kind::condition);
            input_as(input, "1", name + " counts as 1 everywhere", Kind::missing);
            input_as(input, "0", name + " counts as 0 everywhere", Kind::missing);
            const std::string columns = name + ".size(" + std::to_string(rank - 1) + ")",
                              column = "k_ % " + columns;
            input_as(input, column + " == 0 ? 1 : " + x, "column 0 of " + name + " counts as 1",
                     Kind::condition);
            if (rank >= 2) {
                const std::string row =
                    "k_ / " + columns + " % " + name + ".size(" + std::to_string(rank - 2) + ")";
                input_as(input, row + " == " + column + " ? 1 : " + x,
                         "the diagonal of " + name + " counts as 1", Kind::condition);
                input_as(input, column + " > " + row + " ? 0 : " + x, name + " is made causal",
                         Kind::condition);
            }
        }
        for (int axis = 0; axis < rank; ++axis) {
            const std::string n = name + ".size(" + std::to_string(axis) + ")",
                              s = "(" + stride(name, axis, rank) + ")", at = "(k_ / " + s + " % " + n + ")";
            const auto from = [&](const std::string& index) {
                return name + ".data()[k_ + (" + index + " - " + at + ") * " + s + "]";
            };
            const std::string along = " along axis " + std::to_string(axis);
            input_as(input, from(n + " - 1 - " + at), name + " is reversed" + along, Kind::index);
            input_as(input, from("(" + at + " + 1) % " + n), name + " is shifted by one" + along,
                     Kind::index);
            input_as(input, from("(" + at + " + " + n + " - 1) % " + n),
                     name + " is shifted back by one" + along, Kind::index);
            input_as(input, from("0"), "the first of " + name + along + " serves for all", Kind::index);
            input_as(input, from("(" + n + " - 1)"), "the last of " + name + along + " serves for all",
                     Kind::index);
        }
        if (rank >= 2) {
            const std::string p = name + ".size(" + std::to_string(rank - 2) + ")",
                              q = name + ".size(" + std::to_string(rank - 1) + ")";
            input_as(input,
                     name + ".data()[k_ / (" + p + " * " + q + ") * (" + p + " * " + q + ") + k_ % " + q +
                         " * " + p + " + k_ / " + q + " % " + p + "]",
                     "the memory of " + name + " is taken for its transpose", Kind::index);
        }
    }
}

void Generator::output_as(const Symbol& output, const std::string& statements, const std::string& said,
                          Kind kind) {
    const int end = static_cast<int>(function_.body.size()) - 1;
    add_changes({{end, end, "if (" + name_of(output) + ") { " + statements + " }"}}, kind, said);
}

void Generator::outputs() {
    for (const Symbol& output : function_.symbols) {
        if (output.from != 0 || output.type.base != Base::view || output.type.constant || output.word < 0 ||
            output.type.element != Element::real)
            continue;
        const std::string y = name_of(output), each = "for (int k_ = 0; k_ < " + y + ".count(); ++k_) ",
                          v = y + ".data()[k_]";
        const int rank = output.type.rank;
        const auto value = [&](const std::string& text, const std::string& said, Kind kind) {
            output_as(output, each + v + " = " + text + ";", said, kind);
        };
        value("-" + v, y + " has the wrong sign", Kind::operation);
        value("2 * " + v, y + " is doubled", Kind::extra);
        value(v + " / 2", y + " is halved", Kind::extra);
        value("std::abs(" + v + ")", "the absolute value of " + y + " is taken", Kind::extra);
        value("0", y + " is 0", Kind::missing);
        value("std::tanh(" + v + ")", "tanh of " + y + " is taken at the end", Kind::extra);
        value("1 / (1 + std::exp(-" + v + "))", "the logistic function of " + y + " is taken at the end",
              Kind::extra);
        value("std::exp(" + v + ")", "exp of " + y + " is taken at the end", Kind::extra);
        value("std::log(" + v + ")", "log of " + y + " is taken at the end", Kind::extra);
        value("std::max(T(0), " + v + ")", "values of " + y + " below 0 become 0", Kind::extra);
        value("std::round(" + v + " * 100) / 100", y + " is rounded to two decimals", Kind::operation);
        value("std::round(" + v + " * 10000) / 10000", y + " is rounded to four decimals", Kind::operation);
        value("std::round(" + v + ")", y + " is rounded", Kind::operation);
        value(v + " / 255", y + " is divided by 255", Kind::extra);
        for (const std::string& size : sizes(static_cast<int>(function_.body.size()) - 1)) {
            value(v + " / T(" + size + ")", y + " is divided by " + as_formula(size), Kind::extra);
            value(v + " * T(" + size + ")", y + " is multiplied by " + as_formula(size), Kind::extra);
            value(v + " / std::sqrt(T(" + size + "))", y + " is divided by sqrt(" + as_formula(size) + ")",
                  Kind::extra);
        }
        for (const Symbol& input : function_.symbols) {
            if (input.from != 0 || input.type.base != Base::view || !input.type.constant || input.word < 0 ||
                input.type.element != Element::real)
                continue;
            const std::string x = name_of(input);
            const std::string same = "if (" + x + ".count() == " + y + ".count()) " + each + v;
            output_as(output, same + " += " + x + ".data()[k_];", x + " is added to " + y + " at the end",
                      Kind::extra);
            output_as(output, same + " -= " + x + ".data()[k_];",
                      x + " is subtracted from " + y + " at the end", Kind::extra);
            output_as(output, same + " *= " + x + ".data()[k_];",
                      y + " is multiplied by " + x + " at the end", Kind::extra);
            output_as(output, same + " = " + x + ".data()[k_];", y + " is a copy of " + x, Kind::missing);
        }
        for (int axis = 0; axis < rank; ++axis) {
            const std::string n = y + ".size(" + std::to_string(axis) + ")",
                              s = "(" + stride(y, axis, rank) + ")";
            const std::string along = " along axis " + std::to_string(axis);
            // o_ runs over the lines, j_ along each of them.
            const std::string lines = "for (int o_ = 0; o_ < " + y + ".count() / " + n +
                                      "; ++o_) { const int first_ = o_ / " + s + " * " + s + " * " + n +
                                      " + o_ % " + s + "; ";
            const std::string all = "for (int j_ = 0; j_ < " + n + "; ++j_) ",
                              e = y + ".data()[first_ + j_ * " + s + "]";
            const auto line = [&](const std::string& text, const std::string& said, Kind kind) {
                output_as(output, lines + text + " }", said + along, kind);
            };
            line("T sum_ = 0; " + all + "sum_ += " + e + "; " + all + e + " /= sum_;",
                 y + " is divided by its sums", Kind::extra);
            line("T m_ = " + y + ".data()[first_]; T sum_ = 0; " + all + "m_ = std::max(m_, " + e + "); " +
                     all + "sum_ += " + e + " = std::exp(" + e + " - m_); " + all + e + " /= sum_;",
                 "a softmax of " + y + " is taken", Kind::extra);
            line("for (int j_ = 1; j_ < " + n + "; ++j_) " + e + " += " + y + ".data()[first_ + (j_ - 1) * " +
                     s + "];",
                 y + " is summed up", Kind::extra);
            line("int best_ = 0; for (int j_ = 1; j_ < " + n + "; ++j_) if (" + e + " > " + y +
                     ".data()[first_ + best_ * " + s + "]) best_ = j_; " + all + e +
                     " = j_ == best_ ? 1 : 0;",
                 "only the largest of " + y + " is kept, as 1", Kind::operation);
            line("T sum_ = 0; " + all + "sum_ += " + e + "; " + all + e + " = sum_ / T(" + n + ");",
                 "the mean of " + y + " is taken", Kind::extra);
            line("T sum_ = 0; " + all + "sum_ += " + e + " * " + e + "; " + all + e + " /= std::sqrt(sum_);",
                 y + " is divided by its length", Kind::extra);
            line("std::vector<T> old_(" + n + "); " + all + "old_[j_] = " + e + "; " + all + e + " = old_[" +
                     n + " - 1 - j_];",
                 y + " is written in reverse order", Kind::index);
            line("std::vector<T> old_(" + n + "); " + all + "old_[j_] = " + e + "; " + all + e +
                     " = old_[(j_ + 1) % " + n + "];",
                 y + " is written one place too early", Kind::index);
            line("std::vector<T> old_(" + n + "); " + all + "old_[j_] = " + e + "; " + all + e +
                     " = old_[(j_ + " + n + " - 1) % " + n + "];",
                 y + " is written one place too late", Kind::index);
            line(all + e + " = " + y + ".data()[first_];", "all of " + y + " are like the first",
                 Kind::index);
        }
        if (rank >= 2) {
            const std::string p = y + ".size(" + std::to_string(rank - 2) + ")",
                              q = y + ".size(" + std::to_string(rank - 1) + ")";
            output_as(output,
                      "std::vector<T> old_(" + y + ".count()); " + each + "old_[k_] = " + v + "; " + each +
                          v + " = old_[k_ / (" + p + " * " + q + ") * (" + p + " * " + q + ") + k_ % " + p +
                          " * " + q + " + k_ / " + p + " % " + q + "];",
                      "the memory of " + y + " is written in the order of its transpose", Kind::index);
        }
    }
}

/// The function sees its matrices in another shape: rows as columns, or the whole matrix as one row.
void Generator::other_shapes() {
    std::vector<const Symbol*> matrices;
    for (const Symbol& symbol : function_.symbols)
        if (symbol.from == 0 && symbol.type.base == Base::view && symbol.word >= 0) {
            if (symbol.type.rank != 2) return;
            matrices.push_back(&symbol);
        }
    if (matrices.size() < 2) return;
    const auto add_shape = [&](bool transposed, const std::string& said) {
        std::string made, back;
        std::vector<SystematicEdit::Change> changes;
        for (const Symbol* const matrix : matrices) {
            const std::string x = name_of(*matrix), other = x + "_other", rows = x + ".size(0)",
                              columns = x + ".size(1)";
            const std::string type = view_type(*matrix, matrix->type.constant);
            const std::string loop =
                "for (int i_ = 0; i_ < " + rows + "; ++i_) for (int j_ = 0; j_ < " + columns + "; ++j_) ";
            if (transposed) {
                made += vector_type(*matrix) + " " + other + "_values(" + x + ".count()); ";
                made += loop + other + "_values[j_ * " + rows + " + i_] = " + x + "(i_, j_); ";
                made += "const " + type + " " + other + "(" + other + "_values.data(), " + columns + ", " +
                        rows + "); ";
                if (!matrix->type.constant)
                    back += loop + x + "(i_, j_) = " + other + "_values[j_ * " + rows + " + i_]; ";
            } else {
                made += "const " + type + " " + other + "(" + x + ".data(), 1, " + x + ".count()); ";
            }
            for (int token = 1; token < static_cast<int>(function_.body.size()); ++token)
                if (function_.body[static_cast<std::size_t>(token)].id == matrix->word)
                    changes.push_back({token, token + 1, other});
        }
        changes.push_back({1, 1, made});
        const int end = static_cast<int>(function_.body.size()) - 1;
        changes.push_back({end, end, back});
        std::ranges::stable_sort(changes, {}, &SystematicEdit::Change::first);
        add_changes(std::move(changes), Kind::index, said);
    };
    add_shape(true, "rows and columns are exchanged: what belongs to each row is done for each column");
    add_shape(false, "the whole matrix is taken for one row");
}

/// Scores that a mask hides get a number, and then all of them count.
void Generator::fill_under_mask() {
    const auto is_input = [](const Symbol& symbol) {
        return symbol.from == 0 && symbol.type.base == Base::view && symbol.type.constant && symbol.word >= 0;
    };
    for (const Symbol& mask : function_.symbols) {
        if (!is_input(mask) || mask.type.element != Element::byte) continue;
        for (const Symbol& output : function_.symbols) {
            // Everything counts, and the output is set to 0 under the mask at the end.
            if (output.from != 0 || output.type.base != Base::view || output.type.constant ||
                output.type.element != Element::real || output.type.rank != mask.type.rank)
                continue;
            const std::string m = name_of(mask), y = name_of(output);
            std::vector<SystematicEdit::Change> changes;
            changes.push_back({1, 1,
                               "std::vector<std::uint8_t> open_(" + m + ".count()); for (int k_ = 0; k_ < " +
                                   m + ".count(); ++k_) open_[k_] = 1; const " + view_type(mask, true) + " " +
                                   m + "_open(open_.data()" + lengths(m, mask.type.rank) + ");"});
            for (int token = 1; token < static_cast<int>(function_.body.size()); ++token)
                if (function_.body[static_cast<std::size_t>(token)].id == mask.word)
                    changes.push_back({token, token + 1, m + "_open"});
            const int end = static_cast<int>(function_.body.size()) - 1;
            changes.push_back({end, end,
                               "if (" + y + ".count() == " + m + ".count()) for (int k_ = 0; k_ < " + y +
                                   ".count(); ++k_) " + y + ".data()[k_] *= T(" + m + ".data()[k_]);"});
            add_changes(std::move(changes), Kind::order,
                        m + " is applied to " + y + " at the end only, when all have been counted");
        }
        for (const Symbol& scores : function_.symbols) {
            if (!is_input(scores) || scores.type.element != Element::real ||
                scores.type.rank != mask.type.rank)
                continue;
            const std::string x = name_of(scores), m = name_of(mask),
                              last = std::to_string(mask.type.rank - 1);
            const std::string any = "int any_ = 0; for (int j_ = 0; j_ < " + m + ".size(" + last +
                                    "); ++j_) any_ += " + m + ".data()[k_ / " + m + ".size(" + last + ") * " +
                                    m + ".size(" + last + ") + j_]; ";
            for (const bool empty_rows_too : {true, false}) {
                for (const char* const fill :
                     {"-1000000000", "-65504", "-20000", "-10000", "-1000", "-100", "-50", "-10", "-1", "0",
                      "0.000001", "X + M", "X * M", "X - 10000", "X - 1000000000"}) {
                    const std::string text = fill, value = x + ".data()[k_]", allowed = m + ".data()[k_]";
                    const std::string filled =
                        text == "X + M"   ? value + " + T(" + allowed + ")"
                        : text == "X * M" ? value + " * T(" + allowed + ")"
                                          : allowed + " ? " + value + " : " +
                                                (text[0] == 'X' ? value + text.substr(1) : "T(" + text + ")");
                    const std::string made =
                        "std::vector<T> filled_(" + x + ".count()); std::vector<std::uint8_t> open_(" + m +
                        ".count()); for (int k_ = 0; k_ < " + x + ".count(); ++k_) { " +
                        (empty_rows_too ? "open_[k_] = 1; " : any + "open_[k_] = any_ > 0 ? 1 : 0; ") +
                        "filled_[k_] = " + filled + "; } const " + view_type(scores, true) + " " + x +
                        "_filled(filled_.data()" + lengths(x, scores.type.rank) + "); const " +
                        view_type(mask, true) + " " + m + "_open(open_.data()" + lengths(m, mask.type.rank) +
                        ");";
                    std::vector<SystematicEdit::Change> changes{{1, 1, made}};
                    for (int token = 1; token < static_cast<int>(function_.body.size()); ++token) {
                        if (function_.body[static_cast<std::size_t>(token)].id == scores.word)
                            changes.push_back({token, token + 1, x + "_filled"});
                        if (function_.body[static_cast<std::size_t>(token)].id == mask.word)
                            changes.push_back({token, token + 1, m + "_open"});
                    }
                    const std::string said =
                        text == "X + M"   ? m + " is added to the scores"
                        : text == "X * M" ? "the scores are multiplied by " + m
                        : text[0] == 'X'  ? "masked scores are lowered by " + text.substr(4)
                        : text.size() > 4
                            ? "masked scores are set to a low number, such as " + text
                            : "masked scores are set to a number that is not low enough, such as " + text;
                    add_changes(std::move(changes), Kind::condition,
                                said + (empty_rows_too ? "" : ", and rows without any allowed score are 0"));
                }
            }
        }
    }
}

}  // namespace attn::edits
