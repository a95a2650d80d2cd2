// The systematic edits of whole arrays: what comes in, and what goes out.

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "grader/edits/array_tables.h"
#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

/// What the placeholders of a text stand for. These texts may have placeholders, too.
using Texts = std::map<char, std::string>;

std::string filled(const std::string& text, const Texts& texts) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at)
        result += text[at] == '$' ? filled(texts.at(text[++at]), texts) : std::string(1, text[at]);
    return result;
}

const char* element_type(const Symbol& array) {
    return array.type.element == Element::real   ? "T"
           : array.type.element == Element::byte ? "std::uint8_t"
                                                 : "int";
}

std::string view_type(const Symbol& array, bool constant) {
    return std::string("TensorView<") + (constant ? "const " : "") + element_type(array) + ", " +
           std::to_string(array.type.rank) + ">";
}

/// The elements along an axis have this distance in memory.
std::string stride(const std::string& name, int axis, int rank) {
    std::string text = "1";
    for (int later = axis + 1; later < rank; ++later)
        text += " * " + name + ".size(" + std::to_string(later) + ")";
    return text;
}

/// v, t: the types of a vector and of a view with its numbers; l: its lengths as arguments.
Texts texts_of(const std::string& name, const Symbol& array) {
    return {{'X', name},
            {'x', "$X.data()[k_]"},
            {'e', "for (int k_ = 0; k_ < $X.count(); ++k_) "},
            {'v', std::string("std::vector<") + element_type(array) + ">"},
            {'t', view_type(array, true)},
            {'l', lengths(name, array.type.rank)}};
}

std::string length(int axis) {
    return "$X.size(" + std::to_string(axis) + ")";
}

void add_axis(Texts& texts, int axis, int rank) {
    constexpr std::array kOrdinals{"first", "second", "third", "fourth"};
    texts['d'] =
        axis + 1 == rank ? (rank == 1 ? "only" : "last") : kOrdinals.at(static_cast<std::size_t>(axis));
    texts['n'] = length(axis);
    texts['s'] = "(" + stride(texts.at('X'), axis, rank) + ")";
    texts['i'] = "(k_ / $s % $n)";
}

void add_matrix(Texts& texts, int rank) {
    texts['p'] = length(rank - 2);
    texts['q'] = length(rank - 1);
    texts['c'] = "k_ % $q";
    texts['r'] = "k_ / $q % $p";
}

/// A parameter, or a member of one.
bool is_array(const Symbol& symbol, bool input, Element element) {
    return symbol.from == 0 && symbol.type.base == Base::view && symbol.type.constant == input &&
           symbol.type.element == element;
}

bool is_parameter(const Symbol& symbol, bool input, Element element) {
    return symbol.word >= 0 && is_array(symbol, input, element);
}

}  // namespace

std::string lengths(const std::string& name, int rank) {
    std::string text;
    for (int axis = 0; axis < rank; ++axis) text += ", " + name + ".size(" + std::to_string(axis) + ")";
    return text;
}

/// The function reads other numbers: element k_ of the array is `value`.
void Generator::input_as(const Symbol& input, const std::string& value, const std::string& said, Kind kind) {
    Texts texts = texts_of(name_of(input), input);
    texts['='] = value;
    input_filled_by(input, filled("$e$X_read_values[k_] = $=;", texts), said, kind);
}

/// The function reads what the statement writes to NAME_read_values.
void Generator::input_filled_by(const Symbol& input, const std::string& statement, const std::string& said,
                                Kind kind) {
    Texts texts = texts_of(name_of(input), input);
    texts['='] = statement;
    const std::string made = filled(
        "$v $X_read_values($X.count()); if ($X) { $= } const $t $X_read = $X ? $t($X_read_values.data()$l) : "
        "$X;",
        texts);
    std::vector<SystematicEdit::Change> changes{{1, 1, made}};
    for (int token = 1; token < end(); ++token)
        if (function_.body[static_cast<std::size_t>(token)].id == input.word &&
            function_.body[static_cast<std::size_t>(token) - 1].id != known::dot)
            changes.push_back({token, token + 1, name_of(input) + "_read"});
    if (changes.size() > 1) add_changes(std::move(changes), kind, said, name_of(input));
}

