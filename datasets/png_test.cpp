#include "datasets/png.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <zlib.h>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"

using attn::Array;
using attn::Shape;
using attn::data::FileError;
using attn::data::message_contains;
using attn::data::read_png;
using attn::data::TemporaryDirectory;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(png)

namespace {

using Colours = std::vector<std::uint8_t>;

std::string big_endian(std::size_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
    return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const uLong checksum =
        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(data.size()) + body + big_endian(checksum);
}

/// A PNG file, chunk by chunk. Each row begins with 0, "no filter".
std::string png_of(std::size_t W, std::size_t H, int bits, int colour_type, const std::string& rows,
                   const std::string& more_chunks = "") {
    std::string packed(rows.size() + 100, '\0');
    uLongf size = packed.size();
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                 rows.size()) != Z_OK)
        throw std::runtime_error("compress");
    packed.resize(size);
    const std::string header =
        big_endian(W) + big_endian(H) + static_cast<char>(bits) + static_cast<char>(colour_type) + "\0\0\0"s;
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + more_chunks + chunk("IDAT", packed) +
           chunk("IEND", "");
}

Array read_bytes(const std::string& bytes) {
    const TemporaryDirectory folder;
    return read_png(folder.write("x.png", bytes));
}

const std::string kGrey = png_of(3, 2, 8, 0, "\0\x00\x40\x80\0\xff\x01\x02"s);

}  // namespace

BOOST_AUTO_TEST_CASE(the_photograph_has_the_pixels_of_another_decoder) {
    const Array photograph = read_png(attn::data::shipped("chelsea.png"));
    BOOST_TEST(photograph.name == "chelsea");
    BOOST_TEST(photograph.shape == (Shape{300, 451, 3}), boost::test_tools::per_element());
    const auto pixel = photograph.view<std::uint8_t, 3>();
    struct {
        int row, column;
        std::array<int, 3> colour;
    } const known[] = {{0, 0, {143, 120, 104}},     {0, 450, {45, 27, 13}},      {299, 0, {139, 103, 71}},
                       {299, 450, {162, 138, 128}}, {150, 225, {190, 150, 124}}, {100, 300, {178, 142, 110}},
                       {17, 43, {139, 96, 64}}};
    for (const auto& [row, column, colour] : known)
        for (int c = 0; c < 3; ++c) BOOST_TEST(pixel(row, column, c) == colour[static_cast<std::size_t>(c)]);
    std::array<long, 3> sums{};
    for (int row = 0; row < 300; ++row)
        for (int column = 0; column < 451; ++column)
            for (int c = 0; c < 3; ++c) sums[static_cast<std::size_t>(c)] += pixel(row, column, c);
    BOOST_TEST(sums == (std::array<long, 3>{19980169, 15078438, 11743750}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(grey_becomes_equal_red_green_and_blue) {
    const Array array = read_bytes(kGrey);
    BOOST_TEST(array.shape == (Shape{2, 3, 3}), boost::test_tools::per_element());
    BOOST_TEST(array.as<std::uint8_t>() ==
                   (Colours{0, 0, 0, 64, 64, 64, 128, 128, 128, 255, 255, 255, 1, 1, 1, 2, 2, 2}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sixteen_bits_become_eight_without_a_change_of_brightness) {
    const Array array = read_bytes(png_of(3, 1, 16, 0, "\0\x00\x00\x80\x80\xff\xff"s));
    BOOST_TEST(array.as<std::uint8_t>() == (Colours{0, 0, 0, 128, 128, 128, 255, 255, 255}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_palette_becomes_its_colours) {
    const Array array =
        read_bytes(png_of(2, 1, 8, 3, "\0\x01\x00"s, chunk("PLTE", "\x0a\x14\x1e\x28\x32\x3c"s)));
    BOOST_TEST(array.as<std::uint8_t>() == (Colours{40, 50, 60, 10, 20, 30}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(transparent_pixels_are_composed_onto_white) {
    const Array array = read_bytes(png_of(3, 1, 8, 6, "\0\x0a\x14\x1e\xff\x0a\x14\x1e\x00\x00\x00\x00\x80"s));
    const Colours& colour = array.as<std::uint8_t>();
    BOOST_REQUIRE(colour.size() == 9U);
    BOOST_TEST(Colours(colour.begin(), colour.begin() + 6) == (Colours{10, 20, 30, 255, 255, 255}),
               boost::test_tools::per_element());
    // Half of the light of white is 188 in sRGB; half of its sRGB number would be 128.
    for (std::size_t c = 6; c < 9; ++c) BOOST_TEST((colour[c] >= 186 && colour[c] <= 189), int{colour[c]});
}

BOOST_AUTO_TEST_CASE(a_file_of_another_kind_is_refused) {
    BOOST_CHECK_EXCEPTION(
        read_bytes("\xff\xd8\xff\xe0 a JPEG"), FileError,
        message_contains({"x.png: ", "\"\\xff\\xd8\\xff\\xe0", "expected a PNG file", "convert"}));
    BOOST_CHECK_EXCEPTION(read_bytes(""), FileError, message_contains({"expected a PNG file"}));
    BOOST_CHECK_EXCEPTION(read_png("/no/such/x.png"), FileError,
                          message_contains({"/no/such/x.png", "no such file"}));
}

BOOST_AUTO_TEST_CASE(a_truncated_file_is_refused) {
    for (std::size_t size = 0; size < kGrey.size(); ++size) BOOST_TEST_CONTEXT(size << " bytes") {
            BOOST_CHECK_THROW(read_bytes(kGrey.substr(0, size)), FileError);
        }
    BOOST_CHECK_EXCEPTION(read_bytes(kGrey.substr(0, 50)), FileError,
                          message_contains({"ends after 50 bytes", "IEND"}));
    const std::string chelsea = attn::data::read_file(attn::data::shipped("chelsea.png"));
    BOOST_CHECK_EXCEPTION(read_bytes(chelsea.substr(0, chelsea.size() / 2)), FileError,
                          message_contains({"IEND"}));
}

BOOST_AUTO_TEST_CASE(missing_rows_and_damaged_bytes_are_refused) {
    BOOST_CHECK_EXCEPTION(read_bytes(png_of(3, 2, 8, 0, "\0\x00\x40\x80"s)), FileError,
                          message_contains({"libpng says", "intact"}));
    std::string damaged = kGrey;
    damaged[45] = static_cast<char>(damaged[45] ^ 1);
    BOOST_CHECK_EXCEPTION(read_bytes(damaged), FileError, message_contains({"libpng says", "intact"}));
}

BOOST_AUTO_TEST_CASE(a_picture_too_large_for_its_file_is_refused) {
    BOOST_CHECK_EXCEPTION(read_bytes(png_of(900000, 900000, 8, 2, "\0"s)), FileError,
                          message_contains({"900000 x 900000 pixels", "smaller"}));
    BOOST_CHECK_EXCEPTION(read_bytes(png_of(10000, 10000, 8, 2, "\0"s)), FileError,
                          message_contains({"no more than fit"}));
    const std::string padding = chunk("paDd", std::string(100000, 'x'));
    BOOST_CHECK_EXCEPTION(read_bytes(png_of(20000, 20000, 8, 2, "\0"s, padding)), FileError,
                          message_contains({"at most 357913941"}));
    BOOST_CHECK_EXCEPTION(read_bytes(png_of(0, 1, 8, 2, "\0"s)), FileError,
                          message_contains({"libpng says"}));
}

BOOST_AUTO_TEST_SUITE_END()
