#pragma once
/// Data for the pictures of wrong outputs, as plain values.

#include <optional>
#include <string>
#include <vector>

namespace attn::report {

/// An array to show in a report.
struct Tensor {
    std::string name;
    std::vector<int> shape;
    std::vector<double> values;  ///< row-major
};

/// Where the errors of an array are. Each matrix of its last two axes is divided into cells; a cell holds the
/// largest error of its elements.
struct ErrorMap {
    /// Lengths of the axes before the last two; their product is the number of matrices.
    std::vector<int> slices;
    int rows = 0, columns = 0;  ///< cells of each matrix
    int rows_per_cell = 1, columns_per_cell = 1;
    /// [slices.., rows, columns], relative to the allowed error: above 1 is wrong.
    std::vector<double> errors;
};

/// A line across a curve, at a value that means something.
struct Level {
    double value = 0;
    std::string name;
};

/// What is drawn beside a curve: lines across it.
struct Curve {
    std::vector<Level> levels;
};

/// A matrix of an output, or a window around its worst element, and the expected values.
struct Picture {
    std::string array;
    std::vector<std::string> letters;  ///< of all axes: "B", "N_q", "N_k"
    std::vector<int> shape;            ///< of the whole array
    std::vector<int> slice;            ///< which matrix is shown: an index into the axes before the last two
    int first_row = 0, first_column = 0;
    Tensor yours, expected;  ///< [rows, columns], from first_row and first_column on
    std::vector<std::string> row_words, column_words;  ///< a token for each row and column, or empty
    ErrorMap map;                        ///< of the whole array; without cells if the picture judges nothing
    std::optional<Curve> curve;          ///< of a vector that is drawn as a curve
    std::vector<std::string> sentences;  ///< what the picture shows
};

/// A photograph that was cut into patches, and the error of each patch.
struct Photograph {
    Tensor pixels;                ///< [H, W, 3]: red, green, blue, 0 to 255
    int patch = 0;                ///< the side of a patch
    std::string array;            ///< the array whose rows are the patches
    std::vector<double> errors;   ///< by patch, row by row, relative to the allowed error: above 1 is wrong
    std::vector<double> weights;  ///< of attention, by patch; empty if the array has none
};

}  // namespace attn::report
