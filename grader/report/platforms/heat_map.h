#pragma once
/// Draws a picture (picture_data.h) as an image with three panels: expected, yours, and the difference.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/picture_data.h"

namespace attn::report {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Colour&) const = default;
};

/// The colour for NaN and infinity, in all three panels.
inline constexpr Colour kNoNumber{255, 0, 255};
/// The frame of each panel, and the background between them.
inline constexpr Colour kFrame{64, 64, 64}, kPaper{255, 255, 255};

/// The viridis colour for a number between the least (0, dark blue) and the greatest (1, yellow).
Colour colour_of(double share);

/// The colour of a difference from -1 (yours is less, blue) over 0 (white) to 1 (yours is more, orange).
Colour colour_of_difference(double share);

struct Image {
    int width = 0, height = 0;
    std::vector<Colour> pixels;  ///< row by row
    const Colour& at(int row, int column) const {
        return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(column)];
    }
};

/// The positions in the image, in pixels.
struct HeatMapLayout {
    int rows = 0, columns = 0;  ///< shown rows and columns, the first ones of a larger matrix
    int cell = 0;               ///< the side of an element's square
    int panel_width = 0, panel_height = 0;
    /// The upper left pixel of an element, of panel 0 (expected), 1 (yours) or 2 (the difference).
    int left_of(int panel, int column) const;
    int top_of(int row) const;
};

HeatMapLayout layout_of(const Picture& picture);

/// The least and the greatest finite number of both matrices, and the largest absolute difference.
struct HeatMapScale {
    double least = 0, greatest = 0, difference = 0;
};

HeatMapScale scale_of(const Picture& picture);

Image heat_map(const Picture& picture);

/// The bytes of a PNG file. Throws std::runtime_error if libpng fails.
std::string png_of(const Image& image);

/// The legend of the image: "A(1, ., .): expected | yours | the difference. Dark blue 0.1 to yellow 0.7; ..".
std::string legend_of(const Picture& picture);

}  // namespace attn::report