void Generator::inputs() {
    for (const Symbol& input : function_.symbols) {
        if (!is_parameter(input, true, Element::real) && !is_parameter(input, true, Element::byte)) continue;
        const int rank = input.type.rank;
        Texts texts = texts_of(name_of(input), input);
        const auto add_all = [&](std::span<const ArrayChange> changes) {
            for (const ArrayChange& change : changes)
                input_as(input, filled(change.text, texts), filled(change.said, texts), change.kind);
        };
        if (input.type.element == Element::real) {
            add_all(kNumbersRead);
        } else {
            add_matrix(texts, rank);
            add_all(kMaskRead);
            if (rank >= 2) add_all(kSquareMaskRead);
            texts['R'] = "$X.data()[r_ * $q + j_]";
            texts['W'] = "$X_read_values[r_ * $q + j_]";
            texts['a'] = "for (int j_ = 0; j_ < $q; ++j_) ";
            for (const RowRead& row : kRowsRead) {
                texts['='] = row.text;
                input_filled_by(input, filled("for (int r_ = 0; r_ < $X.count() / $q; ++r_) { $= }", texts),
                                filled(row.said, texts), Kind::condition);
            }
        }
        for (int axis = 0; axis < rank; ++axis) {
            add_axis(texts, axis, rank);
            for (const ArrayChange& change : kIndexRead) {
                texts['j'] = change.text;
                input_as(input, filled("$X.data()[k_ + ($j - $i) * $s]", texts), filled(change.said, texts),
                         change.kind);
            }
        }
        add_matrix(texts, rank);
        if (rank >= 2) add_all(kMatrixRead);
        if (rank >= 3) {
            add_axis(texts, 1, rank);
            texts['m'] = length(0);
            add_all({&kFirstAxesRead, 1});
        }
    }
}

void Generator::output_as(const Symbol& output, const std::string& statements, const std::string& said,
                          Kind kind) {
    add_changes({{end(), end(), "if (" + name_of(output) + ") { " + statements + " }"}}, kind, said,
                name_of(output), true);
}

void Generator::outputs() {
    for (const Symbol& output : function_.symbols) {
        if (!is_parameter(output, false, Element::real)) continue;
        const int rank = output.type.rank;
        Texts texts = texts_of(name_of(output), output);
        // `around`: the statements, in which $= is the text of the change.
        const auto add_all = [&](std::span<const ArrayChange> changes, const std::string& around,
                                 const std::string& along = "") {
            for (const ArrayChange& change : changes) {
                texts['='] = change.text;
                output_as(output, filled(around, texts), filled(change.said + along, texts), change.kind);
            }
        };
        add_all(kNumbersWritten, "$e$x = $=;");
        for (const std::string& size : sizes(end())) {
            texts['n'] = size;
            texts['N'] = as_formula(size);
            add_all(kSizesWritten, "$e$x = $=;");
        }
        for (const Symbol& input : function_.symbols) {
            if (!is_parameter(input, true, Element::real)) continue;
            texts['Z'] = name_of(input);
            add_all(kInputsWritten, "if ($Z.count() == $X.count()) $e$x$=;");
        }
        for (const Symbol& mask : function_.symbols) {
            if (!is_parameter(mask, true, Element::byte)) continue;
            texts['M'] = name_of(mask);
            texts['p'] = length(rank - 1);
            texts['q'] = "$M.size(" + std::to_string(mask.type.rank - 1) + ")";
            add_all({&kCountWritten, 1}, "if ($M && $M.count() * $p == $X.count() * $q) $e{ $= }");
        }
        texts['a'] = "for (int j_ = 0; j_ < $n; ++j_) ";
        texts['y'] = "$X.data()[first_ + j_ * $s]";
        texts['f'] = "$X.data()[first_]";
        texts['o'] = "std::vector<T> old_($n); $aold_[j_] = $y; ";
        for (int axis = 0; axis < rank; ++axis) {
            add_axis(texts, axis, rank);
            // o_ runs over the lines, j_ along each of them.
            add_all(
                kLinesWritten,
                "for (int o_ = 0; o_ < $X.count() / $n; ++o_) { const int first_ = o_ / $s * $s * $n + o_ "
                "% $s; $= }",
                " along its $d axis");
        }
        add_matrix(texts, rank);
        if (rank >= 2) add_all({&kMatrixWritten, 1}, "$=");
    }
}

