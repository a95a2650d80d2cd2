// Heat maps, decoded from their PNG files.

#include "grader/report/platforms/heat_map.h"

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <png.h>

#include "grader/testing/golden.h"

namespace attn::report {

static std::ostream& operator<<(std::ostream& out, const Colour& c) {
    return out << int{c.red} << ' ' << int{c.green} << ' ' << int{c.blue};
}

namespace {

BOOST_AUTO_TEST_SUITE(heat_map)

Image decoded(const std::string& bytes) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    BOOST_TEST_REQUIRE(png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) != 0);
    png.format = PNG_FORMAT_RGB;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
    image.pixels.resize(static_cast<std::size_t>(png.width) * png.height);
    BOOST_TEST_REQUIRE(png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) != 0);
    return image;
}

Picture picture_of(int rows, int columns, std::vector<double> yours, std::vector<double> expected) {
    Picture picture;
    picture.array = "Y";
    picture.yours = {"Y", {rows, columns}, std::move(yours)};
    picture.expected = {"Y", {rows, columns}, std::move(expected)};
    return picture;
}

/// The colour in the middle of an element.
Colour seen(const Image& image, const HeatMapLayout& layout, int panel, int row, int column) {
    return image.at(layout.top_of(row) + layout.cell / 2, layout.left_of(panel, column) + layout.cell / 2);
}

BOOST_AUTO_TEST_CASE(every_element_has_the_colour_of_its_number) {
    const std::vector<double> yours = {0, 2, 4, 3, 1, 2}, expected = {0, 1, 2, 3, 4, 4};
    const Picture picture = picture_of(2, 3, yours, expected);
    const Image image = decoded(png_of(report::heat_map(picture)));
    const HeatMapLayout layout = layout_of(picture);
    for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 3; ++column) {
            const auto k = 3 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column);
            BOOST_TEST_CONTEXT("row " << row << ", column " << column) {
                BOOST_TEST(seen(image, layout, 0, row, column) == colour_of(expected[k] / 4));
                BOOST_TEST(seen(image, layout, 1, row, column) == colour_of(yours[k] / 4));
                BOOST_TEST(seen(image, layout, 2, row, column) ==
                           colour_of_difference((yours[k] - expected[k]) / 3));
            }
        }
    }
    BOOST_TEST(image.width == layout.left_of(2, 3) + 1 + 6);
    BOOST_TEST(image.height == layout.top_of(2) + 1 + 6);
}

BOOST_AUTO_TEST_CASE(colours_go_from_dark_blue_to_yellow_and_from_blue_over_white_to_orange) {
    BOOST_TEST(colour_of(0) == (Colour{68, 1, 84}));
    BOOST_TEST(colour_of(0.5) == (Colour{33, 144, 141}));
    BOOST_TEST(colour_of(1) == (Colour{253, 231, 37}));
    BOOST_TEST(colour_of_difference(0) == (Colour{255, 255, 255}));
    BOOST_TEST(colour_of_difference(-1).blue > colour_of_difference(-1).red);
    BOOST_TEST(colour_of_difference(1).red > colour_of_difference(1).blue);
    // Larger numbers are brighter, so the map is readable without colour.
    const auto light = [](const Colour& c) { return 0.3 * c.red + 0.59 * c.green + 0.11 * c.blue; };
    for (int k = 0; k < 100; ++k) {
        BOOST_TEST(light(colour_of(k / 100.0)) <= light(colour_of((k + 1) / 100.0)) + 0.7);
        BOOST_TEST(light(colour_of_difference(k / 100.0)) > light(colour_of_difference((k + 1) / 100.0)));
        BOOST_TEST(light(colour_of_difference(-k / 100.0)) > light(colour_of_difference(-(k + 1) / 100.0)));
    }
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_are_magenta_and_no_number_is) {
    const Picture picture = picture_of(1, 4, {kNan, 1, kInf, 0.5}, {0, 1, 0.5, -kInf});
    const Image image = decoded(png_of(report::heat_map(picture)));
    const HeatMapLayout layout = layout_of(picture);
    BOOST_TEST(seen(image, layout, 1, 0, 0) == kNoNumber);
    BOOST_TEST(seen(image, layout, 2, 0, 0) == kNoNumber);
    BOOST_TEST(seen(image, layout, 0, 0, 0) == colour_of(0));
    BOOST_TEST(seen(image, layout, 1, 0, 1) == colour_of(1));
    BOOST_TEST(seen(image, layout, 2, 0, 1) == colour_of_difference(0));
    BOOST_TEST(seen(image, layout, 1, 0, 2) == kNoNumber);
    BOOST_TEST(seen(image, layout, 0, 0, 3) == kNoNumber);
    for (int k = -100; k <= 100; ++k) {
        BOOST_TEST(colour_of(k / 100.0) != kNoNumber);
        BOOST_TEST(colour_of_difference(k / 100.0) != kNoNumber);
    }
}

