#pragma once
/// The tables of array_edits.cpp: what is read or written instead of an array, as texts with placeholders. $ and a letter
/// stands for the text of this letter.

#include "grader/edits/systematic.h"

namespace attn::edits {

/// A new value, or statements, and what is said of the edit.
struct ArrayChange {
    const char *text, *said;
    Kind kind;
};

// In all tables: X is the array; x its element number k_.
inline constexpr ArrayChange kNumbersRead[] = {
    {"0", "$X is taken as 0", Kind::missing},
    {"1", "$X is taken as 1", Kind::missing},
    {"-$x", "$X has the wrong sign", Kind::operation},
    {"2 * $x", "$X is doubled", Kind::extra},
    {"$x / 2", "$X is halved", Kind::extra},
    {"std::abs($x)", "the absolute value of $X is taken", Kind::operation},
    {"$x * $x", "$X is squared", Kind::operation},
    {"$x / 255", "$X is divided by 255", Kind::extra},
    {"std::round($x)", "$X is rounded", Kind::operation},
    {"std::exp($x)", "exp of $X is taken", Kind::extra},
    {"std::tanh($x)", "tanh of $X is taken", Kind::extra},
    {"1 + $x", "1 is added to $X", Kind::extra},
};
// c, r: the column and the row of the element.
inline constexpr ArrayChange kMaskRead[] = {
    {"1 - $x", "0 and 1 are exchanged in $X", Kind::condition},
    {"1", "$X is taken as 1 everywhere", Kind::missing},
    {"0", "$X is taken as 0 everywhere", Kind::missing},
    {"$c == 0 ? 1 : $x", "column 0 of $X is taken as 1", Kind::condition},
};
inline constexpr ArrayChange kSquareMaskRead[] = {
    {"$r == $c ? 1 : $x", "the diagonal of $X is taken as 1", Kind::condition},
    {"$c > $r ? 0 : $x", "keys after the query count as masked in $X", Kind::condition},
};
/// Statements that fill one row of what is read instead. R: element j_ of the row; W: what is read; a: the loop over j_.
struct RowRead {
    const char *text, *said;
};
inline constexpr RowRead kRowsRead[] = {
    {"int n_ = 0; $an_ += $R != 0 ? 1 : 0; $a$W = j_ < n_ ? 1 : 0;",
     "the ones of each row of $X are counted and taken as its first elements"},
    {"int n_ = 0; $an_ += $R != 0 ? 1 : 0; $a$W = j_ >= $q - n_ ? 1 : 0;",
     "the ones of each row of $X are counted and taken as its last elements"},
    {"int n_ = 1; $a{ if ($R == 0) n_ = 0; $W = n_; }",
     "the first 0 in a row of $X hides everything after it"},
    {"int n_ = 0; for (int j_ = $q - 1; j_ >= 0; --j_) { if ($R != 0) n_ = 1; $W = n_; }",
     "only the zeros at the end of a row of $X count"},
};
// d: which axis, in words; n: its length; s: the distance of its elements in memory; i: the element's index. The text is the index of
// the element that is read instead.
inline constexpr ArrayChange kIndexRead[] = {
    {"$n - 1 - $i", "$X is read backwards along its $d axis", Kind::index},
    {"($i + 1) % $n", "$X is read one place too late along its $d axis, in a circle", Kind::index},
    {"($i + $n - 1) % $n", "$X is read one place too early along its $d axis, in a circle", Kind::index},
    {"0", "only index 0 of $X is read along its $d axis", Kind::index},
    {"($n - 1)", "only the last index of $X is read along its $d axis", Kind::index},
};
// p, q: the lengths of the last two axes.
inline constexpr ArrayChange kMatrixRead[] = {
    {"$X.data()[k_ / ($p * $q) * ($p * $q) + std::min($c, $p - 1) * $q + std::min($r, $q - 1)]",
     "$X is read with its last two indices exchanged", Kind::index},
    {"$X.data()[k_ / ($p * $q) * ($p * $q) + k_ % $q * $p + k_ / $q % $p]",
     "the memory of $X is read as that of its transpose", Kind::index},
};

// m, n: the lengths of the first two axes; s: the distance of the elements of the second one.
inline constexpr ArrayChange kFirstAxesRead = {
    "$X.data()[(k_ / $s % $n * $m + k_ / ($n * $s)) * $s + k_ % $s]",
    "the memory of $X is read with its first two axes exchanged", Kind::index};

// What is written instead of each element.
inline constexpr ArrayChange kNumbersWritten[] = {
    {"-$x", "$X has the wrong sign", Kind::operation},
    {"2 * $x", "$X is doubled", Kind::extra},
    {"$x / 2", "$X is halved", Kind::extra},
    {"std::abs($x)", "the absolute value of $X is taken", Kind::extra},
    {"0", "$X is 0", Kind::missing},
    {"std::tanh($x)", "tanh of $X is taken at the end", Kind::extra},
    {"1 / (1 + std::exp(-$x))", "the sigmoid of $X is taken at the end", Kind::extra},
    {"std::exp($x)", "exp of $X is taken at the end", Kind::extra},
    {"std::log($x)", "log of $X is taken at the end", Kind::extra},
    {"std::max(T(0), $x)", "values of $X below 0 become 0", Kind::extra},
    {"std::round($x * 100) / 100", "$X is rounded to two decimals", Kind::operation},
    {"std::round($x * 10000) / 10000", "$X is rounded to four decimals", Kind::operation},
    {"std::round($x)", "$X is rounded", Kind::operation},
    {"$x / 255", "$X is divided by 255", Kind::extra},
};
// n: a size, as code; N: the same size, as a formula.
inline constexpr ArrayChange kSizesWritten[] = {
    {"$x / T($n)", "$X is divided by $N", Kind::extra},
    {"$x * T($n)", "$X is multiplied by $N", Kind::extra},
    {"$x / std::sqrt(T($n))", "$X is divided by sqrt($N)", Kind::extra},
};
// Z: an input of as many numbers. The text stands between the element and the end of the statement.
inline constexpr ArrayChange kInputsWritten[] = {
    {" += $Z.data()[k_]", "$Z is added to $X at the end", Kind::extra},
    {" -= $Z.data()[k_]", "$Z is subtracted from $X at the end", Kind::extra},
    {" *= $Z.data()[k_]", "$X is multiplied by $Z at the end", Kind::extra},
    {" = $Z.data()[k_]", "$X is a copy of $Z", Kind::missing},
};
// M: a mask with as many rows; q: the length of its rows; p: that of the array's rows.
inline constexpr ArrayChange kCountWritten = {
    "int n_ = 0; for (int j_ = 0; j_ < $q; ++j_) n_ += $M.data()[k_ / $p * $q + j_] != 0 ? 1 : 0; if (n_ > "
    "0) $x /= "
    "T(n_);",
    "$X is divided by the number of ones in its row of $M", Kind::extra};
// One line along an axis. a: the loop over it; y: its element j_; f: its first element; o: a copy of the line.
inline constexpr ArrayChange kLinesWritten[] = {
    {"T sum_ = 0; $asum_ += $y; $a$y /= sum_;", "$X is divided by its sums", Kind::extra},
    {"T m_ = $f; T sum_ = 0; $am_ = std::max(m_, $y); $asum_ += $y = std::exp($y - m_); $a$y /= sum_;",
     "a softmax of $X is taken", Kind::extra},
    {"for (int j_ = 1; j_ < $n; ++j_) $y += $X.data()[first_ + (j_ - 1) * $s];", "$X is a running sum",
     Kind::extra},
    {"int best_ = 0; for (int j_ = 1; j_ < $n; ++j_) if ($y > $X.data()[first_ + best_ * $s]) best_ = j_; "
     "$a$y = j_ == best_ ? 1 : 0;",
     "the largest of $X becomes 1 and the others 0", Kind::operation},
    {"T sum_ = 0; $asum_ += $y; $a$y = sum_ / T($n);", "the mean of $X is taken", Kind::extra},
    {"T sum_ = 0; $asum_ += $y * $y; $a$y /= std::sqrt(sum_);", "$X is divided by its Euclidean norm",
     Kind::extra},
    {"$o$a$y = old_[$n - 1 - j_];", "$X is written in reverse order", Kind::index},
    {"$o$a$y = old_[(j_ + 1) % $n];", "$X is written one place too early", Kind::index},
    {"$o$a$y = old_[(j_ + $n - 1) % $n];", "$X is written one place too late", Kind::index},
    {"$a$y = $f;", "$X has the value of index 0 everywhere", Kind::index},
};
inline constexpr ArrayChange kMatrixWritten = {
    "std::vector<T> old_($X.count()); $eold_[k_] = $x; $e$x = old_[k_ / ($p * $q) * ($p * $q) + k_ % $p * $q "
    "+ "
    "k_ / $p % $q];",
    "the memory of $X is written in the order of its transpose", Kind::index};

}  // namespace attn::edits