/// Adds the changes that put another name in place of `array`.
void Generator::rename(const Symbol& array, const std::string& other,
                       std::vector<SystematicEdit::Change>& changes) const {
    for (int token = 1; token < end(); ++token)
        if (function_.body[static_cast<std::size_t>(token)].id == array.word)
            changes.push_back({token, token + 1, other});
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
    const auto add_shape = [&](const char* made, const char* back, const char* said) {
        std::string first, last;
        std::vector<SystematicEdit::Change> changes;
        for (const Symbol* const matrix : matrices) {
            Texts texts = texts_of(name_of(*matrix), *matrix);
            texts['t'] = view_type(*matrix, matrix->type.constant);
            texts['a'] = "for (int i_ = 0; i_ < $X.size(0); ++i_) for (int j_ = 0; j_ < $X.size(1); ++j_) ";
            first += filled(made, texts);
            if (!matrix->type.constant) last += filled(back, texts);
            rename(*matrix, filled("$X_other", texts), changes);
        }
        changes.push_back({1, 1, first});
        changes.push_back({end(), end(), last});
        std::ranges::stable_sort(changes, {}, &SystematicEdit::Change::first);
        add_changes(std::move(changes), Kind::index, said);
    };
    add_shape(
        "$v $X_other_values($X.count()); $a$X_other_values[j_ * $X.size(0) + i_] = $X(i_, j_); const $t "
        "$X_other($X_other_values.data(), $X.size(1), $X.size(0)); ",
        "$a$X(i_, j_) = $X_other_values[j_ * $X.size(0) + i_]; ",
        "each column is treated as each row should be");
    add_shape("const $t $X_other($X.data(), 1, $X.count()); ", "", "the whole matrix is treated as one row");
}

/// The results are written to the input while it is still read.
void Generator::written_over_input() {
    for (const Symbol& output : function_.symbols) {
        if (!is_parameter(output, false, Element::real)) continue;
        for (const Symbol& input : function_.symbols) {
            if (!is_parameter(input, true, Element::real) || input.type.rank != output.type.rank) continue;
            Texts texts = texts_of(name_of(output), output);
            texts['Z'] = name_of(input);
            std::vector<SystematicEdit::Change> changes{
                {1, 1, filled("if ($X.count() == $Z.count()) $e$x = $Z.data()[k_];", texts)}};
            rename(input, name_of(output), changes);
            if (changes.size() > 1)
                add_changes(std::move(changes), Kind::order,
                            filled("$X is written over $Z while $Z is still read", texts));
        }
    }
}

/// Everything counts, and the output is set to 0 under the mask at the end.
void Generator::mask_at_the_end(const Symbol& mask, const Symbol& output) {
    Texts texts = texts_of(name_of(mask), mask);
    texts['Y'] = name_of(output);
    std::vector<SystematicEdit::Change> changes{{1, 1,
                                                 filled("std::vector<std::uint8_t> open_($X.count()); "
                                                        "$eopen_[k_] = 1; const $t $X_open(open_.data()$l);",
                                                        texts)}};
    rename(mask, filled("$X_open", texts), changes);
    changes.push_back({end(), end(),
                       filled("if ($Y.count() == $X.count()) for (int k_ = 0; k_ < $Y.count(); ++k_) "
                              "$Y.data()[k_] *= T($x);",
                              texts)});
    add_changes(std::move(changes), Kind::order,
                filled("$X is applied to $Y at the end only, when all have been counted", texts));
}

