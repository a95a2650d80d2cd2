#include "grader/diagnosis/make_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/judge/locate.h"

namespace attn::diagnosis {
namespace {

constexpr int kMostRows = 48, kMostColumns = 48;  // in a picture
constexpr int kMostPoints = 1024;                 // of a curve
constexpr int kMostCells = 32;                    // in a map of errors, along an axis
constexpr int kMostMatrices = 64;                 // in a map of errors
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rounds to `digits` digits, because more digits only make a report larger.
double rounded(double value, int digits) {
    return std::isfinite(value) ? std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr) : value;
}

/// An output of the student with the expected one.
struct Output {
    const Array& got;
    const Array& expected;
    judge::Comparison comparison;
    std::vector<std::string> letters;

    int axis(int from_the_end) const {
        const auto rank = static_cast<int>(got.shape.size());
        return from_the_end <= rank ? got.shape[static_cast<std::size_t>(rank - from_the_end)] : 1;
    }
    int rows() const { return axis(2); }
    int columns() const { return axis(1); }
    std::size_t matrix() const {
        return static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns());
    }

    /// The error in units of the allowed error. Infinite if the element is NaN.
    double error_at(std::size_t k) const {
        const double error = std::abs(number_at(got, k) - number_at(expected, k));
        if (std::isnan(error)) return kInfinity;
        return error / std::max(comparison.limit, std::numeric_limits<double>::min());
    }
};

std::vector<Output> outputs_of(const judge::Question& question, const judge::Verdict& verdict) {
    std::vector<Output> outputs;
    if (verdict.got.size() != verdict.units.size()) return outputs;
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        const Array &got = verdict.got[k], &truth = verdict.truth_f64[k];
        const auto& specs = question.function->outputs;
        const auto spec = std::find_if(specs.begin(), specs.end(),
                                       [&got](const ask::TensorSpec& each) { return each.name == got.name; });
        outputs.push_back({got, truth,
                           judge::compare(got, truth, verdict.units[k], question.allowed_yardsticks),
                           spec->dims});
    }
    return outputs;
}

/// The first index of a window of `most` elements around `centre`, on an axis of this length.
int window(int centre, int length, int most) {
    return std::clamp(centre - most / 2, 0, std::max(0, length - most));
}

report::ErrorMap map_of(const Output& output) {
    report::ErrorMap map;
    const std::size_t matrices = output.got.count() / output.matrix();
    if (matrices > kMostMatrices) return map;
    const auto per_cell = [](int length) { return (length + kMostCells - 1) / kMostCells; };
    const auto cells = [](int length, int each) { return (length + each - 1) / each; };
    if (output.got.shape.size() > 2) map.slices.assign(output.got.shape.begin(), output.got.shape.end() - 2);
    map.rows_per_cell = per_cell(output.rows());
    map.columns_per_cell = per_cell(output.columns());
    map.rows = cells(output.rows(), map.rows_per_cell);
    map.columns = cells(output.columns(), map.columns_per_cell);
    map.errors.assign(matrices * static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns),
                      0);
    for (std::size_t k = 0; k < output.got.count(); ++k) {
        const auto columns = static_cast<std::size_t>(output.columns());
        const std::size_t row = k % output.matrix() / columns, column = k % columns;
        const std::size_t cell = (k / output.matrix() * static_cast<std::size_t>(map.rows) +
                                  row / static_cast<std::size_t>(map.rows_per_cell)) *
                                     static_cast<std::size_t>(map.columns) +
                                 column / static_cast<std::size_t>(map.columns_per_cell);
        map.errors[cell] = std::max(map.errors[cell], rounded(output.error_at(k), 3));
    }
    return map;
}

/// The words along an axis of `length` elements: `shown` of them, from index `first` on. Empty if there are
/// none.
std::vector<std::string> words_along(const ask::Scene& scene, const std::string& letter, int batch,
                                     int length, int first, int shown) {
    const auto found = scene.words.find(letter);
    if (found == scene.words.end() || found->second.empty()) return {};
    const auto& all = found->second[std::min(static_cast<std::size_t>(batch), found->second.size() - 1)];
    if (all.size() != static_cast<std::size_t>(length)) return {};
    return {all.begin() + first, all.begin() + first + shown};
}

