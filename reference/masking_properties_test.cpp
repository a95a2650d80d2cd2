// Properties that follow from the formulas for any numbers.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/masking_reference.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "reference/testing/masking_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::ask::leading;
using attn::ask::permuted;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(masking_properties)

namespace {

constexpr int kN = 5;

/// One sequence that supplies queries, keys and values, each with another width.
template <class T>
struct Sequence {
    Array Q = normal<T>("Q", {2, kN, 4}), K = normal<T>("K", {2, kN, 4}), V = normal<T>("V", {2, kN, 3});

    auto attend(const Array& mask) const { return on_arrays::masked_attention<T>(Q, K, V, mask); }

    /// The same with other numbers at place j of all three.
    Sequence changed_at(int j) const {
        Sequence other = *this;
        for (Array* array : {&other.Q, &other.K, &other.V})
            for (int b = 0; b < 2; ++b)
                for (int d = 0; d < array->shape[2]; ++d)
                    array->view<T, 3>()(b, j, d) = static_cast<T>(7 - 3 * d + j);
        return other;
    }
};

std::vector<int> range(int first, int end) {
    std::vector<int> all(static_cast<std::size_t>(end - first));
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// Queries first .. end - 1 of every batch.
Array places(const Array& X, int first, int end) {
    return permuted(X, 1, range(first, end));
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_row_of_a_causal_mask_allows_one_key_more) {
    for (const int N_k : {3, 4, 9}) {
        const Array M = on_arrays::causal_mask(4, N_k);
        const auto m = M.view<std::uint8_t, 2>();
        for (int i = 0; i < 4; ++i) {
            int sum = 0;
            for (int j = 0; j < N_k; ++j) sum += m(i, j);
            BOOST_TEST(sum == N_k - 3 + i);
        }
    }
}

BOOST_AUTO_TEST_CASE(combining_masks_is_commutative_and_ones_are_neutral) {
    const Array causal = on_arrays::causal_mask(3, 4), ones = padding_mask({4, 4}, 3, 4);
    const Array padding = padding_mask({2, 3}, 3, 4), spread = on_arrays::combine_masks(causal, ones);
    BOOST_TEST(is_near(on_arrays::combine_masks(mask({3, 4}, std::vector<std::uint8_t>(12, 1)), padding),
                       padding, 0));
    BOOST_TEST(is_near(on_arrays::combine_masks(causal, spread), spread, 0));
    BOOST_TEST(is_near(on_arrays::combine_masks(causal, on_arrays::combine_masks(causal, padding)),
                       on_arrays::combine_masks(causal, padding), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_later_token_changes_no_earlier_output_by_a_single_bit, T, Reals) {
    const Sequence<T> given;
    const Array causal = causal_masks(2, kN, kN), Y = given.attend(causal).Y;
    for (int j = 0; j < kN; ++j) {
        const Array changed = given.changed_at(j).attend(causal).Y;
        if (j > 0) BOOST_TEST(is_near(places(changed, 0, j), places(Y, 0, j), 0));
        // The Jacobian is lower triangular, and its lower part is not empty.
        for (int i = j; i < kN; ++i)
            BOOST_TEST(!is_near(places(changed, i, i + 1), places(Y, i, i + 1), 1e-3));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(masking_keys_equals_removing_them, T, Reals) {
    const Sequence<T> given;
    const int kept = 3;
    const auto masked = given.attend(padding_mask({kept, kept}, kN, kN));
    const auto shorter = on_arrays::masked_attention<T>(
        given.Q, leading(given.K, 1, kept), leading(given.V, 1, kept), padding_mask({kept, kept}, kN, kept));
    BOOST_TEST(is_near(masked.Y, shorter.Y, kRounding<T>));
    BOOST_TEST(is_near(leading(masked.A, 2, kept), shorter.A, kRounding<T>));
    BOOST_TEST(!is_near(masked.Y, given.attend(padding_mask({kN, kN}, kN, kN)).Y, 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_query_gets_the_first_value, T, Reals) {
    const Sequence<T> given;
    const Array Y = given.attend(causal_masks(2, kN, kN)).Y;
    BOOST_TEST(is_near(leading(Y, 1, 1), leading(given.V, 1, 1), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(step_by_step_with_a_cache_equals_all_at_once, T, Reals) {
    const Sequence<T> given;
    const Array Y = given.attend(causal_masks(2, kN, kN)).Y;
    int done = 0;
    for (const int steps : {1, 2, 1, 1}) {  // a cache may grow by more than one
        const int end = done + steps;
        const auto now =
            on_arrays::masked_attention<T>(places(given.Q, done, end), leading(given.K, 1, end),
                                           leading(given.V, 1, end), causal_masks(2, steps, end));
        BOOST_TEST(is_near(now.Y, places(Y, done, end), kRounding<T>));
        done = end;
    }
    BOOST_TEST(done == kN);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_A_sum_to_one_over_the_allowed_keys, T, Reals) {
    const Sequence<T> given;
    const Array M = on_arrays::combine_masks(on_arrays::causal_mask(kN, kN), padding_mask({3, 0}, kN, kN));
    const Array A = given.attend(M).A;
    const auto a = A.view<T, 3>();
    const auto m = M.view<std::uint8_t, 3>();
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < kN; ++i) {
            double sum = 0;
            for (int j = 0; j < kN; ++j) {
                BOOST_TEST((m(b, i, j) ? 0 < a(b, i, j) && a(b, i, j) <= 1 : a(b, i, j) == 0));
                sum += static_cast<double>(a(b, i, j));
            }
            BOOST_TEST(std::abs(sum - (b == 0 ? 1 : 0)) <= kRounding<T>);
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_keys_values_and_columns_of_the_mask_changes_nothing, T, Reals) {
    const Sequence<T> given;
    const Array M = causal_masks(2, kN, kN);
    Sequence<T> other = given;
    const std::vector<int> order = {3, 0, 4, 2, 1};
    other.K = permuted(given.K, 1, order);
    other.V = permuted(given.V, 1, order);
    BOOST_TEST(is_near(other.attend(permuted(M, 2, order)).Y, given.attend(M).Y, kRounding<T>));
    BOOST_TEST(!is_near(other.attend(M).Y, given.attend(M).Y, 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(each_batch_has_its_own_mask, T, Reals) {
    const Sequence<T> given;
    Sequence<T> other = given;
    for (Array* array : {&other.Q, &other.K, &other.V}) *array = permuted(*array, 0, {1, 0});
    const Array Y = given.attend(padding_mask({2, 4}, kN, kN)).Y;
    BOOST_TEST(is_near(other.attend(padding_mask({4, 2}, kN, kN)).Y, permuted(Y, 0, {1, 0}), 0));
    BOOST_TEST(!is_near(other.attend(padding_mask({2, 4}, kN, kN)).Y, permuted(Y, 0, {1, 0}), 0.1));
}

BOOST_AUTO_TEST_SUITE_END()
