#include "datasets/digits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <zlib.h>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"

using attn::Shape;
using attn::data::Digits;
using attn::data::FileError;
using attn::data::message_contains;
using attn::data::read_digits;
using attn::data::TemporaryDirectory;

BOOST_AUTO_TEST_SUITE(digits)

namespace {

std::filesystem::path shipped_file() {
    return attn::data::shipped("digits.csv.gz");
}

/// A line of 64 zeros and the label 7, with one column (from 1) replaced by `field`.
std::string line_with(int column = 0, const std::string& field = "") {
    std::string line;
    for (int k = 1; k <= 65; ++k) line += (k > 1 ? "," : "") + (k == column ? field : k == 65 ? "7" : "0");
    return line + "\n";
}

Digits read_text(const std::string& text) {
    const TemporaryDirectory folder;
    return read_digits(folder.write("x.csv", text));
}

std::filesystem::path write_gzip(const TemporaryDirectory& folder, const std::string& text) {
    std::filesystem::path file = folder / "x.csv.gz";
    const std::unique_ptr<gzFile_s, decltype(&gzclose_w)> out(gzopen(file.c_str(), "wb"), gzclose_w);
    if (!out || gzwrite(out.get(), text.data(), static_cast<unsigned>(text.size())) <= 0)
        throw std::runtime_error("gzwrite");
    return file;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_1797_digits_are_read) {
    const auto [pixels, labels] = read_digits(shipped_file());
    BOOST_TEST(pixels.shape == (Shape{1797, 8, 8}), boost::test_tools::per_element());
    BOOST_TEST(labels.shape == (Shape{1797}), boost::test_tools::per_element());
    BOOST_TEST(pixels.name == "pixels");
    BOOST_TEST(labels.name == "labels");

    std::array<int, 10> histogram{};
    for (const std::uint8_t label : labels.as<std::uint8_t>()) ++histogram.at(label);
    BOOST_TEST(histogram == (std::array<int, 10>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}),
               boost::test_tools::per_element());

    const std::vector<float>& ink = pixels.as<float>();
    BOOST_TEST(*std::min_element(ink.begin(), ink.end()) == 0);
    BOOST_TEST(*std::max_element(ink.begin(), ink.end()) == 16);
    double sum = 0;
    for (const float x : ink) sum += double{x};
    BOOST_TEST(sum == 561718);
}

BOOST_AUTO_TEST_CASE(known_digits_are_at_their_positions) {
    const auto [pixels, labels] = read_digits(shipped_file());
    const auto image = pixels.view<float, 3>();
    const auto label = labels.view<std::uint8_t, 1>();
    const std::vector<float> first = {
        0, 0, 5,  13, 9,  1,  0, 0,  //
        0, 0, 13, 15, 10, 15, 5, 0,  //
        0, 3, 15, 2,  0,  11, 8, 0,  //
        0, 4, 12, 0,  0,  8,  8, 0,  //
        0, 5, 8,  0,  0,  9,  8, 0,  //
        0, 4, 11, 0,  1,  12, 7, 0,  //
        0, 2, 14, 5,  10, 12, 0, 0,  //
        0, 0, 6,  13, 10, 0,  0, 0,
    };
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column)
            BOOST_TEST(image(0, row, column) == first[static_cast<std::size_t>(8 * row + column)]);
    BOOST_TEST(int{label(0)} == 0);
    BOOST_TEST(int{label(1)} == 1);
    BOOST_TEST(int{label(1000)} == 1);
    BOOST_TEST(int{label(1796)} == 8);
    BOOST_TEST(image(1000, 0, 3) == 14);
    BOOST_TEST(image(1000, 7, 6) == 16);
    BOOST_TEST(image(1000, 7, 7) == 15);
    BOOST_TEST(image(1796, 2, 5) == 15);
    BOOST_TEST(image(1796, 7, 1) == 1);
    BOOST_TEST(image(1796, 7, 5) == 12);
}