report::Picture draw(const Output& output, int most_columns = kMostColumns) {
    const std::vector<int> worst = judge::index_of(output.comparison.worst, output.got.shape);
    const std::size_t rank = worst.size();
    const int rows = std::min(output.rows(), kMostRows), columns = std::min(output.columns(), most_columns);

    report::Picture picture;
    picture.array = output.got.name;
    picture.letters = output.letters;
    picture.shape = output.got.shape;
    if (rank > 2) picture.slice.assign(worst.begin(), worst.end() - 2);
    picture.first_row = window(rank > 1 ? worst[rank - 2] : 0, output.rows(), rows);
    picture.first_column = window(worst[rank - 1], output.columns(), columns);
    picture.yours = {output.got.name, {rows, columns}, {}};
    picture.expected = {output.expected.name, {rows, columns}, {}};
    const std::size_t matrix = output.comparison.worst / output.matrix() * output.matrix();
    for (int i = picture.first_row; i < picture.first_row + rows; ++i) {
        for (int j = picture.first_column; j < picture.first_column + columns; ++j) {
            const std::size_t at = matrix +
                                   static_cast<std::size_t>(i) * static_cast<std::size_t>(output.columns()) +
                                   static_cast<std::size_t>(j);
            picture.yours.values.push_back(rounded(number_at(output.got, at), 6));
            picture.expected.values.push_back(rounded(number_at(output.expected, at), 6));
        }
    }
    picture.map = map_of(output);
    return picture;
}

/// A vector of numbers that follow each other.
report::Picture draw_curve(const Output& output, const judge::Question& question, const Arrays& outputs) {
    report::Picture picture = draw(output, kMostPoints);
    picture.curve.emplace();
    if (!question.recipe->scene) return picture;
    const ask::Scene scene = question.recipe->scene();
    if (const auto found = scene.curves.find(output.got.name); found != scene.curves.end()) {
        for (const auto& [value, name] : found->second.levels) picture.curve->levels.push_back({value, name});
        picture.sentences = found->second.sentences(outputs);
    }
    return picture;
}

/// The products of an output's rows.
report::Picture draw_products(const Output& output, const Array& truth_f32, double allowed_yardsticks) {
    const Array got = ask::products(output.got), expected = ask::products(output.expected);
    const double unit = judge::yardstick_of(expected, ask::products(truth_f32));
    std::vector<std::string> letters = output.letters;
    letters.back() = letters[letters.size() - 2];
    report::Picture picture =
        draw({got, expected, judge::compare(got, expected, unit, allowed_yardsticks), std::move(letters)});
    picture.array = ask::name_of_products(output.got.name);
    return picture;
}

/// The matrices that the recipe draws from the outputs. They show no errors, because they are no check.
void add_drawing(const ask::DrawingRecipe& recipe, const judge::Verdict& verdict,
                 std::vector<report::Picture>& pictures) {
    const auto yours = recipe.make(verdict.inputs, verdict.got),
               expected = recipe.make(verdict.inputs, verdict.truth_f64);
    if (!yours || !expected) return;
    const Shape& shape = yours->matrices.shape;
    const int rows = shape.at(shape.size() - 2), columns = shape.back();
    const auto matrix = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    for (std::size_t first = 0; first < yours->matrices.count(); first += matrix) {
        report::Picture picture;
        picture.array = recipe.name;
        picture.letters = yours->letters;
        picture.shape = shape;
        picture.slice = judge::index_of(first, shape);
        picture.slice.resize(shape.size() - 2);
        picture.yours = picture.expected = {recipe.name, {rows, columns}, {}};
        for (std::size_t k = first; k < first + matrix; ++k) {
            picture.yours.values.push_back(rounded(number_at(yours->matrices, k), 6));
            picture.expected.values.push_back(rounded(number_at(expected->matrices, k), 6));
        }
        picture.row_words = picture.column_words = yours->words;
        if (first == 0) picture.sentences = yours->sentences;
        pictures.push_back(std::move(picture));
    }
}

/// Adds words along the sides of a picture if the inputs of the question are words.
void label(report::Picture& picture, const judge::Question& question) {
    const std::size_t rank = picture.shape.size();
    if (!question.recipe->scene || rank < 2) return;
    const ask::Scene scene = question.recipe->scene();
    const bool one_row = rank == 2 && picture.yours.shape[0] == 1;
    const int batch = one_row ? picture.first_row : picture.slice.empty() ? 0 : picture.slice.front();
    const auto words = [&](std::size_t axis, int first, int shown) {
        return words_along(scene, picture.letters[axis], batch, picture.shape[axis], first, shown);
    };
    picture.row_words = words(rank - 2, picture.first_row, picture.yours.shape[0]);
    picture.column_words = words(rank - 1, picture.first_column, picture.yours.shape[1]);
}

/// Of an output [B, N] whose batches are different sentences: each of them alone.
std::vector<report::Picture> by_sentence(const report::Picture& picture, const judge::Question& question) {
    const ask::Scene scene = question.recipe->scene ? question.recipe->scene() : ask::Scene();
    const auto words = scene.words.find(picture.letters.back());
    if (picture.shape.size() != 2 || words == scene.words.end() || words->second.size() < 2) return {picture};
    std::vector<report::Picture> pictures;
    const auto columns = static_cast<std::ptrdiff_t>(picture.yours.shape[1]);
    for (int row = 0; row < picture.yours.shape[0]; ++row) {
        report::Picture& one = pictures.emplace_back(picture);
        one.first_row += row;
        for (report::Tensor* tensor : {&one.yours, &one.expected}) {
            const auto begin = tensor->values.begin() + row * columns;
            tensor->shape[0] = 1;
            tensor->values = std::vector<double>(begin, begin + columns);
        }
    }
    return pictures;
}

