#pragma once
/// What is drawn of an output that is wrong, as plain values.

#include <string>
#include <vector>

namespace attn::report {

/// An array as people are shown it.
struct Tensor {
    std::string name;
    std::vector<int> shape;
    std::vector<double> values;  ///< row-major
};

/// Where in an array the errors are. The matrices of its last two axes are cut into cells, of which each
/// shows the largest error in it.
struct ErrorMap {
    std::vector<int> slices;    ///< lengths of the axes before the last two: so many matrices
    int rows = 0, columns = 0;  ///< cells of each matrix
    int rows_per_cell = 1, columns_per_cell = 1;
    std::vector<double> errors;  ///< [slices.., rows, columns] in units of what is allowed: above 1 is wrong
};

/// A matrix of an output, or what there is around its worst element, beside the one that is due.
struct Picture {
    std::string array;
    std::vector<std::string> letters;  ///< of all axes: "B", "N_q", "N_k"
    std::vector<int> shape;            ///< of the whole array
    std::vector<int> slice;            ///< which matrix of the last two axes: an index into the axes before
    int first_row = 0, first_column = 0;
    Tensor yours, expected;                            ///< [rows, columns], from there on
    std::vector<std::string> row_words, column_words;  ///< a token for each row, column; or empty
    ErrorMap map;                                      ///< of the whole array
};

/// A photograph that was cut into patches, and which of them are wrong.
struct Photograph {
    Tensor pixels;               ///< [H, W, 3]: red, green, blue, 0 to 255
    int patch = 0;               ///< the side of a patch
    std::string array;           ///< whose rows are the patches
    std::vector<double> errors;  ///< by patch, row by row, in units of what is allowed: above 1 is wrong
};

}  // namespace attn::report
