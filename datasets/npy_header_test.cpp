#include "datasets/npy_header.h"

#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/npy_bytes.h"

using attn::Shape;
using attn::data::encode_npy_header;
using attn::data::file_of;
using attn::data::FileError;
using attn::data::header_of;
using attn::data::message_contains;
using attn::data::NpyHeader;

BOOST_AUTO_TEST_SUITE(npy_header)

namespace {

NpyHeader parse(const std::string& bytes) {
    return attn::data::parse_npy_header("x.npy", bytes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_encoded_header_can_be_parsed) {
    for (const Shape& shape :
         {Shape{}, Shape{0}, Shape{7}, Shape{2, 3}, Shape{1, 2, 3, 4}, Shape{2147483647}}) {
        const std::string bytes = encode_npy_header("|u1", shape);
        BOOST_TEST(bytes.size() % 64 == 0U);
        BOOST_TEST(bytes.back() == '\n');
        const NpyHeader header = parse(bytes + "numbers");
        BOOST_TEST(header.descr == "|u1");
        BOOST_TEST(!header.fortran_order);
        BOOST_TEST(header.shape == shape, boost::test_tools::per_element());
        BOOST_TEST(header.size == bytes.size());
    }
}

BOOST_AUTO_TEST_CASE(an_unsupported_type_can_be_parsed) {
    const NpyHeader header = parse(file_of(header_of(">c16", "(1, 2, 3, 4, 5)", "True"), ""));
    BOOST_TEST(header.descr == ">c16");
    BOOST_TEST(header.fortran_order);
    BOOST_TEST(header.shape == (Shape{1, 2, 3, 4, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_header_may_differ_in_spaces_order_quotes_and_last_comma) {
    for (const std::string header :
         {"{\"shape\":(2,1),\"fortran_order\":False,\"descr\":\"<f4\"}",
          " { 'fortran_order' : False , 'shape' : ( 2 , 1 , ) ,\n'descr' : '<f4' , } \n\n",
          "{'descr':\t'<f4', 'shape': (2, 1), 'fortran_order': False,}"}) {
        BOOST_TEST_CONTEXT(header) {
            const NpyHeader parsed = parse(file_of(header, "numbers"));
            BOOST_TEST(parsed.descr == "<f4");
            BOOST_TEST(!parsed.fortran_order);
            BOOST_TEST(parsed.shape == (Shape{2, 1}), boost::test_tools::per_element());
            BOOST_TEST(parsed.size == 10 + header.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_malformed_header_is_refused_with_the_expected_text) {
    const std::string type = "'descr': '<f4'";
    const std::string order = "'fortran_order': False";
    for (const auto& [header, complaint] : std::vector<std::pair<std::string, std::string>>{
             {"", "expected '{'"},
             {"\n", "expected '{'"},
             {"{}", "all of the keys"},
             {"{" + type + ", " + order + "}", "all of the keys"},
             {"{" + type + ", " + type + ", 'shape': (1,)}", "once"},
             {"{" + type + ", " + order + ", 'shape': (1,), 'more': 1}", "once"},
             {"{" + type + ", " + order + ", 'shape': (1,)", "expected '}'"},
             {"{" + type + " " + order + ", 'shape': (1,)}", "expected '}'"},
             {"{" + type + ", " + order + ", 'shape': (1,)} x", "the end"},
             {"{" + type + ", " + order + ", 'shape': (1)}", "(3,)"},
             {"{" + type + ", " + order + ", 'shape': 1}", "expected '('"},
             {"{" + type + ", " + order + ", 'shape': (1, -1)}", "length of an axis"},
             {"{" + type + ", " + order + ", 'shape': (1.0,)}", "',' or ')'"},
             {"{" + type + ", " + order + ", 'shape': (1,,)}", "length of an axis"},
             {"{" + type + ", 'fortran_order': 0, 'shape': (1,)}", "True or False"},
             {"{'descr': <f4, " + order + ", 'shape': (1,)}", "a string in quotes"},
             {"{'descr': '<f4, }", "a string that ends"},
             {"{'descr': '<f4\", " + order + ", 'shape': (1,)}", "expected '}'"},
             {"{'descr': '\\x3cf4', " + order + ", 'shape': (1,)}", "without escapes"}}) {
        BOOST_TEST_CONTEXT(header) {
            BOOST_CHECK_EXCEPTION(parse(file_of(header, "")), FileError,
                                  message_contains({"malformed npy header", complaint, "np.save"}));
        }
    }
}

BOOST_AUTO_TEST_CASE(other_files_and_versions_are_refused) {
    BOOST_CHECK_EXCEPTION(parse("PK\x03\x04rest"), FileError, message_contains({"np.savez", "np.load"}));
    BOOST_CHECK_EXCEPTION(parse("1, 2, 3\n"), FileError,
                          message_contains({"\"1, 2, \"", "no npy file", "np.save"}));
    BOOST_CHECK_EXCEPTION(parse(""), FileError, message_contains({"no npy file"}));
    BOOST_CHECK_EXCEPTION(parse(file_of(header_of("<f4", "(1,)"), "", 4)), FileError,
                          message_contains({"version 4.0", "1.0, 2.0 or 3.0"}));
}

BOOST_AUTO_TEST_SUITE_END()