/// Red, green and blue of one image of [B, C, H, W] with values in 0 .. 1. An image with one channel is grey.
report::Tensor pixels_of(const Array& images, int batch) {
    const int C = images.shape[1], H = images.shape[2], W = images.shape[3];
    report::Tensor pixels{images.name, {H, W, 3}, {}};
    for (int y = 0; y < H; ++y) {
        for (int x = 0; x < W; ++x) {
            for (int c = 0; c < 3; ++c) {
                const auto at = ((batch * C + c % C) * H + y) * W + x;
                const double value = number_at(images, static_cast<std::size_t>(at));
                pixels.values.push_back(std::clamp(std::round(value * 255), 0.0, 255.0));
            }
        }
    }
    return pixels;
}

/// The patch of the image that an element of the output belongs to, or -1.
int patch_of(const ask::Scene& scene, const Output& output, const std::vector<int>& index, int patch,
             int across) {
    const auto& dims = output.letters;
    if (output.got.name == scene.image) return index[2] / patch * across + index[3] / patch;
    if (dims.size() == 3 && dims[1] == scene.patches) return index[1];
    if (dims.size() == 3 && dims[1] == scene.patches + "+1")
        return index[1] - 1;  // the class token comes first
    return -1;
}

/// The photograph with the weights [B, R, C] of the first batch on its cells.
report::Photograph looked_at(const Array& image, const Output& weights) {
    report::Photograph photograph{
        pixels_of(image, 0), image.shape[2] / weights.rows(), weights.got.name, {}, {}};
    for (std::size_t k = 0; k < weights.matrix(); ++k) {
        photograph.errors.push_back(rounded(weights.error_at(k), 3));
        photograph.weights.push_back(rounded(number_at(weights.got, k), 6));
    }
    return photograph;
}

}  // namespace

report::Picture picture_of(const Array& got, const Array& expected, const judge::Comparison& comparison,
                           std::vector<std::string> letters) {
    return draw({got, expected, comparison, std::move(letters)});
}

std::vector<report::Picture> pictures_of(const judge::Question& question, const judge::Verdict& verdict,
                                         Drawn which) {
    std::vector<report::Picture> pictures;
    const auto asked_for = [&question](const std::string& name) {
        return std::ranges::find(question.pictures, name) != question.pictures.end();
    };
    const std::vector<Output> outputs = outputs_of(question, verdict);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const Output& output = outputs[k];
        const bool drawn = !output.comparison.ok || which == Drawn::all || asked_for(output.got.name);
        if (asked_for(output.got.name) && output.got.shape.size() == 1)
            pictures.push_back(draw_curve(output, question, verdict.got));
        else if (drawn && !output.got.shape.empty())
            std::ranges::move(by_sentence(draw(output), question), std::back_inserter(pictures));
        if (asked_for(ask::name_of_products(output.got.name)))
            pictures.push_back(draw_products(output, verdict.truth_f32[k], question.allowed_yardsticks));
    }
    for (report::Picture& picture : pictures) label(picture, question);
    for (const ask::DrawingRecipe& drawing : question.recipe->drawings)
        if (!outputs.empty() && asked_for(drawing.name)) add_drawing(drawing, verdict, pictures);
    if (!question.look.empty() && !pictures.empty())
        pictures.front().sentences.insert(pictures.front().sentences.begin(), question.look);
    return pictures;
}

std::optional<report::Photograph> photograph_of(const judge::Question& question,
                                                const judge::Verdict& verdict) {
    if (!question.recipe->scene) return std::nullopt;
    const ask::Scene scene = question.recipe->scene();
    for (const Output& output : outputs_of(question, verdict)) {
        if (output.got.name == scene.looked_at) return looked_at(scene.photograph(), output);
        if (scene.image.empty() || output.comparison.ok) continue;
        const bool is_the_image = output.got.name == scene.image;
        const Array& images = is_the_image ? output.expected : ask::by_name(verdict.inputs, scene.image);
        const int patch = question.sizes.at(scene.patch_side), across = images.shape[3] / patch;
        const int batch = judge::index_of(output.comparison.worst, output.got.shape).front();
        report::Photograph photograph{pixels_of(images, batch), patch, output.got.name, {}, {}};
        photograph.errors.resize(static_cast<std::size_t>(across) *
                                 static_cast<std::size_t>(images.shape[2] / patch));
        bool any = false;
        for (std::size_t k = 0; k < output.got.count(); ++k) {
            const std::vector<int> index = judge::index_of(k, output.got.shape);
            const int at = index.front() == batch ? patch_of(scene, output, index, patch, across) : -1;
            if (at < 0) continue;
            double& error = photograph.errors.at(static_cast<std::size_t>(at));
            error = std::max(error, rounded(output.error_at(k), 3));
            any = true;
        }
        if (any) return photograph;
    }
    return std::nullopt;
}

}  // namespace attn::diagnosis
