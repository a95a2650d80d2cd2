#pragma once
/// A picture (picture.h) as an image: what is expected, yours, and the difference, beside each other.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/picture.h"

namespace attn::report {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Colour&) const = default;
};

/// What stands for no number, in any of the three.
inline constexpr Colour kNoNumber{255, 0, 255};
/// Around each of the three, and between them.
inline constexpr Colour kFrame{64, 64, 64}, kPaper{255, 255, 255};

/// A number on the way from the least (0, dark blue) over green to the greatest (1, yellow), as viridis goes.
Colour colour_of(double share);

/// A difference: blue where yours is less (-1), white for none, orange where it is more (1).
Colour colour_of_difference(double share);

struct Image {
    int width = 0, height = 0;
    std::vector<Colour> pixels;  ///< row by row
    const Colour& at(int row, int column) const {
        return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(column)];
    }
};

/// Where things lie in the image of a picture, in pixels.
struct HeatMapLayout {
    int rows = 0, columns = 0;  ///< that are shown: the first of a larger matrix
    int cell = 0;               ///< the side of an element's square
    int panel_width = 0, panel_height = 0;
    /// The upper left pixel of an element, of panel 0 (expected), 1 (yours) or 2 (the difference).
    int left_of(int panel, int column) const;
    int top_of(int row) const;
};

HeatMapLayout layout_of(const Picture& picture);

/// The least and the greatest finite number of both, and the greatest size of a difference.
struct HeatMapScale {
    double least = 0, greatest = 0, difference = 0;
};

HeatMapScale scale_of(const Picture& picture);

Image heat_map(const Picture& picture);

/// The bytes of a PNG file. Throws std::runtime_error where libpng cannot.
std::string png_of(const Image& image);

/// "A(1, ., .): expected | yours | the difference (blue: less, orange: more, up to 0.25); ..": what has to
/// stand beside the image.
std::string legend_of(const Picture& picture);

}  // namespace attn::report
