// The maps of fragments against the formulas of the PTX ISA, and the places in shared memory against its banks.

#include "reference/fast/cuda/fragments.h"

#include <set>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

namespace attn::cuda::fast {
namespace {

BOOST_AUTO_TEST_SUITE(fragments)

constexpr int kLanes = 32;

/// The formulas of "Matrix fragments for mma.m16n8k8" for .tf32, as the PTX ISA writes them.
RowColumn documented_A(int lane, int i) {
    const int group = lane >> 2, in_group = lane % 4;
    return {i == 0 || i == 2 ? group : group + 8, i < 2 ? in_group : in_group + 4};
}
RowColumn documented_B(int lane, int i) {
    const int group = lane >> 2, in_group = lane % 4;
    return {i == 0 ? in_group : in_group + 4, group};
}
RowColumn documented_C(int lane, int i) {
    const int group = lane >> 2, in_group = lane % 4;
    return {i < 2 ? group : group + 8, in_group * 2 + (i & 1)};
}

template <class Map, class Documented>
void require_same(int registers, int elements, Map map, Documented documented) {
    std::set<std::pair<int, int>> places;
    for (int lane = 0; lane < kLanes; ++lane)
        for (int reg = 0; reg < registers; ++reg) {
            const RowColumn at = map(lane, reg), wanted = documented(lane, reg);
            BOOST_TEST(at.row == wanted.row, "lane " << lane << ", register " << reg);
            BOOST_TEST(at.column == wanted.column, "lane " << lane << ", register " << reg);
            places.insert({at.row, at.column});
        }
    BOOST_TEST(places.size() == static_cast<std::size_t>(elements));
}

BOOST_AUTO_TEST_CASE(the_maps_are_those_of_the_ptx_isa_and_hold_every_element) {
    require_same(4, 16 * 8, place_in_A, documented_A);
    require_same(2, 8 * 8, place_in_B, documented_B);
    require_same(4, 16 * 8, place_in_C, documented_C);
}

BOOST_AUTO_TEST_CASE(scores_become_weights_without_moving) {
    for (int lane = 0; lane < kLanes; ++lane) {
        std::set<int> used;
        for (int reg = 0; reg < 4; ++reg) {
            const RowColumn score = place_in_C(lane, reg), weight = place_in_A(lane, register_of_A(reg));
            BOOST_TEST(weight.row == score.row);
            BOOST_TEST(key_of_column(weight.column) == score.column);
            used.insert(register_of_A(reg));
        }
        BOOST_TEST(used.size() == 4U);
    }
    std::set<int> keys;
    for (int k = 0; k < 8; ++k) keys.insert(key_of_column(k));
    BOOST_TEST(keys.size() == 8U);
}

/// Requires that the 32 lanes read 32 different banks.
template <class Offset>
void require_no_conflict(const std::string& what, Offset offset_of_lane) {
    std::set<int> banks;
    for (int lane = 0; lane < kLanes; ++lane) banks.insert(offset_of_lane(lane) % 32);
    BOOST_TEST(banks.size() == 32U, what << " reads only " << banks.size() << " banks at once");
}

BOOST_AUTO_TEST_CASE(reads_of_fragments_have_no_bank_conflicts) {
    for (const int D : {64, 128})
        for (int step = 0; step < D / 8; ++step)
            for (int block = 0; block < 4; ++block) {
                for (int reg = 0; reg < 4; ++reg)
                    require_no_conflict("Q", [&](int lane) {
                        const RowColumn at = place_in_A(lane, reg);
                        return offset_in_tile(block * 16 + at.row, step * 8 + at.column, D);
                    });
                for (int reg = 0; reg < 2; ++reg) {
                    require_no_conflict("K", [&](int lane) {
                        const RowColumn at = place_in_B(lane, reg);
                        return offset_in_tile(block * 8 + at.column, step * 8 + at.row, D);
                    });
                    require_no_conflict("V", [&](int lane) {
                        const RowColumn at = place_in_B(lane, reg);
                        return offset_in_tile(block * 8 + key_of_column(at.row), step * 8 + at.column, D);
                    });
                }
            }
}

BOOST_AUTO_TEST_CASE(tiles_hold_every_element_once_and_chunks_stay_whole) {
    constexpr int kRows = 32, kD = 64;
    std::set<int> offsets;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kD; ++column) {
            const int offset = offset_in_tile(row, column, kD),
                      chunk = offset_in_tile(row, column / 4 * 4, kD);
            offsets.insert(offset);
            BOOST_TEST(offset == chunk + column % 4);
            BOOST_TEST(chunk % 4 == 0);
        }
    BOOST_TEST(offsets.size() == static_cast<std::size_t>(kRows * kD));
    BOOST_TEST(*offsets.rbegin() == kRows * kD - 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cuda::fast
