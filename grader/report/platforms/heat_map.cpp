#include "grader/report/platforms/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <png.h>

namespace attn::report {
namespace {

constexpr int kPanels = 3, kMargin = 6, kGap = 12, kLine = 1;

/// Interpolates between colours at equal distances from 0 to 1.
template <std::size_t N>
Colour between(const std::array<Colour, N>& stops, double share) {
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(N - 1);
    const std::size_t first = std::min(static_cast<std::size_t>(at), N - 2);
    const double rest = at - static_cast<double>(first);
    const auto mix = [rest](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(std::lround(from + rest * (to - from)));
    };
    const Colour &from = stops[first], &to = stops[first + 1];
    return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

/// An element of a matrix; NaN if the report does not contain it.
double number_at(const Tensor& tensor, int row, int column) {
    const auto columns = static_cast<std::size_t>(tensor.shape.empty() ? 0 : tensor.shape.back());
    const std::size_t k = static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
    return k < tensor.values.size() ? tensor.values[k] : std::numeric_limits<double>::quiet_NaN();
}

/// The position of the value between least (0) and greatest (1); 0 if they are equal.
double share_between(double value, double least, double greatest) {
    return greatest > least ? (value - least) / (greatest - least) : 0;
}

Colour colour_in(int panel, double yours, double expected, const HeatMapScale& scale) {
    if (panel == 2) {
        const double difference = yours - expected;
        if (!std::isfinite(difference)) return kNoNumber;
        return colour_of_difference(scale.difference > 0 ? difference / scale.difference : 0);
    }
    const double value = panel == 0 ? expected : yours;
    return std::isfinite(value) ? colour_of(share_between(value, scale.least, scale.greatest)) : kNoNumber;
}

class Canvas {
  public:
    Canvas(int width, int height)
        : image_{width, height,
                 std::vector<Colour>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                     kPaper)} {}

    void fill(int left, int top, int width, int height, Colour colour) {
        for (int row = top; row < top + height; ++row)
            std::fill_n(image_.pixels.begin() + static_cast<std::ptrdiff_t>(row) * image_.width + left, width,
                        colour);
    }
    Image take() { return std::move(image_); }

  private:
    Image image_;
};

}  // namespace

Colour colour_of(double share) {
    static constexpr std::array<Colour, 9> kViridis = {{{68, 1, 84},
                                                        {71, 44, 122},
                                                        {59, 81, 139},
                                                        {44, 113, 142},
                                                        {33, 144, 141},
                                                        {39, 173, 129},
                                                        {92, 200, 99},
                                                        {170, 220, 50},
                                                        {253, 231, 37}}};
    return between(kViridis, share);
}

Colour colour_of_difference(double share) {
    static constexpr std::array<Colour, 5> kBlueToOrange = {
        {{8, 64, 129}, {67, 147, 195}, {255, 255, 255}, {253, 174, 97}, {190, 80, 0}}};
    return between(kBlueToOrange, (share + 1) / 2);
}

int HeatMapLayout::left_of(int panel, int column) const {
    return kMargin + panel * (panel_width + kGap) + kLine + column * cell;
}

int HeatMapLayout::top_of(int row) const {
    return kMargin + kLine + row * cell;
}

HeatMapLayout layout_of(const Picture& picture) {
    static constexpr int kMostCells = 128;
    constexpr int kPanelWidth = 256, kSmallestCell = 8, kLargestCell = 24;
    const auto length = [&picture](std::size_t from_the_end) {
        const std::vector<int>& shape = picture.expected.shape;
        return shape.size() < from_the_end ? 1
                                           : std::clamp(shape[shape.size() - from_the_end], 1, kMostCells);
    };
    HeatMapLayout layout{length(2), length(1), 0, 0, 0};
    layout.cell =
        std::clamp(kPanelWidth / std::max(layout.rows, layout.columns), kSmallestCell, kLargestCell);
    layout.panel_width = layout.columns * layout.cell + 2 * kLine;
    layout.panel_height = layout.rows * layout.cell + 2 * kLine;
    return layout;
}

HeatMapScale scale_of(const Picture& picture) {
    const HeatMapLayout layout = layout_of(picture);
    HeatMapScale scale{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0};
    for (int row = 0; row < layout.rows; ++row) {
        for (int column = 0; column < layout.columns; ++column) {
            const double yours = number_at(picture.yours, row, column);
            const double expected = number_at(picture.expected, row, column);
            for (const double value : {yours, expected}) {
                if (!std::isfinite(value)) continue;
                scale.least = std::min(scale.least, value);
                scale.greatest = std::max(scale.greatest, value);
            }
            if (std::isfinite(yours - expected))
                scale.difference = std::max(scale.difference, std::abs(yours - expected));
        }
    }
    return scale.least <= scale.greatest ? scale : HeatMapScale();
}

Image heat_map(const Picture& picture) {
    const HeatMapLayout layout = layout_of(picture);
    const HeatMapScale scale = scale_of(picture);
    Canvas canvas(2 * kMargin + kPanels * layout.panel_width + (kPanels - 1) * kGap,
                  2 * kMargin + layout.panel_height);
    for (int panel = 0; panel < kPanels; ++panel) {
        canvas.fill(layout.left_of(panel, 0) - kLine, layout.top_of(0) - kLine, layout.panel_width,
                    layout.panel_height, kFrame);
        for (int row = 0; row < layout.rows; ++row) {
            for (int column = 0; column < layout.columns; ++column) {
                const Colour colour = colour_in(panel, number_at(picture.yours, row, column),
                                                number_at(picture.expected, row, column), scale);
                canvas.fill(layout.left_of(panel, column), layout.top_of(row), layout.cell, layout.cell,
                            colour);
            }
        }
    }
    return canvas.take();
}

std::string png_of(const Image& image) {
    static_assert(sizeof(Colour) == 3, "libpng reads them as bytes");
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(image.width);
    png.height = static_cast<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGB;
    const auto write = [&](void* to, png_alloc_size_t& size) {
        if (png_image_write_to_memory(&png, to, &size, 0, image.pixels.data(), 0, nullptr) == 0)
            throw std::runtime_error(std::string("a picture cannot be written as PNG: ") + png.message);
    };
    png_alloc_size_t size = 0;
    write(nullptr, size);
    std::string bytes(size, '\0');
    write(bytes.data(), size);
    bytes.resize(size);
    return bytes;
}

std::string legend_of(const Picture& picture) {
    const HeatMapScale scale = scale_of(picture);
    std::string place;
    for (const int index : picture.slice) place += fmt::format("{}, ", index);
    if (!picture.slice.empty()) place = fmt::format("({}., .)", place);
    return fmt::format(
        "{}{}: expected | yours | the difference. Dark blue {:.3g} to yellow {:.3g}; blue: yours is less, "
        "orange: more, up to {:.3g}; magenta: no number",
        picture.array, place, scale.least, scale.greatest, scale.difference);
}

}  // namespace attn::report