/// Scores that a mask hides get a number, and then all of them count.
void Generator::fill_scores(const Symbol& mask, const Symbol& scores) {
    // M: the mask; m: its element; f: the number that is set.
    constexpr const char *kLow = "masked scores are set to a low number, such as $f",
                         *kNotLow = "masked scores are set to a number that is not low enough, such as $f",
                         *kLowered = "masked scores are lowered by $f";
    struct Fill {
        const char *number, *score, *said;
    };
    static constexpr Fill kFills[] = {{"-1000000000", "$m ? $x : T($f)", kLow},
                                      {"-65504", "$m ? $x : T($f)", kLow},
                                      {"-20000", "$m ? $x : T($f)", kLow},
                                      {"-10000", "$m ? $x : T($f)", kLow},
                                      {"-1000", "$m ? $x : T($f)", kLow},
                                      {"-100", "$m ? $x : T($f)", kNotLow},
                                      {"-50", "$m ? $x : T($f)", kNotLow},
                                      {"-10", "$m ? $x : T($f)", kNotLow},
                                      {"-1", "$m ? $x : T($f)", kNotLow},
                                      {"0", "$m ? $x : T($f)", kNotLow},
                                      {"0.000001", "$m ? $x : T($f)", kLow},
                                      {"", "$x + T($m)", "$M is added to the scores"},
                                      {"", "$x * T($m)", "the scores are multiplied by $M"},
                                      {"10000", "$m ? $x : $x - $f", kLowered},
                                      {"1000000000", "$m ? $x : $x - $f", kLowered}};
    for (const bool empty_rows_too : {true, false})
        for (const Fill& fill : kFills) {
            Texts texts = texts_of(name_of(scores), scores);
            texts['M'] = name_of(mask);
            texts['m'] = "$M.data()[k_]";
            texts['f'] = fill.number;
            texts['='] = fill.score;
            texts['n'] = "$M.size(" + std::to_string(mask.type.rank - 1) + ")";
            texts['k'] = view_type(mask, true);
            texts['L'] = lengths(name_of(mask), mask.type.rank);
            texts['o'] = empty_rows_too
                             ? "open_[k_] = 1; "
                             : "int any_ = 0; for (int j_ = 0; j_ < $n; ++j_) any_ += $M.data()[k_ / "
                               "$n * $n + j_]; open_[k_] = any_ > 0 ? 1 : 0; ";
            std::vector<SystematicEdit::Change> changes{
                {1, 1,
                 filled(
                     "std::vector<T> filled_($X.count()); std::vector<std::uint8_t> open_($M.count()); $e{ "
                     "$ofilled_[k_] = $=; } const $t $X_filled(filled_.data()$l); const $k "
                     "$M_open(open_.data()$L);",
                     texts)}};
            rename(scores, filled("$X_filled", texts), changes);
            rename(mask, filled("$M_open", texts), changes);
            std::ranges::stable_sort(changes, {}, &SystematicEdit::Change::first);
            add_changes(std::move(changes), Kind::condition,
                        filled(fill.said, texts) +
                            (empty_rows_too ? "" : ", and rows without any allowed score are 0"));
        }
}

void Generator::fill_under_mask() {
    for (const Symbol& mask : function_.symbols) {
        if (!is_parameter(mask, true, Element::byte)) continue;
        for (const Symbol& output : function_.symbols)
            if (is_array(output, false, Element::real) && output.type.rank == mask.type.rank)
                mask_at_the_end(mask, output);
        for (const Symbol& scores : function_.symbols)
            if (is_parameter(scores, true, Element::real) && scores.type.rank == mask.type.rank)
                fill_scores(mask, scores);
    }
}

}  // namespace attn::edits
