#pragma once
/// A page about a model, as plain values: what it reads or writes, where it looked, and how it learned.
/// The functions at the end and the page (page/) only show them.

#include <string>
#include <string_view>
#include <vector>

namespace attn::trained {

/// A line of a chart.
struct Curve {
    std::string name;
    std::vector<double> x, y;
};

/// A height that matters in a chart: "0.1735: the least possible".
struct Level {
    double value = 0;
    std::string text;
};

struct Chart {
    std::string title, x_name, y_name;
    std::vector<Curve> curves;
    std::vector<Level> levels;
};

/// A matrix of weights 0 .. 1 with a word for each row and column.
struct WeightMap {
    std::string title;
    std::vector<std::string> rows, columns;
    std::vector<double> weights;  ///< row by row
};

/// The probability of each word of a vocabulary.
struct WordBars {
    std::string title;  ///< the text that they follow
    std::vector<std::string> words;
    std::vector<double> probabilities;
};

/// A small grey image, what was read in it, and how much was looked at each of its patches.
struct ReadImage {
    int height = 0, width = 0;
    std::vector<double> ink;     ///< 0 .. 1, row by row from the top
    int patch = 1;               ///< pixels along the side of a patch
    std::vector<double> looked;  ///< a weight for each patch, row by row
    std::string caption;         ///< "read 3, written 5"
    bool right = true;
    bool starts_row = false;  ///< whether it stands below the images before it
};

/// A text, in which what follows `given` was written by the model.
struct Sample {
    std::string given, written;
    std::string note;  ///< "right", "1997-03-12 is right"
    bool right = true;
};

struct Section {
    std::string title;
    std::vector<std::string> text;  ///< paragraphs
    std::vector<Chart> charts = {};
    std::vector<ReadImage> images = {};
    int columns = 0;  ///< of images side by side; 0: as many as fit
    std::vector<WeightMap> maps = {};
    std::vector<Sample> samples = {};
    std::vector<WordBars> bars = {};
};

/// Whose version of a function computed what the page shows.
struct UsedFunction {
    std::string function;
    int assignment = 0;
    bool students = false;
    std::string note;    ///< why the reference's replaced the student's: "not written yet"; or what is wrong
    bool wrong = false;  ///< an output differs from the reference's on the same inputs
};

struct ModelPage {
    std::string title;
    std::string verdict;  ///< the result in a sentence
    bool good = true;     ///< whether the verdict is as it should be
    std::vector<Section> sections;
    std::vector<UsedFunction> origins;
    std::vector<std::string> notes;  ///< about the model: how it was trained, with its figures
};

/// Each character of a text as it is drawn; a space is an open box.
std::vector<std::string> letters_of(const std::string& text);

/// The words of a text, which blanks part.
std::vector<std::string> words_of(const std::string& text);

/// The page as JSON that is safe inside of HTML. NaN and infinity become null.
std::string to_json(const ModelPage& page);

/// The page as one HTML file that loads nothing else.
std::string to_html(const ModelPage& page);

/// The text of that file before and after its JSON. The build assembles it from grader/models/page/ and, for what
/// it shares with a report's page, from grader/report/page/.

}  // namespace attn::trained