BOOST_AUTO_TEST_CASE(each_panel_has_a_frame_and_a_margin) {
    const Picture picture = picture_of(2, 2, {1, 2, 3, 4}, {1, 2, 3, 4});
    const Image image = decoded(png_of(report::heat_map(picture)));
    const HeatMapLayout layout = layout_of(picture);
    BOOST_TEST(layout.cell == 24);
    for (int panel = 0; panel < 3; ++panel) {
        const int left = layout.left_of(panel, 0) - 1, top = layout.top_of(0) - 1;
        BOOST_TEST(image.at(top, left) == kFrame);
        BOOST_TEST(image.at(top + layout.panel_height - 1, left + layout.panel_width - 1) == kFrame);
        BOOST_TEST(image.at(top, left - 1) == kPaper);
        BOOST_TEST(image.at(top, left + layout.panel_width) == kPaper);
    }
    // There is no difference, so the third panel is white.
    BOOST_TEST(seen(image, layout, 2, 1, 1) == kPaper);
}

BOOST_AUTO_TEST_CASE(pictures_of_any_size_are_valid) {
    const auto cell = [](int rows, int columns) {
        const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
        const Picture picture =
            picture_of(rows, columns, std::vector<double>(size, 1), std::vector<double>(size, 2));
        const Image image = report::heat_map(picture);
        BOOST_TEST(image.width <= 3400);
        BOOST_TEST(image.height <= 1100);
        BOOST_TEST(decoded(png_of(image)).width == image.width);
        return layout_of(picture).cell;
    };
    BOOST_TEST(cell(1, 1) == 24);
    BOOST_TEST(cell(16, 16) == 16);
    BOOST_TEST(cell(3, 64) == 8);
    BOOST_TEST(cell(500, 700) == 8);
}

BOOST_AUTO_TEST_CASE(a_picture_with_missing_numbers_is_still_drawn) {
    for (const Picture& picture :
         {picture_of(2, 2, {}, {}), picture_of(3, 3, {1}, {1, 2}), Picture(), picture_of(0, 0, {}, {}),
          picture_of(-1, 2, {1}, {1}), picture_of(1, 1, {kNan}, {kNan}), picture_of(1, 2, {5, 5}, {5, 5})}) {
        const Image image = decoded(png_of(report::heat_map(picture)));
        BOOST_TEST(image.width > 0);
        BOOST_TEST(!contains(legend_of(picture), "inf"));
        BOOST_TEST(!contains(legend_of(picture), "nan"));
    }
}

BOOST_AUTO_TEST_CASE(the_legend_describes_the_picture) {
    const Picture picture = make_pictured("tall").pictures.front();
    BOOST_TEST(
        legend_of(picture) ==
        "A(1, ., .): expected | yours | the difference. Dark blue 0.125 to yellow 0.75; blue: yours is less, "
        "orange: more, up to 0; magenta: no number");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
