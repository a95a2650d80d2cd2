// Access is checked in this file in release builds, too. A view of a type must behave the same in the whole
// program, so the elements have types that exist in this file only.
#undef ATTN_BOUNDS_CHECK
#define ATTN_BOUNDS_CHECK 1
#include "assignments/tensor.h"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/mman.h>

#if defined(ATTN_HAVE_CUDA)
#include "assignments/tensor_on_device.h"
#include "grader/testing/needs_cuda.h"
#endif

using attn::IndexError;
using attn::TensorView;

BOOST_AUTO_TEST_SUITE(tensor)

namespace {

struct Cell {
    int n;
};

struct Byte {
    char c;
};

/// Elements 0, 1, 2, ..: the value of an element is its offset.
std::vector<Cell> cells(int count) {
    std::vector<Cell> all(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) all[static_cast<std::size_t>(n)].n = n;
    return all;
}

struct Caught {
    std::string what = "nothing was thrown";
    const void* data = nullptr;
};

template <class Access>
Caught caught(const Access& access) {
    try {
        access();
    } catch (const IndexError& error) {
        return {error.what(), error.data()};
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_index_runs_fastest) {
    std::vector<Cell> all = cells(2 * 3 * 4 * 5);
    const TensorView<Cell, 1> x(all.data(), 120);
    const TensorView<Cell, 2> X(all.data(), 24, 5);
    const TensorView<Cell, 3> Q(all.data(), 6, 4, 5);
    const TensorView<Cell, 4> S(all.data(), 2, 3, 4, 5);
    int offset = 0;
    for (int b = 0; b < 2; ++b)
        for (int h = 0; h < 3; ++h)
            for (int i = 0; i < 4; ++i)
                for (int d = 0; d < 5; ++d, ++offset) {
                    BOOST_TEST(x(offset).n == offset);
                    BOOST_TEST(X((b * 3 + h) * 4 + i, d).n == offset);
                    BOOST_TEST(Q(b * 3 + h, i, d).n == offset);
                    BOOST_TEST(S(b, h, i, d).n == offset);
                }
    BOOST_TEST(offset == 120);
}

BOOST_AUTO_TEST_CASE(a_view_knows_its_shape) {
    std::vector<Cell> all = cells(24);
    const TensorView<Cell, 3> Q(all.data(), 2, 3, 4);
    BOOST_TEST(Q.size(0) == 2);
    BOOST_TEST(Q.size(1) == 3);
    BOOST_TEST(Q.size(2) == 4);
    BOOST_TEST(Q.count() == 24);
    BOOST_TEST(Q.data() == all.data());
    BOOST_TEST(static_cast<bool>(Q));
    BOOST_TEST((TensorView<Cell, 3>::kRank == 3));
}

BOOST_AUTO_TEST_CASE(writing_through_a_view_changes_the_numbers_under_it) {
    std::vector<Cell> all = cells(6);
    const TensorView<Cell, 2> Y(all.data(), 2, 3);
    Y(1, 0).n = -7;
    BOOST_TEST(all[3].n == -7);
}

BOOST_AUTO_TEST_CASE(an_index_of_the_first_axis_gives_a_view_of_the_rest) {
    std::vector<Cell> all = cells(2 * 3 * 4);
    const TensorView<Cell, 3> Q(all.data(), 2, 3, 4);
    const TensorView<Cell, 2> Q_b = Q[1];
    BOOST_TEST(Q_b.data() == all.data() + 12);
    BOOST_TEST(Q_b.size(0) == 3);
    BOOST_TEST(Q_b.size(1) == 4);
    BOOST_TEST(Q_b(2, 3).n == 23);
    const TensorView<Cell, 1> row = Q[1][2];
    BOOST_TEST(row.size(0) == 4);
    BOOST_TEST(row(0).n == 20);
    Q[0][1](2).n = -7;
    BOOST_TEST(Q(0, 1, 2).n == -7);
}

BOOST_AUTO_TEST_CASE(a_view_converts_to_a_view_for_reading_only) {
    std::vector<Cell> all = cells(6);
    const TensorView<Cell, 2> Y(all.data(), 2, 3);
    const TensorView<const Cell, 2> X = Y;
    BOOST_TEST(X.data() == Y.data());
    BOOST_TEST(X.size(0) == 2);
    BOOST_TEST(X.size(1) == 3);
    BOOST_TEST(X(1, 2).n == 5);
    BOOST_TEST(X[1](2).n == 5);
    BOOST_TEST((std::is_same_v<decltype(X(0, 0)), const Cell&>));
    BOOST_TEST((!std::is_convertible_v<TensorView<const Cell, 2>, TensorView<Cell, 2>>));
    BOOST_TEST((!std::is_convertible_v<TensorView<Cell, 3>, TensorView<const Cell, 2>>));
    BOOST_TEST((!std::is_constructible_v<TensorView<Cell, 2>, Cell*, int>));
}

BOOST_AUTO_TEST_CASE(a_view_is_a_plain_value_that_a_kernel_can_take) {
    BOOST_TEST((std::is_trivially_copyable_v<TensorView<const Cell, 3>>));
    static constexpr Cell kCells[] = {{0}, {1}, {2}, {3}, {4}, {5}};
    constexpr TensorView<const Cell, 2> kX(kCells, 2, 3);
    static_assert(kX.size(1) == 3 && kX.count() == 6);
}

BOOST_AUTO_TEST_CASE(an_empty_view_is_false_and_so_are_its_parts) {
    const TensorView<Cell, 3> A;
    BOOST_TEST(!A);
    BOOST_TEST(A.data() == nullptr);
    BOOST_TEST(A.size(2) == 0);
    BOOST_TEST(A.count() == 0);
    BOOST_TEST(!A[0]);
    BOOST_TEST(!A[5][7]);
    const TensorView<const Cell, 3> read = A;
    BOOST_TEST(!read);
    BOOST_TEST(caught([&] { A(0, 0, 0); }).what ==
               "element (0, 0, 0) of [0, 0, 0]; this is a view of nothing: an output that is not wanted");
}

BOOST_AUTO_TEST_CASE(counts_and_offsets_have_64_bits) {
    constexpr std::size_t kBytes = 40000UL * 60000UL;  // more than 2^31, none of them touched
    void* start = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    BOOST_REQUIRE(start != MAP_FAILED);
    const auto unmap = [](Byte* first) { munmap(first, kBytes); };
    const std::unique_ptr<Byte, decltype(unmap)> memory(static_cast<Byte*>(start), unmap);
    const TensorView<Byte, 3> X(memory.get(), 40000, 1, 60000);
    BOOST_TEST(X.count() == 2400000000);
    BOOST_TEST(&X(39999, 0, 59999) - X.data() == 2399999999);
    BOOST_TEST(X[39999].data() - X.data() == 2399940000);
    Byte one{};
    BOOST_TEST((TensorView<Byte, 4>(&one, 65536, 65536, 65536, 16384).count() == std::ptrdiff_t{1} << 62));
}

BOOST_AUTO_TEST_CASE(an_element_outside_is_named_with_its_axis) {
    std::vector<Cell> all = cells(4 * 17);
    const TensorView<Cell, 2> X(all.data(), 4, 17);
    BOOST_TEST(caught([&] { X(3, 16); }).what == "nothing was thrown");
    const Caught past = caught([&] { X(3, 17); });
    BOOST_TEST(past.what == "element (3, 17) of [4, 17]; index 1 goes from 0 to 16");
    BOOST_TEST(past.data == all.data());
    BOOST_TEST(caught([&] { X(4, 0); }).what == "element (4, 0) of [4, 17]; index 0 goes from 0 to 3");
    BOOST_TEST(caught([&] { X(0, -1); }).what == "element (0, -1) of [4, 17]; index 1 goes from 0 to 16");
    // If both indices are outside, the message names the first.
    BOOST_TEST(caught([&] { X(-1, 17); }).what == "element (-1, 17) of [4, 17]; index 0 goes from 0 to 3");
    BOOST_CHECK_THROW(X(4, 0), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(every_axis_of_every_rank_is_checked) {
    std::vector<Cell> all = cells(2 * 3 * 4 * 5);
    const TensorView<Cell, 1> x(all.data(), 5);
    BOOST_TEST(caught([&] { x(5); }).what == "element (5) of [5]; index 0 goes from 0 to 4");
    const TensorView<Cell, 4> S(all.data(), 2, 3, 4, 5);
    BOOST_TEST(caught([&] { S(1, 2, 3, 4); }).what == "nothing was thrown");
    const std::string of = " of [2, 3, 4, 5]; index ";
    BOOST_TEST(caught([&] { S(2, 0, 0, 0); }).what == "element (2, 0, 0, 0)" + of + "0 goes from 0 to 1");
    BOOST_TEST(caught([&] { S(0, 3, 0, 0); }).what == "element (0, 3, 0, 0)" + of + "1 goes from 0 to 2");
    BOOST_TEST(caught([&] { S(0, 0, 4, 0); }).what == "element (0, 0, 4, 0)" + of + "2 goes from 0 to 3");
    BOOST_TEST(caught([&] { S(0, 0, 0, 5); }).what == "element (0, 0, 0, 5)" + of + "3 goes from 0 to 4");
}

BOOST_AUTO_TEST_CASE(an_empty_axis_has_no_element) {
    std::vector<Cell> all = cells(1);
    const TensorView<Cell, 2> X(all.data(), 2, 0);
    BOOST_TEST(X.count() == 0);
    BOOST_TEST(X[1].size(0) == 0);
    BOOST_TEST(caught([&] { X(1, 0); }).what == "element (1, 0) of [2, 0]; this axis is empty");
}

BOOST_AUTO_TEST_CASE(a_part_outside_is_named_in_the_whole_view_and_its_elements_in_the_part) {
    std::vector<Cell> all = cells(2 * 3 * 4);
    const TensorView<Cell, 3> Q(all.data(), 2, 3, 4);
    const Caught whole = caught([&] { Q[2]; });
    BOOST_TEST(whole.what == "element (2, 0, 0) of [2, 3, 4]; index 0 goes from 0 to 1");
    BOOST_TEST(whole.data == all.data());
    BOOST_TEST(caught([&] { Q[-1]; }).what == "element (-1, 0, 0) of [2, 3, 4]; index 0 goes from 0 to 1");
    // Inside of Q, but outside of the batch.
    const Caught part = caught([&] { Q[0](3, 0); });
    BOOST_TEST(part.what == "element (3, 0) of [3, 4]; index 0 goes from 0 to 2");
    BOOST_TEST(part.data == all.data());
    BOOST_TEST(caught([&] { Q[1](0, 4); }).data == all.data() + 12);
}

#if defined(ATTN_HAVE_CUDA)
BOOST_AUTO_TEST_CASE(kernels_index_views_as_the_host_does, *attn::gpu::needs_a_device()) {
    std::vector<float> X, doubled;
    for (int n = 1; n <= 3 * 40 * 5; ++n) {
        X.push_back(static_cast<float>(n));
        doubled.push_back(static_cast<float>(2 * n));
    }
    BOOST_TEST(attn::testing::double_on_device(X, 3, 40, 5) == doubled, boost::test_tools::per_element());
}
#endif

BOOST_AUTO_TEST_SUITE_END()