BOOST_AUTO_TEST_CASE(plain_text_reads_like_gzip) {
    const TemporaryDirectory folder;
    const std::string text = line_with(64, "16") + line_with(65, "9");
    for (const Digits& digits : {read_text(text), read_digits(write_gzip(folder, text))}) {
        BOOST_TEST(digits.pixels.shape == (Shape{2, 8, 8}), boost::test_tools::per_element());
        BOOST_TEST((digits.pixels.view<float, 3>()(0, 7, 7)) == 16);
        BOOST_TEST(digits.labels.as<std::uint8_t>() == (std::vector<std::uint8_t>{7, 9}),
                   boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(windows_line_ends_and_a_missing_last_line_end_are_accepted) {
    std::string text = line_with() + line_with();
    text.pop_back();
    text.insert(text.find('\n'), "\r");
    BOOST_TEST(read_text(text).labels.as<std::uint8_t>() == (std::vector<std::uint8_t>{7, 7}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_wrong_value_is_named_with_line_column_and_range) {
    for (const std::string field : {"17", "-1", "1.5", "", " 1", "x", "99999999999"}) {
        BOOST_TEST_CONTEXT(field) {
            BOOST_CHECK_EXCEPTION(read_text(line_with() + line_with(64, field)), FileError,
                                  message_contains({"x.csv: line 2, column 64: \"" + field + "\"",
                                                    "a pixel, a whole number from 0 to 16"}));
        }
    }
    BOOST_CHECK_EXCEPTION(
        read_text(line_with() + line_with() + line_with(65, "10")), FileError,
        message_contains({"line 3, column 65: \"10\"", "a label, a whole number from 0 to 9"}));
}

BOOST_AUTO_TEST_CASE(a_line_of_column_names_is_refused) {
    BOOST_CHECK_EXCEPTION(read_text("pixel_0_0,pixel_0_1\n" + line_with()), FileError,
                          message_contains({"line 1, column 1: \"pixel_0_0\""}));
}

BOOST_AUTO_TEST_CASE(columns_are_counted) {
    for (const auto& [line, count] :
         std::vector<std::pair<std::string, std::string>>{{"0,0,0\n", "3"}, {line_with(65, "7,7"), "66"}})
        BOOST_CHECK_EXCEPTION(
            read_text(line_with() + line), FileError,
            message_contains({"line 2 has " + count + " columns", "64 pixels and a label"}));
    BOOST_CHECK_EXCEPTION(read_text(line_with() + "\n" + line_with()), FileError,
                          message_contains({"line 2, column 1: \"\""}));
}

BOOST_AUTO_TEST_CASE(an_empty_or_missing_file_is_refused) {
    const TemporaryDirectory folder;
    BOOST_CHECK_EXCEPTION(read_text(""), FileError, message_contains({"no line"}));
    BOOST_CHECK_EXCEPTION(read_digits(folder.path()), FileError, message_contains({"directory"}));
    BOOST_CHECK_EXCEPTION(read_digits(folder / "no.gz"), FileError,
                          message_contains({"no.gz", "no such file"}));
}

BOOST_AUTO_TEST_CASE(a_truncated_gzip_file_is_refused) {
    const TemporaryDirectory folder;
    const std::string whole = attn::data::read_file(write_gzip(folder, line_with() + line_with()));
    BOOST_REQUIRE(whole.size() > 20U);
    for (std::size_t size = 0; size < whole.size(); ++size) BOOST_TEST_CONTEXT(size << " bytes") {
            BOOST_CHECK_THROW(read_digits(folder.write("cut.gz", whole.substr(0, size))), FileError);
        }
    const std::string shipped = attn::data::read_file(shipped_file());
    for (const std::size_t lost : {std::size_t{1}, std::size_t{8}, shipped.size() / 2})
        BOOST_CHECK_EXCEPTION(read_digits(folder.write("cut.gz", shipped.substr(0, shipped.size() - lost))),
                              FileError, message_contains({"cut.gz", "truncated"}));
}

BOOST_AUTO_TEST_CASE(a_gzip_file_with_a_wrong_checksum_is_refused) {
    const TemporaryDirectory folder;
    std::string bytes = attn::data::read_file(shipped_file());
    // The last 8 bytes are the checksum of the contents and their size.
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 1);
    BOOST_CHECK_EXCEPTION(read_digits(folder.write("x.gz", bytes)), FileError, message_contains({"damaged"}));
}

namespace {

/// How often each image of the file is in `images`; two images of the file may be equal.
std::vector<int> times_among(const Digits& all, const Digits& images) {
    const auto image = [](const Digits& digits, int k) {
        const auto first = digits.pixels.as<float>().begin() + std::ptrdiff_t{64} * k;
        return std::pair(std::vector<float>(first, first + 64),
                         digits.labels.as<std::uint8_t>().at(static_cast<std::size_t>(k)));
    };
    std::map<std::pair<std::vector<float>, std::uint8_t>, int> count;
    for (int k = 0; k < images.labels.shape[0]; ++k) ++count[image(images, k)];
    std::vector<int> times;
    for (int k = 0; k < all.labels.shape[0]; ++k) times.push_back(count[image(all, k)]);
    return times;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_split_has_every_image_once) {
    const Digits all = read_digits(shipped_file());
    for (const auto& split : {attn::data::split_at_random(all), attn::data::split_off_last(all)}) {
        BOOST_TEST(split.training.pixels.shape == (Shape{1437, 8, 8}), boost::test_tools::per_element());
        BOOST_TEST(split.held_out.pixels.shape == (Shape{360, 8, 8}), boost::test_tools::per_element());
        BOOST_TEST(split.held_out.labels.shape == (Shape{360}), boost::test_tools::per_element());
        const std::vector<int> training = times_among(all, split.training),
                               held_out = times_among(all, split.held_out);
        for (std::size_t k = 0; k < training.size(); ++k)
            if (training[k] + held_out[k] != 1) BOOST_ERROR("image " << k << " is not in one part once");
    }
}

BOOST_AUTO_TEST_CASE(the_last_images_keep_their_order) {
    const Digits all = read_digits(shipped_file());
    const Digits last = attn::data::split_off_last(all).held_out;
    BOOST_TEST(std::equal(last.pixels.as<float>().begin(), last.pixels.as<float>().end(),
                          all.pixels.as<float>().end() - std::ptrdiff_t{360} * 64));
    BOOST_TEST(int{last.labels.as<std::uint8_t>().back()} == 8);
}

BOOST_AUTO_TEST_CASE(the_images_drawn_at_random_do_not_change) {
    const Digits all = read_digits(shipped_file());
    const Digits held_out = attn::data::split_at_random(all).held_out;
    std::array<int, 10> histogram{};
    for (const std::uint8_t label : held_out.labels.as<std::uint8_t>()) ++histogram.at(label);
    // From a run of this code: whoever changes the split changes all published figures.
    BOOST_TEST(histogram == (std::array<int, 10>{33, 41, 34, 39, 41, 47, 23, 34, 36, 32}),
               boost::test_tools::per_element());
    for (const int count : histogram) BOOST_TEST(count > 20);
}

BOOST_AUTO_TEST_CASE(images_are_chosen_by_number) {
    const Digits all = read_digits(shipped_file());
    const Digits two = attn::data::chosen(all, {1796, 0});
    BOOST_TEST(two.labels.as<std::uint8_t>() == (std::vector<std::uint8_t>{8, 0}),
               boost::test_tools::per_element());
    BOOST_TEST((two.pixels.view<float, 3>()(0, 2, 5)) == 15);
    BOOST_TEST((two.pixels.view<float, 3>()(1, 0, 2)) == 5);
    BOOST_CHECK_THROW(attn::data::chosen(all, {1797}), std::out_of_range);
    BOOST_CHECK_THROW(attn::data::chosen(all, {-1}), std::out_of_range);
}

BOOST_AUTO_TEST_SUITE_END()
