#include "datasets/npy.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/npy_bytes.h"

using attn::Array;
using attn::Shape;
using attn::data::file_of;
using attn::data::FileError;
using attn::data::header_of;
using attn::data::message_contains;
using attn::data::read_file;
using attn::data::read_npy;
using attn::data::TemporaryDirectory;
using attn::data::write_npy;
namespace fs = std::filesystem;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(npy)

namespace {

Array read_bytes(const std::string& bytes) {
    const TemporaryDirectory folder;
    return read_npy(folder.write("x.npy", bytes));
}

const std::string kOneF4 = "\x00\x00\x80\x3f"s;
const std::string kMinusTwoF4 = "\x00\x00\x00\xc0"s;
const std::string kOneF8 = "\x00\x00\x00\x00\x00\x00\xf0\x3f"s;

/// What NumPy 1.x and 2.x write for np.array([[1, -2, 1], [1, 1, -2]], np.float32), to the byte.
const std::string kSavedByNumpy =
    "\x93NUMPY\x01\x00\x76\x00"s + "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
    std::string(58, ' ') + '\n' + kOneF4 + kMinusTwoF4 + kOneF4 + kOneF4 + kOneF4 + kMinusTwoF4;

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_of_numpy_is_read) {
    BOOST_REQUIRE(kSavedByNumpy.size() == 128 + 24);
    const TemporaryDirectory folder;
    const Array array = read_npy(folder.write("W_Q.npy", kSavedByNumpy));
    BOOST_TEST(array.name == "W_Q");
    BOOST_TEST(array.shape == (Shape{2, 3}), boost::test_tools::per_element());
    BOOST_TEST(array.as<float>() == (std::vector<float>{1, -2, 1, 1, 1, -2}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_written_file_is_identical_to_numpys) {
    const TemporaryDirectory folder;
    write_npy(folder / "x.npy", Array("x", {2, 3}, std::vector<float>{1, -2, 1, 1, 1, -2}));
    BOOST_TEST((read_file(folder / "x.npy") == kSavedByNumpy));
}

BOOST_AUTO_TEST_CASE(every_element_type_is_read) {
    const Array f8 = read_bytes(file_of(header_of("<f8", "(1,)"), kOneF8));
    BOOST_TEST(f8.as<double>() == std::vector<double>{1}, boost::test_tools::per_element());
    const std::vector<std::uint8_t> u1 =
        read_bytes(file_of(header_of("|u1", "(3,)"), "\x00\x80\xff"s)).as<std::uint8_t>();
    BOOST_TEST(u1 == (std::vector<std::uint8_t>{0, 128, 255}), boost::test_tools::per_element());
    const std::vector<std::uint8_t> b1 =
        read_bytes(file_of(header_of("|b1", "(2,)"), "\x01\x00"s)).as<std::uint8_t>();
    BOOST_TEST(b1 == (std::vector<std::uint8_t>{1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(versions_2_and_3_allow_longer_headers) {
    for (const int major : {2, 3}) {
        const std::string header = header_of("<f4", "(2,)" + std::string(70000, ' '));
        const Array array = read_bytes(file_of(header, kOneF4 + kMinusTwoF4, major));
        BOOST_TEST(array.as<float>() == (std::vector<float>{1, -2}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_single_number_has_no_axes) {
    const Array array = read_bytes(file_of(header_of("<f4", "()"), kMinusTwoF4));
    BOOST_TEST(array.shape.empty());
    BOOST_TEST(array.as<float>() == std::vector<float>{-2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(column_major_order_is_accepted_for_one_axis) {
    BOOST_TEST(read_bytes(file_of(header_of("<f4", "(1,)", "True"), kOneF4)).as<float>().at(0) == 1);
}

BOOST_AUTO_TEST_CASE(every_type_and_rank_is_read_back) {
    const TemporaryDirectory folder;
    const fs::path file = folder / "round.npy";
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{0}, Shape{2, 3}, Shape{2, 0, 3}, Shape{2, 1, 3, 5}}) {
        const std::size_t count = attn::element_count(shape);
        std::vector<double> numbers;
        for (std::size_t k = 0; k < count; ++k) numbers.push_back(static_cast<double>(k * 7 % 256));
        const Array f8("x", shape, numbers);
        for (const Array& array : {f8, f8.cast<float>(), f8.cast<std::int32_t>(), f8.cast<std::uint8_t>()}) {
            BOOST_TEST_CONTEXT(attn::to_string(shape) << " of type " << array.values.index()) {
                write_npy(file, array);
                BOOST_TEST(fs::file_size(file) % 64 == array.bytes() % 64);
                const Array back = read_npy(file);
                BOOST_TEST(back.name == "round");
                BOOST_TEST(back.shape == shape, boost::test_tools::per_element());
                BOOST_TEST((back.values == array.values));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(nan_infinity_and_minus_zero_keep_their_bits) {
    const TemporaryDirectory folder;
    const std::vector<double> odd = {std::nan("7"), -std::numeric_limits<double>::infinity(), -0.0, 5e-324};
    write_npy(folder / "odd.npy", Array("odd", {4}, odd));
    const std::vector<double> back = read_npy(folder / "odd.npy").as<double>();
    BOOST_REQUIRE(back.size() == odd.size());
    for (std::size_t k = 0; k < odd.size(); ++k)
        BOOST_TEST(std::bit_cast<std::uint64_t>(back[k]) == std::bit_cast<std::uint64_t>(odd[k]));
}

BOOST_AUTO_TEST_CASE(other_element_types_are_refused_with_a_numpy_call_that_converts) {
    for (const auto& [descr, call] : std::vector<std::pair<std::string, std::string>>{
             {"<i8", "np.save(f, a.astype(np.float32)), or np.int32"},
             {"<i2", "np.save(f, a.astype(np.float32))"},
             {"<f2", "np.save(f, a.astype(np.float32))"},
             {">f4", "np.save(f, a.astype(np.float32))"},
             {"<c8", "np.save(f, a.real.astype(np.float32))"},
             {">f8", "np.save(f, a.astype(np.float64))"},
             {"|i1", "np.save(f, a.astype(np.uint8))"},
             {"|O", "np.save(f, a.astype(np.float32))"}}) {
        BOOST_TEST_CONTEXT(descr) {
            BOOST_CHECK_EXCEPTION(
                read_bytes(file_of(header_of(descr, "(1,)"), kOneF8)), FileError,
                message_contains({"x.npy: ", "\"" + descr + "\"", "'<f4' (float32)", call}));
        }
    }
    BOOST_CHECK_EXCEPTION(
        read_bytes(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", kOneF4)),
        FileError, message_contains({"records", "np.save(f, a[\"field\"].astype(np.float32))"}));
}

BOOST_AUTO_TEST_CASE(column_major_order_is_refused) {
    BOOST_CHECK_EXCEPTION(read_bytes(file_of(header_of("<f4", "(2, 1)", "True"), kOneF4 + kOneF4)), FileError,
                          message_contains({"column-major", "np.save(f, np.ascontiguousarray(a))"}));
}

BOOST_AUTO_TEST_CASE(five_axes_are_refused) {
    BOOST_CHECK_EXCEPTION(read_bytes(file_of(header_of("<f4", "(1, 1, 1, 1, 1)"), kOneF4)), FileError,
                          message_contains({"5 axes", "at most 4", "reshape"}));
}

BOOST_AUTO_TEST_CASE(a_truncated_file_is_refused) {
    for (std::size_t size = 0; size < kSavedByNumpy.size(); ++size) BOOST_TEST_CONTEXT(size << " bytes") {
            BOOST_CHECK_THROW(read_bytes(kSavedByNumpy.substr(0, size)), FileError);
        }
    BOOST_CHECK_EXCEPTION(read_bytes(kSavedByNumpy.substr(0, 151)), FileError,
                          message_contains({"23 bytes", "truncated", "[2, 3]", "takes 24"}));
    BOOST_CHECK_EXCEPTION(read_bytes(kSavedByNumpy.substr(0, 127)), FileError,
                          message_contains({"ends after 127 bytes", "needs 128"}));
}

BOOST_AUTO_TEST_CASE(bytes_after_the_array_are_refused) {
    BOOST_CHECK_EXCEPTION(read_bytes(kSavedByNumpy + 'x'), FileError,
                          message_contains({"25 bytes", "goes on", "takes 24", "one array a file"}));
}

BOOST_AUTO_TEST_CASE(a_huge_shape_is_refused_before_memory_is_allocated) {
    for (const std::string shape :
         {"(1000000, 1000000)", "(65536, 65536, 65536, 65536)", "(2147483647, 2147483647, 2147483647, 0)"})
        BOOST_CHECK_EXCEPTION(read_bytes(file_of(header_of("<f4", shape), kOneF4)), FileError,
                              message_contains({"too large", "1 GiB"}));
    for (const std::string shape : {"(2147483648,)", "(99999999999999999999999999,)"})
        BOOST_CHECK_EXCEPTION(read_bytes(file_of(header_of("<f4", shape), kOneF4)), FileError,
                              message_contains({"axis", "2147483647"}));
    BOOST_CHECK_EXCEPTION(read_bytes(file_of(header_of("<f4", "(200000000,)"), kOneF4)), FileError,
                          message_contains({"truncated", "800000000"}));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_is_named) {
    BOOST_CHECK_EXCEPTION(read_npy("/no/such/x.npy"), FileError,
                          message_contains({"/no/such/x.npy", "no such file"}));
}

BOOST_AUTO_TEST_CASE(a_missing_folder_cannot_be_written_to) {
    const TemporaryDirectory folder;
    const fs::path file = folder / "missing" / "x.npy";
    BOOST_CHECK_EXCEPTION(
        write_npy(file, Array::zeros<float>("x", {1})), FileError,
        message_contains({file.string(), "cannot be written", "No such file or directory"}));
}

BOOST_AUTO_TEST_CASE(an_array_that_could_not_be_read_back_is_not_written) {
    const TemporaryDirectory folder;
    BOOST_CHECK_EXCEPTION(write_npy(folder / "x.npy", Array::zeros<float>("x", {1, 1, 1, 1, 1})),
                          std::invalid_argument, message_contains({"x", "[1, 1, 1, 1, 1]", "at most 4"}));
    Array lying = Array::zeros<float>("lying", {2, 3});
    lying.shape = {2, 4};
    BOOST_CHECK_EXCEPTION(write_npy(folder / "x.npy", lying), std::invalid_argument,
                          message_contains({"lying", "[2, 4]", "6 values"}));
    lying.shape = {-2, -3};
    BOOST_CHECK_THROW(write_npy(folder / "x.npy", lying), std::invalid_argument);
    BOOST_TEST(fs::is_empty(folder.path()));
}

BOOST_AUTO_TEST_SUITE_END()
