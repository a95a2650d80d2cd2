#include "grader/judge/locate.h"

#include <functional>

#include <boost/test/unit_test.hpp>

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(locate)

/// locate() for the elements of a shape for which `wrong` holds.
std::string where(const Shape& shape, const std::function<bool(const std::vector<int>&)>& wrong,
                  const std::vector<std::string>& dims = {}) {
    std::vector<bool> marks(element_count(shape));
    for (std::size_t k = 0; k < marks.size(); ++k) marks[k] = wrong(index_of(k, shape));
    return judge::locate(marks, shape, dims);
}

BOOST_AUTO_TEST_CASE(index_of_is_row_major) {
    BOOST_TEST(index_of(0, {2, 3, 4}) == (std::vector<int>{0, 0, 0}), boost::test_tools::per_element());
    BOOST_TEST(index_of(23, {2, 3, 4}) == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(index_of(13, {2, 3, 4}) == (std::vector<int>{1, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(boxes_are_described_by_their_sides) {
    const Shape shape{3, 64, 7};
    using Index = const std::vector<int>&;
    BOOST_TEST(where(shape, [](Index) { return true; }) == "every element");
    BOOST_TEST(where(shape, [](Index) { return false; }) == "no element");
    BOOST_TEST(where(shape, [](Index i) { return i[1] >= 32; }) == "rows >= 32 only");
    BOOST_TEST(where(shape, [](Index i) { return i[1] < 32; }) == "rows < 32 only");
    BOOST_TEST(where(shape, [](Index i) { return i[0] > 0; }) == "batches >= 1 only");
    BOOST_TEST(where(shape, [](Index i) { return i[2] == 6; }) == "column 6 (the last) only");
    BOOST_TEST(where(shape, [](Index i) { return i[2] == 6 && i[0] == 1; }) ==
               "column 6 (the last), batch 1 only");
    BOOST_TEST(where(shape, [](Index i) { return i[1] >= 16 && i[1] < 32; }) == "rows 16 to 31 only");
    BOOST_TEST(where(shape, [](Index i) { return i[1] % 2 == 1; }) == "odd rows only");
    BOOST_TEST(where({1, 65, 7}, [](Index i) { return i[1] >= 64; }) == "row 64 (the last) only");
    BOOST_TEST(where({1, 77, 7}, [](Index i) { return i[1] >= 64; }) ==
               "rows >= 64 (after whole blocks of 64) only");
    BOOST_TEST(where({2, 4, 5, 3}, [](Index i) { return i[1] != 0; }) == "heads >= 1 only");
    const auto in_image = [](Index i) { return i[1] != 0; };
    BOOST_TEST(where({2, 4, 5, 3}, in_image, {"B", "C", "H", "W"}) == "channels >= 1 only");
    BOOST_TEST(where({2, 4, 5, 3}, in_image, {"B", "L", "R", "C"}) == "steps >= 1 (counted from 0) only");
    BOOST_TEST(where({2, 4, 5, 3}, in_image, {"B", "ceil(R/S)", "C", "D"}) == "rows >= 1 only");
    BOOST_TEST(where({2, 4, 5, 3}, [](Index i) { return i[2] == 1 && i[3] == 0; }, {"B", "R", "C", "D"}) ==
               "feature 0, column 1 only");
    BOOST_TEST(where({2, 4, 5, 3}, in_image, {"B", "H", "W", "D"}) == "rows >= 1 only");
    BOOST_TEST(where({2, 4, 5, 3}, in_image, {"B", "H", "N_q", "N_k"}) == "heads >= 1 only");
    BOOST_TEST(where({2, 4, 9, 3}, in_image, {"B", "H/M*W/M", "M*M", "D"}) == "windows >= 1 only");
    BOOST_TEST(where({2, 4, 9, 3}, [](Index i) { return i[2] > 0; }, {"B", "N", "M*M", "D"}) ==
               "cells >= 1 only");
}

BOOST_AUTO_TEST_CASE(rows_are_counted_if_there_is_no_box) {
    using Index = const std::vector<int>&;
    BOOST_TEST(where({1, 12, 4}, [](Index i) { return i[1] != 5; }) == "11 of 12 rows");
    BOOST_TEST(where({6, 3}, [](Index i) { return i[1] == 1 && (i[0] == 0 || i[0] == 3); }) ==
               "column 1 in 2 of 6 rows only");
    BOOST_TEST(where({2, 6, 4}, [](Index i) { return !(i[0] == 1 && i[1] == 5); }) == "11 of 12 rows");
    BOOST_TEST(where({2, 3, 2, 4}, [](Index i) { return !(i[0] == 1 && i[1] == 2 && i[2] == 1); },
                     {"B", "H", "W", "D"}) == "11 of 12 cells");
    BOOST_TEST(where({10, 7}, [](Index i) { return (i[0] == 2 && i[1] < 2) || (i[0] == 5 && i[1] == 6); }) ==
               "3 of 70 elements, in 2 of 10 rows");
    BOOST_TEST(where({1}, [](Index) { return true; }) == "its one element");
    BOOST_TEST(where({2, 6, 4}, [](Index i) { return i[0] == 1 && i[1] == 5 && i[2] == 3; }) ==
               "element (1, 5, 3) only");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
